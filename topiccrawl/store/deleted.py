"""Marks of pages that the user deleted, so that no crawl fetches them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.ids import record_id

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store

__all__ = [
    "EVENT_TABLE",
    "EVENT_TABLE_PART",
    "KIND",
    "Reason",
    "allow_again",
    "delete_marked",
    "marked_ids",
]

#: Kind of the desk records.  Their keys are ids: a URL can name a person, too.
KIND: Final = "deleted"
#: Kinds of the desk records with the table of events: it quotes pages, and is computed anew without them.
EVENT_TABLE: Final = "event-table"
EVENT_TABLE_PART: Final = "event-table-part"
#: Pages deleted in one transaction (a choice: other writers wait meanwhile).
_PIECE: Final = 200

#: Why a page was deleted.
Reason = Literal["request", "retention"]


async def delete_marked(
    store: Store,
    topic: str,
    urls: Sequence[str],
    reason: Reason,
    now: datetime,
    tick: Callable[[int], None] = lambda count: None,
) -> int:
    """Delete pages of *topic* with all that is stored of them; return how many there were.

    Each is marked before: an interrupted call leaves no page that a crawl could fetch again unnoticed.
    *tick* is called with the number of each piece.  The table of events, which quotes pages, is deleted, too.
    """
    if urls:
        await _delete_events(store, topic)
    deleted = 0
    for piece in _pieces(urls):
        marks = [
            DeskRecord(
                topic=topic, kind=KIND, key=record_id(topic, url), at=now, value={"why": reason}
            )
            for url in piece
        ]
        await store.write(desk=marks)
        deleted += await store.delete_pages(topic, piece)
        tick(len(piece))
    return deleted


async def _delete_events(store: Store, topic: str) -> None:
    """Delete the table of events of *topic*, first the record without which no part is read."""
    for kind in (EVENT_TABLE, EVENT_TABLE_PART):
        keys = [record.key async for record in store.desk(topic, kind)]
        if keys:
            await store.delete_desk(topic, kind, keys)


async def marked_ids(store: Store, topic: str) -> set[str]:
    """Return the ids of the deleted pages of *topic*, as :func:`~topiccrawl.store.ids.record_id` has them."""
    return {record.key async for record in store.desk(topic, KIND)}


async def allow_again(store: Store, topic: str, urls: Sequence[str]) -> int:
    """Remove the marks of *urls*, so that they may be fetched; return how many had one."""
    return await store.delete_desk(topic, KIND, [record_id(topic, url) for url in urls])


def _pieces(urls: Sequence[str]) -> list[Sequence[str]]:
    return [urls[at : at + _PIECE] for at in range(0, len(urls), _PIECE)]
