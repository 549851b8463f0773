"""Reports about a crawl: store -> aggregates -> HTML or text.

``aggregates.collect`` reads a store once and keeps bounded aggregates; ``html.document`` renders the
result as one self-contained document.  Nothing here depends on Scrapy or a database driver.
"""
