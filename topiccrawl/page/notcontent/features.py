"""What the recognition of pages without content looks at.

Words count by their share of the text that is not in links: of a block page nearly all, of an article
about captchas a part, of the line 请登录 in the header of an article next to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.page.body.blocks import han_length
from topiccrawl.page.notcontent.cues import along, has_strong, plain, strong
from topiccrawl.page.notcontent.cues import weak as weak_words
from topiccrawl.page.notcontent.kinds import NotContentKind

if TYPE_CHECKING:
    from topiccrawl.page.outline import Boxes
    from topiccrawl.page.page import Page

#: Free lines from the top that count as early; a guess: a notice stands in the first ones.
EARLY_LINES: Final = 6
#: Lines that are read, from the top. A guess: longer pages are content by their length.
MAX_LINES: Final = 300
#: Free text, in Han characters, above which a page is content (a guess: notices have some hundred).
MAX_FREE: Final = 800.0
#: Characters of the HTML in which scripts, forms and pictures are counted; a guess.
MAX_HTML: Final = 200_000
#: Han characters and marks of sentences from which a line without cues is running text (a guess).
LONG_LINE: Final = 40
#: Characters below which an element is empty: a word such as 加载中 (a guess).
_EMPTY: Final = 12
_CJK_PUNCTUATION = re.compile("[，。；：、]|, |[.] ")
_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*"(?:\w*Article|BlogPosting|Report|VideoObject|Product)"')
# Whom the notice addresses and of which page it speaks; numbers that support asks for.
_ADDRESS = re.compile(r"(?:at |for )?(?:https?:/)?/\S+")
_ADDRESSED = re.compile(
    r"您|你(?!们)|本页|[该此]页|[该此本](?:内容|文章|网站|系统)|当前|抱歉|对不起|sorry|requested|"
    r"\byou\b|\byour\b|this (?:page|site|website|content)"
)
_IDENTIFIER = re.compile(
    r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\b(?=[a-z-]*\d)[0-9a-f-]{12,}\b"
)
#: Text beside a notice that is next to nothing, in Han characters: less than a short bulletin (a guess).
_NOTHING: Final = 12.0
#: Free text, in Han characters, below which a page can be a bare notice; a guess: two sentences.
_BARE: Final = 60.0
#: Free text, and text in links, in Han characters, below which weak words count: a notice between the
#: navigation and a short list of other pages (guesses).
_WEAK: Final = 50.0
_LISTS: Final = 300.0
#: Size of a heading from which it can be a headline, in Han characters; a guess.
_HEADLINE: Final = 6.0
#: Share of a heading in words of a notice from which it is one; a guess.
_NOTICED: Final = 0.6
# Of HTML in lower case, which is searched much faster than HTML as it is with IGNORECASE.
_SCRIPT = re.compile(r"<script\b")
_PASSWORD = re.compile(r"""type\s*=\s*["']?password""")
_PICTURE = re.compile(r"<(?:img|video|audio|embed|object|canvas)\b")
_LEAVES = re.compile(
    r"location(?:\.href)?\s*=|location\.(?:replace|assign|reload)\s*\(|\]\.submit\(\)"
)
_FRAMES: Final = frozenset({"frame", "iframe", "refresh"})
#: Names of the elements in which scripts build a page, as class or id.
_MOUNTS: Final = re.compile(
    r"(?:^|\s)(?:app|root|__next|__nuxt|main-?app|[\w-]*-app|react-root|vue-app)(?:\s|$)"
)
_FOOTER: Final = re.compile(
    r"copyright|©|\(c\) ?\d{4}|版权所有|icp备|icp证|公网安备|公安备|技术支持|powered by|主办单位|承办单位|all rights|"
    r"(?:联系|客服|举报|服务)?(?:电话|热线|邮箱|地址|邮编)[:：]|许可证|营业执照|备案号"
)
_URL_WORDS: Final[dict[NotContentKind, re.Pattern[str]]] = {
    "soft-404": re.compile(r"(?:^|[/_.-])(?:404|error|notfound|not-found|nofound|err|500|410)(?:[/_.-]|$)"),
    "blocked": re.compile(r"(?:^|[/_.-])(?:403|denied|deny|block(?:ed)?|forbidden|waf|limit)(?:[/_.-]|$)"),
    "captcha": re.compile(r"captcha|verify|verif|challenge|antispider|punish|yanzheng|checkcode"),
    "login": re.compile(r"(?:^|[/_.-])(?:log-?in|sign-?in|passport|sso|cas|auth|oauth\w*|account)(?:[/_.-]|$)"),
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """The text of a page that is not in links, and the structure of its HTML, which is searched when it matters."""

    titles: tuple[str, ...]
    headings: tuple[str, ...]
    lines: tuple[str, ...]
    """Free lines: visible, most of the text not in links; as :func:`plain` returns them."""
    sizes: tuple[float, ...]
    """Their sizes in Han characters."""
    hidden: str
    """Text in ``noscript`` and hidden elements, cut."""
    free: float
    """Size of the free lines."""
    linked: float
    """Size of the text in links."""
    links: int
    frames: int
    """Frames, and addresses of a meta refresh."""
    html: str
    boxes: Boxes

    @cached_property
    def _markup(self) -> str:
        """The HTML in lower case, cut; few pages need it."""
        return self.html[:MAX_HTML].lower()

    @cached_property
    def scripts(self) -> int:
        """Number of scripts."""
        return len(_SCRIPT.findall(self._markup))

    @cached_property
    def pictures(self) -> int:
        """Number of images and other media."""
        return len(_PICTURE.findall(self._markup))

    @cached_property
    def password(self) -> bool:
        """Whether a form asks for a password."""
        return _PASSWORD.search(self._markup) is not None

    @cached_property
    def leaves(self) -> bool:
        """Whether a script leads to another address, or sends a form by itself."""
        return _LEAVES.search(self._markup) is not None

    @cached_property
    def empty_mount(self) -> bool:
        """Whether an element in which scripts build pages has no text."""
        return _has_empty_mount(self.boxes)

    @cached_property
    def text(self) -> str:
        """Titles, headings and free lines, one a line."""
        return "\n".join((*self.titles, *self.headings, *self.lines))

    @cached_property
    def ways_out(self) -> list[float]:
        """By free line, the size of the words that accompany all notices: apologies, ways out."""
        return [sum(han_length(match[0]) for match in along().finditer(it)) for it in self.lines]


def layout_of(page: Page) -> Layout | None:
    """Return the layout of *page*; ``None`` if it has more text than any notice."""
    outline = page.outline
    blocks = page.blocks
    if float((blocks.size * (1 - blocks.link))[blocks.link <= 0.5].sum()) > MAX_FREE:
        return None
    lines: list[str] = []
    sizes: list[float] = []
    linked = 0.0
    for text, size, link in zip(
        blocks.texts[:MAX_LINES], blocks.size.tolist(), blocks.link.tolist(), strict=False
    ):
        linked += size * link
        line = plain(text)
        if link <= 0.5 and not _FOOTER.search(line):
            lines.append(line)
            sizes.append(size * (1 - link))
    hidden = " ".join(outline.text[start:end] for start, end in outline.hidden[:20])
    titles = dict.fromkeys(plain(it) for it in (outline.title, page.stated_title) if it)
    return Layout(
        titles=tuple(titles),
        headings=tuple(plain(it.text) for it in outline.headings[:6]),
        lines=tuple(lines),
        sizes=tuple(sizes),
        hidden=plain(hidden),
        free=sum(sizes),
        linked=linked,
        links=len(outline.links),
        frames=sum(it.kind in _FRAMES for it in outline.links),
        html=page.text,
        boxes=outline.boxes,
    )


def _has_empty_mount(boxes: Boxes) -> bool:
    return any(
        end - start < _EMPTY and _MOUNTS.search(names.lower())
        for names, start, end in zip(boxes.names, boxes.starts, boxes.ends, strict=True)
        if names and len(names) < 100
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What indicates one kind, and the words that were found."""

    values: dict[str, float]
    """By the names of :data:`POINTS`."""
    words: str

    @property
    def points(self) -> float:
        """Sum of the points."""
        return sum(POINTS[name] * value for name, value in self.values.items())


#: Points of the evidence; a page is not content from :data:`THRESHOLD` on. Set by hand with the first
#: half of the made templates (``benchmarks/notcontent/first.py``), 2026-11: a logistic regression on them
#: learned the lengths of the made pages and of the manuals at hand instead.
POINTS: Final[dict[str, float]] = {
    "title": 0.8,
    "title_share": 1.2,
    "heading": 0.8,
    "early": 0.7,
    "line_share": 2.0,
    "word_share": 2.5,
    "along_share": 3.0,
    "nothing_else": 1.0,
    "addressed": 0.7,
    "identifiers": 1.2,
    "status": 1.0,
    "url": 1.0,
    "password": 1.5,
    "weak": -1.5,
    "length": -1.0,
    "running": -1.0,
    "headline": -2.6,
    "byline": -1.5,
    "dated": -0.7,
    "article": -1.5,
}
#: See :data:`POINTS`.
THRESHOLD: Final = 2.0


def evidence_of(
    page: Page, found: Layout, kind: NotContentKind, status: int, *, weak: bool = False
) -> Evidence | None:
    """Return the evidence that *page* is of *kind*; ``None`` without any of its words, or if it cannot suffice.

    With *weak*, the words are those that are cues on a page with next to no text only.
    """
    if weak and not _may_be_notice(found):
        return None
    # What is in a line is also in the text of all lines, which is searched at once.
    if not (weak_words(kind).search(found.text) if weak else has_strong(kind, found.text)):
        return None
    words = weak_words(kind) if weak else strong(kind)
    noticed = _notice(found, words)
    if not noticed.words:
        return None
    headline = _has_headline(found, strong(kind), urlsplit(page.url).netloc)
    free = max(found.free, 1.0)
    other = found.free - noticed.cued
    values = {
        "title": noticed.title,
        "title_share": noticed.title_share,
        "heading": noticed.heading,
        "early": noticed.early,
        "line_share": noticed.cued / free,
        "word_share": noticed.matched / free,
        "nothing_else": float(other < _NOTHING and found.free < _BARE),
        "along_share": min(0.5, noticed.beside / free),
        "addressed": noticed.addressed,
        "identifiers": float(any(_IDENTIFIER.search(line) for line in found.lines)),
        "status": float(not 200 <= status < 300),
        "url": float(_names_kind(page.url, kind)),
        "password": float(kind == "login" and found.password),
        "weak": float(weak),
        "length": log2(1 + found.free / 30),
        "running": log2(1 + noticed.running / 40),
        "headline": float(headline),
    }
    evidence = Evidence(values, noticed.words[:100])
    if evidence.points < THRESHOLD:
        return None
    # These take longer, and only lower the points.
    byline = page.byline
    values["byline"] = float(bool(byline.author or byline.source or byline.editor))
    values["dated"] = float(page.published is not None)
    values["article"] = float(_states_article(page))
    return evidence


def _may_be_notice(found: Layout) -> bool:
    """Return whether a page has next to no text, no headline and no list of links."""
    return (
        found.free < _WEAK
        and found.linked < _LISTS
        and not any(it in title for it in found.headings for title in found.titles)
    )


@dataclass(slots=True)
class _Notice:
    """Where the words of a kind are."""

    words: str = ""
    title: float = 0.0
    title_share: float = 0.0
    heading: float = 0.0
    early: float = 0.0
    addressed: float = 0.0
    cued: float = 0.0
    """Size of the lines with words of the kind, or such as accompany them."""
    matched: float = 0.0
    beside: float = 0.0
    running: float = 0.0
    """Size of the running text without any of the words."""


def _notice(found: Layout, words: re.Pattern[str]) -> _Notice:
    notice = _Notice()
    for text in found.titles:
        hits = [match[0] for match in words.finditer(text)]
        notice.words = notice.words or (hits[0] if hits else "")
        share = sum(map(len, hits)) / max(1, len(_ADDRESS.sub("", text)))
        notice.title_share = max(notice.title_share, min(1.0, share))
    notice.title = float(notice.title_share > 0)
    in_heading = next((m[0] for it in found.headings if (m := words.search(it))), "")
    notice.heading = float(bool(in_heading))
    notice.words = notice.words or in_heading
    lines = zip(found.lines, found.sizes, found.ways_out, strict=True)
    for number, (line, size, way_out) in enumerate(lines):
        hits = [match[0] for match in words.finditer(line)]
        if hits:
            notice.words = notice.words or hits[0]
            notice.matched += min(size, sum(map(han_length, hits)))
            notice.early = notice.early or float(number < EARLY_LINES)
            addressed = _ADDRESSED.search(line) is not None
            notice.addressed = notice.addressed or float(addressed)
        elif size >= LONG_LINE and not way_out and _CJK_PUNCTUATION.search(line):
            notice.running += size
        notice.cued += size if hits or way_out else 0.0
        notice.beside += way_out
    return notice


def _names_kind(url: str, kind: NotContentKind) -> bool:
    """Return whether the address names *kind*, as ``/404.html`` and ``passport.example.cn`` do."""
    parts = urlsplit(url)
    words = _URL_WORDS.get(kind)
    return words is not None and (
        words.search(parts.path.lower()) is not None
        or words.match(parts.netloc.lower()) is not None
    )


def _has_headline(found: Layout, strong: re.Pattern[str], host: str) -> bool:
    """Return whether the title is a heading of the page, and more than a notice or the host's name."""
    for heading in found.headings:
        if not any(heading in title for title in found.titles) or heading == host:
            continue
        own = _ADDRESS.sub("", heading)
        noticed = sum(len(match[0]) for match in strong.finditer(own))
        if han_length(own) >= _HEADLINE and noticed < _NOTICED * len(own):
            return True
    return False


def _states_article(page: Page) -> bool:
    stated = page.outline.meta.get("og:type", "").lower()
    return stated in ("article", "news") or any(
        _ARTICLE_TYPE.search(data) for data in page.outline.json_ld
    )
