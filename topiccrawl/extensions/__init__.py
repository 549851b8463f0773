"""Scrapy extensions: outcomes and progress."""
