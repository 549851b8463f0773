"""Worker processes of an event loop: what is left of a task whose process ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from topiccrawl.analysis.asyncpool import AsyncWorkPool
from topiccrawl.analysis.workprocess import Result

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tasks are no picklable names")

ROOT = Path(__file__).parents[2]


def ends_process(word: str) -> str:
    if word == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "spin":
        max(range(10**14))
    return word.upper()


def results(
    work: Callable[[str], Any], words: list[str], *, seconds: float = 0.0, jobs: int = 2
) -> tuple[list[Result[Any]], int]:
    """The results of tasks, and how many processes were replaced."""
    replaced: list[int] = []

    async def run() -> list[Result[Any]]:
        pool = AsyncWorkPool(work, jobs, seconds, replaced=lambda: replaced.append(1))
        try:
            return list(await asyncio.gather(*map(pool.run, words)))
        finally:
            pool.close()

    return asyncio.run(run()), len(replaced)


def test_a_task_that_ends_two_processes_is_given_up_and_the_others_are_done() -> None:
    found, replaced = results(ends_process, ["a", "die", "b", "spin", "c"], seconds=0.2)
    assert found == [
        Result("done", "A"),
        Result("crash", detail="-9"),
        Result("done", "B"),
        Result("timeout"),
        Result("done", "C"),
    ]
    assert replaced == 1


def test_a_task_whose_process_was_killed_is_done_by_another(tmp_path: Path) -> None:
    def work(word: str) -> str:
        try:
            (tmp_path / word).touch(exist_ok=False)
        except FileExistsError:
            return word.upper()
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    found, replaced = results(work, ["a", "b", "c"])
    assert [it.value for it in found] == ["A", "B", "C"]
    assert replaced == 3


def test_the_event_loop_goes_on_during_a_task() -> None:
    async def run() -> int:
        pool = AsyncWorkPool(ends_process, 1, seconds=0.3)
        turns = 0
        task = asyncio.create_task(pool.run("spin"))
        while not task.done():
            await asyncio.sleep(0.01)
            turns += 1
        pool.close()
        return turns

    assert asyncio.run(run()) >= 10


def test_a_task_that_is_not_wanted_anymore_is_broken_off() -> None:
    async def run() -> tuple[Result[str], Result[str]]:
        pool = AsyncWorkPool(ends_process, 1)
        broken = await pool.run("spin", lambda: True)
        after = await pool.run("a")
        pool.close()
        return broken, after

    assert asyncio.run(run()) == (Result("unwanted"), Result("done", "A"))


def test_a_caller_that_is_canceled_leaves_its_process_to_its_task(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    def work(word: str) -> str:
        if word == "wait":
            (tmp_path / "pipe").read_bytes()
        return word.upper()

    async def run() -> str | None:
        pool = AsyncWorkPool(work, 1)
        first = asyncio.create_task(pool.run("wait"))
        await asyncio.sleep(0)
        first.cancel()
        second = asyncio.create_task(pool.run("b"))
        await asyncio.to_thread((tmp_path / "pipe").write_bytes, b".")
        value = (await second).value
        pool.close()
        return value

    assert asyncio.run(run()) == "B"


def test_a_process_has_none_of_the_open_files_of_its_parent(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as file:
        number = file.fileno()
        found, _ = results(lambda word: Path(f"/proc/self/fd/{number}").exists(), ["a"])
    assert [it.value for it in found] == [False]


def test_processes_end_in_the_middle_of_their_work_when_their_parent_is_killed() -> None:
    script = """
import asyncio, os, signal, threading
from pathlib import Path
from topiccrawl.analysis.asyncpool import AsyncWorkPool

def work(word):
    os.write(1, b"begun ")
    return max(range(10**14))

async def run():
    pool = AsyncWorkPool(work, 2)
    tasks = [asyncio.create_task(pool.run("a")) for _ in range(2)]
    await asyncio.sleep(0.3)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(run())
"""
    # The output ends when the last process that has it does.
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=50, check=False
    )
    assert done.returncode == -signal.SIGKILL
