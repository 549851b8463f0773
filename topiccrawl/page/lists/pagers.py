"""The addresses of the further pages of a list that no ordinary link of the page leads to.

Many lists number their pages in a script (``createPageHTML(9, 0, "index", "html")``, ``javascript:goPage(2)``), in
a choice, a form or the attributes of a button (加载更多), or link to the first pages and the last one only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from topiccrawl.page.hrefs import Resolver
from topiccrawl.page.lists.numbers import MOST_PAGES, PAGE_NAME, called_pages, total_pages
from topiccrawl.page.lists.scripts import (
    GAP,
    attribute_addresses,
    calls_usual_script,
    opened_addresses,
    templates,
    trs_pages,
)
from topiccrawl.page.paging.addresses import readings
from topiccrawl.page.paging.detection import page_link_sort
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topiccrawl.page.page import Page

#: Characters of a page that are searched (a guess: lists have some 100,000).
_MOST_CHARACTERS: Final = 1_000_000
#: Next pages of a list that become links of a page (a choice: what usual pagers show).
NEXT_PAGES: Final = 5
_FORM: Final = re.compile(r"<form\b([^<>]{0,500})>", re.IGNORECASE)
_FORM_END: Final = re.compile(r"</form", re.IGNORECASE)
_INPUT: Final = re.compile(r"<input\b([^<>]{0,400})>", re.IGNORECASE)
_VALUE: Final = r"\b{name}\s*=\s*[\"']?([^\"'\s<>]*)"
_NAME_OF_PAGE: Final = re.compile(PAGE_NAME, re.IGNORECASE)
_FORMS, _FORM_CHARACTERS = 5, 20_000
# A call, which javascript:; and javascript:void(0) are not.
_CALL: Final = re.compile(r"(?!\s*void\b)[^(]{2,60}\(")
# Each alternative begins with a character of its own, for the sake of the search.
_NEXT_WORDS: Final = re.compile(
    "|".join([*(f"{it}一?[页頁]" for it in "下后後"), "加载更多|載入更多|查看更多|点击更多"])
    + "|n(?i:ext)|N(?i:ext)"
)


def further_pages(page: Page) -> list[str]:
    """Return absolute URLs on the page's own host, in the order of their numbers, without the page's own.

    Some may not exist: how a script counts is known for the usual ones only.
    """
    total = total_pages(page.text[:_MOST_CHARACTERS])
    found = dict.fromkeys([*_scripted_pages(page, total), *_between(page, total)])
    further = set(next_pages(page))
    linked = {link.url for link in page.links if link.url not in further} | {page.url}
    return [url for url in found if url not in linked][: 2 * MOST_PAGES]


def next_pages(page: Page) -> list[str]:
    """Return the pages of a list that its script numbers after *page*, the nearest ones.

    They are what an ordinary pager links to.  Empty without the call of a usual script, or a page link (2, 下一页)
    that leads nowhere: most pages are not searched.
    """
    text = page.text[:_MOST_CHARACTERS]
    if not (calls_usual_script(text) or _leads_nowhere(page)):
        return []
    found = list(dict.fromkeys(_scripted_pages(page, total_pages(text))))
    if page.url in found:
        found = found[found.index(page.url) + 1 :]
    elif (own := max(_numbers(page.url), default=1)) > 1:
        found = [it for it in found if max(_numbers(it), default=own + 1) > own]
    return found[:NEXT_PAGES]


def _leads_nowhere(page: Page) -> bool:
    """Whether a page link calls a script."""
    text = page.outline.text
    return any(
        link.href[:1] in "jJ"
        and link.href[:11].lower() == "javascript:"
        and (_CALL.match(link.href, 11) or "onclick" in link.attributes)
        and page_link_sort(text[link.start : link.end].strip(), link.kind)[0] in ("number", "next")
        for link in page.outline.links
        if link.end - link.start <= 20
    )


def _scripted_pages(page: Page, total: int) -> list[str]:
    """Return absolute URLs on the page's own host that scripts, forms and attributes lead to, in their order."""
    text, resolver = page.text[:_MOST_CHARACTERS], Resolver(page.base_url, page.encoding)
    called = called_pages(text)
    last = max([total, *called, 0])
    numbers = range(1, last + 1) if total else called
    if not numbers and _NEXT_WORDS.search(text):
        numbers = [max(_numbers(page.url), default=1) + 1]
    leaf = page.url.partition("?")[0].rpartition("/")[2]
    hrefs = [*trs_pages(text, leaf), *opened_addresses(text)]
    patterns = [*templates(text), *_forms(text)] if numbers else []
    for address in attribute_addresses(text):
        if GAP in address:
            patterns.append(address)
        elif _numbers(resolver.resolve(address) or ""):
            hrefs.append(address)  # others are entries, boxes that lead to their page
    if called and not patterns:
        patterns = _own_patterns(page.url)
    hrefs += [it.replace(GAP, str(n)) for it in patterns for n in numbers or (2,)]
    host = host_of(page.url)
    urls = (url for url in map(resolver.resolve, hrefs) if url is not None)
    return [url for url in urls if host_of(url) == host][: 2 * MOST_PAGES]


