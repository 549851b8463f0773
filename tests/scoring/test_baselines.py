"""svm-hits, semantic and infospiders on drawn webs: numbers by hand and exact orders."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.drawn_web import DrawnLink, DrawnWeb, crawl_order, finish, ids, name_id
from topiccrawl.crawl.queue.rounds import next_round
from topiccrawl.scoring.draws import link_draws
from topiccrawl.scoring.packing import pack_page, unpack_page
from topiccrawl.scoring.strategies import STRATEGIES, make_strategy
from topiccrawl.scoring.strategies.baselines import semantic
from topiccrawl.scoring.strategies.baselines.agents import (
    EVIDENCE,
    FIRST_WEIGHT,
    NO_KEYWORD,
    child,
    estimates,
    first_agent,
    learn,
    senses,
)
from topiccrawl.scoring.strategies.baselines.infospiders import COST, GREED, InfoSpidersStrategy
from topiccrawl.scoring.strategy import LinkBatch, PageView, StrategyConfig

# svm-hits: the pages h1 and h2 point at one authority each; only h1's kind is relevant.
HUBS = DrawnWeb(
    {
        "s": ["good", "bad", "h2", "h1"],
        "h1": ["x", "y"],
        "h2": ["v", "w"],
        "good": ["x"],
        "bad": ["w"],
    },
    relevance={"s": 0.9, "good": 0.9, "h1": 0.1},
    terms={"s": [1, 2], "good": [1, 3], "bad": [5, 6], "h1": [1, 4], "h2": [5, 7]},
)


def test_svm_hits_follows_links_of_pages_that_the_svm_accepts() -> None:
    # h1 is accepted for its words, though the crawl's judgment was under the threshold; bad and h2
    # are refused, so that v and w go last; x has two hubs, y one.
    order = crawl_order(HUBS, make_strategy("svm-hits"), ["s"], rank_every=1)
    assert order == "s good bad h2 h1 x y w v"


def test_svm_hits_judges_by_the_crawl_until_it_has_seen_both_kinds() -> None:
    strategy = make_strategy("svm-hits")
    assert strategy.score(HUBS.view("bad")).score.tolist() == [-1.0]
    assert strategy.score(HUBS.view("good")).score.tolist() == [0.0]
    finish(strategy)
    scores, parts = strategy.rescore(ids("x", "w"))
    assert scores.tolist() == [1.0, -1.0]
    assert parts["authority"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("name", ["hits", "svm-hits"])
def test_rounds_of_hits_are_a_twentieth_of_the_crawl_apart(name: str) -> None:
    strategy = make_strategy(name)
    assert next_round(strategy, 1_000, 0, 100) == 1_100
    assert next_round(strategy, 100_000, 900_000, 100) == 105_000
    assert next_round(strategy, 10_000, 900_000, 100) == 10_900


def test_a_link_that_one_accepted_page_shows_is_followed() -> None:
    strategy = make_strategy("svm-hits")
    strategy.score(DrawnWeb({"p": ["both"]}).view("p"))
    both = DrawnWeb({"q": ["both"]}, relevance={"q": 0.9}).view("q")
    assert strategy.score(both).score.tolist() == [0.0]


WORDS = DrawnWeb(
    {
        "s": [
            DrawnLink("dull", semantic=(0.1, 0.0)),
            DrawnLink("named", semantic=(0.8, 0.0)),
            DrawnLink("silent", semantic=(np.nan, 0.2)),
        ],
        "named": [DrawnLink("child", semantic=(0.5, 0.5))],
        "dull": ["orphan"],
    },
    semantic={"s": (0.6, 0.4), "named": (0.9, 0.8), "dull": (0.0, 0.1)},
)


def test_semantic_similarity_by_hand() -> None:
    strategy = make_strategy("semantic")
    # A seed has no parents: (.5·.6 + .3·.4)/.8 = .525.
    first = strategy.score(WORDS.view("s"))
    assert first.score.tolist() == pytest.approx(
        [0.5 * 0.1 + 0.3 * 0.525, 0.5 * 0.8 + 0.3 * 0.525, (0.2 * 0.2 + 0.3 * 0.525) / 0.5]
    )
    # named: .5·.9 + .3·.8 + .2·.525 = .795, of which its link inherits .3.
    second = strategy.score(WORDS.view("named"))
    assert second.score.tolist() == pytest.approx([0.5 * 0.5 + 0.2 * 0.5 + 0.3 * 0.795])
    assert second.parts["page"].tolist() == pytest.approx([0.795])


def test_a_page_inherits_the_mean_of_all_its_parents_once_each() -> None:
    web = DrawnWeb(
        {"p": ["x"], "q": ["x"], "x": [DrawnLink("y", semantic=(0.0, 0.0))]},
        semantic={"p": (0.4, 0.4), "q": (0.8, 0.8), "x": (0.5, 0.5)},
    )
    strategy = make_strategy("semantic")
    for name in ("p", "q", "q"):
        strategy.score(web.view(name))
    found = strategy.score(web.view("x")).score[0]
    assert found == pytest.approx(0.3 * (0.8 * 0.5 + 0.2 * 0.6))


def test_semantic_crawls_in_this_order() -> None:
    # child .5885 before silent .395; orphan, of a page of .137, last.
    assert crawl_order(WORDS, make_strategy("semantic"), ["s"]) == (
        "s named child silent dull orphan"
    )


def test_semantic_weighs_the_terms_of_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "LINK_WEIGHTS", (0.0, 1.0, 0.0))
    assert crawl_order(WORDS, make_strategy("semantic"), ["s"]) == (
        "s silent dull named child orphan"
    )


def test_an_agent_senses_evidence_and_its_own_words() -> None:
    web = DrawnWeb(
        {"p": [DrawnLink("a", rel=0.5, url_hit=True, anchor=0.25, words=(7, 9)), "b"]},
        relevance={"p": 0.3},
    )
    agent = first_agent()
    agent.keywords[1] = 9
    x = senses(agent, web.view("p"))
    assert x[0].tolist() == [1, 0.3, 0.5, 1, 0, 0, 0.25, 0, 0, 1, *[0] * 6]
    assert x[1].tolist() == [1, 0.3, *[0] * 14]
    assert estimates(agent, x)[1] == pytest.approx(np.tanh(0.3 * FIRST_WEIGHT))


def test_an_agent_learns_from_the_page_behind_a_link() -> None:
    agent, x = first_agent(), np.zeros(16)
    x[0], x[2] = 1.0, 0.5
    before = np.tanh(0.25)
    learn(agent, x, reward=1.0)
    step = 0.1 * (1 - before**2) * (1.0 - before)
    assert agent.weights[[0, 2, 3]].tolist() == pytest.approx([step, 0.5 + step / 2, 0.5])


def test_a_child_is_like_its_parent_with_one_word_more() -> None:
    page = DrawnWeb({"p": []}, terms={"p": [4, 8]}).view("p")
    weights = np.array([0.6, 0.8])
    page = PageView(
        page.id, 0.9, 0.0, True, 0, 1, 0.0, page.links, np.array([4, 8], dtype=np.int32), weights
    )
    parent = first_agent()
    born = child(parent, page, seed=1)
    assert born.keywords.tolist() == [8, *[NO_KEYWORD] * 7]
    assert born.weights[EVIDENCE] == FIRST_WEIGHT
    assert 0 < np.abs(born.weights[:EVIDENCE] - parent.weights[:EVIDENCE]).max() < 0.6
    grandchild = child(born, page, seed=1)
    assert grandchild.keywords.tolist()[:2] == [8, 4]
    again, other = child(parent, page, seed=1), child(parent, page, seed=2)
    assert again.weights.tolist() == born.weights.tolist() != other.weights.tolist()


def test_a_full_memory_forgets_the_word_that_matters_least() -> None:
    parent = first_agent()
    parent.keywords[:] = np.arange(100, 108)
    parent.weights[EVIDENCE:] = [2, -2, 2, 2, -2, 2, 2, 2]
    parent.weights[EVIDENCE + 5] = 0.0
    page = DrawnWeb({"p": []}, terms={"p": [3]}).view("p")
    assert child(parent, page, seed=0).keywords.tolist() == [100, 101, 102, 103, 104, 3, 106, 107]


def test_the_score_of_a_link_is_drawn_by_energy_and_softmax() -> None:
    web = DrawnWeb({"p": [DrawnLink("a", rel=1.0), "b"]}, relevance={"p": 0.2})
    answer = make_strategy("infospiders", StrategyConfig(run_seed=4)).score(web.view("p"))
    p1, _ = link_draws(4, name_id("p"), ids("a", "b"))
    wish = GREED * np.tanh([0.6, 0.1])
    expected = wish - np.log(np.exp(wish).sum()) - np.log(-np.log(p1)) + np.log(1 - COST)
    assert answer.score.tolist() == pytest.approx(expected.tolist())
    assert answer.parts["estimate"].tolist() == pytest.approx(np.tanh([0.6, 0.1]).tolist())


def test_links_are_drawn_with_softmax_frequencies() -> None:
    web = DrawnWeb({"p": [DrawnLink("a", rel=0.2), DrawnLink("b"), DrawnLink("c", rel=0.1)]})
    wins = np.zeros(3)
    for seed in range(1500):
        answer = make_strategy("infospiders", StrategyConfig(run_seed=seed)).score(web.view("p"))
        wins[np.argmax(answer.score)] += 1
    wish = np.exp(GREED * np.tanh([0.1, 0.0, 0.05]))
    assert wins / 1500 == pytest.approx(wish / wish.sum(), abs=0.04)


FARM = DrawnWeb(
    {
        "s": ["meadow", "desert"],
        "meadow": ["m1", "m2", "m3"],
        "m1": ["m4", "m5"],
        "desert": ["d1", "d2"],
        "d1": ["d3", "d4"],
    },
    relevance={"meadow": 0.9, "m1": 0.9, "m2": 0.9, "m4": 0.9},
)


def test_agents_that_find_something_divide_and_those_that_do_not_die() -> None:
    strategy = InfoSpidersStrategy(StrategyConfig())
    strategy.score(FARM.view("s"))
    assert strategy.population == 1
    strategy.score(FARM.view("meadow"))
    strategy.score(FARM.view("m1"))
    assert strategy.population == 2
    for i in range(12):
        strategy.score(DrawnWeb({f"x{i}": [f"x{i + 1}"]}).view(f"x{i}"))
    # A seed of its own, x0: ten pages without a find.
    assert strategy.population == 2
    dead, _ = strategy.rescore(ids("x12"))
    living, _ = strategy.rescore(ids("m4"))
    assert dead[0] < np.log(1e-5) < living[0]


def test_infospiders_crawls_in_this_order() -> None:
    strategy = make_strategy("infospiders", StrategyConfig(run_seed=1))
    assert crawl_order(FARM, strategy, ["s"], rank_every=1) == (
        "s desert d2 meadow m1 m5 m2 m4 d1 d3 d4 m3"
    )
    orders = {
        crawl_order(FARM, make_strategy("infospiders", StrategyConfig(run_seed=i)), ["s"])
        for i in range(10)
    }
    assert len(orders) > 3


def test_a_second_report_of_a_page_scores_links_that_the_first_did_not_have() -> None:
    strategy = InfoSpidersStrategy(StrategyConfig())
    strategy.score(DrawnWeb({"p": ["a"]}).view("p"))
    answer = strategy.score(DrawnWeb({"p": ["a", "b"]}).view("p"))
    assert np.isfinite(answer.score).all()
    assert answer.parts["energy"].tolist() == pytest.approx([1 - COST] * 2)


def random_pages(count: int) -> list[PageView]:
    """Pages as full as they come: every array that any strategy wants."""
    rng = np.random.default_rng(11)
    pages = []
    for order in range(1, count + 1):
        n = int(rng.integers(0, 30))
        targets = rng.choice(400, n, replace=False).astype(np.int64)
        links = LinkBatch(
            targets, rng.random(n), rng.random(n) < 0.2, rng.random(n) < 0.2, rng.random(n) < 0.2,
            rng.random(n), rng.random(n),
            features=rng.integers(-1, 2**18, (n, 24)).astype(np.int32),
            semantic=np.where(rng.random((n, 2)) < 0.2, np.nan, rng.random((n, 2))),
        )  # fmt: skip
        terms = rng.choice(500, 40, replace=False).astype(np.int32)
        page = PageView(
            order, rng.random(), rng.random(), bool(rng.random() < 0.3), order % 5, order, 0.1, links,
            terms, np.full(40, 40**-0.5), rng.random(2),
        )  # fmt: skip
        pages.append(page)
    return pages


@pytest.mark.parametrize("name", STRATEGIES)
def test_who_replays_the_packed_pages_of_a_crawl_has_the_same_scores(name: str) -> None:
    here, there = make_strategy(name), make_strategy(name)
    for i, page in enumerate(random_pages(80), start=1):
        first, second = here.score(page), there.score(unpack_page(pack_page(page)))
        assert first.score.tolist() == second.score.tolist()
        assert np.isfinite(first.score).all()
        if i % 25 == 0:
            finish(here)
            finish(there)
    known = np.arange(400, dtype=np.int64)
    assert here.rescore(known)[0].tobytes() == there.rescore(known)[0].tobytes()
