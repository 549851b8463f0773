"""Exponential back-off: the delay before the next attempt, with and without jitter."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field


def exponential_delay(
    attempt: int, *, base: float, factor: float = 2.0, cap: float = math.inf
) -> float:
    """Return the delay after a failed attempt: ``min(base · factor^(attempt-1), cap)``.

    Raises ``ValueError`` if *attempt* is smaller than 1.

    Parameters
    ----------
    attempt : int
        Number of the attempt that failed, from 1.
    base : float
        Delay after the first attempt, >= 0; in any unit of time.
    factor : float
        Growth from one attempt to the next, >= 1.
    cap : float
        Longest delay, in the unit of *base*.

    Returns
    -------
    float
        The delay in the unit of *base*.  Attempt numbers of any size are safe: a power that is too
        large for a float gives *cap*.

    Examples
    --------
    >>> [exponential_delay(attempt, base=30, factor=4, cap=3600) for attempt in (1, 2, 3, 10**6)]
    [30.0, 120.0, 480.0, 3600.0]
    """
    if attempt < 1:
        raise ValueError(f"attempts are counted from 1, got {attempt}")
    try:
        delay = base * float(factor) ** (attempt - 1)
    except OverflowError:
        delay = math.inf if base > 0 else 0.0
    return float(min(delay, cap))


@dataclass(slots=True)
class JitteredBackoff:
    """Successive delays with jitter: attempt n waits ``exponential_delay(n) · U``, U in [½, 1].

    The jitter keeps several crawlers from reaching a server at the same moment when it comes back;
    it is seeded, so that a run can be repeated.  The default values are a guess: half a second
    bridges an election of a replica set, half a minute is little compared with the hours of a crawl.
    """

    initial_seconds: float = 0.5
    factor: float = 2.0
    max_seconds: float = 30.0
    seed: int = 0
    _attempts: int = field(default=0, init=False)
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not (0 < self.initial_seconds <= self.max_seconds and self.factor >= 1):
            raise ValueError(
                "JitteredBackoff needs 0 < initial_seconds <= max_seconds and factor >= 1, got "
                f"{self.initial_seconds}, {self.max_seconds}, {self.factor}"
            )
        self._random = random.Random(self.seed)

    def next_seconds(self) -> float:
        """Return the delay before the next attempt; it grows with every call, up to the maximum."""
        self._attempts += 1
        delay = exponential_delay(
            self._attempts, base=self.initial_seconds, factor=self.factor, cap=self.max_seconds
        )
        return delay * self._random.uniform(0.5, 1.0)

    def reset(self) -> None:
        """Start again with the shortest delay, after a success."""
        self._attempts = 0
