from __future__ import annotations

import numpy as np
import pytest

from tests.support.drawn_web import FAMILY, DrawnLink, DrawnWeb, crawl_order, finish, ids
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.strategies import STRATEGIES, local, make_strategy
from topiccrawl.scoring.strategy import StrategyConfig

TREE = DrawnWeb(
    {
        "s": ["a", "b", "c"],
        "a": ["d", "e"],
        "b": ["f", "c"],
        "e": ["g"],
        "f": ["a", "h"],
    }
)


def test_breadth_first_is_a_queue() -> None:
    assert crawl_order(TREE, make_strategy("breadth-first"), ["s"]) == "s a b c d e f g h"


def test_breadth_first_prefers_the_smaller_depth_over_the_earlier_parent() -> None:
    # Seeds at depth 0; x is found at depth 1 after y's depth-2 link is already queued.
    strategy = make_strategy("breadth-first")
    web = DrawnWeb({"p": ["late"], "q": ["x"]})
    deep = strategy.score(web.view("p", depth=1, order=1)).score[0]
    shallow = strategy.score(web.view("q", depth=0, order=2)).score[0]
    later = strategy.score(DrawnWeb({"r": ["y"]}).view("r", depth=0, order=3)).score[0]
    assert shallow > later > deep


def test_breadth_first_still_distinguishes_neighbors_after_a_million_pages() -> None:
    strategy = make_strategy("breadth-first")
    web = DrawnWeb({"p": ["a"], "q": ["b"]})
    first = strategy.score(web.view("p", depth=10_000, order=4_000_000)).score[0]
    second = strategy.score(web.view("q", depth=10_000, order=4_000_001)).score[0]
    assert first > second


def test_depth_first_is_a_stack() -> None:
    # c is pushed by s and again by b, a again by f: the stack's newest entry counts.
    assert crawl_order(TREE, make_strategy("depth-first"), ["s"]) == "s c b f h a e g d"


def test_best_first_follows_the_most_relevant_parent() -> None:
    web = DrawnWeb(
        {"s": ["a", "b"], "a": ["d"], "b": ["e", "f"], "e": ["g"]},
        relevance={"s": 0.5, "a": 0.2, "b": 0.9, "e": 0.1},
    )
    assert crawl_order(web, make_strategy("best-first"), ["s"]) == "s a b e f d g"


def test_best_first_takes_the_best_of_several_parents() -> None:
    web = DrawnWeb({"p": ["x"], "q": ["x"]}, relevance={"p": 0.9, "q": 0.3})
    strategy = make_strategy("best-first")
    strategy.score(web.view("p"))
    assert strategy.score(web.view("q")).score.tolist() == [0.9]


def test_shark_search_goes_by_anchor_among_siblings_and_by_ancestors_among_families() -> None:
    web = DrawnWeb(
        {
            "s": [
                DrawnLink("dull"),
                DrawnLink("near", context=0.5),
                DrawnLink("named", anchor=0.5),
            ],
            "named": ["child1"],
            "dull": ["child2"],
        },
        relevance={"s": 0.4, "named": 0.8, "dull": 0.0},
    )
    assert (
        crawl_order(web, make_strategy("shark-search"), ["s"]) == "s named child1 near dull child2"
    )


def test_shark_search_by_hand() -> None:
    # δ=.5 γ=.8 β=.8; anchor .5 makes the context 1: .8·.5·.4 + .2·(.8·.5 + .2·1) = .28.
    web = DrawnWeb({"s": [DrawnLink("a", anchor=0.5), DrawnLink("b", context=0.5)]}, {"s": 0.4})
    answer = make_strategy("shark-search").score(web.view("s"))
    assert answer.score.tolist() == pytest.approx([0.28, 0.16 + 0.2 * 0.2 * 0.5])
    assert answer.parts["inherited"].tolist() == pytest.approx([0.2, 0.2])


def test_an_irrelevant_page_hands_on_a_part_of_what_it_inherited() -> None:
    web = DrawnWeb({"p": ["a"]}, relevance={"p": 0.0})
    answer = make_strategy("shark-search").score(web.view("p", inherited=0.2))
    assert answer.parts["inherited"].tolist() == pytest.approx([0.1])


def test_random_is_the_order_of_the_draws_and_repeats() -> None:
    expected = sorted("abc", key=lambda n: -link_draws(0, 0, ids(n))[0][0])
    web = DrawnWeb({"s": ["a", "b", "c"]})
    assert crawl_order(web, make_strategy("random"), ["s"]) == " ".join(["s", *expected])
    orders = {
        crawl_order(web, make_strategy("random", StrategyConfig(run_seed=i)), ["s"])
        for i in range(20)
    }
    assert len(orders) > 1


