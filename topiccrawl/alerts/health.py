"""What is wrong with a running crawl, judged by the samples that its worker takes at intervals.

Each check is a function from the samples of one run to the facts of a problem, or ``None``.  A problem that
two samples must confirm is reported with the second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from scipy.special import bdtr

if TYPE_CHECKING:
    from topiccrawl.alerts.rules import Check, HealthRule

#: Facts of a problem: numbers and names that its text is made of.
Facts = Mapping[str, "int | float | str"]

#: Pages of the stretch that is compared with those before, and of those before (as in
#: ``scoring.stagnation``: rich crawls also pass through a site's menus).
_LEAST_PAGES: Final = 100
#: Harvest rate from which on a collapse can be seen (a guess).
_LEAST_RATE: Final = 0.05
#: Share of the earlier harvest rate that is a collapse.
_COLLAPSE: Final = 0.1
#: Probability below which a poor stretch is not due to chance (a choice).
_CHANCE: Final = 1e-3
#: Share of the earlier mean score of the links; below, the crawl itself expected fewer relevant pages: the
#: topic is exhausted, which is no problem (measured on ten crawls of the demonstration web).
_EXPECTED: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthSample:
    """State of a run at one moment; counts are those since its beginning."""

    at: datetime
    pages: int = 0
    relevant: int = 0
    scores: float = 0.0
    """Sum of the scores of the links of the pages."""
    requests: int = 0
    """Requests that were sent."""
    blocking: Sequence[str] = ()
    """Hosts whose last answers were block pages or captchas."""
    hosts: int = 0
    """Hosts that have answered."""
    queued: int = 0
    """Links that wait, retries included."""
    leased: int = 0
    """Links that workers are fetching."""
    disk_free: int | None = None
    """Bytes."""
    store_away: bool = False
    waiting: int = 0
    """Records that wait for the store, in the spool or in memory."""


def problems(rule: HealthRule, samples: Sequence[HealthSample]) -> dict[Check, Facts]:
    """Return the problems that the newest of *samples* shows, with their facts."""
    found = {name: check(rule, samples) for name, check in _CHECKS.items() if name in rule.checks}
    return {name: facts for name, facts in found.items() if facts is not None}


class HealthWatch:
    """Follows the samples of one run and counts the episodes of each problem.

    An episode begins with a problem and ends after two samples without it, so that a problem that comes
    and goes is not reported at each sample.
    """

    #: Samples that are kept (a day at one a minute).
    MOST: Final = 1_440

    def __init__(self, rule: HealthRule) -> None:
        self._rule = rule
        self._samples: list[HealthSample] = []
        self._episodes: dict[Check, int] = {}
        self._since: dict[Check, int] = {}

    def observe(self, sample: HealthSample) -> list[tuple[Check, int, Facts]]:
        """Take the next sample; return the problems that begin with it, with the number of the episode."""
        self._samples.append(sample)
        del self._samples[: -self.MOST]
        now = problems(self._rule, self._samples)
        begun: list[tuple[Check, int, Facts]] = []
        for check, facts in now.items():
            if check not in self._since:
                self._episodes[check] = self._episodes.get(check, 0) + 1
                begun.append((check, self._episodes[check], facts))
            self._since[check] = 0
        for check in list(self._since):
            if check not in now:
                self._since[check] += 1
                if self._since[check] >= 2:
                    del self._since[check]
        return begun


def _harvest(rule: HealthRule, samples: Sequence[HealthSample]) -> Facts | None:
    """Return the facts if the crawl finds next to nothing although its links score as high as before."""
    now = samples[-1]
    then = next((it for it in reversed(samples) if now.pages - it.pages >= _LEAST_PAGES), None)
    if then is None or then.pages < _LEAST_PAGES:
        return None
    pages, relevant = now.pages - then.pages, now.relevant - then.relevant
    before = then.relevant / then.pages
    if before < _LEAST_RATE or relevant > _COLLAPSE * before * pages:
        return None
    # P(X <= relevant), X binomial with half the earlier rate: crawls become poorer gradually.
    if float(bdtr(relevant, pages, before / 2)) > _CHANCE:
        return None
    earlier, since = then.scores / then.pages, (now.scores - then.scores) / pages
    if earlier > 0 and since < _EXPECTED * earlier:
        return None
    return {"pages": pages, "relevant": relevant, "before": round(before, 4)}


def _blocks(rule: HealthRule, samples: Sequence[HealthSample]) -> Facts | None:
    """Return the facts if a substantial share of the hosts blocks the crawl."""
    now = samples[-1]
    blocking = len(now.blocking)
    if not blocking or blocking < min(rule.least_hosts, max(now.hosts, 1)):
        return None
    if blocking < rule.blocked_share * now.hosts:
        return None
    return {"blocking": blocking, "hosts": now.hosts, "names": ", ".join(now.blocking[:5])}


def _queue(rule: HealthRule, samples: Sequence[HealthSample]) -> Facts | None:
    """Return the facts if a running crawl had nothing to fetch for two samples."""
    if len(samples) < 2:
        return None
    last, now = samples[-2:]
    dry = all(it.queued == 0 and it.leased == 0 for it in (last, now))
    if not dry or last.requests != now.requests:
        return None
    return {"pages": now.pages}


def _disk(rule: HealthRule, samples: Sequence[HealthSample]) -> Facts | None:
    """Return the facts if the disk is nearly full."""
    free = samples[-1].disk_free
    if free is None or free >= rule.disk_mb * 1_000_000:
        return None
    return {"free_mb": free // 1_000_000, "least_mb": rule.disk_mb}


def _store(rule: HealthRule, samples: Sequence[HealthSample]) -> Facts | None:
    """Return the facts if the store was unreachable for two samples, or cannot keep up."""
    now = samples[-1]
    away = now.store_away and len(samples) > 1 and samples[-2].store_away
    if away or (now.waiting >= rule.waiting_records):
        return {"waiting": now.waiting, "away": int(now.store_away)}
    return None


_CHECKS: Final[Mapping[Check, Callable[[HealthRule, Sequence[HealthSample]], Facts | None]]] = {
    "harvest": _harvest,
    "blocks": _blocks,
    "queue": _queue,
    "disk": _disk,
    "store": _store,
}
