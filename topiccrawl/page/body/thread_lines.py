"""The short lines around posts: times, floors, buttons, links to members."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.page.body.joined_lines import JoinedLines
from topiccrawl.page.hrefs import leads_to_member, may_lead_to_members
from topiccrawl.page.patterns import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topiccrawl.page.body.blocks import Blocks
    from topiccrawl.page.body.features import Flags
    from topiccrawl.page.outline import Outline

#: Most characters of a line around a post (a guess: longer ones are posts).
_SHORT: Final = 60
_TIME: Final = re.compile(
    r"(?:19|20)\d\d\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}|\d{1,2}-\d{1,2}-(?:19|20)\d\d|\d{1,2}[-月]\d{1,2}日?\s\d{1,2}:\d\d"
    r"|(?:^|[\s·|:：])\d{1,2}月\d{1,2}日$"
    r"|\d\s?(?:秒|分|小时|天|日|周|星期|月|个月|年|小時|週|個月)[钟鐘]?[之以]?前|(?:昨天|今天|前天)"
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? (?:\d{1,2},? ?(?:\d{4}|'?\d\d\b|at)|\d{4})"
    r"|\d (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) ago"
    r"|(?:^|[\s·|])\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?(?=$|[\s·|,])"
    r"|\b\d{1,2}/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/\d\d"
    r"|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?=$|[\s·|,@])|\d\s?(?:mo|[hdwy])$"
)
# In every time, and in every floor number.
_TIME_HINT: Final = re.compile(r"[\d前昨今]")
_TIME_SIGN: Final = re.compile(
    r"\d\s?[-/.年月日天分秒小周星个個週]|[昨今前]天|\d\s?[mhdwy]|\d[ /][JFMASOND]|[JFMASOND][a-z]{2,8}\.? \d"
)
_CLOCK: Final = re.compile(r"\d{1,2}:\d\d|前|ago")
# Numbers, and names of months.
_VARYING: Final = re.compile(r"\d+|[A-Za-z]+")
_FLOOR: Final = re.compile(
    r"\d\s?[楼樓](?!\S*[上下层層])|^第\s?\d+\s?[楼樓]|(?:^|\s)#\d{1,4}\b|\b\d{1,4}#|楼主|樓主|沙发|板凳|地板"
)
_FLOOR_HINT: Final = re.compile("[楼樓#沙板地]")
_ACTIONS: Final = ("reply", "quote", "report", "like", "share", "permalink")
_ACTION: Final = re.compile(
    r"回复|回覆|引用|举报|檢舉|赞|讚|支持|反对|只看|收起|点评|评论"
    rf"|(?:{words(*_ACTIONS, *map(str.capitalize, _ACTIONS))})\b"
)
# What is beside a time that is no name.
_BESIDE: Final = re.compile(
    rf"[\W\d年月日于於]+|\b(?:{words('at', 'on', 'am', 'pm', 'AM', 'PM', 'UTC', 'GMT', 'Date', 'Posted', 'Created')})\b"
    "|(?:发[表布]|發[表佈]|注册|更新|创建|添加|评论)?(?:时间|時間|日期)|发[表布]|發[表佈]|评论"
)
#: Most characters of the text of a link to a member (a guess: most user names of forums have up to 8 Han characters).
_NAME: Final = 12


@dataclass(frozen=True, slots=True)
class ThreadLines:
    """What the short lines of a page are; arrays of shape (blocks,)."""

    text: str
    """All of them, one below the other; longer ones are empty."""
    own: list[str]
    """Those outside of links, which name channels of the site, such as 评论 and 博客, and other questions."""
    time: Flags
    floor: Flags
    action: Flags
    member: Flags
    """Lines with a link to a member of the site."""


def thread_lines(outline: Outline, blocks: Blocks) -> ThreadLines:
    """Return the short lines of a page."""
    short = [text if len(text) <= _SHORT else "" for text in blocks.texts]
    joined = JoinedLines(short, "\n")
    time, floor = np.zeros(len(short), bool), np.zeros(len(short), bool)
    for i in np.flatnonzero(joined.matching(_TIME_HINT)).tolist():
        line = short[i]
        time[i] = _TIME_SIGN.search(line) is not None and _TIME.search(line) is not None
    for i in np.flatnonzero(joined.matching(_FLOOR_HINT)).tolist():
        floor[i] = _FLOOR.search(short[i]) is not None
    unlinked = (blocks.link < 0.5).tolist()
    own = [line if it else "" for line, it in zip(short, unlinked, strict=True)]
    return ThreadLines(
        joined.text, own, time, floor, joined.matching(_ACTION), _has_member(outline, blocks)
    )


def beside_time(text: str) -> str:
    """Return what a line has beside its time and buttons, such as a name, without white space.

    >>> beside_time("山外青 发表于 2014-03-01 12:30 回复")
    '山外青'
    """
    return _BESIDE.sub("", _ACTION.sub("", _TIME.sub("", text)))


def has_clock(text: str) -> bool:
    """Return whether a line with a time has one of the day, or one relative to now."""
    return _CLOCK.search(text) is not None


def is_label(text: str) -> bool:
    """Return whether the text of a link is a number, a button, a floor or a time."""
    return text.isdigit() or any(it.search(text) is not None for it in (_ACTION, _FLOOR, _TIME))


def time_formats(texts: list[str], time: Flags, part: Iterable[int]) -> set[str]:
    """Return in which formats the lines with a time among some are written."""
    found = (_TIME.search(texts[i]) for i in part if time[i])
    times = (match[0].strip() for match in found if match is not None)
    return {"ago" if it.endswith(("前", "ago")) else _VARYING.sub("0", it) for it in times}


def _has_member(outline: Outline, blocks: Blocks) -> Flags:
    member = np.zeros(len(blocks), bool)
    brief = [it for it in outline.links if 0 < it.end - it.start <= _NAME]
    if not may_lead_to_members([it.href for it in brief]):
        return member
    found = [it for it in brief if leads_to_member(it.href)]
    if found:
        # A page does not state its own host; members of another are authors of news.
        hosts = Counter(host for it in outline.links if (host := _host_of(it.href)))
        own = ("", max(hosts, key=hosts.__getitem__, default=""))
        starts = [it.start for it in found if _host_of(it.href) in own]
        member[np.searchsorted(blocks.starts, starts, side="right") - 1] = True
    return member


def _host_of(href: str) -> str:
    return href.split("/", 3)[2] if href.startswith(("http://", "https://", "//")) else ""
