"""The title of a page by the three steps of the thesis, joined with what pages state today.

1. ``<title>``, without the names of site and channel at its end (sitenames.py). 2. A heading in the
page that agrees with it: the part both have is the title without additions. 3. If ``<title>`` is
none of use (empty, the site's name, 显示, the name of the channel): ``og:title``, the headline as a
reader finds it (headline.py), the anchor text that led here, the first line of the body.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.page.title.headline import FAIR, STRONG, find_headline
from topiccrawl.page.title.site_names import (
    is_generic,
    looks_like_name,
    names_in_links,
    plain,
    strip_site_tail,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.page.outline import Heading, Outline, RawLink

__all__ = ["MAX_TITLE_CHARACTERS", "find_title", "strip_site_tail", "title_of"]

MAX_TITLE_CHARACTERS = 200
"""Longer titles are cut (a guess: the longest headlines have about 60 characters)."""

_MIN_TITLE_CHARACTERS = 4  # of a heading that may stand for the title (a guess)
_AGREEMENT = 0.6  # least share of a heading that must be found in <title>, in one piece (a guess)
_FUZZY_HEADINGS = 6  # headings compared by their longest common substring, which is costly
_MIN_HINT = 5  # of an anchor that is believed before a doubtful headline (a guess)
_MAX_CHANNEL = 10  # characters of a title that may be a channel's name (a guess)
_NAME_TAGS = ("og:site_name", "application-name", "sitename", "site_name", "author", "copyright")


def title_of(outline: Outline, lines: Sequence[str], url: str = "", anchor_hint: str = "") -> str:
    """The title of a walked page; ``lines`` are its visible lines. See :func:`find_title`.

    A site's front page is called what its ``<title>`` says, though that be the site's name.
    """
    path = urlsplit(url).path if url else ""
    if url and path in ("", "/") and "?" not in url and plain(outline.title):
        whole = " ".join(outline.title.split())
        return (strip_site_tail(whole) or whole)[:MAX_TITLE_CHARACTERS]
    return find_title(
        outline.title,
        outline.headings,
        outline.meta,
        anchor_hint,
        site_names=names_in_links(outline.links, outline.text, url),
        lines=lines,
        links=outline.links,
        text=outline.text,
        own_urls=(url, outline.canonical_href, outline.meta.get("og:url", "")),
    )


def find_title(
    title: str,
    headings: Sequence[Heading] = (),
    meta: Mapping[str, str] | None = None,
    anchor_hint: str = "",
    first_line: str = "",
    site_names: Sequence[str] = (),
    *,
    lines: Sequence[str] = (),
    links: Sequence[RawLink] = (),
    text: str = "",
    own_urls: Sequence[str] = (),
) -> str:
    """The page's title; empty if nothing at all speaks for one.

    ``title`` is the content of ``<title>``; ``anchor_hint`` the anchor text of the link that led to
    the page; ``first_line`` the first line of the body; ``lines`` the visible lines, ``links`` with
    their ``text`` the outline's, ``own_urls`` the page's URL and canonical URL.
    """
    meta = meta or {}
    names = [*site_names, *(meta[name] for name in _NAME_TAGS if meta.get(name))]
    title = " ".join(title.split())
    stripped = strip_site_tail(title, names)
    stated = " ".join((meta.get("og:title") or meta.get("articletitle") or "").split())
    stated = strip_site_tail(stated, names)
    useless = _is_useless(stripped, stated, names, headings)
    if not useless:
        agreed = _agreeing(title, stripped, headings)
        if agreed:
            return agreed[:MAX_TITLE_CHARACTERS]
        if stated and plain(stated) and plain(stated) in plain(title):
            return stated[:MAX_TITLE_CHARACTERS]
    supported = not useless and (not lines or _is_repeated(stripped, text, lines))
    if supported and not _is_channel(stripped, links, text):
        return stripped[:MAX_TITLE_CHARACTERS]
    hint = " ".join(anchor_hint.split())
    if len(plain(stated)) >= _MIN_TITLE_CHARACTERS and not _is_useless(stated, "", names):
        return stated[:MAX_TITLE_CHARACTERS]
    headline = find_headline(headings, lines, links, text, own_urls, (stated, hint))
    if headline is not None and headline.score >= (FAIR if useless else STRONG):
        return headline.text[:MAX_TITLE_CHARACTERS]
    if not useless:
        return stripped[:MAX_TITLE_CHARACTERS]
    found = "" if headline is None else headline.text
    if len(plain(hint)) < _MIN_HINT or is_generic(hint):
        hint, found = found, hint
    for candidate in (stated, hint, found, stripped, first_line):
        if plain(candidate):
            return candidate[:MAX_TITLE_CHARACTERS]
    return ""


def _is_useless(
    stripped: str, stated: str, names: Sequence[str], headings: Sequence[Heading] = ()
) -> bool:
    """Whether what is left of ``<title>`` is no headline: too short, a site's name, 显示.

    The name of an institution is the headline of the page about it: then a heading says the same.
    """
    bare = plain(stripped)
    headed = any(heading.level <= 2 and plain(heading.text) == bare for heading in headings)
    if len(bare) < _MIN_TITLE_CHARACTERS:
        return not (len(bare) >= 2 and (headed or bare == plain(stated)))
    return (
        is_generic(stripped)
        or (looks_like_name(stripped) and not headed)
        or bare in {plain(name) for name in names if len(name) <= 2 * _MAX_CHANNEL}
    )


def _is_repeated(stripped: str, text: str, lines: Sequence[str]) -> bool:
    """Whether the page repeats its ``<title>`` where a reader sees it."""
    head = stripped[:20]
    if head in text:
        return True
    bare = plain(stripped)[:16]
    return any(bare in plain(line) for line in lines if len(line) <= len(stripped) + 40)


def _is_channel(stripped: str, links: Sequence[RawLink], text: str) -> bool:
    """Whether a short title is also the text of a link: the name of the channel the page is in."""
    if len(stripped) > _MAX_CHANNEL:
        return False
    return any(text[link.start : link.end].strip() == stripped for link in links)


def _agreeing(title: str, stripped: str, headings: Sequence[Heading]) -> str:
    """The heading that agrees best with ``<title>``, or the empty string.

    It must cover most of the title without tail: a logo's heading agrees with the tail only.
    """
    target, wanted = plain(title), plain(stripped)
    if not target:
        return ""
    best, best_score = "", 0.0
    fuzzy = 0
    for heading in headings:
        bare = plain(heading.text)
        if len(bare) < _MIN_TITLE_CHARACTERS and bare != wanted:
            continue
        if bare in target:
            common = len(bare)
        elif heading.level <= 2 and fuzzy < _FUZZY_HEADINGS:
            fuzzy += 1
            matcher = SequenceMatcher(None, bare, target, autojunk=False)
            common = matcher.find_longest_match().size
            if common < _AGREEMENT * len(bare):
                continue
        else:
            continue
        if common < _AGREEMENT * min(len(wanted), 30):
            continue
        score = common / len(bare) + common / max(len(wanted), common) - 0.05 * heading.level
        if score > best_score:
            best, best_score = heading.text, score
    return best
