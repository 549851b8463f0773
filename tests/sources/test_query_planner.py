"""What is asked next, of which engine."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from tests.support.search_answers import TEA, asked, bad, names, pool
from topiccrawl.sources.engine import Engine, Question
from topiccrawl.sources.fusion import TRUSTED
from topiccrawl.sources.planner import Plan, QueryPlanner, Wait
from topiccrawl.sources.queries import Query
from topiccrawl.sources.rests import EngineRests, RestState
from topiccrawl.sources.results import Answer, Asked, Verdict


def planner(*engines: str, budget: int = 10, rests: EngineRests | None = None) -> QueryPlanner:
    described = [Engine(name, "http://s/", interval=0.0) for name in engines]
    found = QueryPlanner(described, pool(), rests or EngineRests(60.0), budget)
    found.extend([Query(TEA, 1.0, "word"), Query(Question("茶道"), 0.5, "word")])
    return found


def test_the_work_of_a_plan_does_not_grow_with_queries_times_pages() -> None:
    plans = planner("one", "two", "three", budget=1_000)
    plans.extend([Query(Question(f"茶{i}"), 0.5, "word") for i in range(80)])
    for i in range(80):
        for engine in ("one", "two", "three") if i < 3 else ("one",):
            plans.add(asked(engine, names(f"{i}-"), Question(f"茶{i}")))
    calls: Counter[str] = Counter()
    sys.setprofile(lambda _frame, event, _arg: calls.update([event]))
    try:
        assert isinstance(plans.next(0.0), Plan)
    finally:
        sys.setprofile(None)
    # 150 queries that another engine has answered, and 800 pages.
    assert calls["call"] < 60_000


def test_the_first_query_goes_to_every_engine_before_any_other() -> None:
    plans = planner("one", "two")
    first = plans.next(0.0)
    assert isinstance(first, Plan)
    assert first.question == TEA
    plans.add(asked(first.engine.name, names("a")))
    second = plans.next(0.0)
    assert isinstance(second, Plan)
    assert (second.engine.name, second.question) == ("two", TEA)


def test_an_engine_that_rests_is_waited_for_or_passed_over() -> None:
    plans = planner("one")
    plans.add(bad("one", Verdict.BLOCKED))
    assert plans.next(1.0) == Wait(60.0)
    assert isinstance(plans.next(61.0), Plan)
    plans = planner("one", "two")
    plans.add(asked("one", names("a")))
    plans.add(bad("two", Verdict.BLOCKED))
    assert plans.next(1.0) == Wait(60.0), "the second one's opinion is waited for"


def test_engines_that_agree_do_not_wait_for_a_third_one() -> None:
    plans = planner("one", "two", "three")
    for engine in ("one", "two"):
        plans.add(asked(engine, names("a")))
    for at in (0.0, 60.0):
        plans.add(bad("three", Verdict.BLOCKED, at=at))
    assert not plans.comparing
    assert isinstance(plans.next(61.0), Plan), "it rests for four minutes"
    plans = planner("one", "two", "three")
    for engine, prefix in (("one", "a"), ("two", "x")):
        plans.add(asked(engine, names(prefix)))
    plans.add(bad("three", Verdict.BLOCKED))
    assert plans.next(1.0) == Wait(60.0), "one of the two may be poisoned"


@pytest.mark.parametrize(
    ("verdict", "attempts"),
    [(Verdict.BLOCKED, 4), (Verdict.PAUSED, 4), (Verdict.UNREACHABLE, 2)],
)
def test_no_comparison_waits_for_an_engine_that_never_answers(
    verdict: Verdict, attempts: int
) -> None:
    plans = planner("one", "two")
    plans.add(asked("one", names("a")))
    for _ in range(attempts):
        assert plans.uncompared() == {"one", "two"}
        plans.add(bad("two", verdict))
    assert plans.uncompared() == set()
    assert isinstance(plans.next(0.0), Plan)


def test_an_engine_that_rests_for_long_does_not_keep_the_only_other_one_from_being_asked() -> None:
    rests = EngineRests(60.0)
    rests.merge("two", RestState(1, 0, 86_400.0, "captcha"))
    plans = planner("one", "two", rests=rests)
    for question in (TEA, Question("茶道")):
        plan = plans.next(0.0)
        assert isinstance(plan, Plan)
        assert (plan.engine.name, plan.question) == ("one", question)
        plans.add(asked("one", names(str(question), 3), question))
        assert not plans.comparing, "its results are released"
    assert plans.next(86_400.0) == Plan(Engine("two", "http://s/", interval=0.0), TEA, 0)
    assert plans.comparing


def test_an_engine_whose_rests_have_grown_long_is_not_waited_for() -> None:
    plans = planner("one", "two")
    plans.add(asked("one", names("a", 3)))
    for at, until in ((0.0, 60.0), (60.0, 300.0)):
        plans.add(bad("two", Verdict.BLOCKED, at=at))
        assert plans.next(at) == Wait(until)
    plans.add(bad("two", Verdict.BLOCKED, at=300.0))
    plan = plans.next(300.0)
    assert isinstance(plan, Plan)
    assert plan.engine.name == "one"


def test_an_engine_that_failed_does_not_ask_before_engines_that_agree() -> None:
    plans = planner("one", "two", "three")
    for engine in ("one", "two"):
        plans.add(asked(engine, names("a")))
    for _ in range(3):
        plans.add(bad("three", Verdict.BLOCKED))
    plan = plans.next(100_000.0)
    assert isinstance(plan, Plan)
    assert plan.engine.name == "one"


def test_queries_are_added_once() -> None:
    plans = planner("one")
    assert plans.extend([Query(TEA, 0.2, "word"), Query(Question("茶馆"), 0.9, "word")]) == 1
    found = {str(query.question): query.prior for query in plans.queries}
    assert found == {"茶文化": 1.0, "茶道": 0.5, "茶馆": 0.9}


def test_the_next_page_follows_a_full_one_with_relevant_results_and_no_other() -> None:
    plans = planner("one")
    plans.add(asked("one", names("a")))
    following = plans.next(0.0)
    assert isinstance(following, Plan)
    assert (following.question, following.page) == (TEA, 1)
    plans.add(asked("one", names("b", 4), page=1))
    other = plans.next(0.0)
    assert isinstance(other, Plan)
    assert (other.question.words, other.page) == ("茶道", 0), "4 results: the last page"
    plans = planner("one")
    plans.add(asked("one", names("a"), title="广告"))
    other = plans.next(0.0)
    assert isinstance(other, Plan)
    assert (other.question.words, other.page) == ("茶道", 0), "advertisements: no more of them"


def test_an_engine_that_ignores_the_number_of_the_page_is_asked_for_no_further_one() -> None:
    plans = planner("one")
    plans.add(asked("one", names("a")))
    plans.add(asked("one", names("a"), page=1))
    other = plans.next(0.0)
    assert isinstance(other, Plan)
    assert (other.question.words, other.page) == ("茶道", 0)


def test_a_page_that_brought_nothing_new_is_followed_by_the_next() -> None:
    plans = planner("one", "two")
    for engine in ("one", "two"):
        plans.add(asked(engine, names("a")))
    plans.add(asked("one", names("b"), Question("茶道"), title="广告"))
    following = plans.next(0.0)
    assert isinstance(following, Plan)
    assert (following.question, following.page) == (TEA, 1), "the second ten may be as good"


def test_an_engine_that_agrees_with_no_other_is_asked_once_more_what_others_have_answered() -> None:
    plans = planner("one", "two", "bad", budget=100)
    for engine, prefix in (("one", "a"), ("two", "a"), ("bad", "x")):
        plans.add(asked(engine, names(prefix)))
    plans.extend([Query(Question(f"茶 {i}"), 1.0, "pair") for i in range(3)])
    sent: list[tuple[str, str, int]] = []
    while isinstance(plan := plans.next(0.0), Plan):
        engine, question, page = plan.engine.name, plan.question, plan.page
        sent.append((engine, question.words, page))
        prefix = "x" if engine == "bad" else ""
        plans.add(asked(engine, names(f"{prefix}{question.words}{page}"), question, page=page))
    to_bad = [at for at, (engine, _, _) in enumerate(sent) if engine == "bad"]
    assert len(to_bad) == 1, "two answers that share nothing are enough"
    _, words, page = sent[to_bad[0]]
    assert page == 0
    assert {("one", words, 0), ("two", words, 0)} & set(sent[: to_bad[0]])


def test_no_more_is_asked_than_the_budget_allows() -> None:
    plans = planner("one", "two", budget=7)
    sent = 0
    while isinstance(plan := plans.next(0.0), Plan):
        sent += 1
        found = names(f"{plan.question.words}{plan.page}")
        plans.add(asked(plan.engine.name, found, plan.question, page=plan.page))
    assert sent == 7


def test_an_empty_answer_is_asked_again_once_when_nothing_better_is_left() -> None:
    plans = planner("one", budget=9)
    plans.extend([Query(Question("茶馆"), 0.9, "word")])
    sent, now = [], 0.0
    while (plan := plans.next(now)) is not None:
        if isinstance(plan, Wait):
            now = plan.until
            continue
        sent.append(plan.question.words)
        plans.add(Asked("one", plan.question, 0, now, Answer(Verdict.EMPTY)))
    assert sent == ["茶文化", "茶馆", "茶文化", "茶道", "茶馆", "茶道"]


def test_titles_of_an_engine_that_agrees_with_no_other_set_no_measure() -> None:
    found = pool()
    for engine in ("one", "two"):
        found.add(asked(engine, names("a"), title="文化"))
    found.add(asked("bad", names("x")))
    assert found.trust("one") > 0.9, "its titles are all that is known"
    assert found.trust("bad") < TRUSTED


def test_the_budget_counts_what_was_sent_also_without_an_answer() -> None:
    plans = planner("one", budget=2)
    plans.begin("one", TEA, 0)
    assert plans.spent == 1
    plans.add(bad("one", Verdict.FORBIDDEN))
    assert plans.spent == 0
    assert plans.next(0.0) is None, "robots.txt forbids it for good"
    plans = planner("one", budget=2)
    plans.begin("one", TEA, 0)
    plans.begin("one", Question("茶道"), 0)
    assert plans.next(0.0) is None
    assert plans.spent == 2
