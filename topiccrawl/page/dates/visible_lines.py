"""Score the dates in a page's visible lines: which is its own publication date?

Each date is scored by position, label words and format:

| condition | points |
|---|---|
| any date | 1.5 |
| with a clock time | +2 |
| a publishing word before it (发布时间：, 发表于, posted) or after it (… 发布) | +3 |
| such a word elsewhere in the line (来源：侨报 2023-03-30) | +1.5 |
| other text in the line, per 80 characters | −1 |
| distance to the title, per line | −0.1, at most −2 |
| before the title | −0.5 |
| after the first comment or list of other pages | −2 |
| without label, after the start of the running text | −1.5 |
| without label, the day of the fetch before the title (the clock in a page's head) | −2 |
| 更新, 最新, 修改 before it; 成文, 印发, 制作, 公示 (a document's own date) | −2; −1 |
| relative (2小时前) | −1 |
| line of a reply (回复, 3楼, re:) | −1.5 |
| a line that ends like a sentence, without label; a date that begins one (4月26日，由 …) | −2 |

Running text is not a by-line: a date without label is ignored in a line of more than 80 other
characters and more than 20 lines from the title, and below 参考资料; so is one whose label names an event (会议时间,
报名截止, 出生日期) or a copyright, and so are the dates of a period. The numbers are guesses that were checked on
96 dated Chinese pages of 56 sites (2026-11).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.dates.formats import (
    CHINA_TIME,
    MONTHS,
    FoundDate,
    find_dates,
    normalize_digits,
)
from topiccrawl.page.dates.line_parts import MAX_LINES, copies_of, line_parts
from topiccrawl.page.dates.pieces import joined_pieces
from topiccrawl.page.patterns import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

#: Score from which a date with a clock time is preferred to a machine-readable one of the same day.
NEAR = 3.0

_PUBLISHING = (
    r"发布|发表|發布|發佈|发稿|發表|發稿|刊登|刊发|发文|公布|上传|上傳|录入|添加|提交|创建|上线|张贴|張貼|发帖|發帖"
    r"|登载|登載|转载|轉載|见报|见刊|出刊|首发|首發|投稿|公佈|發文|刊發|創建|pub(?:lish(?:ed)?)?|posted|date"
)
_LABEL = re.compile(
    rf"(?:{_PUBLISHING})(?:时间|日期|時間|于|於|在|on|at|date|：|:|\s)*[\s:：\]】)）|]*$"
    r"|(?:公[告开開]|建立|上[版稿架])(?:时间|日期|時間)[\s:：\]】)）|]*$"
    r"|(?:^|[^\u4e00-\u9fff]|文章|新闻|新聞|稿件|信息|更新|编辑)(?:时间|日期|時間|来源|來源)[\s:：\]】)）|]*$",
    re.IGNORECASE,
)
_LABEL_AFTER = re.compile(rf"\s{{0,2}}(?:由|在[^。]{{0,40}})?\s?(?:{_PUBLISHING})", re.IGNORECASE)
# In lower case, all alternatives on one level: a search looks for their first letters.
_BYLINE = re.compile(rf"{_PUBLISHING}|来源|來源|时间|時間|日期|作者|记者|記者|编辑|編輯")
# 【侨报转载】4月26日，由侨联主办的…: a sentence that begins with a date.
_PROSE = re.compile(r"\s?[，,]\s?[\u4e00-\u9fff]{2}")
# 供暖今日启动, 官方刚刚宣布, 今日推荐, 三年前的约定: words of a sentence or heading. In by-lines a mark, a space or one
# of these words follows (3天前发布, 昨天来自广东). All 75 such words in the lines of 228 real pages are of sentences
# (2026-11).
_TOLD = re.compile(
    r"(?![发發][布佈表帖稿]|更新|修改|[编編][辑輯]|[来來][自源]|回[复復覆]|[评評][论論]|[阅閱][读讀]|[浏瀏][览覽]|查看|"
    r"[点點][击擊赞讚]|[举舉][报報]|分享|收藏|作者|上[传傳线線]|[转轉][载載帖]|[张張][贴貼]|提[问問交]|[创創]建|[删刪]除)"
    r"[，,]?[\u4e00-\u9fff]{2}"
)
_EVENT = re.compile(r"(?P<word>[\u4e00-\u9fff]{2,6})(?:时间|日期|時間)\s*[:：为為]?\s*$")
# 来源：侨乡市人民政府办公室时间：, elements without a space between them: the name of the source is no event.
_VALUE = re.compile(r"(?:来源|來源|作者)\s?[:：]\s?[^\s:：]{2,40}(?:时间|日期|時間)\s?[:：]\s?$")
# 日 期：, 时 间：: templates and tables space labels of two characters out to the length of others.
_SPACED_LABEL = re.compile(r"(?P<first>[日时時])\s{1,4}(?P<last>[期间間])(?=\s{0,2}[:：])")
_OWN_EVENT = re.compile(
    rf"(?:{_PUBLISHING}|公[告开開]|建立|上[版稿架]|更新|修改|異動|异动|编辑|文章|新闻|新聞|稿件|信息|成文|印发|印發|签发|簽發|颁布|頒布|頒佈|生成|形成|产生|產生|制作|製作|[制製][发發]|撰写|撰寫|公文|文件|公示|上网|上網|[挂掛][网網]|入[库庫]|最后|最後|出版|来信|写信|投诉|留言|咨询|提问)$",
    re.IGNORECASE,
)
_NOT_ITS_OWN = re.compile(
    r"截止|截至|有效期|今天是|现在是|当前时间|北京时间|生日(?!期)|生于|注册|註冊|登录|至|到期|开馆|营业|服务|截稿"
    r"|报名|成立|创刊|加入"
)
# （2007年6月29日第十届全国人民代表大会常务委员会第二十八次会议通过）: the day of a law's adoption, below its title.
_ADOPTED = re.compile(r"[^，。；]{4,45}[会會][议議](?:[审審][议議])?(?:通[过過]|修[订訂正]|批准)")
_COPYRIGHT = re.compile(r"©|copyright|版权所有|版權所有|备案|備案|ICP|all rights", re.IGNORECASE)
_CHANGED = re.compile(
    r"更新|修改|异动|異動|最后|最後|最新|推荐|编辑于|updated|modified", re.IGNORECASE
)
_DOCUMENT = re.compile(
    r"成文|印[发發]|形成|[产產]生|[制製][作发發]|撰[写寫]|公示|生效|[实實]施|[废廢]止|[签簽][发發]|[颁頒][布佈]"
)
# 公告时间：2023-04-01至2023-04-08, 公告日期 …起: how long something is announced.
_PERIOD = re.compile(r"\s?(?:[至起]|[\-—–~～]{1,2}\s?\d)")
# 2018-06-23 14:00 - 2018-06-23 18:00: two dates, or two times of a day, are those of an event (none of 14 such lines
# of 700 pages has the day of publication, 2026-11).
_UNTIL = re.compile(
    r"\s?(?:[至到]|[\-—–~～]{1,2})\s?(?=(?:19|20)\d\d\s?[\-/.年]|\d{1,2}\s?月\s?\d|\d{1,2}[:：]\d\d)"
)
# 回复：212 counts the replies.
_REPLY = re.compile(
    r"回[复復覆](?!\s?[:：(（]?\s?\d)|(?<![\d楼])\d+\s?[楼樓#]|\bre[:：]", re.IGNORECASE
)
# Part of every format: "2023年4", "11月2", "10:05"; 年四, 月五; 小时前, 昨天, 今日, 刚刚; Jul 5.
_HINT = re.compile(r"[\d前刚剛昨今年]")
# The same in two patterns, of which one begins with a number and one with a letter, so that a search looks for these.
_NUMBERED_DATE = re.compile(
    r"[\d一二三四五六七八九十](?:(?<=\d)(?:\s*[年月\-/.:：]|\w{0,2}\s\w{1,2}月)|(?<!\d)\s?月\s?\d)"
)
_MONTHS = [it.capitalize() for it in MONTHS]
_NAMED_DATE = re.compile(
    r"年[一二三四五六七八九十]|月[一二三四五六七八九十]|今[天日]|昨[天日]|前[天日]|刚|剛|"
    + "|".join(f"{it}前" for it in "之以時时钟鐘天日周週期月年秒")
    + "|"
    + words(*_MONTHS)
    # Behind a name without a space: Jane DoeMarch 9.
    + "".join(rf"|{it}(?<=[a-z]{it})[a-z]{{0,6}}\.?\s\d" for it in _MONTHS)
)
_WEEKDAY = re.compile(r"星期|礼拜|(?:周|週)[一二三四五六日]|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)")
#: What :attr:`LineDate.cues` contains: a word of by-lines in the line; a sentence that begins with the date;
#: a line that ends like a sentence; words of a copyright in the line; words before the date that name a
#: change or a document; words in the line of a reply, of a day of the week.
CUES = (
    "byline", "prose", "sentence", "copyright", "changed", "document", "reply", "weekday",
)  # fmt: skip
# Most characters of a by-line besides the date; a longer line is running text (a guess).
_SHORT_LINE = 80
#: Dates that are returned at most: a bound of the time (a guess).
MAX_DATES = 150
# Copies of the title near which a date may be in pieces (a guess: a trail, a heading).
_COPIES = 3
# Characters of a line that are searched.
_LINE_CHARACTERS = 160
# A label in a cell of its own, 批准时间, above the date in the next one.
_CELL = re.compile(
    r"[\u4e00-\u9fff\s]{2,8}(?:时间|日期|時間)\s*[:：]?|有\s?效\s?期\s?[至限]?\s*[:：]?"
)
# A clock on a line of its own below the day, with label or zone: 9:30 AM MYT, Issued at HKT 15:05, 香港時間17時30分.
_CLOCK_BELOW = re.compile(
    r"(?:issued at\s|at\s|[\u4e00-\u9fff]{0,4}[时時][间間]\s?[:：]?\s?)?"
    r"(?P<clock>(?:HKT\s)?(?:[上下]午\s?)?[012]?\d(?:[:：][0-5]\d(?:[:：][0-5]\d)?|[时時點点][0-5]\d分)(?:\s?[ap]\.?m\.?)?)"
    r"(?:\s[A-Z]{2,4})?",
    re.IGNORECASE,
)
# Most characters of such a line.
_CLOCK_LINE = 24


@dataclass(frozen=True, slots=True)
class LineDate:
    """A date in a visible line, with what surrounds it."""

    found: FoundDate
    line: int
    score: float
    """Points of :func:`_score` and of its position; at most 0 it is hardly the page's own."""
    labeled: bool
    cues: tuple[bool, ...]
    """By position in :data:`CUES`."""
    rest: int
    """Characters of the line besides the date."""
    after: int | None
    """Lines from the last copy of the title above it, None if there is none."""
    before: int | None
    """Lines to the first copy of the title below it, None if there is none."""
    in_text: bool
    """Whether running text begins above it."""
    in_others: bool
    """Whether comments or links to other pages begin above it, below the title."""


