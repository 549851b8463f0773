"""The crawl itself, without Scrapy where possible: session, link order, journal, records, leases."""
