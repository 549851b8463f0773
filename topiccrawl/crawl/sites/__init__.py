"""Whole sites in a crawl: their sitemaps, feeds, pagers and archives lead to links of the queue."""

from topiccrawl.crawl.sites.marks import SITE_FILE, SITE_ISSUE, FileMark
from topiccrawl.crawl.sites.whole import WholeSites

__all__ = ["SITE_FILE", "SITE_ISSUE", "FileMark", "WholeSites"]
