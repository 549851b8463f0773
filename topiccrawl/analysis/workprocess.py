"""One process of a pool of worker processes."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, Literal, TypeVar

from topiccrawl.children import limit_memory
from topiccrawl.errors import described

__all__ = ["LEAST_SECONDS", "PATIENCE", "Result", "WorkProcess"]

T = TypeVar("T")
R = TypeVar("R")

#: Forked processes start in 10 ms; but Python forks on Linux only, because system libraries of macOS do not
#: survive it.
_START_METHOD: Final = "fork" if sys.platform == "linux" else "spawn"
#: Real seconds in which a process whose pipe has ended ends itself (a guess).
_END_SECONDS: Final = 5.0
#: Real seconds per CPU second after which a task is given up: the machine may be busy, but a process that
#: waits for something that never comes uses no CPU (a guess, as for trials of large pages).
PATIENCE: Final = 20.0
#: Real seconds that a task may take in any case: a document has 38 of its own, in a further process.
LEAST_SECONDS: Final = 60.0
#: Seconds between two checks whether a result is still wanted (a choice).
_LOOK_SECONDS: Final = 0.2

#: What became of a task: ``refused`` if *work* refused it, ``failed`` for another error, ``timeout`` if it took
#: too long, ``crash`` if its process ended, ``unwanted`` if it was broken off.
Fate = Literal["done", "refused", "failed", "timeout", "crash", "unwanted"]


@dataclass(frozen=True, slots=True)
class Result(Generic[R]):
    """What became of one task."""

    fate: Fate
    value: R | None = None
    """What the function returned, if it is done."""
    detail: str = ""
    """Message of the error, or exit status of the process."""


class WorkProcess(Generic[T, R]):
    """A process that does one task at a time; started, also again, when it gets one.

    A forked process has none of the open files of its parent, and ends at once when the parent does.

    *seconds* and *refusal*: see :class:`~topiccrawl.analysis.workpool.WorkPool`.  The process may take so many
    *megabytes* beyond what it has when it starts; 0: no limit.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        seconds: float,
        refusal: type[Exception] | tuple[()],
        megabytes: int = 0,
    ) -> None:
        self._arguments = (work, seconds, refusal, megabytes)
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._life: int | None = None
        self.patience = max(LEAST_SECONDS, PATIENCE * seconds) if seconds > 0 else None
        """Real seconds for one task; ``None``: no limit."""
        self.since = 0.0
        """When it got its task, in seconds of the monotonic clock."""

    @property
    def connection(self) -> Connection:
        """The end of the pipe on which the result arrives."""
        assert self._connection is not None
        return self._connection

    @property
    def pid(self) -> int | None:
        """Id of the process, ``None`` if none was started."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the process unless it runs.

        Raises
        ------
        OSError
            If it cannot be started.
        """
        if self._process is None or not self._process.is_alive():
            self.stop()
            self._start()

    def do(self, task: T, unwanted: Callable[[], bool]) -> Result[R]:
        """Return what became of *task*; blocks, for use in a thread.

        *unwanted* returns whether the result is not wanted anymore; the process is ended then.
        """
        self.give(task)
        with contextlib.suppress(OSError):  # it has ended: the result shows how
            while not self.connection.poll(_LOOK_SECONDS):
                if unwanted():
                    self.stop()
                    return Result("unwanted")
                if self.patience is not None and time.monotonic() - self.since > self.patience:
                    break
        return self.result()

    def give(self, task: T) -> None:
        """Let the process do *task*; :meth:`result` waits for the result."""
        self.since = time.monotonic()
        for __ in range(2):
            self.start()
            # It may be ended from outside between two tasks; a second time the task is the reason.
            with contextlib.suppress(OSError):
                self.connection.send(task)
                return

    def result(self) -> Result[R]:
        """Return the result if it has arrived; else, end the process and return what it did."""
        try:
            if self.connection.poll():
                answer: Result[R] = self.connection.recv()
                return answer
        except (EOFError, OSError):
            return self._ended()
        self.stop()
        return Result("timeout")

    def kill(self) -> None:
        """End the process from another thread than that of :meth:`do`, which returns then."""
        process = self._process
        with contextlib.suppress(ValueError):  # it was closed meanwhile
            if process is not None:
                process.kill()

    def stop(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._life is not None:
            os.close(self._life)
            self._life = None
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def _ended(self) -> Result[R]:
        """Return what became of the task of a process that has ended."""
        assert self._process is not None
        self._process.join(_END_SECONDS)
        status = self._process.exitcode
        self.stop()
        if status == -signal.SIGPROF:
            return Result("timeout")
        return Result("crash", detail=str(status))

    def _start(self) -> None:
        context: Any = multiprocessing.get_context(_START_METHOD)
        self._connection, other = context.Pipe()
        life, self._life = os.pipe()
        process = self._process = context.Process(
            target=_serve,
            args=(other, life if _START_METHOD == "fork" else None, *self._arguments),
            daemon=True,
        )
        # Python ignores an interrupt in the middle of a fork, and a child that has not begun prints it.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            process.start()
        except (OSError, AssertionError) as error:
            # Daemonic processes of multiprocessing may not have children: an assertion.
            self._process = None
            self.stop()
            raise OSError(str(error)) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
            other.close()
            os.close(life)


def _serve(
    tasks: Connection,
    life: int | None,
    work: Callable[[Any], Any],
    seconds: float,
    refusal: type[Exception] | tuple[()],
    megabytes: int,
) -> None:
    """Do the tasks that come through a pipe until it ends.

    *life* is a pipe of a forked process on which nothing is sent: it ends with the parent.
    """
    # Ctrl-C is for the parent, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # The default action ends the process, without waiting for the interpreter.
    for number in (signal.SIGPROF, signal.SIGTERM, signal.SIGIO):
        signal.signal(number, signal.SIG_DFL)
    if life is not None:
        _leave_parent(tasks.fileno(), life)
    if megabytes:
        limit_memory(megabytes)
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = tasks.recv()
            signal.setitimer(signal.ITIMER_PROF, seconds)
            result = _done(task, work, refusal)
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            tasks.send(result)
    # Without the handlers that the parent has registered for its own end.
    os._exit(0)


def _leave_parent(tasks: int, life: int) -> None:
    """Close the files that a fork has inherited, and have it end when its parent does.

    Sockets, databases and locks that a fork holds would stay open after the end of its parent; and a pipe
    does not end with its owner while others hold its end.
    """
    # Not at module level: there is none on Windows.
    import fcntl

    low, high = sorted((tasks, life))
    os.closerange(3, low)
    os.closerange(low + 1, high)
    os.closerange(high + 1, os.sysconf("SC_OPEN_MAX"))
    # Nothing of the parent's is finalized here: a database would be closed a second time.
    gc.freeze()
    # SIGIO, whose default action ends the process also in C code, when the pipe ends (fcntl(2), F_SETOWN).
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life], [], [], 0.0)[0]:
        os._exit(0)  # it has ended before


def _done(
    task: Any, work: Callable[[Any], Any], refusal: type[Exception] | tuple[()]
) -> Result[Any]:
    try:
        return Result("done", work(task))
    except refusal as error:
        return Result("refused", detail=str(error))
    except Exception as error:
        return Result("failed", detail=described(error))
