"""StagnationWatcher: reports a crawl that no longer finds relevant pages (停滞), and adds new seeds.

A page is counted when its response arrives, before the spider sees it: a signal sent after the
store's batches would make the crawl order depend on the clock.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.exceptions import DontCloseSpider, NotConfigured

from topiccrawl.crawl.session.current import required_session
from topiccrawl.frontier.contract import PushResult, QueuedLink
from topiccrawl.language import _, ngettext
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.scoring.reseed import FolderState
from topiccrawl.scoring.stagnation import StagnationWatch
from topiccrawl.signals import connected
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)

#: New seeds at a time: half a minute of one host at the default delay (a guess).
SEEDS_AT_ONCE = 20
#: Times that a run is re-seeded, for dry stretches and for an empty queue together (a guess).  With
#: ``SEEDS_AT_ONCE`` it bounds the requests for addresses that no page links to.
MOST_RESEEDS = 10

#: Evidence below that of any link.
_LOWEST = LinkEvidence(score=-1e9, depth=2**31 - 1)


class StagnationWatcher:
    """Warns once for each dry stretch; then, and when everything is fetched, adds seeds.

    The seeds are sites and folders above stored pages, of all workers and runs: those that a page
    links to and that were not fetched yet, and others that probably exist
    (:mod:`topiccrawl.scoring.reseed`).  They are ordinary requests: robots.txt, budgets and trap rules
    apply.
    """

    def __init__(self, session: CrawlSession, crawler: Crawler) -> None:
        self._session = session
        self._crawler = crawler
        # Only a topic spider is sure to have the callback ``parse``.
        makes_items = getattr(crawler.spider, "makes_page_items", False)
        self._may_reseed = session.settings.reseed and makes_items
        self._watch = StagnationWatch()
        self._reseeds = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic, or only visits known pages."""
        session = required_session(crawler)
        if session.only_refreshes:
            raise NotConfigured  # without a message: Scrapy would log a warning
        watcher = cls(session, crawler)
        return connected(watcher, crawler)

    def response_received(self, response: Response) -> None:
        """Count an analyzed page; other responses (robots.txt, pictures, errors) are ignored."""
        if response not in self._session.pages:
            return
        judgment = self._session.judging.classifier.judgment(link_id(canonical_url(response.url)))
        dry = self._watch.observe(judgment is not None and judgment.kept)
        if dry is None:
            return
        added = self._reseed()
        if dry == "begins":
            self._crawler.stats.inc_value("topiccrawl/stagnation/stretches")
            logger.warning(
                _(
                    "The crawl stagnates: the last %(dry)d pages were off the topic (%(relevant)d "
                    "of all %(pages)d were on it). It continues with its queue%(also)s."
                ),
                {
                    "dry": self._watch.dry,
                    "relevant": self._watch.relevant,
                    "pages": self._watch.pages,
                    "also": self._also(added),
                },
            )
        elif added:
            logger.info(
                ngettext(
                    "Nothing on the topic for %(dry)d pages: %(added)d more new seed",
                    "Nothing on the topic for %(dry)d pages: %(added)d more new seeds",
                    added,
                ),
                {"dry": self._watch.dry, "added": added},
            )

    def spider_idle(self) -> None:
        """Add seeds when everything was fetched, if any are left."""
        size = self._session.frontier.size()
        if size.queued + size.delayed + size.elsewhere > 0:
            return  # other workers', or start URLs that came this moment
        if added := self._reseed():
            logger.info(
                ngettext(
                    "Every link that was found has been tried: going on with %(added)d new seed "
                    "above the pages that were kept",
                    "Every link that was found has been tried: going on with %(added)d new seeds "
                    "above the pages that were kept",
                    added,
                ),
                {"added": added},
            )
            raise DontCloseSpider

    def _reseed(self) -> int:
        """Add new seeds; return how many."""
        if not self._may_reseed or self._reseeds >= MOST_RESEEDS:
            return 0
        seeds = self._session.proposals.propose(SEEDS_AT_ONCE, self._states)
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
            # One that waits in the queue gets the score of a seed.
            engine.crawl(Request(url, callback=spider.parse, errback=errback))
        return len(seeds)

    def _states(self, folders: Sequence[str]) -> list[FolderState]:
        """Return the state of each folder in the frontier and the URL filter."""
        frontier = self._session.frontier
        # Links of an earlier page may still wait for the frontier.
        self._session.pending.flush()
        links = [QueuedLink(url, host_of(url), _LOWEST) for url in map(canonical_url, folders)]
        known = frontier.known([link.id for link in links])
        # Offering a known link with the lowest score changes nothing and shows whether it waits.
        again = [link for link, old in zip(links, known, strict=True) if old]
        results = dict(zip((link.id for link in again), frontier.push(again), strict=True))
        return [
            self._state(url, link.id, results.get(link.id))
            for url, link in zip(folders, links, strict=True)
        ]

    def _state(self, url: str, id: int, result: PushResult | None) -> FolderState:
        if result is PushResult.SEEN:
            failed = self._session.frontier.reason(id) is not None
            return FolderState.FAILED if failed else FolderState.ANSWERED
        if not self._session.url_filter.allows(url):
            return FolderState.BARRED
        return FolderState.UNKNOWN if result is None else FolderState.WAITING

    def _also(self, added: int) -> str:
        if added:
            return ngettext(
                " and with {added} new seed above the pages that were kept",
                " and with {added} new seeds above the pages that were kept",
                added,
            ).format(added=added)
        if not self._session.settings.reseed:
            return _("; TOPICCRAWL_RESEED is off")
        if self._reseeds >= MOST_RESEEDS:
            return _("; it was given new seeds {count} times already").format(count=MOST_RESEEDS)
        return _("; there is no new address above a page that was kept") if self._may_reseed else ""
