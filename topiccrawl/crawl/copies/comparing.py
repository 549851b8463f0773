"""How the pages of a store are compared: what is compared of a record, and which two share a story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from topiccrawl.dedup.candidates import MOST_SHARING, by_body, by_title
from topiccrawl.dedup.relation import relate

if TYPE_CHECKING:
    from datetime import datetime

    from topiccrawl.dedup.compared import ComparedPage, Relation
    from topiccrawl.dedup.prepared import PreparedPage
    from topiccrawl.store.contract import Store

#: Pages that are compared with one page at most: those that share most of the text, and those with similar
#: titles (a choice: bounds the work for one page; the pages of one story count once in settling).
MOST_COMPARED: Final = 8


def candidates(shared: Mapping[int, Sequence[str]], url: str) -> list[str]:
    """Return the pages that are worth a comparison with the page *url*, best first.

    Parameters
    ----------
    shared
        For each token that was looked up, the pages that have it.
    url
        The page itself, which is left out.
    """
    found = by_body(shared, MOST_COMPARED + 1) + by_title(shared)[: MOST_COMPARED + 1]
    return [other for other in dict.fromkeys(found) if other != url]


def same_story(first: PreparedPage, second: PreparedPage) -> Relation | None:
    """Return what *first* is to *second* if they belong to one story, else ``None``.

    A part belongs to the story of the whole, unless the whole was published after it: then the whole
    gathers texts of others.  The answer is the same, apart from the direction, when the pages are
    exchanged.
    """
    relation = relate(first, second)
    if relation.kind == "excerpt":
        return relation if not _later(second.page, first.page) else None
    if relation.kind == "gathers":
        return relation if not _later(first.page, second.page) else None
    return relation if relation.is_copy else None


def _later(first: ComparedPage, second: ComparedPage) -> bool:
    """Return whether *first* was published after *second*, as far as both state it."""
    a: datetime | None = first.published_at
    b: datetime | None = second.published_at
    return a is not None and b is not None and a > b


async def sharing(store: Store, topic: str, tokens: Sequence[int]) -> dict[int, list[str]]:
    """Return the pages of *topic* that share the *tokens*, as lists that may be added to."""
    found = await store.sharing(topic, tokens, most=MOST_SHARING)
    return {token: list(urls) for token, urls in found.items()}
