"""Comparison of crawl strategies on stored webs (``scrapy evaluate``)."""
