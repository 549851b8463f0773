"""The order in which a planner visits pages."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.freshness.config import POLICIES, FreshnessConfig, Policy
from topiccrawl.freshness.history import PageHistory, PageKind, Visit
from topiccrawl.freshness.planner import RevisitPlanner
from topiccrawl.freshness.policies import POLICY_URGENCY
from topiccrawl.freshness.restoring import restore
from topiccrawl.steps import run_steps

DAY = 86_400.0
START = 19_700 * DAY


def planner_of(
    pages: int, policy: Policy = "age-index", rates: list[float] | None = None
) -> RevisitPlanner:
    """Return a planner of pages in three directories, all fetched at ``START``."""
    planner = RevisitPlanner(policy)
    for page in range(pages):
        history = PageHistory(START, site="s", directory=f"d{page % 3}")
        planner.add(f"p{page}", history, rates[page] if rates else None)
    return planner


def run(
    planner: RevisitPlanner, days: int, a_day: int, every: dict[str, int]
) -> dict[str, list[int]]:
    """Visit pages for some days, page p changes every ``every[p]`` days; return the days of its visits."""
    visits: dict[str, list[int]] = {}
    for day in range(1, days + 1):
        now = START + day * DAY
        for page in planner.due(now, a_day):
            at = visits.setdefault(page, [])
            step = every.get(page, 0)
            changed = bool(step) and day // step > (at[-1] if at else 0) // step
            planner.visited(page, now, changed)
            at.append(day)
    return visits


@pytest.mark.parametrize("policy", ["uniform", "nutch", "proportional", "age-index"])
def test_pages_of_equal_rate_are_visited_in_rota(policy: Policy) -> None:
    known = None if policy in ("uniform", "nutch") else [0.1] * 12
    visits = run(planner_of(12, policy, known), 16, 3, {})
    assert [len(at) for at in visits.values()] == [4] * 12
    for at in visits.values():
        assert [b - a for a, b in pairwise(at)] == [4] * (len(at) - 1)


@pytest.mark.parametrize("policy", POLICIES)
def test_equal_calls_give_equal_answers(policy: Policy) -> None:
    every = {"p1": 2, "p5": 9, "p7": 30}
    first, second = (run(planner_of(15, policy), 40, 3, every) for _ in range(2))
    assert first == second


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=20, max_size=20))
def test_no_page_starves_under_the_age_index(steps: list[int]) -> None:
    every = {f"p{page}": step for page, step in enumerate(steps)}
    visits = run(planner_of(20), 120, 4, every)
    assert len(visits) == 20
    assert all(
        max(b - a for a, b in zip([0, *at], [*at, 120], strict=True)) < 60 for at in visits.values()
    )


def test_a_page_that_changes_more_is_visited_more() -> None:
    rates = [0.002] * 10 + [0.02] * 10 + [0.2] * 10
    visits = run(planner_of(30, rates=rates), 200, 3, {})
    counts = [
        sum(len(visits.get(f"p{page}", ())) for page in range(first, first + 10))
        for first in (0, 10, 20)
    ]
    assert counts[0] < counts[1] < counts[2]


def test_the_age_index_learns_which_pages_change() -> None:
    visits = run(planner_of(30), 200, 3, {"p0": 5, "p1": 5, "p2": 5})
    hot = min(len(visits[f"p{page}"]) for page in range(3))
    assert hot > 1.5 * sum(len(visits[f"p{page}"]) for page in range(3, 30)) / 27


def test_pages_that_look_changed_at_each_visit_take_no_visits_from_the_others() -> None:
    planner = planner_of(40)
    visits: Counter[str] = Counter()
    for day in range(1, 300):
        for page in planner.due(START + day * DAY, 4):
            noise = int(page[1:]) < 20
            planner.visited(page, START + day * DAY, noise or day % 10 == int(page[1:]) % 10)
            visits[page] += day > 150
    noisy = sum(visits[f"p{page}"] for page in range(20))
    assert noisy < 0.75 * visits.total()


def test_siblings_of_a_changed_page_are_visited_first() -> None:
    planner = planner_of(60)
    for day in range(1, 120):
        for page in planner.due(START + day * DAY, 6):
            # Every thirty days all pages of the first directory change.
            planner.visited(page, START + day * DAY, int(page[1:]) % 3 == 0 and day % 30 < 12)
    for page in ("p0", "p3", "p6", "p9"):
        planner.visited(page, START + 121 * DAY, changed=True)
    due = planner.due(START + 122 * DAY, 12)
    assert sum(int(page[1:]) % 3 == 0 for page in due) >= 6


def test_a_page_that_a_sitemap_states_as_changed_comes_first() -> None:
    planner = planner_of(50)
    run(planner, 30, 5, {})
    planner.signaled("p17", START + 30.5 * DAY)
    assert planner.due(START + 31 * DAY, 5)[0] == "p17"


def test_a_source_that_states_all_pages_every_day_changes_nothing_for_long() -> None:
    planner = planner_of(40)
    every = {"p0": 2}
    counts = dict.fromkeys([f"p{page}" for page in range(40)], 0)
    last = dict.fromkeys(counts, 0)
    for day in range(1, 150):
        now = START + day * DAY
        for page in counts:
            planner.signaled(page, now - DAY / 2)
        for page in planner.due(now, 4):
            step = every.get(page, 0)
            planner.visited(page, now, bool(step) and day // step > last[page] // step)
            counts[page] += 1
            last[page] = day
    assert min(counts.values()) >= 3
    assert counts["p0"] > sum(counts.values()) / 40


def test_a_page_is_handed_out_once_until_it_is_visited_or_released() -> None:
    planner = planner_of(5)
    now = START + DAY
    assert len(planner.due(now, 9)) == 5
    assert planner.due(now, 9) == []
    planner.release("p3")
    assert planner.due(now, 9) == ["p3"]


def test_a_page_rests_after_a_visit() -> None:
    planner = planner_of(1)
    assert planner.due(START + 3600, 1) == []
    assert planner.next_due(START) == START + DAY / 2
    assert planner.due(START + DAY / 2, 1) == ["p0"]
    assert planner.next_due(START + DAY) is None


def test_a_removed_page_is_forgotten_and_its_place_used_again() -> None:
    planner = planner_of(3)
    planner.remove("p1")
    planner.add("q", PageHistory(START, site="s", directory="d0"))
    assert "p1" not in planner
    assert len(planner) == 3
    assert sorted(planner.due(START + DAY, 9)) == ["p0", "p2", "q"]


def test_stored_histories_teach_what_visits_would_have_taught() -> None:
    planner = RevisitPlanner()
    for page in range(20):
        history = PageHistory(START, site="s", directory="d")
        for day in range(5, 300, 5):
            history = history.visited(START + day * DAY, changed=page < 2)
        planner.add(f"p{page}", history)
    assert sorted(planner.due(START + 302 * DAY, 2)) == ["p0", "p1"]
    assert planner.rate("p0") > 5 * planner.rate("p9")


def test_a_planner_made_anew_each_night_knows_which_model_of_changes_holds() -> None:
    planner = planner_of(60)
    histories = {
        f"p{page}": PageHistory(START, site="s", directory=f"d{page % 3}") for page in range(60)
    }
    for day in range(1, 200):
        now = START + day * DAY
        for page in planner.due(now, 6):
            # Not each time, which would be noise.
            changed = page in ("p0", "p1", "p2") and day % 5 > 0
            planner.visited(page, now, changed)
            histories[page] = histories[page].visited(now, changed)
    anew = RevisitPlanner()
    run_steps(restore(anew, histories.items()))
    now = START + 201 * DAY
    often = [f"p{page}" for page in range(3)]
    assert max(planner.place(page, now)[0] for page in often) <= 9
    assert max(anew.place(page, now)[0] for page in often) <= 9


@pytest.mark.parametrize("latest", [0, 40, 10_000])
def test_a_restored_planner_has_every_page_once_with_its_last_visit(latest: int) -> None:
    planner = RevisitPlanner("uniform")
    histories = {}
    for page in range(30):
        history = PageHistory(START + page * DAY, site="s", directory="d")
        for visit in range(page % 5):
            history = history.visited(START + (page + 3 * visit + 1) * DAY, changed=visit == 2)
        histories[f"p{page}"] = history.signaled(START + 60 * DAY, "sitemap")
    run_steps(restore(planner, histories.items(), latest))
    assert len(planner) == 30
    due = planner.due(START + 90 * DAY, 30)
    assert [histories[page].last_visit for page in due] == sorted(
        history.last_visit for history in histories.values()
    )


def test_a_list_page_is_read_before_its_entries_leave_and_at_most_eight_times_a_day() -> None:
    planner = RevisitPlanner()
    planner.add("busy", PageHistory(START, site="s", directory="d", kind="list"))
    planner.add("calm", PageHistory(START, site="s", directory="d", kind="list"))
    reads: dict[str, list[float]] = {"busy": [], "calm": []}
    for hour in range(1, 24 * 14):
        now = START + hour * 3600
        for page in planner.due(now, 5):
            since = reads[page][-1] if reads[page] else 0
            new = hour - since if page == "busy" else (hour // 72 - since // 72)
            planner.visited(page, now, new > 0, new_links=int(2 * new), listed=20)
            reads[page].append(hour)
    gaps = [b - a for a, b in pairwise(reads["busy"])]
    assert min(gaps) >= 3
    assert max(gaps) * 2 <= 20
    assert 12 <= len(reads["calm"]) <= 40


def test_a_wrong_value_names_the_field() -> None:
    with pytest.raises(ConfigurationError, match="list_polls"):
        FreshnessConfig(list_polls=0)


def test_a_page_that_has_rested_is_found_without_new_events() -> None:
    planner = planner_of(2)
    assert planner.due(START + 0.49 * DAY, 5) == []
    assert len(planner.due(START + 0.51 * DAY, 5)) == 2


def test_a_list_page_with_many_visits_is_read_as_often_after_a_restart() -> None:
    history = PageHistory(START, site="s", directory="d", kind="list")
    live = RevisitPlanner()
    live.add("p", history)
    now = START
    for _ in range(400):
        now += DAY / 8
        history = history.visited(now, changed=True, new_links=3)
        live.visited("p", now, True, new_links=3)
    restarted = RevisitPlanner()
    restarted.add("p", history)
    before, after = live.next_due(now), restarted.next_due(now)
    assert before is not None
    assert after is not None
    assert after - now == pytest.approx(before - now, rel=0.1)


def counted_orders(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows with each order that a planner of the uniform policy makes."""
    orders: list[int] = []
    original = POLICY_URGENCY["uniform"]

    def counted(*given: Any) -> Any:
        orders.append(len(orders))
        return original(*given)

    monkeypatch.setitem(POLICY_URGENCY, "uniform", counted)
    return orders


