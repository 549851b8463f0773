"""Scrapy downloader middlewares."""
