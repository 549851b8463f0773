"""The process that forks workers: what other threads hold when a worker starts, and its own end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.support.waiting import wait_until
from topiccrawl.analysis.asyncpool import AsyncWorkPool
from topiccrawl.analysis.forkserver import ForkServer
from topiccrawl.analysis.workpool import WorkPool
from topiccrawl.analysis.workprocess import Result

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that waits for a lock for ever is given up after 20 seconds."""
    monkeypatch.setattr("topiccrawl.analysis.workprocess.LEAST_SECONDS", 0.0)


def test_a_process_starts_while_a_lock_is_held_that_its_work_takes() -> None:
    lock = threading.Lock()

    def work(word: str) -> str:
        with lock:
            return word.upper()

    with WorkPool(work, jobs=1, seconds=1.0) as pool, lock:
        assert list(pool.map(["a"])) == [Result("done", "A")]


def test_a_process_is_replaced_while_a_thread_imports_what_its_work_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "imported_slowly.py").write_text(f"""
import os
from pathlib import Path
if os.getpid() == {os.getpid()}:
    Path({str(tmp_path / "pipe")!r}).read_bytes()
""")

    def work(word: str) -> str:
        if word == "import":
            __import__("imported_slowly")
        return word.upper()

    async def run() -> list[Result[str]]:
        pool = AsyncWorkPool(work, 1, seconds=1.0)
        pool.start()
        importing = threading.Thread(target=work, args=["import"])
        importing.start()
        with (tmp_path / "pipe").open("w"):  # opens when the import waits for it
            os.kill(pool.pids[0], signal.SIGKILL)
            found = [await pool.run(word) for word in ("import", "b")]
        importing.join()
        pool.close()
        return found

    assert asyncio.run(run()) == [Result("done", "IMPORT"), Result("done", "B")]


def test_processes_that_start_in_several_threads_at_once_all_do() -> None:
    async def run() -> list[Result[str]]:
        pool = AsyncWorkPool(str.upper, 8)
        found = await asyncio.gather(*map(pool.run, "abcdefgh"))
        pool.close()
        return found

    assert [it.value for it in asyncio.run(run())] == list("ABCDEFGH")


def test_python_does_not_warn_of_the_threads_of_a_program_that_starts_processes() -> None:
    waits = threading.Event()
    thread = threading.Thread(target=waits.wait)
    thread.start()
    with warnings.catch_warnings(record=True) as caught, WorkPool(str.upper, jobs=2) as pool:
        warnings.simplefilter("always")
        assert [it.value for it in pool.map("abc")] == ["A", "B", "C"]
    waits.set()
    thread.join()
    assert [it for it in caught if "fork" in str(it.message)] == []


def echo(tasks: Connection) -> None:
    while True:
        tasks.send(tasks.recv())


@pytest.fixture(name="server")
def _server() -> Iterator[ForkServer]:
    server = ForkServer(echo)
    yield server
    server.close()


def only_child(known: set[int]) -> int:
    """The id of the process that was started since."""
    (found,) = children() - known
    return found


def children() -> set[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(it) for task in tasks for it in task.read_text().split()}


def test_the_end_of_the_server_leaves_its_workers_and_is_an_error_for_the_next_one(
    server: ForkServer,
) -> None:
    known = children()
    process, tasks = server.fork()
    pid = only_child(known)
    os.kill(pid, signal.SIGKILL)
    process.join()
    tasks.send("a")
    assert tasks.recv() == "a"
    with pytest.raises(OSError, match="server"):
        server.fork()
    process.close()
    wait_until(lambda: not Path(f"/proc/{process.pid}").exists())


@pytest.mark.parametrize("end", [lambda it: it.kill(), lambda it: os.kill(it.pid, signal.SIGTERM)])
def test_the_status_of_a_worker_is_the_signal_that_ended_it(
    server: ForkServer, end: Callable[..., None]
) -> None:
    process, _tasks = server.fork()
    other, _others = server.fork()
    assert process.is_alive()
    end(process)
    process.join()
    assert process.exitcode in (-signal.SIGKILL, -signal.SIGTERM)
    assert not process.is_alive()
    process.kill()  # does nothing to whoever has its id now
    assert other.is_alive()
    for it in (process, other):
        it.close()


def test_a_worker_that_cannot_be_forked_is_an_error_and_the_next_one_can(
    server: ForkServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fork = os.fork

    def refuse() -> int:
        if (tmp_path / "refuse").exists():
            raise BlockingIOError(11, "Resource temporarily unavailable")
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    server.start()
    (tmp_path / "refuse").touch()
    with pytest.raises(OSError, match="temporarily unavailable"):
        server.fork()
    (tmp_path / "refuse").unlink()
    process, _tasks = server.fork()
    assert process.is_alive()
    process.kill()
    process.join()
    process.close()


def test_the_server_has_no_signal_handlers_of_a_reactor(capfd: pytest.CaptureFixture[str]) -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    handler = signal.signal(signal.SIGCHLD, lambda *args: None)
    wakeup = signal.set_wakeup_fd(theirs.fileno())
    server = ForkServer(lambda tasks: None)
    try:
        worker, tasks = server.fork()
        worker.join(20.0)
        assert worker.exitcode == 0
    finally:
        server.close()
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGCHLD, handler)
    for each in (worker, tasks, ours, theirs):
        each.close()
    assert capfd.readouterr().err == ""
