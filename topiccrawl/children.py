"""Child processes that answer one request after the other, over pipes."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

#: Seconds between two checks whether the answer is still wanted (a choice).
_LOOK_SECONDS: Final = 0.5
#: Real seconds in which a process whose output has ended ends itself (a guess).
_END_SECONDS: Final = 5.0


def import_path() -> str:
    """Return the ``PYTHONPATH`` with which a child process finds the same packages as this one."""
    return os.pathsep.join(it or str(Path.cwd()) for it in sys.path)


def limit_memory(megabytes: int) -> None:
    """Allow this process *megabytes* more of address space than it has."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return  # not Linux
    limit = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


class Child:
    """A process that reads a line of JSON and a body, and answers with a line; started when needed.

    Parameters
    ----------
    command
        The command with its arguments.
    unwanted
        Returns whether no answer is wanted anymore.
    """

    def __init__(
        self, command: Sequence[str], unwanted: Callable[[], bool] = lambda: False
    ) -> None:
        self._command = command
        self._unwanted = unwanted
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, header: Mapping[str, object], body: bytes, seconds: float) -> bytes | None:
        """Return the line that answers a request, ``None`` without one.

        There is none when the process ends, when it takes longer than *seconds* of real time, and when
        the answer is not wanted anymore.  :attr:`process` is still there then, for its status.  Raises
        ``OSError`` if no process can be started.
        """
        line = json.dumps({**header, "length": len(body)}).encode() + b"\n"
        for __ in range(2):
            process = self._started()
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.write(line)
                process.stdin.write(body)
                process.stdin.flush()
                return self._answer(process, seconds)
            # It was ended from outside since the last request.
            self.stop()
        return None

    @property
    def status(self) -> int | None:
        """Status with which the process ended, ``None`` if it runs; waits a moment for its end."""
        if self.process is None:
            return None
        with contextlib.suppress(subprocess.TimeoutExpired):
            # Its output may have ended before it did.
            return self.process.wait(_END_SECONDS if self._silent() else 0.0)
        return None

    def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()

    def _silent(self) -> bool:
        """Whether the output of the process has ended."""
        assert self.process is not None
        assert self.process.stdout is not None
        ready = select.select([self.process.stdout], [], [], 0.0)[0]
        return bool(ready) and not self.process.stdout.peek(1)  # type: ignore[attr-defined]

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.stop()
            self.process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": import_path()},
            )
        return self.process

    def _answer(self, process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        assert process.stdout is not None
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._unwanted():
            if select.select([process.stdout], [], [], min(left, _LOOK_SECONDS))[0]:
                line = process.stdout.readline()
                return line if line.endswith(b"\n") else None
        return None
