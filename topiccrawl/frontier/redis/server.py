"""Properties of a Redis server that the frontier depends on: address, clock, durability."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.exceptions import RedisError, ResponseError

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.redis.connection import RedisConnection
from topiccrawl.frontier.redis.reasons import in_words, usual_cause
from topiccrawl.language import _

logger = logging.getLogger(__name__)


def address(client: redis.Redis) -> str:
    """Return where *client* connects to, without user and password, for messages."""
    options: dict[str, Any] = client.get_connection_kwargs()
    where = options.get("path") or f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"
    return _("Redis at {where}, database {db}").format(where=where, db=options.get("db") or 0)


@contextmanager
def reachable(client: redis.Redis, consequence: str = "") -> Iterator[None]:
    """Guard commands of *client*: a server that is away or refuses them is a ConfigurationError.

    Its message ends with the *consequence*, if one is given.
    """
    try:
        yield
    except RedisError as error:
        message = unusable(error, client)
        raise ConfigurationError(f"{message}; {consequence}" if consequence else message) from error


def unusable(error: Exception, client: redis.Redis) -> str:
    """Return that the server of *client* cannot be used at the first attempt, why, and the usual cause."""
    words, cause = in_words(error, client), usual_cause(error, client)
    return _("REDIS_URL: {server} cannot be used: {error}").format(
        server=address(client), error=f"{words} ({cause})" if cause else words
    )


def refuse_text_answers(client: redis.Redis) -> None:
    """Raise :class:`ConfigurationError` for a client that decodes answers: records are bytes."""
    if client.get_connection_kwargs().get("decode_responses"):
        raise ConfigurationError(
            _("REDIS_PARAMS, REDIS_URL: decode_responses must be False for the frontier, got True")
        )


def check_eviction(client: redis.Redis) -> dict[str, str]:
    """Return the server's settings; raise :class:`ConfigurationError` if it drops parts of a frontier.

    Nothing is returned and checked of a server that does not allow ``CONFIG GET``.
    """
    try:
        answer: Any = {**client.config_get("append*"), **client.config_get("maxmemory*")}
    except ResponseError:
        return {}
    config = {_text(name): _text(value) for name, value in answer.items()}
    policy = config.get("maxmemory-policy", "noeviction")
    if config.get("maxmemory", "0") != "0" and policy.startswith("allkeys"):
        raise ConfigurationError(
            _(
                "maxmemory-policy of {server} must be noeviction with maxmemory set, got "
                "{policy!r}: parts of the frontier would be thrown away"
            ).format(server=address(client), policy=policy)
        )
    return config


def check_durability(connection: RedisConnection) -> None:
    """Warn if a crash of the server would lose the frontier; refuse a server that drops parts of it.

    Keys of the frontier never expire: policies that evict only keys that do (volatile-*) are
    harmless, those that evict any key would remove queues and leases silently.  A server that does
    not allow ``CONFIG GET`` (a managed service) is not checked.
    """
    config = connection.command(check_eviction)
    server = address(connection.client)
    if config.get("appendonly") == "no":
        logger.warning(
            _(
                "%(server)s has appendonly no: when it crashes, the frontier goes back to the "
                "last snapshot or is lost. Set 'appendonly yes' and 'appendfsync everysec' (a "
                "crash loses two seconds at most, which are fetched again) or 'always' (loses "
                "nothing, slower)."
            ),
            {"server": server},
        )


class ServerClock:
    """Seconds on the server's clock, so that machines whose clocks differ agree."""

    def __init__(self, connection: RedisConnection, local: Callable[[], float]) -> None:
        self._connection = connection
        self._local = local
        self._offset: float | None = None

    def __call__(self) -> float:
        """Return the present time; between two refreshes it advances with the local clock."""
        return self._local() + (self._offset or 0.0)

    def refresh(self) -> None:
        """Read the server's clock, and correct what that refutes.

        The server read it within the round trip, so that the difference of the clocks is known to the
        length of that: half of it is the error of the first reading.  A difference that is possible is
        kept, since a round trip that takes long tells less than one before it that did not.
        """
        before = self._local()
        seconds, micros = self._connection.command(lambda client: client.time())
        least, most = seconds + micros / 1e6 - self._local(), seconds + micros / 1e6 - before
        offset = (least + most) / 2 if self._offset is None else self._offset
        self._offset = min(max(offset, least), most)


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
