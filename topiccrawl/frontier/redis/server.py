"""What the frontier must know of a Redis server: where it is, what time it has, what it keeps."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import redis
from redis.exceptions import ResponseError

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.redis.connection import RedisConnection

logger = logging.getLogger(__name__)


def address(client: redis.Redis) -> str:
    """Return where the client connects to, without user and password, for messages."""
    known: dict[str, Any] = client.get_connection_kwargs()
    place = known.get("path") or f"{known.get('host', 'localhost')}:{known.get('port', 6379)}"
    return f"Redis at {place}, database {known.get('db') or 0}"


def refuse_text_answers(client: redis.Redis) -> None:
    """Raise :class:`ConfigurationError` for a client that decodes answers: records are bytes."""
    if client.get_connection_kwargs().get("decode_responses"):
        raise ConfigurationError(
            "REDIS_PARAMS, REDIS_URL: decode_responses must be False for the frontier, got True"
        )


def check_durability(link: RedisConnection) -> None:
    """Warn when a crash of the server would lose the frontier; refuse one that drops parts of it.

    Keys of the frontier never expire: policies that evict only keys that do (volatile-*) leave it
    alone, those that evict any key would take queues and leases silently.  A server that does not
    tell its configuration (a managed service) is not judged.
    """
    try:
        known = link.plain(
            lambda client: {**client.config_get("append*"), **client.config_get("maxmemory*")}
        )
    except ResponseError:
        return
    config = {_text(name): _text(value) for name, value in known.items()}
    policy = config.get("maxmemory-policy", "noeviction")
    if config.get("maxmemory", "0") != "0" and policy.startswith("allkeys"):
        raise ConfigurationError(
            f"maxmemory-policy of {address(link.client)} must be noeviction with maxmemory set, got "
            f"{policy!r}: parts of the frontier would be thrown away"
        )
    if config.get("appendonly") == "no":
        logger.warning(
            "%(server)s has appendonly no: when it crashes, the frontier goes back to the last "
            "snapshot or is lost. Set 'appendonly yes' and 'appendfsync everysec' (a crash of Redis "
            "loses nothing, one of the machine the last second) or 'always' (loses nothing, slower).",
            {"server": address(link.client)},
        )


class ServerClock:
    """Seconds on the server's clock, so that machines whose clocks differ agree."""

    def __init__(self, link: RedisConnection, local: Callable[[], float] = time.time) -> None:
        self._link = link
        self._local = local
        self._offset = 0.0

    def __call__(self) -> float:
        """Return the present time; between two refreshes the local clock measures it."""
        return self._local() + self._offset

    def refresh(self) -> None:
        """Ask the server; the error is at most half the round trip."""
        before = self._local()
        seconds, micros = self._link.plain(lambda client: client.time())
        self._offset = seconds + micros / 1e6 - (before + self._local()) / 2


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
