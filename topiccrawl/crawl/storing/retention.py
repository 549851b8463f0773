"""Which pages are older than they may be kept, if this machine's clock can be believed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from topiccrawl.language import ngettext
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.store.near_misses import unpack_near_miss

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store

#: Longest time without pages and runs that ages a page; a longer one may be a clock that was set ahead.  A choice:
#: topics that are crawled once a month have shorter ones.
LONGEST_PAUSE: Final = timedelta(days=32)
#: Days of a retention that a ``timedelta`` can hold.
_MOST_DAYS: Final = timedelta.max.days


@dataclass(frozen=True, slots=True)
class ExpiredPages:
    """Pages that are older than they may be kept."""

    urls: Sequence[str]
    """Pages that are too old, whenever the clock was set."""
    doubtful: int
    """Pages that are too old only if the longest pause was one."""
    days: int
    now: datetime
    pause: tuple[datetime, datetime] | None
    """Begin and end of the longest pause, if there is one."""

    def doubt(self, topic: str) -> str:
        """Return a sentence about the doubtful pages, with what deletes them."""
        assert self.pause is not None
        begin, end, before = (
            f"{moment.astimezone(CHINA_TIME):%Y-%m-%d}"
            for moment in (*self.pause, self.now - timedelta(days=self.days))
        )
        return ngettext(
            "{count} page is older than {days} days by this machine's clock and was not deleted: nothing "
            "was collected between {begin} and {end}, so the clock may have been set ahead. If it is right: "
            "scrapy forget {topic} --before {before}",
            "{count} pages are older than {days} days by this machine's clock and were not deleted: nothing "
            "was collected between {begin} and {end}, so the clock may have been set ahead. If it is right: "
            "scrapy forget {topic} --before {before}",
            self.doubtful,
        ).format(
            count=self.doubtful, days=self.days, begin=begin, end=end, topic=topic, before=before
        )


async def expired_pages(store: Store, topic: str, days: int, now: datetime) -> ExpiredPages:
    """Return the pages of *topic*, kept or withdrawn, that were first fetched more than *days* ago.

    Near misses of that age are among them.  :func:`pauses` do not age a page; runs of all topics end them.
    """
    seen = {url: at async for url, at in _first_seen(store, topic)}
    moments = [*seen.values()]
    for name in {topic, *await store.topics()}:
        for run in await store.runs(name):
            moments += [at for at in (run.started_at, run.finished_at) if at is not None]
    longest = timedelta(days=min(days, _MOST_DAYS))
    doubtful = pauses(moments, now)
    old = [url for url, at in seen.items() if now - at > longest]
    urls = [
        url
        for url in old
        if now - seen[url] - sum((e - b for b, e in doubtful if b >= seen[url]), timedelta())
        > longest
    ]
    pause = max(doubtful, key=lambda it: it[1] - it[0], default=None)
    return ExpiredPages(urls, len(old) - len(urls), days, now, pause)


def pauses(moments: Iterable[datetime], now: datetime) -> list[tuple[datetime, datetime]]:
    """Return begin and end of the times longer than :data:`LONGEST_PAUSE` without a moment, up to *now*."""
    known = sorted({*(at for at in moments if at < now), now})
    return [(begin, end) for begin, end in pairwise(known) if end - begin > LONGEST_PAUSE]


async def _first_seen(store: Store, topic: str) -> AsyncIterator[tuple[str, datetime]]:
    async with aclosing(store.headlines(topic)) as headlines:  # type: ignore[type-var]
        async for headline in headlines:
            yield headline.url, headline.first_seen
    async with aclosing(store.pages(topic, withdrawn=True)) as pages:  # type: ignore[type-var]
        async for page in pages:
            yield page.url, page.first_seen or page.fetched_at
    async with aclosing(store.near_misses(topic)) as near_misses:  # type: ignore[type-var]
        async for near_miss in near_misses:
            page_of = unpack_near_miss(near_miss)
            if page_of is not None:
                yield near_miss.url, page_of.fetched_at
