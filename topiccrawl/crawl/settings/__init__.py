"""The settings of a crawl, each declared once: read, checked, documented.

To add a setting, add a field to one of the sections and run ``make reference``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topiccrawl.crawl.settings.record import CrawlSettings

__all__ = ["CrawlSettings"]


def __getattr__(name: str) -> Any:
    """Import the record of all sections at its first use: it loads Scrapy and SciPy, which ``extract`` does without."""
    if name != "CrawlSettings":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from topiccrawl.crawl.settings.record import CrawlSettings

    return CrawlSettings
