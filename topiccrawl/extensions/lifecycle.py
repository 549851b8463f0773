"""SessionLifecycle: opens the crawl session before the first request and closes it after the last."""

from __future__ import annotations

import logging
from dataclasses import asdict
from pprint import pformat
from typing import TYPE_CHECKING, Self

from topiccrawl.commandline.jsonlogs import set_log_context
from topiccrawl.crawl.account.blocked import blocked_problem
from topiccrawl.crawl.account.leftovers import closed_hosts, over_budget
from topiccrawl.crawl.session.current import required_session
from topiccrawl.crawl.session.lifecycle import close_session, open_session
from topiccrawl.endings import BLOCKED, stop_sentence
from topiccrawl.errors import ConfigurationError
from topiccrawl.extensions.brokentls import BROKEN_TLS
from topiccrawl.heap import collect_all, collect_soon
from topiccrawl.language import _, ngettext
from topiccrawl.signals import connected, session_closed
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager
    from scrapy.statscollectors import StatsCollector

    from topiccrawl.crawl.session.session import CrawlSession

logger = logging.getLogger(__name__)


class SessionLifecycle:
    """The one place that opens and closes store and frontier."""

    def __init__(
        self, session: CrawlSession, stats: StatsCollector, sent: SignalManager, *, at_seeds: bool
    ) -> None:
        """*at_seeds*: a new queue begins at the seeds, and the user did not want a new one."""
        self._session = session
        self._at_seeds = at_seeds
        self._stats = stats
        self._sent = sent
        self._forgotten = 0
        """Links that the queue had dropped before this run."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic."""
        session = required_session(crawler)
        logging.getLogger("twisted").addFilter(BROKEN_TLS)
        spider = crawler.spider
        at_seeds = getattr(spider, "needs_seeds", True) and not getattr(spider, "fresh", False)
        lifecycle = cls(session, crawler.stats, crawler.signals, at_seeds=at_seeds)
        return connected(lifecycle, crawler)

    async def spider_opened(self) -> None:
        """Open the session; an unusable store stops the run here, before the first page is fetched."""
        session = self._session
        set_log_context(topic=session.topic.name, run=session.id)
        try:
            await open_session(session)
        except (ConfigurationError, StoreUnavailable) as error:
            raise session.control.cannot_start(error) from error
        collect_soon()
        self._forgotten = session.frontier.size().forgotten
        for name in ("allow", "deny"):
            if patterns := getattr(session.scope, name):
                # In the run's record: `scrapy explain` reads it.
                self._stats.set_value(f"topiccrawl/scope/{name}", " ".join(patterns))
        if not session.resumed:
            if self._at_seeds:
                await self._name_lost_queue()
            return
        size = session.frontier.size()
        self._stats.set_value("topiccrawl/run/resumed_pages", session.journal.pages)
        logger.info(
            _(
                "Continuing with the queue of this topic: links queued %(queued)d, waiting %(delayed)d, done "
                "%(done)d; pages known %(pages)d (-a fresh=1 starts over)"
            ),
            {
                "queued": size.queued,
                "delayed": size.delayed,
                "done": size.done,
                "pages": session.journal.pages,
            },
        )

    async def _name_lost_queue(self) -> None:
        """Log that the queue is new although pages are stored: it may be elsewhere."""
        writer, definition = self._session.store, self._session.topic.definition
        if writer is None:
            return
        try:
            stored = await writer.store.count(definition.name)
            earlier = await writer.store.topics()
        except StoreUnavailable:
            return
        # 僑鄉 is 侨乡 for whoever names the topic, and another name for the store.
        names = {normalize(it) for it in (definition.name, *definition.aliases)}
        for alias, pages in earlier.items():
            if not stored and pages and alias != definition.name and normalize(alias) in names:
                logger.warning(
                    ngettext(
                        "%(pages)d page is stored under the name %(alias)s, which is an alias of this "
                        "topic now. It stays there, and %(topic)s begins anew: a topic is known by its "
                        "name. To go on with it, give the topic its old name and make the new one the "
                        "alias",
                        "%(pages)d pages are stored under the name %(alias)s, which is an alias of this "
                        "topic now. They stay there, and %(topic)s begins anew: a topic is known by its "
                        "name. To go on with them, give the topic its old name and make the new one the "
                        "alias",
                        pages,
                    ),
                    {"pages": pages, "alias": alias, "topic": definition.name},
                )
        if stored:
            logger.info(
                ngettext(
                    "%(pages)d page of this topic is stored, but its queue is new: the crawl begins at "
                    "the seeds and fetches stored pages again when it meets them. Was the store renamed, "
                    "or is the queue in another Redis or folder?",
                    "%(pages)d pages of this topic are stored, but its queue is new: the crawl begins at "
                    "the seeds and fetches stored pages again when it meets them. Was the store renamed, "
                    "or is the queue in another Redis or folder?",
                    stored,
                ),
                {"pages": stored},
            )

    def _log_blocked(self, reason: str) -> None:
        """Log that the crawl was blocked, if it was, and keep it for the exit code."""
        content = self._session.content
        if blocking := content.rests.blocking():
            self._stats.set_value("topiccrawl/blocked/hosts", len(blocking))
        size = self._session.frontier.size()
        problem = blocked_problem(
            content.rests,
            blocks=content.blocks,
            pages=content.pages,
            waiting=size.queued + size.delayed if reason == BLOCKED else 0,
        )
        if problem:
            self._stats.set_value("topiccrawl/blocked/waiting", size.queued + size.delayed)
            self._session.control.blocked = problem
            logger.error(problem)

    def _set_leftovers(self) -> None:
        """Count the links that limits of hosts have kept from being fetched."""
        session = self._session
        closed = closed_hosts(session.frontier, session.windows.opens_at, session.clock())
        if closed.links:
            self._stats.set_value("topiccrawl/windows/links", closed.links)
            self._stats.set_value("topiccrawl/windows/opens", int(closed.opens))
        if session.settings.host_budget:
            most = session.settings.frontier_max_links
            stats = self._stats.get_stats()
            others = self._forgotten + session.progress.parts_left_queue
            if links := over_budget(session.frontier, stats, others, most):
                self._stats.set_value("topiccrawl/frontier/over_budget", links)

    async def spider_closed(self, reason: str) -> None:
        """Write the run's record with the stop reason, and close the session."""
        session = self._session
        progress = session.progress
        self._log_blocked(reason)
        reason = session.ending(reason)
        if lost := self._stats.get_value("topiccrawl/frontier/unkeepable"):
            logger.error(
                ngettext(
                    "%(lost)d request of the spider was lost, because the queue cannot keep it; it is "
                    "named above",
                    "%(lost)d requests of the spider were lost, because the queue cannot keep them; the "
                    "first one is named above",
                    lost,
                ),
                {"lost": lost},
            )
        # Before the record is written: it holds them too.
        self._set_leftovers()
        self._stats.set_value("topiccrawl/harvest_rate", round(progress.harvest_rate, 4))
        done = self._stats.get_value("topiccrawl/frontier/size/done", 0)
        self._stats.set_value("topiccrawl/stop_reason", stop_sentence(reason, progress.pages, done))
        try:
            await close_session(session, reason, self._stats.get_stats())
        finally:
            collect_all()
            self._sent.send_catch_log(session_closed)
        if session.store is not None:
            for name, count in asdict(session.store.counts).items():
                self._stats.set_value(f"topiccrawl/store/{name}", count)
        if logger.isEnabledFor(logging.DEBUG):
            stats = pformat(self._stats.get_stats())
            logger.debug("Statistics of the run:\n%(stats)s", {"stats": stats})
