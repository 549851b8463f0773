"""How long to wait before the next attempt."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(slots=True)
class Backoff:
    """Exponential back-off with jitter: attempt n waits min(max, initial · factor^n) · U, U in [½, 1].

    The jitter keeps several crawlers from meeting at a server that has just come back; it is seeded,
    so that a run can be repeated.  The default values are a guess: half a second bridges an election
    of a replica set, half a minute is little against the hours of a crawl.
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
                "Backoff needs 0 < initial_seconds <= max_seconds and factor >= 1, got "
                f"{self.initial_seconds}, {self.max_seconds}, {self.factor}"
            )
        self._random = random.Random(self.seed)

    def next_seconds(self) -> float:
        """Return the wait before the next attempt; longer after every call, up to the maximum."""
        wait = self.initial_seconds
        for _ in range(self._attempts):
            wait *= self.factor
            if wait >= self.max_seconds:
                wait = self.max_seconds
                break
        else:
            self._attempts += 1
        return wait * self._random.uniform(0.5, 1.0)

    def reset(self) -> None:
        """Begin again with the shortest wait: the last attempt succeeded."""
        self._attempts = 0
