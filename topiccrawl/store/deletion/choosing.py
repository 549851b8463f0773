"""Which pages of a topic are to be deleted: by address, site, a person who is named, or age."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.store.versions import unpack_versions
from topiccrawl.text.normalize import normalize
from topiccrawl.urls.hosts import is_below

if TYPE_CHECKING:
    from topiccrawl.store.contract import OutcomeRecord, PageRecord, Store

#: Characters that may stand between those of a Chinese name: 张 三, 阿卜杜拉·买买提.
_BETWEEN: Final = r"[\s·•・‧]*"
#: Characters shown around a name.
_AROUND: Final = 12
_HAN: Final = re.compile("[㐀-䶿一-鿿\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class Condition:
    """Conditions for a page to be deleted, all of which must hold; at least one is given."""

    urls: frozenset[str] = frozenset()
    """Canonical URLs, one of which is the page's."""
    sites: Sequence[str] = ()
    """Hosts in lower case, one of which the page's is or lies below."""
    persons: Sequence[str] = ()
    """Names, one of which the page has."""
    before: datetime | None = None
    """The page was first fetched before then."""
    published_before: datetime | None = None
    """The page was published before then; pages without a date are not."""

    def holds(self, page: PageRecord) -> bool:
        """Whether the conditions hold that need no text."""
        seen = page.first_seen or page.fetched_at
        return (
            (not self.urls or page.url in self.urls)
            and (not self.sites or is_below(page.site.lower(), self.sites))
            and (self.before is None or seen < self.before)
            and (
                self.published_before is None
                or (page.published_at is not None and page.published_at < self.published_before)
            )
        )


@dataclass(frozen=True, slots=True)
class Doomed:
    """A page that is to be deleted."""

    url: str
    title: str
    where: str = ""
    """Where a person is named, with the text around; empty without one."""


def person_pattern(name: str) -> re.Pattern[str]:
    """Return what finds *name* in a normalized text.

    Between the characters of a Chinese name there may be blanks and dots.  A name in letters is found as
    whole words only.  Raises ValueError for a name without letters.

    >>> bool(person_pattern("張三").search("张 三先生"))
    True
    >>> bool(person_pattern("Li Wei").search("ali weiss"))
    False
    """
    plain = normalize(name)
    parts = re.findall(r"[^\W_]+", plain)
    if not parts:
        raise ValueError(name)
    if _HAN.search(plain):
        return re.compile(_BETWEEN.join(map(re.escape, "".join(parts))))
    return re.compile(rf"(?<![^\W_]){'[^0-9a-z]{1,3}'.join(map(re.escape, parts))}(?![^\W_])")


async def doomed_pages(
    store: Store, topic: str, condition: Condition, tick: Callable[[], None] = lambda: None
) -> AsyncIterator[Doomed]:
    """Yield the pages of *topic* for which *condition* holds: kept, withdrawn, copies and near misses.

    For persons, all texts of a page are searched, also those of its former versions, which costs some
    milliseconds for each page.  *tick* is called for each page that is read.
    """
    patterns = [person_pattern(name) for name in condition.persons]
    changed = {url async for url, _at in store.changes(topic)} if patterns else set()
    async for page in _all_pages(store, topic):
        tick()
        if not condition.holds(page):
            continue
        if not patterns:
            yield Doomed(page.url, page.title)
            continue
        where = _found(_texts(page), patterns)
        if not where and page.url in changed:
            versions = unpack_versions(await store.versions(topic, page.url))
            where = _found(
                [text for it in versions for text in (it.title, it.body or "")], patterns
            )
        if where:
            yield Doomed(page.url, page.title, where)


async def naming_outcomes(
    store: Store, topic: str, persons: Sequence[str], tick: Callable[[], None]
) -> AsyncIterator[OutcomeRecord]:
    """Yield the outcomes of *topic* that name one of *persons*, without what names them.

    Outcomes remain of pages that were not kept, too: with their titles and the texts of links to them.
    """
    patterns = [person_pattern(name) for name in persons]
    async with aclosing(store.outcomes(topic)) as outcomes:  # type: ignore[type-var]
        async for outcome in outcomes:
            tick()
            texts = [outcome.title, outcome.link.anchor, *(term for term, _ in outcome.main_terms)]
            if _found(texts, patterns):
                link = replace(outcome.link, anchor="")
                yield replace(outcome, title="", main_terms=(), link=link)


async def _all_pages(store: Store, topic: str) -> AsyncIterator[PageRecord]:
    options: list[dict[str, Any]] = [{"copies": True}, {"withdrawn": True}]
    for chosen in options:
        async with aclosing(store.pages(topic, **chosen)) as pages:  # type: ignore[type-var]
            async for page in pages:
                yield page
    async with aclosing(store.near_misses(topic)) as near_misses:  # type: ignore[type-var]
        async for near_miss in near_misses:
            missed = unpack_near_miss(near_miss)
            if missed is not None:
                yield missed


def _texts(page: PageRecord) -> Iterator[str]:
    yield from (page.title, page.author, page.editor, page.source, page.summary, page.link.anchor)
    yield from (page.body, page.comments, " ".join(page.keywords), page.site_name)
    yield from (page.markdown, page.found_by)
    for comment in page.comment_records:
        yield from (comment.author, comment.text)


def _found(texts: Sequence[str] | Iterator[str], patterns: Sequence[re.Pattern[str]]) -> str:
    """Return the first place of *texts* that one of *patterns* finds, with what is around it."""
    for text in texts:
        plain = normalize(text)
        for pattern in patterns:
            if found := pattern.search(plain):
                start, end = max(0, found.start() - _AROUND), found.end() + _AROUND
                return f"…{plain[start:end]}…"
    return ""
