"""Worker processes for an event loop that never waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from topiccrawl.analysis.workprocess import Result, WorkParent, WorkProcess

T = TypeVar("T")
R = TypeVar("R")


class AsyncWorkPool(Generic[T, R]):
    """Processes that call a function for one task after the other, for an event loop.

    A task whose process ends is given to a new process, once.  A thread for each process sends its tasks and
    receives the results.

    *jobs* and *seconds*: see :class:`~topiccrawl.analysis.workpool.WorkPool`.  A process may take so many
    *megabytes* beyond what it has when it starts; 0: no limit.  *replaced* is called when a process has ended
    before its task was done.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        jobs: int,
        seconds: float = 0.0,
        *,
        megabytes: int = 0,
        replaced: Callable[[], object] = lambda: None,
    ) -> None:
        self._parent = WorkParent(work, seconds, megabytes=megabytes)
        self._idle = [WorkProcess(self._parent) for _ in range(max(1, jobs))]
        self._processes = tuple(self._idle)
        self._free = asyncio.Semaphore(len(self._idle))
        self._threads = ThreadPoolExecutor(len(self._idle), thread_name_prefix="workpool")
        self._replaced = replaced
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """Ids of the processes that were started."""
        return [each.pid for each in self._processes if each.pid is not None]

    def start(self) -> None:
        """Start all processes, best before there are threads; without it they start with their first task.

        Raises ``OSError`` if one cannot be started.
        """
        for each in self._processes:
            each.start()

    async def run(self, task: T, unwanted: Callable[[], bool] = lambda: False) -> Result[R]:
        """Return what became of *task*; tasks begin in the order of the calls.

        *unwanted* returns whether its result is not wanted anymore. Raises ``OSError`` if no process can be
        started.
        """
        # A caller that is canceled must not leave a process behind that others take for idle.
        return await asyncio.shield(asyncio.ensure_future(self._run(task, unwanted)))

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        for each in self._processes:
            each.kill()
        self._threads.shutdown()
        for each in self._processes:
            each.stop()
        self._parent.close()

    async def _run(self, task: T, unwanted: Callable[[], bool]) -> Result[R]:
        def ended() -> bool:
            return self._closed or unwanted()

        async with self._free:
            if ended():
                return Result("unwanted")
            process = self._idle.pop()
            do, loop = process.do, asyncio.get_running_loop()
            try:
                result = await loop.run_in_executor(self._threads, do, task, ended)
                if result.fate == "crash" and not ended():
                    self._replaced()
                    result = await loop.run_in_executor(self._threads, do, task, ended)
                return result
            finally:
                self._idle.append(process)
