"""The laboratory: crawl strategies compared on stored webs (``scrapy evaluate``)."""
