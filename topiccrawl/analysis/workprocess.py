"""One process of a :class:`~topiccrawl.analysis.workpool.WorkPool`."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, Literal, TypeVar

from topiccrawl.errors import described

__all__ = ["Result", "WorkProcess"]

T = TypeVar("T")
R = TypeVar("R")

#: Forked processes start in 10 ms; but Python forks on Linux only, because system libraries of macOS do not
#: survive it.
_START_METHOD: Final = "fork" if sys.platform == "linux" else "spawn"
#: Real seconds in which a process whose pipe has ended ends itself (a guess).
_END_SECONDS: Final = 5.0

#: What became of a task: ``refused`` if *work* refused it, ``failed`` for another error, ``timeout`` if it took
#: too long, ``crash`` if its process ended.
Fate = Literal["done", "refused", "failed", "timeout", "crash"]


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

    The parameters are those of :class:`~topiccrawl.analysis.workpool.WorkPool`; *siblings* are the
    processes of the same pool.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        seconds: float,
        refusal: type[Exception] | tuple[()],
        siblings: Iterable[WorkProcess[T, R]],
    ) -> None:
        self._arguments = (work, seconds, refusal)
        self._siblings = siblings
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self.since = 0.0
        """When it got its task, in seconds of the monotonic clock."""

    @property
    def connection(self) -> Connection:
        """The end of the pipe on which the result arrives."""
        assert self._connection is not None
        return self._connection

    def give(self, task: T) -> None:
        """Let the process do *task*; :meth:`result` waits for the result."""
        self.since = time.monotonic()
        for __ in range(2):
            if self._process is None or not self._process.is_alive():
                self.stop()
                self._start()
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

    def stop(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if self._connection is not None:
            self._connection.close()
            self._connection = None
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
        # A fork inherits the ends of all pipes; a pipe whose ends others hold does not end with its owner.
        inherited = []
        if _START_METHOD == "fork":
            inherited = [it.connection for it in (self, *self._siblings) if it._connection]
        self._process = context.Process(
            target=_serve, args=(other, inherited, *self._arguments), daemon=True
        )
        # Python ignores an interrupt in the middle of a fork, and a child that has not begun prints it.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        other.close()


def _serve(
    tasks: Connection,
    inherited: Iterable[Connection],
    work: Callable[[Any], Any],
    seconds: float,
    refusal: type[Exception] | tuple[()],
) -> None:
    """Do the tasks that come through a pipe until it ends."""
    # Ctrl-C is for the parent, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # The default action ends the process, without waiting for the interpreter.
    for number in (signal.SIGPROF, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    for each in inherited:
        each.close()
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = tasks.recv()
            signal.setitimer(signal.ITIMER_PROF, seconds)
            result = _done(task, work, refusal)
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            tasks.send(result)
    # Without the handlers that the parent has registered for its own end.
    os._exit(0)


def _done(
    task: Any, work: Callable[[Any], Any], refusal: type[Exception] | tuple[()]
) -> Result[Any]:
    try:
        return Result("done", work(task))
    except refusal as error:
        return Result("refused", detail=str(error))
    except Exception as error:
        return Result("failed", detail=described(error))
