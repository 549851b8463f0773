"""Where a page comes from: the name of its site, and the link of its source line."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Final

from topiccrawl.page.byline.labels import SHORT_LINE
from topiccrawl.page.byline.names import clean_source, is_medium
from topiccrawl.page.escapes import unescaped
from topiccrawl.page.title.site_names import (
    MAX_FIELD,
    looks_like_name,
    names_in_links,
    split_fields,
)
from topiccrawl.page.words_only import words_only

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from topiccrawl.page.links import Link
    from topiccrawl.page.outline import Outline

#: Meta tags with the name of the site, most certain first.
_NAME_TAGS: Final = (
    "og:site_name",
    "sitename",
    "site_name",
    "application-name",
    "apple-mobile-web-app-title",
)
#: Longest name of a site (a guess: 中共中央统战部网站 has 9 characters).
_LONGEST: Final = 24
_COPYRIGHT: Final = re.compile(
    r"(?:版权所有|版權所有|copyright|©|主办(?:单位)?|主辦(?:單位)?)\s{0,3}[:：]?"
    r"(?:[©\d\s\-–—年至.]|copyright|all rights reserved|by){0,30}"
    r"(?P<name>[\u4e00-\u9fffA-Za-z·]{3,20}?)(?:社|版权所有|版權所有|保留|all rights|[\s,，.。|©（(]|$)",
    re.IGNORECASE,
)
#: Lines at the end of a page that are searched for its copyright (a guess).
_LAST_LINES: Final = 15
#: Points of the places of a name (guesses): a meta tag states it, others only suggest it.
_META, _TAIL, _FRONT_LINK, _OWNER = 4, 2, 2, 1

_ORIGINAL: Final = re.compile(
    r"^(?:[>»\[【(（]*)\s*(?:阅读|閱讀|查看|点击(?:阅读|查看)?)?(?:原文|全文)(?:链接|地址|网址|出处|鏈接)?\s*[\]】)）>»]*$"
    r"|^(?:原文|来源|來源|文章)(?:链接|地址|网址|鏈接)$"
)
_OWN: Final = re.compile(
    r"(?:来源|來源|稿源|出处|出處)\s{0,2}[:：]\s{0,2}(?:本[站网網报報刊社台臺院校会會局馆館]|原创|原創|自采)"
    r"(?=原创|讯|訊|$|[\s,，|｜)）\]】])"
)
_LABEL: Final = re.compile(
    r"(?:来源|來源|出处|出處|稿源|转自|轉自|转载自|轉載自|摘自|原载|原文)\s*(?:于|自)?\s*[:：]?"
)

#: The title of an entry in the data of a script, and the medium beside it.
_ENTRY_TITLE: Final = re.compile(
    r"title(?<![\w-]title)[\"']?\s{0,3}:\s{0,3}[\"'](?P<title>[^\"'<>\n]{4,150})[\"']"
)
_ENTRY_MEDIUM: Final = re.compile(
    r"(?<![\w-])(?:media(?:_?[nN]ame)?|source(?:_?[nN]ame)?)[\"']?\s{0,3}:\s{0,3}[\"'](?P<name>[^\"'<>\n]{2,90})[\"']"
)
_BRACE: Final = re.compile("[{}]")
#: Characters of an entry before and behind its title that are read, titles that are compared (guesses: states have the
#: titles of other pages, too).
_ENTRY_REACH, _MOST_TITLES = 2_000, 40

#: Id of the body of the articles of WeChat.
WECHAT_BODY: Final = "js_content"
_WECHAT_NAME: Final = re.compile(
    r"\b(?:var\s+nickname\s*=|nick_name\s*:)\s*(?:htmlDecode\(|JsDecode\()?[\"']([^\"'<>\n]{1,60})[\"']"
)
#: The account as the page shows it: all that is left in a page saved without its scripts.
_WECHAT_SHOWN: Final = re.compile(
    r"(?:\bid=[\"']?(?:js_name|post-user)|\brich_media_meta_nickname)[\"']?[^<>]{0,200}>\s{0,200}"
    r"(?:<a[^<>]{0,300}>\s{0,200})?([^<>\s][^<>]{0,60}?)\s{0,200}<"
)

#: The author of its articles stands in an element without an id; the time in one with an id.
_WECHAT_AUTHOR: Final = re.compile(
    r"<(?:span|em) class=[\"']?rich_media_meta rich_media_meta_text[\"']?>\s{0,200}([^<>]{1,40}?)\s{0,200}</"
)


def site_name_of(
    outline: Outline, lines: Sequence[str], title: str, url: str, meta: Mapping[str, str]
) -> str:
    """Return the name of the site of a page as the page states it, ``""`` if nothing does.

    From meta tags, the end of ``<title>`` after the page's own *title*, links to the front page, and the
    copyright line; names in several of these places are preferred.
    """
    points: Counter[str] = Counter()
    for tag in _NAME_TAGS:
        if name := _short(meta.get(tag, "")):
            points[name] += _META
            break
    fields = split_fields(outline.title)
    if len(fields) > 1 and fields[-1] not in title and len(fields[-1]) <= MAX_FIELD:
        points[fields[-1]] += _TAIL + looks_like_name(fields[-1])
    for name in dict.fromkeys(names_in_links(outline.links, outline.text, url)):
        sure = looks_like_name(name) or is_medium(name) or name in points
        points[name] += _FRONT_LINK if sure else _OWNER
    for line in lines[-_LAST_LINES:]:
        match = _COPYRIGHT.search(line[:200])
        if match is not None:
            points[match.group("name")] += _OWNER
    points = Counter({name: n for name, n in points.items() if _is_name(name)})
    # Ties: the first found.
    return max(points, key=lambda name: points[name], default="")


def is_own_work(lines: Sequence[str]) -> bool:
    """Return whether the source line of a page names its own site: 来源：本站."""
    return any(len(line) <= SHORT_LINE and _OWN.search(line) is not None for line in lines)


def source_link(links: Sequence[Link], source: str, url: str) -> str:
    """Return the URL of the original that a page links to, ``""`` without such a link.

    That is a link in the source line whose text is the *source* or a URL, or one called 原文链接.
    """
    own = _bare(url)
    for link in links:
        if link.kind != "a" or _bare(link.url) == own:
            continue
        if _ORIGINAL.match(link.anchor):
            return link.url
        if _LABEL.search(link.context) and link.anchor:
            named = bool(source) and (link.anchor in source or source in link.anchor)
            if named or link.anchor.startswith(("http", "www.")):
                return link.url
    return ""


def own_entry(text: str, title: str) -> str:
    """Return the entry in the data of a page's scripts that has the page's title, ``""`` if there is none.

    Parameters
    ----------
    text : str
        The HTML.
    title : str
        Title of the page.

    Returns
    -------
    str
        What stands between the nearest braces before and behind the title.
    """
    plain = ""
    for match in islice(_ENTRY_TITLE.finditer(text), _MOST_TITLES):
        plain = plain or words_only(title)
        if plain and words_only(unescaped(match["title"])) == plain:
            before = text[max(0, match.start() - _ENTRY_REACH) : match.start()]
            behind = text[match.end() : match.end() + _ENTRY_REACH]
            return _BRACE.split(before)[-1] + match[0] + _BRACE.split(behind, maxsplit=1)[0]
    return ""


def medium_of_entry(entry: str) -> str | None:
    """Return the medium that an entry in the data of a script names, None if it names none.

    >>> medium_of_entry('{"title": "侨史馆开馆", "media": "央视新闻客户端", "media_id": "12"'), medium_of_entry("{")
    ('央视新闻客户端', None)
    """
    match = _ENTRY_MEDIUM.search(entry)
    return None if match is None else clean_source(unescaped(match["name"]))


def wechat_account(text: str) -> str:
    """Return the account that published an article of WeChat, ``""`` if the page is none.

    Parameters
    ----------
    text : str
        The HTML; the page shows the name with and without others.
    """
    if WECHAT_BODY not in text:
        return ""
    name = _WECHAT_NAME.search(text) or _WECHAT_SHOWN.search(text)
    return unescaped(name[1]).strip() if name is not None else ""


def wechat_author(text: str) -> str:
    """Return the author that an article of WeChat names above its account, ``""`` if there is none.

    Parameters
    ----------
    text : str
        The HTML.
    """
    found = _WECHAT_AUTHOR.search(text) if WECHAT_BODY in text else None
    return unescape(found[1]).strip() if found is not None else ""


def _short(name: str) -> str:
    name = " ".join(name.split())
    fields = split_fields(name)
    name = fields[0] if fields else name
    return name if 2 <= len(name) <= _LONGEST else ""


def _is_name(name: str) -> bool:
    """Whether a text can be the name of a site: not 专题, (新闻) or 苏ICP备13020714号."""
    return len(name) > 2 and name[0].isalnum() and name[-1].isalnum() and "ICP" not in name


def _bare(url: str) -> str:
    return url.partition("://")[2].partition("#")[0].rstrip("/")
