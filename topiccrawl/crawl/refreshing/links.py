"""The links of revisits: their scores, and the entries for which a list page is visited.

The scores are above those of all links of pages, so that a ranking round leaves them as they are: lists first, then
what is new in them, then articles.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.queue.ordering import ScoredLink
from topiccrawl.page.lists import find_list, may_be_entry
from topiccrawl.scoring.evidence import SEED_SCORE
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.crawl.refreshing.visit import Revisit
    from topiccrawl.page.page import Page


ARTICLE_SCORE: Final = SEED_SCORE
NEW_LINK_SCORE: Final = SEED_SCORE + 100.0
LIST_SCORE: Final = SEED_SCORE + 300.0


def new_link_score(score: float) -> float:
    """Return the score of a new link of a list that would have *score* otherwise: the same order, above all."""
    return NEW_LINK_SCORE + 100.0 * score / (1.0 + abs(score))


def content_links(page: Page) -> list[str]:
    """Return the canonical URLs of the entries of *page*; of a page that is not a list, of its titles."""
    listed = find_list(page, canonical_url)
    if listed is not None:
        return list(listed.entries)
    own = canonical_url(page.url)
    found = [canonical_url(it.url) for it in page.links if may_be_entry(it)]
    return [url for url in dict.fromkeys(found) if url != own]


def promote_entries(revisit: Revisit, page: Page, links: Sequence[ScoredLink]) -> list[ScoredLink]:
    """Return the new *links* of a list page: those of its entries go before all other links.

    Their number is noted in *revisit*; those of an article stay as they are.
    """
    if revisit.mark.kind == "article":
        return list(links)
    entries = set(content_links(page))
    revisit.new_links = sum(it.link.canonical in entries for it in links)
    revisit.changed = revisit.new_links > 0
    return [
        replace(it, evidence=replace(it.evidence, score=new_link_score(it.evidence.score)))
        if it.link.canonical in entries
        else it
        for it in links
    ]
