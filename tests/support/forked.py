"""Scrapy commands in processes that are forked from one that has imported everything.

A command of its own interpreter spends 2 to 3 seconds of CPU time on imports and tables.  Tests that
run many of them use these; what depends on a fresh interpreter (warnings at import, the hash seed)
uses :func:`tests.support.crawl_runs.scrapy` with ``fresh=True``.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.support.preloaded"])


class ForkedCommand:
    """A running ``scrapy`` command; *words* come after ``scrapy``.

    *file_limit* is the largest file that it may write, in bytes.
    """

    def __init__(
        self, words: Sequence[str], env: Mapping[str, str], *, file_limit: int | None = None
    ) -> None:
        self._words = list(words)
        self._folder = tempfile.TemporaryDirectory()
        self._out, self._err = Path(self._folder.name) / "out", Path(self._folder.name) / "err"
        arguments = (self._words, dict(env), str(self._out), str(self._err), file_limit)
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
        """Kill it and forget what it wrote."""
        if self.poll() is None:
            self._process.kill()
            self._process.join()
        self._folder.cleanup()

    def wait(self, timeout: float) -> subprocess.CompletedProcess[str]:
        """Wait for its end; raises ``TimeoutExpired``, having killed it, as ``subprocess.run`` does."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            self.kill()
            raise subprocess.TimeoutExpired(self._words, timeout)
        written = [path.read_text("utf-8") for path in (self._out, self._err)]
        self._folder.cleanup()
        return subprocess.CompletedProcess(self._words, code, *written)


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
    words: list[str], env: dict[str, str], out: str, err: str, file_limit: int | None
) -> None:
    """Become ``python -m scrapy`` in the forked process."""
    for path, target in ((out, 1), (err, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(file, target)
        os.close(file)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(ROOT)
    if file_limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))
    sys.argv = ["scrapy", *words]
    from scrapy.cmdline import execute

    execute()
