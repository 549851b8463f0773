"""What many machines on one Redis need beside the frontier; built on scrapy-redis."""
