"""The Redis client that the settings describe, as scrapy-redis makes it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.language import _

if TYPE_CHECKING:
    import redis
    from scrapy.settings import BaseSettings

#: Path of an address: the number of a database, or nothing.  redis-py ignores any other.
_DATABASE: Final = re.compile(r"/?|/[0-9]+")

#: User and password of an address; the password may contain any character.
_PASSWORD: Final = re.compile(r"(?<=//).*@", re.DOTALL)


def redis_client(settings: BaseSettings) -> redis.Redis:
    """Return a new client.

    Raises ``ConfigurationError`` if scrapy-redis is not installed, or REDIS_URL is not an address of a Redis
    server.
    """
    _check_address(settings.get("REDIS_URL"))
    with needs_extra("cluster", "TOPICCRAWL_FRONTIER_BACKEND redis"):  # optional dependency
        from scrapy_redis.connection import get_redis_from_settings

    try:
        client: redis.Redis = get_redis_from_settings(settings)
    except ValueError as error:
        raise ConfigurationError(f"REDIS_URL: {error}") from None
    return client


def _check_address(url: object) -> None:
    """Refuse what redis-py takes for another server or database, or quotes with its password."""
    if url is None:
        return
    try:
        parts = urlsplit(str(url).strip())
        sound = parts.scheme == "unix" or (
            parts.scheme in ("redis", "rediss")
            and (parts.port or 0) >= 0
            and _DATABASE.fullmatch(parts.path) is not None
        )
    except ValueError:
        sound = False
    if not sound:
        raise ConfigurationError(
            _(
                "REDIS_URL must be redis://[:password@]host[:port][/number of the database], "
                "rediss:// for TLS, or unix://path, got {url!r}"
            ).format(url=_PASSWORD.sub("***@", str(url)))
        )
