"""Delivery of a batch to the store, or to the spool while the store is unavailable.

A record that the store refuses is set aside with the reason.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.backoff import JitteredBackoff
from topiccrawl.errors import described, system_reason
from topiccrawl.language import _, ngettext
from topiccrawl.store.contract import PageRecord, Store, StoreUnavailable
from topiccrawl.store.records import Record, record_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from topiccrawl.store.spool import Spool

logger = logging.getLogger(__name__)

#: Records written from the spool to the store at a time.
REPLAY_BATCH: Final = 200


class WriteResult(IntEnum):
    """Place of a written record; of several records the largest value is the worst."""

    BUFFERED = 0
    """In memory: the writer was not asked to wait."""
    STORED = 1
    """Durable in the store."""
    SPOOLED = 2
    """Durable in the spool, because the store is unavailable."""
    REJECTED = 3
    """Refused by the store for its content, and set aside in the spool's ``rejected.jsonl``."""


@dataclass(slots=True)
class DeliveryCounts:
    """Counters of records.

    Every accepted record is written, spooled or rejected, and every spooled one is replayed or
    rejected sooner or later, by this run or the next: while nothing was rejected from the spool,
    ``accepted = written + spooled + rejected``.
    """

    accepted: int = 0
    """Records passed to the writer."""
    written: int = 0
    """Written to the store directly."""
    spooled: int = 0
    """Put into the spool because the store was unavailable."""
    replayed: int = 0
    """Written to the store from the spool, those of earlier runs included."""
    rejected: int = 0
    """Refused by the store for their content, directly or from the spool."""
    batches: int = 0
    """Writes that the store confirmed."""
    retries: int = 0
    """Attempts to reach an unavailable store."""


class Delivery:
    """Delivers batches to *store*, or to *spool* while the store is unavailable.

    Records are written in the order of their arrival.  While anything waits in the spool, new
    records are appended to it, so that an old outcome never replaces a newer one.
    """

    def __init__(self, store: Store, spool: Spool, backoff: JitteredBackoff) -> None:
        self.counts = DeliveryCounts()
        #: When to try the store again, in the event loop's time; ``None`` while it is available.
        self.retry_at: float | None = None
        self._store = store
        self._spool = spool
        self._backoff = backoff

    async def deliver(self, records: Sequence[Record]) -> list[WriteResult]:
        """Make *records* durable and return the result for each of them.

        Raises:
            StoreUnavailable: the store is unavailable, and the spool cannot be written either.
            OSError: a record was refused, and cannot be set aside either.
        """
        results: dict[int, WriteResult] = {}
        if not self._spool.waiting():
            try:
                await self._write(records, range(len(records)), results)
            except StoreUnavailable as error:
                self._mark_unavailable(error)
            else:
                self._mark_available()
        left = [index for index in range(len(records)) if index not in results]
        if left:
            await self._keep(records, left, results)
        found = list(results.values())
        self.counts.written += found.count(WriteResult.STORED)
        self.counts.rejected += found.count(WriteResult.REJECTED)
        return [results[index] for index in range(len(records))]

    async def replay(self) -> None:
        """Write the spool to the store; if that is still unavailable, set the time to try again."""
        try:
            for segment in self._spool.segments():
                await self._replay_segment(segment)
        except StoreUnavailable as error:
            self._mark_unavailable(error)
        except OSError as error:
            logger.error(_("The spool cannot be read or removed: %(error)s"), {"error": error})
            self._mark_unavailable(StoreUnavailable(str(error)))
        else:
            self._mark_available()

    async def _replay_segment(self, segment: Path) -> None:
        batches = self._spool.read(segment, REPLAY_BATCH)
        found: list[WriteResult] = []
        while batch := await asyncio.to_thread(_next_batch, batches):
            results: dict[int, WriteResult] = {}
            # Pages stored meanwhile were not compared with those in the spool.
            batch = [replace(it, compared=0) if isinstance(it, PageRecord) else it for it in batch]
            await self._write(batch, range(len(batch)), results)
            found += results.values()
        await asyncio.to_thread(self._spool.remove, segment)
        # Not before: a replay that breaks off begins with the segment again.
        self.counts.replayed += found.count(WriteResult.STORED)
        self.counts.rejected += found.count(WriteResult.REJECTED)

    async def _write(
        self, records: Sequence[Record], indexes: Sequence[int], results: dict[int, WriteResult]
    ) -> None:
        """Write the records at *indexes*; halve the batch until a refused record stands alone."""
        chosen = [records[index] for index in indexes]
        # Only the kinds that there are: a store of another project may lack those that were added later.
        kinds: dict[str, list[Any]] = {}
        for record in chosen:
            kinds.setdefault(record_type(record).name, []).append(record)
        try:
            await self._store.write(**kinds)
        except StoreUnavailable:
            raise
        except Exception as error:
            if len(indexes) == 1:
                await self._set_aside(chosen[0], error)
                results[indexes[0]] = WriteResult.REJECTED
                return
            middle = len(indexes) // 2
            await self._write(records, indexes[:middle], results)
            await self._write(records, indexes[middle:], results)
        else:
            self.counts.batches += 1
            results.update(dict.fromkeys(indexes, WriteResult.STORED))

    async def _keep(
        self, records: Sequence[Record], indexes: Sequence[int], results: dict[int, WriteResult]
    ) -> None:
        """Spool the records at *indexes*; a record that cannot be encoded is set aside."""
        try:
            await asyncio.to_thread(self._spool.append, [records[index] for index in indexes])
        except OSError as error:
            raise StoreUnavailable(
                _(
                    "the store is unavailable, and the spool {folder} cannot be written: {error}"
                ).format(folder=self._spool.folder, error=system_reason(error))
            ) from error
        except (ValueError, TypeError, AttributeError) as error:
            if len(indexes) == 1:
                await self._set_aside(records[indexes[0]], error)
                results[indexes[0]] = WriteResult.REJECTED
                return
            for index in indexes:
                await self._keep(records, [index], results)
        else:
            self.counts.spooled += len(indexes)
            results.update(dict.fromkeys(indexes, WriteResult.SPOOLED))

    async def _set_aside(self, record: Record, error: Exception) -> None:
        reason = described(error)
        await asyncio.to_thread(self._spool.reject, record, reason)
        logger.error(
            _("The store refuses a record of %(where)s; it is in %(path)s: %(reason)s"),
            {
                "where": getattr(record, "url", None) or getattr(record, "id", "?"),
                "path": self._spool.rejected_path,
                "reason": reason,
            },
        )

    def _mark_unavailable(self, error: StoreUnavailable) -> None:
        wait = self._backoff.next_seconds()
        if self.retry_at is None:
            logger.warning(
                _("The store is unavailable; records wait in %(path)s until it is back: %(error)s"),
                {"path": self._spool.folder, "error": error},
            )
        self.retry_at = asyncio.get_running_loop().time() + wait

    def _mark_available(self) -> None:
        self._backoff.reset()
        if self.retry_at is not None:
            self.retry_at = None
            logger.info(
                ngettext(
                    "The store is back; %(replayed)d record was written from the spool so far",
                    "The store is back; %(replayed)d records were written from the spool so far",
                    self.counts.replayed,
                ),
                {"replayed": self.counts.replayed},
            )


def _next_batch(batches: Iterator[list[Record]]) -> list[Record] | None:
    return next(batches, None)
