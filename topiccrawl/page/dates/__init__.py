"""The publication date of a page."""

from topiccrawl.page.dates.formats import CHINA_TIME
from topiccrawl.page.dates.publication import find_published

__all__ = ["CHINA_TIME", "find_published"]
