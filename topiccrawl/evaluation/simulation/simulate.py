"""A crawl without Scrapy and HTTP, in the order of ``scrapy crawl``.

With one request at a time the order is exactly that of a real crawl.  With several, answers arrive in the
order of the requests, as if all took the same time, and no host has a limit of its own.

The parts that decide are the crawler's own: page analysis, topic, URL filter, strategy, frontier and
:class:`~topiccrawl.crawl.queue.ordering.LinkOrder`.  Only the way of a request through Scrapy is written
again here: the scheduler's queue, redirects, and which answers are pages.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from topiccrawl.analysis.borrowed import LinkWords
from topiccrawl.crawl.judgments.deciding import make_classifier
from topiccrawl.crawl.queue.ordering import FetchedPage, LinkOrder
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.crawl.session.scope import crawl_scope
from topiccrawl.evaluation.experiment import (
    Checkpoint,
    Experiment,
    Fetch,
    JudgedWeb,
    Judgments,
    Run,
    checkpoints_of,
)
from topiccrawl.evaluation.simulation.page_judge import Judgment, PageJudge
from topiccrawl.evaluation.simulation.pages import MAX_REDIRECTS, MAX_URL, Answer, request_url
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import UrlFilter
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.evaluation.simulation.analyses import Analyses
    from topiccrawl.scoring.strategy import Strategy

_TIMES = "redirects"
_ASKED = "asked"
#: No time passes in a simulation: with one request at a time no host is ever waited for.
_NOW = 0.0
#: Judgment of fetched answers that are not HTML.
_UNJUDGED = Judgment(math.nan, False)


def simulate(
    analyses: Analyses,
    seeds: Iterable[str],
    experiment: Experiment,
    settings: CrawlSettings,
    tick: Callable[[int], object] = lambda fetched: None,
    strategy: Strategy | None = None,
    *,
    concurrency: int = 1,
    whole_web: bool = False,
) -> Run:
    """Fetch up to ``experiment.max_pages`` pages and return them in order.

    Parameters
    ----------
    analyses
        The pages of the web as the topic sees them.
    seeds
        Addresses.
    experiment
        What is compared.
    settings
        The settings of the crawl, with the experiment's seed and strategy.
    tick
        Receives the number of pages fetched so far.
    strategy
        Takes the place of the one that *settings* names.
    concurrency
        Requests in flight at a time.
    whole_web
        Whether to judge all pages of the web after the crawl.
    """
    started = time.perf_counter()
    if strategy is None:
        parameters = settings.strategy_config(analyses.topic.definition.thresholds.link)
        strategy = make_strategy(settings.strategy, parameters)
    crawl = _Crawl(analyses, settings, strategy, concurrency)
    for seed in seeds:
        crawl.request(seed)
    note = ""
    checkpoints = []
    for at in checkpoints_of(experiment.max_pages):
        if not note:
            while len(crawl.fetches) < at:
                if not crawl.step():
                    note = "nothing left to fetch"
                    break
                tick(len(crawl.fetches))
            if note or at == experiment.max_pages:
                crawl.end()
        checkpoints.append(Checkpoint(at, crawl.judgments()))
    seconds = time.perf_counter() - started
    web = crawl.judge_web() if whole_web else None
    fetches = tuple(crawl.fetches)
    return Run(experiment, "simulate", fetches, seconds, note, tuple(checkpoints), web=web)


class _Crawl:
    """Simulation of downloader, middleware and spider."""

    def __init__(
        self, analyses: Analyses, settings: CrawlSettings, strategy: Strategy, concurrency: int
    ) -> None:
        self.fetches: list[Fetch] = []
        self._concurrency = concurrency
        self._in_flight: deque[tuple[Lease, LinkEvidence]] = deque()
        self._frontier = MemoryFrontier(
            FrontierLimits(max_links=settings.frontier_max_links, host_budget=settings.host_budget)
        )
        self._analyses = analyses
        self._scope = crawl_scope(analyses.topic.definition, settings)
        self._url_filter = UrlFilter(
            settings.trap_rules,
            time.time,
            learn_parameters=settings.learn_parameters,
            pattern_pages=settings.pattern_pages,
            domain_names=settings.domain_names,
            scope=self._scope,
        )
        self._classifier = make_classifier(analyses.topic, settings)
        self._order = LinkOrder(
            strategy,
            CrawlQueue(self._frontier, lambda: _NOW),
            self._url_filter,
            self._classifier,
            settings,
            borrow=LinkWords(analyses.topic),
        )
        self._judge = PageJudge(self._classifier)
        self._fetched: list[FetchedPage | None] = []
        """Parallel to *fetches*; ``None`` for what is not HTML."""

    def end(self) -> None:
        """Judge all pages again, as a crawl does when it ends."""
        for _ in self._classifier.learn():
            pass

    def judgments(self) -> Judgments:
        """Return the current judgments of the fetched pages."""
        judged = self._judge.judged()
        pages = self._fetched
        return _judgments(_UNJUDGED if p is None else judged.get(p.url, _UNJUDGED) for p in pages)

    def judge_web(self) -> JudgedWeb:
        """Judge every HTML page of the web, fetched or not."""
        fetched = {f.url: page for f, page in zip(self.fetches, self._fetched, strict=True) if page}
        urls = self._analyses.pages.html_urls()
        pages = (fetched.get(url) or self._unfetched(url) for url in urls)
        return JudgedWeb(tuple(urls), _judgments(map(self._judge.judge, pages)))

    def _unfetched(self, url: str) -> FetchedPage:
        answer = self._analyses.pages.get(url)
        assert answer is not None, "an HTML page of the web"
        return self._view(answer, LinkEvidence(), host_of(canonical_url(answer.url)))

    def request(self, url: str) -> None:
        """Queue a seed, as the scheduler does, unless it is outside the scope."""
        if self._scope.exclusion(url) is not None:
            return
        self._frontier.push([self._queued(url, 0)])

    def step(self) -> bool:
        """Send requests until as many are in flight as allowed, and receive the first answer.

        Returns ``False`` if there is nothing left to fetch.
        """
        most = min(self._concurrency, self._order.most_in_flight)
        while len(self._in_flight) < most:
            lease = self._frontier.pop((), _NOW)
            if lease is None:
                break
            if self._refused(lease.link):
                self._frontier.ack([lease.id])
                continue
            evidence = self._order.with_current_parts(lease.id, lease.link.evidence)
            self._order.handed_out(lease.id)
            self._in_flight.append((lease, evidence))
        if not self._in_flight:
            return False
        self._receive(*self._in_flight.popleft())
        return True

    def _receive(self, lease: Lease, evidence: LinkEvidence) -> None:
        """Receive the answer to a request, and queue what it leads to."""
        link = lease.link
        url = link.request.get("url", link.url)
        self._frontier.transfer_finished(lease.id, _NOW)
        answer = self._analyses.pages.get(url)
        done = True
        if answer is not None:
            asked = str(link.request.get(_ASKED, ""))
            page = self._page(answer, evidence, link.host, asked) if answer.is_page else None
            if answer.status == 200:
                relevance = math.nan if page is None else page.view.relevance
                self.fetches.append(Fetch(answer.address, answer.size, relevance))
                self._fetched.append(page)
            if answer.redirect:
                done = self._redirect(lease, urljoin(url, answer.redirect), evidence)
        if answer is None or answer.status in (404, 410):
            self._order.dead(link.url, evidence)
        if done:
            self._frontier.ack([lease.id])

    def _refused(self, link: QueuedLink) -> bool:
        """Whether the crawler would not send the request after all, as ``ScopeMiddleware`` decides."""
        if self._scope.exclusion(link.url) is not None:
            return True
        return not link.evidence.named and self._order.refusal(link.url) is not None

    def _redirect(self, lease: Lease, target: str, evidence: LinkEvidence) -> bool:
        """Queue the target in the place of the link; return whether the link itself is done."""
        times = lease.link.request.get(_TIMES, 0) + 1
        if times > MAX_REDIRECTS or not target.lower().startswith(("http://", "https://")):
            return True
        asked = str(lease.link.request.get(_ASKED, lease.link.url))
        link = _link(request_url(target), evidence, times, asked)
        if link.id == lease.id:
            return not self._frontier.put_back(link)
        self._frontier.push([replace(link, evidence=evidence.ahead())])
        return True

    def _page(self, answer: Answer, evidence: LinkEvidence, host: str, asked: str) -> FetchedPage:
        """Score a page's links and queue the new ones; return the page."""
        fetched = self._view(answer, evidence, host)
        if asked:
            fetched = replace(fetched, stated=fetched.stated._replace(asked=asked))
        new = self._order.page_fetched(fetched)
        self._judge.page_fetched(fetched)
        if self._order.round_due:
            for _ in self._order.ranking_round():
                pass
        self._order.expect(new)
        wanted = [scored.link.url for scored in new if may_be_page(scored.link.url)]
        depth = evidence.depth + 1
        self._frontier.push(
            [self._queued(url, depth) for url in wanted if len(request_url(url)) <= MAX_URL]
        )
        return fetched

    def _view(self, answer: Answer, evidence: LinkEvidence, host: str) -> FetchedPage:
        page = self._analyses.get(answer, evidence.anchor)
        links = self._analyses.links(page, answer, self._url_filter)
        return FetchedPage(page.own, page.view, links, evidence, host, answer.text)

    def _queued(self, url: str, depth: int) -> QueuedLink:
        asked = request_url(url)
        return _link(asked, self._order.request_evidence(canonical_url(asked), depth=depth), 0)


def _judgments(judged: Iterable[Judgment]) -> Judgments:
    found = list(judged)
    return Judgments(tuple(j.probability for j in found), tuple(j.kept for j in found))


def _link(url: str, evidence: LinkEvidence, redirects: int, asked: str = "") -> QueuedLink:
    key = canonical_url(url)
    kept: dict[str, object] = {} if url == key else {"url": url}
    if redirects:
        kept |= {_TIMES: redirects, _ASKED: asked}
    return QueuedLink(key, host_of(url), evidence, kept)
