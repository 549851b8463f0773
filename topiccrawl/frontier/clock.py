"""The frontier's clock, and what happens to its moments when the machine's clock is set back.

Leases, retry times and the moments from which hosts may be contacted are kept across runs, as seconds
of the wall clock.  When that clock goes back by an hour, all of them lie an hour too far ahead.
"""

from __future__ import annotations

import time
from typing import Final

#: A clock that goes back by more than this was set back; all moments then move with it.  Less is the
#: difference between the clocks of two machines, or of two calls.  A guess.
CLOCK_STEP_SECONDS: Final = 60.0
#: No host waits for longer, and no link: a time window opens within a week, other pauses are shorter.
#: A moment further ahead is damage, and is cut.  A day is added for the differences of time zones.
LONGEST_WAIT_SECONDS: Final = 8 * 86_400.0


class SteadyClock:
    """Seconds since the epoch that pass evenly, whatever happens to the machine's clock meanwhile.

    The wall clock is read once.  From then on a clock counts that is never set, and that also counts
    while the machine sleeps, where the system has one.
    """

    def __init__(self) -> None:
        self._ahead = time.time() - _elapsed()

    def __call__(self) -> float:
        """Return the present time."""
        return _elapsed() + self._ahead

    def behind(self) -> float:
        """Return by how many seconds the machine's clock is ahead of this one: it was set since."""
        return time.time() - self()

    def move(self, seconds: float) -> None:
        """Move the clock on, to that of workers that began before the machine's clock was set back."""
        self._ahead += seconds


class LatestMoment:
    """The latest time that a worker has passed to its frontier."""

    def __init__(self) -> None:
        self._latest: float | None = None

    def step_back(self, now: float) -> float:
        """Take note of *now*; return by how much the clock was set back, 0 as a rule."""
        latest, self._latest = self._latest, now
        if latest is None or now >= latest - CLOCK_STEP_SECONDS:
            if latest is not None:
                self._latest = max(latest, now)
            return 0.0
        return latest - now


def _elapsed() -> float:
    boot: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)
