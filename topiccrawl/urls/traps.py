"""Crawler traps that are recognized by a URL alone: URLs that a site generates without end.

An ordinary page that is rejected is lost; a trap that is missed costs some pages until the budget of the
host is used up.  So a URL passes in case of doubt.  docs/urls.md lists the rules and what they were
checked against.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, fields

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _

TOO_LONG = "too-long"
HOST_NAME = "host-name"
PATH_DEPTH = "path-depth"
REPEATED_SEGMENT = "repeated-segment"
REPEATED_PARAMETER = "repeated-parameter"
TOO_MANY_PARAMETERS = "too-many-parameters"
CALENDAR = "calendar"

#: All reasons that :func:`trap` returns.  They are parts of the names of statistics and must not change.
REASONS = (
    TOO_LONG,
    HOST_NAME,
    PATH_DEPTH,
    REPEATED_SEGMENT,
    REPEATED_PARAMETER,
    TOO_MANY_PARAMETERS,
    CALENDAR,
)

#: Longest run of segments whose repetition is detected: that of a/b/a/b/a/b has 2 (source not recorded).
_LONGEST_UNIT = 5
#: Segments that mean "any" in the filters of lists: /search/all/all/all/.
_PLACEHOLDERS = frozenset(["all", "any", "none", "null", "default", "-", "_"])
_NUMBER = re.compile(r"[0-9]+")
# A path that ends with a month or day, as calendar pages do; articles have a name after the date.
_DATED_PATH = re.compile(r"/(20[0-9]{2})[/-]([0-9]{1,2})(?:[/-]([0-9]{1,2}))?/?$")
_CALENDAR_PATH = re.compile(
    r"/[a-z_-]*(?:calendar|rili|wannianli|huangli|%E6%97%A5%E5%8E%86)[a-z_-]*"
    r"/((?:19|20|21)[0-9]{2})(?:[/-]?(0?[1-9]|1[0-2])(?:[/-]?[0-3]?[0-9])?)?(?![0-9])",
    re.IGNORECASE,
)
_CALENDAR_WORD = re.compile(r"calendar|rili|wannianli|huangli|%E6%97%A5%E5%8E%86", re.IGNORECASE)
_DATE_PARAMETERS = frozenset(["date", "day", "riqi", "month", "ym", "yearmonth", "caldate"])
_DATE = re.compile(
    r"(20[0-9]{2})(?:(?:-|\.|%2F)(0?[1-9]|1[0-2])(?:(?:-|\.|%2F)[0-3]?[0-9])?"
    r"|(0[1-9]|1[0-2])(?:[0-3][0-9])?)"
)
_YEAR = re.compile(r"(?:19|20|21)[0-9]{2}")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")


@dataclass(frozen=True, slots=True)
class TrapRules:
    """Limits of :func:`trap`; 0 turns a rule off.

    Raises ``ConfigurationError`` if a value is negative, or 1 for one of the repetitions.
    """

    max_url_chars: int = 2_000
    """Characters of a URL; below Scrapy's URLLENGTH_LIMIT of 2083."""
    max_path_depth: int = 16
    """Segments of a path.  Ordinary sites stay below 10."""
    max_host_labels: int = 8
    """Labels of a host name.  A guess: www.scs.gd.chinanews.com.cn has 6."""
    repeated_labels: int = 3
    """Occurrences of a label in a host name that make a trap, numbers excepted."""
    repeated_segments: int = 3
    """Consecutive occurrences of a segment, or of a run of up to 5 segments, that make a trap."""
    repeated_parameters: int = 3
    """Occurrences of one ``name=value`` in a query that make a trap.  Of the same name with other values
    it takes twice as many (``name[]`` may occur any number of times); of a name nested in its own value,
    one less."""
    max_parameters: int = 24
    """Parameters of a query.  A guess: above the search forms of government sites (about 15)."""
    calendar_months: int = 12
    """Months ahead of now for which the pages of a calendar pass."""
    calendar_first_year: int = 1990
    """Months before this year are a trap if the URL is clearly a calendar's: a path that contains the
    word, or year and month as parameters.  Elsewhere old dates pass: newspaper archives."""

    def __post_init__(self) -> None:
        for rule in fields(self):
            value = getattr(self, rule.name)
            if value < 0:
                raise ConfigurationError(
                    _("{name} must be >= 0, got {value!r}").format(name=rule.name, value=value)
                )
            if rule.name.startswith("repeated") and value == 1:
                raise ConfigurationError(
                    _("{name} must be 0 or >= 2, got 1").format(name=rule.name)
                )


DEFAULT_RULES = TrapRules()


def trap(url: str, now: float, rules: TrapRules = DEFAULT_RULES) -> str | None:
    """Return the reason why a URL is a crawler trap; a pure function.

    For links found on pages, not for seeds: a user who names a page wants that page.

    *url* is canonical, *now* in Unix seconds; the answer is one of :data:`REASONS`, ``None`` if no rule
    applies.
    """
    if rules.max_url_chars and len(url) > rules.max_url_chars:
        return TOO_LONG
    start = url.find("/", 8)  # after https://
    if start < 0:
        start = len(url)
    if _host_trap(url[:start], rules):
        return HOST_NAME
    path, _, query = url[start:].partition("?")
    if not path:
        return None
    segments = path.split("/")[1:]
    if not segments[-1]:
        segments.pop()
    if rules.max_path_depth and len(segments) > rules.max_path_depth:
        return PATH_DEPTH
    times = rules.repeated_segments
    spare = len(segments) - len(set(segments))
    if times and spare >= times - 1 and _repeats(segments, times):
        return REPEATED_SEGMENT
    if query:
        reason = _query_trap(path, query, rules, now)
        if reason is not None:
            return reason
    return CALENDAR if _calendar_path(path, rules, now) else None


