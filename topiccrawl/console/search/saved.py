"""Searches that users keep, and how many pages are new since each was last opened."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from starlette.background import BackgroundTask
from starlette.datastructures import QueryParams

from topiccrawl.console.paths import topic_path
from topiccrawl.console.search.asked import AskedSearch
from topiccrawl.errors import StoreUnavailable
from topiccrawl.store.desk import DeskRecord

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.console.desk import Desk
    from topiccrawl.store.contract import Store
    from topiccrawl.store.search import SearchQuery

logger = logging.getLogger(__name__)

#: Kind of the desk records that keep searches; the key is the query string of the search.
SAVED_SEARCH: Final = "saved-search"
#: Saved searches whose new pages are counted for one list (a guess: each takes a query).
_MOST_COUNTED: Final = 30


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search under a name."""

    topic: str
    """Empty: all topics."""
    key: str
    """Its parameters as a query string: :meth:`AskedSearch.permanent`."""
    name: str
    saved_at: datetime
    opened_at: datetime
    """When it was last opened in a console that may write; until then, when it was saved."""

    @property
    def path(self) -> str:
        """Path of its results."""
        return f"{topic_path(self.topic, 'search') if self.topic else '/search'}?{self.key}"

    def record(self) -> DeskRecord:
        """Return what the store keeps of it."""
        value = {"name": self.name, "opened": self.opened_at.isoformat()}
        return DeskRecord(
            topic=self.topic, kind=SAVED_SEARCH, key=self.key, at=self.saved_at, value=value
        )


async def saved_searches(desk: Desk, topic: str) -> list[SavedSearch]:
    """Return the searches that are kept of *topic*, by name; empty: of all topics."""
    opened = _opened(desk)
    found = [_saved(record) async for record in desk.store.desk(topic, SAVED_SEARCH)]
    found = [replace(it, opened_at=opened.get((topic, it.key), it.opened_at)) for it in found]
    return sorted(found, key=lambda it: (it.name, it.key))


async def save(desk: Desk, topic: str, asked: AskedSearch, name: str) -> None:
    """Keep a search under a name; nothing if it asks for nothing."""
    if key := asked.permanent():
        now = desk.now()
        saved = SavedSearch(topic, key, name or asked.text or key, now, now)
        _opened(desk).pop((topic, key), None)
        await desk.store.write(desk=[saved.record()])


def opened(desk: Desk, saved: SavedSearch) -> BackgroundTask:
    """Note that a search is opened now; return the task that writes it to the store.

    A view does not wait for it: a crawl may be writing.
    """
    now = desk.now()
    _opened(desk)[saved.topic, saved.key] = now
    return BackgroundTask(_write_opened, desk, replace(saved, opened_at=now))


async def delete(desk: Desk, topic: str, key: str) -> None:
    """Delete a search that is kept."""
    async with _writing(desk):
        _opened(desk).pop((topic, key), None)
        await desk.store.delete_desk(topic, SAVED_SEARCH, [key])


async def _write_opened(desk: Desk, saved: SavedSearch) -> None:
    try:
        async with _writing(desk):
            if await desk.store.desk_entry(saved.topic, SAVED_SEARCH, saved.key) is not None:
                await desk.store.write(desk=[saved.record()])
    except StoreUnavailable as error:
        logger.warning("%s", desk.store_problem(error))


def _writing(desk: Desk) -> asyncio.Lock:
    """Return the lock under which saved searches are changed: a deleted one must not come back."""
    return desk.shared("saved-searches", asyncio.Lock)


def _opened(desk: Desk) -> dict[tuple[str, str], datetime]:
    """Return when this console last opened searches, by topic and key."""
    return desk.shared("opened-searches", dict[tuple[str, str], datetime])


async def new_pages(
    store: Store, topics: Sequence[str], searches: Sequence[SavedSearch]
) -> dict[str, int]:
    """Return by key how many pages of *topics* each search finds that came since it was opened."""
    return {
        it.key: (await store.search(topics, _new_of(it))).total for it in searches[:_MOST_COUNTED]
    }


def _new_of(saved: SavedSearch) -> SearchQuery:
    """Return the query that counts the new pages of a search."""
    query = AskedSearch.of(QueryParams(saved.key)).query()
    since = max(saved.opened_at, query.seen_since or saved.opened_at)
    return replace(query, seen_since=since, limit=0, facets=False, texts=False)


def _saved(record: DeskRecord) -> SavedSearch:
    name = str(record.value.get("name", ""))
    try:
        opened = datetime.fromisoformat(str(record.value.get("opened", "")))
    except ValueError:
        opened = record.at
    if opened.tzinfo is None:
        opened = record.at
    return SavedSearch(record.topic, record.key, name, record.at, opened)
