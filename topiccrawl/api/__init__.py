"""topiccrawl in Python programs and notebooks: extract a page, read a collection, run a crawl."""
