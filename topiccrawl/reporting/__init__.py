"""What a crawl did, as numbers and as one HTML file: store -> aggregates -> data -> page.

``collect`` reads a store once and keeps bounded aggregates; ``page`` turns the result into one
self-contained document.  Nothing here knows Scrapy or a database driver.
"""
