"""The page budget of one run: it ends with exactly so many pages (TOPICCRAWL_MAX_PAGES)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from scrapy import Request


class PageBudget:
    """Counts pages, and requests that are on their way to become one.

    A request is handed out only while pages and requests in flight together are fewer than *most*,
    so that no page is fetched beyond the budget.  A request that gives no page (an error, a redirect,
    a file that is not HTML) makes room for another one.

    *most* are the pages of the run; 0: no limit.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.pages = 0
        # Weak: a request that disappears without an outcome must not hold the crawl for ever.
        self._in_flight: WeakValueDictionary[int, Request] = WeakValueDictionary()

    @property
    def reached(self) -> bool:
        """Whether the run has all its pages."""
        return bool(self.most) and self.pages >= self.most

    @property
    def full(self) -> bool:
        """Whether nothing may be handed out now."""
        return bool(self.most) and self.pages + len(self._in_flight) >= self.most

    def handed_out(self, lease: int, request: Request) -> None:
        """Count the request of a link that leaves the queue."""
        if self.most:
            self._in_flight[lease] = request

    def page_fetched(self, lease: int | None) -> None:
        """Count a page; *lease* is that of its request, if it had one."""
        self.pages += 1
        self.ended(lease)

    def ended(self, lease: int | None) -> None:
        """Forget a request that gives no page, or is queued again."""
        if lease is not None:
            self._in_flight.pop(lease, None)
