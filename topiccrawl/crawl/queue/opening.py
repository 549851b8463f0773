"""Opening the frontier of a crawl: a new one, or that of an earlier run."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from topiccrawl.crawl.journal.journal import packed_pages
from topiccrawl.crawl.judgments.deciding import classifies
from topiccrawl.errors import ConfigurationError, described
from topiccrawl.frontier.backend import Connect, OpenFrontier
from topiccrawl.frontier.errors import advice
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.failstop import FailStopFrontier
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.paths import spider_folder
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.topics.topic import Topic

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CrawlFrontier:
    """The frontier of a crawl, open."""

    frontier: FailStopFrontier
    """Accepts and returns nothing after the first failure of its backend."""
    clock: Callable[[], float]
    """Wall-clock seconds, so that leases and retry times survive a restart."""
    behind: Callable[[], float]
    """By how many seconds the time of day is ahead of the clock: the machine's was set."""
    resumed: bool
    """Whether it held anything before: another worker's or an earlier run's."""
    begin: Callable[[], list[bytes]]
    """Erases the queue of an earlier crawl if the user wants a new one, and opens the new one; returns pages of
    the earlier one, for the page classifier.  Until then the new queue is in memory, and nothing may be popped.

    Raises :class:`~topiccrawl.errors.ConfigurationError` if it cannot be erased or opened."""


def queue_settings(crawler: Crawler, settings: CrawlSettings) -> CrawlSettings:
    """Return *settings* with the place of the queue: a spider beside the topic spider has one of its own.

    It could not read the requests of another spider, and would not fetch what that one has fetched.
    """
    spider = crawler.spidercls
    own = not getattr(spider, "uses_topiccrawl", False)
    if not (own and frontier_backend(settings).keeps_queue()):
        return settings
    return replace(
        settings,
        frontier_prefix=f"{settings.frontier_prefix}/{spider.name}",
        frontier_dir=str(spider_folder(spider.name, settings)),
    )


def open_crawl_frontier(
    topic: Topic,
    settings: CrawlSettings,
    connect: Connect,
    lost: Callable[[Exception, str], None],
    *,
    fresh: bool,
) -> CrawlFrontier:
    """Open the frontier of *topic*; with *fresh*, ``begin`` erases an earlier queue.

    That is done when all parts of the crawl are made and its store is open: an error of the user's, in whatever
    setting or file, must not cost the queue.

    *lost* receives the failure of a frontier that is lost later, with advice for the user. Raises
    ``ConfigurationError`` if the frontier cannot be used.
    """
    backend = frontier_backend(settings, connect)
    open_again = partial(backend.open, topic.name)
    if fresh:
        backend.check_erasable(topic.name)
        opened = OpenFrontier(MemoryFrontier())
    else:
        opened = open_again()
    resumed = _holds_anything(opened, topic.name)
    frontier = FailStopFrontier(
        opened.frontier, opened.failures, lambda error: lost(error, advice(error, topic.name))
    )

    def begin() -> list[bytes]:
        nonlocal opened
        if not fresh:
            return []
        remembers = classifies(topic, settings)
        earlier = _earlier_pages(open_again, settings.earlier_pages) if remembers else []
        opened = open_again(fresh=True)
        _holds_anything(opened, topic.name)
        frontier.go_on_with(opened.frontier, opened.failures)
        return earlier

    return CrawlFrontier(frontier, lambda: opened.clock(), lambda: opened.behind(), resumed, begin)


def _holds_anything(opened: OpenFrontier, topic: str) -> bool:
    """Return whether the frontier holds anything, which shows that it can be used."""
    try:
        size = opened.frontier.size()
    except Exception as error:
        raise ConfigurationError(
            _("the frontier cannot be used: {error}").format(
                error=described(error) + advice(error, topic)
            )
        ) from error
    return size.queued + size.delayed + size.leased + size.done + size.given_up > 0


def _earlier_pages(open_again: Callable[..., OpenFrontier], most: int) -> list[bytes]:
    """Return the newest pages in the queue of an earlier crawl, which is about to be erased."""
    if not most:
        return []
    try:
        opened = open_again(fresh=False)
    except ConfigurationError:
        return []  # Written by another version, or damaged: erasing repairs it.
    try:
        return packed_pages(opened.frontier.journal, most)
    except Exception as error:  # damaged: erasing repairs it
        logger.warning(_("Pages of the earlier queue cannot be read: %s"), described(error))
        return []
    finally:
        with suppress(Exception):  # it is erased next
            opened.frontier.close()
