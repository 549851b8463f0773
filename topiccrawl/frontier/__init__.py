"""What to fetch next: one contract, its backends, and the Scrapy scheduler on it."""
