"""Numbers of new stories in hours and days, and warnings of unusual ones.

A page counts in the interval in which it was published, not in that in which the crawl came by: a crawl that
catches up does not make news.  What the crawl itself changes is left out:

- intervals in which no crawl was running, or that lie before the first one, are not observed;
- pages of a host that is new to the collection do not count until it has been known for a week, nor
  do they in intervals before the host was found;
- a page that was found long after it was published does not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol

from topiccrawl.alerts.records import Alert, AlertPage, subject_key
from topiccrawl.alerts.words import Matcher
from topiccrawl.insight.bursts.intervals import Change, baseline, judge
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.alerts.rules import VolumeRule

#: Time for which a host is new (a guess: its older pages are fetched by then).
_SETTLING: Final = timedelta(days=7)
#: Longest time between publishing and finding of a page that counts (a guess: a weekend and a day).
_LATE: Final = timedelta(days=3)
#: Days that are counted: three ends of months and the newest interval.
KEPT_DAYS: Final = 100
#: Intervals whose sum is judged, too, by the rhythm of the rule: a moderate burst is seen in its third day (2 and 4
#: days saw no more and had more false alarms, docs/alerts.md).
_SPANS: Final = {"day": (1, 3), "hour": (1,)}
#: Seconds by which China's days begin earlier than those of UTC (without summer time since 1991).
_ZONE_SECONDS: Final = 8 * 3_600
#: Stories of the interval that a warning lists.
_LISTED: Final = 5


class Counted(Protocol):
    """What counting needs of a page; a ``PageHeadline`` has it."""

    @property
    def url(self) -> str:
        """Canonical URL."""

    @property
    def title(self) -> str:
        """Title."""

    @property
    def site(self) -> str:
        """Host."""

    @property
    def copy_of(self) -> str:
        """Empty unless the page is a copy."""

    @property
    def published_at(self) -> datetime | None:
        """Publish time stated by the page."""

    @property
    def first_seen(self) -> datetime:
        """Time at which the page was first fetched."""

    @property
    def withdrawn_at(self) -> datetime | None:
        """``None`` unless the page has left the collection."""


@dataclass(slots=True)
class Counts:
    """Counts of the pages that one rule is about; pages may be added more than once."""

    rule: VolumeRule
    _hosts: dict[str, datetime] = field(default_factory=dict)
    _pages: dict[str, tuple[int, datetime, str, str]] = field(default_factory=dict)
    _matcher: Matcher | None = None
    undated: int = 0
    """Pages that state no date and were not counted."""

    def __post_init__(self) -> None:
        self._matcher = Matcher(self.rule.words) if self.rule.words else None

    def add(self, pages: Iterable[Counted]) -> None:
        """Count *pages*; copies and pages found late are left out."""
        for page in pages:
            seen = page.first_seen
            known = self._hosts.get(page.site)
            self._hosts[page.site] = seen if known is None else min(known, seen)
            moment = self._moment(page, seen)
            if moment is None:
                self._pages.pop(page.url, None)
                continue
            number = self.number(moment)
            self._pages[page.url] = (number, seen, page.site, page.title)

    def forget(self, now: datetime) -> None:
        """Leave out the pages of intervals that are not looked at any more."""
        oldest = self.oldest(now)
        self._pages = {url: it for url, it in self._pages.items() if it[0] >= oldest}

    def oldest(self, now: datetime) -> int:
        """Return the number of the first interval that is looked at."""
        return self.number(now) - KEPT_DAYS * 86_400 // self.rule.rhythm.seconds

    def _moment(self, page: Counted, seen: datetime) -> datetime | None:
        """Return the time at which *page* counts; ``None`` if it does not."""
        if page.copy_of or page.withdrawn_at or not self.rule.takes_site(page.site):
            return None
        if self._matcher is not None and self._matcher(page.title) is None:
            return None
        published = page.published_at
        if published is None:
            self.undated += not self.rule.undated
            return seen if self.rule.undated else None
        if seen - published > _LATE:
            return None
        return min(published, seen)  # dates in the future are those of the clock that found them

    def number(self, moment: datetime) -> int:
        """Return the number of the interval of *moment*, in China's time; 0 is a Thursday."""
        return int((moment.timestamp() + _ZONE_SECONDS) // self.rule.rhythm.seconds)

    def start(self, number: int) -> datetime:
        """Return the beginning of interval *number*."""
        return datetime.fromtimestamp(number * self.rule.rhythm.seconds - _ZONE_SECONDS, UTC)

    def counts(self) -> Mapping[int, int]:
        """Return the number of pages of each interval, of hosts that were not new."""
        found: dict[int, int] = defaultdict(int)
        oldest = min(self._hosts.values(), default=None)
        for number, seen, site, _title in self._pages.values():
            if self._settled(site, seen, oldest):
                found[number] += 1
        return found

    def domains(self, numbers: range) -> Counter[str]:
        """Return the pages of each registered domain in intervals *numbers*, of hosts that were not new."""
        oldest = min(self._hosts.values(), default=None)
        return Counter(
            registered_domain(site)
            for at, seen, site, _title in self._pages.values()
            if at in numbers and self._settled(site, seen, oldest)
        )

    def _settled(self, site: str, seen: datetime, oldest: datetime | None) -> bool:
        """Whether *site* was known long enough; the hosts that a collection began with are."""
        first = self._hosts[site]
        return oldest is None or first - oldest < _SETTLING * 2 or seen - first >= _SETTLING

    def pages(self, numbers: range) -> list[AlertPage]:
        """Return some pages of intervals *numbers*, the last found first."""
        mine = [(it[1], url, it) for url, it in self._pages.items() if it[0] in numbers]
        mine.sort(reverse=True)
        return [AlertPage(url, it[3], it[2], None) for _seen, url, it in mine[:_LISTED]]


def volume_alerts(
    topic: str,
    counts: Counts,
    runs: Sequence[tuple[datetime, datetime]],
    warned: datetime | None,
    every: Sequence[str],
    now: datetime,
) -> list[Alert]:
    """Return the warning that *counts* give at *now*, if any.

    Parameters
    ----------
    topic : str
        Name of the topic.
    counts : Counts
        Pages by interval.
    runs : sequence of (datetime, datetime)
        Beginning and end of the crawls, ``now`` for one that goes on.
    warned : datetime or None
        Beginning of the interval of the last warning of this rule.
    every : sequence of str
        All channels, for a rule that names none.
    now : datetime
        The time of judging.  The interval that has just begun is judged, too: it can only rise.
    """
    if not runs:
        return []
    rule = counts.rule
    current = counts.number(now)
    seen = _observed(counts, runs, current, counts.oldest(now))
    by_number = counts.counts()
    for number in (current - 1, current):
        if warned is not None and number - counts.number(warned) <= _quiet(rule):
            continue
        for length in _SPANS[rule.interval]:
            numbers = range(number - length + 1, number + 1)
            if not all(it in seen or it == current for it in numbers):
                continue
            history, first = _history(by_number, seen, numbers.start)
            expected = baseline(
                history, first, rule.rhythm, least_history=rule.test.least_history, ahead=length
            )
            if expected is None:
                continue
            count = sum(by_number.get(it, 0) for it in numbers)
            change = judge(count, expected, rule.test, rule.rhythm)
            if change is None or not _wanted(
                rule, change, complete=number < current and length == 1
            ):
                continue
            return [_alert(topic, counts, numbers, change, every, now)]
    return []


def _quiet(rule: VolumeRule) -> int:
    """Return the intervals after a warning in which there is no other: three of them, or a day."""
    return 3 if rule.interval == "day" else 24


def _wanted(rule: VolumeRule, change: Change, *, complete: bool) -> bool:
    """Whether *rule* is about the change; a fall is that of one interval, and known when it is over."""
    if change.direction == "fall" and not complete:
        return False
    return rule.direction in ("both", change.direction)


def _observed(
    counts: Counts, runs: Sequence[tuple[datetime, datetime]], current: int, oldest: int
) -> set[int]:
    """Return the intervals during which, or just after which, a crawl was running.

    The first interval of the first run is none: the run did not see all of it.
    """
    earliest = min(start for start, _end in runs)
    first = counts.number(earliest) + 1
    oldest = max(first, oldest)
    seen: set[int] = set()
    # A run finds what was published since shortly before it: a nightly run sees the day before.
    before = max(1, 86_400 // counts.rule.rhythm.seconds)
    for start, end in runs:
        begin = max(oldest, counts.number(start) - before)
        seen.update(range(begin, min(current, counts.number(end)) + 1))
    return seen


def _history(
    by_number: Mapping[int, int], seen: set[int], number: int
) -> tuple[list[int | None], int]:
    """Return the counts before interval *number*, and the number of the first of them."""
    first = min((it for it in seen if it < number), default=number)
    return [by_number.get(it, 0) if it in seen else None for it in range(first, number)], first


def _alert(
    topic: str,
    counts: Counts,
    numbers: range,
    change: Change,
    every: Sequence[str],
    now: datetime,
) -> Alert:
    rule, start = counts.rule, counts.start(numbers[-1])
    facts: dict[str, Any] = {
        "direction": change.direction,
        "interval": rule.interval,
        "intervals": len(numbers),
        "count": change.count,
        "mean": round(change.mean, 2),
        "chance": float(f"{change.chance:.1e}"),
        "observed": change.observed,
    }
    if change.direction == "rise":
        domains = counts.domains(numbers)
        largest = min(domains, key=lambda it: (-domains[it], it))
        facts |= {
            "domains": len(domains),
            "largest": largest,
            "share": round(domains[largest] / domains.total(), 4),
        }
    return Alert(
        key=subject_key("volume", topic, rule.name, change.direction, start.isoformat()),
        kind="volume",
        rules=(rule.name,),
        channels=tuple(rule.channels or every),
        subject=start.isoformat(),
        at=now,
        facts=facts,
        pages=tuple(counts.pages(numbers)),
    )