def is_byline(line: str) -> bool:
    """Return whether a line looks like a by-line: short, a publishing word, a date or a name."""
    return (
        len(line) <= 2 * _SHORT_LINE
        and _BYLINE.search(line.lower()) is not None
        and (":" in line or "：" in line or _has_date(line))
    )


def _has_date(line: str) -> bool:
    return _NUMBERED_DATE.search(line) is not None or _NAMED_DATE.search(line) is not None


def is_told(found: FoundDate, line: str) -> bool:
    """Return whether a date in a line is a word of a sentence or headline (供暖今日启动)."""
    if not found.relative or found.yearless:
        return False
    just = line[found.start] in "刚剛"
    return (just or not found.has_time) and _TOLD.match(line, found.end) is not None


def visible_dates(
    lines: Sequence[str], title: str, now: datetime, year_by: datetime | None = None
) -> list[LineDate]:
    """Return the dates in the visible lines of a page, in their order, at most :data:`MAX_DATES`.

    Parameters
    ----------
    lines : sequence of str
        Visible lines of the page; the first :data:`MAX_LINES` are searched.
    title : str
        Its title, near which the date is expected.
    now : datetime
        Time of the fetch, with a time zone.
    year_by : datetime, optional
        Latest moment of dates without a year (default: ``now``).
    """
    copies = copies_of(lines, title)
    lines = joined_pieces(lines, copies[:_COPIES])
    today = now.astimezone(CHINA_TIME).date()
    dated = dict.fromkeys(
        number
        for number, line in enumerate(lines[:MAX_LINES])
        if _HINT.search(line) is not None and _has_date(line[:_LINE_CHARACTERS])
    )
    if not dated:
        return []
    parts = line_parts(lines, copies, dated)
    out: list[LineDate] = []
    for number in dated:
        line = _with_clock_below(lines, number)
        cell = lines[number - 1] if number and _CELL.fullmatch(lines[number - 1]) else ""
        after, before = parts.distances(number)
        in_text, in_others = number > parts.text, number >= parts.others
        for found in _without_periods(line, find_dates(line, now, year_by)):
            scored = _score(line, found, "" if found.start else cell)
            if scored is None:
                continue
            score, labeled, cues = scored
            if number > parts.literature and not labeled:
                continue
            is_today = found.moment.date() == today
            score = parts.score_at(number, score, labeled=labeled, is_today=is_today)
            rest = len(line) - (found.end - found.start)
            out.append(
                LineDate(
                    found, number, score, labeled, cues, rest, after, before, in_text, in_others
                )
            )
        if len(out) >= MAX_DATES:
            break
    return out


