"""Readers' comments as records: who wrote what, and when.

The extractor selects the texts of the comments. Around them stand the names and times of their authors, in
the same order for all comments of a page: either before each text or behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from topiccrawl.page.dates.formats import find_dates
from topiccrawl.page.dates.visible_lines import is_told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from topiccrawl.page.outline import Outline

#: Comments of a page, at most: what readers' comments show on one page (a guess; most have up to 100).
MAX_COMMENTS = 500
#: Lines before the first text and behind the last one that may have its author and time (a guess: picture, name,
#: rank, place and time).
_AROUND = 5
#: Most characters of a line with a time that is not text (a guess: 某某 发表于 2023-04-01 10:05:33 来自 广东).
_META = 60
#: Most characters of an author's name (a guess: user names of forums have up to 15 Han characters).
_NAME = 24
_ENDS = "。！？!?；;，"
_ACTION = re.compile(
    r"回[复覆]|答复|点?[赞贊]|顶|踩|举报|舉報|支持|反对|[有没]用|分享|引用|收藏|关注|展开|收起|查看(?:对话|全部|更多)?|更多|评论|删除|编辑|提交"
    r"|只看(?:他|该作者)|楼主|作者|沙发|板凳|置顶|热评|精选|[楼樓条个]|\b(?:reply|like|report|share|quote|permalink|edit)s?\b|[\W\d_]",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^(?:(?:引用|举报|支持)\s)?(?:(?:#\d+|#?\d+\s*(?:楼|樓|#))[\s:：.、]*)?(?:网友|網友|用户|作者|昵称|会员|游客(?=\s)|发言人|评论人|by)?[\s:：]*",
    re.I,
)
_SAYS = re.compile(
    r"[\s:：,，|·\-]*(?:发表于|發表於|发布于|回复于|评论于|评论道|发表|说道|说|說|says?|said|wrote|on|at|于|於|(?<=\s)在|来自\S*|回复\S{0,20})?"
    r"[\s:：,，|·\-(（\[]*$",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"[网網]友|[上下]午|最[新热]|热门|全部|精彩|用户|读者|发表|我来|写|查看|收藏|一键登录|登[录錄]|发布|排序|关注|评论|評論|留言|跟帖|回复|讨论|刷新|成功"
    r"|内容|已关闭|该|人?参与|条|comments?|[\W\d_]",
    re.IGNORECASE,
)
_RE = re.compile(r"[#\s]*re\b", re.IGNORECASE)
_NOTICE = re.compile(
    r"(?:还|暂|目前)?时?(?:还)?(?:没有|无|未有)(?:任何|人)?(?:评论|留言|内容)|抢沙发|评论已关闭|登录后(?:评论|发表)"
)
#: Most characters of a notice that there are no comments (a guess).
_SHORT = 40
# 某某 说：, 某某 says: above the text; 写道 and wrote stand above quotations.
_SAID = re.compile(
    rf"[^:：，。！？]{{1,{_NAME}}}\s(?:说道?|說道?|says?|said)\s?[:：]", re.IGNORECASE
)
# 某某: 写得好
_NAMED = re.compile(r"([^\s:：，。！？][^:：，。！？\n]{0,22}?)\s*[:：]\s*(?=\S)")
# Places and floors behind names, and ranks of members.
_REGION = re.compile(r"\s*[\[【(（].*$|\s*#?\d+\s*[楼樓#]$|\s*lv\.?\s?\d{1,2}$", re.IGNORECASE)
# 某某 [北京网友] above the text
_READER = re.compile(r"([^\n]{1,24}?)\s*[\[【(（][^\n\]】)）]{0,20}网友[\]】)）]\n(?=.)", re.DOTALL)


class Comment(NamedTuple):
    """A comment of a reader."""

    author: str
    """Name as shown; empty if there is none."""
    time: str
    """ISO 8601 in the page's own clock, only the day if no clock time is stated; empty if there is none."""
    text: str
    """One line per paragraph."""


class _Line(NamedTuple):
    text: str
    chosen: bool
    box: int
    time: str
    rest: str
    """What stands before the time in the same line, or behind it."""


def comments_of(
    outline: Outline, offsets: Sequence[int], now: datetime, body: Sequence[int] = ()
) -> list[Comment]:
    """Return the comments of a page in their order.

    Parameters
    ----------
    outline : Outline
        The walked page.
    offsets : sequence of int
        Offset in the outline's text of each line of the comments, ascending.
    now : datetime
        Time of the fetch, to which 昨天 and the like refer.
    body : sequence of int
        Offset of each line of the main text, which has no names and times of comments.

    Returns
    -------
    list of Comment
        At most :data:`MAX_COMMENTS`. Linear in the size of the page.
    """
    if not offsets:
        return []
    lines = list(_lines(outline, offsets, now, body))
    first = next((i for i, line in enumerate(lines) if line.chosen), len(lines))
    timed = next((i for i, line in enumerate(lines) if line.time), None)
    if timed is None:
        found = _without_times(lines)
    elif timed < first or (timed == first and lines[timed].chosen) or _stand_above(lines):
        found = _times_first(lines)
    else:
        found = _times_last(lines)
    return [comment for comment in map(_named, found) if comment.text][:MAX_COMMENTS]


