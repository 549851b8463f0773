"""Recognize that a page is a part of an article, and the addresses of the other parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.page.paging.addresses import Numbered, has_id, names_single_page, readings

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: More parts than this are lists, or books (a choice; long reports have some twenty).
MOST_PARTS: Final = 50
#: Fewest characters of the body of a first part; that of the last one may be short (the shortest body that is
#: analyzed, [doc001]).
FIRST_BODY: Final = 100
#: Most characters of text between the body's last line and the page links (a guess: shares, an editor's line
#: and a note stand between; comments and further news follow).
BELOW_BODY: Final = 600
#: Longest anchor of a page link (a guess: 下一页：title of the part).
_ANCHOR: Final = 40
_AROUND: Final = " \t\u3000\xa0<>«»‹›[]()【】（）|:：.…·_-"
_NUMBER: Final = re.compile(r"(?:第\s*|page\s*)?([0-9]{1,3})(?:\s*[页頁].*)?", re.IGNORECASE)
_NEXT: Final = re.compile(r"(?:下|后|後)\s*一?\s*[页頁].*|next(?:\s*page)?", re.IGNORECASE)
_PREVIOUS: Final = re.compile(
    r"(?:上|前)\s*一?\s*[页頁].*|prev(?:ious)?(?:\s*page)?", re.IGNORECASE
)
_ENDS: Final = re.compile(
    r"首\s*[页頁]|第一[页頁]|[末尾]\s*[页頁]|最后一?[页頁]|first|last", re.IGNORECASE
)
_ARROW: Final = re.compile(r"[>»›]+")
_WORD: Final = re.compile(r"\w{4,}")

PageLinkSort = Literal["number", "next", "previous", "end"]


@dataclass(frozen=True, slots=True)
class Paging:
    """A page as one part of an article."""

    key: str
    """Equal for all parts of the article: the first part's address without ending."""
    number: int
    """1 for the first part."""
    first: str
    """Canonical address of the first part, as it is linked or else as it follows from this page's."""
    parts: dict[int, str] = field(default_factory=dict)
    """Canonical addresses of the other parts that the page links to, by number."""


@dataclass(frozen=True, slots=True)
class _PageLink:
    url: str
    sort: PageLinkSort
    number: int | None
    """The number that the anchor says."""
    own: Numbered
    other: Numbered


def find_paging(page: Page, canonical: Callable[[str], str]) -> Paging | None:
    """Return which part of an article *page* is, ``None`` if it is not one of several.

    It is one if all of this holds: it is an article, neither a list nor a thread; below or in its body are
    links with the anchors of page links (下一页, 2, 第2页, or ``rel=next``); and their addresses
    are its own but for the number of the part.  Without numbered links the address must contain a date or
    an id: chapters of books are linked by 下一页, too.  Pages with the next *article* behind 下一页, lists, threads
    and comments are thus none.

    Parameters
    ----------
    page
        The page.
    canonical
        Returns the canonical form of a URL.
    """
    url = canonical(page.url)
    found = _page_links(page, url, canonical)
    if not found or page.kind in ("list", "thread"):
        return None
    styles = Counter((_stem_of(it), _style(it)) for it in found)
    (stem, style), _ = max(styles.items(), key=lambda item: (item[1], item[0]))
    links = [it for it in found if (_stem_of(it), _style(it)) == (stem, style)]
    numbered = next(x for it in links for x in (it.other, it.own) if x.number is not None)
    counted = any(it.sort == "number" for it in links)
    if not names_single_page(numbered) or not (counted or has_id(numbered)):
        return None
    own = links[0].own
    offset = _offset(links)
    number = 1 if own.number is None else own.number + offset
    parts: dict[int, str] = {}
    for it in links:
        at = 1 if it.other.number is None else it.other.number + offset
        if it.number is not None and it.number != at:
            return None  # The numbers of anchors and addresses have nothing to do with each other.
        parts.setdefault(at, it.url)
    parts.pop(number, None)
    if not parts or number < 1 or max(number, *parts) > MOST_PARTS:
        return None
    if number == 1 and (page.kind != "article" or len(page.body) < FIRST_BODY):
        return None
    first = url if number == 1 else parts.get(1) or canonical(numbered.first)
    return Paging(stem, number, first, dict(sorted(parts.items())))


