"""What is kept of a page's visits."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.freshness.history import MOST_VISITS, PageHistory, directory_of

visits = st.lists(st.tuples(st.floats(1, 1000), st.booleans(), st.integers(0, 9)), max_size=80)


def _history(steps: list[tuple[float, bool, int]]) -> PageHistory:
    history = PageHistory(1000.0, site="a.cn", directory="https://a.cn/news/")
    at = history.first_seen
    for step, changed, links in steps:
        at += step
        history = history.visited(at, changed, links).signaled(at + 0.5, "sitemap")
    return history


@given(visits)
def test_a_history_is_read_as_it_was_written(steps: list[tuple[float, bool, int]]) -> None:
    history = _history(steps)
    assert PageHistory.from_json(json.loads(json.dumps(history.to_json()))) == history


@given(visits)
def test_visits_beyond_the_bound_are_counted(steps: list[tuple[float, bool, int]]) -> None:
    history = _history(steps)
    assert len(history.visits) == min(len(steps), MOST_VISITS)
    assert history.earlier_visits + len(history.visits) == len(steps)
    assert history.changes == sum(changed for _, changed, _ in steps)


def test_a_vanished_page_is_back_with_the_next_visit() -> None:
    history = PageHistory(0.0).vanished(10.0)
    assert history.gone
    assert history.last_visit == 10.0
    assert not history.visited(20.0, changed=True).gone


def test_a_page_changes_once_when_it_vanishes_however_often_it_is_asked_for() -> None:
    history = PageHistory(0.0).vanished(10.0)
    assert history.changes == 1
    assert history.vanished(20.0).changes == 1
    assert history.visited(30.0, changed=True).vanished(40.0).changes == 3


def test_a_record_with_nothing_but_its_time_is_a_page_without_visits() -> None:
    assert PageHistory.from_json({"first_seen": 5.0}) == PageHistory(5.0)


def test_a_signal_that_is_known_adds_nothing() -> None:
    history = PageHistory(0.0).signaled(5.0, "feed")
    assert history.signaled(5.0, "feed") is history


def test_siblings_share_a_directory() -> None:
    assert directory_of("https://a.cn/news/1.htm?x=/y/") == "https://a.cn/news/"
    assert directory_of("https://a.cn") == directory_of("https://a.cn/1.htm") == "https://a.cn/"