def test_visits_alone_begin_no_new_order_while_all_articles_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    orders = counted_orders(monkeypatch)
    planner = planner_of(1000, policy="uniform")
    now = START + 0.6 * DAY
    for page in range(1000):
        planner.visited(f"p{page}", now, changed=False)
    for second in range(20):
        assert planner.due(now + second, 5) == []
        planner.visited("p0", now + second, changed=False)
    assert len(orders) == 1
    planner.add("new", PageHistory(START, site="s", directory="d0"))
    assert planner.due(now + 30, 5) == ["new"]


@pytest.mark.parametrize("policy", POLICIES)
def test_a_page_that_was_removed_is_never_due(policy: Policy) -> None:
    planner = planner_of(6, policy)
    assert "p1" in planner.due(START + 30 * DAY, 6)
    for page in ("p1", "p2"):
        planner.release(page)
    planner.remove("p2")
    assert "p1" in (left := planner.due(START + 31 * DAY, 6))
    assert "p2" not in left


def owned(pages: dict[str, int], kind: PageKind = "article") -> RevisitPlanner:
    """Return a planner of pages of some owners; those of the first one change at each visit, others never."""
    planner = RevisitPlanner(owner=lambda site: site.rpartition(".")[2])
    for owner, count in pages.items():
        for page in range(count):
            visits = tuple(
                Visit(START + day * DAY, owner == next(iter(pages)), 9) for day in range(1, 9)
            )
            history = PageHistory(START, f"h{page % 7}.{owner}", f"d{page % 3}", kind, visits)
            planner.add(f"{owner}/{page}", history)
    return planner


