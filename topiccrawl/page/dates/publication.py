"""Find the publication date of a page by a weighted vote.

Each source votes for a day with its weight, and the day with most votes wins:

| source | weight |
|---|---|
| JSON-LD ``datePublished`` and its Chinese variants | 5.5 |
| a meta tag for the time of publication | 5 |
| a visible line | its score, see ``visible_lines.py``: up to 6.5, 3.4 for a plain by-line |
| a meta tag or JSON-LD field for the creation, or for a date of any sort | 3 |
| ``<time datetime>`` (the first three) | 2.5 |
| one for the last change; the URL (``/2010/0505/``, ``/2016-05/05/``, ``t20160505_``) | 2 |

The clock time comes from the dates of that day: first a visible one of at least
``visible_lines.NEAR`` points (meta tags often contain the time at which the page was generated), then
machine-readable ones, then the rest. 00:00:00 means that only the day is known. A date without a year
(10-08 12:00) is the last one before the newest date in the metadata or URL, so that a page saved long
ago is not dated to this year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from topiccrawl.page.dates.formats import FoundDate, is_plausible, parse_field
from topiccrawl.page.dates.visible_lines import NEAR, score_visible_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def china_time() -> tzinfo:
    """Return China's time zone, a fixed +08:00 if no zone data is installed."""
    try:
        return ZoneInfo("Asia/Shanghai")
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no time zone data on this machine
        return timezone(timedelta(hours=8), "CST")


#: Zone of times without zone: Asia/Shanghai, or +08:00 where no zone data is installed.
CHINA_TIME: tzinfo = china_time()

_PUBLISHED_NAMES = (
    "article:published_time", "og:article:published_time", "bytedance:published_time",
    "og:published_time", "datepublished", "publishdate", "pubdate", "publish_date",
    "publish-date", "publish_time", "publishtime", "publish-time", "published_time", "published",
    "published-date", "weibo: article:create_at", "weibo:article:create_at", "article:create_at",
    "og:release_date", "parsely-pub-date", "sailthru.date", "dc.date.issued", "firstpublishedtime",
    "citation_publication_date", "article.published", "releasedate",
)  # fmt: skip
# Created, changed or plain "date": weaker, as templates put the time of generation there.
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
    """The vote of one source."""

    kind: str
    """A key of ``_WEIGHTS``, or ``line``."""
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
    """Return the time of publication of a page.

    Parameters
    ----------
    now : datetime
        Time of the fetch, to which 昨天 and dates without a year refer; without a time zone it is
        taken to be in ``zone``.
    lines : sequence of str
        Visible lines of the page.
    title : str
        Title of the page, near which a by-line is expected.
    meta : mapping of str to str, optional
        Meta tags by name or property in lower case.
    times : sequence of str
        The ``datetime`` attributes of ``<time>`` elements.
    json_ld : sequence of str
        Texts of the page's JSON-LD scripts.
    url : str
        URL of the page.
    zone : tzinfo
        Zone of the result and of times without zone.

    Returns
    -------
    datetime or None
        Midnight if only the day is known. Never later than a day after ``now``.
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
            Candidate("line", one.found.moment, _has_clock_time(one.found), one.score)
            for one in score_visible_dates(lines, title, now, zone, year_by)
        ),
    ]
    day = _vote(candidates)
    return None if day is None else _moment_of(day, candidates, zone)


def _has_clock_time(found: FoundDate) -> bool:
    clock = found.moment.time()
    return found.has_time and bool(clock.hour or clock.minute or clock.second)


def _stated(
    meta: Mapping[str, str],
    json_ld: Sequence[str],
    times: Sequence[str],
    now: datetime,
    zone: tzinfo,
) -> Iterator[Candidate]:
    """Yield the dates of the page's machine-readable fields."""
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
        found = parse_field(value, now, zone)
        if found is not None:
            yield Candidate(kind, found.moment, _has_clock_time(found), _WEIGHTS[kind])


def _vote(candidates: Sequence[Candidate]) -> date | None:
    """Return the day with most votes; of each kind of source only the best for a day counts."""
    votes: dict[date, dict[str, float]] = {}
    for one in candidates:
        kinds = votes.setdefault(one.moment.date(), {})
        kinds[one.kind] = max(kinds.get(one.kind, 0.0), one.weight)
    # Of equal days the first wins: dict keeps insertion order.
    return max(votes, key=lambda day: sum(votes[day].values()), default=None)


def _moment_of(day: date, candidates: Sequence[Candidate], zone: tzinfo) -> datetime:
    """Return the best clock time of a day, or its midnight."""
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
        # The same minute with its seconds, if any source has them.
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
            if is_plausible(moment, now):
                return moment
    return None
