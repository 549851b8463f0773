"""Pages that are shells: their content is put in by scripts, and plain HTTP does not show it.

A shell is only suspected here.  Whether a browser finds more is tried once for each template: pages of one
application have the same elements with the same names, whatever their addresses.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.page.notcontent.features import layout_of
from topiccrawl.page.notcontent.recognition import SHELL_TEXT

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Links below which a page without text can be an empty application; a page of links is a list (a guess).
FEW_LINKS: Final = 5
#: Bytes of the HTML that are read: the elements of a shell are few (a guess).
_READ: Final = 200_000
#: Times as much text, and Han characters more, that a browser has to find (guesses: a date or a greeting
#: is no content).
_TIMES: Final = 2.0
_MORE: Final = 30.0
#: Links more that a browser has to find in a page without text: a list (a guess).
_MORE_LINKS: Final = 3

_SCRIPT: Final = re.compile(
    r"<script\b(?![^>]*\btype\s*=\s*[\"']?application/(?:ld\+)?json)", re.IGNORECASE
)
#: An element for content without any: ``<div id="app"></div>``, perhaps with a word such as 加载中.
_EMPTY: Final = re.compile(
    r"<(div|main|section|article|ul|ol|tbody|span|p|app-root|[a-z]+-[a-z-]+)\b[^>]*>"
    r"(?:\s|&nbsp;|<!--.{0,200}?-->|<(?:div|span|p|i|img|svg)\b[^>]*>|</(?:div|span|p|i|svg)>"
    r"|(?:正在)?(?:加载|载入)中?|请稍[候等后]|loading|please wait|[.…。，,]){0,12}</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
_WRITES: Final = re.compile(
    r"document\.write(?:ln)?\s*\(|\.innerHTML\s*=|\bfetch\s*\(|XMLHttpRequest|\$\.(?:get|ajax|getJSON)\b"
)
_NOSCRIPT: Final = re.compile(r"<noscript\b.{0,2000}?</noscript", re.IGNORECASE | re.DOTALL)
_ASKS: Final = re.compile(r"javascript|启用\s*js|开启\s*js|脚本", re.IGNORECASE)
_ELEMENT: Final = re.compile(r"<(?P<tag>[a-z][a-z0-9-]*)(?P<rest>[^>]*)>", re.IGNORECASE)
_NAME: Final = re.compile(r"\b(?:id|class)\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_SOURCE: Final = re.compile(r"\bsrc\s*=\s*[\"']?([^\"'\s>?#]+)", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+|[0-9a-f]{8,}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Content:
    """How much content a page shows."""

    text: float
    """Free text, in Han characters."""
    links: int

    def gains(self, rendered: Content) -> bool:
        """Whether *rendered*, the same page in a browser, shows content that this one does not."""
        more_text = rendered.text >= max(_TIMES * self.text, self.text + _MORE)
        return more_text or rendered.links >= self.links + max(_MORE_LINKS, self.links)


def content_of(page: Page) -> Content:
    """Return how much content *page* shows."""
    found = layout_of(page)
    return Content(found.free, len({link.href for link in page.outline.links}))


def may_be_shell(page: Page, content: Content) -> bool:
    """Whether scripts may put the content into *page*: it has hardly any text, and room for it."""
    if not page.looks_like_html or page.media_type:
        return False
    html = page.text[:_READ]
    if content.text >= SHELL_TEXT or not _SCRIPT.search(html):
        return False
    asks = any(_ASKS.search(it) for it in _NOSCRIPT.findall(html))
    if asks or _WRITES.search(html):
        return True
    if content.links < FEW_LINKS:
        return True
    return _EMPTY.search(html) is not None and "src" in html


def template_of(page: Page) -> str:
    """Return the signature of the template of *page*: its named elements and scripts, without texts."""
    found: set[str] = set()
    for match in _ELEMENT.finditer(page.text[:_READ]):
        tag, rest = match["tag"].lower(), match["rest"]
        if tag in ("a", "li", "meta", "link", "br", "p", "span", "option", "td", "tr"):
            continue
        pattern = _SOURCE if tag == "script" else _NAME
        names = [_DIGITS.sub("0", name) for name in pattern.findall(rest)]
        found.add(" ".join([tag, *names]))
    text = "\n".join(sorted(found))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
