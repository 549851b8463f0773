"""Processes on one file: completed calls survive kill -9, and no link is handed out twice."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.frontier.contract_suite import a_link, popped_paths
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.urls.identity import link_id

if sys.platform == "win32":
    pytest.skip("without locks a dead worker is known by its silence only", allow_module_level=True)

#: No lease expires and nobody is dead for being silent.
LIMITS = "FrontierLimits(lease_seconds=1e9, worker_seconds=1e9, max_returns=1000)"
IMPORTS = """
import sys, time
from pathlib import Path
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

def report(*values):
    print(*values, flush=True)

def a_link(number):
    host = f"{number % 5}.cn"
    return QueuedLink(f"http://{host}/{number}", host, LinkEvidence(-float(number), anchor="x" * 300))

frontier = SQLiteFrontier(Path(sys.argv[1]), LIMITS, exact_links=50)
""".replace("LIMITS", LIMITS)

#: Pushes, pops, fails, acknowledges and re-scores, and reports each step once it is done.
LOOP = (
    IMPORTS
    + """
import numpy as np
number = int(sys.argv[2])
report("open", 0)
while True:
    frontier.push([a_link(number + n) for n in range(5)])
    for n in range(5):
        report("pushed", number + n)
    number += 5
    for n in range(4):
        lease = frontier.pop((), time.time())
        if lease is None:
            break
        report("popped", lease.id)
        if n == 0:
            again = frontier.fail(lease.id, "x", time.time())
            report("failed" if again else "given_up", lease.id)
        elif n < 3:
            frontier.ack([lease.id])
            report("done", lease.id)
    ids, scores = next(frontier.queued())
    frontier.rescore(ids, scores + 1.0)
"""
)
POP_ALL = (
    IMPORTS
    + """
report("open", 0)
sys.stdin.readline()
while (lease := frontier.pop((), time.time())) is not None:
    report("popped", lease.id)
    frontier.ack([lease.id])
report("end", 0)
sys.stdin.readline()
frontier.close()
"""
)


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def reports_until_killed(child: subprocess.Popen[str], lines: int) -> list[tuple[str, int]]:
    """The steps that the child reported; it is killed during its work, after *lines* lines."""
    reported = []
    assert child.stdout is not None
    with child:
        for line in child.stdout:
            reported.append(line)
            if len(reported) == lines:
                child.kill()
    # The last line may be incomplete; it was not reported then.
    return [
        (what, int(id)) for what, id in (line.split() for line in reported if line[-1:] == "\n")
    ]


def states(path: Path) -> dict[int, str]:
    """The state of every link that has a row; none may stand in two places."""
    with closing(SQLiteFrontier(path, FrontierLimits(worker_seconds=1e9))) as frontier:
        rows = frontier._file.execute(
            "SELECT id, closed, (SELECT count(*) FROM waiting w WHERE w.ord = l.ord), "
            "(SELECT count(*) FROM leases e WHERE e.ord = l.ord) FROM links l"
        ).fetchall()
        found = {}
        for id, closed, waiting, leased in rows:
            assert id not in found
            assert (closed > 0) + waiting + leased == 1
            found[id] = ("open", "done", "given_up")[closed]
        size, counts = frontier.size(), Counter(found.values())
        assert size.leased == 0
        assert size.queued + size.delayed == counts["open"]
        assert size.hosts == len(
            {
                id
                for (id,) in frontier._file.execute(
                    "SELECT DISTINCT host FROM waiting WHERE until IS NULL"
                )
            }
        )
        (damage,) = frontier._file.row("PRAGMA integrity_check")
        assert damage == "ok"
    return found


def test_every_completed_step_of_a_killed_worker_is_kept(tmp_path: Path) -> None:
    draw, path, number = random.Random(20), tmp_path / "one.frontier", 0
    pushed, ended = set[int](), dict[int, str]()
    for _ in range(6):
        child = start(LOOP, str(path), str(number))
        reported = reports_until_killed(child, draw.randint(50, 400))
        for what, id in reported:
            if what == "pushed":
                pushed.add(link_id(f"http://{id % 5}.cn/{id}"))
                number = max(number, id + 1)
            elif what in ("done", "given_up"):
                ended[id] = what
        found = states(path)
        with closing(SQLiteFrontier(path)) as frontier:
            assert all(frontier.known(list(pushed)))
            size = frontier.size()
        for id, what in ended.items():
            assert found.get(id, what) == what  # without a row: in a filter
        # A step may be done that was not reported any more.
        assert 0 <= size.done + size.given_up - len(ended) <= 6
    assert len(ended) > 100


def test_the_next_worker_has_a_killed_one_s_links_at_once(tmp_path: Path) -> None:
    path = tmp_path / "one.frontier"
    script = IMPORTS + (
        "frontier.push([a_link(n) for n in range(3)]); frontier.pop((), time.time());"
        "frontier.pop((), time.time()); report('held', 0); sys.stdin.readline()"
    )
    reports_until_killed(start(script, str(path)), lines=1)
    with closing(SQLiteFrontier(path, FrontierLimits(worker_seconds=1e9))) as frontier:
        assert frontier.size().leased == 0
        assert popped_paths(frontier, now=1e10) == ["0", "1", "2"]
        assert len(list(tmp_path.glob("*-worker-*"))) == 1


def test_three_processes_hand_out_each_link_once(tmp_path: Path) -> None:
    path, count = tmp_path / "one.frontier", 600
    with closing(SQLiteFrontier(path)) as frontier:
        frontier.push([a_link(str(n), -float(n), host=f"{n % 7}.cn") for n in range(count)])
        children = [start(POP_ALL, str(path)) for _ in range(3)]
        for child in children:
            assert child.stdout is not None
            assert child.stdout.readline() == "open 0\n"
        for child in children:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
        outputs = [child.communicate("end\n")[0].splitlines() for child in children]
        popped = [line for output in outputs for line in output if line.startswith("popped")]
        assert len(popped) == len(set(popped)) == count
        assert [output[-1] for output in outputs] == ["end 0"] * 3
        assert frontier.size().done == count
        assert [child.returncode for child in children] == [0] * 3