def _with_clock_below(lines: Sequence[str], number: int) -> str:
    """Return a line in plain digits, with the time of day that the line below it is."""
    line = normalize_digits(lines[number][:_LINE_CHARACTERS])
    following = lines[number + 1] if number + 1 < len(lines) else ""
    if len(line) > _SHORT_LINE or len(following) > _CLOCK_LINE:
        return line
    clock = _CLOCK_BELOW.fullmatch(normalize_digits(following))
    return line if clock is None else f"{line} {clock['clock']}"


def _without_periods(line: str, dates: Iterable[FoundDate]) -> Iterator[FoundDate]:
    """Yield the *dates* of a line that neither begin nor end a period."""
    until = -1
    for found in dates:
        period = _UNTIL.match(line, found.end)
        if period is not None or found.start == until:
            until = -1 if period is None else period.end()
        else:
            yield found


def _score(line: str, found: FoundDate, cell: str) -> tuple[float, bool, tuple[bool, ...]] | None:
    """Return the score of a date in a line by label and format, whether it has a label, and its cues.

    A label may be in the ``cell`` before the line.

    None if it is that of something else: running text, an event, a copyright.
    """
    before = line[max(0, found.start - 16) : found.start] or cell
    if " " in before:
        before = _SPACED_LABEL.sub(r"\g<first>\g<last>", before)
    after = line[found.end : found.end + 50]
    if is_told(found, line):
        return None
    prose = _PROSE.match(after) is not None
    labeled = not prose and (
        _LABEL.search(before) is not None or _LABEL_AFTER.match(after) is not None
    )
    rest = len(line) - (found.end - found.start)
    if rest > _SHORT_LINE and not labeled:
        return None
    event = _EVENT.search(before)
    # 楼主：番薯腔时间：2016-05-03 has a name before the label.
    named = event is not None and (
        before[: event.start()].endswith((":", "："))
        or _VALUE.search(line[max(0, found.start - 60) : found.start]) is not None
    )
    is_event = (
        event is not None
        and not named
        and (_OWN_EVENT.search(event["word"]) is None or _PERIOD.match(after) is not None)
    )
    copyright = _COPYRIGHT.search(line) is not None
    if is_event or _NOT_ITS_OWN.search(before) is not None or (copyright and not labeled):
        return None
    if not labeled and _ADOPTED.match(after) is not None:
        return None
    byline = not prose and _BYLINE.search(cell + line.lower()) is not None
    changed = _CHANGED.search(before) is not None
    document = _DOCUMENT.search(before) is not None
    reply = _REPLY.search(line) is not None
    ends = line.endswith(("。", "！", "；", "，"))
    weekday = _WEEKDAY.search(line) is not None
    cues = (byline, prose, ends, copyright, changed, document, reply, weekday)
    score = 1.5 + 2.0 * found.has_time - min(rest / _SHORT_LINE, 2.0)
    if labeled:
        score += 3.0
    elif byline:
        score += 1.5
    elif prose or ends:
        score -= 2.0
    if changed:
        score -= 2.0
    elif document:
        score -= 1.0
    if found.relative:
        score -= 1.0
    if reply:
        score -= 1.5
    return score, labeled, cues
