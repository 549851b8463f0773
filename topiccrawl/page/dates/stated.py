"""Dates in the machine-readable fields of a page: meta tags, JSON-LD, ``<time>`` and the URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from topiccrawl.page.dates.formats import CHINA_TIME, FoundDate, is_plausible, parse_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# What the name of a field says about its date, in lower case.  Sites have names of their own
# (``apub:time``), of which these words are the common part.
_PUBLISHED: Final = re.compile(
    r"pub(?!lisher)|issue|releas|(?:^|[^a-z])post(?:ed|date|time|_|-|\b)|create_at|sailthru\.date|firstpub|fabu"
)
_CHANGED: Final = re.compile(r"modif|updat|lastmod|last[-_:.]|chang|revis|upd(?![a-z]{5})")
_OTHER: Final = re.compile(
    r"(?:date|time|day|shijian|riqi)(?![a-z]{3})|created?\b|creat|upload|generat"
)
_NOT_ITS_OWN: Final = re.compile(
    r"expir|valid|event|start|end[-_:.]?(?:date|time)|birth|death|deadline|server|now|timeout|timezone|session"
    r"|found(?:ing|ed)|open|close|duration|runtime|cook|prep|read|comment|reply"
)
_JSON_DATE: Final = re.compile(r'"([A-Za-z_]{3,30})"\s*:\s*"?([^",}]{8,40})')
_DIGIT: Final = re.compile(r"\d")
# The zone at the end of a field, unless it is +08:00.
_ELSEWHERE: Final = re.compile(r":\d\d(?:\.\d+)?\s?(?:Z|UTC|GMT|(?!\+08:?00)[+-]\d\d:?\d\d)\s*$")
#: Weight of each kind of field in the vote of :mod:`topiccrawl.page.dates.candidates`: what JSON-LD and meta
#: tags name the publication; the creation or any date, as templates put the time of generation there; the
#: last change; ``<time>``; the URL (guesses, checked on 96 dated Chinese pages of 56 sites; 2026-11).
WEIGHTS: Final = {"json": 5.5, "meta": 5.0, "weak": 3.0, "changed": 2.0, "time": 2.5, "url": 2.0}
# Fields that are read, at most (guesses: pages have up to three of each).
_MAX_JSON_DATES, _MAX_META_DATES, _MAX_TIMES = 4, 20, 3
# Characters of the JSON-LD that are searched.
_MAX_JSON: Final = 200_000

_URL_DATES: Final = (
    re.compile(
        r"/(?P<y>(?:19|20)\d\d)[/\-_]?(?P<m>0[1-9]|1[0-2])[/\-_]?(?P<d>[0-2]\d|3[01])(?=[/_.\-])"
    ),
    re.compile(r"/(?P<y>(?:19|20)\d\d)/(?P<m>1[0-2]|0?[1-9])[\-/](?P<d>[0-2]?\d|3[01])(?=[/_.\-])"),
    re.compile(r"[/_]t?(?P<y>20\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])(?=[_.\-/]|\d{3,})"),
)


@dataclass(frozen=True, slots=True)
class StatedDate:
    """The date of a machine-readable field."""

    kind: str
    """A key of :data:`WEIGHTS`."""
    moment: datetime
    has_time: bool
    elsewhere: bool = False
    """Whether it names a time zone other than China's."""


def kind_of_field(name: str) -> str | None:
    """Return what the name of a field says about its date, ``None`` if it is not a date of the page.

    >>> [kind_of_field(name) for name in ("apub:time", "dateModified", "DC.date", "startDate", "publisher")]
    ['meta', 'changed', 'weak', None, None]
    """
    name = name.lower()
    if _NOT_ITS_OWN.search(name) is not None:
        return None
    if _CHANGED.search(name) is not None:
        return "changed"
    if _PUBLISHED.search(name) is not None:
        return "meta"
    return "weak" if _OTHER.search(name) is not None else None


def has_clock_time(found: FoundDate) -> bool:
    """Return whether a date has a time of day other than midnight."""
    clock = found.moment.time()
    return found.has_time and bool(clock.hour or clock.minute or clock.second)


def stated_dates(
    meta: Mapping[str, str],
    json_ld: Sequence[str],
    times: Sequence[str],
    url: str,
    now: datetime,
) -> Iterator[StatedDate]:
    """Yield the dates of a page's machine-readable fields, by kind.

    Parameters
    ----------
    meta : mapping of str to str
        Meta tags by name or property in lower case.
    json_ld, times : sequence of str
        Texts of the JSON-LD scripts; ``datetime`` attributes of ``<time>``.
    url : str
        URL of the page.
    now : datetime
        Time of the fetch, with a time zone.
    """
    values: list[tuple[str, str]] = []
    for block in json_ld:
        for match in _JSON_DATE.finditer(block[:_MAX_JSON]):
            kind = kind_of_field(match.group(1))
            if kind is not None and len(values) < _MAX_JSON_DATES:
                values.append(("json" if kind == "meta" else kind, match.group(2)))
    fields: list[tuple[str, str]] = []
    for name, value in meta.items():
        if len(fields) < _MAX_META_DATES and _DIGIT.search(value, 0, 60) and len(value) <= 60:
            kind = kind_of_field(name)
            if kind is not None:
                fields.append((kind, value))
    # Of equal weight the first named counts; published before others.
    values += sorted(fields, key=lambda it: -WEIGHTS[it[0]])
    values += [("time", value) for value in times[:_MAX_TIMES]]
    for kind, value in values:
        found = parse_field(value, now)
        if found is not None:
            elsewhere = found.has_time and _ELSEWHERE.search(value) is not None
            yield StatedDate(kind, found.moment, has_clock_time(found), elsewhere)
    in_url = _in_url(url, now)
    if in_url is not None:
        yield StatedDate("url", in_url, False)


def _in_url(url: str, now: datetime) -> datetime | None:
    path = url.partition("://")[2].partition("?")[0]
    for pattern in _URL_DATES:
        match = pattern.search(path)
        if match is not None:
            try:
                moment = datetime(
                    int(match["y"]), int(match["m"]), int(match["d"]), tzinfo=CHINA_TIME
                )
            except ValueError:
                continue
            if is_plausible(moment, now):
                return moment
    return None
