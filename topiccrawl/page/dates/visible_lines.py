"""Which date of a page's visible lines is its own: each is scored by place, label words and form.

| what | points |
|---|---|
| any date | 1.5 |
| with a clock time | +2 |
| a publishing word before it (发布时间：, 发表于, posted) or behind it (… 发布) | +3 |
| such a word elsewhere in the line (来源：侨报 2023-03-30) | +1.5 |
| other text in the line, per 80 characters | −1 |
| distance to the title, per line | −0.1, at most −2 |
| before the title | −0.5 |
| behind the first comment or list of other pages | −2 |
| without label behind the beginning of the running text | −1.5 |
| with no label, the day of the fetch before the title (the clock of a page's head) | −2 |
| 更新, 最新, 修改 before it; 成文, 印发 (a document's own date) | −2; −1 |
| relative (2小时前) | −1 |
| line of a reply (回复, 3楼, re:) | −1.5 |
| line that ends like a sentence, without label; a date that begins a sentence (4月26日，由 …) | −2 |

Running text is no by-line: a date without label in a line of more than 80 other characters counts
for nothing, nor does one more than 20 lines from the title, nor one whose label names an event
(会议时间, 报名截止, 出生日期) or a copyright. The numbers are guesses that were checked on 96 dated
Chinese pages of 56 sites (2026-11).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.dates.formats import Found, find_dates, normalise

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

NEAR = 3.0
"""Score from which a date with a clock time is believed before a machine's field of that day."""

_PUBLISHING = (
    r"发布|发表|發布|發佈|发稿|發表|發稿|刊登|刊发|发文|公布|上传|上傳|录入|添加|提交|创建|上线|张贴|張貼|发帖|發帖"
    r"|登载|转载|轉載|见报|见刊|出刊|首发|首發|投稿|pub(?:lish(?:ed)?)?|posted|date"
)
_LABEL = re.compile(
    rf"(?:{_PUBLISHING})(?:时间|日期|時間|于|於|在|on|at|date|：|:|\s)*[\s:：\]】)）|]*$"
    r"|(?:^|[^\u4e00-\u9fff]|文章|新闻|新聞|稿件|信息|更新|编辑)(?:时间|日期|時間|来源|來源)[\s:：\]】)）|]*$",
    re.IGNORECASE,
)
_LABEL_BEHIND = re.compile(rf"\s{{0,2}}(?:由|在[^。]{{0,40}})?\s?(?:{_PUBLISHING})", re.IGNORECASE)
_BYLINE = re.compile(
    rf"(?:{_PUBLISHING})|来源|來源|时间|時間|日期|作者|记者|記者|编辑|編輯", re.IGNORECASE
)
# 【侨报转载】4月26日，由侨联主办的…: a sentence begins with the day of what it tells.
_PROSE = re.compile(r"\s?[，,]\s?[\u4e00-\u9fff]{2}")
_EVENT = re.compile(r"(?P<word>[\u4e00-\u9fff]{2,6})(?:时间|日期|時間)\s*[:：为為]?\s*$")
_OWN_EVENT = re.compile(
    rf"(?:{_PUBLISHING}|更新|修改|编辑|文章|新闻|新聞|稿件|信息|成文|印发|生成|最后|最後)$",
    re.IGNORECASE,
)
_NOT_ITS_OWN = re.compile(
    r"截止|截至|有效期|今天是|现在是|当前时间|北京时间|生日|生于|注册|註冊|登录|至|到期|开馆|营业|服务|截稿"
    r"|报名|成立|创刊|加入"
)
_COPYRIGHT = re.compile(r"©|copyright|版权所有|版權所有|备案|備案|ICP|all rights", re.IGNORECASE)
_CHANGED = re.compile(r"更新|修改|最后|最後|最新|推荐|编辑于|updated|modified", re.IGNORECASE)
_DOCUMENT = re.compile(r"成文|印发|生效|实施|废止")
_REPLY = re.compile(r"回复|回復|回覆|(?<![\d楼])\d+\s?[楼樓#]|\bre[:：]", re.IGNORECASE)
_BEHIND = re.compile(
    r"^\W{0,3}(?:(?:最新|网友|網友|全部|精彩|热门|用户|读者)?(?:评论|評論|回复|回復|留言|跟帖)(?!员)|相关(?:阅读|新闻|文章|推荐|链接|报道)"
    r"|相關|延伸阅读|延伸閱讀|推荐阅读|热门|熱門|猜你|上一篇|下一篇|上一条|下一条|Comments?\b|Related)",
    re.IGNORECASE,
)
# What every form has: "2023年4", "11月2", "10:05"; 年四, 月五; 小时前, 昨天, 今日, 刚刚; Jul 5.
_HINT = re.compile(r"[\d前刚剛昨今年]")
_HAS_DATE = re.compile(
    r"[\d\uff10-\uff19]\s*[年月\-/.:：]|[年月][一二三四五六七八九十]"
    r"|[之以时時钟鐘天日周週期月年秒]前|[昨今前][天日]|[刚剛]"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
)
_SHORT_LINE = 80  # characters: a by-line; a longer line is running text (a guess)
_LINES_BEFORE = 6
_MAX_LINES = 400  # looked at from there
_LINES_BEHIND = 40  # looked at behind the first comment: the first post of some forums is there
_FAR = 20  # lines from the title at which a date without label is someone else's (a guess)
_LINE_CHARACTERS = 160
_RUNNING = 60  # characters of a line from which it may be a paragraph (a guess)


