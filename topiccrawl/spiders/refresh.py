"""The spider of ``scrapy refresh``: revisits of what is stored, and the new pages that they lead to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request

from topiccrawl.spiders.topic import TopicSpider

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class RefreshSpider(TopicSpider):
    """Visits what is stored of a topic again.

    The seeds are visited like lists, when their turn comes.  Links that wait in the queue are fetched if
    TOPICCRAWL_REFRESH_SHARE is less than 1.
    """

    #: Without a name here, ``scrapy list`` and ``scrapy crawl`` do not offer it: it has a command.
    name = ""
    needs_seeds = False
    #: The run does not end while a revisit is due (topiccrawl.extensions.refreshing).
    visits_all_due = True

    def __init__(self, topic: str = "", **kwargs: Any) -> None:
        self.name = "refresh"
        super().__init__(topic=topic, **kwargs)

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Make revisits only, unless the settings state a share; search for no new sources."""
        super().update_settings(settings)
        settings.set("TOPICCRAWL_SEARCH", False, priority="spider")
        if not settings.getfloat("TOPICCRAWL_REFRESH_SHARE"):
            settings.set("TOPICCRAWL_REFRESH_SHARE", 1.0, priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """Yield the pages that the user judged relevant and that are not stored."""
        for request in self.wanted_requests():
            yield request
