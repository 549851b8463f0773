"""Replay a trace day by day through a planner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.freshness.traces import Trace
from topiccrawl.freshness.config import FreshnessConfig, Policy
from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.planner import RevisitPlanner
from topiccrawl.freshness.restoring import restore
from topiccrawl.steps import run_steps

DAY = 86400.0
#: Times a day at which pages are chosen: a crawl goes on all day.
BATCHES = 4
#: Replays begin on this day (any would do).
START = 1_700_000_000.0 // DAY * DAY


@dataclass(frozen=True, slots=True)
class Result:
    """Mean age over pages and days, highest age, longest time unvisited."""

    mean_age: float
    max_age: float
    unvisited: float


@dataclass(frozen=True, slots=True)
class SignalQuality:
    """A source that states changes: share of changes stated, share of statements that are true."""

    recall: float = 0.8
    precision: float = 0.9


def replay(
    trace: Trace,
    policy: Policy,
    per_day: float,
    *,
    known: bool = False,
    signals: SignalQuality | None = None,
    config: FreshnessConfig | None = None,
    seed: int = 0,
    anew: int = 0,
) -> Result:
    """Visit ``per_day`` pages a day for the days of a trace; ``known``: with the true rates.

    With ``anew``, the planner is made anew from the histories of the pages after so many days, as by a command that
    runs each night.

    All changes of a day are made before its visits; a page that appears is fetched on that day without
    being counted.  The age of an evening is that of a change in the middle of its day.
    """
    planner = RevisitPlanner(policy, config, seed)
    histories: dict[str, PageHistory] = {}
    pages = trace.pages
    position = {page.name: index for index, page in enumerate(pages)}
    changed_on: list[list[int]] = [[] for _ in range(trace.days)]
    born_on: list[list[int]] = [[] for _ in range(trace.days)]
    for index, page in enumerate(pages):
        born_on[page.born].append(index)
        for day in page.changes:
            changed_on[day].append(index)
    stated_on = _signals(trace, signals, seed) if signals else None
    stale = np.full(len(pages), np.inf)
    last = np.full(len(pages), np.inf)
    credit, total, exists = 0.0, 0.0, 0
    counted, worst, longest = 0, 0.0, 0.0
    for day in range(trace.days):
        now = START + (day + 0.15) * DAY
        for index in changed_on[day]:
            stale[index] = min(stale[index], day)
        for index in born_on[day]:
            page = pages[index]
            rate = trace.rate(page) if known else None
            history = PageHistory(now, site="s", directory=page.directory)
            planner.add(page.name, history, rate)
            if anew:
                histories[page.name] = history
            last[index] = day
            exists += 1
        if stated_on:
            for index in stated_on[day]:
                planner.signaled(pages[index].name, START + (day + 0.15) * DAY)
        if anew and day % anew == 0:
            planner = RevisitPlanner(policy, config, seed)
            run_steps(restore(planner, histories.items()))
        credit += per_day
        todo = int(credit)
        credit -= todo
        for turn in range(BATCHES):
            now = START + (day + 0.2 + 0.7 * turn / BATCHES) * DAY
            share = todo * (turn + 1) // BATCHES - todo * turn // BATCHES
            for name in planner.due(now, share) if share else ():
                index = position[name]
                changed = bool(stale[index] <= day)
                planner.visited(name, now, changed)
                if anew:
                    histories[name] = histories[name].visited(now, changed)
                stale[index], last[index] = np.inf, day
        ages = np.where(stale <= day, day - stale + 0.5, 0.0)
        total += float(ages.sum())
        counted += exists
        worst = max(worst, float(ages.max()))
        longest = max(longest, float((day - last).max()))
    return Result(total / counted, worst, longest)


def _signals(trace: Trace, quality: SignalQuality, seed: int) -> list[list[int]]:
    """Return the pages stated as changed on each day: some changes, and false ones at random."""
    random = np.random.default_rng([seed, 15])
    stated: list[set[int]] = [set() for _ in range(trace.days)]
    true = 0
    for index, page in enumerate(trace.pages):
        for day in page.changes:
            if random.random() < quality.recall:
                stated[day].add(index)
                true += 1
    false = round(true * (1 / quality.precision - 1))
    for _ in range(false):
        index = int(random.integers(len(trace.pages)))
        born = trace.pages[index].born
        stated[int(random.integers(born, trace.days))].add(index)
    return [sorted(pages) for pages in stated]
