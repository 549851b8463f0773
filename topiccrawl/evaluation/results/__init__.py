"""From crawl orders to metrics, statistics, tables and pages."""
