"""The Scrapy scheduler on a frontier: request codec, downloader slots, alarm, heartbeat."""
