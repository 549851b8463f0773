"""The trail of a page: names of the channels that it belongs to, from breadcrumbs and metadata.

Portals write 首页 > 收藏 > 瓷器 > 正文 above an article.  The names of the channels are often the only words
of the topic on a page of pictures.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.page.landmarks import TRAIL_LABEL
from topiccrawl.page.regions import CLASS_CHARACTERS, in_dashes
from topiccrawl.page.title.site_names import split_fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from topiccrawl.page.outline import Outline

#: Longest text of a breadcrumb, in characters, longest name in it, and most names (guesses).
MAX_TRAIL_CHARACTERS: Final = 150
MAX_NAME_CHARACTERS: Final = 20
MAX_NAMES: Final = 8

#: Boxes and lines that are searched: breadcrumbs are at the top of a page, below its menus (guesses).
_MAX_BOXES: Final = 1_500
_MAX_LINES: Final = 120

_BOX: Final = re.compile(
    r"(?<![a-z])(?:bread-?crumbs?|bread|crumbs?|cur-?pos(?:ition)?|position|location|path(?:way)?|loca|where|local"
    r"|weizhi|wz|dqwz|mbx|mianbaoxie|place)(?![a-z])"
)
_HOME: Final = re.compile(r"(?:首页|首頁|主页|home)\s*(?:[>＞»›→》]|-->?)", re.IGNORECASE)
_SEPARATOR: Final = re.compile(
    r"\s*(?:[>＞»›→》|｜\n]+|-{2,}|::)\s*|\s+[-–—/·]\s+|(?<=[^\x00-\x7f])/"
)
_NOT_A_CHANNEL: Final = re.compile(
    r"(?:\S{0,6}(?:网站|频道))?(?:首页|首頁|主页|home(?: ?page)?)|正文|全文|内容|详情|详细(?:内容|信息)?"
    r"|新闻正文|文章(?:内容|正文|详情)|浏览文章"
    r"|(?:返回|回到).*|上一[页篇].*|下一[页篇].*|prev(?:ious)?|next|up|top|index|[\d\W_]*",
    re.IGNORECASE,
)
_END: Final = itemgetter(1)
_META_NAMES: Final = ("article:section", "og:article:section", "channel", "category", "section")


def trail_of(outline: Outline, lines: Sequence[str], title: str) -> list[str]:
    """Return the names of the channels of a page, without 首页 and the page's own *title*.

    From its JSON-LD, else from a box whose class or id names a breadcrumb, else from a line that begins like
    one; then from the metadata and from the fields that follow the title in ``<title>``.

    Parameters
    ----------
    outline : Outline
        The walked page.
    lines : sequence of str
        Its visible lines.
    title : str
        The title of the page.

    Returns
    -------
    list of str
        At most :data:`MAX_NAMES` different names, outermost first.
    """
    found = _stated(outline) or _in_box(outline) or _in_line(lines)
    found += [outline.meta[name] for name in _META_NAMES if name in outline.meta]
    found += [field for field in split_fields(outline.title) if field not in title]
    names = (" ".join(TRAIL_LABEL.sub("", name).split()) for name in found)
    return list(
        dict.fromkeys(
            name
            for name in names
            if 2 <= len(name) <= MAX_NAME_CHARACTERS
            and name != title
            and not _NOT_A_CHANNEL.fullmatch(name)
        )
    )[:MAX_NAMES]


def _stated(outline: Outline) -> list[str]:
    """Return the names of a BreadcrumbList in JSON-LD, without the last, which is the page."""
    for data in outline.json_ld:
        if "BreadcrumbList" not in data:
            continue
        try:
            names = list(_names(json.loads(data)))
        except (ValueError, RecursionError):
            continue
        if names:
            return names
    return []


def _names(data: Any, depth: int = 0) -> Iterator[str]:
    """Yield the names of the items of all breadcrumb lists in parsed JSON-LD."""
    if depth > 6:
        return
    if isinstance(data, list):
        for one in data:
            yield from _names(one, depth + 1)
    elif isinstance(data, dict):
        if data.get("@type") == "BreadcrumbList" and isinstance(data.get("itemListElement"), list):
            for item in data["itemListElement"]:
                inner = item.get("item") if isinstance(item, dict) else None
                for one in (item, inner):
                    name = one.get("name") if isinstance(one, dict) else None
                    if isinstance(name, str):
                        # JSON can spell half of a surrogate pair, which no tokenizer takes.
                        yield name.encode("utf-8", "replace").decode("utf-8")
                        break
        else:
            for one in data.values():
                if isinstance(one, dict | list):
                    yield from _names(one, depth + 1)


def _in_box(outline: Outline) -> list[str]:
    """Return the parts of the first box whose class or id names a breadcrumb."""
    boxes = outline.boxes
    for i, names in enumerate(boxes.names[:_MAX_BOXES]):
        if not names or not _names_trail(names[:CLASS_CHARACTERS]):
            continue
        start, end = boxes.starts[i], boxes.ends[i]
        if 2 <= end - start <= 2 * MAX_TRAIL_CHARACTERS:
            parts = _parts(outline, start, end)
            if len(parts) >= 2:
                return parts
    return []


# The boxes of one page and of the next have the same names.
@lru_cache(maxsize=8192)
def _names_trail(class_and_id: str) -> bool:
    return _BOX.search(in_dashes(class_and_id)) is not None


def _parts(outline: Outline, start: int, end: int) -> list[str]:
    """Return the parts of a span of the text: links, and what is between them, cut at separators."""
    text = outline.text
    borders = {start, end}
    # They are in the order of their ends, and thousands of boxes may be called paths.
    anchors = outline.anchors
    low, high = bisect_left(anchors, start, key=_END), bisect_right(anchors, end, key=_END)
    for first, last in anchors[low:high]:
        if first >= start:
            borders |= {first, last}
    cuts = sorted(borders)
    pieces = (text[a:b] for a, b in pairwise(cuts))
    parts = [part.strip() for piece in pieces for part in _SEPARATOR.split(piece)]
    return [part for part in parts if part]


def _in_line(lines: Sequence[str]) -> list[str]:
    """Return the parts of the first line that begins like a breadcrumb."""
    for line in lines[:_MAX_LINES]:
        if len(line) > MAX_TRAIL_CHARACTERS:
            continue
        prefix = TRAIL_LABEL.match(line)
        if prefix or _HOME.search(line):
            rest = line[prefix.end() :] if prefix else line
            parts = [part.strip() for part in _SEPARATOR.split(rest)]
            if len(parts) >= 2:
                return [part for part in parts if part]
    return []
