"""The files of running crawls: damaged, foreign, stale; curves, hosts, command lines, log tails."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.commandline.jsonlogs import JsonFormatter
from topiccrawl.crawl.runs.commandline import shown_command
from topiccrawl.crawl.runs.folder import RunFiles, crawls_folder, find_run, find_runs, sweep
from topiccrawl.crawl.runs.gathering import Curve, HostCounts, ProblemHandler
from topiccrawl.crawl.runs.options import checked_options
from topiccrawl.crawl.runs.starting import crawl_words, find_starts, start_process
from topiccrawl.crawl.runs.state import CurvePoint, HeadLink, HostState, LogEntry, RunState
from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.metrics import MOST_SERIES, SystemFigures, TopicFigures, metrics
from topiccrawl.sharedfiles import HeldLock, is_held

STATE = RunState(
    run="r1", topic="侨情", pid=7, started_at=100.0, updated_at=110.0, phase="running",
    curve=((1, 1, 0.5), (9, 4, 2.0)), command=("crawl", "topic"),
    head=(HeadLink("http://a.example/", "a.example", 0.5, "侨", "", 1, "", {"rw": 0.5}),),
    hosts=(HostState("a.example", 3, 2, 1, 1.5, 1),), problems=(LogEntry(1.0, "ERROR", "x", "y"),),
)  # fmt: skip


def leave(folder: Path, run: str, **changes: object) -> RunFiles:
    files = RunFiles(folder, run)
    files.write(replace(STATE, run=run, **changes))  # type: ignore[arg-type]
    files.path(".lock").touch()
    return files


def test_a_state_is_read_as_it_was_written() -> None:
    assert RunState.from_json(STATE.as_json()) == STATE


@given(st.binary(max_size=60))
def test_no_file_makes_reading_fail(data: bytes) -> None:
    assert RunState.from_json(data) is None


@given(
    st.sampled_from(sorted(json.loads(STATE.as_json()))),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=5,
    ),
)
def test_a_state_with_a_strange_value_is_read_or_ignored(name: str, value: object) -> None:
    document = json.loads(STATE.as_json())
    document[name] = value
    state = RunState.from_json(json.dumps(document).encode("utf-8", "replace"))
    assert state is None or RunState.from_json(state.as_json()) == state


def test_a_lock_is_held_by_its_process_alone_and_two_that_look_do_not_matter(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.lock"
    assert not is_held(path)
    lock = HeldLock(path)
    assert is_held(path)
    with pytest.raises(OSError, match="unavailable"):
        HeldLock(path)
    lock.release()
    looking = os.open(path, os.O_RDWR)
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(looking, fcntl.LOCK_SH)
    assert not is_held(path)
    os.close(looking)


@pytest.mark.parametrize(
    ("phase", "held", "age", "health"),
    [
        ("running", True, 5, "alive"),
        ("running", True, 100, "silent"),
        ("running", False, 1, "killed"),
        ("ended", True, 1, "ended"),
        ("ended", False, 1, "ended"),
    ],
)
def test_the_health_of_a_run_follows_from_its_lock_and_its_last_write(
    tmp_path: Path, phase: str, held: bool, age: float, health: str
) -> None:
    files = leave(tmp_path, "r1", phase=phase)
    lock = HeldLock(files.path(".lock")) if held else None
    found = find_run(tmp_path, "r1", now=110.0 + age)
    assert found is not None
    assert found.health == health
    if lock is not None:
        lock.release()


def test_strange_files_in_the_folder_are_passed_over(tmp_path: Path) -> None:
    leave(tmp_path, "r1")
    (tmp_path / "r2.json").write_text("{")
    (tmp_path / "r3.json").write_bytes((tmp_path / "r1.json").read_bytes())
    (tmp_path / "r4.json").mkdir()
    (tmp_path / "..json").write_text("{}")
    assert [it.files.run for it in find_runs(tmp_path)] == ["r1"]
    assert find_runs(tmp_path / "none") == []
    for name in ("../r1", "r1/../r1", "", ".", "..", "r1\x00", "r" * 200):
        assert find_run(tmp_path, name) is None


def test_a_stop_is_not_taken_back_and_foreign_words_are_ignored(tmp_path: Path) -> None:
    files = leave(tmp_path, "r1")
    assert files.wanted is None
    files.ask("pause")
    files.ask("run")
    assert files.wanted == "run"
    files.ask("stop")
    files.ask("run")
    assert files.wanted == "stop"
    files.path(".wanted").write_bytes(b"\xff dance")
    assert files.wanted is None


def test_old_runs_are_swept_living_ones_never(tmp_path: Path) -> None:
    lock = HeldLock(leave(tmp_path, "alive", started_at=1.0).path(".lock"))
    for number in range(8):
        leave(tmp_path, f"over{number}", started_at=float(10 + number), phase="ended")
    assert sweep(tmp_path, keep=3) == 5
    left = {it.files.run for it in find_runs(tmp_path)}
    assert left == {"alive", "over5", "over6", "over7"}
    assert {it.name.partition(".")[0] for it in tmp_path.iterdir()} == left
    lock.release()


def test_the_folder_is_beside_the_queue(tmp_path: Path) -> None:
    assert crawls_folder(f"sqlite:///{tmp_path}/a.db") == tmp_path / "crawls"
    assert crawls_folder("mongodb://h/db") == Path("data/crawls")
    assert crawls_folder("mongodb://h/db", "/q") == Path("/q/crawls")
    assert crawls_folder("mongodb://h/db", "/q", "/c") == Path("/c")


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=400))
def test_a_curve_has_few_points_and_keeps_its_ends(steps: list[tuple[int, bool]]) -> None:
    curve, pages, kept = Curve(20), 0, 0
    shown: tuple[CurvePoint, ...] = ()
    for number, (more, _flag) in enumerate(steps):
        pages, kept = pages + more, kept + more // 2
        curve.add(pages, kept, float(number))
        shown = curve.points(pages, kept, float(number))
        assert len(shown) <= 22
        assert shown[-1][:2] == (pages, kept)
        assert list(shown) == sorted(shown)


def test_hosts_in_work_come_first_and_their_number_is_bounded() -> None:
    counts = HostCounts(most=100)
    for number in range(10_000):
        counts.add(f"h{number % 777}.example", pages=1 + (number % 777 == 5))
    counts.add("kept.example", pages=2, kept=2, errors=1)
    states = counts.states({"idle.example": (1.0, 0), "busy.example": (2.5, 3)}, 10)
    assert len(states) == 10
    assert (states[0].host, states[0].delay, states[0].active) == ("busy.example", 2.5, 3)
    assert len(counts._counts) <= 100


def test_problems_are_one_line_each_and_counted() -> None:
    handler = ProblemHandler(most=2)
    log = logging.getLogger("tests.problems")
    log.propagate = False
    log.addHandler(handler)
    try:
        log.info("nothing")
        log.warning("first")
        log.error("bad %d", "x")
        log.error("two\nlines \x1b[31m%s", "侨")
    finally:
        log.removeHandler(handler)
    assert (handler.errors, handler.warnings) == (2, 1)
    assert [it.message for it in handler.entries] == ["bad %d", "two lines [31m侨"]


@pytest.mark.parametrize(
    ("words", "secret"),
    [
        (["-s", "REDIS_URL=redis://:Xk7-open@a/0"], "Xk7"),
        (["-s", "MY_TOKEN=Xk7open"], "Xk7"),
        (["-sMY_PASSWORD=Xk7open"], "Xk7"),
        (["--set", "ALERT_WEBHOOK=Xk7open"], "Xk7"),
        (["--set=A_KEY=Xk7open"], "Xk7"),
        (["-a", "seeds=http://me:Xk7@a.example/"], "Xk7"),
        (["--store", "mongodb://me:Xk7@h/db"], "Xk7"),
        (["--store", "mongodb://me:p@ss/Xk7@h/db"], "Xk7"),
    ],
)
def test_a_shown_command_has_no_secrets(words: list[str], secret: str) -> None:
    assert secret not in " ".join(shown_command(["crawl", "topic", *words]))


@pytest.mark.parametrize("topic", ["-sLOG_FILE=x", "--set=LOG_FILE=x", "--", "侨情"])
def test_no_name_of_a_topic_is_an_option_of_a_start(topic: str) -> None:
    for refresh in (False, True):
        words = crawl_words(topic, refresh=refresh, settings={})
        given_to = [before for before, word in pairwise(words) if topic in word]
        assert given_to == ["-s" if refresh else "-a"]
        assert all(
            word == topic or word.partition("=")[2] == topic for word in words if topic in word
        )


def test_a_shown_command_keeps_what_is_harmless() -> None:
    words = ["crawl", "topic", "-a", "topic=侨情", "-s", "DOWNLOAD_DELAY=0.5"]
    assert shown_command(words) == tuple(words)


def test_the_tail_of_a_log_crosses_its_rotation_and_leaves_out_broken_lines(
    tmp_path: Path,
) -> None:
    files = RunFiles(tmp_path, "r1")
    files.path(".log.1").write_text("".join(f"old {n}\n" for n in range(10)))
    files.path(".log").write_text("new 0\nnew 1\nunfinish")
    assert files.log_lines(4) == ["old 8", "old 9", "new 0", "new 1"]
    assert files.log_lines(1) == ["new 1"]


def test_the_tail_of_a_log_has_no_gap_where_only_its_last_bytes_are_read(tmp_path: Path) -> None:
    files = RunFiles(tmp_path, "r1")
    files.path(".log.1").write_text("old 0\nold 1\n")
    files.path(".log").write_text("new 0\nnew 1\n")
    assert files.log_lines(100, most_bytes=12) == ["old 0", "old 1", "new 0", "new 1"]
    assert files.log_lines(100, most_bytes=11) == ["new 1"]


NASTY = "a\u2028b\x85c\ud83d\U0001f600\x00\x1b[31m\n侨"


def test_a_json_line_is_one_line_for_every_reader_and_keeps_everything() -> None:
    formatter = JsonFormatter()
    formatter.context["topic"] = NASTY
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "m %s", (NASTY,), None)
    try:
        raise ValueError(NASTY)
    except ValueError:
        record.exc_info = sys.exc_info()
    line = formatter.format(record)
    assert len(line.splitlines()) == 1
    assert json.loads(line.encode("ascii", "backslashreplace"))["message"] == f"m {NASTY}"
    parsed = json.loads(line)
    assert parsed["topic"] == NASTY
    assert "ValueError" in parsed["exception"]
    assert parsed["time"].endswith("Z")


def test_a_message_with_wrong_arguments_is_still_a_line() -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, "%d pages", ("many",), None)
    assert "many" in json.loads(JsonFormatter().format(record))["message"]


@pytest.mark.parametrize(
    "line",
    [
        "FEEDS={}", "LOG_FILE=x", "TOPICCRAWL_STORE_URI=sqlite:///x", "TOPICCRAWL_CONTROL=0",
        "TOPICCRAWL_BODY_EXTRACTOR=os.system", "SPIDER_MODULES=x", "TOPICCRAWL_ALLOW=x",
        "TOPICCRAWL_STRATEGY=os.system", "=1", "CONCURRENT_REQUESTS=0", "DOWNLOAD_DELAY=nan",
    ],
)  # fmt: skip
def test_settings_that_name_files_code_or_addresses_cannot_be_given(line: str) -> None:
    with pytest.raises(ConfigurationError):
        checked_options(line)


def test_numbers_flags_and_choices_can_be_given() -> None:
    given_lines = " DOWNLOAD_DELAY = 2 \n\nTOPICCRAWL_RESEED＝0\nLOG_LEVEL=DEBUG"
    assert checked_options(given_lines) == {
        "DOWNLOAD_DELAY": "2", "TOPICCRAWL_RESEED": "0", "LOG_LEVEL": "DEBUG",
    }  # fmt: skip


def test_however_many_topics_there_are_the_series_are_bounded() -> None:
    many = {
        f"topic {n}\n{'x' * 300}": TopicFigures(pages=n, crawls=n % 7 == 0) for n in range(3_000)
    }
    many["(others)"] = TopicFigures(pages=10**9)
    more = {f"figure_{n}": 1.0 for n in range(50)}
    found = metrics(many, SystemFigures(disk_free=1, topics=len(many), more=more))
    assert sum(len(metric.samples) for metric in found) <= MOST_SERIES
    (pages,) = [it for it in found if it.name == "topiccrawl_pages"]
    assert sum(value for _labels, value in pages.samples) == sum(it.pages for it in many.values())
    for metric in found:
        keys = [tuple(sorted(labels.items())) for labels, _value in metric.samples]
        assert len(keys) == len(set(keys))


def test_a_started_process_outlives_its_starter_and_its_words_are_kept(tmp_path: Path) -> None:
    script = "import os, sys; sys.stdin.read(); print('topiccrawl: no such topic'); sys.exit(1)"
    words = [sys.executable, "-c", script, "-s", "A_TOKEN=Xk7open"]
    name = start_process(tmp_path, "侨情", words)
    end = time.monotonic() + 30
    while find_starts(tmp_path)[0].alive and time.monotonic() < end:
        time.sleep(0.02)
    (found,) = find_starts(tmp_path)
    assert (found.id, found.topic, found.problem) == (name, "侨情", "no such topic")
    assert "Xk7" not in " ".join(found.command)
