"""Read the stories of a period from a store, and complete the entries that were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

from topiccrawl.briefing.model import Entry, Section, Sentence, Source
from topiccrawl.briefing.proposal import Candidate
from topiccrawl.page.title import strip_site_tail
from topiccrawl.reporting.stories import read_story
from topiccrawl.store.headlines import HEADLINE_FIELDS, PageHeadline
from topiccrawl.store.ids import record_id
from topiccrawl.text.sentences import split_sentences
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.store.records import PageRecord

    Listed: TypeAlias = PageHeadline | PageRecord

#: How far a publish date may lie after the first fetch before it is taken for an error, as in reports.
_FUTURE: Final = timedelta(days=1)
#: Sentences of a page that states no summary.
_LEAD_SENTENCES: Final = 3
#: Characters of a body in which its first sentences are looked for.
_LEAD: Final = 600
#: Spread is followed in stories of at most so many copies: one with more takes seconds (a guess).
_MOST_MEMBERS: Final = 300


@dataclass(frozen=True, slots=True)
class Period:
    """The time of a briefing, with both ends in it; ``None`` is open."""

    since: datetime | None = None
    until: datetime | None = None

    def __contains__(self, moment: datetime) -> bool:
        return (self.since is None or moment >= self.since) and (
            self.until is None or moment <= self.until
        )


def told_at(page: Listed) -> datetime:
    """Return when *page* was published, else first fetched; a date in the future counts as none."""
    seen = page.first_seen or page.fetched_at
    if page.published_at is not None and page.published_at <= seen + _FUTURE:
        return page.published_at
    return seen


async def read_headlines(
    store: Store, topic: str, period: Period, tick: Callable[[], None] = lambda: None
) -> list[PageHeadline]:
    """Return the headlines of all pages of *topic* that can have been published in the period.

    A page that was published in it was first fetched after its beginning: no other one is read.
    """
    found: list[PageHeadline] = []
    if period.since is None:
        async with aclosing(store.headlines(topic)) as headlines:  # type: ignore[type-var]
            async for headline in headlines:
                tick()
                found.append(headline)
        return found
    pages = store.pages(topic, copies=True, since=period.since)
    async with aclosing(pages) as rows:  # type: ignore[type-var]
        async for page in rows:
            tick()
            found.append(headline_of(page))
    return found


def headline_of(page: PageRecord) -> PageHeadline:
    """Return *page* without its long fields."""
    return PageHeadline(**{name: getattr(page, name) for name in HEADLINE_FIELDS})


def candidates_of(pages: Iterable[Listed], period: Period) -> list[Candidate]:
    """Return the stories whose representative was published in the period.

    *pages* may hold copies, whose registered domains count as sites that have the story, and documents
    that a page links, which are left out.
    """
    sites: dict[str, set[str]] = {}
    listed = []
    for page in pages:
        if page.story:
            sites.setdefault(page.story, set()).add(registered_domain(page.site))
        if not page.copy_of and page.kind != "list" and told_at(page) in period:
            listed.append(page)
    return [candidate_of(page, len(sites.get(page.story, ())) or 1) for page in listed]


def candidate_of(page: Listed, sites: int = 1) -> Candidate:
    """Return *page* as the representative of a story that so many *sites* have."""
    return Candidate(
        story=page.story or record_id(page.topic, page.url),
        url=page.url,
        title=strip_site_tail(page.title) or page.url,
        at=told_at(page),
        published_at=page.published_at,
        outlet=page.site,
        source=page.source,
        author=page.author,
        keywords=page.keywords,
        probability=page.relevance if page.probability is None else page.probability,
        sites=sites,
    )


def summary_of(page: PageRecord) -> str:
    """Return the summary of *page*, or its first sentences."""
    if page.summary:
        return page.summary
    return "\n".join(split_sentences(page.body[:_LEAD])[:_LEAD_SENTENCES])


async def completed(store: Store, topic: str, sections: Iterable[Section]) -> list[Section]:
    """Return *sections* with the sentences of their entries, and the first publishers of their stories."""
    found = list(sections)
    urls = [entry.url for section in found for entry in section.entries]
    pages = {page.url: page for page in await store.pages_at(topic, urls)}
    return [
        replace(
            section,
            entries=[
                await _completed(store, topic, with_sentences(it, pages.get(it.url)))
                for it in section.entries
            ],
        )
        for section in found
    ]


def with_sentences(entry: Entry, page: PageRecord | None) -> Entry:
    """Return *entry* with the sentences of its page and the name of its site, where it has none."""
    if page is None:
        return entry
    return replace(
        entry,
        sentences=tuple(entry.sentences) or tuple(sentences_of(page)),
        outlet=page.site_name or entry.outlet,
    )


async def _completed(store: Store, topic: str, entry: Entry) -> Entry:
    """Return *entry* with its first publisher, if the story has copies."""
    if entry.sites < 2:
        return entry
    members = await store.members(topic, entry.story)
    if not 1 < len(members) <= _MOST_MEMBERS:
        return entry
    story = await read_story(store, topic, entry.story)
    if story is None:
        return entry
    first = story.first
    source = Source(
        url=first.url,
        title=strip_site_tail(first.title),
        outlet=story.spread.nodes[first.url].name,
        published_at=first.published_at,
    )
    return replace(entry, first=source, first_confidence=story.spread.first_confidence)


def sentences_of(page: PageRecord) -> Sequence[Sentence]:
    """Return the sentences of the summary of *page*, each with its address."""
    return [Sentence(it, page.url) for it in split_sentences(summary_of(page))]
