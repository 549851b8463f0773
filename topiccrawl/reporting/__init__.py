"""Reports about a crawl: store -> aggregates -> data -> HTML page.

``collect`` reads a store once and keeps bounded aggregates; ``page`` renders the result as one
self-contained document.  Nothing here depends on Scrapy or a database driver.
"""