@dataclass(frozen=True, slots=True)
class Written:
    """A date in a visible line with its score; below 0 it cannot be the page's own."""

    found: Found
    score: float
    line: int


def is_byline(line: str) -> bool:
    """Whether a short line has what by-lines have: a publishing word with a date or a name."""
    return (
        len(line) <= 2 * _SHORT_LINE
        and _BYLINE.search(line) is not None
        and (_HAS_DATE.search(line) is not None or ":" in line or "：" in line)
    )


def written_dates(
    lines: Sequence[str], title: str, now: datetime, zone: tzinfo, year_by: datetime | None = None
) -> list[Written]:
    """The dates that may be the page's own, in the order of the lines, each with its score."""
    at = line_of_title(lines, title)
    first = 0 if at is None else max(0, at - _LINES_BEFORE)
    today = now.astimezone(zone).date()
    out: list[Written] = []
    behind = in_text = False
    rest = _LINES_BEHIND
    for number in range(first, min(len(lines), first + _MAX_LINES)):
        line = lines[number]
        after_title = at is None or number > at
        if behind:
            rest -= 1
            if rest < 0:
                break
        elif after_title and starts_other_pages(line):
            behind = True
        if _HINT.search(line) is not None and _HAS_DATE.search(line, 0, _LINE_CHARACTERS):
            line = normalise(line[:_LINE_CHARACTERS])
            for found in find_dates(line, now, zone, year_by):
                score, labelled = _score(line, found)
                if at is not None and not labelled and abs(number - at) > _FAR:
                    continue
                if at is not None:
                    score -= min(0.1 * abs(number - at), 2.0) + (0.5 if number < at else 0.0)
                if behind:
                    score -= 2.0
                if in_text and not labelled:
                    score -= 1.5
                if not labelled and not in_text and found.moment.date() == today:
                    score -= 0.0 if at is not None and number > at else 2.0
                if score > 0:
                    out.append(Written(found, score, number))
        elif after_title and not in_text and len(line) >= _RUNNING and _is_sentence(line):
            in_text = True
    return out


def starts_other_pages(line: str) -> bool:
    """Whether a short line is the heading of comments or of links to other pages."""
    return len(line) <= 30 and _BEHIND.match(line) is not None


def _is_sentence(line: str) -> bool:
    return line.count("，") + line.count("。") + line.count(", ") >= 2


def _score(line: str, found: Found) -> tuple[float, bool]:
    """How much a date in a line looks like the page's own, and whether it has a label."""
    before = line[max(0, found.start - 16) : found.start]
    behind = line[found.end : found.end + 50]
    prose = _PROSE.match(behind) is not None
    labelled = not prose and (
        _LABEL.search(before) is not None or _LABEL_BEHIND.match(behind) is not None
    )
    rest = len(line) - (found.end - found.start)
    event = _EVENT.search(before)
    if (
        (rest > _SHORT_LINE and not labelled)
        or _NOT_ITS_OWN.search(before)
        or (event is not None and _OWN_EVENT.search(event["word"]) is None)
        or (_COPYRIGHT.search(line) and not labelled)
    ):
        return -1.0, labelled
    score = 1.5 + 2.0 * found.has_time - min(rest / _SHORT_LINE, 2.0)
    if labelled:
        score += 3.0
    elif not prose and _BYLINE.search(line):
        score += 1.5
    elif prose or line.endswith(("。", "！", "；", "，")):
        score -= 2.0
    if _CHANGED.search(before):
        score -= 2.0
    elif _DOCUMENT.search(before):
        score -= 1.0
    if found.relative:
        score -= 1.0
    if _REPLY.search(line):
        score -= 1.5
    return score, labelled


def line_of_title(lines: Sequence[str], title: str) -> int | None:
    """Number of the line that is the title: the first that is it exactly, or else contains it."""
    if len(title) < 2:
        return None
    head = title[:20]
    contains: int | None = None
    for number, line in enumerate(lines):
        if head in line:
            if line == title:
                return number
            if contains is None and len(line) < len(title) + 40:
                contains = number
    return contains
