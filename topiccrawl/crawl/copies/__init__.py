"""Copies: pages of one story, found while the crawl runs, and brought up to date in the store."""
