"""Recognize a page that lists others, and what it lists."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.page.paging import find_paging
from topiccrawl.page.paging.detection import page_link_sort
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.page.links import Link
    from topiccrawl.page.page import Page

#: Characters of an anchor that is a title and no name of a channel (a guess: channels have two to six).
_TITLE: Final = 8
#: Entries of a list on one page (a guess: lists of notices have five and more).
_ENTRIES: Final = 5
#: Text of the entries to that of the body, from which a page is a list though it has a body (as LIST_SHARE of
#: ``topiccrawl.page.body.kind``).
_SHARE: Final = 1.5
_ASIDE: Final = frozenset({"nav", "footer", "header", "aside", "related", "comment"})


@dataclass(frozen=True, slots=True)
class PageList:
    """What a page lists."""

    entries: tuple[str, ...]
    """Canonical URLs in page order."""
    pager: bool
    """Whether it has links to further pages of the list."""


def find_list(page: Page, canonical: Callable[[str], str]) -> PageList | None:
    """Return what *page* lists, ``None`` if it is not a list.

    It is one if at least five links with the anchors of titles stand in boxes of one kind, outside of
    navigation and recommendations, and the page is a list by its kind, or has a pager that is not an article's, or
    the anchors are longer than its body.
    """
    if page.kind == "thread":
        return None
    own = canonical(page.url)
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    pager = False
    for link in page.links:
        if page_link_sort(link.anchor or link.alt, link.kind)[0] in ("number", "next"):
            pager = True
        elif may_be_entry(link):
            url = canonical(link.url)
            if url != own and host_of(url):
                groups[link.tag_path].setdefault(url, len(link.anchor))
    entries = [url for found in groups.values() if len(found) >= _ENTRIES for url in found]
    if not entries:
        return None
    size = sum(sum(found.values()) for found in groups.values() if len(found) >= _ENTRIES)
    listed = page.kind == "list" or size >= _SHARE * len(page.body)
    if not listed and pager:
        listed = page.kind != "article" or find_paging(page, canonical) is None
        listed = listed and size >= len(page.body) / 2
    return PageList(tuple(dict.fromkeys(entries)), pager) if listed else None


def may_be_entry(link: Link) -> bool:
    """Return whether *link* may lead to an article: its anchor is a title, in the page's own part."""
    return link.kind == "a" and len(link.anchor) >= _TITLE and link.region not in _ASIDE