def _numbers(url: str) -> list[int]:
    return [it.number for it in readings(url) if it.number is not None]


def _own_patterns(url: str) -> list[str]:
    """Return the page's own address with a gap for its number, if it has one."""
    return [
        pattern
        for it in readings(url)
        if it.number is not None
        if (pattern := _gap(url, it.number))
    ]


def _gap(url: str, number: int) -> str:
    """Return *url* with a gap in the place of its last *number*, empty if it has none."""
    path, mark, query = url.partition("?")
    of_query = re.search(rf"(?:^|&){PAGE_NAME}=(0*{number})(?=&|$)", query, re.IGNORECASE)
    if of_query is not None:
        start, end = of_query.span(1)
        return f"{path}?{query[:start]}{GAP}{query[end:]}"
    found = list(re.finditer(rf"(?<![0-9])0*{number}(?![0-9])", path))
    if not found or found[-1].start() < path.find("/", 8):
        return ""
    return f"{path[: found[-1].start()]}{GAP}{path[found[-1].end() :]}{mark}{query}"


def _between(page: Page, total: int) -> Iterator[str]:
    """Yield the pages between the linked ones: 1 2 3 … 50."""
    numbers: dict[str, dict[int, int]] = defaultdict(dict)
    for link in page.links:
        sort, said = page_link_sort(link.anchor or link.alt, link.kind)
        if sort not in ("number", "end"):
            continue
        for it in readings(link.url):
            if it.number is None or not (pattern := _gap(link.url, it.number)):
                continue
            if said is None or said - it.number in (0, 1):
                numbers[pattern][it.number] = it.number if said is None else said
    for pattern, known in numbers.items():
        last, least = max(known), min(known)
        if total and total - 1 <= MOST_PAGES and len(known) > 1:
            offset = max(said - number for number, said in known.items())
            last = max(last, total - offset)
        if len(known) > 1 and last <= MOST_PAGES:
            yield from (
                pattern.replace(GAP, str(n)) for n in range(least, last + 1) if n not in known
            )


def _forms(text: str) -> Iterator[str]:
    """Yield addresses with a gap that forms for a number of a page lead to (GET)."""
    for count, form in enumerate(_FORM.finditer(text)):
        if count >= _FORMS:
            break
        if re.search(r"\bmethod\s*=\s*[\"']?post", form[1], re.IGNORECASE):
            continue
        ending = _FORM_END.search(text, form.end(), form.end() + _FORM_CHARACTERS)
        if ending is None:
            continue
        fields = {
            name: _attribute(tag[1], "value")
            for tag in _INPUT.finditer(text, form.end(), ending.start())
            if (name := _attribute(tag[1], "name"))
        }
        pages = [name for name in fields if _NAME_OF_PAGE.fullmatch(name)]
        if len(pages) == 1:
            rest = urlencode({k: v for k, v in fields.items() if k != pages[0] and v})
            action = _attribute(form[1], "action").partition("?")[0]
            yield f"{action}?{rest}{'&' if rest else ''}{pages[0]}={GAP}"


def _attribute(tag: str, name: str) -> str:
    found = re.search(_VALUE.format(name=name), tag, re.IGNORECASE)
    return found[1].replace("&amp;", "&") if found is not None else ""
