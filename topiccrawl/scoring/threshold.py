"""The moving relevance threshold and the tunnel rule.

Source: thesis 4.4.4 in words (the threshold goes down while precision is high and up while it is low;
a link under it survives with a probability a little above the estimated tunnel rate), made exact in
algorithms.md 2.3.  All constants are choices of that section.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

PRECISION_TARGET = 0.6
PRECISION_MEMORY = 0.98
"""Weight of the past in the running precision: a half-life of about 34 pages."""
THRESHOLD_STEP = 0.02
THRESHOLD_RANGE = (0.2, 0.7)
TUNNEL_START = 0.05
TUNNEL_CEILING = 0.15
TUNNEL_FACTOR = 1.5
"""How far above the estimated tunnel rate the survival probability lies."""
TUNNEL_HOPS = 3
"""Irrelevant pages in a row a tunnel may pass through."""
TUNNEL_MIN_SAMPLE = 30
"""Links from irrelevant parents before the estimate replaces TUNNEL_START: under 30 the Wilson
bound of zero successes is above 11 % and says nothing (a choice)."""
Z_95 = 1.959963984540054
"""97.5 % quantile of the normal distribution: a two-sided bound of 95 %."""


class DynamicThreshold:
    """θ ← clip(θ + .02·(Pr* - Pr), θmin, θmax) after every page, Pr ← .98·Pr + .02·y.

    *start* is θ at the beginning, the topic's threshold; precision starts at its target, so θ moves
    only when the crawl says something.  Raises ``ValueError`` for bounds that are not
    0 <= low <= high <= 1 or a target outside [0, 1].
    """

    __slots__ = ("_high", "_low", "_precision", "_target", "_value")

    def __init__(
        self,
        start: float,
        *,
        low: float = THRESHOLD_RANGE[0],
        high: float = THRESHOLD_RANGE[1],
        target: float = PRECISION_TARGET,
    ) -> None:
        if not 0 <= low <= high <= 1:
            raise ValueError(f"threshold bounds must be 0 <= low <= high <= 1, got {low}, {high}")
        if not 0 <= target <= 1:
            raise ValueError(f"precision target must be in [0, 1], got {target}")
        self._low, self._high, self._target = low, high, target
        self._value = min(high, max(low, start))
        self._precision = target

    @property
    def value(self) -> float:
        """θ now, in [low, high]."""
        return self._value

    @property
    def precision(self) -> float:
        """Running precision Pr, in [0, 1]."""
        return self._precision

    def update(self, relevant: bool) -> float:
        """Count one judged page and return the new θ."""
        self._precision = PRECISION_MEMORY * self._precision + (1 - PRECISION_MEMORY) * relevant
        moved = self._value + THRESHOLD_STEP * (self._target - self._precision)
        self._value = min(self._high, max(self._low, moved))
        return self._value


def wilson_upper(successes: int, trials: int, z: float = Z_95) -> float:
    """Upper end of Wilson's score interval for a proportion; 1 without trials.

    ``(p + z²/2n + z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)`` (E. B. Wilson, JASA 22, 1927).
    In [successes/trials, 1].  Raises ``ValueError`` unless 0 <= successes <= trials.

    >>> round(wilson_upper(1, 20), 4)
    0.2361
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"need 0 <= successes <= trials, got {successes}, {trials}")
    if trials == 0:
        return 1.0
    p, z2n = successes / trials, z * z / trials
    spread = z * math.sqrt(p * (1 - p) / trials + z2n / (4 * trials))
    return min(1.0, (p + z2n / 2 + spread) / (1 + z2n))


class TunnelRate:
    """How often a link from an irrelevant page leads to a relevant one, and what follows from it."""

    __slots__ = ("_followed", "_relevant")

    def __init__(self, followed: int = 0, relevant: int = 0) -> None:
        if not 0 <= relevant <= followed:
            raise ValueError(f"need 0 <= relevant <= followed, got {relevant}, {followed}")
        self._followed, self._relevant = followed, relevant

    def update(self, relevant: bool) -> None:
        """Count one page that was reached from an irrelevant parent."""
        self._followed += 1
        self._relevant += relevant

    @property
    def upper(self) -> float:
        """τ̂: Wilson upper bound of the tunnel rate."""
        return wilson_upper(self._relevant, self._followed)

    @property
    def survival(self) -> float:
        """p_tunnel = min(.15, 1.5·τ̂); .05 until there is a sample."""
        if self._followed < TUNNEL_MIN_SAMPLE:
            return TUNNEL_START
        return min(TUNNEL_CEILING, TUNNEL_FACTOR * self.upper)


@dataclass(frozen=True, slots=True)
class TunnelLink:
    """What the tunnel rule says of one link."""

    follow: bool
    score: float
    """The score to queue it with: under the threshold for a link that tunnels."""
    hops: int
    """Irrelevant pages it may still pass through."""


def tunnel(
    score: float,
    *,
    threshold: float,
    parent_relevant: bool,
    hops: int,
    survival: float,
    draw: float,
) -> TunnelLink:
    """Apply the tunnel rule to a link with *score* on a page that was reached with *hops* left.

    A link at or above *threshold* has evidence of its own: followed, with a full budget.  One under
    it survives if *draw* < *survival*, *draw* being frozen per link; a relevant parent renews its
    budget, an irrelevant one takes a hop, and where none is left it is not followed.
    """
    if score >= threshold:
        return TunnelLink(True, score, TUNNEL_HOPS)
    left = TUNNEL_HOPS if parent_relevant else hops - 1
    if left < 0:
        return TunnelLink(False, score, 0)
    return TunnelLink(draw < survival, score, left)
