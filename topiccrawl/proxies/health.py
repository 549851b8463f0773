"""The health of one proxy: decayed successes and failures, latency, rests, and blocks of single sites."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.backoff import exponential_delay

#: Seconds after which a success or failure counts half.  A guess: free proxies live for minutes.
HALF_LIFE_SECONDS: Final = 300.0
#: Good and bad answers that a new proxy is assumed to have given: new ones are tried (a guess).
_PRIOR: Final = (3.0, 1.0)
#: Weight of one observation in the running mean of the latency (a guess).
_LATENCY_WEIGHT: Final = 0.2
#: Latency of a proxy without any answer yet, in seconds (a guess).
UNKNOWN_LATENCY: Final = 1.0
#: Failures in a row after which a proxy rests although most of its answers were good (a guess).
FAILURES_IN_A_ROW: Final = 2
#: Longest rest of a proxy, and of a pair of proxy and site, in seconds (a guess).
LONGEST_REST_SECONDS: Final = 1800.0
#: How much longer a proxy rests that falsifies pages: it answers, so a try shows little (a guess).
_FALSE_FACTOR: Final = 30.0
#: Seconds within which a good answer shows that a proxy works (a guess).
PROVEN_SECONDS: Final = 60.0
#: Sites whose blocks are remembered for one proxy (a guess).
_BLOCKED_SITES: Final = 1_000


@dataclass(slots=True)
class _Block:
    until: float
    times: int


@dataclass(slots=True)
class ProxyHealth:
    """What requests through one proxy have shown; times are monotonic seconds."""

    first_rest: float
    """Seconds of the first rest; each further one in a row is twice as long."""
    in_flight: int = 0
    failures_in_row: int = 0
    rests: int = 0
    """Rests in a row, without a good answer between."""
    rests_until: float = float("-inf")
    latency: float = UNKNOWN_LATENCY
    last_good: float = float("-inf")
    last_failure: float = float("-inf")
    _good: float = 0.0
    _bad: float = 0.0
    _counted_at: float = 0.0
    _blocks: dict[str, _Block] = field(default_factory=dict)

    def available(self, site: str, now: float) -> bool:
        """Whether the proxy may be used for *site*: one request at a time after a rest."""
        if now < self.rests_until or (self.rests and self.in_flight):
            return False
        block = self._blocks.get(site)
        return block is None or now >= block.until

    def ready_at(self, site: str) -> float:
        """Return when the rest, or the block by *site*, ends."""
        block = self._blocks.get(site)
        return self.rests_until if block is None else max(self.rests_until, block.until)

    def share_good(self, now: float) -> float:
        """Return the decayed share of good answers, in (0, 1), with the prior of one that is new."""
        decay = self._decay(now)
        good, bad = _PRIOR
        return (good + self._good * decay) / (good + bad + (self._good + self._bad) * decay)

    @property
    def known(self) -> bool:
        """Whether there was any good answer."""
        return self.last_good > float("-inf")

    def proven(self, now: float) -> bool:
        """Whether a good answer came lately, and no failure since."""
        return self.last_good > self.last_failure and now - self.last_good <= PROVEN_SECONDS

    def cost(self, now: float, usual: float, sites: int) -> float:
        """Return the expected seconds of a good answer: smaller is better.

        *usual* is the latency of a proxy that is new, *sites* the number of sites that keep this one.
        """
        latency = self.latency if self.known else usual
        return (latency + 0.05) * (1 + self.in_flight + sites) / self.share_good(now) ** 2

    def succeeded(self, site: str, now: float, seconds: float) -> None:
        """Record a good answer after *seconds*."""
        self._count(now, good=1.0)
        weight = _LATENCY_WEIGHT if self.known else 1.0
        self.latency += weight * (seconds - self.latency)
        self.last_good = now
        self.failures_in_row = self.rests = 0
        self._blocks.pop(site, None)

    def failed(self, now: float, *, at_once: bool = False) -> bool:
        """Record a failure of the proxy; return whether it rests now.

        *at_once*: one failure is enough (it refuses connections or credentials).  Failures during a
        rest, of requests that were under way, do not make it longer.
        """
        self._count(now, bad=1.0)
        self.last_failure = now
        self.failures_in_row += 1
        if now < self.rests_until:
            return False
        weak = self.share_good(now) < 0.5
        if not (at_once or self.rests or weak or self.failures_in_row >= FAILURES_IN_A_ROW):
            return False
        self._rest(now, self.first_rest)
        return True

    def falsified(self, now: float) -> bool:
        """Record a page that was not the site's; return whether the proxy rests now."""
        self._count(now, bad=1.0)
        self.last_failure = now
        if now < self.rests_until:
            return False
        self._rest(now, self.first_rest * _FALSE_FACTOR)
        return True

    def blocked(self, site: str, now: float) -> None:
        """Record that *site* refuses this proxy and answers others; its other sites are kept."""
        if len(self._blocks) >= _BLOCKED_SITES:
            self._blocks = {name: b for name, b in self._blocks.items() if b.until > now}
        block = self._blocks.get(site)
        times = 1 if block is None else block.times + 1
        if block is not None and now < block.until:
            return
        pause = exponential_delay(times, base=self.first_rest * 3, cap=LONGEST_REST_SECONDS)
        self._blocks[site] = _Block(now + pause, times)

    def _rest(self, now: float, base: float) -> None:
        self.rests += 1
        longest = max(LONGEST_REST_SECONDS, base)
        self.rests_until = now + exponential_delay(self.rests, base=base, cap=longest)

    def _decay(self, now: float) -> float:
        return math.exp2(-max(0.0, now - self._counted_at) / HALF_LIFE_SECONDS)

    def _count(self, now: float, good: float = 0.0, bad: float = 0.0) -> None:
        decay = self._decay(now)
        self._good, self._bad = self._good * decay + good, self._bad * decay + bad
        self._counted_at = now
