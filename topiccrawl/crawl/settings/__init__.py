"""The settings of a crawl, each declared once: read, checked, documented.

To add a setting, add a field to one of the sections and run ``make reference``.
"""

from topiccrawl.crawl.settings.links import TopicSettings
from topiccrawl.crawl.settings.pages import PageSettings
from topiccrawl.crawl.settings.politeness import PolitenessSettings
from topiccrawl.crawl.settings.record import SECTIONS, CrawlSettings
from topiccrawl.crawl.settings.store import Live, StoreSettings

__all__ = [
    "SECTIONS",
    "CrawlSettings",
    "Live",
    "PageSettings",
    "PolitenessSettings",
    "StoreSettings",
    "TopicSettings",
]
