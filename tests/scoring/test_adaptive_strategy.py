"""adaptive as a strategy: its order on drawn webs, its learning, its memory of nothing but the calls."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.support.drawn_web import DrawnLink, DrawnWeb, crawl_order, name_id
from topiccrawl.crawl.queue.rounds import next_round
from topiccrawl.scoring.graph import BLOCK_EDGES
from topiccrawl.scoring.packing import pack_page, unpack_page
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.adaptive import model as models
from topiccrawl.scoring.strategy import IN_CHANNEL, NAMED_FRONT, OTHER_FRONT, LinkBatch, PageView


def page(
    number: int,
    relevance: float,
    targets: list[int],
    features: list[list[int]] | None = None,
    url_hits: tuple[int, ...] = (),
) -> PageView:
    n = len(targets)
    zero, no = np.zeros(n), np.zeros(n, dtype=bool)
    given = features if features is not None else [[t % 50, -1] for t in targets]
    return PageView(
        id=number,
        relevance=relevance,
        background=0.0,
        relevant=relevance >= 0.2,
        depth=0,
        order=number,
        inherited=0.0,
        links=LinkBatch(
            targets=np.array(targets, dtype=np.int64),
            rw_relevance=zero,
            url_hit=np.isin(targets, url_hits) if targets else no,
            text_hit=no,
            title_hit=no,
            anchor_similarity=zero,
            context_similarity=zero,
            features=np.array(given, dtype=np.int32) if given else np.empty((0, 0), np.int32),
        ),
    )


def drawn_crawl(pages: int, seed: int = 3) -> list[PageView]:
    """Pages that link to later ones; those with an even number are relevant, and carry feature 7."""
    draw = np.random.default_rng(seed)
    views = []
    for number in range(pages):
        targets = sorted({int(t) for t in draw.integers(number + 1, number + 60, 12)})
        features = [[7 if t % 2 == 0 else 8, 100 + t % 13] for t in targets]
        views.append(page(number, 0.3 if number % 2 == 0 else 0.01, targets, features))
    return views


def round_of(strategy: AdaptiveStrategy) -> int:
    return sum(1 for _ in strategy.rank())


WEB = DrawnWeb(
    links={
        "s": ["a", "b", DrawnLink("c", anchor=0.9), DrawnLink("d", context=0.9)],
        "a": ["e"],
        "b": ["f", "g"],
        "c": ["g", "h"],
        "d": ["i"],
    },
    relevance={"s": 0.02, "b": 0.05, "c": 0.05, "d": 0.0},
)


def test_anchors_go_before_contexts_and_links_of_relevant_pages_before_others() -> None:
    # s says most for c by its anchor, then d by its context.  c is relevant, so that g and h come
    # before d's i; a and b differ by a draw of RWB only, and b, relevant, lifts f over a, i and e.
    order = crawl_order(WEB, make_strategy("adaptive"), ["s"])
    assert order == "s c g h d b f a i e"


def test_two_relevant_pages_that_show_a_link_lift_it_over_one_of_a_mixed_pair() -> None:
    strategy = AdaptiveStrategy()
    strategy.score(page(1, 0.05, [10, 11]))
    strategy.score(page(2, 0.0, [11]))
    strategy.score(page(3, 0.05, [10]))
    scores, _ = strategy.rescore(np.array([10, 11]))
    assert scores[0] > scores[1]


def test_parts_are_log_odds_and_sum_to_the_score() -> None:
    strategy = make_strategy("adaptive")
    for view in drawn_crawl(80):
        found = strategy.score(view)
    for _ in strategy.rank():
        pass
    scores, parts = strategy.rescore(view.links.targets)
    names = {
        "prior", "sources", "text", "words", "rank", "channel", "learned", "credit", "exploration"
    }  # fmt: skip
    assert set(parts) == names == set(found.parts)
    assert np.log(scores / (1 - scores)) == pytest.approx(np.sum(list(parts.values()), axis=0))
    assert scores.min() > 0
    assert scores.max() < 1


def on_site(view: PageView, site: int, channels: list[int], sites: list[int]) -> PageView:
    """The same page on a site, with links to *sites*."""
    links = replace(
        view.links,
        channels=np.array(channels, dtype=np.int32).reshape(-1, 1),
        places=np.array([[it, it, 1, 1] for it in sites], dtype=np.int32),
    )
    return replace(view, links=links, place=np.array([site, site, 1, 1], dtype=np.int32))


def test_links_in_a_channel_that_a_keyword_names_come_first_and_other_channels_last() -> None:
    strategy = AdaptiveStrategy()
    kinds = [OTHER_FRONT, 0, IN_CHANNEL, NAMED_FRONT, IN_CHANNEL]
    found = strategy.score(on_site(page(1, 0.3, [5, 6, 7, 8, 9]), 3, kinds, [3] * 5))
    other, plain, inside, front, again = found.score.tolist()
    assert other < plain < front < min(inside, again)
    assert np.sign(found.parts["channel"]).tolist() == [-1, 0, 1, 1, 1]


def test_only_a_site_itself_says_which_of_its_channels_a_keyword_names() -> None:
    """A comment elsewhere could name those of an attacker, or devalue those of others."""
    abroad = on_site(page(1, 0.3, [5, 6, 7]), 3, [OTHER_FRONT, IN_CHANNEL, NAMED_FRONT], [4] * 3)
    at_home = on_site(page(2, 0.3, [7, 8]), 4, [NAMED_FRONT, IN_CHANNEL], [4] * 2)
    for pages in ([abroad, at_home], [at_home, abroad]):
        strategy = AdaptiveStrategy()
        for view in pages:
            found = strategy.score(view)
            if view is abroad and pages[0] is abroad:
                assert found.parts["channel"].tolist() == [0, 0, 0]
        _, parts = strategy.rescore(np.array([5, 6, 7, 8]))
        assert np.sign(parts["channel"]).tolist() == [-1, 0, 1, 1]


def test_what_is_behind_redirects_teaches_as_much_as_other_pages() -> None:
    views = drawn_crawl(60)
    moved = [replace(it, id=it.id + 10_000) for it in views]
    asked = [replace(it, asked=it.id - 10_000) for it in moved]
    waiting = np.unique(np.concatenate([it.links.targets for it in views]))[60:]
    scores = []
    for pages in (views, asked, moved):
        strategy = AdaptiveStrategy()
        for view in pages:
            strategy.score(view)
        round_of(strategy)
        scores.append(strategy.rescore(waiting)[0])
    # The draws of IPageRank-RWB differ with the ids of the pages.
    assert len(waiting) > 20
    assert np.abs(scores[1] - scores[0]).max() < 0.05
    assert np.abs(scores[2] - scores[0]).max() > 0.1, "nothing is learned without the links"


def test_a_word_that_led_to_relevant_pages_lifts_unknown_links_that_carry_it() -> None:
    strategy = AdaptiveStrategy()
    for view in drawn_crawl(100):
        strategy.score(view)
    view = page(1_000, 0.1, [5_000, 5_001, 5_002], [[7, -1], [8, -1], [-1, -1]])
    assert not strategy.score(view).parts["learned"].any()
    round_of(strategy)
    good, bad, unknown = strategy.rescore(view.links.targets)[1]["learned"]
    assert good > unknown == 0 > bad


def test_a_word_of_the_topic_in_the_url_lifts_a_link() -> None:
    strategy = AdaptiveStrategy()
    found = strategy.score(page(1, 0.05, [10, 11], url_hits=(11,)))
    assert found.score[1] > found.score[0]
    assert found.parts["words"].tolist() == [0.0, 1.0]


def test_words_in_urls_that_lead_nowhere_lose_their_weight() -> None:
    strategy = AdaptiveStrategy()
    for number in range(100):
        targets = [number + 1, number + 2]
        hits = tuple(t for t in targets if t % 2)
        strategy.score(page(number, 0.0 if number % 2 else 0.3, targets, [[1], [1]], hits))
    before = strategy.score(page(1_000, 0.1, [5_000], [[1]], (5_000,))).parts["words"][0]
    round_of(strategy)
    after = strategy.rescore(np.array([5_000]))[1]["words"][0]
    assert after < 0 < before


def test_links_that_no_page_showed_have_no_score() -> None:
    scores, parts = make_strategy("adaptive").rescore(np.array([name_id("x")]))
    assert np.isnan(scores).all()
    assert all(np.isnan(values).all() for values in parts.values())


def test_a_page_without_links_and_a_page_reported_twice_do_no_harm() -> None:
    once, twice = AdaptiveStrategy(), AdaptiveStrategy()
    for strategy in (once, twice):
        strategy.score(page(1, 0.3, []))
        strategy.score(page(2, 0.3, [4]))
    twice.score(page(2, 0.3, [4]))
    round_of(once), round_of(twice)
    ids = np.array([4])
    assert once.rescore(ids)[0].tolist() == twice.rescore(ids)[0].tolist()


def test_strategies_without_features_to_read_order_by_the_rest() -> None:
    strategy = AdaptiveStrategy()
    bare = [
        replace(v, links=replace(v.links, features=np.empty((len(v.links), 0), dtype=np.int32)))
        for v in drawn_crawl(60)
    ]
    for view in bare:
        strategy.score(view)
    round_of(strategy)
    scores, parts = strategy.rescore(bare[-1].links.targets)
    assert np.isfinite(scores).all()
    assert not parts["learned"].any()


def test_a_replay_through_the_journal_gives_the_same_order_to_the_last_bit() -> None:
    worker, late = AdaptiveStrategy(), AdaptiveStrategy()
    ids = np.arange(300)
    for i, view in enumerate(drawn_crawl(150)):
        worker.score(view)
        late.score(unpack_page(pack_page(view)))
        if i in (20, 90):
            round_of(worker), round_of(late)
    assert worker.rescore(ids)[0].tobytes() == late.rescore(ids)[0].tobytes()


def test_workers_that_made_their_rounds_at_other_times_agree_after_the_next() -> None:
    often, once = AdaptiveStrategy(), AdaptiveStrategy()
    for i, view in enumerate(drawn_crawl(150)):
        often.score(view)
        once.score(view)
        if i % 10 == 9:
            round_of(often)
    round_of(often), round_of(once)
    ids = np.arange(1, 200)
    assert often.rescore(ids)[0] == pytest.approx(once.rescore(ids)[0], abs=1e-6, nan_ok=True)


def test_pages_scored_between_the_steps_of_a_round_count() -> None:
    paused, whole = AdaptiveStrategy(), AdaptiveStrategy()
    views = drawn_crawl(100)
    for view in views[:60]:
        paused.score(view)
        whole.score(view)
    steps = paused.rank()
    for view in views[60:]:
        next(steps, None)
        paused.score(view)
    for _ in steps:
        pass
    round_of(whole)
    for view in views[60:]:
        whole.score(view)
    ids = np.arange(1, 140)
    assert (
        np.isfinite(paused.rescore(ids)[0]).tolist() == np.isfinite(whole.rescore(ids)[0]).tolist()
    )
    round_of(paused), round_of(whole)
    assert paused.rescore(ids)[0] == pytest.approx(whole.rescore(ids)[0], abs=1e-9, nan_ok=True)


def test_a_fit_costs_the_same_at_any_size_of_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    fit = models.LinkModel.fit

    def counted(self: models.LinkModel, numbers, features, values) -> None:  # type: ignore[no-untyped-def]
        sizes.append(len(values))
        fit(self, numbers, features, values)

    monkeypatch.setattr(models.LinkModel, "fit", counted)
    strategy = AdaptiveStrategy()
    for i, view in enumerate(drawn_crawl(1_600)):
        strategy.score(view)
        if i in (100, 1_200, 1_599):
            round_of(strategy)
    assert sizes[0] < 101
    assert sizes[1:] == [models.MOST_EXAMPLES] * 2


def test_a_round_pauses_after_every_block_of_links() -> None:
    strategy = AdaptiveStrategy()
    width = BLOCK_EDGES // 4
    for number in range(12):
        first = number * width
        targets = list(range(first + 100, first + 100 + width))
        strategy.score(page(number, 0.1, targets, [[1]] * width))
    # Three blocks: twice for the smoothing and twice for the sums each.
    assert round_of(strategy) >= 3 * 4


def test_rounds_come_early_at_first_and_then_follow_the_settings() -> None:
    strategy = make_strategy("adaptive")
    assert "features" in strategy.wants
    at, rounds = 0, [0]
    while at < 2_000:
        at = next_round(strategy, at, 0, 100)
        rounds.append(at)
    gaps = [b - a for a, b in pairwise(rounds)]
    assert gaps[0] == 10
    assert gaps == sorted(gaps)
    assert gaps[-1] == 100
    assert next_round(strategy, 500, 5_000_000, 100) == 5_500
    assert next_round(strategy, 50_000, 0, 100) == 50_100
    assert next_round(make_strategy("best-first"), 0, 0, 100) == 100


def test_rounds_of_a_large_crawl_are_as_far_apart_as_it_is_large() -> None:
    strategy = make_strategy("adaptive")
    at, looked_at = 100_000, 0
    while at < 400_000:
        at = next_round(strategy, at, 0, 100)
        looked_at += at
    # A round looks at all fetched pages: at most 1,000 for each page that is fetched.
    assert looked_at <= 1_000 * 300_000
