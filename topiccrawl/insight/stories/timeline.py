"""A time line: counts in equal steps of hours, days, weeks or months."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from topiccrawl.page.dates import CHINA_TIME

Step = Literal["hour", "day", "week", "month"]

#: Most steps of a time line: more bars cannot be distinguished on a narrow screen (a choice).
MOST_STEPS: Final = 62
_HOURS: Final[dict[Step, float]] = {"hour": 1, "day": 24, "week": 168, "month": 730}


@dataclass(frozen=True, slots=True)
class Timeline:
    """Counts over time."""

    step: Step
    starts: Sequence[datetime]
    """Beginnings of the steps, in China Standard Time."""
    counts: Sequence[int]
    earlier: int = 0
    """Times before the first step: those of wrong clocks, long before all others."""


def timeline(times: Iterable[datetime]) -> Timeline | None:
    """Return the counts of *times* from the first one to the last; ``None`` without any.

    The step is the smallest with at most :data:`MOST_STEPS` steps.  What is older than that many months
    counts as *earlier*.
    """
    found = sorted(at.astimezone(CHINA_TIME) for at in times)
    if not found:
        return None
    hours = (found[-1] - found[0]).total_seconds() / 3600
    step: Step = next(
        (it for it in ("hour", "day", "week") if hours / _HOURS[it] < MOST_STEPS - 1), "month"
    )
    starts = [_floor(found[-1], step)]
    while starts[-1] > found[0] and len(starts) < MOST_STEPS:
        starts.append(_before(starts[-1], step))
    starts.reverse()
    counts = [0] * len(starts)
    earlier = at_step = 0
    for at in found:
        if at < starts[0]:
            earlier += 1
            continue
        while at_step + 1 < len(starts) and starts[at_step + 1] <= at:
            at_step += 1
        counts[at_step] += 1
    return Timeline(step, starts, counts, earlier)


def _floor(at: datetime, step: Step) -> datetime:
    start = at.replace(minute=0, second=0, microsecond=0)
    if step == "hour":
        return start
    start = start.replace(hour=0)
    if step == "week":
        return start - timedelta(days=start.weekday())
    return start.replace(day=1) if step == "month" else start


def _before(start: datetime, step: Step) -> datetime:
    """Return the beginning of the step before the one that begins at *start*."""
    return _floor(start - timedelta(microseconds=1), step)
