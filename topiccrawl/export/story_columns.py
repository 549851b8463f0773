"""Columns of an export that need more than the page: its story's copies, its event, its attachments.

``scrapy export`` has them beside the fields of a page (:data:`~topiccrawl.store.columns.COLUMNS`); feeds,
which write a page before its copies are known, do not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final

from topiccrawl.reporting.stories import read_events
from topiccrawl.store.columns import COLUMNS, Column
from topiccrawl.store.contract import Store
from topiccrawl.store.records import PageRecord


def _unbound(page: PageRecord) -> None:
    """Return nothing: :func:`bound` gives the column its values."""


_COPIES: Final = Column(109, "copies", _unbound, "副本数", "copies")
_EVENT: Final = Column(110, "event", _unbound, "事件编号", "event")
_ATTACHMENTS: Final = Column(326, "attachments", _unbound, "附件", "attachments")

#: Columns of an export by name, in order.
EXPORT_COLUMNS: Final[Mapping[str, Column]] = {
    column.name: column
    for column in sorted(
        [*COLUMNS.values(), _COPIES, _EVENT, _ATTACHMENTS], key=lambda it: it.position
    )
}
#: Columns that an export has only when they are named: grouping the stories into events reads all of
#: them and takes some 9 ms each (1,579 planted stories, 2026-11-22); attachments read all pages once more.
ON_REQUEST: Final = frozenset({"event", "attachments", "markdown", "main_image", "comment_records"})


async def bound(
    columns: Sequence[Column],
    store: Store,
    topic: str,
    tick: Callable[[], None] = lambda: None,
) -> list[Column]:
    """Return *columns* with the values of those that are read from the store, if they are among them.

    ``copies`` is the number of copies of the page's story, the same for all its members.  ``event`` is the
    number that ``scrapy stories --events`` prints, for a copy that of its original; ``None`` for a page that
    is not kept.  ``attachments`` are the URLs of the kept documents that the page links.  *tick* is called
    for each story that is read for the events.
    """
    names = {column.name for column in columns}
    reads: dict[str, Callable[[PageRecord], Any]] = {}
    if _COPIES.name in names:
        copies = await store.copies(topic)
        reads[_COPIES.name] = lambda page: copies.get(page.story, 0)
    if _EVENT.name in names:
        events, urls = await read_events(store, topic, tick)
        numbers = {urls[story]: event.number for event in events for story in event.stories}
        reads[_EVENT.name] = lambda page: numbers.get(page.copy_of or page.url)
    if _ATTACHMENTS.name in names:
        attached = await attachment_urls(store, topic)
        reads[_ATTACHMENTS.name] = lambda page: attached.get(page.url, ())
    return [replace(it, read=reads.get(it.name, it.read)) for it in columns]


async def attachment_urls(store: Store, topic: str) -> dict[str, list[str]]:
    """Return the URLs of the kept documents by the URL of the page that links them."""
    found: dict[str, list[str]] = {}
    async with aclosing(store.pages(topic, copies=True)) as pages:  # type: ignore[type-var]
        async for page in pages:
            if page.attached_to:
                found.setdefault(page.attached_to, []).append(page.url)
    return found
