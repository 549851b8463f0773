"""What LinkScoreMiddleware does to requests and to the queue, on small crawls with all parts in place."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallWeb,
    crawl_small,
    link,
    page,
    project_settings,
)
from topiccrawl.crawl.requests.meta import EVIDENCE, LEASE, PRIORITY_SCALE, SCORE
from topiccrawl.crawl.session import building
from topiccrawl.crawl.session.current import session_of, start_session
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.middlewares.linkscore import LinkScoreMiddleware
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.scoring.strategy import LinkScores, PageView, Parts, Strategy
from topiccrawl.topics.load import find_definition
from topiccrawl.urls.identity import link_id

HOME = "http://a.example/"


class _Spider(Spider):
    name = "other"


# -- before the queue ------------------------------------------------------------------------------


def test_requests_have_score_priority_and_evidence_before_they_enter_the_queue() -> None:
    web = SmallWeb(
        {
            HOME: page("侨务", ON_TOPIC * 3, link("/qiao", "归侨侨眷") + link("/w", "天气")),
            f"{HOME}qiao": page("归侨", ON_TOPIC),
            f"{HOME}w": page("天气", OFF_TOPIC),
        }
    )
    # The frontier's own view at the first moment it hears of each link.
    offered: dict[str, QueuedLink] = {}

    def probe(crawler: Crawler) -> None:
        def opened() -> None:
            frontier: Any = session_of(crawler).frontier
            push = frontier.push

            def spying(links: Sequence[QueuedLink], **how: Any) -> Any:
                for it in links:
                    offered.setdefault(it.url, it)
                return push(links, **how)

            frontier.push = spying

        crawler.signals.connect(opened, signals.spider_opened, weak=False)

    done = crawl_small(web, [HOME], probe=probe)
    by_url = {request.url: request for request in done.scheduled}
    assert set(by_url) == {HOME, f"{HOME}qiao", f"{HOME}w"}
    for request in done.scheduled:
        evidence = request.meta[EVIDENCE]
        assert request.meta[SCORE] == evidence.score
        assert request.priority == round(PRIORITY_SCALE * evidence.score)
        assert offered[request.url].evidence.score == evidence.score
        assert offered[request.url].evidence.parts
    good, poor = by_url[f"{HOME}qiao"].meta[EVIDENCE], by_url[f"{HOME}w"].meta[EVIDENCE]
    assert good.score > poor.score
    assert (good.parent, good.anchor, good.depth) == (HOME, "归侨侨眷", 1)
    assert by_url[HOME].meta[EVIDENCE] == LinkEvidence(SEED_SCORE, {"seed": 1.0})
    assert web.asked == [HOME, f"{HOME}qiao", f"{HOME}w"]


def middleware(**overrides: Any) -> tuple[LinkScoreMiddleware, CrawlSession, Crawler]:
    settings = project_settings(TOPICCRAWL_TOPIC="侨情", **overrides)
    crawler = get_crawler(_Spider, dict(settings))
    return LinkScoreMiddleware.from_crawler(crawler), session_of(crawler), crawler


def test_a_request_that_carries_a_score_keeps_it() -> None:
    """Scrapy's retries are copies of a request that was scored."""
    scorer, _, _ = middleware()
    request = Request(HOME, meta={SCORE: 0.25}, priority=7)
    scorer.request_scheduled(request)
    assert (request.meta, request.priority) == ({SCORE: 0.25}, 7)


def test_requests_that_no_page_led_to_come_first_in_the_order_of_their_priority() -> None:
    scorer, _, _ = middleware()
    seeds = [Request(HOME, priority=priority) for priority in (0, 5)]
    for seed in seeds:
        scorer.request_scheduled(seed)
    assert [seed.meta[SCORE] for seed in seeds] == [SEED_SCORE, SEED_SCORE + 5]


def test_without_a_topic_it_is_off() -> None:
    with pytest.raises(NotConfigured):
        LinkScoreMiddleware.from_crawler(get_crawler(_Spider, {"TOPICCRAWL_TOPIC": ""}))


# -- pages -----------------------------------------------------------------------------------------


def test_robots_files_and_answers_without_a_page_are_not_counted_as_pages() -> None:
    """robots.txt comes here as text/html from many servers: it is no page all the same."""
    web = SmallWeb(
        {
            HOME: page("侨务", ON_TOPIC * 3, link("/404") + link("/img") + link("/b")),
            f"{HOME}img": b"\x89PNG\r\n\x1a\n" + bytes(200),
            f"{HOME}b": page("天气", OFF_TOPIC * 3),
        },
        robots=page("不存在", ON_TOPIC * 3, link("/from-robots")),
    )
    done = crawl_small(web, [HOME])
    assert done.stats["robotstxt/response_count"] == 1
    assert done.stats["topiccrawl/pages/analyzed"] == done.run.progress.pages == 2
    assert done.stats["topiccrawl/pages/relevant"] == done.run.progress.relevant == 1
    assert f"{HOME}from-robots" not in web.asked


