"""Select the title of a page: the best of its candidates, by a learned model.

The candidates come from the three steps of [thesis], ``<title>`` without the names of site and channel,
the headings that agree with it, the headline above the text, and from the metadata of today's pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from topiccrawl.page.landmarks import find_text_start
from topiccrawl.page.learned import Choice, Floats, choice_of
from topiccrawl.page.title.candidates import MAX_LINE, candidates_in_steps
from topiccrawl.page.title.features import AT
from topiccrawl.page.title.kickers import below_kicker
from topiccrawl.page.title.labeled import labeled_title
from topiccrawl.page.title.site_names import (
    is_generic,
    looks_like_name,
    names_in_links,
    names_in_notices,
    plain,
    strip_site_tail,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.outline import Heading, Outline

#: Longer titles are cut (a guess: the longest headlines have about 60 characters).
MAX_TITLE_CHARACTERS = 200
#: Log odds from which a candidate is the title without a look at the link that led to the page.
SURE = 0.0
#: Log odds of a candidate from which plain lines, half of all candidates, are not looked at.  From 2 up no title of
#: 2,941 pages of sites left out is another one, as they are and altered; from 0 up 5 are (2026-11).
CERTAIN = 2.0
#: Log odds below which the title is the most probable beginning of ``<title>``, if that may be a title.  At
#: -3 the title is right on .72 of the altered pages that have it in ``<title>`` alone (.69 at -4, .77 at
#: -2), and on .56 of those with the name of the site in ``<title>`` and a headline that is not a heading (.61,
#: .50); on pages as they are it makes no difference (sites left out, 2026-11).
LEAST = -3.0
#: Log odds below which no candidate is taken, only what ``<title>`` says, unless that is a placeholder (a
#: guess); neither are lines behind the running text.
NOTHING = -4.0

# What a ``<title>`` is called that is not a title: a placeholder, the name of the site or of a channel.
_NAMES = [AT["generic"], AT["name"], AT["known_name"]]
_HEADINGS = [AT[it] for it in ("h1", "h2", "h3", "titled")]
_NAME_TAGS = ("og:site_name", "application-name", "sitename", "site_name", "author", "copyright")

# Characters of a stated title that are read (a guess: the longest have some 300).
_MAX_STATED: Final = 1_000
_COLONS: Final = (":", "：")
# The mark of a title that was cut: 市水利局组织党员干部赴河…. Fewest characters before it (a guess).
_CUT: Final = re.compile(r"\s*(?:…+|\.{2,})$")
_LEAST_BEFORE_CUT: Final = 6
# The sort of a thread or report before its title: [求助], 【记者即时播报】.
_SORT: Final = re.compile(r"[\[【［〔][^\[\]【】［］〔〕]{1,10}[\]】］〕]\s?(?=\S{4})")


@dataclass(frozen=True, slots=True)
class Title:
    """The selected title of a page."""

    text: str
    """Empty if the page states none."""
    used_anchor_hint: bool = False
    """Whether the selection considered the text of the link that led to the page."""
    without_sort: str = ""
    """Without the sort in brackets before it ([求助]), which the text of the page shows; empty if there is none."""


def title_of(
    outline: Outline,
    lines: Sequence[str],
    url: str = "",
    anchor_hint: str = "",
) -> Title:
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
        Text of the link that led to the page, empty if unknown; it counts where the page itself leaves
        the title in doubt.

    References
    ----------
    [thesis], the three steps to the title of a page.
    """
    path = urlsplit(url).path if url else ""
    if url and path in ("", "/") and "?" not in url and plain(outline.title):
        whole = " ".join(outline.title.split())
        return Title((strip_site_tail(whole) or whole)[:MAX_TITLE_CHARACTERS])
    model = choice_of("topiccrawl.page.title", "title.json")
    text, odds = _best(outline, lines, url, "", model)
    hint = " ".join(anchor_hint.split())
    used_hint = odds < SURE
    if used_hint and hint:
        text, odds = _best(outline, lines, url, hint, model)
    if odds == -np.inf:
        stated = " ".join(outline.title.split())
        text = "" if is_generic(stated) else strip_site_tail(stated)
    parts = outline.title, outline.meta.get("articletitle", ""), outline.meta.get("og:title", "")
    stated = "\n".join(it[:_MAX_STATED] for it in parts)
    text = _uncut(_whole(text, outline.headings, stated), outline, lines)
    text = below_kicker(_joined(text, lines, stated), outline, lines, stated)
    # A page with a form may be called like the form alone.
    called = text == " ".join(outline.title.split())
    if odds < CERTAIN or (called and all(it.text != text for it in outline.headings)):
        labeled = labeled_title(lines)
        text = labeled if labeled and labeled not in outline.title else text
    text = text[:MAX_TITLE_CHARACTERS]
    return Title(text, used_hint, _without_sort(text, outline.title))