def test_fish_search_follows_relevant_pages_wide_and_others_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "FISH_WIDTH", 2)
    # s is relevant: of its four links the first 1.5·2 have potential 1.  dull is not: .5, .5, 0.
    web = DrawnWeb(
        {"s": ["dull", "good", "c", "late"], "dull": ["d1", "d2", "d3"], "good": ["g1"]},
        relevance={"s": 0.9, "good": 0.9},
    )
    strategy = make_strategy("fish-search")
    assert crawl_order(web, strategy, ["s"]) == "s dull good c g1 d1 d2 late d3"


def test_a_fish_dies_after_so_many_links_without_food(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "FISH_DEPTH", 2)
    web = DrawnWeb({"p": ["a"], "q": ["b"]}, relevance={"q": 0.9})
    strategy = make_strategy("fish-search")
    hungry = strategy.score(web.view("p", depth=3, inherited=1.0))
    assert (hungry.score.tolist(), hungry.parts["inherited"].tolist()) == ([0.5], [0.0])
    dead = strategy.score(DrawnWeb({"r": ["c"]}).view("r", depth=4, inherited=0.0))
    assert dead.score.tolist() == [-1.0]
    fed = strategy.score(web.view("q", depth=4, inherited=0.0))
    assert (fed.score.tolist(), fed.parts["inherited"].tolist()) == ([1.0], [2.0])


HITS_WEB = DrawnWeb(
    {
        "s": [
            DrawnLink("none"),
            DrawnLink("title", title_hit=True, rel=0.6),
            DrawnLink("url", url_hit=True, rel=0.4),
            DrawnLink("text", text_hit=True, rel=0.7),
            DrawnLink("both", url_hit=True, text_hit=True, rel=1.0),
        ]
    }
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("uh", "s url both none title text", id="the URL says it"),
        pytest.param("teh", "s text both none title url", id="the text says it"),
        pytest.param("tih", "s title none url text both", id="the title says it"),
        pytest.param("amh", "s both text url title none", id=".9, .6, .3, .1, 0"),
        pytest.param("rw", "s both text title none url", id="by relevance, .4 is under c"),
    ],
)
def test_metadata_strategies_order_by_their_formula(name: str, expected: str) -> None:
    assert crawl_order(HITS_WEB, make_strategy(name), ["s"]) == expected


def test_the_threshold_of_rw_is_configurable() -> None:
    order = crawl_order(HITS_WEB, make_strategy("rw", StrategyConfig(c=0.65)), ["s"])
    assert order == "s both text none title url"


def rwb_web(background: float) -> DrawnWeb:
    return DrawnWeb(
        {"s": [DrawnLink(f"l{i}") for i in range(40)] + [DrawnLink("good", rel=0.6)]},
        background={"s": background},
    )


@pytest.mark.parametrize("mode", ["capped", "thesis"])
def test_rwb_gives_second_and_third_chances_by_the_frozen_draws(mode: str) -> None:
    web = rwb_web(0.2)
    view = web.view("s")
    answer = make_strategy("rwb", StrategyConfig(run_seed=3, mode=mode, d_rwb=0.5)).score(view)
    p1, p2 = link_draws(3, view.id, view.links.targets)
    luck = np.where(p1 >= 0.5, p2 * (1.0 if mode == "thesis" else 0.3), 0.0)
    assert answer.score[:-1].tolist() == luck[:-1].tolist()
    assert answer.score[-1] == 0.6
    config = StrategyConfig(run_seed=3, mode=mode, d_rwb=0.5)
    backed = make_strategy("rwb", config).score(rwb_web(0.7).view("s"))
    chance = 0.7 if mode == "thesis" else 0.35
    assert backed.score[:-1].tolist() == np.where(p1[:-1] >= 0.5, chance, 0.0).tolist()


def test_literal_luck_may_overtake_evidence_and_capped_luck_may_not() -> None:
    web = rwb_web(0.0)
    literal = crawl_order(web, make_strategy("rwb", StrategyConfig(mode="thesis")), ["s"])
    capped = crawl_order(web, make_strategy("rwb"), ["s"])
    assert not literal.startswith("s good")
    assert capped.startswith("s good")


def test_another_seed_is_another_order_and_the_same_seed_the_same() -> None:
    orders = [
        crawl_order(rwb_web(0.0), make_strategy("rwb", StrategyConfig(run_seed=seed)), ["s"])
        for seed in (1, 1, 2)
    ]
    assert orders[0] == orders[1] != orders[2]


POPULAR = DrawnWeb(
    {
        "s": ["a", "b", "c", "lonely", "popular"],
        "a": ["popular", "x"],
        "b": ["popular", "y", "x"],
        "c": ["z1", "z2", "z3", "z4"],
    }
)


