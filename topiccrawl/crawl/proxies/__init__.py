"""The proxies of a crawl."""
