"""Statistics in Redis: sums over all workers of a topic, and each worker's own.

``topiccrawl:<topic>:stats`` is a hash with the sums of all counters (``inc_value``) over all workers and
runs; ``topiccrawl:<topic>:stats:<host>-<process>`` has all stats of one worker as text.  Both are written
every few seconds and at the end: a round trip for each count would cost more than the page that is
counted.
"""

from __future__ import annotations

import logging
import os
import socket
from typing import TYPE_CHECKING, Final

from scrapy.statscollectors import StatsCollector
from scrapy.utils.asyncio import AsyncioLoopingCall, create_looping_call

from topiccrawl.cluster.names import key
from topiccrawl.crawl.session.current import has_topic
from topiccrawl.errors import needs_extra
from topiccrawl.language import _

with needs_extra("cluster", _("A cluster")):
    from redis.exceptions import RedisError
    from scrapy_redis.stats import RedisStatsCollector

    from topiccrawl.frontier.redis.reasons import is_away

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from twisted.internet.task import LoopingCall

logger = logging.getLogger(__name__)

#: Seconds between two writes.  A guess: often enough for users, negligible beside the crawl's traffic.
FLUSH_SECONDS: Final = 5.0
#: A worker's own stats expire a week after its last write.  A guess.
_KEEP_SECONDS: Final = 7 * 24 * 3600


class ClusterStatsCollector(RedisStatsCollector):  # type: ignore[misc]
    """``STATS_CLASS``; values are read from memory, as by Scrapy's own collector.

    The collector of scrapy-redis reads each value from the server, fails on those that are not
    integers, and has the signatures of an older Scrapy.
    """

    get_value = StatsCollector.get_value
    get_stats = StatsCollector.get_stats
    set_value = StatsCollector.set_value
    set_stats = StatsCollector.set_stats
    max_value = StatsCollector.max_value
    min_value = StatsCollector.min_value
    clear_stats = StatsCollector.clear_stats

    def __init__(self, crawler: Crawler, spider: Spider | None = None) -> None:
        super().__init__(crawler, spider)
        self._worker = f"{socket.gethostname()}-{os.getpid()}"
        self._sent: dict[str, float] = {}
        self._counted: set[str] = set()
        self._warned = False
        self._loop: AsyncioLoopingCall | LoopingCall | None = None

    def inc_value(
        self, key: str, count: int = 1, start: int = 0, spider: Spider | None = None
    ) -> None:
        """Count, and note that the value is a counter to be summed over workers."""
        StatsCollector.inc_value(self, key, count, start)
        self._counted.add(key)

    def open_spider(self, spider: Spider | None = None) -> None:
        """Start to write periodically."""
        self._loop = create_looping_call(self.flush)
        self._loop.start(FLUSH_SECONDS, now=False)

    def close_spider(self, spider: Spider | None = None, reason: str | None = None) -> None:
        """Dump the stats as Scrapy does, and write what is left."""
        if self._loop is not None and self._loop.running:
            self._loop.stop()
        StatsCollector.close_spider(self, spider, reason)
        self.flush()
        self.server.close()

    def flush(self) -> None:
        """Add what was counted since the last write; while the server is away, it is kept for the next."""
        if not has_topic(self._crawler):
            return
        stats = dict(self._stats)
        changes = {
            name: stats[name] - self._sent.get(name, 0)
            for name in sorted(self._counted)
            if name in stats and stats[name] != self._sent.get(name, 0)
        }
        sums = key(self._crawler, "stats")
        own = f"{sums}:{self._worker}"
        try:
            # All or nothing: after a partial write it would be unclear which counts were added.
            with self.server.pipeline(transaction=True) as pipe:
                for name, change in changes.items():
                    pipe.hincrbyfloat(sums, name, change)
                if stats:
                    pipe.hset(own, mapping={name: str(value) for name, value in stats.items()})
                    pipe.expire(own, _KEEP_SECONDS)
                pipe.execute()
        except RedisError as error:
            # That the server is away is logged by the queue.
            if not self._warned and not is_away(error):
                self._warned = True
                logger.warning(_("Stats cannot be written to Redis: %(error)s"), {"error": error})
            return
        self._warned = False
        for name, change in changes.items():
            self._sent[name] = self._sent.get(name, 0) + change
