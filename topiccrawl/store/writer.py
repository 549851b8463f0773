"""Batched writing from a crawl into the store, with back-pressure.

``put`` returns when the record is durable: in the store, or on the disk in the spool.  Records that
arrive while a batch is being written form the next one, so that batches grow with the load.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from topiccrawl.backoff import JitteredBackoff
from topiccrawl.language import _, ngettext
from topiccrawl.store.delivery import Delivery, DeliveryCounts, WriteResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.store.contract import Store
    from topiccrawl.store.records import Record
    from topiccrawl.store.spool import Spool

logger = logging.getLogger(__name__)

#: Calls of ``put`` held in memory before ``put`` waits for room.  A guess: ten full batches.
BUFFER_PUTS: Final = 1000


@dataclass(slots=True, eq=False)
class _Entry:
    records: list[Record]
    done: asyncio.Future[WriteResult] | None


class StoreWriter:
    """Writes to *store* in batches of at most *batch_size* puts, or to *spool* while it is unavailable.

    A batch is written when it is full or *flush_seconds* after its first record, and at once after
    :meth:`hurry`.  The writer opens and closes store and spool.  Use it in one event loop, from any
    number of tasks.
    """

    def __init__(
        self,
        store: Store,
        spool: Spool,
        *,
        batch_size: int = 100,
        flush_seconds: float = 0.1,
        buffer_puts: int = BUFFER_PUTS,
        backoff: JitteredBackoff | None = None,
    ) -> None:
        if batch_size < 1 or buffer_puts < 1 or flush_seconds < 0:
            raise ValueError(
                "batch_size and buffer_puts must be >= 1 and flush_seconds >= 0, got "
                f"{batch_size}, {buffer_puts}, {flush_seconds}"
            )
        self.store = store
        self.spool = spool
        self.outcomes_lock = asyncio.Lock()
        """Held by what reads outcomes of the store and writes them back, from the one to the other."""
        self._batch_size = batch_size
        self._flush_seconds = flush_seconds
        self._delivery = Delivery(store, spool, backoff or JitteredBackoff())
        self._queue: deque[_Entry] = deque()
        self._room = asyncio.Semaphore(buffer_puts)
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    @property
    def topic(self) -> str:
        """Name of the topic whose records it writes."""
        return self.spool.topic

    @property
    def counts(self) -> DeliveryCounts:
        """Counters of the records so far; the same object, updated."""
        return self._delivery.counts

    @property
    def is_open(self) -> bool:
        """Whether records can be put: opened, and not closed yet."""
        return self._task is not None and not self._closing

    @property
    def away(self) -> bool:
        """Whether the store was unavailable at the last attempt."""
        return self._delivery.retry_at is not None

    @property
    def can_read(self) -> bool:
        """Whether the store is open, and answered at the last attempt."""
        return self.is_open and not self.away

    @property
    def unwritten(self) -> int:
        """Records that are accepted and not durable yet."""
        counts = self.counts
        durable = counts.written + counts.spooled + counts.rejected
        return max(0, counts.accepted - durable)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Open store and spool, and write to the store what an earlier run left in the spool.

        Raises:
            ConfigurationError: the store or the spool cannot be used.
        """
        await self.store.open()
        try:
            waiting = await asyncio.to_thread(self.spool.open)
            if waiting:
                await self._delivery.replay()
                logger.info(
                    ngettext(
                        "%(replayed)d record of an earlier run was waiting in %(path)s",
                        "%(replayed)d records of an earlier run were waiting in %(path)s",
                        self.counts.replayed,
                    ),
                    {"replayed": self.counts.replayed, "path": self.spool.folder},
                )
        except BaseException:
            await self._release()
            raise
        self._task = asyncio.create_task(self._run(), name="store-writer")

    async def put(self, *given: Record | None, wait: bool = True) -> WriteResult:
        """Write the records that are not ``None``; return the worst of their results once they are durable.

        With ``wait=False`` return ``BUFFERED`` as soon as there is room in memory; ``close`` makes
        the records durable at the latest.

        Raises:
            StoreUnavailable: the store is unavailable and the spool cannot be written: nothing is
                kept.
        """
        records = [record for record in given if record is not None]
        if not records:
            raise ValueError("put needs at least one record")
        await self._room.acquire()
        if not self.is_open:
            self._room.release()
            raise RuntimeError("the store writer is not open")
        done = asyncio.get_running_loop().create_future() if wait else None
        self._queue.append(_Entry(records, done))
        self.counts.accepted += len(records)
        self._wake.set()
        return WriteResult.BUFFERED if done is None else await done

    def hurry(self) -> None:
        """From now on, write what there is at once: so little is to come that batches would not fill."""
        self._flush_seconds = 0.0
        self._wake.set()

    async def close(self) -> None:
        """Make everything durable and release store and spool.  Closing twice does nothing.

        If the store is unavailable, one more attempt is made; what cannot be written stays in the
        spool, and its folder is logged.
        """
        if self._task is None or self._closing:
            return
        self._closing = True
        self._wake.set()
        try:
            await self._task
            if self.spool.waiting():
                self.counts.retries += 1
                await self._delivery.replay()
            if self.spool.waiting():
                logger.warning(
                    _(
                        "The store is unavailable: records wait in %(path)s, and the next run on this "
                        "topic and store writes them (%(spooled)d spooled, %(replayed)d written since)"
                    ),
                    {
                        "path": self.spool.folder,
                        "spooled": self.counts.spooled,
                        "replayed": self.counts.replayed,
                    },
                )
        finally:
            self._task = None
            await self._release()

    async def _release(self) -> None:
        self.spool.close()
        await self.store.close()

    async def _run(self) -> None:
        while entries := await self._next():
            try:
                await self._settle(entries)
            finally:
                for _ in entries:
                    self._room.release()

    async def _next(self) -> Sequence[_Entry]:
        """Wait for the next batch, retrying an unavailable store meanwhile; empty when all is done."""
        loop = asyncio.get_running_loop()
        waiting_since: float | None = None
        tried = False
        while not self._closing:
            now = loop.time()
            retry_at = self._delivery.retry_at
            if retry_at is not None and now >= retry_at and not (tried and self._queue):
                # Before a batch, because under load there is always a full one; but only once, so
                # that records reach the spool however long the attempts take.
                tried = True
                self.counts.retries += 1
                await self._delivery.replay()
                continue
            if self._queue and waiting_since is None:
                waiting_since = now
            flush_at = None if waiting_since is None else waiting_since + self._flush_seconds
            if len(self._queue) >= self._batch_size or (flush_at is not None and now >= flush_at):
                break
            self._wake.clear()
            next_moment = min((it for it in (flush_at, retry_at) if it is not None), default=None)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(next_moment):
                    await self._wake.wait()
        return [self._queue.popleft() for _ in range(min(len(self._queue), self._batch_size))]

    async def _settle(self, entries: Sequence[_Entry]) -> None:
        """Deliver *entries* and set the results of their futures, also when delivering fails."""
        records = [record for entry in entries for record in entry.records]
        try:
            results = iter(await self._delivery.deliver(records))
        except Exception as error:
            for entry in entries:
                if entry.done is None:
                    logger.error(_("A record is lost: %(error)s"), {"error": error})
                elif not entry.done.done():
                    entry.done.set_exception(error)
            return
        for entry in entries:
            worst = max(next(results) for _ in entry.records)
            if entry.done is not None and not entry.done.done():
                entry.done.set_result(worst)
