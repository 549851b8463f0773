"""Marks of pages that the user deleted, so that no crawl fetches them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.steps import pieces
from topiccrawl.store.deletion.desk import forget_in_desk
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.ids import record_id

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store

#: Kind of the desk records.  Their keys are ids: a URL can name a person, too.
KIND: Final = "deleted"
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
    *,
    persons: Sequence[str] = (),
) -> int:
    """Delete pages of *topic* with all that is stored of them; return how many there were.

    What the desk has of them, or of *persons*, goes first: an interrupted call finds the pages again.  Each
    page is marked before: a crawl does not fetch it again unnoticed.  *tick* is called with the number of
    each piece.
    """
    deleted = 0
    if urls or persons:
        await forget_in_desk(store, topic, urls, persons)
    for piece in pieces(urls, _PIECE):
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


async def marked_ids(store: Store, topic: str) -> set[str]:
    """Return the ids of the deleted pages of *topic*, as :func:`~topiccrawl.store.ids.record_id` has them."""
    return {record.key async for record in store.desk(topic, KIND)}


async def allow_again(store: Store, topic: str, urls: Sequence[str]) -> int:
    """Remove the marks of *urls*, so that they may be fetched; return how many had one."""
    return await store.delete_desk(topic, KIND, [record_id(topic, url) for url in urls])
