"""Exploration of adaptive: when a crawl probes unseen hosts, which links it takes, and when it stops."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from tests.support.meaning_encoder import Encoder
from topiccrawl.analysis.places import location_of
from topiccrawl.crawl.queue.rounds import next_round
from topiccrawl.scoring.meaning import TopicMeaning
from topiccrawl.scoring.packing import pack_page, unpack_page
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategies.adaptive.exploration import (
    FINDS_PER_REQUEST,
    FIRST_ROUND,
    INTERVAL,
    MOST_OFFERS,
    PAGES_PER_REQUEST,
    wilson_upper,
)
from topiccrawl.scoring.strategies.adaptive.places import KnownPlaces
from topiccrawl.scoring.strategy import LinkBatch, PageView
from topiccrawl.urls.identity import link_id


def page(
    url: str, links: list[str], *, relevance: float = 0.0, similarity: float = 0.0
) -> PageView:
    n = len(links)
    zero, no = np.zeros(n), np.zeros(n, dtype=bool)
    return PageView(
        link_id(url), relevance, 0.0, relevance > 0.3, 0, 0, 0.0,
        LinkBatch(
            ids(links), np.full(n, similarity), no, no, no, zero, zero,
            places=np.array([location_of(link).place for link in links], dtype=np.int32).reshape(n, 4),
        ),
        place=np.array(location_of(url).place, dtype=np.int32),
    )  # fmt: skip


def ids(urls: list[str]) -> np.ndarray:
    return np.array([link_id(url) for url in urls], dtype=np.int64)


def own(number: int) -> str:
    return f"http://www.dead.example/{number}.html"


OTHERS = [f"http://www.site{n}.example/" for n in range(20)]


def crawl(
    pages: int, *, others: list[str] = OTHERS, relevance: float = 0.0, start: int = 0
) -> list[PageView]:
    """Pages of one host; each links to two others of it, the first one also to other sites."""
    return [
        page(
            own(n),
            [own(n + 1), own(n + 1_000), *(others if n == start else [])],
            relevance=relevance,
        )
        for n in range(start, start + pages)
    ]


def run(views: list[PageView], strategy: AdaptiveStrategy | None = None) -> AdaptiveStrategy:
    strategy = strategy or AdaptiveStrategy()
    for view in views:
        strategy.score(view)
    rank(strategy)
    return strategy


def rank(strategy: AdaptiveStrategy) -> None:
    for _ in strategy.rank():
        pass


def bonus(strategy: AdaptiveStrategy, urls: list[str]) -> np.ndarray:
    return strategy.rescore(ids(urls))[1]["exploration"]


def test_a_dry_crawl_probes_unseen_hosts_before_everything_else() -> None:
    strategy = run(crawl(60))
    probed = bonus(strategy, OTHERS) > 0
    scores, _ = strategy.rescore(ids([*OTHERS, own(60), own(1_005)]))
    assert probed.sum() == INTERVAL
    assert scores[:-2][probed].min() > scores[-2:].max()
    assert next_round(strategy, 60, 100, 100) == 60 + INTERVAL


def test_links_with_evidence_are_fetched_beside_the_probes() -> None:
    promising = [own(n) for n in range(5_000, 5_000 + INTERVAL)]
    strategy = run([*crawl(20), page(own(20), promising, similarity=0.9)])
    assert 0 < np.count_nonzero(bonus(strategy, OTHERS)) < INTERVAL


def test_likeness_to_the_words_of_the_topic_takes_the_place_of_no_probe() -> None:
    strategy = AdaptiveStrategy()
    strategy.compare_meaning(TopicMeaning(Encoder(), ["mammals"]))
    views = []
    for number, view in enumerate(crawl(20)):
        anchors = np.empty((len(view.links), 1), dtype=object)
        words = ("otter", "chess") * len(anchors)
        anchors[:, 0] = [f"{words[i]} {number:02}{i:02}" for i in range(len(anchors))]
        views.append(replace(view, links=replace(view.links, anchors=anchors)))
    run(views, strategy)
    liked = ids([own(20)])
    assert strategy.rescore(liked)[1]["meaning"] > 0.1
    assert strategy.rescore(liked)[0] > 0.12  # more than a link without evidence
    assert np.count_nonzero(bonus(strategy, OTHERS)) == INTERVAL


def test_seeds_off_topic_make_a_crawl_look_at_other_hosts_at_once() -> None:
    strategy = AdaptiveStrategy()
    for view in crawl(FIRST_ROUND):
        assert not strategy.wants_round
        strategy.score(view)
    assert strategy.wants_round


def test_a_young_crawl_chooses_again_when_its_probes_are_used_up() -> None:
    strategy = run(crawl(FIRST_ROUND, others=OTHERS[:4]))
    probed = [url for url, extra in zip(OTHERS, bonus(strategy, OTHERS[:4]), strict=False) if extra]
    assert probed == OTHERS[:4]
    for url in probed:
        assert not strategy.wants_round
        strategy.score(page(url, OTHERS))
    assert strategy.wants_round
    rank(strategy)
    assert bonus(strategy, OTHERS[4:]).any()


def test_a_crawl_that_finds_relevant_pages_probes_nothing() -> None:
    strategy = run(crawl(60, relevance=0.6))
    assert not bonus(strategy, OTHERS).any()
    assert strategy.round_growth == AdaptiveStrategy.round_growth


def test_finds_end_the_probing_and_another_dry_stretch_starts_it_again() -> None:
    strategy = run(crawl(60))
    run(crawl(25, relevance=0.9, start=200), strategy)
    assert not bonus(strategy, OTHERS).any()
    run(crawl(60, start=400), strategy)
    assert bonus(strategy, OTHERS).any()


@pytest.mark.parametrize("others", [[], OTHERS[:1]], ids=["one host", "two hosts"])
def test_on_a_web_of_few_hosts_nothing_changes(others: list[str]) -> None:
    class Plain(AdaptiveStrategy):
        explores = False

    views = crawl(60, others=others)
    urls = [own(n) for n in range(61)] + others
    explored, plain = run(views), run(views, Plain())
    assert explored.rescore(ids(urls))[0].tolist() == plain.rescore(ids(urls))[0].tolist()
    assert explored.round_growth == plain.round_growth


def test_a_crawl_that_becomes_dry_asks_for_a_round_and_then_has_them_as_usual() -> None:
    strategy = run(crawl(60, relevance=0.9))
    asked = []
    for view in crawl(40, start=200):
        strategy.score(view)
        asked.append(strategy.wants_round)
    assert not any(asked[: INTERVAL - 1])
    assert asked[-1]
    rank(strategy)
    assert bonus(strategy, OTHERS).any()
    assert not strategy.wants_round


@pytest.mark.parametrize("others", [[], OTHERS[:1]], ids=["one host", "two hosts"])
def test_a_dry_crawl_of_few_hosts_asks_for_no_round(others: list[str]) -> None:
    strategy = run(crawl(60, relevance=0.9, others=others))
    for view in crawl(40, start=200, others=others):
        strategy.score(view)
        assert not strategy.wants_round


def test_a_round_probes_each_host_once_and_takes_its_shallowest_address() -> None:
    deep = [f"{url}a/b/{n}.html" for url in OTHERS for n in range(3)]
    strategy = run(crawl(60, others=[*deep, *OTHERS]))
    assert bonus(strategy, OTHERS).any()
    assert not bonus(strategy, deep).any()


def test_a_domain_that_several_sites_link_to_is_probed_first() -> None:
    views = crawl(60)
    known = OTHERS[17]
    for n in range(3):
        views.append(page(f"http://www.friend{n}.example/", [known]))
    scores, parts = run(views).rescore(ids(OTHERS))
    assert int(np.argmax(scores)) == 17
    assert parts["exploration"][17] > 0


def test_a_site_that_a_page_on_the_topic_links_to_is_probed_before_popular_ones() -> None:
    neighbor, popular = OTHERS[4], OTHERS[7]
    strategy = run([
        page("http://www.finds.example/", [own(0)], relevance=1.0),
        page("http://www.finds.example/2.html", [neighbor], relevance=1.0),
        page("http://www.finds.example/3.html", [neighbor]),
        *(page(f"http://www.fan{n}.example/", [popular]) for n in range(4)),
        *crawl(60),
    ])  # fmt: skip
    scores, parts = strategy.rescore(ids(OTHERS))
    assert np.argsort(-scores)[:2].tolist() == [4, 7]
    assert (parts["exploration"][[4, 7]] > 0).all()


def test_pages_of_one_site_count_once_with_the_best_of_them_in_any_order() -> None:
    nodes, size = np.array([0]), 1
    popularity = set()
    for weights in ([1, 11, 3], [3, 1, 11], [11, 11, 11]):
        places = KnownPlaces()
        for n, weight in enumerate(weights):
            places.add(page(own(n), [OTHERS[0]]), nodes, size, weight)
        places.add(page("http://www.fan.example/", [OTHERS[0]]), nodes, size)
        popularity.add(int(places.popularity(nodes)[0]))
    assert popularity == {12}


def test_a_probe_that_never_arrives_is_given_up() -> None:
    strategy = run(crawl(60))
    first = [url for url, extra in zip(OTHERS, bonus(strategy, OTHERS), strict=True) if extra]
    for _ in range(20 * MOST_OFFERS):
        rank(strategy)
    assert not bonus(strategy, first).any()


def test_more_requests_may_be_in_flight_with_more_pages_and_with_finds() -> None:
    strategy = AdaptiveStrategy()
    assert strategy.most_in_flight == 1
    run(crawl(4 * PAGES_PER_REQUEST), strategy)
    assert strategy.most_in_flight == 4
    finding = run(crawl(10 * FINDS_PER_REQUEST, relevance=0.9))
    assert finding.most_in_flight == 10


def test_requests_without_pages_count_as_much_as_pages() -> None:
    strategy = AdaptiveStrategy()
    for number in range(3 * PAGES_PER_REQUEST):
        strategy.handed_out(link_id(own(number)))
    assert strategy.most_in_flight == 3


def test_an_order_without_exploration_waits_for_no_answer() -> None:
    class Without(AdaptiveStrategy):
        explores = False

    assert Without().most_in_flight > 1_000_000


def test_dry_rounds_between_two_fits_leave_the_model_as_it_is() -> None:
    strategy = run(crawl(100))
    before = strategy.rescore(ids([own(5)]))[1]["prior"]
    run(crawl(5, start=2_000), strategy)
    assert strategy.rescore(ids([own(5)]))[1]["prior"] == before
    run(crawl(5, start=3_000), strategy)
    assert strategy.rescore(ids([own(5)]))[1]["prior"] != before


def test_a_journal_restores_the_same_probes() -> None:
    views = crawl(60)
    again = run([unpack_page(pack_page(view)) for view in views])
    assert bonus(again, OTHERS).tolist() == bonus(run(views), OTHERS).tolist()


def test_with_and_without_www_is_one_place() -> None:
    assert (
        location_of("http://www.a.com.cn/x/1.html").place
        == location_of("http://a.com.cn/x/2.html").place
    )
    sport, home = location_of("http://sport.a.com.cn/").place, location_of("http://a.com.cn/").place
    assert (sport.domain, sport.depth) == (home.domain, 0)
    assert sport.host != home.host
    assert location_of("http://[broken/").place.depth == 0


@pytest.mark.parametrize("trials", [1.0, 20.0, 500.0])
def test_the_upper_bound_is_above_the_proportion_and_at_most_one(trials: float) -> None:
    for share in (0.0, 0.3, 1.0):
        assert share <= wilson_upper(share * trials, trials) <= 1
    assert wilson_upper(0, 0) == 1
    assert wilson_upper(0, trials) > wilson_upper(0, 2 * trials)


def test_a_pair_of_linked_domains_takes_a_hundred_bytes() -> None:
    size = 300
    no = np.zeros(size, dtype=bool)
    places = np.zeros((size, 4), dtype=np.int32)
    places[:, 0] = places[:, 1] = np.arange(size) + 1
    nodes = np.arange(size)
    links = LinkBatch(nodes, no * 1.0, no, no, no, no * 1.0, no * 1.0, places=places)
    pages = [PageView(i, 0.0, 0.0, False, 0, 0, 0.0, links, place=places[i]) for i in range(size)]
    known = KnownPlaces()
    known.add(pages[0], nodes, size)
    tracemalloc.start()
    try:
        for it in pages[1:]:
            known.add(it, nodes, size)
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert known.popularity(nodes).tolist() == [size - 1] * size
    assert kept < 100 * size * size
