"""The headline as a reader finds it: what stands large, and right above by-line and text.

Needed where ``<title>`` is empty, the site's name, or the same on every page. Candidates are
headings, links to the page itself and the short lines above the running text; each is scored:

| sign | points |
|---|---|
| link to the page's own URL (a blog's permalink) | 4 |
| the only h1; one of several h1, h2; h3 | 3; 2; 1 |
| one of several of its level on a page without running text (its sections) | 0 |
| class or id speaks of a title | 1.5 |
| the next line is a by-line; the one after it | 3; 2 |
| the running text begins within 4 lines | 2 − 0.2 a line |
| first line of the page | 1 |
| agrees with og:title or the anchor that led here | 2 |
| link to somewhere else, unless the text begins on the next line | −2 |
| looks like the name of a site or a box of the template | −4 |
| stands behind the beginning of the running text | −2 |

Guesses; made on 14 pages of 12 sites on which ``<title>`` was no title (2026-11).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.dates.visible_lines import is_byline
from topiccrawl.page.landmarks import find_text_start
from topiccrawl.page.regions import region_by_names
from topiccrawl.page.title.site_names import is_generic, looks_like_name, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.page.outline import Heading, RawLink

STRONG = 4.5
"""Score from which a headline is believed against a ``<title>`` that the page does not repeat."""

FAIR = 2.5
"""Score from which it is believed before the anchor text that led to the page."""

_LEAST = 1.0
_MIN_CHARACTERS = 4
_MAX_LINE = 60  # characters of a plain line that may be a headline (a guess)
_LINES_ABOVE = 5
_HEADING_POINTS = {1: 2.0, 2: 2.0, 3: 1.0, 4: 1.5}
_MAX_HEADINGS = 40
# Ways through the site, numbered sections, subtitles, boxes of the template.
_NO_HEADLINE = re.compile(
    r"^(?:首页|首頁|当前位置|當前位置|您(?:现在)?的位置|您当前|位置[:：]|[一二三四五六七八九十]{1,2}[、.]|\d{1,2}[、.．]|——|[(（][一二三四五六七八九十\d])"
    r"|>>| > |»|›|^[^\w]*$|：$"
)
_BOX = re.compile(
    r"^\W*(?:导航|導航|统计|公告|存档|存檔|归档|分类|分類|评论|評論|回复|留言|相关|相關|推荐|图文推荐|热门|热点|友情链接|最新|猜你|"
    r"搜索|登录|目录|菜单|标签|关于|联系|上一篇|下一篇|post comment|comments?|archives?|e-?mail"
    r"|share|subscribe|newsletters?|sign (?:up|in)|log ?in|advertisement|search|navigation|categories|tags|menu)",
    re.IGNORECASE,
)
_TAIL = re.compile(r"[\s\-_|]+$")


@dataclass(frozen=True, slots=True)
class Headline:
    """A line that may be the page's headline."""

    text: str
    score: float


def find_headline(
    headings: Sequence[Heading],
    lines: Sequence[str],
    links: Sequence[RawLink] = (),
    text: str = "",
    own_urls: Iterable[str] = (),
    wanted: Sequence[str] = (),
) -> Headline | None:
    """The best candidate, or None if none has a sign of being the headline.

    ``text`` is the outline's (the links' positions count in it), ``own_urls`` the page's URL and
    canonical URL, ``wanted`` what og:title and the anchor say.
    """
    place: dict[str, int] = {}
    for number, line in enumerate(lines):
        place.setdefault(line, number)
    start = find_text_start(lines)
    own = {_path(url) for url in own_urls if url} - {""}
    points: dict[str, float] = {}
    levels = Counter(heading.level for heading in headings)
    for heading in headings[:_MAX_HEADINGS]:
        worth = _HEADING_POINTS[heading.level]
        if heading.level == 1 and levels[1] == 1:
            worth = 3.0
        elif start is None and levels[heading.level] > 1:
            worth = 0.0
        points[heading.text] = max(points.get(heading.text, 0.0), worth)
    linked: dict[str, float] = {}
    for link in links:
        name = " ".join(text[link.start : link.end].split())
        if not _MIN_CHARACTERS <= len(name) <= 2 * _MAX_LINE:
            continue
        if own and _path(link.href) in own:
            points[name] = points.get(name, 0.0) + 4.0
            linked[name] = 0.0
        else:
            linked.setdefault(name, -2.0)
            if name not in points and _titled(link):
                points[name] = _HEADING_POINTS[4]
    if start is not None:
        for number in range(max(0, start - _LINES_ABOVE), start):
            if len(lines[number]) <= _MAX_LINE:
                points.setdefault(lines[number], 0.0)
    wishes = [plain(wish) for wish in wanted if len(plain(wish)) >= _MIN_CHARACTERS]
    best: Headline | None = None
    for name, worth in points.items():
        bare = plain(name)
        if len(bare) < _MIN_CHARACTERS or _NO_HEADLINE.search(name):
            continue
        at = place.get(name)
        score = worth + _by_place(lines, at, start)
        if at is None or start is None or start - at != 1:
            score += linked.get(name, 0.0)
        if looks_like_name(name) or is_generic(name) or _BOX.search(name):
            score -= 4.0
        if any(bare in wish or wish in bare for wish in wishes):
            score += 2.0
        if score > (best.score if best is not None else _LEAST - 0.01):
            best = Headline(_TAIL.sub("", name), score)
    return best


def _by_place(lines: Sequence[str], at: int | None, start: int | None) -> float:
    """Points for what stands around a line."""
    if at is None:
        return 0.0
    score = 1.0 if at == 0 else 0.0
    if is_byline(lines[at]):
        score -= 3.0
    for step in (1, 2):
        if at + step < len(lines) and is_byline(lines[at + step]):
            score += 4.0 - step
            break
    if start is not None:
        if at >= start:
            score -= 2.0
        elif start - at <= _LINES_ABOVE - 1:
            score += 2.0 - 0.2 * (start - at - 1)
    return score


def _titled(link: RawLink) -> bool:
    names = f"{link.attributes.get('class', '')} {link.attributes.get('id', '')}"
    return len(names) > 1 and region_by_names(names)[1]


def _path(url: str) -> str:
    """The last steps of a URL's path without extension: what a permalink shares with its page."""
    path = url.partition("#")[0].rstrip("/")
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    path = path.lstrip("./")
    stem, dot, extension = path.rpartition(".")
    if dot and "/" not in extension and "?" not in extension and len(extension) <= 5:
        path = stem
    return path if len(path) >= 4 else ""