def _page_links(page: Page, url: str, canonical: Callable[[str], str]) -> list[_PageLink]:
    """Return the page links whose addresses differ from *url* in a number only."""
    links = []
    mine = list(readings(url))
    for link in page.links:
        sort, number = page_link_sort(link.anchor or link.alt, link.kind)
        if sort is None:
            continue
        other_url = canonical(link.url)
        if other_url == url:
            continue
        match = _match(mine, other_url)
        if match is not None:
            links.append(_PageLink(other_url, sort, number, *match))
    if not any(it.sort != "end" for it in links):
        return []
    return links if _below_body(page, {it.url for it in links}, canonical) else []


def _match(mine: Sequence[Numbered], other_url: str) -> tuple[Numbered, Numbered] | None:
    for other in readings(other_url):
        for own in mine:
            if own.stem != other.stem or own.number == other.number:
                continue
            if own.number is None or other.number is None or own.style == other.style:
                return own, other
    return None


def page_link_sort(anchor: str, kind: str) -> tuple[PageLinkSort | None, int | None]:
    """Return what kind of page link an anchor is, and its number."""
    if kind in ("next", "prev"):
        return ("next" if kind == "next" else "previous"), None
    if kind not in ("a", "area") or len(anchor) > _ANCHOR:
        return None, None
    words = anchor.strip(_AROUND)
    if (found := _NUMBER.fullmatch(words)) is not None:
        return "number", int(found[1])
    if _NEXT.fullmatch(words) or _ARROW.fullmatch(anchor.strip()):
        return "next", None
    if _PREVIOUS.fullmatch(words):
        return "previous", None
    return ("end", None) if _ENDS.fullmatch(words) else (None, None)


def _style(link: _PageLink) -> str:
    return link.own.style or link.other.style


def _stem_of(link: _PageLink) -> str:
    return link.own.stem if link.own.number is not None else link.other.stem


def _offset(links: Sequence[_PageLink]) -> int:
    """Return what to add to the numbers of the addresses: 1 where ``_1`` is the second part."""
    said: Counter[int] = Counter()
    for it in links:
        if it.number is not None and it.other.number is not None:
            said[it.number - it.other.number] += 1
    if said:
        offset, _ = said.most_common(1)[0]
        return offset if offset in (0, 1) else 0
    for it in links:
        # The address without a number is another page than the one with 1 (or 0).
        numbers = (it.own.number, it.other.number)
        if None in numbers and (1 in numbers or 0 in numbers):
            return 1
    return 0


def _below_body(page: Page, urls: set[str], canonical: Callable[[str], str]) -> bool:
    """Whether a page link to one of *urls* stands in the body or closely below it."""
    outline = page.outline
    if any(link.kind in ("next", "prev") and canonical(link.url) in urls for link in page.links):
        return True
    lines = [line for line in page.body.split("\n") if _WORD.search(line)]
    if not lines:
        return False
    words = [found[0][:12] for line in (lines[0], lines[-1]) if (found := _WORD.search(line))]
    start, end = outline.text.find(words[0]), outline.text.rfind(words[-1])
    if start < 0:
        return False
    end += len(lines[-1])
    for raw in outline.links:
        if (
            raw.start < start
            or page_link_sort(outline.text[raw.start : raw.end].strip(), raw.kind)[0] is None
        ):
            continue
        # Each later one is farther away.
        return raw.start <= end or len("".join(outline.text[end : raw.start].split())) <= BELOW_BODY
    return False