def _whole(text: str, headings: Sequence[Heading], stated: str) -> str:
    """Return the heading that a title begins and a colon continues, if a stated title has all of it.

    >>> from topiccrawl.page.outline import Heading
    >>> _whole("回乡寻根", [Heading(3, "回乡寻根：三十年", 0)], "回乡寻根：三十年 侨乡社区")
    '回乡寻根：三十年'
    """
    if not text or text in stated.split("\n"):
        return text
    longer = (it.text for it in headings if it.text[len(text) : len(text) + 1] in _COLONS)
    return next((it for it in longer if it.startswith(text) and it in stated), text)


def _uncut(text: str, outline: Outline, lines: Sequence[str]) -> str:
    """Return the heading or line above the running text that a title was cut from, the title if none is.

    >>> from topiccrawl.page.outline import Outline
    >>> _uncut("江边的老茶馆…", Outline(), ["江边的老茶馆又开张了", "来源"])
    '江边的老茶馆又开张了'
    """
    begin = _CUT.sub("", text)
    if begin == text or len(begin) < _LEAST_BEFORE_CUT:
        return text
    above = [*(it.text for it in outline.headings), *lines[: find_text_start(lines)]]
    whole = (it for it in above if it.startswith(begin) and len(it) > len(begin))
    return next((it for it in whole if not _CUT.search(it) and len(it) <= MAX_LINE), text)


def _without_sort(text: str, stated: str) -> str:
    """Return a title without the sort in brackets before it, empty unless the stated title begins behind that.

    >>> _without_sort("[求助] 怎么修旧收音机", "怎么修旧收音机 - 无线电论坛")
    '怎么修旧收音机'
    """
    sort = _SORT.match(text)
    if sort is None or text in stated:
        return ""
    rest = text[sort.end() :]
    return rest if stated.lstrip().startswith(rest) else ""


def _joined(text: str, lines: Sequence[str], stated: str) -> str:
    """Return a title with the other lines of its heading, if a stated title has all of them without a break.

    >>> _joined("关于推进", ["关于推进", "养老服务的通知", "来源"], "关于推进养老服务的通知")
    '关于推进养老服务的通知'
    """
    if len(text) < 2 or text in stated.split("\n") or text not in stated or text not in lines:
        return text
    first = last = lines.index(text)
    while last + 1 < len(lines) and _continues(lines[last + 1], text + lines[last + 1], stated):
        last += 1
        text += lines[last]
    while first > 0 and _continues(lines[first - 1], lines[first - 1] + text, stated):
        first -= 1
        text = lines[first] + text
    return text


def _continues(line: str, joined: str, stated: str) -> bool:
    return joined in stated and not looks_like_name(line)


def _best(
    outline: Outline, lines: Sequence[str], url: str, hint: str, model: Choice
) -> tuple[str, float]:
    """Return the best candidate and its log odds, those of 0 if there is none.

    Plain lines are looked at only if no text that the page states, links or makes a heading is certain.
    """
    names = site_names(outline, url)
    own_urls = url, outline.canonical_href, outline.meta.get("og:url", "")
    for found in candidates_in_steps(outline, lines, names, own_urls, hint):
        odds = model.odds(found.matrix)
        if odds.max(initial=-np.inf) >= CERTAIN:
            break
    best = choose(found.matrix, odds)
    return ("", -np.inf) if best is None else (found.texts[best], float(odds[best]))


def choose(matrix: Floats, odds: Floats) -> int | None:
    """Return the number of the candidate that is the title, ``None`` if none is.

    Parameters
    ----------
    matrix : ndarray of float, shape (candidates, features)
        Features of the candidates.
    odds : ndarray of float, shape (candidates,)
        Their log odds.
    """
    if not len(odds):
        return None
    best = int(np.argmax(odds))
    if odds[best] < SURE and matrix[best, AT["known_name"]]:
        # In doubt a heading is the title rather than the name of the site.
        may_be = matrix[:, _HEADINGS].any(1) & (matrix[:, AT["known_name"]] == 0)
        headings = np.flatnonzero(may_be & (odds >= LEAST))
        if len(headings):
            return int(headings[np.argmax(odds[headings])])
    if odds[best] >= LEAST:
        return best
    begins = np.flatnonzero(matrix[:, AT["title_first"]])
    whole = matrix[matrix[:, AT["title_whole"]] > 0]
    if len(whole) and not whole[0, _NAMES].any():
        return int(begins[np.argmax(odds[begins])])
    return best if odds[best] >= NOTHING and not matrix[best, AT["after_text"]] else None


def site_names(outline: Outline, url: str) -> list[str]:
    """Return the names of the site that the page states, in links to its front page, metadata and notices."""
    stated = (outline.meta.get(name) for name in _NAME_TAGS)
    linked = names_in_links(outline.links, outline.text, url)
    return [*linked, *filter(None, stated), *names_in_notices(outline.text)]
