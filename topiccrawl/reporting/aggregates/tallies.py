"""Counts of outcomes by host and by reason, and the best few outcomes, in bounded memory."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from topiccrawl.scoring.harvest import harvest_rate
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.store.contract import OutcomeRecord

#: Hosts counted one by one; beyond it, those with the fewest pages are summed up as "others".
#: A guess: a table of 50,000 takes about 15 MB.
MAX_HOSTS = 50_000

#: Different reasons counted one by one; a crawl has some twenty.
MAX_REASONS = 200

#: Examples shown for each reason.
EXAMPLES = 3

#: Reason under which the surplus over MAX_REASONS is counted.
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of the outcomes of a crawl; a dynamic threshold changes."""

    low: float
    high: float
    last: float

    @classmethod
    def seen(cls, known: Thresholds | None, value: float, *, last: bool = True) -> Thresholds:
        """Return *known* thresholds with another one; it is the last one unless *last* is false."""
        if known is None:
            return cls(value, value, value)
        newest = value if last else known.last
        return cls(min(known.low, value), max(known.high, value), newest)


@dataclass(slots=True)
class HostCount:
    """Counts of one host."""

    host: str
    fetched: int = 0
    relevant: int = 0
    stored: int = 0
    failed: int = 0

    @property
    def harvest(self) -> float:
        """Relevant / fetched, in [0, 1]."""
        return harvest_rate(self.relevant, self.fetched)


def outcome_host(outcome: OutcomeRecord) -> str:
    """Return the host of an outcome: its recorded site, else from the URL; ``""`` if neither."""
    return outcome.site.lower() or host_of(outcome.url)


class HostTally:
    """Fetched, relevant, stored and failed per host, for at most *max_hosts* hosts at a time."""

    def __init__(self, max_hosts: int = MAX_HOSTS) -> None:
        self._max = max_hosts
        self._hosts: dict[str, HostCount] = {}
        self.others = HostCount("")
        """Sum over the hosts that are no longer counted one by one."""
        self.complete = True
        """False once a host was summed up: the number of hosts is then a lower bound."""

    def __len__(self) -> int:
        return len(self._hosts)

    def add(self, host: str, *, fetched: bool, relevant: bool, stored: bool, failed: bool) -> None:
        """Count one outcome."""
        count = self._hosts.get(host)
        if count is None:
            if len(self._hosts) >= self._max:
                self._fold()
            count = self._hosts[host] = HostCount(host)
        count.fetched += fetched
        count.relevant += relevant
        count.stored += stored
        count.failed += failed

    def _fold(self) -> None:
        """Sum up the half of the hosts with fewer pages."""
        self.complete = False
        ranked = self._ranked()
        for count in ranked[self._max // 2 :]:
            _merge(self.others, count)
        self._hosts = {count.host: count for count in ranked[: self._max // 2]}

    def _ranked(self) -> list[HostCount]:
        return sorted(
            self._hosts.values(), key=lambda c: (-c.stored, -c.fetched, -c.failed, c.host)
        )

    def top(self, n: int) -> tuple[list[HostCount], HostCount]:
        """Return the *n* hosts with the most stored pages, and the sum over all the others."""
        ranked = self._ranked()
        rest = HostCount("")
        _merge(rest, self.others)
        for count in islice(ranked, n, None):
            _merge(rest, count)
        return ranked[:n], rest


def _merge(into: HostCount, count: HostCount) -> None:
    into.fetched += count.fetched
    into.relevant += count.relevant
    into.stored += count.stored
    into.failed += count.failed


@dataclass(frozen=True, slots=True)
class Example:
    """One rejected URL, as an example of a reason."""

    url: str
    title: str
    detail: str
    relevance: float | None


@dataclass(slots=True)
class ReasonCount:
    """The number of URLs rejected for one reason, with examples, the most relevant first."""

    verdict: str
    reason: str
    count: int
    examples: list[Example]


class ReasonTally:
    """Rejections per reason, each with the *examples* most relevant URLs."""

    def __init__(self, examples: int = EXAMPLES) -> None:
        self._examples = examples
        self._reasons: dict[tuple[str, str], ReasonCount] = {}

    def add(self, outcome: OutcomeRecord) -> None:
        """Count one dropped or failed outcome."""
        key = (outcome.verdict, outcome.reason)
        if key not in self._reasons and len(self._reasons) >= MAX_REASONS:
            key = (outcome.verdict, OTHER)
        entry = self._reasons.setdefault(key, ReasonCount(*key, count=0, examples=[]))
        entry.count += 1
        weight = _finite(outcome.relevance)
        if len(entry.examples) < self._examples or weight > _finite(entry.examples[-1].relevance):
            entry.examples.append(
                Example(outcome.url, outcome.title, outcome.detail, outcome.relevance)
            )
            entry.examples.sort(key=lambda e: -_finite(e.relevance))  # stable: the first one stays
            del entry.examples[self._examples :]

    def all(self) -> list[ReasonCount]:
        """Return all reasons, the most frequent first."""
        return sorted(self._reasons.values(), key=lambda r: (-r.count, r.verdict, r.reason))


class Best:
    """The *n* queued outcomes with the highest link score; equal scores in order of arrival."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._heap: list[tuple[float, int, OutcomeRecord]] = []
        self.seen = 0

    def add(self, outcome: OutcomeRecord) -> None:
        """Offer one outcome."""
        self.seen += 1
        entry = (_finite(outcome.link.score), -self.seen, outcome)
        if len(self._heap) < self._n:
            heapq.heappush(self._heap, entry)
        elif self._n:
            heapq.heappushpop(self._heap, entry)

    def all(self) -> list[OutcomeRecord]:
        """Return the best ones, best first."""
        return [outcome for _, _, outcome in sorted(self._heap, key=lambda e: (-e[0], -e[1]))]


def _finite(value: float | None) -> float:
    """Return *value*, or minus infinity if it is missing or not a number, to sort it last."""
    return value if value is not None and math.isfinite(value) else -math.inf
