"""The health of a topic's crawl, from the record of its last run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.endings import KILLED, PROBLEMS, stop_sentence

if TYPE_CHECKING:
    from topiccrawl.store.contract import RunRecord

#: Reasons for which a run ends that the user has to look into.
_BAD_ENDINGS: Final = PROBLEMS | {KILLED}


@dataclass(frozen=True, slots=True)
class Health:
    """How the last run went."""

    started_at: datetime
    finished_at: datetime | None
    state: Literal["ended", "stopped", "unfinished"]
    """``unfinished``: running now, or killed."""
    reason: str
    """Why it ended, in English; ``_`` translates it."""
    fetched: int
    stored: int
    failed: int
    waiting: int
    """Links in the queue at the end, or when the run last reported."""
    harvest: float | None
    """Share of the pages that were on topic."""
    left: int
    """Stored pages that were judged again and left the collection."""
    entered: int
    """Pages that entered it in the same way."""

    @property
    def duration(self) -> timedelta | None:
        """From the start to the end."""
        return None if self.finished_at is None else self.finished_at - self.started_at


def health_of(runs: Sequence[RunRecord]) -> Health | None:
    """Return the health of the last of *runs*, ``None`` without any."""
    if not runs:
        return None
    run = max(runs, key=lambda it: it.started_at)

    counts = {
        name.removeprefix("topiccrawl/"): int(value)
        for name, value in run.stats.items()
        if name.startswith("topiccrawl/") and isinstance(value, int | float)
    }
    pages = counts.get("pages/analyzed", 0)
    # Records of other programs may have no counts at all.
    found_nothing = not pages and bool(counts)
    state: Literal["ended", "stopped", "unfinished"] = "unfinished"
    if run.finished_at is not None:
        is_bad = run.stop_reason in _BAD_ENDINGS or found_nothing
        state = "stopped" if is_bad else "ended"
    harvest = run.stats.get("topiccrawl/harvest_rate")
    return Health(
        run.started_at,
        run.finished_at,
        state,
        stop_sentence(
            run.stop_reason, 0 if found_nothing else 1, counts.get("frontier/size/done", 0)
        )
        if run.finished_at
        else "",
        pages,
        counts.get("pages/stored", 0),
        sum(value for name, value in counts.items() if name.startswith("failed/")),
        sum(counts.get(f"frontier/size/{it}", 0) for it in ("queued", "delayed")),
        float(harvest) if isinstance(harvest, int | float) else None,
        counts.get("pages/withdrawn", 0),
        counts.get("pages/readmitted", 0) + counts.get("pages/admitted", 0),
    )
