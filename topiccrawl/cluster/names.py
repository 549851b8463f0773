"""Names of the Redis keys that users read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.session.current import session_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def key(crawler: Crawler, what: str) -> str:
    """Return ``topiccrawl:<topic>:<what>``; TOPICCRAWL_FRONTIER_PREFIX replaces the first part."""
    session = session_of(crawler)
    return f"{session.settings.frontier_prefix}:{session.topic.name}:{what}"
