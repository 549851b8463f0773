"""The frontier in an SQLite file keeps the contract, for one worker and for several."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from heapq import heappop
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.frontier.contract_suite import (
    NOW,
    FrontierContract,
    SharedFrontierContract,
    a_link,
    frontier_machine,
    popped_paths,
    shared_machine,
)
from tests.support.redis_support import ManualClock
from topiccrawl.frontier.contract import FrontierSize, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.sqlite import views
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.frontier.sqlite.leases import SQLiteLeases
from topiccrawl.frontier.sqlite.writing import Writing
from topiccrawl.scoring.evidence import LinkEvidence


class Opener:
    """Opens frontiers at the suite's moment and closes what a test has left open."""

    def __init__(self) -> None:
        self._opened: list[SQLiteFrontier] = []

    def open(
        self, path: Path, limits: FrontierLimits | None = None, worker: str | None = None
    ) -> SQLiteFrontier:
        frontier = SQLiteFrontier(path, limits, worker=worker, clock=lambda: NOW)
        self._opened.append(frontier)
        return frontier

    def close(self) -> None:
        for frontier in self._opened:
            frontier.close()


@pytest.fixture
def opener() -> Iterator[Opener]:
    made = Opener()
    yield made
    made.close()


class TestOneWorker(FrontierContract):
    @pytest.fixture
    def make_frontier(self, opener: Opener, tmp_path: Path):
        number = itertools.count()
        return lambda limits: opener.open(tmp_path / f"{next(number)}.frontier", limits)


class TestSeveralWorkers(SharedFrontierContract):
    @pytest.fixture
    def open_worker(self, opener: Opener, tmp_path: Path):
        return lambda name, limits: opener.open(tmp_path / "one.frontier", limits, name)

    @pytest.fixture
    def open_topic(self, opener: Opener, tmp_path: Path):
        # A file per topic: topiccrawl.frontier.paths.frontier_path gives them their names.
        return lambda topic: opener.open(tmp_path / f"{topic.encode().hex()}.frontier")


_FOLDER = tempfile.TemporaryDirectory(prefix="sqlite-frontier-")
_NUMBER = itertools.count()


def _new_path() -> Path:
    return Path(_FOLDER.name) / f"{next(_NUMBER)}.frontier"


def _one_worker(limits: FrontierLimits) -> SQLiteFrontier:
    return SQLiteFrontier(_new_path(), limits, clock=lambda: NOW)


def _one_place(limits: FrontierLimits):
    path = _new_path()
    return lambda name: SQLiteFrontier(path, limits, worker=name, clock=lambda: NOW)


TestRandomCalls = frontier_machine(_one_worker).TestCase
TestRandomCalls.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, derandomize=True
)
TestRandomCallsOfTwo = shared_machine(_one_place).TestCase
TestRandomCallsOfTwo.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, derandomize=True
)


def test_workers_that_slept_with_the_machine_do_not_take_each_other_for_dead(
    tmp_path: Path,
) -> None:
    clock, limits = ManualClock(), FrontierLimits(worker_seconds=60.0)
    a, b = (SQLiteFrontier(tmp_path / "queue", limits, clock=clock) for _ in "ab")
    a.push([QueuedLink("http://a.cn/1", "a.cn", LinkEvidence(1.0))])
    lease = a.pop((), clock.now)
    assert lease is not None
    clock.now += 1_000.0
    b.heartbeat(clock.now)
    assert b.reap(clock.now) == 0
    a.heartbeat(clock.now)
    for _ in range(4):
        clock.now += 25.0
        b.heartbeat(clock.now)
    assert b.reap(clock.now) == 1, "the other one is silent, and this one is not"


def test_links_that_another_worker_drops_while_the_best_are_read_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shared.frontier"
    reader, other = SQLiteFrontier(path), SQLiteFrontier(path)
    links = [QueuedLink(f"http://a.cn/{n}", "a.cn", LinkEvidence(float(9 - n))) for n in range(4)]
    reader.push(links)
    drop = [[links[1].id, links[2].id]]

    def pop_while_the_other_drops(heads: list[Any]) -> Any:
        head = heappop(heads)
        if heads == [] and head[0] == -8.0 and drop:
            other.forget(drop.pop())
        return head

    monkeypatch.setattr(views, "heappop", pop_while_the_other_drops)
    assert [link.url[-1] for link in reader.best(9)] == ["0", "3"]
    other.close()
    reader.close()


def test_a_worker_may_close_while_another_takes_it_for_dead(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = opener.open(tmp_path / "shared.frontier", worker="silent")
    other = opener.open(tmp_path / "shared.frontier", worker="other")
    silent.push([QueuedLink("http://a.cn/", "a.cn", LinkEvidence(1.0))])
    assert silent.pop(frozenset(), NOW) is not None
    later, write = [NOW + 1_000.0], Writing.__call__

    def write_after_the_other(self: Writing) -> Any:
        if later:
            assert other.reap(later.pop()) == 1
        return write(self)

    monkeypatch.setattr(Writing, "__call__", write_after_the_other)
    silent.close()
    assert (other.size().queued, other.size().leased) == (1, 0)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("url", 5),
        ("why", b"{"),
        ("why", b'[{"tih": "high"}, null, ""]'),
        ("why", b"[1, null]"),
        ("request", b"[1]"),
        ("request", "text"),
    ],
)
def test_links_that_cannot_be_read_are_given_up_and_the_others_are_handed_out(
    opener: Opener,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    column: str,
    value: object,
) -> None:
    frontier = opener.open(tmp_path / "one.frontier")
    links = [a_link(str(n), 9.0 - n) for n in range(4)]
    frontier.push(links)
    with closing(sqlite3.connect(tmp_path / "one.frontier")) as other, other:
        other.execute(
            f"UPDATE links SET {column} = ? WHERE id IN (?, ?)", (value, links[0].id, links[2].id)
        )
    assert [link.url for link in frontier.best(9)] == [links[1].url, links[3].url]
    assert popped_paths(frontier) == ["1", "3"]
    assert frontier.size() == FrontierSize(0, 0, 2, 0, 2, 0)
    assert str(frontier.reason(links[0].id)).startswith("unreadable record: ")
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_a_worker_forgets_what_one_that_used_up_a_budget_has_left(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = FrontierLimits(host_budget=1)
    dying, other = (opener.open(tmp_path / "one.frontier", limits, name) for name in "ab")
    dying.push([a_link(str(n), 9.0 - n) for n in range(3)])
    with monkeypatch.context() as patched:
        patched.setattr(SQLiteLeases, "_forget_rest", lambda self, host: None)
        assert popped_paths(dying, n=1) == ["0"]
    assert popped_paths(other) == []
    assert (other.size().queued, other.size().forgotten) == (0, 2)
