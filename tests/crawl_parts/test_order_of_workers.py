"""The order of links is the same for all workers, also when they fetch pages at the same moment."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scrapy.settings import Settings

from tests.scoring.test_adaptive_exploration import ids, page, rank
from tests.support.redis_support import needs_redis, running
from topiccrawl.analysis.links import MergedLink, PageLinks
from topiccrawl.crawl.journal.kinds import PAGE
from topiccrawl.crawl.queue.ordering import FetchedPage, LinkOrder
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.credit import ADVANCE, PROMISE
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategies.adaptive import AdaptiveStrategy
from topiccrawl.scoring.strategy import PageView
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.traps import TrapRules


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=needs_redis)])
def open_worker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Worker]]:
    """Opens another worker of one crawl."""
    if request.param == "sqlite":
        yield lambda: Worker(SQLiteFrontier(tmp_path / "queue"))
    else:
        with running(tmp_path) as server:
            yield lambda: Worker(RedisFrontier(server.client(), "t"))


class Worker:
    """The order of one worker."""

    def __init__(self, frontier: Frontier) -> None:
        self.strategy = AdaptiveStrategy()
        queue = CrawlQueue(frontier, lambda: 1_000.0)
        self.journal = queue.journal
        self.journal.subscribe(PAGE, self.strategy.score)
        self.meanwhile: list[Callable[[], None]] = []
        self.order = LinkOrder(
            self.strategy,
            queue,
            UrlFilter(TrapRules(), lambda: 1_000.0),
            PageClassifier(0.2),
            CrawlSettings.from_settings(Settings()),
            borrow=self.wait,
        )

    def wait(self, view: PageView, evidence: LinkEvidence) -> PageView:
        """Let others work while the page is being judged."""
        while self.meanwhile:
            self.meanwhile.pop()()
        return view

    def fetch(self, url: str, links: list[str], relevance: float) -> None:
        view = page(url, links, relevance=relevance, similarity=0.5)
        view = replace(view, links=replace(view.links, rw_relevance=np.ones(len(links))))
        merged = [MergedLink(it, it, "", "", "", "", nofollow=False) for it in links]
        self.order.page_fetched(
            FetchedPage(
                url, view, PageLinks(merged, view.links), LinkEvidence(), host_of(url), None
            )
        )

    def scores(self, urls: list[str]) -> np.ndarray:
        """Scores of links after a ranking round."""
        while self.journal.replay():
            pass
        rank(self.strategy)
        return self.strategy.rescore(ids(urls))[0]


def test_who_introduces_a_domain_is_the_same_for_two_workers_that_name_it_at_the_same_moment(
    open_worker: Callable[[], Worker],
) -> None:
    a, b = open_worker(), open_worker()
    farm = [f"http://www.farm{n}.example/" for n in range(30)]
    good, bad, new = (f"http://www.{name}.example/" for name in ("good", "bad", "new"))
    a.fetch("http://www.start.example/", [good, bad], 1)
    b.meanwhile.append(lambda: a.fetch(good, [new], 1))
    b.fetch(bad, [*farm, new], 1)
    for url in farm[1:]:
        a.fetch(url, [], 0)
    # What the bad one has introduced breaks its promises.
    for worker in (a, b):
        worker.scores([new])
        of_good, of_bad = worker.strategy.rescore(ids([new, farm[0]]))[1]["credit"]
        assert (of_good, of_bad) == (0, pytest.approx(PROMISE * np.log(ADVANCE / 29)))


def test_the_scores_of_all_links_are_the_same_for_all_workers(
    open_worker: Callable[[], Worker],
) -> None:
    draw = random.Random(7)
    workers = [open_worker() for _ in range(3)]
    waiting, named = ["http://www.start.example/"], 0
    urls = list(waiting)

    def fetch_one(worker: Worker) -> None:
        nonlocal named
        if not waiting:
            return
        url = waiting.pop(draw.randrange(len(waiting)))
        # Links to domains that others name at the same moment, too.
        links = [
            f"http://www.site{named + draw.randrange(8)}.example/{draw.randrange(3)}"
            for _ in range(6)
        ]
        named += 2
        fresh = [it for it in dict.fromkeys(links) if it not in urls]
        urls.extend(fresh)
        waiting.extend(fresh)
        worker.fetch(url, list(dict.fromkeys(links)), draw.choice([0, 0, 0.2, 1]))

    for _ in range(80):
        first, *others = draw.sample(workers, 3)
        for other in others[: draw.randrange(3)]:
            first.meanwhile.append(lambda other=other: fetch_one(other))
        fetch_one(first)
    assert len(urls) > 100
    expected, *found = [it.scores(urls) for it in workers]
    for scores in found:
        np.testing.assert_array_equal(scores, expected)
