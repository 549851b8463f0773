"""Revisits in a crawl: which stored pages are fetched again, and what a visit changes in the store."""
