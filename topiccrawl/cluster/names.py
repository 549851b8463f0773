"""Names of the Redis keys that users read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.session import CrawlSession

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def key(crawler: Crawler, what: str) -> str:
    """Return ``topiccrawl:<topic>:<what>``; TOPICCRAWL_FRONTIER_PREFIX replaces the first part."""
    run = CrawlSession.of(crawler)
    return f"{run.config.frontier_prefix}:{run.topic.name}:{what}"
