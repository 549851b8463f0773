"""One process of a pool of worker processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, Literal, TypeVar

from topiccrawl.analysis.forkserver import ForkedProcess, ForkServer
from topiccrawl.children import limit_memory
from topiccrawl.errors import described

T = TypeVar("T")
R = TypeVar("R")

#: Forked processes share what is loaded; but Python forks on Linux only, because system libraries of macOS do not
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

    *parent* starts it.
    """

    def __init__(self, parent: WorkParent[T, R]) -> None:
        self._parent = parent
        self._process: BaseProcess | ForkedProcess | None = None
        self._connection: Connection | None = None
        seconds = parent.seconds
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

        Raises ``OSError`` if it cannot be started.
        """
        if self._process is None or not self._process.is_alive():
            self.stop()
            self._process, self._connection = self._parent.start()

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


class WorkParent(Generic[T, R]):
    """Starts the processes that call *work*.

    On Linux they are forks of a fork of this process as it is when the first of them starts, or at
    :meth:`prepare`: best before this process has threads.  Elsewhere each is a new interpreter.

    *seconds* and *refusal*: see :class:`~topiccrawl.analysis.workpool.WorkPool`.  A process may take so many
    *megabytes* beyond what it has when it starts; 0: no limit.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        seconds: float,
        refusal: type[Exception] | tuple[()] = (),
        megabytes: int = 0,
    ) -> None:
        self._main = partial(
            _serve, work=work, seconds=seconds, refusal=refusal, megabytes=megabytes
        )
        self._server = ForkServer(self._main) if _START_METHOD == "fork" else None
        self.seconds = seconds

    def prepare(self) -> None:
        """Fork this process as it is now, for all processes to come.

        Raises ``OSError`` if it cannot be forked.
        """
        if self._server is not None:
            self._server.start()

    def start(self) -> tuple[BaseProcess | ForkedProcess, Connection]:
        """Return a new process, and the pipe for its tasks and results.

        Raises ``OSError`` if it cannot be started.
        """
        if self._server is not None:
            return self._server.fork()
        ours, theirs = multiprocessing.Pipe()
        context: Any = multiprocessing.get_context(_START_METHOD)
        process: BaseProcess = context.Process(
            target=_serve_alone, args=(self._main, theirs), daemon=True
        )
        try:
            process.start()
        except (OSError, AssertionError) as error:
            # Daemonic processes of multiprocessing may not have children: an assertion.
            ours.close()
            raise OSError(str(error)) from error
        finally:
            theirs.close()
        return process, ours

    def close(self) -> None:
        """Release what starts processes, when all have ended."""
        if self._server is not None:
            self._server.close()


def _serve_alone(main: Callable[[Connection], None], tasks: Connection) -> None:
    """Be a process that is no fork."""
    # Ctrl-C is for the parent, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main(tasks)
    os._exit(0)


def _serve(
    tasks: Connection,
    *,
    work: Callable[[Any], Any],
    seconds: float,
    refusal: type[Exception] | tuple[()],
    megabytes: int,
) -> None:
    """Do the tasks that come through a pipe until it ends."""
    if megabytes:
        limit_memory(megabytes)
    with contextlib.suppress(EOFError, OSError):
        while True:
            task = tasks.recv()
            signal.setitimer(signal.ITIMER_PROF, seconds)
            result = _done(task, work, refusal)
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            tasks.send(result)


def _done(
    task: Any, work: Callable[[Any], Any], refusal: type[Exception] | tuple[()]
) -> Result[Any]:
    try:
        return Result("done", work(task))
    except refusal as error:
        return Result("refused", detail=str(error))
    except Exception as error:
        return Result("failed", detail=described(error))