def test_links_that_are_known_become_evidence_without_a_request() -> None:
    web = SmallWeb(
        {
            HOME: page("频道", OFF_TOPIC * 3, link("/1", "甲") + link("/2", "乙")),
            f"{HOME}1": page("侨务", ON_TOPIC * 3, link("/2", "归侨侨眷") + link("/", "首页")),
            f"{HOME}2": page("归侨", ON_TOPIC),
        }
    )
    evidence: list[LinkEvidence | None] = []

    def probe(crawler: Crawler) -> None:
        def asked(request: Any) -> None:
            evidence.append(session_of(crawler).frontier.evidence(link_id(f"{HOME}2")))

        crawler.signals.connect(asked, signals.request_reached_downloader, weak=False)

        def scraped(item: Any) -> None:
            evidence.append(session_of(crawler).frontier.evidence(link_id(f"{HOME}2")))

        crawler.signals.connect(scraped, signals.item_scraped, weak=False)
        crawler.signals.connect(scraped, signals.item_dropped, weak=False)

    done = crawl_small(web, [HOME], probe=probe)
    assert [request.url for request in done.scheduled] == [HOME, f"{HOME}1", f"{HOME}2"]
    assert done.stats["topiccrawl/links/known"] == 2  # /2 again, and the home page
    assert done.stats["topiccrawl/links/scored"] == 4
    seen = [it for it in evidence if it is not None]
    first, last = seen[0], seen[-1]
    assert (first.parent, first.anchor) == (HOME, "乙")
    assert (last.parent, last.anchor) == (f"{HOME}1", "归侨侨眷")
    assert last.score > first.score
    (item,) = [it for it in done.items if it.url == f"{HOME}2"]
    assert (item.link.parent, item.link.anchor, item.link.depth) == (f"{HOME}1", "归侨侨眷", 1)


def test_the_parts_of_the_score_at_the_moment_of_dispatch_are_noted_with_the_page() -> None:
    """Between queue and dispatch other pages speak of the link: the item holds the last word."""
    web = SmallWeb(
        {
            HOME: page("侨乡", ON_TOPIC * 3, link("/1", "归侨") + "<p>" + link("/2", "天气")),
            f"{HOME}1": page("侨务", ON_TOPIC * 3, link("/2", "侨乡")),
            f"{HOME}2": page("华侨", f"{ON_TOPIC}{OFF_TOPIC}" * 2),
        }
    )
    done = crawl_small(web, [HOME])
    queued = {request.url: request.meta[EVIDENCE] for request in done.scheduled}
    item = next(it for it in done.items if it.url == f"{HOME}2")
    assert queued[f"{HOME}2"].parts["words"] == 0.0
    assert item.link.parts["words"] == pytest.approx(0.9)
    assert set(item.link.parts) == set(queued[f"{HOME}2"].parts)


def test_a_seed_is_dispatched_with_the_parts_it_has() -> None:
    scorer, _, _ = middleware()
    seed = LinkEvidence(SEED_SCORE, {"seed": 1.0})
    request = Request(HOME, meta={LEASE: link_id(HOME), EVIDENCE: seed})
    scorer.process_request(request)
    assert request.meta[EVIDENCE] is seed


# -- ranking rounds --------------------------------------------------------------------------------


def ranked_web() -> SmallWeb:
    """Ten pages of one site; /t is shown by all of them, and each shows a page of its own."""
    pages: dict[str, Any] = {}
    for i in range(10):
        links = link(f"/{i + 1}", "归侨") + link("/t", "其他") + link(f"/own{i}", "其他")
        pages[f"{HOME}{i}"] = page(f"侨务{i}", ON_TOPIC * 3, links)
    return SmallWeb(pages)


def queue_of(run: CrawlSession) -> dict[int, float]:
    return {
        it.id: it.evidence.score for it in run.frontier.best(1000) if it.evidence.parent is not None
    }


@pytest.mark.parametrize(("every", "rounds"), [(4, 2), (5, 1), (100, 0)])
def test_a_round_comes_after_every_so_many_pages(every: int, rounds: int) -> None:
    done = crawl_small(
        ranked_web(),
        [f"{HOME}0"],
        TOPICCRAWL_IPAGERANK_EVERY_PAGES=every,
        CLOSESPIDER_PAGECOUNT=9,
    )
    assert done.stats.get("topiccrawl/ranking/rounds", 0) == rounds
    assert ("topiccrawl/ranking/rescored" in done.stats) == (rounds > 0)


