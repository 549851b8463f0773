"""Renewals of lost sessions: enough to go on, and never a loop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.access.renewal import MOST_USELESS, Decision, RenewalRules
from topiccrawl.access.walls import Evidence

PAGES = [f"http://a.cn/{n}" for n in range(4)]


def test_a_page_of_an_older_session_is_repeated_without_a_renewal() -> None:
    rules = RenewalRules(60)
    wall = Evidence.REDIRECT
    assert rules.behind_wall(PAGES[0], wall, 1, 1, 0, used=True) is Decision.RENEW
    assert rules.behind_wall(PAGES[1], wall, 1, 2, 0, used=True) is Decision.REPEAT


def test_a_page_behind_the_wall_after_a_fresh_login_is_dropped_and_others_wait() -> None:
    rules = RenewalRules(60)
    wall = Evidence.REDIRECT
    assert rules.behind_wall(PAGES[0], wall, 1, 1, 0, used=False) is Decision.RENEW
    assert rules.behind_wall(PAGES[0], wall, 2, 2, 1, used=False) is Decision.DROP
    assert rules.behind_wall(PAGES[1], wall, 2, 2, 2, used=True) is Decision.LATER
    assert rules.behind_wall(PAGES[1], wall, 2, 2, 61, used=True) is Decision.RENEW
    rules.came_through(PAGES[1])
    assert rules.behind_wall(PAGES[2], wall, 3, 3, 62, used=True) is Decision.RENEW


def test_weak_evidence_that_stays_after_a_login_does_not_count_any_more() -> None:
    rules = RenewalRules(60)
    assert rules.behind_wall(PAGES[0], Evidence.TEXT, 1, 1, 0, used=True) is Decision.RENEW
    assert rules.behind_wall(PAGES[0], Evidence.TEXT, 2, 2, 1, used=True) is Decision.CONTENT
    assert rules.behind_wall(PAGES[1], Evidence.TEXT, 2, 2, 2, used=True) is Decision.CONTENT


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 500)), max_size=300))
def test_renewals_that_help_nobody_end(steps: list[tuple[int, bool, int]]) -> None:
    """Every page is behind the wall, whatever is done."""
    rules, generation, renewals, now = RenewalRules(1), 1, 0, 0.0
    requested = dict.fromkeys(PAGES, 1)
    for number, used, seconds in steps:
        now += seconds
        page = PAGES[number]
        decision = rules.behind_wall(
            page, Evidence.REDIRECT, requested[page], generation, now, used=used
        )
        if decision is Decision.RENEW:
            generation += 1
            renewals += 1
        requested[page] = generation
    assert renewals <= 3 * (MOST_USELESS + len(PAGES))
