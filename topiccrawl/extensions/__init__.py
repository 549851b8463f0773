"""Scrapy extensions: outcomes, progress, stagnation, recording."""
