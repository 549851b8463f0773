"""The strategies on IPageRank: votes, rounds, and the parts of a score."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.drawn_web import FAMILY, DrawnLink, DrawnWeb, crawl_order, finish, ids
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategy import StrategyConfig


@pytest.mark.parametrize("ranked", [False, True], ids=["between rounds", "after a round"])
def test_ipagerank_rwb_puts_a_relevant_parents_plain_link_above_an_irrelevant_ones(
    ranked: bool,
) -> None:
    strategy = make_strategy("ipagerank-rwb")
    for position, name in enumerate(["s", "good", "bad"], 1):
        strategy.score(FAMILY.view(name, order=position))
    if ranked:
        finish(strategy)
    names = ["g-named", "g-plain", "b-named", "b-plain"]
    scores, parts = strategy.rescore(ids(*names))
    order = [names[i] for i in np.argsort(-scores, kind="stable")]
    assert order[-1] == "b-plain"
    assert order[0] == "g-named"
    assert order.index("g-plain") < order.index("b-plain")
    mixed = 0.4 * parts["metadata"] + 0.4 * parts["parents"] + 0.2 * parts["graph"]
    assert scores.tolist() == pytest.approx(mixed.tolist())
    assert 0 <= scores.min() <= scores.max() <= 1


def test_ipagerank_rwb_crawls_the_family_in_this_order() -> None:
    order = crawl_order(FAMILY, make_strategy("ipagerank-rwb"), ["s"], rank_every=1)
    assert order == "s good g-named g-plain bad b-named b-plain"


def test_without_rounds_the_first_links_keep_the_score_of_a_crawl_that_knew_one_page() -> None:
    # bad was scored when s was the best page known; only a round would take that back.
    order = crawl_order(FAMILY, make_strategy("ipagerank-rwb"), ["s"], rank_every=1000)
    assert order == "s good g-named bad g-plain b-named b-plain"


def test_the_votes_of_ipagerank_rw_go_to_links_with_evidence_only() -> None:
    web, strategies = FAMILY.view("good"), ("ipagerank-rw", "ipagerank-rwb")
    votes = [make_strategy(name).score(web).parts["ipagerank"] for name in strategies]
    vote = 0.85 * 0.15 * 0.8
    assert votes[0].tolist() == pytest.approx([vote, 0.0])
    # RWB: .9 for the named link, c·B = .4 for the plain one.
    assert votes[1].tolist() == pytest.approx([vote * 0.9 / 1.3, vote * 0.4 / 1.3])


def test_the_parts_of_a_score_by_hand() -> None:
    strategy = make_strategy("ipagerank-rw")
    for order, name in enumerate(["good", "bad"], 1):
        strategy.score(FAMILY.view(name, order=order))
    finish(strategy)
    _, parts = strategy.rescore(ids("g-named", "g-plain", "b-named", "b-plain"))
    assert parts["metadata"].tolist() == [0.9, 0.0, 0.9, 0.0]
    # The 95th percentile of .8 and .05 is .7625.
    assert parts["parents"].tolist() == pytest.approx([1, 1, 0.05 / 0.7625, 0.05 / 0.7625])
    # Two links have a rank: the middles of the upper and of the lower half.
    assert parts["graph"].tolist() == [0.75, 0.0, 0.25, 0.0]


def test_a_link_is_judged_by_the_mean_of_its_parents_not_by_their_number() -> None:
    web = DrawnWeb({"p": ["both", "one"], "q": ["both", "other"]}, relevance={"p": 0.8, "q": 0.2})
    strategy = make_strategy("ipagerank-rwb")
    for name in "pq":
        strategy.score(web.view(name))
    finish(strategy)
    _, parts = strategy.rescore(ids("one", "both", "other"))
    assert parts["parents"].tolist() == pytest.approx([1.0, 0.5 / 0.77, 0.2 / 0.77])


def test_the_weights_of_the_mix_are_configurable() -> None:
    alone = StrategyConfig(metadata_weight=0.0, parent_weight=0.0)
    answer = make_strategy("ipagerank-rwb", alone).score(FAMILY.view("good"))
    assert answer.score.tolist() == answer.parts["graph"].tolist()


def test_thesis_mode_scores_by_9_5_alone() -> None:
    strategy = make_strategy("ipagerank-rwb", StrategyConfig(mode="thesis", d_rwb=0.0))
    answer = strategy.score(FAMILY.view("good"))
    assert answer.score.tolist() == answer.parts["ipagerank"].tolist()
    # Constant teleport: good has .15 and splits .85 of it .9 : .8 (plain gets B = .8).
    share = np.array([0.9, 0.8]) / 1.7
    assert answer.score.tolist() == pytest.approx((0.15 + 0.85 * 0.15 * share).tolist())


@pytest.mark.parametrize("mode", ["capped", "thesis"])
def test_the_estimate_between_rounds_is_one_evaluation_of_9_5(mode: str) -> None:
    # On a tree fetched from the top, one evaluation per page is already the fixpoint.
    config = StrategyConfig(mode=mode, d_rwb=0.0, iterations=40)
    strategy = make_strategy("ipagerank-rwb", config)
    for position, name in enumerate(["s", "good", "bad"], 1):
        strategy.score(FAMILY.view(name, order=position))
    everything = ids("s", "good", "bad", "g-named", "g-plain", "b-named", "b-plain")
    _, before = strategy.rescore(everything)
    finish(strategy)
    _, after = strategy.rescore(everything)
    assert before["ipagerank"].tolist() == pytest.approx(after["ipagerank"].tolist())


@pytest.mark.parametrize("name", ["ipagerank-rwb", "pagerank"])
def test_pages_scored_during_a_round_vote_after_it(name: str) -> None:
    config = StrategyConfig(d_rwb=0.0, iterations=40)
    apart, during = make_strategy(name, config), make_strategy(name, config)
    for strategy in (apart, during):
        strategy.score(FAMILY.view("s"))
        strategy.score(FAMILY.view("good"))
    finish(apart)
    apart.score(FAMILY.view("bad"))
    steps = during.rank()
    next(steps)
    during.score(FAMILY.view("bad"))
    for _ in steps:
        pass
    # The scale Q95 is taken after the round and may differ; the ranks must not.
    for link in ids("good", "bad", "g-named", "b-named", "b-plain"):
        ours, theirs = (s.rescore(np.array([link])) for s in (during, apart))
        key = "ipagerank"
        assert ours[1].get(key, ours[0])[0] == pytest.approx(theirs[1].get(key, theirs[0])[0])


def test_the_best_in_link_counts_for_metadata_and_every_in_link_for_the_rank() -> None:
    strategy = make_strategy("ipagerank-rwb")
    web = DrawnWeb(
        {"p": [DrawnLink("x", rel=0.9)], "q": [DrawnLink("x", rel=0.6)]},
        relevance={"p": 0.5, "q": 0.5},
    )
    first = strategy.score(web.view("p"))
    second = strategy.score(web.view("q"))
    assert second.parts["metadata"].tolist() == [0.9]
    assert second.parts["ipagerank"][0] == pytest.approx(2 * first.parts["ipagerank"][0])


def test_a_page_scored_twice_votes_once() -> None:
    strategy = make_strategy("ipagerank-rwb")
    first = strategy.score(FAMILY.view("good"))
    again = strategy.score(FAMILY.view("good"))
    assert again.score.tolist() == first.score.tolist()


def test_without_any_relevant_page_only_the_metadata_counts() -> None:
    answer = make_strategy("ipagerank-rwb").score(
        DrawnWeb({"p": [DrawnLink("x", rel=0.9), "y"]}).view("p")
    )
    assert answer.score.tolist() == pytest.approx([0.36, 0.0])
