"""Crawls of many machines on one Redis: settings, start URLs and statistics, built on scrapy-redis."""