def _host_trap(origin: str, rules: TrapRules) -> bool:
    """Whether a name grows without end: a.a.a.www.example.cn. *origin* is the URL before its path."""
    if origin.count(".") < 2:
        return False
    host = origin.partition("//")[2].partition(":")[0]
    labels = host.split(".")
    if rules.max_host_labels and len(labels) > rules.max_host_labels:
        return True
    times = rules.repeated_labels
    if not times or len(labels) - len(set(labels)) < times - 1:
        return False
    most = Counter(label for label in labels if not _NUMBER.fullmatch(label))
    return max(most.values(), default=0) >= times


def _repeats(segments: list[str], times: int) -> bool:
    """Whether a run of segments occurs *times* times in a row, other than numbers and placeholders."""
    for size in range(1, min(_LONGEST_UNIT, len(segments) // times) + 1):
        same = 0
        for i in range(size, len(segments)):
            same = same + 1 if segments[i] == segments[i - size] else 0
            if same >= size * (times - 1):
                unit = segments[i - size + 1 : i + 1]
                if not all(_NUMBER.fullmatch(s) or s.lower() in _PLACEHOLDERS for s in unit):
                    return True
    return False


def _query_trap(path: str, query: str, rules: TrapRules, now: float) -> str | None:
    parts = query.split("&")
    if rules.max_parameters and len(parts) > rules.max_parameters:
        return TOO_MANY_PARAMETERS
    names = [part.partition("=")[0] for part in parts]
    times = rules.repeated_parameters
    if times:
        if len(names) - len(set(names)) >= times - 1 and _repeats_parameter(parts, names, times):
            return REPEATED_PARAMETER
        if "%25" in query and any(map(lambda n, p: _nested(n, p) >= times - 1, names, parts)):
            return REPEATED_PARAMETER
    # /calendar?y=2031&m=6: these names are too short to mean a date elsewhere.
    short = "y" in names and "m" in names and _CALENDAR_WORD.search(path) is not None
    if (short or not _DATE_PARAMETERS.isdisjoint(map(str.lower, names))) and _calendar_query(
        parts, rules, now, short=short
    ):
        return CALENDAR
    return None


def _repeats_parameter(parts: list[str], names: list[str], times: int) -> bool:
    if max(Counter(parts).values()) >= times:
        return True
    single = Counter(name for name in names if not name.endswith(("[]", "%5B%5D")))
    return max(single.values(), default=0) >= 2 * times


def _nested(name: str, part: str) -> int:
    """Count occurrences of *name* within its own value: login?url=/login%3Furl%3D%252Flogin…"""
    return len(re.findall(rf"%(?:25)*(?:3F|26){re.escape(name)}%(?:25)*3D", part))


def _calendar_path(path: str, rules: TrapRules, now: float) -> bool:
    # Substring tests first: they take a tenth of the time of the regular expression.
    lower = path.lower()
    word = any(it in lower for it in ("calendar", "rili", "nianli", "huangli", "%e6%97%a5"))
    named = _CALENDAR_PATH.search(path) if word else None
    if named is not None:
        year, month = named.groups()
        if month is None:  # /calendar/1234/ may be an article
            return _too_late(int(year), 1, rules, now)
        return _out_of_range(int(year), int(month), rules, now)
    dated = _DATED_PATH.search(path) if path[-1] in "/0123456789" else None
    if dated is None:
        return False
    year, month, day = dated.groups()
    # Only the future: archives of old newspapers have such URLs.  A month without a day must have two
    # digits: /2031/5/ is more often the fifth page of list 2031.
    plausible = 1 <= int(day) <= 31 if day else len(month) == 2
    return plausible and 1 <= int(month) <= 12 and _too_late(int(year), int(month), rules, now)


def _calendar_query(parts: list[str], rules: TrapRules, now: float, *, short: bool) -> bool:
    pairs = (part.partition("=") for part in parts)
    dates = {name.lower(): value for name, _, value in pairs}
    year, month = (dates["y"], dates["m"]) if short else (dates.get("year"), dates.get("month"))
    if year is not None and month is not None:
        if not (_YEAR.fullmatch(year) and _MONTH.fullmatch(month)):
            return False
        return _out_of_range(int(year), int(month), rules, now)
    for name in _DATE_PARAMETERS & dates.keys():
        date = _DATE.fullmatch(dates[name])
        # Only the future, as above.
        if date and _too_late(int(date.group(1)), int(date.group(2) or date.group(3)), rules, now):
            return True
    return False


def _too_late(year: int, month: int, rules: TrapRules, now: float) -> bool:
    if not rules.calendar_months:
        return False
    today = time.gmtime(now)
    return (year - today.tm_year) * 12 + month - today.tm_mon > rules.calendar_months


def _out_of_range(year: int, month: int, rules: TrapRules, now: float) -> bool:
    return year < rules.calendar_first_year or _too_late(year, month, rules, now)
