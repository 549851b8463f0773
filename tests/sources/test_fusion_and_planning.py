"""Fusion of engines, trust in them, and what is asked next."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from topiccrawl.sources.engine import Engine, Question
from topiccrawl.sources.fusion import TRUSTED, UNTRUSTED, SourcePool
from topiccrawl.sources.planner import Plan, QueryPlanner, Wait
from topiccrawl.sources.queries import Query, learned_queries, site_queries, topic_queries
from topiccrawl.sources.rests import EngineRests, RestState
from topiccrawl.sources.results import Answer, Asked, Result, Verdict
from topiccrawl.topics.definition import Category, Keyword, Seed, TopicDefinition
from topiccrawl.topics.load import bare_definition
from topiccrawl.topics.topic import Topic, idf_table

TEA = Question("茶文化")


def pool() -> SourcePool:
    return SourcePool(lambda url: url, lambda title, snippet: 1.0 if "茶" in title else 0.2)


def asked(
    engine: str,
    pages: Sequence[str],
    question: Question = TEA,
    *,
    page: int = 0,
    at: float = 0.0,
    title: str = "茶",
    engines: tuple[str, ...] = (),
) -> Asked:
    results = [Result(f"http://{name}/", f"{title} {name}", "", engines) for name in pages]
    return Asked(engine, question, page, at, Answer(Verdict.GOOD, results))


def bad(engine: str, verdict: Verdict, *, at: float = 0.0, retry_after: float = 0.0) -> Asked:
    return Asked(engine, TEA, 0, at, Answer(verdict, (), "status 429", retry_after))


def names(prefix: str, count: int = 10) -> list[str]:
    return [f"{prefix}{i}" for i in range(count)]


def test_pages_that_several_engines_rank_high_come_first() -> None:
    found = pool()
    found.add(asked("one", ["a", "b", "c"]))
    found.add(asked("two", ["c", "a", "d"]))
    best = found.sources()
    assert [source.url for source in best] == [f"http://{x}/" for x in "acbd"]
    assert best[0].found == (("茶文化", "one", 1), ("茶文化", "two", 2))


def test_an_engine_that_agrees_with_no_other_is_not_trusted() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("two", names("a")))
    found.add(asked("bad", names("x")))
    assert found.trust("one") > 0.9
    assert found.trust("bad") < TRUSTED
    assert not [it for it in found.sources() if it.url.startswith("http://x")]
    found.add(asked("bad", names("y"), page=0, question=TEA))
    assert found.trust("bad") < UNTRUSTED
    assert [it.url for it in found.probes(2)] == ["http://x0/", "http://y0/"]


def test_pages_that_the_crawl_kept_restore_the_trust_in_an_engine() -> None:
    found = pool()
    for engine, prefix in (("one", "a"), ("two", "a"), ("own", "x")):
        found.add(asked(engine, names(prefix)))
    before = found.trust("own")
    for i in range(3):
        found.judge(f"http://x{i}/", True)
        found.judge(f"http://a{i}/", True)
    restored = found.trust("own")
    assert restored > max(before, TRUSTED)
    for i in range(3, 9):
        found.judge(f"http://x{i}/", False)
        found.judge(f"http://a{i}/", True)
    assert found.trust("own") < min(restored, TRUSTED)


def test_results_that_could_not_be_shared_say_nothing_of_trust() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("two", names("a")))
    for i in range(4):
        found.add(asked("two", names(f"b{i}"), Question(f"茶 {i}")))
    assert found.trust("two") > 0.9


def test_irrelevant_titles_lower_the_trust() -> None:
    found = pool()
    found.add(asked("one", names("a")))
    found.add(asked("ads", names("a"), title="广告"))
    found.add(asked("ads", names("z", 30), Question("茶"), title="广告"))
    assert found.trust("ads") < found.trust("one")


def test_engines_behind_a_metasearch_engine_are_told_apart() -> None:
    found = pool()
    found.add(asked("searxng", names("a"), engines=("bing", "baidu")))
    found.add(asked("searxng", names("x", 20), engines=("bad",)))
    assert found.trust("searxng") > 0.9, "its best engine counts"
    assert not [it for it in found.sources() if it.url.startswith("http://x")]
    assert found.sources()[0].found[0][1] == "searxng / baidu"


def test_pages_that_are_gone_are_no_sources() -> None:
    found = pool()
    found.add(asked("one", ["a", "b"]))
    found.lose("http://a/")
    assert [it.url for it in found.sources()] == ["http://b/"]


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


def test_few_results_in_common_do_not_make_engines_the_same() -> None:
    found = pool()
    found.add(asked("one", ["a", "b"]))
    found.add(asked("two", ["a", "b"]))
    assert 0.5 < found.agreement("two") < 0.7
    for engine in ("one", "two"):
        found.add(asked(engine, names("c", 40), Question("茶")))
    assert found.agreement("two") > 0.9


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


def test_queries_come_from_words_templates_and_sites() -> None:
    definition = TopicDefinition(
        "茶",
        keywords=(Keyword("茶文化", 1.0, "core"), Keyword("紫砂", 0.4, "related")),
        seeds=(Seed("http://tea.cn/x"),),
        queries=('"{keyword}" 政策', "{keyword} site:{site}"),
    )
    questions = [str(query.question) for query in topic_queries(definition)]
    assert questions[0] == "茶文化"
    assert {"茶文化 site:tea.cn", '"茶文化" 政策', "茶文化 紫砂"} <= set(questions)
    assert "紫砂" not in questions, "a remote term alone is ambiguous"


def test_a_template_with_a_category_makes_a_query_for_each() -> None:
    definition = TopicDefinition(
        "茶",
        keywords=(Keyword("茶文化", 1.0, "core"),),
        seeds=(Seed("http://tea.cn/x"),),
        queries=("{keyword} {category} site:{site}",),
    )
    assert not [it for it in topic_queries(definition) if it.family == "template"]
    divided = replace(definition, categories=(Category("会议"), Category("人物")))
    questions = [str(it.question) for it in topic_queries(divided) if it.family == "template"]
    assert questions == ["茶文化 会议 site:tea.cn", "茶文化 人物 site:tea.cn"]


def test_a_compound_is_asked_in_its_parts_too() -> None:
    assert "数学 公式" in [str(it.question) for it in topic_queries(bare_definition("数学公式"))]
    parts = [it for it in topic_queries(bare_definition("侨眷")) if it.family == "parts"]
    assert not parts, "one word"


def test_words_and_sites_of_good_results_make_queries() -> None:
    topic = Topic.learn(bare_definition("茶文化"))
    texts = ["普洱 的 历史", "普洱 与 茶文化", "云南 普洱", *["龙井 其他"] * 2, *["无关"] * 3]
    words = [str(q.question) for q in learned_queries(topic, texts, idf_table().idf, 5)]
    assert words[0] == "茶文化 普洱"
    urls = [f"http://a.cn/{i}" for i in range(4)] + [f"http://b{i}.cn/" for i in range(8)]
    assert [str(q.question) for q in site_queries("茶", urls)] == ["茶 site:a.cn"]
    assert not site_queries("茶", [f"http://a.cn/{i}" for i in range(9)]), "the only host"