def test_a_round_scores_the_queue_anew_in_place_and_leaves_seeds_alone() -> None:
    """The same crawl with and without the round at its last page."""
    late = "http://late.example/"

    def crawl(every: int) -> tuple[dict[int, float], float]:
        queue: dict[int, float] = {}
        seed: list[float] = []

        def probe(crawler: Crawler) -> None:
            def closed() -> None:
                run = session_of(crawler)
                queue.update(queue_of(run))
                evidence = run.frontier.evidence(link_id(late))
                assert evidence is not None
                seed.append(evidence.score)

            crawler.signals.connect(closed, signals.spider_closed, weak=False)
            crawler.signals.connect(
                lambda: session_of(crawler).frontier.push(
                    # No page leads to it, and it waits to the end.
                    [QueuedLink(late, "late.example", LinkEvidence(-1.0, {"seed": 1.0}))]
                ),
                signals.spider_opened,
                weak=False,
            )

        done = crawl_small(
            ranked_web(),
            [f"{HOME}0"],
            probe=probe,
            TOPICCRAWL_IPAGERANK_EVERY_PAGES=every,
            CLOSESPIDER_PAGECOUNT=8,  # the first is robots.txt
        )
        assert done.run.progress.pages == 7
        assert done.stats.get("topiccrawl/ranking/rounds", 0) == (every == 7)
        return queue, seed[0]

    before, seed_before = crawl(100)
    after, seed_after = crawl(7)
    assert before.keys() == after.keys()
    assert len(before) >= 8
    assert before != after
    assert seed_before == seed_after == -1.0
    # All pages show /t, one page each of the others: of links with equal words it is the best.
    assert after[link_id(f"{HOME}t")] > after[link_id(f"{HOME}own3")]


@dataclass
class _Patient(Strategy):
    """A strategy whose rounds take *steps* steps; it gives every link it knows the score of the round."""

    steps: int
    name: str = "patient"
    rounds: int = 0
    active: int = 0
    most_active: int = 0
    pieces: list[int] = field(default_factory=list)

    def score(self, view: PageView) -> LinkScores:
        return LinkScores(np.zeros(len(view.links)), {})

    def rank(self) -> Iterator[None]:
        self.active += 1
        self.most_active = max(self.most_active, self.active)
        self.rounds += 1
        for _ in range(self.steps):
            yield
        self.active -= 1

    def rescore(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.float64], Parts]:
        self.pieces.append(len(ids))
        scores = np.full(len(ids), float(self.rounds))
        scores[ids == link_id(f"{HOME}seed")] = np.nan
        return scores, {}


def in_round(
    strategy: _Patient, queued: int, pages: int = 1, apart: int = 0
) -> tuple[CrawlSession, Crawler, int]:
    """Let *pages* pages come, so many turns *apart*, after each of which a round is due.

    Returns the turns that others had meanwhile, too.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "make_strategy", lambda name, config: strategy)
        scorer, run, crawler = middleware(TOPICCRAWL_IPAGERANK_EVERY_PAGES=1)
    urls = [f"{HOME}seed", *(f"{HOME}q{i}" for i in range(queued - 1))]
    run.frontier.push([QueuedLink(url, "a.example", LinkEvidence(0.5)) for url in urls])
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def fetched(i: int) -> None:
        for _ in range(i * apart):
            await asyncio.sleep(0)
        request = Request(f"{HOME}p{i}", meta={EVIDENCE: LinkEvidence(0.5, parent=HOME)})
        answer = HtmlResponse(request.url, body=page("侨务", ON_TOPIC), request=request)
        await scorer.process_response(request, answer)

    async def rounds() -> None:
        task = asyncio.ensure_future(others())
        await asyncio.sleep(0)
        await asyncio.gather(*(fetched(i) for i in range(pages)))
        task.cancel()

    asyncio.run(rounds())
    return run, crawler, turns


@pytest.mark.parametrize("steps", [0, 3, 40])
def test_a_round_gives_way_to_the_event_loop_at_each_of_its_steps(steps: int) -> None:
    strategy = _Patient(steps)
    _, _, turns = in_round(strategy, queued=3)
    assert turns >= steps
    assert strategy.rounds == 1


def test_queued_ids_are_scored_in_pieces_with_turns_between() -> None:
    strategy = _Patient(0)
    run, crawler, turns = in_round(strategy, queued=12_001)
    assert sum(strategy.pieces) == 12_001
    assert len(strategy.pieces) >= 3
    assert max(strategy.pieces) <= 5_000
    assert turns >= len(strategy.pieces)
    scores = {it.url: it.evidence.score for it in run.frontier.best(20_000)}
    assert scores.pop(f"{HOME}seed") == 0.5  # unknown to the strategy
    assert set(scores.values()) == {1.0}
    assert crawler.stats.get_value("topiccrawl/ranking/rescored") == 12_000


def test_two_rounds_are_never_under_way_at_once() -> None:
    strategy = _Patient(5)
    in_round(strategy, queued=3, pages=4, apart=4)
    assert strategy.rounds == 2
    assert strategy.most_active == 1


def test_pages_that_come_while_a_round_is_under_way_do_not_begin_one_each() -> None:
    strategy = _Patient(40)
    in_round(strategy, queued=3, pages=8)
    assert strategy.rounds == 1


def test_the_run_is_the_one_of_the_crawler_so_that_all_parts_share_it() -> None:
    crawler = get_crawler(_Spider, dict(project_settings()))
    run = start_session(crawler, find_definition("侨情"))
    assert session_of(crawler) is run
    assert isinstance(run.frontier.known([1]), list)
