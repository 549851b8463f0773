"""What the planner learns of pages from their visits and from statements of changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.learning import Learner
from topiccrawl.freshness.planner import RevisitPlanner
from topiccrawl.freshness.table import Groups, PageTable

DAY = 86_400.0
START = 19_700 * DAY


def visited(
    history: PageHistory, changed: list[bool], every: float, start: float = START
) -> PageHistory:
    """Return the history with visits at equal distances, in days."""
    for number, it in enumerate(changed, 1):
        history = history.visited(start + number * every * DAY, it)
    return history


def test_the_rate_of_a_stored_history_is_that_of_its_visits() -> None:
    planner = RevisitPlanner()
    for page in range(20):
        history = PageHistory(START, site="s", directory="d")
        planner.add(f"p{page}", visited(history, [True, False] * 15, 2.0))
    planner.due(START + 61 * DAY, 1)
    # Half of the visits after two days find a change: exp(-2 rate) = 1/2.
    assert planner.rate("p0") == pytest.approx(math.log(2) / 2, rel=0.2)


def test_a_statement_that_proves_false_teaches_nothing_of_the_rate() -> None:
    planner = RevisitPlanner()
    for page in ("stated", "other"):
        planner.add(page, PageHistory(START, site="s", directory="d"))
    for day in range(5, 60, 5):
        planner.signaled("stated", START + (day - 1) * DAY)
        planner.signaled("stated", START + (day - 2) * DAY)
        for page in ("stated", "other"):
            planner.visited(page, START + day * DAY, changed=False)
    planner.due(START + 60 * DAY, 1)
    assert planner.rate("stated") == pytest.approx(planner.rate("other"), rel=1e-3)


@pytest.mark.parametrize("removed", [False, True])
def test_a_page_that_is_planned_again_counts_once_for_the_trust_in_its_site(removed: bool) -> None:
    def rate(times: int) -> float:
        planner = RevisitPlanner()
        history = PageHistory(START, site="s", directory="d")
        for day in range(5, 60, 5):
            history = history.signaled(START + (day - 1) * DAY, "sitemap")
            history = history.visited(START + day * DAY, changed=False)
        for _time in range(times):
            planner.add("stated", history)
            if removed:
                planner.remove("stated")
        if removed:
            planner.add("stated", history)
        # A visit that was not counted yet.
        planner.add("stated", history.visited(START + 62 * DAY, changed=False))
        planner.add("other", PageHistory(START, site="s", directory="d"))
        for day in range(5, 60, 5):
            planner.signaled("other", START + (day - 1) * DAY)
            planner.visited("other", START + day * DAY, changed=day % 2 == 0)
        planner.due(START + 65 * DAY, 1)
        return planner.rate("other")

    assert rate(5) == rate(1)


def test_a_page_in_a_new_directory_takes_a_row_and_is_visited_at_once() -> None:
    planner = RevisitPlanner()
    for page in ("old", "gone"):
        planner.add(page, PageHistory(START, site="s", directory="d"))
    planner.due(START + DAY, 2)
    planner.remove("gone")
    planner.add("new", PageHistory(START, site="s", directory="new"))
    planner.visited("new", START + 2 * DAY, changed=True)
    planner.due(START + 3 * DAY, 2)
    assert planner.rate("new") > planner.rate("old")


def test_a_removed_page_counts_no_longer_for_its_site() -> None:
    def indices(*, extra: bool) -> list[float]:
        table, groups = PageTable(), Groups()
        learner = Learner(table, groups)
        pages = {"calm": [False] * 20, "busy": [False, True] * 10} | (
            {"gone": [True] * 20} if extra else {}
        )
        for name, changed in pages.items():
            history = visited(PageHistory(START, site="s", directory=name), changed, 2.0)
            row = table.take(name)
            table.directory[row] = groups.number("s", name)
            table.visits[row], table.last[row] = len(changed), history.last_visit / DAY
            learner.absorb(row, history)
            if name == "gone":
                table.drop(name)
                learner.forget(row)
        now = START / DAY + 45
        learner.refresh(now)
        found: list[float] = learner.index(now)[:2].tolist()
        return found

    assert indices(extra=True) == pytest.approx(indices(extra=False))


def test_pages_whose_siblings_have_changed_since_are_due_first() -> None:
    planner = RevisitPlanner()
    # Both directories change as often, in bursts; that of b is older than the last visits to its other two pages.
    bursts = {"a": {3, 11, 19, 27, 39}, "b": {3, 11, 19, 27, 35}}
    for directory, days in bursts.items():
        history = PageHistory(START, site="s", directory=directory)
        for page in range(12):
            until = 41 if page < 10 else 39
            changed = [day in days for day in range(until)]
            planner.add(f"{directory}{page}", visited(history, changed, 1.0))
    assert set(planner.due(START + 41 * DAY, 4)[:2]) == {"a10", "a11"}


def test_statements_and_visits_together_give_the_true_rate() -> None:
    rng = np.random.default_rng(0)
    planner = RevisitPlanner()
    days, every, rate, recall, false = 60.0, 5.0, 0.2, 0.8, 0.02
    for page in range(60):
        changes = rng.uniform(0, days, rng.poisson(rate * days))
        true = changes[rng.random(len(changes)) < recall]
        stated = np.sort(np.concatenate([true, rng.uniform(0, days, rng.poisson(false * days))]))
        history = PageHistory(START, site="s", directory="d")
        for visit in np.arange(every, days, every):
            for at in stated[(stated > visit - every) & (stated <= visit)]:
                history = history.signaled(START + at * DAY, "sitemap")
            changed = ((changes > visit - every) & (changes <= visit)).any()
            history = history.visited(START + visit * DAY, bool(changed))
        planner.add(f"p{page}", history)
    planner.due(START + days * DAY, 1)
    assert np.mean([planner.rate(f"p{page}") for page in range(60)]) == pytest.approx(rate, rel=0.1)
