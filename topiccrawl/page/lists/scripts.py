"""Addresses that a page contains in its scripts and attributes only, as templates with a gap for a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from topiccrawl.page.lists.numbers import MOST_PAGES, PAGE_NAME

#: Place of the number in a template; no URL contains it.
GAP: Final = "\x00"
#: Strings of one kind that are looked at in one page (a guess).
_MOST: Final = 500

_QUOTED: Final = r"[\"']"
_VARIABLE: Final = r"\(?\s*+[\w.$]{1,40}(?:\([^()]{0,40}\))?(?:\s*+[-+]\s*+1)?\s*+\)?"
# "list_" + n + ".html", '?page=' + obj.curr, url + "&pageNo=" + (n+1)
_SUM: Final = re.compile(
    rf"{_QUOTED}([^\"'\s<>\\]{{1,200}}){_QUOTED}\s*+\+\s*+{_VARIABLE}"
    rf"(?:\s*+\+\s*+{_QUOTED}([^\"'\s<>\\]{{0,80}}){_QUOTED})?"
)
# "list" + "_" + n + "." + "html", as old scripts of TRS write it
_SPLIT_SUM: Final = re.compile(
    rf"{_QUOTED}([\w/.-]{{1,80}}){_QUOTED}\s*+\+\s*+{_QUOTED}_{_QUOTED}\s*+\+\s*+{_VARIABLE}\s*+\+\s*+"
    rf"{_QUOTED}\.{_QUOTED}\s*+\+\s*+{_QUOTED}(s?html?){_QUOTED}"
)
# In each of them.
_QUOTED_GAP: Final = re.compile(rf"{_QUOTED}_{_QUOTED}")
_LITERAL: Final = re.compile(r"`([^`\s<>$]{1,200})\$\{[^{}`]{1,60}\}([^`\s<>$]{0,80})`")
_BEFORE_PARAMETER: Final = re.compile(rf"[?&]{PAGE_NAME}=$", re.IGNORECASE)
_BEFORE_PART: Final = re.compile(r"(?:[_/-]|/(?:page|p|list|index))$", re.IGNORECASE)
_AFTER_PART: Final = re.compile(
    r"(?:\.(?:s?html?|jspx?|aspx?|php|do)(?:\?\S*)?|/(?:\?\S*)?)$", re.I
)

# A pattern that begins with letters is searched by them; hence the borders of words behind.
_TRS: Final = re.compile(r"createPage(?<!\wcreatePage)(?:HTML|Html)?\w{0,10}\(([^()]{3,300})\)")
_NAME: Final = re.compile(r"[\w/.-]*[A-Za-z_][\w/.-]*", re.ASCII)
# Words without which a page calls none of the usual scripts, searched by what they have in common.
_SIGN: Final = re.compile(r"Page(?:(?<=createPage)|(?<=countPage)|r\()")
_GROUP_SIGN: Final = "<nextgroup>"
# Pager({size:34, current:0, prefix:'index', suffix:'html'})
_PAGER: Final = re.compile(r"Pager\((?<!\wPager\()\s*\{([^{}]{10,300})\}")
_FIELD: Final = re.compile(r"[\"']?(\w{2,12})[\"']?\s*:\s*[\"']?([\w/.-]{1,80})")
# <nextgroup><![CDATA[<a href="/module/jpage/dataproxy.jsp?page=2&amp;columnid=7"></a>]]></nextgroup>
_NEXT_GROUP: Final = re.compile(
    r"<nextgroup>\s*<!\[CDATA\[\s*<a\s+href=[\"']([^\"'\s<>]{2,500})[\"']"
)
_TRS_VARIABLES: Final = re.compile(r"var(?<!\wvar)\s+countPage\s*=\s*([0-9]{1,5})")

_PLACEHOLDER: Final = re.compile(
    r"\{\{?\s*(?:page|p|n|num|pageno|pagenum|index)\s*\}?\}|%7Bpage%7D|__PAGE__|\[page\]|\(:num\)|%d",
    re.IGNORECASE,
)
# data-url="…", data-next-page="…", data-href=…
_DATA: Final = re.compile(
    r"<[^<>]{0,400}?\bdata-(?:[a-z]{1,12}-){0,2}(?:url|href|link|next|more|page|api|src|ajax)"
    r"\s*=\s*[\"']([^\"'\s<>]{2,500})[\"'][^<>]{0,400}>[^<>]{0,40}",
    re.IGNORECASE,
)
_ATTRIBUTES: Final = re.compile(
    r"\bdata-(?:[a-z]{1,12}-){0,2}(?:url|href|link|next|more|page|api|src|ajax)\s*=\s*"
    r"[\"']([^\"'\s<>]{2,500})[\"']",
    re.IGNORECASE,
)
_MORE: Final = re.compile(
    r"more|next|load|pag(?:e|ing|ination)|scroll|加载|載入|更多|[下后後]一?[页頁]|翻[页頁]|查看",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|css|js|mp[34]|ico)(?:$|\?)", re.IGNORECASE)
# onclick="location.href='/list_3.html'", href="javascript:window.open('5.html')"
_OPENED: Final = re.compile(
    r"(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\(|window\.open\(|\bopen\()\s*"
    r"(?:&quot;|[\"'])([^\"'\s<>&\\]{2,300}(?:&amp;[^\"'\s<>&\\]{1,100}){0,10})(?:&quot;|[\"'])\s*(?![\s+])"
)
_HANDLER: Final = re.compile(
    r"[oOhH](?<!\w.)(?i:(?<=o)n(?:click|change)|(?<=h)ref)\s*="
    r"\s*(?:\"(?=[^\"]{0,10}(?i:javascript|window|location|return|self|top))([^\"]{1,400})\"|'([^']{1,400})')"
)
_SELECT: Final = re.compile(r"<select\b([^<>]{0,500})>", re.IGNORECASE)
_SELECT_END: Final = re.compile(r"</select", re.IGNORECASE)
_OPTION: Final = re.compile(r"<option\b[^<>]{0,200}?\bvalue\s*=\s*[\"']?([^\"'\s<>]{1,300})", re.I)
_JUMPS: Final = re.compile(r"location|href|open|go|jump|page", re.IGNORECASE)
_SELECTS, _SELECT_CHARACTERS = 10, 60_000


def templates(text: str) -> list[str]:
    """Return addresses with :data:`GAP` in the place of a page's number that scripts put together.

    >>> [it.replace(GAP, "#") for it in templates("location.href='list.jsp?page='+n; x('img/'+a+'.gif')")]
    ['list.jsp?page=#']
    """
    found: dict[str, None] = {}
    for pattern in (_SUM, _LITERAL):
        for count, match in enumerate(pattern.finditer(text)):
            if count >= _MOST:
                break
            before, after = match[1], match[2] or ""
            if _BEFORE_PARAMETER.search(before) or (
                _BEFORE_PART.search(before) and _AFTER_PART.search(after)
            ):
                found[f"{before}{GAP}{after}"] = None
    for match in _SPLIT_SUM.finditer(text) if _QUOTED_GAP.search(text) else ():
        found[f"{match[1]}_{GAP}.{match[2]}"] = None
    return list(found)[:20]


def calls_usual_script(text: str) -> bool:
    """Return whether a page may call one of the scripts of :func:`trs_pages`."""
    return _SIGN.search(text) is not None or _GROUP_SIGN in text


def trs_pages(text: str, leaf: str) -> Iterator[str]:
    """Yield the pages of lists that the content systems of TRS and their relatives number in a script.

    ``createPageHTML(5, 0, "index", "html")`` counts from 0: index.html, index_1.html … index_4.html; with
    the id of an element before, ``createPageHTML('pages', 5, 1, 'index', 'html', 90)``, from 1: index_2.html …
    index_5.html.  ``Pager({size: 5, prefix: 'index', suffix: 'html'})`` counts from 0, and the lists of Hanweb
    (大汉) state the address of their next group.  *leaf* is the last part of the page's own path.
    """
    if not calls_usual_script(text):
        return
    for call in list(_TRS.finditer(text))[:5]:
        given = [it.strip("\"' \t\r\n") for it in call[1].split(",")]
        from_one = not given[0].isdecimal()
        numbers = [int(it) for it in given[from_one:] if it.isdecimal()]
        words = [it for it in given[from_one:] if _NAME.fullmatch(it)]
        if not numbers or len(words) < 2:
            continue
        name, ending = words[0], words[1].lstrip(".")
        for number in range(1, min(numbers[0], MOST_PAGES) + from_one):
            if number > from_one or not from_one:
                yield f"{name}_{number}.{ending}"
    for pager in list(_PAGER.finditer(text))[:5]:
        fields = dict(_FIELD.findall(pager[1]))
        size = fields.get("size", "")
        if size.isdecimal() and {"prefix", "suffix"} <= fields.keys():
            for number in range(1, min(int(size), MOST_PAGES)):
                yield f"{fields['prefix']}_{number}.{fields['suffix'].lstrip('.')}"
    for group in list(_NEXT_GROUP.finditer(text))[:5]:
        yield group[1].replace("&amp;", "&")
    if (counted := _TRS_VARIABLES.search(text)) is not None:
        name, dot, ending = leaf.rpartition(".")
        name = re.sub(r"_[0-9]{1,4}$", "", name) if dot else "index"
        for number in range(1, min(int(counted[1]), MOST_PAGES)):
            yield f"{name}_{number}.{ending if dot else 'html'}"


def attribute_addresses(text: str) -> Iterator[str]:
    """Yield addresses in attributes of elements, templates among them; those of pictures are left out."""
    for count, tag in enumerate(_DATA.finditer(text)):
        if count >= _MOST:
            break
        more = _MORE.search(tag[0]) is not None
        for found in _ATTRIBUTES.finditer(tag[0]):
            value = found[1].replace("&amp;", "&")
            name = found[0].partition("=")[0].lower().strip()
            plain = name in ("data-href", "data-url", "data-link")
            address = "/" in value or value.startswith("?") or re.search(r"\.s?html?", value)
            if not address or _FILE.search(value) or not (plain or more):
                continue
            if _BEFORE_PARAMETER.search(value):
                yield value + GAP
            else:
                yield _PLACEHOLDER.sub(GAP, value, count=1)


def opened_addresses(text: str) -> Iterator[str]:
    """Yield addresses that a click or a choice opens by a script in an attribute."""
    for count, handler in enumerate(_HANDLER.finditer(text)):
        if count >= _MOST:
            break
        for found in _OPENED.finditer(handler[1] or handler[2] or ""):
            yield found[1].replace("&amp;", "&")
    for count, select in enumerate(_SELECT.finditer(text)):
        if count >= _SELECTS:
            break
        if not _JUMPS.search(select[1]):
            continue
        ending = _SELECT_END.search(text, select.end(), select.end() + _SELECT_CHARACTERS)
        end = select.end() + _SELECT_CHARACTERS if ending is None else ending.start()
        for option in _OPTION.finditer(text, select.end(), end):
            value = option[1].replace("&amp;", "&")
            if not value.isdigit() and re.search(r"[/?]|\.s?html?$|\.(?:jsp|asp|php)", value):
                yield value
