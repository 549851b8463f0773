"""Start URLs that are pushed to Redis while the crawl runs, and when a worker of a cluster ends.

An entry of the list is a URL (``redis-cli RPUSH topiccrawl:<topic>:start_urls https://…``) or a JSON object
``{"url": "https://…", "again": true}``; with *again*, a page that was fetched before is fetched again.
Any worker of the topic takes entries, and removes them once they are in the frontier.
"""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import create_looping_call

from topiccrawl.cluster.names import key
from topiccrawl.crawl.session import CrawlSession
from topiccrawl.errors import needs_extra
from topiccrawl.language import _

with needs_extra("cluster", _("A cluster")):
    from redis.exceptions import RedisError
    from scrapy_redis.spiders import RedisMixin

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall

logger = logging.getLogger(__name__)

#: Seconds between two reads of the list while there is other work.  A guess, short enough for
#: interactive use.
POLL_SECONDS: Final = 2.0
#: Entries that are read at once; further ones follow in the next round.  A guess.
_BATCH: Final = 500
#: Keys of a JSON entry.
_KNOWN: Final = frozenset({"url", "again"})


class StartUrls(RedisMixin):  # type: ignore[misc]
    """The extension; connection and settings are those of scrapy-redis.

    A worker ends when nothing is queued, delayed or leased anywhere.  With TOPICCRAWL_CLUSTER_WAIT it
    waits for start URLs instead, with MAX_IDLE_TIME_BEFORE_CLOSE for that many seconds.
    """

    name = "topiccrawl"
    redis_batch_size = _BATCH

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.logger = logger
        self.redis_key = key(crawler, "start_urls").replace("%", "%%")
        self.setup_redis(crawler)
        self._wait = CrawlSession.of(crawler).settings.cluster_wait
        self._idle_since: float | None = None
        self._loop: AsyncioLoopingCall | LoopingCall | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; disabled for a crawl without a topic."""
        if not CrawlSession.wanted(crawler):
            raise NotConfigured("no topic")
        extension = cls(crawler)
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        """Start to read the list periodically."""
        self._loop = create_looping_call(self.schedule_next_requests)
        self._loop.start(POLL_SECONDS)

    def spider_closed(self) -> None:
        """Stop reading, and disconnect."""
        if self._loop is not None and self._loop.running:
            self._loop.stop()
        self.server.close()

    def spider_idle(self) -> None:
        """Take start URLs, or wait for them if the settings require it; else let the spider close."""
        if self.schedule_next_requests():
            self._idle_since = None
            raise DontCloseSpider
        now = time.monotonic()
        if self._idle_since is None:
            self._idle_since = now
        waited = now - self._idle_since
        if waited < self.max_idle_time if self.max_idle_time else self._wait:
            raise DontCloseSpider

    def schedule_next_requests(self) -> int:
        """Move start URLs from the list to the frontier; return the number of entries."""
        try:
            entries = self.server.lrange(self.redis_key, 0, self.redis_batch_size - 1)
            for entry in entries:
                request = self.make_request_from_data(entry)
                if request is not None:
                    self.crawler.engine.crawl(request)
            if entries:
                CrawlSession.of(self.crawler).pending.flush()
            for entry in entries:
                # Another worker may have read it, too; the frontier merges the two.
                self.server.lrem(self.redis_key, 1, entry)
        except RedisError as error:
            logger.warning(_("Start URLs cannot be read from Redis: %(error)s"), {"error": error})
            return 0
        if entries:
            self._idle_since = None
        return len(entries)

    def make_request_from_data(self, data: bytes) -> Request | None:
        """Return the request for an entry; ``None``, with a warning, if the entry is not valid."""
        try:
            url, again = _read(data.decode(self.redis_encoding))
        except (ValueError, TypeError) as error:
            logger.warning(
                _("Entry of %(key)s is no start URL and is dropped: %(data).200r: %(error)s"),
                {"key": self.redis_key, "data": data, "error": error},
            )
            return None
        spider: Any = self.crawler.spider
        return Request(
            url,
            callback=spider.parse,
            errback=getattr(spider, "failed", None),
            dont_filter=again,
        )


def _read(text: str) -> tuple[str, bool]:
    text = text.strip()
    given: Any = {"url": text}
    if text.startswith("{"):
        given = json.loads(text)
    unknown = sorted(set(given) - _KNOWN)
    if unknown:
        raise ValueError(
            _("unknown key {unknown!r}; known: {known}").format(
                unknown=unknown[0], known=", ".join(sorted(_KNOWN))
            )
        )
    url = given.get("url")
    if not isinstance(url, str) or urlsplit(url).scheme not in ("http", "https"):
        raise ValueError(_("url must begin with http:// or https://"))
    return url, given.get("again", False) is True
