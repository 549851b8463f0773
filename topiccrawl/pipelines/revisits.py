"""Revisits: a page that is as it was ends here, before anything is computed for it."""

from __future__ import annotations

from typing import Self

from scrapy.exceptions import NotConfigured

from topiccrawl import details
from topiccrawl.crawl.refreshing.visits import Visits
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import Unchanged


class RevisitPipeline(PagePipeline):
    """Writes the visits of articles without a change, of feeds, and of pages that were not sent again."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session's visits; off when nothing is stored."""
        if session.visits is None:
            raise NotConfigured
        return cls(session.visits)

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item; raise :class:`Unchanged` once the visit of an unchanged page is durable."""
        revisit = item.revisit
        if revisit is None:
            return item
        whole = bool(revisit.digest) and not item.site_file
        if whole and (revisit.changed or revisit.mark.kind != "article"):
            return item
        await self._visits.unchanged(item)
        raise Unchanged(details.UNCHANGED())
