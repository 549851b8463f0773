"""A crawl without Scrapy and HTTP, in exactly the order of ``scrapy crawl`` at one request at a time.

Everything that decides is the crawler's own: page reading, topic, link analysis, gate, strategy,
frontier, and the functions of :mod:`topiccrawl.crawl.ordering`.  What is told here is only the way of a
request through Scrapy: the scheduler's queue, redirects, and which answers are pages.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from topiccrawl.crawl.ordering import (
    default_evidence,
    merge_known,
    next_ranking,
    rescore_queue,
    scored_links_of,
    with_current_parts,
)
from topiccrawl.evaluation.experiment import Experiment, Fetch, Run
from topiccrawl.evaluation.simulation.pages import request_url
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.evaluation.simulation.analyses import Analyses
    from topiccrawl.evaluation.simulation.pages import Answer
    from topiccrawl.scoring.strategy import Strategy

__all__ = ["simulate"]

#: Scrapy's REDIRECT_MAX_TIMES and URLLENGTH_LIMIT.
_MAX_REDIRECTS = 20
_MAX_URL = 2_083
_TIMES = "redirects"
#: No time passes in a simulation: with one request at a time no host is ever waited for.
_NOW = 0.0


def simulate(
    analyses: Analyses,
    seeds: Iterable[str],
    experiment: Experiment,
    config: CrawlSettings,
    tick: Callable[[int], object] = lambda fetched: None,
    strategy: Strategy | None = None,
) -> Run:
    """Fetch up to ``experiment.max_pages`` pages and return them in order.

    *seeds* are addresses; *config* is what the crawl's settings would say, with the experiment's
    seed and strategy in it.  *tick* hears of the pages fetched so far; *strategy*
    takes the place of the one that *config* names.
    """
    started = time.perf_counter()
    if strategy is None:
        parameters = config.strategy_config(analyses.topic.definition.thresholds.link)
        strategy = make_strategy(config.strategy, parameters)
    crawl = _Crawl(analyses, config, strategy)
    for seed in seeds:
        crawl.ask(seed, default_evidence(strategy, canonical_url(request_url(seed))))
    note = ""
    while len(crawl.fetches) < experiment.max_pages:
        lease = crawl.frontier.pop((), _NOW)
        if lease is None:
            note = "nothing left to fetch"
            break
        crawl.fetch(lease)
        tick(len(crawl.fetches))
    seconds = time.perf_counter() - started
    return Run(experiment, "simulate", tuple(crawl.fetches), seconds, note)


@dataclass(slots=True)
class _Crawl:
    analyses: Analyses
    config: CrawlSettings
    strategy: Strategy
    fetches: list[Fetch] = field(default_factory=list)
    frontier: MemoryFrontier = field(init=False)
    gate: UrlFilter = field(init=False)
    pages: int = 0
    rank_at: int = field(init=False)
    _waiting: dict[str, LinkEvidence] = field(default_factory=dict)
    """LinkEvidence of links whose request was not made; see CrawlSession.take_evidence."""

    def __post_init__(self) -> None:
        config = self.config
        self.rank_at = next_ranking(self.strategy, 0, 0, config.rank_every_pages)
        self.frontier = MemoryFrontier(
            FrontierLimits(max_links=config.frontier_max_links, host_budget=config.host_budget)
        )
        self.gate = UrlFilter(
            config.trap_rules,
            time.time,
            learn_parameters=config.learn_parameters,
            pattern_pages=config.pattern_pages,
        )

    def ask(self, url: str, evidence: LinkEvidence) -> None:
        """Queue a request, as the scheduler does."""
        asked = request_url(url)
        self.frontier.push([_queued(asked, evidence, 0)])

    def fetch(self, lease: Lease) -> None:
        """Do what becomes of a request that was handed out."""
        link = lease.link
        url = link.request.get("url", link.url)
        evidence = with_current_parts(self.strategy, lease.id, link.evidence)
        self.frontier.transfer_finished(lease.id, _NOW)
        answer = self.analyses.pages.get(url)
        done = True
        if answer is not None:
            relevance = math.nan
            if answer.is_page:
                relevance = self._page(answer, evidence, link.host)
            if answer.status == 200:
                self.fetches.append(Fetch(answer.address, answer.size, relevance))
            if answer.redirect:
                done = self._redirect(lease, urljoin(url, answer.redirect), evidence)
        if done:
            self.frontier.ack([lease.id])

    def _redirect(self, lease: Lease, target: str, evidence: LinkEvidence) -> bool:
        """Queue the target in the place of the link; whether the link itself is done."""
        times = lease.link.request.get(_TIMES, 0) + 1
        if times > _MAX_REDIRECTS or not target.lower().startswith(("http://", "https://")):
            return True
        link = _queued(request_url(target), evidence, times)
        if link.id == lease.id:
            return not self.frontier.put_back(link)
        self.frontier.push([link])
        return True

    def _page(self, answer: Answer, evidence: LinkEvidence, host: str) -> float:
        """LinkScoreMiddleware.process_response and TopicSpider.parse; returns the relevance."""
        page = self.analyses.get(answer, evidence.anchor)
        links = self.analyses.links(page, answer, self.gate)
        if page.view.relevant:
            self.frontier.extend_budget(host, self.config.host_budget_growth)
        self.pages += 1
        view = replace(
            page.view,
            depth=evidence.depth,
            order=self.pages,
            inherited=evidence.parts.get("inherited", 0.0),
            links=links.batch,
        )
        scores = self.strategy.score(view)
        new = merge_known(
            self.frontier, scored_links_of(links.links, scores, page.own, evidence.depth)
        )
        self.gate.learn(page.own, answer.content, view.relevant)
        if self.pages >= self.rank_at:
            self._rank()
        for scored in new:
            self._waiting[scored.link.canonical] = scored.evidence
        asked = []
        for scored in new:
            url = request_url(scored.link.url)
            if not TopicSpider._wanted(scored.link.url) or len(url) > _MAX_URL:
                continue
            key = canonical_url(url)
            known = self._waiting.pop(key, None)
            if known is None:
                known = default_evidence(self.strategy, key, depth=evidence.depth + 1)
            asked.append(_queued(url, known, 0))
        self.frontier.push(asked)
        return view.relevance

    def _rank(self) -> None:
        for _ in self.strategy.rank():
            pass
        size = self.frontier.size()
        queued = size.queued + size.delayed
        self.rank_at = next_ranking(self.strategy, self.pages, queued, self.config.rank_every_pages)
        tolerance = self.config.score_tolerance
        for _ in rescore_queue(self.frontier, self.strategy, queued, tolerance):
            pass


def _queued(url: str, evidence: LinkEvidence, redirects: int) -> QueuedLink:
    key = canonical_url(url)
    kept: dict[str, object] = {} if url == key else {"url": url}
    if redirects:
        kept[_TIMES] = redirects
    return QueuedLink(key, host_of(url), evidence, kept)
