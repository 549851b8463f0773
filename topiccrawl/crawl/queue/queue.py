"""The queue of a crawl, with everything that goes into it and comes out of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.frontier.contract import Frontier
from topiccrawl.frontier.pending import PendingLinks, statistic


class CrawlQueue:
    """A frontier with its clock, the links that wait for it, and the journal beside it."""

    def __init__(
        self,
        frontier: Frontier,
        clock: Callable[[], float] = time.time,
        count: Callable[[str], object] = lambda name: None,
    ) -> None:
        """*clock* is the frontier's, in seconds; *count* receives statistics, e.g. ``frontier/enqueued``."""
        self.frontier = frontier
        self.clock = clock
        self.pending = PendingLinks(frontier, lambda result: count(f"frontier/{statistic(result)}"))
        self.journal = CrawlJournal(frontier.journal)

    def leads(self) -> bool:
        """Return whether this worker is the elected one, which does the common work."""
        return self.frontier.try_lead(self.clock())
