"""Scrapy commands in processes that are forked from one that has imported everything.

A command of its own interpreter spends 2 to 3 seconds of CPU time on imports and tables.  Tests that
run many of them use these; what depends on a fresh interpreter (warnings at import, the hash seed)
uses :func:`tests.support.crawl_runs.scrapy` with ``fresh=True``.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.support.preloaded"])


class ForkedCommand:
    """A running ``scrapy`` command, with the methods of ``Popen``; *words* come after ``scrapy``.

    Its output goes to *log* if there is one, else :meth:`result` returns it.  *file_limit* is the
    largest file that it may write, in bytes.  With *ordinary*, permissions of files count though the
    tests run as root.
    """

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        *,
        cwd: Path = ROOT,
        log: Path | None = None,
        file_limit: int | None = None,
        ordinary: bool = False,
    ) -> None:
        self._words = list(words)
        folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._output = [log, log] if log else [folder / "out", folder / "err"]
        output = [str(path) for path in self._output]
        arguments = (self._words, dict(env), str(cwd), output, file_limit, ordinary)
        self._process = _CONTEXT.Process(target=_execute, args=arguments)
        # The server that forks is started here at the first time, and imports what is in ROOT.
        with contextlib.chdir(ROOT):
            self._process.start()
        _note_server(self.pid)

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, ``None`` while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it unless it has ended."""
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return the exit code; raises ``subprocess.TimeoutExpired``."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self._words, timeout or 0.0)
        return code

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> None:
        """Wait until *condition* holds; it must, before the process or the *timeout* ends."""
        limit = time.monotonic() + timeout
        while not condition():
            assert self.poll() is None, "the command ended before what was waited for"
            assert time.monotonic() < limit, "what was waited for does not happen"
            time.sleep(0.02)

    def result(self, timeout: float) -> subprocess.CompletedProcess[str]:
        """Wait for its end, as ``subprocess.run`` does, and return what it wrote."""
        try:
            code = self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        written = [path.read_text("utf-8") for path in self._output]
        return subprocess.CompletedProcess(self._words, code, *written)


def start_logged(words: Sequence[str], env: Mapping[str, str], log: Path) -> ForkedCommand:
    """Start a command whose output is appended to *log*."""
    return ForkedCommand(words, env, log=log)


def cpu_seconds() -> float:
    """Return the CPU seconds of the server and of all commands that have ended."""
    if not _servers:
        return 0.0
    fields = Path(f"/proc/{_servers[0]}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


_servers: list[int] = []


def _note_server(command: int) -> None:
    if not _servers:
        with contextlib.suppress(FileNotFoundError):
            stat = Path(f"/proc/{command}/stat").read_text()
            _servers.append(int(stat.rpartition(")")[2].split()[1]))


def _execute(
    words: list[str],
    env: dict[str, str],
    cwd: str,
    output: list[str],
    file_limit: int | None,
    ordinary: bool,
) -> None:
    """Become ``python -m scrapy`` in the forked process."""
    for path, target in zip(output, (1, 2), strict=True):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, target)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    if file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
    if ordinary and sys.platform == "linux":
        _give_up_privileges()
    sys.argv = ["scrapy", *words]
    sys.path.insert(0, cwd)
    from scrapy.cmdline import execute

    execute()


#: Version 3 of the structures of capset(2), and the capabilities that pass over permissions of files:
#: CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH and CAP_FOWNER.
_VERSION, _PRIVILEGES = 0x20080522, 1 << 1 | 1 << 2 | 1 << 3


def _give_up_privileges() -> None:
    """Give up root's right to read and write all files; nothing happens to another user."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, sets = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(header, sets) == 0
    for place in range(3):  # effective, permitted, inheritable
        sets[place] &= ~_PRIVILEGES
    assert libc.capset(header, sets) == 0
