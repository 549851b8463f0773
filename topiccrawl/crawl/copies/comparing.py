"""How the pages of a store are compared: which, where that is computed, and which two share a story."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from topiccrawl.dedup.candidates import MOST_SHARING, by_body, by_title
from topiccrawl.dedup.evidence import title_similarity
from topiccrawl.dedup.relation import may_share_text, relate
from topiccrawl.stories.claims import find_claims
from topiccrawl.stories.members import StoryPage
from topiccrawl.stories.outlets import holders
from topiccrawl.stories.representative import DIRECT
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.dedup.compared import ComparedPage, Relation
    from topiccrawl.dedup.prepared import PreparedPage
    from topiccrawl.store.stories import StoryStore

#: Pages that are compared with one page at most: those that share most of the text, and those with similar
#: titles (a choice: bounds the work for one page; the pages of one story count once in settling).
MOST_COMPARED: Final = 8
#: Similarity of titles from which a part is the same story as its whole.  Above 2/3, a digest under two
#: headlines is similar to one of them at most.  Of the titles of 121 news pages, shortened by a third behind
#: 快讯： and the like, 48 % reach it (.6: 86 %); of generated titles of digests with the headline in them 9 %
#: (.6: 22 %); of the titles of other pages none (2026-11-22).
PART_TITLE: Final = 0.7
#: Least terms of a title that identifies its story: 索引 and 状态栏 do not (as for the tokens of titles).
PART_TITLE_TERMS: Final = 3

#: Characters of all texts up to which they are compared at once.  Each takes .3 microseconds at most, a call in
#: a thread 50 to 150, as it competes with the event loop for the interpreter (2026-11-26): 10 texts that have
#: little in common are compared in that time.
AT_ONCE: Final = 20_000

T = TypeVar("T")


async def computed(job: Callable[[], T], chars: int) -> T:
    """Return what *job* returns, which works on texts of so many characters."""
    return job() if chars <= AT_ONCE else await asyncio.to_thread(job)


def candidates(shared: Mapping[int, Sequence[str]], url: str) -> list[str]:
    """Return the pages that are worth a comparison with the page *url*, best first.

    *shared* has, for each token that was looked up, the pages that have it.
    """
    found = by_body(shared, MOST_COMPARED + 1) + by_title(shared, MOST_COMPARED + 1)
    return [other for other in dict.fromkeys(found) if other != url]


def same_story(first: PreparedPage, second: PreparedPage) -> Relation | None:
    """Return what *first* is to *second* if they belong to one story, else ``None``.

    A part belongs to the story of its whole if there is further evidence: similar titles, or a source line or link
    of the part that names the whole; and only if the whole was not published after it.  Otherwise a
    digest would join the stories that it gathers, and a sample table the pages that contain it.  The
    answer is the same, apart from the direction, when the pages are exchanged.
    """
    if not may_share_text(first, second):
        return None
    relation = relate(first, second)
    if relation.kind == "excerpt":
        return relation if _shortens(first, second) else None
    if relation.kind == "gathers":
        return relation if _shortens(second, first) else None
    return relation if relation.is_copy else None


def _shortens(part: PreparedPage, whole: PreparedPage) -> bool:
    """Return whether a part is the story of the whole, shortened."""
    if _later(whole.page, part.page):
        return False
    terms = min(len(part.title_terms), len(whole.title_terms))
    if terms >= PART_TITLE_TERMS and title_similarity(part, whole) >= PART_TITLE:
        return True
    return _names(StoryPage.of(part.page), StoryPage.of(whole.page))


def _names(part: StoryPage, whole: StoryPage) -> bool:
    """Return whether *part* names *whole*, or its outlet, as its source."""
    if part.source_url == whole.url:
        return True
    if registered_domain(part.site) == registered_domain(whole.site):
        return False
    named = {it.outlet for it in find_claims(part).named if it.evidence in DIRECT}
    return bool(holders(named, [whole]))


def _later(first: ComparedPage, second: ComparedPage) -> bool:
    """Return whether *first* was published after *second*, as far as both state it."""
    a: datetime | None = first.published_at
    b: datetime | None = second.published_at
    return a is not None and b is not None and a > b


async def sharing(
    store: StoryStore, topic: str, tokens: Sequence[int]
) -> Mapping[int, Sequence[str]]:
    """Return the pages of *topic* that share the *tokens*."""
    return await store.sharing(topic, tokens, most=MOST_SHARING)


def with_others(
    shared: Mapping[int, Sequence[str]], others: Mapping[int, Sequence[str]]
) -> Mapping[int, Sequence[str]]:
    """Return for each token the pages of both."""
    added = {token: [*shared.get(token, ()), *urls] for token, urls in others.items()}
    return {**shared, **added}
