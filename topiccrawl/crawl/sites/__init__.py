"""Whole sites in a crawl: their sitemaps, feeds, pagers and archives lead to links of the queue."""
