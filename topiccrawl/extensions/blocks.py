"""BlockWatcher: ends a run that could only wait for hosts that block, or that ask for one pause after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import AsyncioLoopingCall

from topiccrawl.crawl.account.leftovers import closed_hosts
from topiccrawl.crawl.account.waiting import waiting
from topiccrawl.crawl.session.current import required_session
from topiccrawl.endings import BLOCKED
from topiccrawl.signals import connected

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession

#: Seconds between two checks (a guess; a check reads some counts of the frontier).
LOOK_SECONDS = 5.0
#: A wait that ends within so many seconds of a host's rest or pause is a wait for it.
_SAME_SECONDS = 1.0


class BlockWatcher:
    """Checks whether there is anything to wait for but such hosts."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._loop = AsyncioLoopingCall(self.look)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; off when the crawl has no topic, or by setting."""
        session = required_session(crawler)
        if not session.settings.blocks.recognize:
            raise NotConfigured("TOPICCRAWL_NOT_CONTENT is off")
        watcher = cls(session)
        return connected(watcher, crawler)

    def spider_opened(self) -> None:
        """Start the regular checks."""
        self._loop.start(LOOK_SECONDS, now=False)

    def spider_closed(self) -> None:
        """Stop the checks."""
        self._loop.stop()

    def look(self) -> None:
        """End the run if the next link can be had only after the long rest or pause of such a host."""
        session, now = self._session, self._session.clock()
        ends = session.content.rests.ends()
        if not ends:
            return
        wait = waiting(session.frontier, now)
        if wait is None or wait.until < now + session.settings.blocks.patience:
            return
        if closed_hosts(session.frontier, session.windows.opens_at, now).links:
            return  # a crawl of several nights goes on in the next one
        if any(abs(wait.until - end) <= _SAME_SECONDS for end in ends):
            session.control.stop(BLOCKED)
