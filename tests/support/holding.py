"""Components that hold a crawl at one place, so that a signal can reach it there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler


class HoldArticle:
    """Holds the first article of several parts for ever, and writes that it does to ``HELD_FILE``."""

    def __init__(self, held: Path) -> None:
        self._held = held

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Path(crawler.settings["HELD_FILE"]))

    async def process_item(self, item: Any) -> Any:
        if item.parts > 1 and not self._held.exists():
            self._held.touch()
            await asyncio.Event().wait()
        return item


class HoldEnd:
    """Holds a crawl that closes until there is the file ``GO_ON_FILE``."""

    def __init__(self, go_on: Path) -> None:
        self._go_on = go_on

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        held = cls(Path(crawler.settings["GO_ON_FILE"]))
        crawler.signals.connect(held.spider_closed, signals.spider_closed)
        return held

    async def spider_closed(self) -> None:
        while not self._go_on.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
