"""A pipeline that holds an article before it is stored, so that its worker can be killed meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Self

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
