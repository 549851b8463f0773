"""The Redis client that the settings describe, as scrapy-redis makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.errors import needs_extra

if TYPE_CHECKING:
    import redis
    from scrapy.settings import BaseSettings


def redis_client(settings: BaseSettings) -> redis.Redis:
    """Return a new client; raise ConfigurationError if scrapy-redis is not installed."""
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from scrapy_redis.connection import get_redis_from_settings

    client: redis.Redis = get_redis_from_settings(settings)
    return client
