"""When a page was published: from what it states, its lines near the title, and its URL.

Sources in order of trust: JSON-LD and meta tags; lines near the title, those with words like
发布时间 or 来源 first; ``<time>`` elements; the URL. A source that knows the day only is completed by
one that knows the minute of the same day. Dates in running text are dates of events, and a year in
the footer is a copyright: neither counts.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from topiccrawl.page.dateforms import Found, find_dates, normalise, plausible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def _china() -> tzinfo:
    try:
        return ZoneInfo("Asia/Shanghai")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no time zone data on this machine
        return timezone(timedelta(hours=8), "CST")


CHINA_TIME: tzinfo = _china()
"""Zone of times without zone: Asia/Shanghai, or +08:00 where no zone data is installed."""

_META_NAMES = (
    "article:published_time",
    "og:article:published_time",
    "bytedance:published_time",
    "og:published_time",
    "datepublished",
    "publishdate",
    "pubdate",
    "publish_date",
    "publish-date",
    "publish_time",
    "publishtime",
    "published_time",
    "weibo: article:create_at",
    "weibo:article:create_at",
    "article:create_at",
    "og:release_date",
    "og:time",
    "parsely-pub-date",
    "dc.date.issued",
    "dc.date",
    "dcterms.created",
    "date",
    "firstpublishedtime",
)
_JSON_DATE = re.compile(r'"(?:datePublished|pubDate|upDate)"\s*:\s*"([^"]{8,40})"')
_URL_DATES = (
    re.compile(
        r"/(?P<y>(?:19|20)\d\d)[/\-_]?(?P<m>0[1-9]|1[0-2])[/\-_]?(?P<d>[0-2]\d|3[01])(?=[/_.\-])"
    ),
    re.compile(r"/(?P<y>(?:19|20)\d\d)/(?P<m>1[0-2]|0?[1-9])[\-/](?P<d>[0-2]?\d|3[01])(?=[/_.\-])"),
    re.compile(r"[/_]t?(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?=[_.\-/]|\d{3,})"),
)
_LABEL = re.compile(
    r"(?:发布|发表|發布|發佈|发稿|發表|刊登|出版|上传|录入|添加|提交|创建)(?:时间|日期|時間|于|於|：|:)?"
    r"|时间|時間|日期|来源|來源|pubdate|published|posted",
    re.IGNORECASE,
)
_CHANGED = re.compile(r"更新|修改|最后|最後|updated", re.IGNORECASE)
_NOT_ITS_OWN = re.compile(
    r"©|copyright|版权|版權|备案|備案|ICP|截止|截至|有效期|浏览器|all rights|今天是|当前时间|生日|注册|註冊|登录|在线",
    re.IGNORECASE,
)
# What every form has: "2023年4", "11月2", "10:05"; 年四, 月五; 小时前, 昨天, 今日, 刚刚.
_HAS_DATE = re.compile(
    r"[\d\uff10-\uff19]\s*[年月\-/.:：]|[年月][一二三四五六七八九十]|[之以时時钟鐘天日周週期月年秒]前|[昨今前][天日]|[刚剛]"
)
_SHORT_LINE = 80  # characters: a by-line; a longer line is running text (a guess)
_LINES_BEFORE = 4
_LINES_AFTER = 20
_MAX_LINES = 120  # looked at when the title is not in the text
_LINE_CHARACTERS = 300


def find_published(
    *,
    now: datetime,
    lines: Sequence[str] = (),
    title: str = "",
    meta: Mapping[str, str] | None = None,
    times: Sequence[str] = (),
    json_ld: Sequence[str] = (),
    url: str = "",
    zone: tzinfo = CHINA_TIME,
) -> datetime | None:
    """Moment of publication in ``zone``, or None. Never later than a day after ``now``.

    ``lines`` are the visible lines of the page, ``times`` the ``datetime`` attributes of its
    ``<time>`` elements, ``now`` the time of the fetch (aware; a naive one is taken to be in
    ``zone``), to which 昨天 and dates without year refer. Midnight stands for "day only".
    """
    if now.tzinfo is None:
        now = now.replace(tzinfo=zone)
    stated = _stated(meta or {}, json_ld, now, zone)
    if stated is not None and stated.has_time:
        return stated.moment
    written = _written(lines, title, now, zone)
    marked = _first(times[:3], now, zone)
    candidates = [found for found in (stated, written, marked) if found is not None]
    if not candidates:
        return _in_url(url, now, zone)
    best = candidates[0]
    if not best.has_time:
        same_day = (c for c in candidates if c.has_time and c.moment.date() == best.moment.date())
        best = next(same_day, best)
    return best.moment


def _stated(
    meta: Mapping[str, str], json_ld: Sequence[str], now: datetime, zone: tzinfo
) -> Found | None:
    values = [match.group(1) for block in json_ld for match in _JSON_DATE.finditer(block)][:3]
    values += [meta[name] for name in _META_NAMES if name in meta]
    found = [one for value in values if (one := _first((value,), now, zone)) is not None]
    return next((one for one in found if one.has_time), found[0] if found else None)


def _first(values: Sequence[str], now: datetime, zone: tzinfo) -> Found | None:
    for value in values:
        for found in find_dates(normalise(value[:60]), now, zone):
            if not found.relative:
                return found
    return None


def _written(lines: Sequence[str], title: str, now: datetime, zone: tzinfo) -> Found | None:
    """The best date of the lines around the title."""
    at = _line_of_title(lines, title)
    first, last = (0, _MAX_LINES) if at is None else (max(0, at - _LINES_BEFORE), at + _LINES_AFTER)
    best: Found | None = None
    best_score = 0.0
    for number, line in enumerate(lines[first:last], first):
        line = line[:_LINE_CHARACTERS]
        if _HAS_DATE.search(line) is None:
            continue
        line = normalise(line)
        dates = list(find_dates(line, now, zone))
        if dates and _NOT_ITS_OWN.search(line):
            continue
        for found in dates:
            score = _score(line, found)
            if at is not None:
                score -= 0.1 * abs(number - at) + (0.5 if number < at else 0)
            if score > best_score:
                best, best_score = found, score
    return best


def _score(line: str, found: Found) -> float:
    """How much a date in a line looks like the page's own; positive if it may be."""
    before = line[max(0, found.start - 12) : found.start]
    labelled = _LABEL.search(before) is not None
    rest = len(line) - (found.end - found.start)
    if rest > _SHORT_LINE and not labelled:
        return -1.0
    score = 1.5 + 2.0 * found.has_time - rest / _SHORT_LINE
    if labelled:
        score += 3.0
    elif _LABEL.search(line):
        score += 1.5
    if _CHANGED.search(before):
        score -= 2.0
    if found.relative:
        score -= 1.0
    if line.endswith(("。", "！", "；")) and not labelled:
        score -= 2.0
    return score


def _line_of_title(lines: Sequence[str], title: str) -> int | None:
    """Number of the last line among the first hundreds that is the title."""
    if len(title) < 4:
        return None
    head = title[:20]
    hits = [
        number
        for number, line in enumerate(lines[:_MAX_LINES])
        if head in line and len(line) < len(title) + 40
    ]
    return hits[0] if hits else None


def _in_url(url: str, now: datetime, zone: tzinfo) -> datetime | None:
    path = url.partition("://")[2].partition("?")[0]
    for pattern in _URL_DATES:
        match = pattern.search(path)
        if match is not None:
            try:
                moment = datetime(int(match["y"]), int(match["m"]), int(match["d"]), tzinfo=zone)
            except ValueError:
                continue
            if plausible(moment, now):
                return moment
    return None