def test_in_degree_counts_the_pages_that_link() -> None:
    # After a: popular 2; it is overtaken by nobody, then x after b.
    assert crawl_order(POPULAR, make_strategy("in-degree"), ["s"]) == (
        "s a popular b x c lonely y z1 z2 z3 z4"
    )


def test_in_degree_counts_a_page_once() -> None:
    strategy = make_strategy("in-degree")
    strategy.score(POPULAR.view("a"))
    assert strategy.score(POPULAR.view("a")).score.tolist() == [1.0, 1.0]


def test_pagerank_prefers_many_and_exclusive_votes() -> None:
    strategy = make_strategy("pagerank", StrategyConfig(iterations=50))
    for order, name in enumerate(["s", "a", "b", "c"], 1):
        strategy.score(POPULAR.view(name, order=order))
    finish(strategy)
    scores, _ = strategy.rescore(ids("popular", "x", "y", "lonely", "z1"))
    # By hand: s = .15, a = b = c = .15 + .85·.15/5 = .1755.
    a = 0.15 + 0.85 * 0.15 / 5
    expected = [
        0.15 + 0.85 * (0.15 / 5 + a / 2 + a / 3),
        0.15 + 0.85 * (a / 2 + a / 3),
        0.15 + 0.85 * a / 3,
        a,
        0.15 + 0.85 * a / 4,
    ]
    assert scores.tolist() == pytest.approx(expected)


def test_topic_pagerank_prefers_what_relevant_pages_lead_to() -> None:
    # Plain PageRank prefers x, which two pages link to; the jump to the relevant q prefers y.
    web = DrawnWeb(
        {"s": ["p", "r", "q"], "p": ["x"], "r": ["x"], "q": ["y"]},
        relevance={"q": 0.9, "s": 0.01, "p": 0.01, "r": 0.01},
    )
    for name, first in (("pagerank", "x"), ("topic-pagerank", "y")):
        strategy = make_strategy(name)
        for i, page in enumerate("sprq", start=1):
            strategy.score(web.view(page, depth=min(i - 1, 1), order=i))
        finish(strategy)
        scores, _ = strategy.rescore(ids("x", "y"))
        assert "xy"[int(np.argmax(scores))] == first


def test_hits_prefers_links_of_good_hubs() -> None:
    web = DrawnWeb(
        {"s": ["h1", "h2", "h3"], "h1": ["x", "y"], "h2": ["x", "y"], "h3": ["w"]},
    )
    order = crawl_order(web, make_strategy("hits"), ["s"], rank_every=4)
    assert order == "s h1 h2 h3 x y w"
    strategy = make_strategy("hits")
    for name in web.links:
        strategy.score(web.view(name))
    assert strategy.rescore(ids("x"))[0].tolist() == [0.0], "no round yet"
    finish(strategy)
    scores, _ = strategy.rescore(ids("x", "y", "w"))
    assert scores[0] == pytest.approx(scores[1])
    assert scores[0] > 0.7 > scores[2]
    fresh = strategy.score(DrawnWeb({"n": ["new", "x"]}).view("n"))
    assert fresh.score.tolist() == [0.0, scores[0]]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_answers_empty_pages_unknown_links_and_rounds_without_pages(
    name: str,
) -> None:
    strategy = make_strategy(name)
    finish(strategy)
    assert np.isnan(strategy.rescore(ids("never"))[0]).all()
    empty = strategy.score(DrawnWeb({}, {"p": 0.5}).view("p"))
    assert empty.score.shape == (0,)
    answer = strategy.score(FAMILY.view("good"))
    finish(strategy)
    assert answer.score.shape == (2,)
    assert np.isfinite(answer.score).all()
    assert all(part.shape == (2,) for part in answer.parts.values())
    scores, parts = strategy.rescore(ids("g-plain", "never", "g-named"))
    assert np.isnan(scores).tolist() == [False, True, False]
    assert all(np.isnan(part).tolist() == [False, True, False] for part in parts.values())
    assert set(parts) == set(answer.parts)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_deterministic_and_re_scores_what_it_scored(name: str) -> None:
    orders = {crawl_order(POPULAR, make_strategy(name), ["s"], rank_every=2) for _ in range(2)}
    assert len(orders) == 1
    strategy = make_strategy(name)
    answer = strategy.score(POPULAR.view("b"))
    scores, _ = strategy.rescore(ids(*POPULAR.links["b"]))
    assert scores.tolist() == answer.score.tolist()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_learns_from_pages_of_other_workers_as_from_its_own(name: str) -> None:
    own, other = make_strategy(name), make_strategy(name)
    for number, page in enumerate(POPULAR.links):
        own.score(POPULAR.view(page))
        other.add(POPULAR.view(page))
        if number == 2:
            finish(own)
            finish(other)
    known = ids(*(link for links in POPULAR.links.values() for link in links))
    assert other.rescore(known)[0].tolist() == own.rescore(known)[0].tolist()
