"""Start URLs that are pushed to Redis while the crawl runs, and when a worker of a cluster ends.

An entry of the list is a URL (``redis-cli RPUSH topiccrawl:<topic>:start_urls https://…``) or a JSON object
``{"url": "https://…", "again": true}``; with *again*, a page that was fetched before is fetched again.
Any worker of the topic takes entries, and removes them once they are in the frontier.  Every entry is
removed: one that cannot be used is logged, counted and recorded (outcome ``start-url``).
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import Request
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.utils.asyncio import AsyncioLoopingCall, create_looping_call

from topiccrawl.cluster.entries import (
    MAX_ENTRY_BYTES,
    SHOWN_CHARS,
    parse_entry,
    read_entries,
    shown,
)
from topiccrawl.cluster.names import key
from topiccrawl.crawl.session.current import has_topic, session_of
from topiccrawl.details import translated
from topiccrawl.errors import needs_extra
from topiccrawl.language import _, user_language
from topiccrawl.signals import connected

with needs_extra("cluster", _("A cluster")):
    from redis.exceptions import RedisError
    from scrapy_redis.spiders import RedisMixin

    from topiccrawl.frontier.redis.reasons import is_away

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.task import LoopingCall

logger = logging.getLogger(__name__)

#: Seconds between two reads of the list while there is other work.  A guess, short enough for
#: interactive use.
POLL_SECONDS: Final = 2.0
#: Entries that are read at once; further ones follow in the next round.  A guess.
_BATCH: Final = 500
#: Bad entries that are logged, and that are recorded as outcomes; further ones are counted (a guess).
_LOGGED: Final = 20
_RECORDED: Final = 1000


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
        self._wait = session_of(crawler).settings.cluster_wait
        self._idle_since: float | None = None
        self._dropped = 0
        self._problem = ""
        self._loop: AsyncioLoopingCall | LoopingCall | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals; disabled for a crawl without a topic."""
        if not has_topic(crawler):
            raise NotConfigured("no topic")
        return connected(cls(crawler), crawler)

    def spider_opened(self) -> None:
        """Start to read the list periodically."""
        self._loop = create_looping_call(self.schedule_next_requests)
        self._loop.start(POLL_SECONDS)

    def spider_closed(self) -> None:
        """Stop reading, and disconnect."""
        if self._loop is not None and self._loop.running:
            self._loop.stop()
        self.server.close()

    def request_reached_downloader(self) -> None:
        """Begin to wait anew when there is nothing left to do again."""
        self._idle_since = None

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
            entries, too_long = read_entries(self.server, self.redis_key, self.redis_batch_size)
        except RedisError as error:
            self._unreadable(error)
            return 0
        self._problem = ""
        for start in too_long:
            self._drop(start, f"it has more than {MAX_ENTRY_BYTES} bytes")
        for entry in entries:
            self._use(entry)
        try:
            if entries:
                session_of(self.crawler).pending.flush()
            for entry in entries:
                # Another worker may have read it, too; the frontier merges the two.
                self.server.lrem(self.redis_key, 1, entry)
        except RedisError as error:
            self._unreadable(error)
        if entries or too_long:
            self._idle_since = None
        return len(entries) + len(too_long)

    def _use(self, entry: bytes) -> None:
        """Request the URL of *entry*, or drop the entry: either way it is done."""
        try:
            request = self.make_request_from_data(entry)
            self.crawler.engine.crawl(request)
        except Exception as error:
            # Whatever an entry contains, the next ones are read.
            self._drop(entry, str(error) or type(error).__name__)

    def make_request_from_data(self, data: bytes) -> Request:
        """Return the request for an entry; raises ``ValueError`` if it is not valid."""
        url, again = parse_entry(data, self.redis_encoding)
        spider: Any = self.crawler.spider
        return Request(
            url,
            callback=spider.parse,
            errback=getattr(spider, "failed", None),
            dont_filter=again,
        )

    def _drop(self, entry: bytes, why: str) -> None:
        """Report an entry that cannot be used: in the stats, in the log and as an outcome."""
        session = session_of(self.crawler)
        session.control.count("start_urls/dropped")
        self._dropped += 1
        text, why = shown(entry), why[:SHOWN_CHARS]
        if self._dropped <= _LOGGED:
            logger.warning(
                _("Entry of %(key)s is no start URL and is dropped: %(text)s: %(why)s%(more)s"),
                {
                    "key": self.redis_key,
                    "text": text,
                    "why": translated(why, user_language()),
                    "more": _(" (further ones are only counted)")
                    if self._dropped == _LOGGED
                    else "",
                },
            )
        if self._dropped <= _RECORDED:
            records = session.records
            outcome = records.of_url(text, None, "failed", "start-url", why)
            session.outcomes.write_soon(outcome)

    def _unreadable(self, error: RedisError) -> None:
        """Log a problem with the list once, until it is over; that Redis is away, the queue logs."""
        if str(error) == self._problem or is_away(error):
            return
        self._problem = str(error)
        logger.error(
            _("Start URLs cannot be read from the list %(key)s in Redis: %(error)s"),
            {"key": self.redis_key, "error": error},
        )
