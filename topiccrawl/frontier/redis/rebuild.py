"""Moving a damaged queue aside on its Redis server, and reading what is sound in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

import redis
from redis.exceptions import ResponseError

from topiccrawl.frontier.records import UnreadableRecordError
from topiccrawl.frontier.redis.codec import as_text, stored
from topiccrawl.frontier.redis.keys import ASIDE, key_base, refuse_used
from topiccrawl.frontier.redis.server import reachable
from topiccrawl.frontier.salvage import Salvage

_PIECE = 500
#: Key with the beginning of the keys that a rebuilding has renamed, until it has filled the new queue.
_UNFINISHED = ASIDE + b"unfinished"


def set_aside(client: redis.Redis, topic: str, prefix: str) -> str:
    """Rename the keys of *topic*; return the beginning of those to salvage, empty if there are none.

    After a rebuilding that was killed, these are the keys that it had renamed; those of the queue that
    it began to fill are only renamed.  :func:`finish` ends the rebuilding.

    Raises :class:`ConfigurationError` while workers use them, or when the server is away.
    """
    base = key_base(topic, prefix)
    aside = base + ASIDE + f"{datetime.now():%Y%m%dT%H%M%S%f}:".encode()
    with reachable(client):
        with suppress(ResponseError):  # the list of workers may be what is damaged
            refuse_used(client, base, topic, "--rebuild")
        names = [name for name in _names(client, base) if not name.startswith(base + ASIDE)]
        if names:
            with client.pipeline() as pipe:  # all at once, whatever ends this process
                pipe.set(base + _UNFINISHED, aside, nx=True)
                for name in names:
                    pipe.rename(name, aside + name.removeprefix(base))
                pipe.execute()
        unfinished: Any = client.get(base + _UNFINISHED)
    return as_text(unfinished or b"")


def finish(client: redis.Redis, topic: str, prefix: str) -> None:
    """Let the next rebuilding begin with the queue that there is then."""
    with reachable(client):
        client.delete(key_base(topic, prefix) + _UNFINISHED)


def salvaged(client: redis.Redis, aside: str) -> Salvage:
    """Return what can be read of the keys that begin with *aside*.

    Raises :class:`ConfigurationError` when the server is away.
    """
    found = Salvage()
    if aside:
        with reachable(client):
            _salvage(client, aside, found)
    return found


def _salvage(client: redis.Redis, aside: str, found: Salvage) -> None:
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


def _entries(client: redis.Redis, key: str, last: bytes) -> list[tuple[bytes, dict[bytes, bytes]]]:
    answer: Any = client.xrange(key, last, "+", _PIECE)
    return list(answer)


def _names(client: redis.Redis, base: bytes) -> Iterator[bytes]:
    # The braces and other characters of the name stand for themselves.
    pattern = b"".join(b"\\" + bytes([c]) if bytes([c]) in b"*?[]\\^" else bytes([c]) for c in base)
    yield from client.scan_iter(pattern + b"*", count=_PIECE)
