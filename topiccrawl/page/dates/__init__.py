"""The publication date of a page."""

from topiccrawl.page.dates.published import CHINA_TIME, find_published

__all__ = ["CHINA_TIME", "find_published"]
