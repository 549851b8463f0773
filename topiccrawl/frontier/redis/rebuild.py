"""Moving a damaged queue aside on its Redis server, and reading what is sound in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

import redis
from redis.exceptions import RedisError, ResponseError

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.records import UnreadableRecordError
from topiccrawl.frontier.redis.codec import as_text, stored
from topiccrawl.frontier.redis.keys import ASIDE, key_base, refuse_used
from topiccrawl.frontier.redis.server import address
from topiccrawl.frontier.salvage import Salvage
from topiccrawl.language import _

_PIECE = 500


def set_aside(client: redis.Redis, topic: str, prefix: str) -> str:
    """Rename the keys of *topic*; return their new beginning, empty if there were none.

    Raises :class:`ConfigurationError` while workers use them, or when the server is away.
    """
    base = key_base(topic, prefix)
    aside = base + ASIDE + f"{datetime.now():%Y%m%dT%H%M%S%f}:".encode()
    try:
        with suppress(ResponseError):  # the list of workers may be what is damaged
            refuse_used(client, base, topic, "--rebuild")
        names = [name for name in _names(client, base) if not name.startswith(base + ASIDE)]
        for name in names:
            client.rename(name, aside + name.removeprefix(base))
    except RedisError as error:
        raise ConfigurationError(
            _("REDIS_URL: {server} cannot be used: {error}").format(
                server=address(client), error=error
            )
        ) from error
    return as_text(aside) if names else ""


def salvaged(client: redis.Redis, aside: str) -> Salvage:
    """Return what can be read of the keys that begin with *aside*."""
    found = Salvage()
    if not aside:
        return found
    try:
        for _, record in client.hscan_iter(f"{aside}links", count=_PIECE):
            try:
                found.waiting.append(stored(record).link)
            except UnreadableRecordError:
                found.complete = False
    except ResponseError:
        found.complete = False
    last: bytes = b"-"
    try:
        while entries := _entries(client, f"{aside}journal", last):
            found.journal += [fields[b"d"] for _, fields in entries if b"d" in fields]
            last = b"(" + entries[-1][0]
    except ResponseError:
        found.complete = False
    return found


def _entries(client: redis.Redis, key: str, last: bytes) -> list[tuple[bytes, dict[bytes, bytes]]]:
    answer: Any = client.xrange(key, last, "+", _PIECE)
    return list(answer)


def _names(client: redis.Redis, base: bytes) -> Iterator[bytes]:
    # The braces and other characters of the name stand for themselves.
    pattern = b"".join(b"\\" + bytes([c]) if bytes([c]) in b"*?[]\\^" else bytes([c]) for c in base)
    yield from client.scan_iter(pattern + b"*", count=_PIECE)
