"""topiccrawl: a topic (focused) crawler for the Chinese web, built on Scrapy."""

__version__ = "0.1.0"
