"""Settings of the hostile crawl: the project's own, with short limits."""

from __future__ import annotations

from topiccrawl.settings import *  # noqa: F403 - a settings module adds to another

EXTENSIONS = {"benchmarks.hostile.child.Measurement": 10}
# Nobody's servers have to be spared, and many of them never answer.
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_TIMEOUT = 5
DNS_TIMEOUT = 5
RETRY_TIMES = 1
TOPICCRAWL_RETRY_DELAY_SECONDS = 1
TOPICCRAWL_RETRY_MAX_ATTEMPTS = 2
TOPICCRAWL_BACKOFF_SECONDS = 1
TOPICCRAWL_RETRY_AFTER_MAX_SECONDS = 1
TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS = 1
TOPICCRAWL_HOST_BUDGET_PAGES = 40
TOPICCRAWL_HOST_BUDGET_GROWTH = 2
TOPICCRAWL_DOMAIN_BUDGET_HOSTS = 20
TOPICCRAWL_PROGRESS_LIVE = "off"
# The hostile and the good servers; 127.77.0.1 stays inside the network.
TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED = ("127.66.0.0/16", "127.67.0.0/16")
