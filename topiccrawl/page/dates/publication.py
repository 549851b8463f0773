"""When a page was published: from what it states, its visible lines, and its URL.

Every source proposes a day with a weight, days are voted on, and the day with most votes wins:

| source | weight |
|---|---|
| JSON-LD ``datePublished`` and its Chinese kin | 5.5 |
| a meta tag that says published | 5 |
| a visible line | its score, see datelines.py: up to 6.5, 3.4 for a plain by-line |
| a meta tag or JSON-LD date that says created, changed or only date | 3 |
| ``<time datetime>`` (the first three) | 2.5 |
| the URL (``/2010/0505/``, ``/2016-05/05/``, ``t20160505_``) | 2 |

Then the clock time: of the dates of that day, first a visible one of at least ``datelines.NEAR``
points (a reader of the page is told that one; meta tags often hold the time at which the page was
generated), then what is stated, then the rest. 00:00:00 is no clock time but a day. A date without
a year (10-08 12:00) is the last one before the newest date that the page states or its URL holds,
so that a page saved long ago is not read as this year's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from topiccrawl.page.dates.formats import Found, find_stated, plausible
from topiccrawl.page.dates.visible_lines import NEAR, written_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def _china() -> tzinfo:
    try:
        return ZoneInfo("Asia/Shanghai")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no time zone data on this machine
        return timezone(timedelta(hours=8), "CST")


CHINA_TIME: tzinfo = _china()
"""Zone of times without zone: Asia/Shanghai, or +08:00 where no zone data is installed."""

_PUBLISHED_NAMES = (
    "article:published_time", "og:article:published_time", "bytedance:published_time",
    "og:published_time", "datepublished", "publishdate", "pubdate", "publish_date",
    "publish-date", "publish_time", "publishtime", "publish-time", "published_time", "published",
    "published-date", "weibo: article:create_at", "weibo:article:create_at", "article:create_at",
    "og:release_date", "parsely-pub-date", "sailthru.date", "dc.date.issued", "firstpublishedtime",
    "citation_publication_date", "article.published", "releasedate",
)  # fmt: skip
# Created, changed or plain "date": weaker, as templates write the time of generation there.
_OTHER_NAMES = (
    "date", "dc.date", "dcterms.created", "dc.date.created", "datecreated", "og:time",
    "uploaddate", "createdate", "article:modified_time", "datemodified", "dateupdate",
    "og:updated_time", "lastmod", "last-modified",
)  # fmt: skip
_CHANGED_NAMES = frozenset(_OTHER_NAMES[-5:])
_JSON_DATE = re.compile(
    r'"(datePublished|pubDate|publishTime|publish_time|dateCreated|uploadDate|upDate|dateModified)"'
    r'\s*:\s*"?([^",}]{8,40})'
)
_JSON_PUBLISHED = frozenset({"datePublished", "pubDate", "publishTime", "publish_time"})
_JSON_CHANGED = frozenset({"upDate", "dateModified"})
_WEIGHTS = {"json": 5.5, "meta": 5.0, "weak": 3.0, "changed": 2.0, "time": 2.5, "url": 2.0}
_URL_DATES = (
    re.compile(
        r"/(?P<y>(?:19|20)\d\d)[/\-_]?(?P<m>0[1-9]|1[0-2])[/\-_]?(?P<d>[0-2]\d|3[01])(?=[/_.\-])"
    ),
    re.compile(r"/(?P<y>(?:19|20)\d\d)/(?P<m>1[0-2]|0?[1-9])[\-/](?P<d>[0-2]?\d|3[01])(?=[/_.\-])"),
    re.compile(r"[/_]t?(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?=[_.\-/]|\d{3,})"),
)
_MAX_JSON_DATES = 4
_MAX_TIMES = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A date that one source proposes; ``kind`` is a key of the table above or ``line``."""

    kind: str
    moment: datetime
    has_time: bool
    weight: float


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
    stated = list(_stated(meta or {}, json_ld, times, now, zone))
    in_url = _in_url(url, now, zone)
    if in_url is not None:
        stated.append(Candidate("url", in_url, False, _WEIGHTS["url"]))
    year_by = max((one.moment for one in stated), default=None)
    candidates = [
        *stated,
        *(
            Candidate("line", one.found.moment, _exact(one.found), one.score)
            for one in written_dates(lines, title, now, zone, year_by)
        ),
    ]
    day = _vote(candidates)
    return None if day is None else _moment_of(day, candidates, zone)


def _exact(found: Found) -> bool:
    clock = found.moment.time()
    return found.has_time and bool(clock.hour or clock.minute or clock.second)


def _stated(
    meta: Mapping[str, str],
    json_ld: Sequence[str],
    times: Sequence[str],
    now: datetime,
    zone: tzinfo,
) -> Iterator[Candidate]:
    """What the page's machine-readable parts say."""
    values: list[tuple[str, str]] = []
    for block in json_ld:
        for match in _JSON_DATE.finditer(block):
            name = match.group(1)
            changed = "changed" if name in _JSON_CHANGED else "weak"
            values.append(("json" if name in _JSON_PUBLISHED else changed, match.group(2)))
            if len(values) >= _MAX_JSON_DATES:
                break
    values += [("meta", meta[name]) for name in _PUBLISHED_NAMES if name in meta]
    for name in _OTHER_NAMES:
        if name in meta:
            values.append(("changed" if name in _CHANGED_NAMES else "weak", meta[name]))
    values += [("time", value) for value in times[:_MAX_TIMES]]
    for kind, value in values:
        found = find_stated(value, now, zone)
        if found is not None:
            yield Candidate(kind, found.moment, _exact(found), _WEIGHTS[kind])


def _vote(candidates: Sequence[Candidate]) -> date | None:
    """The day with most votes: of each kind of source the best one for a day counts."""
    votes: dict[date, dict[str, float]] = {}
    for one in candidates:
        kinds = votes.setdefault(one.moment.date(), {})
        kinds[one.kind] = max(kinds.get(one.kind, 0.0), one.weight)
    # Of equals the one named first: dict keeps that order.
    return max(votes, key=lambda day: sum(votes[day].values()), default=None)


def _moment_of(day: date, candidates: Sequence[Candidate], zone: tzinfo) -> datetime:
    """The best clock time of a day, or its midnight."""
    exact = [one for one in candidates if one.has_time and one.moment.date() == day]
    lines = [one for one in exact if one.kind == "line"]
    best = max(lines, key=lambda one: one.weight, default=None)
    if best is None or best.weight < NEAR:
        best = max(
            (one for one in exact if one.kind != "changed" or len(exact) == 1),
            key=lambda one: one.weight,
            default=None,
        )
    if best is None:
        return datetime(day.year, day.month, day.day, tzinfo=zone)
    if best.moment.second == 0:
        # The same minute with its seconds, if someone knows them.
        same = (one.moment for one in exact if one.moment.second and _minute(one) == _minute(best))
        return next(same, best.moment)
    return best.moment


def _minute(one: Candidate) -> datetime:
    return one.moment.replace(second=0, microsecond=0)


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
