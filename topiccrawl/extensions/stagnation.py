"""StagnationWatcher: a crawl that has stopped finding anything (停滞) says so, and looks for new seeds.

It counts a page when its response arrives, before the spider sees it: a signal that comes after the
store's batches would make the order of a crawl depend on the clock.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, NotConfigured

from topiccrawl.crawl.session import CrawlSession
from topiccrawl.scoring.reseed import SeedProposals
from topiccrawl.scoring.stagnation import StagnationWatch
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: New seeds at a time: half a minute of one host at the default delay (a guess).
SEEDS_AT_ONCE = 20
#: Times that a run is re-seeded, for stretches and for an empty queue together: what has not helped ten
#: times will not (a guess).  With the line above it bounds what sites are asked for on suspicion.
MOST_RESEEDS = 10


class StagnationWatcher:
    """Warns once for each dry stretch; then, and when everything is fetched, adds seeds.

    The seeds are folders and sites above the pages that were kept, by whomever and whenever.  They go the way of all
    requests: known ones are left out, and robots.txt, budgets and trap rules hold.
    """

    def __init__(self, run: CrawlSession, crawler: Crawler) -> None:
        self._run = run
        self._crawler = crawler
        # Callbacks of other projects' spiders are theirs: only a topic spider is sure to have `parse`.
        self._may_reseed = run.config.reseed and getattr(crawler.spider, "makes_page_items", False)
        self._watch = StagnationWatch()
        self._proposals = SeedProposals()
        self._reseeds = 0
        # From the journal: a run that goes on, and each of several workers, proposes the same.
        run.knowledge.on_page_stored = self._proposals.add

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        if not CrawlSession.started(crawler):
            raise NotConfigured("no topic")
        watcher = cls(CrawlSession.of(crawler), crawler)
        crawler.signals.connect(watcher.response_received, signals.response_received)
        crawler.signals.connect(watcher.spider_idle, signals.spider_idle)
        return watcher

    def response_received(self, response: Response) -> None:
        """Count an analysed page; what else arrives (robots.txt, pictures, errors) is none."""
        if response not in self._run.unparsed:
            return
        dry = self._watch.observe(self._run.analyse(response).relevant)
        if dry is None:
            return
        added = self._reseed()
        if dry == "begins":
            self._crawler.stats.inc_value("topiccrawl/stagnation/stretches")
            logger.warning(
                "The crawl stagnates: the last %(dry)d pages were off the topic (%(relevant)d of"
                " %(pages)d were on it). It goes on with its queue%(also)s.",
                {
                    "dry": self._watch.dry,
                    "relevant": self._watch.relevant,
                    "pages": self._watch.pages,
                    "also": self._also(added),
                },
            )
        elif added:
            logger.info(
                "Nothing on the topic for %(dry)d pages: %(added)d more new seeds",
                {"dry": self._watch.dry, "added": added},
            )

    def spider_idle(self) -> None:
        """Everything was fetched: add seeds, if any are left; the summary tells of the end otherwise."""
        size = self._run.frontier_size()
        if size.queued + size.delayed + size.elsewhere > 0:
            return  # other workers', or start URLs that came this moment
        if added := self._reseed():
            logger.info(
                "Every link that was found has been tried: going on with %(added)d new seeds above"
                " the pages that were kept",
                {"added": added},
            )
            raise DontCloseSpider

    def _reseed(self) -> int:
        """Add new seeds; how many."""
        if not self._may_reseed or self._reseeds >= MOST_RESEEDS:
            return 0
        seeds = self._proposals.propose(SEEDS_AT_ONCE, self._usable)
        if not seeds:
            return 0
        self._reseeds += 1
        self._watch.acted()
        self._crawler.stats.inc_value("topiccrawl/stagnation/seeds", len(seeds))
        spider, engine = self._crawler.spider, self._crawler.engine
        assert spider is not None
        assert engine is not None
        errback = getattr(spider, "failed", None)
        for url in seeds:
            logger.debug("New seed: %(url)s", {"url": url})
            engine.crawl(Request(url, callback=spider.parse, errback=errback))
        return len(seeds)

    def _usable(self, urls: Sequence[str]) -> list[bool]:
        """Which addresses are neither known to the frontier nor traps."""
        run = self._run
        # Links of an earlier page may still wait in the scheduler.
        run.flush_links()
        canonical = [canonical_url(url) for url in urls]
        known = run.frontier.known([link_id(url) for url in canonical])
        return [not old and run.gate.allows(url) for url, old in zip(canonical, known, strict=True)]

    def _also(self, added: int) -> str:
        if added:
            return f" and with {added} new seeds above the pages that were kept"
        if not self._run.config.reseed:
            return "; TOPICCRAWL_RESEED is off"
        if self._reseeds >= MOST_RESEEDS:
            return f"; it was given new seeds {MOST_RESEEDS} times already"
        return "; there is no new address above a page that was kept" if self._may_reseed else ""
