"""An event loop in a thread of its own: blocking calls of asynchronous code, also inside a notebook.

A notebook runs an event loop already, in which ``asyncio.run`` refuses to work.
"""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, Final, TypeVar

from topiccrawl.language import _

T = TypeVar("T")

#: Records that are fetched from the loop's thread at a time: one change of threads costs some 50 µs,
#: as much as reading a page (a guess).
_BATCH: Final = 100


class BackgroundLoop:
    """A running event loop; it ends with :meth:`close`, or when nobody refers to it any longer."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=_run, args=(self._loop,), name="topiccrawl-store", daemon=True
        )
        self._thread.start()
        self._end = weakref.finalize(self, _stop, self._loop)

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run *coroutine* in the loop and return its result; an interrupt cancels it.

        Raises ``ValueError`` if the loop was closed.
        """
        if not self._end.alive:
            coroutine.close()
            raise ValueError(_("the store is closed"))
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, records: AsyncIterator[T]) -> Iterator[T]:
        """Yield what *records* yields; it is closed when the caller stops."""
        try:
            while batch := self.call(_next(records)):
                yield from batch
        finally:
            if self._end.alive and (close := getattr(records, "aclose", None)) is not None:
                self.call(close())

    def close(self) -> None:
        """End the loop and its thread; a second call does nothing."""
        self._end()
        if threading.current_thread() is not self._thread:
            self._thread.join()


async def _next(records: AsyncIterator[T]) -> list[T]:
    batch: list[T] = []
    async for record in records:
        batch.append(record)
        if len(batch) == _BATCH:
            break
    return batch


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def _stop(loop: asyncio.AbstractEventLoop) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)
