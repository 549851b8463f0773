"""Rests of engines that refuse."""

from __future__ import annotations

from tests.support.search_answers import TEA, asked, bad
from topiccrawl.sources.rests import EngineRests, RestState
from topiccrawl.sources.results import Answer, Asked, Verdict


def test_rests_grow_with_refusals_in_a_row_and_end_with_a_good_answer() -> None:
    rests = EngineRests(60.0)
    assert [rests.add(bad("e", Verdict.BLOCKED), 1.0) for _ in range(3)] == [60.0, 240.0, 960.0]
    assert rests.until("e") == 960.0
    assert rests.add(asked("e", ["a"], at=1000.0), 1.0) == 0.0
    assert rests.until("e") == 1001.0
    assert rests.add(bad("e", Verdict.BLOCKED, at=2000.0, retry_after=500.0), 1.0) == 500.0
    assert rests.add(bad("f", Verdict.GARBLED), 1.0) == 0.0, "an accident"
    assert rests.add(bad("f", Verdict.GARBLED), 1.0) == 60.0


def test_the_reason_of_a_rest_is_what_the_engine_said_or_the_kind_of_its_answer() -> None:
    rests = EngineRests(60.0)
    rests.add(bad("e", Verdict.BLOCKED), 1.0)
    rests.add(Asked("f", TEA, 0, 0.0, Answer(Verdict.BLOCKED)), 1.0)
    assert (rests.reason("e"), rests.reason("f")) == ("status 429", "blocked")
    rests.add(asked("e", ["a"]), 1.0)
    assert rests.reason("e") == ""


def test_a_rest_that_another_crawl_recorded_counts_if_it_ends_later() -> None:
    rests = EngineRests(60.0)
    rests.add(bad("e", Verdict.BLOCKED), 1.0)
    rests.merge("e", RestState(1, 0, 30.0, "earlier"))
    assert (rests.until("e"), rests.reason("e")) == (60.0, "status 429")
    rests.merge("e", RestState(2, 0, 300.0, "later"))
    assert (rests.until("e"), rests.reason("e")) == (300.0, "later")
    assert rests.add(bad("e", Verdict.BLOCKED, at=300.0), 1.0) == 960.0
