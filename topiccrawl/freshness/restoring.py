"""A planner from the stored histories of its pages."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from heapq import nlargest
from typing import Final

from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.planner import RevisitPlanner

#: Visits that are learned from in the order of time (benchmarks/freshness; the weights of the models remember
#: some 3,000 of a site).
LATEST: Final = 6_000
#: Seconds of the histories between two updates of what is learned (a choice: a day).
_UPDATE: Final = 86_400.0
#: Pages or visits between two yields: some milliseconds.
_PIECE: Final = 50
_APPEARED, _STATED, _VISITED = range(3)


def restore(
    planner: RevisitPlanner, pages: Iterable[tuple[str, PageHistory]], latest: int = LATEST
) -> Generator[None]:
    """Add pages to a planner, and yield every few milliseconds.

    The latest visits of articles are repeated in the order of time: how well each model of changes predicted them
    decides which one holds, which a planner that is rebuilt each night could not derive.
    """
    known = list(pages)
    times = (it.at for __, history in known if history.kind == "article" for it in history.visits)
    last = nlargest(latest + 1, times)
    since = last[-1] if len(last) > latest else float("-inf")
    events: list[tuple[float, int, str, PageHistory, bool | str]] = []
    for number, (page, history) in enumerate(known):
        if history.kind == "list":
            planner.add(page, history)
        elif history.first_seen > since:
            events.append((history.first_seen, _APPEARED, page, history, ""))
        else:
            planner.add(page, history.until(since))
        if history.kind == "article":
            events += (
                (it.at, _STATED, page, history, it.source)
                for it in history.signals
                if it.at > since
            )
            events += (
                (it.at, _VISITED, page, history, it.changed)
                for it in history.visits
                if it.at > since
            )
        if number % _PIECE == 0:
            yield
    events.sort(key=lambda event: event[:3])
    updated = float("-inf")
    for number, (at, event, page, history, what) in enumerate(events):
        if event == _APPEARED:
            planner.add(page, history.until(at))
            continue
        if at - updated >= _UPDATE:
            planner.learn(at)
            updated = at
        if event == _STATED:
            planner.signaled(page, at)
        else:
            planner.visited(page, at, bool(what))
        if number % _PIECE == 0:
            yield