def _lines(
    outline: Outline, offsets: Sequence[int], now: datetime, body: Sequence[int]
) -> Iterator[_Line]:
    """Yield the lines from shortly before the first text to shortly behind the last one."""
    starts, texts, at = [], [], 0
    for raw in outline.text.split("\n"):
        text = " ".join(raw.split())
        if text:
            starts.append(at)
            texts.append(text)
        at += len(raw) + 1
    chosen = {bisect_right(starts, offset) - 1 for offset in offsets}
    boxes = _boxes(outline, starts)
    low, high = min(chosen), max(chosen)
    above = [i for i in (bisect_right(starts, offset) - 1 for offset in body) if i < low]
    for i in range(max([0, low - _AROUND, *above]), min(len(texts), high + _AROUND + 1)):
        if above and i == above[-1]:
            continue
        text = texts[i]
        date = None
        if len(text) <= _META and text[-1] not in _ENDS:
            dates = (it for it in find_dates(text, now) if not is_told(it, text))
            date = min(dates, key=lambda it: it.start, default=None)
        time, rest = "", ""
        # A text may mention a day.
        if date is not None and (i not in chosen or date.has_time):
            moment = date.moment.replace(tzinfo=None, microsecond=0)
            time = moment.isoformat() if date.has_time else moment.date().isoformat()
            rest = text[: date.start] if _name(text[: date.start]) else text[date.end :]
        is_text = i in chosen and not time and _SAID.fullmatch(text) is None
        yield _Line(text, is_text, boxes[i], time, rest)


def _boxes(outline: Outline, starts: Sequence[int]) -> list[int]:
    """Return the innermost box of each line that is not a paragraph."""
    boxes = outline.boxes
    found = []
    at, box = 1, 0
    for start in starts:
        while at < len(boxes) and boxes.starts[at] <= start:
            box, at = at, at + 1
        while box > 0 and boxes.ends[box] <= start:
            box = boxes.parents[box]
        outer = box
        if outer > 0 and boxes.tags[outer] == "p":
            outer = boxes.parents[outer]
        found.append(outer)
    return found


def _stand_above(lines: Sequence[_Line]) -> bool:
    """Return whether as many times stand right above texts as right below them."""
    above = below = 0
    for upper, lower in pairwise(lines):
        above += bool(upper.time) and lower.chosen
        below += upper.chosen and bool(lower.time)
    return above >= max(1, below)


def _times_first(lines: Sequence[_Line]) -> Iterator[Comment]:
    """Yield comments whose author and time stand before their text."""
    times = [i for i, line in enumerate(lines) if line.time]
    before = 0
    for n, i in enumerate(times):
        end = times[n + 1] if n + 1 < len(times) else len(lines)
        line = lines[i]
        author, at = _name(line.rest), -1
        for j in range(i - 1, max(before, i - 4) - 1, -1):
            if author or lines[j].chosen:
                break
            author, at = _name(lines[j].text), j
        inside = [x for x in lines[i + 1 : end] if x.chosen]
        if not author and inside:
            k = next(k for k in range(i + 1, end) if lines[k].chosen)
            author = next((name for x in lines[i + 1 : k] if (name := _name(x.text))), "")
        text = "\n".join(x.text for x in inside)
        if not text and n + 1 < len(times):
            # A short comment is not always selected, but the line above may be the next name.
            rest = [x.text for x in lines[i + 1 : end] if not _is_action(x.text)]
            text = rest[0] if rest and _name(lines[end].rest) else ""
        before = max(i + 1, at + 1)
        yield Comment(author, line.time, text)


def _times_last(lines: Sequence[_Line]) -> Iterator[Comment]:
    """Yield comments whose time stands behind their text."""
    start = 0
    for i, line in enumerate(lines):
        if not line.time:
            continue
        part = lines[start:i]
        start = i + 1
        text = "\n".join(x.text for x in part if x.chosen)
        author = _name(line.rest)
        for x in part:
            if x.chosen:
                break
            author = _name(x.text) or author
        yield Comment(author, line.time, text)


def _without_times(lines: Sequence[_Line]) -> Iterator[Comment]:
    """Yield comments without times: each run of texts in a box."""
    author, texts, box = "", list[str](), -1
    for line in lines:
        if line.chosen:
            if texts and line.box != box:
                yield Comment(author, "", "\n".join(texts))
                author, texts = "", []
            texts.append(line.text)
            box = line.box
            continue
        if texts:
            yield Comment(author, "", "\n".join(texts))
            author, texts = "", []
        author = _name(line.text) or author
    if texts:
        yield Comment(author, "", "\n".join(texts))


def _named(comment: Comment) -> Comment:
    """Return a comment without headings in its text, and with the name that begins it as its author."""
    lines = [line for line in comment.text.split("\n") if not _is_notice(line)]
    text = "\n".join(lines)
    found = _READER.match(text)
    if found is None and not comment.author:
        found = _NAMED.match(text)
    if found is None:
        return comment._replace(text=text)
    return Comment(found[1], comment.time, text[found.end() :])


def _is_notice(line: str) -> bool:
    return len(line) <= _SHORT and (_NOTICE.search(line) is not None or not _HEAD.sub("", line))


def _is_action(text: str) -> bool:
    return len(text) <= _META and not _ACTION.sub("", text)


def _name(text: str) -> str:
    """Return the name in a line of it, empty if it is none."""
    name = _SAYS.sub("", _LABEL.sub("", text.strip()[: 2 * _META]))
    name = (_REGION.sub("", name) or name).strip(" :：,，|·-[]【】()（）")
    if name.isdecimal() and len(name) > 4:
        return name
    if not name or len(name) > _NAME or _RE.match(name) or _is_action(name) or _is_notice(name):
        return ""
    return "" if name[-1] in _ENDS else name
