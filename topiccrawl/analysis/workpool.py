"""Worker processes that do independent tasks; the results have the order of the tasks.

Unlike ``concurrent.futures.ProcessPoolExecutor``, which breaks as a whole when a process dies, a pool
loses only the task that its process had: the result of that task names the reason, and a new process
takes the next one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import wait
from typing import Final, Generic, Self, TypeVar

from topiccrawl.analysis.workprocess import Result, WorkParent, WorkProcess

T = TypeVar("T")
R = TypeVar("R")

#: Results per process that wait for an earlier one, at most (a choice: some 1 MB of records).
_WAITING_RESULTS: Final = 100


class WorkPool(Generic[T, R]):
    """Processes that call a function for one task after the other; they start when they are needed.

    Where processes are forked (Linux), they share what the function has loaded before the ``with`` block, and it
    may be anything; elsewhere it must be picklable, as tasks and results always must.

    There are *jobs* processes, at least 1.  *seconds* of CPU time are for one task; 0: no limit, neither of CPU
    nor of real time.  *refusal* is the class of the errors that *work* raises for a task that it refuses: only
    their message counts.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        jobs: int,
        seconds: float = 0.0,
        refusal: type[Exception] | tuple[()] = (),
    ) -> None:
        self._parent = WorkParent(work, seconds, refusal)
        self._processes: list[WorkProcess[T, R]] = []
        for __ in range(max(1, jobs)):
            self._processes.append(WorkProcess(self._parent))
        self._patience = self._processes[0].patience

    def __enter__(self) -> Self:
        self._parent.prepare()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def map(self, tasks: Iterable[T]) -> Iterator[Result[R]]:
        """Yield the result of each task, in their order; one call at a time.

        Raises ``OSError`` if no process can be started.
        """
        waiting = enumerate(tasks)
        numbers: dict[WorkProcess[T, R], int] = {}
        done: dict[int, Result[R]] = {}
        turn = given = 0
        more = True
        while True:
            idle = [each for each in self._processes if each not in numbers]
            while more and idle and given - turn < _WAITING_RESULTS * len(self._processes):
                found = next(waiting, None)
                if found is None:
                    more = False
                else:
                    process = idle.pop(0)
                    numbers[process], task = found
                    given += 1
                    process.give(task)
            if not numbers:
                return
            for process in self._answering(list(numbers)):
                done[numbers.pop(process)] = process.result()
            while turn in done:
                yield done.pop(turn)
                turn += 1

    def close(self) -> None:
        """End the processes, whatever they do."""
        for each in self._processes:
            each.stop()
        self._parent.close()

    def _answering(self, busy: list[WorkProcess[T, R]]) -> list[WorkProcess[T, R]]:
        """Return the processes that have answered, have ended or are too late; waits for one of them."""
        left = None
        if self._patience is not None:
            left = max(0.0, min(each.since for each in busy) + self._patience - time.monotonic())
        ready = wait([each.connection for each in busy], left)
        found = [each for each in busy if each.connection in ready]
        return found or busy[:1]  # the first one was given its task before the others
