"""Frontiers on a Redis server."""

from __future__ import annotations

from topiccrawl.frontier.backend import FrontierBackend, OpenFrontier, Refill
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.frontier.redis import keys
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.redis.rebuild import finish, salvaged, set_aside
from topiccrawl.frontier.redis.server import reachable

#: What the user asked for, in error messages.
_FORGET = "scrapy forget"


class RedisBackend(FrontierBackend):
    """Queues that many machines share."""

    def open(self, topic: str, *, fresh: bool = False) -> OpenFrontier:
        client, prefix = self._connect(), self._config.frontier_prefix
        if fresh:
            keys.check_erasable(client, topic, prefix)
            keys.erase(client, topic, prefix)
        frontier = RedisFrontier(
            client,
            topic,
            self._config.frontier_limits,
            prefix=prefix,
            exact_links=self._config.frontier_exact_links,
        )
        return OpenFrontier(frontier, frontier.clock)

    def has_queue(self, topic: str) -> bool:
        return keys.exists(self._connect(), topic, self._config.frontier_prefix)

    def check_erasable(self, topic: str) -> None:
        keys.check_erasable(self._connect(), topic, self._config.frontier_prefix)

    def refuse_running(self, topic: str) -> None:
        if self.has_queue(topic):
            client, prefix = self._connect(), self._config.frontier_prefix
            with reachable(client):
                keys.refuse_used(client, keys.key_base(topic, prefix), topic, _FORGET)

    def forget(self, topic: str) -> None:
        keys.erase(self._connect(), topic, self._config.frontier_prefix, _FORGET, aside=True)

    def rebuild(self, topic: str, refill: Refill) -> tuple[FrontierSize, str]:
        aside = set_aside(self._connect(), topic, self._config.frontier_prefix)
        opened = self.open(topic).frontier
        try:
            refill(opened, salvaged(self._connect(), aside))
            size = opened.size()
            finish(self._connect(), topic, self._config.frontier_prefix)
            return size, f"{aside}*" if aside else ""
        finally:
            opened.close()