def owners_of(pages: list[str]) -> dict[str, int]:
    return dict(Counter(page.partition("/")[0] for page in pages))


@pytest.mark.parametrize("kind", ["article", "list"])
def test_pages_of_one_owner_that_are_not_visited_keep_nobody_else_waiting(kind: PageKind) -> None:
    planner = owned({"farm": 900, "a": 20, "b": 20}, kind)
    now = START + 60 * DAY
    assert owners_of(planner.due(now, 30, 10)) == {"farm": 10, "a": 10, "b": 10}
    assert planner.due(now, 30, 10) == []
    planner.visited("a/0", now, changed=False)  # whether it was handed out or not
    for page in range(20):
        planner.release(f"b/{page}")
    assert owners_of(planner.due(now + 1, 30, 10))["b"] == 10
    planner.remove("farm/1")
    assert owners_of(planner.due(now + 2, 1_000)).keys() == {"farm", "a", "b"}


def test_the_order_within_a_limit_is_that_without_one() -> None:
    now, sizes = START + 60 * DAY, {"farm": 900, "a": 90, "b": 90}
    expected = list[str]()
    for page in owned(sizes).due(now, 1_080):
        if owners_of(expected).get(page.partition("/")[0], 0) < 10:
            expected.append(page)
    assert owned(sizes).due(now, 1_080, 10) == expected


def test_a_limit_makes_no_order_anew_while_there_is_one_owner_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    orders = counted_orders(monkeypatch)
    planner, now = planner_of(900, policy="uniform"), START + 60 * DAY
    waiting = planner.due(now, 30, 10)
    for _ in range(20):
        planner.visited(waiting.pop(0), now, changed=False)
        waiting += planner.due(now, 30, 10)
        assert len(waiting) == 10
    assert len(orders) == 1
