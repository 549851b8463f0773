"""A clock that a simulation moves, and the parts of a crawl that run on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from topiccrawl.extensions.refreshing import RevisitFeeder
from topiccrawl.frontier.factory import OpenFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier

DAY: Final = 86_400.0
#: Seconds between two looks for what is due (a choice: a list that is polled each three hours is 10 minutes late).
STEP: Final = 600.0
#: A Monday, 00:00 in China.
START: Final = 1_749_398_400.0


@dataclass
class SimulatedClock:
    """Seconds that pass when the simulation says so."""

    now: float = START

    def __call__(self) -> float:
        """Return the present time."""
        return self.now


#: The clock of the simulation that runs in this process: settings name classes and functions, not objects.
CLOCK: Final = SimulatedClock()


def open_simulated(
    topic: str, limits: Any, config: Any, connect: Any, *, fresh: bool
) -> OpenFrontier:
    """Open an SQLite frontier on the simulated clock; a value of TOPICCRAWL_FRONTIER_BACKEND."""
    frontier = SQLiteFrontier(Path(config.frontier_dir) / "simulated.frontier", limits)
    return OpenFrontier(frontier, clock=CLOCK)


class SimulatedFeeder(RevisitFeeder):
    """Moves the clock on instead of waiting."""

    def wait(self) -> float:
        """Let the time pass until something may become due."""
        CLOCK.now += max(super().wait(), STEP)
        return 0.0
