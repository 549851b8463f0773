"""The links for which a list page is visited: its entries, without navigation and recommendations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.refreshing.scores import new_link_score
from topiccrawl.page.lists import find_list
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.crawl.ordering import ScoredLink
    from topiccrawl.crawl.refreshing.found import Revisit
    from topiccrawl.page.page import Page

#: Characters of an anchor that is a title and no name of a channel (as in ``topiccrawl.page.lists``).
_TITLE: Final = 8
_ASIDE: Final = frozenset({"nav", "footer", "header", "aside", "related", "comment"})


def content_links(page: Page) -> list[str]:
    """Return the canonical URLs of the entries of *page*; of a page that is not a list, of its titles."""
    listed = find_list(page, canonical_url)
    if listed is not None:
        return list(listed.entries)
    own = canonical_url(page.url)
    found = [
        canonical_url(it.url)
        for it in page.links
        if it.kind == "a" and len(it.anchor) >= _TITLE and it.region not in _ASIDE
    ]
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
