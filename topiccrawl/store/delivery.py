"""Getting a batch to where it is durable: the store, else the spool, else set aside with a reason."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.backoff import JitteredBackoff
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from topiccrawl.store.contract import Store
    from topiccrawl.store.documents import Record
    from topiccrawl.store.spool import Spool

logger = logging.getLogger(__name__)

#: Where a record went.  ``rejected``: the store refuses it for what it holds, and it lies in the
#: spool's ``rejected.jsonl``.
WriteResult = Literal["stored", "spooled", "rejected"]

#: Records written back from the spool at a time.
REPLAY_BATCH: Final = 200


@dataclass(slots=True)
class DeliveryCounts:
    """What has happened to records so far.

    Every accepted record is written, spooled or rejected, and every spooled one is replayed or
    rejected sooner or later, by this run or the next: while nothing was rejected from the spool,
    ``accepted = written + spooled + rejected``.
    """

    accepted: int = 0
    """Records given to the writer."""
    written: int = 0
    """Written to the store directly."""
    spooled: int = 0
    """Put into the spool because the store was away."""
    replayed: int = 0
    """Written to the store from the spool, those of earlier runs included."""
    rejected: int = 0
    """Refused by the store for what they hold, directly or from the spool."""
    batches: int = 0
    """Writes that the store confirmed."""
    retries: int = 0
    """Attempts to reach a store that was away."""


class Delivery:
    """Delivers batches to *store*, or to *spool* while it is away.

    Order: what came first is written first.  While anything waits in the spool, new records queue
    up behind it there; an old outcome therefore never replaces a newer one.
    """

    def __init__(self, store: Store, spool: Spool, backoff: JitteredBackoff) -> None:
        self.counts = DeliveryCounts()
        #: When to try the store again, in the event loop's time; ``None`` while it is there.
        self.retry_at: float | None = None
        self._store = store
        self._spool = spool
        self._backoff = backoff

    async def deliver(self, records: Sequence[Record]) -> list[WriteResult]:
        """Make *records* durable and return where each of them went.

        Raises:
            StoreUnavailable: the store is away, and the spool cannot be written either.
            OSError: a record was refused, and cannot be set aside either.
        """
        fates: dict[int, WriteResult] = {}
        if not self._spool.waiting():
            try:
                await self._write(records, range(len(records)), fates)
            except StoreUnavailable as error:
                self._gone(error)
            else:
                self._back()
        left = [index for index in range(len(records)) if index not in fates]
        if left:
            await self._keep(records, left, fates)
        self.counts.written += sum(fate == "stored" for fate in fates.values())
        return [fates[index] for index in range(len(records))]

    async def replay(self) -> None:
        """Write what waits in the spool; if the store is still away, set the time to try again."""
        try:
            for segment in self._spool.segments():
                await self._replay_segment(segment)
        except StoreUnavailable as error:
            self._gone(error)
        except OSError as error:
            logger.error("The spool cannot be read or removed: %(error)s", {"error": error})
            self._gone(StoreUnavailable(str(error)))
        else:
            self._back()

    async def _replay_segment(self, segment: Path) -> None:
        batches = self._spool.read(segment, REPLAY_BATCH)
        while batch := await asyncio.to_thread(_following, batches):
            fates: dict[int, WriteResult] = {}
            await self._write(batch, range(len(batch)), fates)
            self.counts.replayed += sum(fate == "stored" for fate in fates.values())
        await asyncio.to_thread(self._spool.remove, segment)

    async def _write(
        self, records: Sequence[Record], indexes: Sequence[int], fates: dict[int, WriteResult]
    ) -> None:
        """Write the records at *indexes*; halve the batch until a refused record stands alone."""
        chosen = [records[index] for index in indexes]
        try:
            await self._store.write(
                pages=[record for record in chosen if isinstance(record, PageRecord)],
                outcomes=[record for record in chosen if isinstance(record, OutcomeRecord)],
                runs=[record for record in chosen if isinstance(record, RunRecord)],
            )
        except StoreUnavailable:
            raise
        except Exception as error:
            if len(indexes) == 1:
                await self._set_aside(chosen[0], error)
                fates[indexes[0]] = "rejected"
                return
            middle = len(indexes) // 2
            await self._write(records, indexes[:middle], fates)
            await self._write(records, indexes[middle:], fates)
        else:
            self.counts.batches += 1
            fates.update(dict.fromkeys(indexes, "stored"))

    async def _keep(
        self, records: Sequence[Record], indexes: Sequence[int], fates: dict[int, WriteResult]
    ) -> None:
        """Spool the records at *indexes*; one that cannot even be written down is set aside."""
        try:
            await asyncio.to_thread(self._spool.append, [records[index] for index in indexes])
        except OSError as error:
            raise StoreUnavailable(
                f"the store is away, and the spool {self._spool.folder} cannot be written: {error}"
            ) from error
        except (ValueError, TypeError, AttributeError) as error:
            if len(indexes) == 1:
                await self._set_aside(records[indexes[0]], error)
                fates[indexes[0]] = "rejected"
                return
            for index in indexes:
                await self._keep(records, [index], fates)
        else:
            self.counts.spooled += len(indexes)
            fates.update(dict.fromkeys(indexes, "spooled"))

    async def _set_aside(self, record: Record, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        await asyncio.to_thread(self._spool.reject, record, reason)
        self.counts.rejected += 1
        logger.error(
            "The store refuses a record of %(where)s; it is in %(path)s: %(reason)s",
            {
                "where": getattr(record, "url", None) or getattr(record, "id", "?"),
                "path": self._spool.rejected_path,
                "reason": reason,
            },
        )

    def _gone(self, error: StoreUnavailable) -> None:
        wait = self._backoff.next_seconds()
        if self.retry_at is None:
            logger.warning(
                "The store is away; records wait in %(path)s until it is back: %(error)s",
                {"path": self._spool.folder, "error": error},
            )
        self.retry_at = asyncio.get_running_loop().time() + wait

    def _back(self) -> None:
        self._backoff.reset()
        if self.retry_at is not None:
            self.retry_at = None
            logger.info(
                "The store is back; %(replayed)d records were written from the spool so far",
                {"replayed": self.counts.replayed},
            )


def _following(batches: Iterator[list[Record]]) -> list[Record] | None:
    return next(batches, None)
