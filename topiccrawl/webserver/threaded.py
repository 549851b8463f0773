"""Run an asyncio server in a thread, for tests and commands that are not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from typing import Self


class ThreadedServer(ABC):
    """Context manager that serves in a daemon thread while it is entered.

    Subclasses implement :meth:`_serve`.  What it raises before the server is ready is raised by
    ``with``.

    Parameters
    ----------
    name
        Name of the thread.
    """

    def __init__(self, name: str) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error
        return self

    def __exit__(self, *error: object) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @abstractmethod
    async def _serve(self) -> None:
        """Open the server, wait for :meth:`_until_stopped`, and close it."""

    async def _until_stopped(self) -> None:
        """Signal that the server is ready, and return when the context is left."""
        self._ready.set()
        await self._stop.wait()

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._serve()
