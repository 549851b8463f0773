"""Lines of the log for each page, which only the level DEBUG shows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter, LogFormatterResult

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class PageLines(LogFormatter):
    """Leaves out the lines of level DEBUG: two records for each page that no handler would write."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LogFormatter:  # type: ignore[override]
        """Return Scrapy's own lines if the log may show them."""
        level = str(crawler.settings.get("LOG_LEVEL"))
        shown = logging.getLevelNamesMapping().get(level, logging.DEBUG) <= logging.DEBUG
        return LogFormatter() if shown else cls()

    def crawled(self, *args: Any, **named: Any) -> None:  # type: ignore[override]
        """Leave out the line for a response."""

    def scraped(self, *args: Any, **named: Any) -> None:  # type: ignore[override]
        """Leave out the line for an item that was kept."""

    def dropped(  # type: ignore[override]
        self, item: Any, exception: BaseException, *args: Any, **named: Any
    ) -> LogFormatterResult | None:
        """Return the line for an item that was dropped, unless the exception asks for DEBUG."""
        if getattr(exception, "log_level", None) == "DEBUG":
            return None
        return super().dropped(item, exception, *args, **named)
