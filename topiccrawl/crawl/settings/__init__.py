"""The settings of a crawl, each declared once: read, checked, documented.

To add a setting, add a field to one of the sections and run ``make reference``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topiccrawl.crawl.settings.extraction import ExtractionSettings
    from topiccrawl.crawl.settings.links import TopicSettings
    from topiccrawl.crawl.settings.pages import PageSettings
    from topiccrawl.crawl.settings.politeness import PolitenessSettings
    from topiccrawl.crawl.settings.record import SECTIONS, CrawlSettings
    from topiccrawl.crawl.settings.store import Live, StoreSettings

__all__ = [
    "SECTIONS",
    "CrawlSettings",
    "ExtractionSettings",
    "Live",
    "PageSettings",
    "PolitenessSettings",
    "StoreSettings",
    "TopicSettings",
]

#: Module of each name.  They are imported at first use: all sections together load Scrapy and SciPy, which
#: ``topiccrawl extract`` does not need.
_MODULES = {
    "SECTIONS": "record",
    "CrawlSettings": "record",
    "ExtractionSettings": "extraction",
    "Live": "store",
    "PageSettings": "pages",
    "PolitenessSettings": "politeness",
    "StoreSettings": "store",
    "TopicSettings": "links",
}


def __getattr__(name: str) -> Any:
    """Import a section at its first use."""
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
    return value
