"""What the recognition of pages without content looks at.

Words count by their share of the text that is not in links: of a block page nearly all, of an article
about captchas a part, of the line 请登录 in the header of an article next to nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.page.body.blocks import Blocks, blocks_of, han_length
from topiccrawl.page.notcontent.cues import cues, plain
from topiccrawl.page.notcontent.kinds import NotContentKind

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

#: Free lines from the top that count as early; a guess: a notice stands in the first ones.
EARLY_LINES: Final = 6
#: Lines that are read, from the top. A guess: longer pages are content by their length.
MAX_LINES: Final = 300
#: Characters of the HTML in which scripts, forms and pictures are counted; a guess.
MAX_HTML: Final = 200_000
#: Han characters and marks of sentences from which a line without cues is running text (a guess).
LONG_LINE: Final = 40
_CJK_PUNCTUATION = re.compile("[，。；：、]|, |[.] ")
_ARTICLE_TYPE = re.compile(r'"@type"\s*:\s*"(?:\w*Article|BlogPosting|Report|VideoObject|Product)"')
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_PASSWORD = re.compile(r"""type\s*=\s*["']?password""", re.IGNORECASE)
_PICTURE = re.compile(r"<(?:img|video|audio|embed|object|canvas)\b", re.IGNORECASE)
_MOUNT = re.compile(
    r"""<(?:div|main|section|app)[^>]*\bid\s*=\s*["']?(?:app|root|__next|__nuxt|main-?app|\w*-app|app-?\w*|react\w*|vue\w*|container)["'\s>]"""
    r"""|<app-root\b""",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"location(?:\.href)?\s*=|location\.(?:replace|assign|reload)\s*\(", re.IGNORECASE
)
_URL_WORDS: Final[dict[NotContentKind, re.Pattern[str]]] = {
    "soft-404": re.compile(r"(?:^|[/_.-])(?:404|error|notfound|not-found|nofound|err|500|410)(?:[/_.-]|$)"),
    "blocked": re.compile(r"(?:^|[/_.-])(?:403|denied|deny|block(?:ed)?|forbidden|waf|limit)(?:[/_.-]|$)"),
    "captcha": re.compile(r"captcha|verify|verif|challenge|antispider|punish|yanzheng|checkcode"),
    "login": re.compile(r"(?:^|[/_.-])(?:log-?in|sign-?in|passport|sso|cas|auth|oauth\w*|account)(?:[/_.-]|$)"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layout:
    """The text of a page that is not in links, and the structure of its HTML."""

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
    scripts: int
    pictures: int
    password: bool
    mounts: bool
    """Whether an element is named as those in which scripts build a page."""
    leaves: bool
    """Whether a script leads to another address."""
    frames: int
    """Frames, and addresses of a meta refresh."""


def layout_of(page: Page) -> Layout:
    """Return the layout of *page*."""
    outline = page.outline
    blocks: Blocks = blocks_of(outline)
    lines, sizes = [], []
    linked = 0.0
    for text, size, link in zip(
        blocks.texts[:MAX_LINES], blocks.size.tolist(), blocks.link.tolist(), strict=False
    ):
        linked += size * link
        if link <= 0.5:
            lines.append(plain(text))
            sizes.append(size * (1 - link))
    html = page.text[:MAX_HTML]
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
        scripts=len(_SCRIPT.findall(html)),
        pictures=len(_PICTURE.findall(html)),
        password=_PASSWORD.search(html) is not None,
        mounts=_MOUNT.search(html) is not None,
        leaves=_LEAVES.search(html) is not None,
        frames=sum(it.kind in ("frame", "iframe", "refresh") for it in outline.links),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one kind: the columns of the model, and the words that were found."""

    values: tuple[float, ...]
    words: str


#: Names of the columns.
NAMES: Final = (
    "title", "title_share", "heading", "early", "line_share", "word_share", "along_share",
    "length", "running", "links", "article", "dated", "status", "url", "password", "hidden",
)  # fmt: skip


def evidence_of(page: Page, found: Layout, kind: NotContentKind, status: int) -> Evidence | None:
    """Return the evidence that *page* is of *kind*; ``None`` without any of its words."""
    strong, along = cues().strong[kind], cues().along
    words = ""
    title_share = 0.0
    for text in found.titles:
        hits = [match[0] for match in strong.finditer(text)]
        words = words or (hits[0] if hits else "")
        title_share = max(title_share, sum(map(len, hits)) / max(1, len(text)))
    in_heading = next((m[0] for it in found.headings if (m := strong.search(it))), "")
    words = words or in_heading
    matched = cued = beside = early = running = 0.0
    for number, (line, size) in enumerate(zip(found.lines, found.sizes, strict=True)):
        hits = [match[0] for match in strong.finditer(line)]
        if hits:
            words = words or hits[0]
            cued += size
            matched += min(size, sum(han_length(hit) for hit in hits))
            early = early or float(number < EARLY_LINES)
        elif size >= LONG_LINE and _CJK_PUNCTUATION.search(line):
            running += size
        beside += sum(han_length(match[0]) for match in along.finditer(line))
    if not words:
        return None
    free = max(found.free, 1.0)
    url = _URL_WORDS.get(kind)
    path = urlsplit(page.url).path.lower() if page.url else ""
    host = urlsplit(page.url).netloc.lower() if page.url else ""
    meta = page.outline.meta.get("og:type", "").lower() in ("article", "news") or any(
        _ARTICLE_TYPE.search(data) for data in page.outline.json_ld
    )
    values = (
        float(title_share > 0),
        title_share,
        float(bool(in_heading)),
        early,
        cued / free,
        matched / free,
        min(1.0, beside / free),
        log2(1 + found.free / 30),
        log2(1 + running / 40),
        log2(1 + found.links / 10),
        float(meta),
        float(page.published is not None),
        float(not 200 <= status < 300),
        float(url is not None and (url.search(path) or url.match(host)) is not None),
        float(found.password and kind == "login"),
        0.0,
    )
    return Evidence(values, words[:100])
