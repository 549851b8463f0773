"""Find the headline of a page as a reader does: large, and right above by-line and text.

Needed where ``<title>`` is empty, the name of the site, or the same on every page. Candidates are
headings, links to the page itself and the short lines above the running text. Each is scored:

| sign | points |
|---|---|
| link to the page's own URL (a blog's permalink) | 4 |
| the only h1; one of several h1, h2; h3 | 3; 2; 1 |
| one of several of its level on a page without running text (its sections) | 0 |
| class or id names a title | 1.5 |
| the next line is a by-line; the one after it | 3; 2 |
| the running text begins within 4 lines | 2 − 0.2 per line |
| first line of the page | 1 |
| agrees with og:title or the anchor that led to the page | 2 |
| link to another page, unless the text begins on the next line | −2 |
| looks like the name of a site or a box of the template | −4 |
| after the start of the running text | −2 |

The points are guesses, made on 14 pages of 12 sites whose ``<title>`` was not a title (2026-11).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.dates.visible_lines import is_byline
from topiccrawl.page.landmarks import find_text_start
from topiccrawl.page.outline import link_text
from topiccrawl.page.regions import region_by_names
from topiccrawl.page.title.site_names import is_generic, looks_like_name, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.page.outline import Heading, RawLink

#: Score from which a headline is preferred to a ``<title>`` that the page does not repeat.
STRONG = 4.5

#: Score from which a headline is preferred to the text of the link that led to the page.
FAIR = 2.5

_LEAST = 1.0
_MIN_CHARACTERS = 4
# Most characters of a plain line that may be a headline (a guess).
_MAX_LINE = 60
_LINES_ABOVE = 5
_HEADING_POINTS = {1: 2.0, 2: 2.0, 3: 1.0, 4: 1.5}
_MAX_HEADINGS = 40
# Breadcrumbs, numbered sections, subtitles.
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
    """A line that may be the page's headline, with its score."""

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
    """Return the candidate with the highest score, None if no candidate has enough points.

    Parameters
    ----------
    headings : sequence of Heading
        Headings in document order.
    lines : sequence of str
        Visible lines.
    links : sequence of RawLink
        Links of the page; their positions refer to ``text``.
    text : str
        Text of the outline.
    own_urls : iterable of str
        URL and canonical URL of the page.
    wanted : sequence of str
        Texts that the headline should agree with: ``og:title`` and the anchor.
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
        name = " ".join(link_text(text, link).split())
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
    agreeing = [plain(other) for other in wanted if len(plain(other)) >= _MIN_CHARACTERS]
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
        if any(bare in other or other in bare for other in agreeing):
            score += 2.0
        if score > (best.score if best is not None else _LEAST - 0.01):
            best = Headline(_TAIL.sub("", name), score)
    return best


def _by_place(lines: Sequence[str], at: int | None, start: int | None) -> float:
    """Return the points of a line for its position and its neighbors."""
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
    """Return the path of a URL without extension, which a permalink shares with its page."""
    path = url.partition("#")[0].rstrip("/")
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    path = path.lstrip("./")
    stem, dot, extension = path.rpartition(".")
    if dot and "/" not in extension and "?" not in extension and len(extension) <= 5:
        path = stem
    return path if len(path) >= 4 else ""
