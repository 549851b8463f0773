"""Processes that do tasks: the order of their results, and what is left when one of them dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from topiccrawl.analysis.workpool import WorkPool
from topiccrawl.analysis.workprocess import Result

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tasks are no picklable names")


class RefusedError(Exception):
    pass


@pytest.fixture(name="pipe")
def named_pipe(tmp_path: Path) -> Path:
    """A process opens it by its name: it does not inherit open files."""
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def end_process(word: str) -> str:
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "spin":
        while True:
            pass
    if word == "refuse":
        raise RefusedError("no text")
    if word == "fail":
        raise KeyError("title")
    return word.upper()


def test_results_have_the_order_of_the_tasks(pipe: Path) -> None:
    def work(number: int) -> int:
        if number == 0:
            pipe.read_bytes()  # until the second task is done
        if number == 1:
            pipe.write_bytes(b".")
        return number * 10

    with WorkPool(work, jobs=2) as pool:
        assert [result.value for result in pool.map(range(50))] == [n * 10 for n in range(50)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_task_that_ends_its_process_is_lost_alone(jobs: int) -> None:
    tasks = ["a", "die", "b", "spin", "c", "refuse", "fail", "d"]
    with WorkPool(end_process, jobs, seconds=0.2, refusal=RefusedError) as pool:
        assert list(pool.map(tasks)) == [
            Result("done", "A"),
            Result("crash", detail="-9"),
            Result("done", "B"),
            Result("timeout"),
            Result("done", "C"),
            Result("refused", detail="no text"),
            Result("failed", detail="KeyError: 'title'"),
            Result("done", "D"),
        ]


def test_a_task_that_waits_for_ever_is_given_up(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.analysis.workprocess.LEAST_SECONDS", 0.0)

    def work(word: str) -> bytes:
        return pipe.read_bytes() if word == "wait" else b"done"

    with WorkPool(work, jobs=2, seconds=0.05) as pool:
        assert [result.fate for result in pool.map(["wait", "a", "b"])] == [
            "timeout",
            "done",
            "done",
        ]


def test_a_process_that_was_ended_between_two_tasks_is_replaced() -> None:
    with WorkPool(lambda signal_number: os.getpid(), jobs=1) as pool:
        (first,) = pool.map([0])
        assert first.value is not None
        os.kill(first.value, signal.SIGKILL)
        wait_until(lambda: not Path(f"/proc/{first.value}").exists())
        (second,) = pool.map([0])
    assert second.fate == "done"
    assert second.value != first.value


def test_results_that_wait_for_the_first_one_are_limited(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topiccrawl.analysis.workpool._WAITING_RESULTS", 3)
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(30):
            taken.append(number)
            if number == 5:
                pipe.write_bytes(b".")  # the first task may end: six are under way or wait for it
            yield number

    def work(number: int) -> list[int]:
        if number == 0:
            pipe.read_bytes()
        return []

    with WorkPool(work, jobs=2) as pool:
        results = pool.map(tasks())
        next(results)
        assert len(taken) <= 8
        assert len(list(results)) == 29


def test_processes_can_be_started_without_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topiccrawl.analysis.workprocess._START_METHOD", "spawn")
    with WorkPool(str.upper, jobs=1) as pool:
        assert [result.value for result in pool.map(["a", "b"])] == ["A", "B"]


def test_no_process_outlives_the_one_that_started_it() -> None:
    script = """
import os, signal
from topiccrawl.analysis.workpool import WorkPool
pool = WorkPool(str.upper, jobs=3)
print(len(list(pool.map("abcdef"))), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    # Its end closes the pipe, once nobody else has its other end.
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("6\n", -signal.SIGKILL)
