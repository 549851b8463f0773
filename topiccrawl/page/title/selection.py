"""Select the title of a page, by the three steps of [thesis] and the metadata of today's pages.

1. ``<title>`` without the names of site and channel at its end (``site_names.py``).
2. A heading of the page that agrees with it: the common part is the title without additions.
3. If ``<title>`` is useless (empty, 显示, the name of the site or channel): ``og:title``, the headline
   (``headline.py``), the text of the link that led to the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.page.outline import link_text
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

#: Longer titles are cut (a guess: the longest headlines have about 60 characters).
MAX_TITLE_CHARACTERS = 200

# Fewest characters of a heading that may be the title (a guess).
_MIN_TITLE_CHARACTERS = 4
# Least share of a heading that must be in <title>, in one piece (a guess).
_AGREEMENT = 0.6
# Headings compared by their longest common substring, which is costly.
_FUZZY_HEADINGS = 6
# Fewest characters of an anchor that is preferred to a doubtful headline (a guess).
_MIN_HINT = 5
# Most characters of a title that may be a channel's name (a guess).
_MAX_CHANNEL = 10
_NAME_TAGS = ("og:site_name", "application-name", "sitename", "site_name", "author", "copyright")


@dataclass(frozen=True, slots=True)
class Title:
    """The selected title of a page."""

    text: str
    """Empty if the page states none."""
    used_anchor_hint: bool = False
    """Whether the selection considered the text of the link that led to the page."""


def title_of(outline: Outline, lines: Sequence[str], url: str = "", anchor_hint: str = "") -> Title:
    """Select the title of a walked page.

    The title of a front page is its ``<title>``, even if that is the name of the site.

    Parameters
    ----------
    outline : Outline
        The walked page.
    lines : sequence of str
        Its visible lines.
    url : str
        URL of the page, empty if unknown.
    anchor_hint : str
        Text of the link that led to the page, empty if unknown.

    References
    ----------
    [thesis], the three steps to the title of a page.
    """
    path = urlsplit(url).path if url else ""
    if url and path in ("", "/") and "?" not in url and plain(outline.title):
        whole = " ".join(outline.title.split())
        return Title((strip_site_tail(whole) or whole)[:MAX_TITLE_CHARACTERS])
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
    site_names: Sequence[str] = (),
    *,
    lines: Sequence[str] = (),
    links: Sequence[RawLink] = (),
    text: str = "",
    own_urls: Sequence[str] = (),
) -> Title:
    """Select the title of a page from its parts.

    Parameters
    ----------
    title : str
        Content of ``<title>``.
    headings : sequence of Heading
        Headings in document order.
    meta : mapping of str to str, optional
        Meta tags by name or property in lower case.
    anchor_hint : str
        Text of the link that led to the page.
    site_names : sequence of str
        Names of the site, in addition to those in ``meta``.
    lines : sequence of str
        Visible lines.
    links : sequence of RawLink
        Links of the page; their positions refer to ``text``.
    text : str
        Text of the outline.
    own_urls : sequence of str
        URL and canonical URL of the page.
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
            return Title(agreed[:MAX_TITLE_CHARACTERS])
        if stated and plain(stated) and plain(stated) in plain(title):
            return Title(stated[:MAX_TITLE_CHARACTERS])
    supported = not useless and (not lines or _is_repeated(stripped, text, lines))
    if supported and not _is_channel(stripped, links, text):
        return Title(stripped[:MAX_TITLE_CHARACTERS])
    if len(plain(stated)) >= _MIN_TITLE_CHARACTERS and not _is_useless(stated, "", names):
        return Title(stated[:MAX_TITLE_CHARACTERS])
    # From here on the result may depend on the anchor.
    hint = " ".join(anchor_hint.split())
    headline = find_headline(headings, lines, links, text, own_urls, (stated, hint))
    if headline is not None and headline.score >= (FAIR if useless else STRONG):
        return Title(headline.text[:MAX_TITLE_CHARACTERS], used_anchor_hint=True)
    if not useless:
        return Title(stripped[:MAX_TITLE_CHARACTERS], used_anchor_hint=True)
    doubtful = "" if headline is None else headline.text
    if len(plain(hint)) < _MIN_HINT or is_generic(hint):
        candidates = (stated, doubtful, hint, stripped)
    else:
        candidates = (stated, hint, doubtful, stripped)
    found = next((candidate for candidate in candidates if plain(candidate)), "")
    return Title(found[:MAX_TITLE_CHARACTERS], used_anchor_hint=True)


def _is_useless(
    stripped: str, stated: str, names: Sequence[str], headings: Sequence[Heading] = ()
) -> bool:
    """Whether the rest of ``<title>`` is not a headline: too short, a site's name, 显示.

    The name of an institution is the headline of the page about it if a heading is the same.
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
    """Whether the visible text repeats the title."""
    head = stripped[:20]
    if head in text:
        return True
    bare = plain(stripped)[:16]
    return any(bare in plain(line) for line in lines if len(line) <= len(stripped) + 40)


def _is_channel(stripped: str, links: Sequence[RawLink], text: str) -> bool:
    """Whether a short title is also the text of a link, and so the name of the page's channel."""
    if len(stripped) > _MAX_CHANNEL:
        return False
    return any(link_text(text, link).strip() == stripped for link in links)


def _agreeing(title: str, stripped: str, headings: Sequence[Heading]) -> str:
    """Return the heading that agrees best with ``<title>``, or the empty string.

    It must cover most of the title without tail, because the heading of a logo agrees with the tail.
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
