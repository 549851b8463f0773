"""Pages that are shells: their content is put in by scripts, and plain HTTP does not show it.

A shell is only suspected here.  Whether a browser finds more is tried once for each template: pages of one
application have the same elements with the same names, whatever their addresses.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.page.notcontent.features import MAX_FREE
from topiccrawl.page.notcontent.recognition import SHELL_TEXT

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Links below which a page without text can be an empty application; a page of links is a list (a guess).
FEW_LINKS: Final = 5
#: Bytes of the HTML that are read: the elements of a shell are few (a guess).
_READ: Final = 200_000
#: Text that a browser has to find, in Han characters and as a share of what the page has (guesses: a date or
#: a greeting is not content).
_MORE: Final = 30.0
_MORE_SHARE: Final = 0.4
#: Links more that a browser has to find in a page without text: a list (a guess).
_MORE_LINKS: Final = 3

_SCRIPT: Final = re.compile(
    r"<script\b(?![^<>]*\btype\s*+=\s*+[\"']?application/(?:ld\+)?json)", re.IGNORECASE
)
#: What may be in an element for content before there is any: blanks, marks, a word such as 加载中.
_NOTHING: Final = (
    r"(?:\s|&nbsp;|<!--(?:(?!-->).){0,200}+-->|<(?:div|span|p|i|em|img|svg|ul|ol|tbody)\b[^>]{0,200}>"
    r"|</(?:div|span|p|i|em|svg|ul|ol|tbody)>|(?:正在|数据|内容|努力){0,3}(?:加载|载入|读取)(?:数据|内容)?+中?+"
    r"|请稍[候等后]|loading|please wait|[.…·。，,！!]){0,16}"
)
_EMPTY: Final = re.compile(
    rf"<(div|main|section|article|ul|ol|dl|table|tbody|td|h1|h2|center|span|p|[a-z]++-[a-z-]++)\b[^>]{{0,300}}>{_NOTHING}</\1\s*>",
    re.IGNORECASE | re.DOTALL,
)
#: Names of elements that are empty in pages with content, too: filled by services, or decoration.
_ASIDE: Final = re.compile(
    r"""\b(?:id|class)\s*=\s*["'][^"']{0,100}?(?:(?<![a-z])(?:ad|ads|top|time|date|clear|clearfix|cl|line|hr|blank"""
    r"""|bg|mask|map|tip|tips|btn|logo|icon)(?![a-z])|advert|banner|comment|pinglun|share|bdshare|qr|weixin|wechat"""
    r"""|page|pager|pagination|foot|copyright|nav|menu|search|login|weather|tianqi|count|stat|counter|back|float"""
    r"""|popup|modal|dialog|slide|swiper|arrow|scroll|shadow|spacer|divider)""",
    re.IGNORECASE,
)
#: Longest line of a foot, in Han characters (a guess); a longer one is a paragraph.
_FOOT_LINE: Final = 80.0
#: Lines at the foot of a page, which are not content (names, addresses and licenses of who runs it).
_FOOT: Final = re.compile(
    r"版权|copyright|©|备案|icp|网安备|主办|承办|主管单位|地址[:：]|电话[:：]|传真|邮编|邮箱|标识码|技术支持|分辨率|浏览器"
    r"|all rights|当前位置|您(?:现在)?的位置",
    re.IGNORECASE,
)
#: Placeholders of templates that scripts fill in: ``{{ article.title }}``.
_PLACEHOLDER: Final = re.compile(
    r">[^<]{0,80}\{\{[^{}<>]{1,80}\}\}|\s(?:v-html|v-text|v-for|ng-[a-z]+|data-bind|x-text|x-html)\s*="
)
_NOSCRIPT: Final = re.compile(r"<noscript\b.{0,2000}?</noscript", re.IGNORECASE | re.DOTALL)
_ASKS: Final = re.compile(r"javascript|启用\s*js|开启\s*js|脚本", re.IGNORECASE)
_ELEMENT: Final = re.compile(r"<(?P<tag>[a-z][a-z0-9-]*+)(?P<rest>[^<>]*+)>", re.IGNORECASE)
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
        more_text = rendered.text - self.text >= max(_MORE, _MORE_SHARE * self.text)
        return more_text or rendered.links >= self.links + max(_MORE_LINKS, self.links)


def content_of(page: Page) -> Content:
    """Return how much content *page* shows; lines at its foot are none."""
    found = page.layout
    links = len({link.href for link in page.outline.links})
    if found is None:
        return Content(MAX_FREE, links)
    lines = zip(found.lines, found.sizes, strict=True)
    text = sum(size for line, size in lines if size > _FOOT_LINE or not _FOOT.search(line))
    return Content(text, links)


def may_be_shell(page: Page, content: Content) -> bool:
    """Whether scripts may put the content into *page*: it has hardly any text, and room for it."""
    if not page.looks_like_html or page.media_type:
        return False
    html = page.text[:_READ]
    if content.text >= SHELL_TEXT or not _SCRIPT.search(html) or page.script_article is not None:
        return False
    if content.links < FEW_LINKS or _PLACEHOLDER.search(html) or _has_room(html):
        return True
    return any(_ASKS.search(it) for it in _NOSCRIPT.findall(html))


def _has_room(html: str) -> bool:
    """Whether there is an empty element that may be meant for content."""
    return any(not _ASIDE.search(found[0]) for found in _EMPTY.finditer(html))


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
