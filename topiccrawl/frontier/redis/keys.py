"""The names of a Redis frontier's keys, and how all of them are erased."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import redis

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.codec import as_bytes
from topiccrawl.frontier.redis.server import check_eviction, reachable
from topiccrawl.language import _

#: Keys removed by one command.
_PIECE: Final = 500
#: ``meta`` goes last: a frontier whose removal was interrupted is still one, and is removed again.
_SINGLE: Final = (
    *("links", "heads", "closed", "delayed", "leases", "transfers", "names", "worst", "sweeps"),
    *("workers", "closing", "fetched", "reasons", "journal", "hosts", "writes", "meta"),
)


#: Beginning of the keys of a queue that was set aside, after the topic's.
ASIDE: Final = b"damaged-"


def key_base(topic: str, prefix: str) -> bytes:
    """Return the beginning of all key names of a topic.

    The braces are a hash tag: a cluster keeps all of them on one node.  Characters that would make
    two pairs of topic and prefix collide are escaped.

    >>> key_base("侨情", "topiccrawl").decode()
    '{topiccrawl:侨情}:'
    """
    if not (topic and prefix):
        raise ConfigurationError(
            _(
                "TOPICCRAWL_FRONTIER_PREFIX and the topic must not be empty, got {prefix!r}, "
                "{topic!r}"
            ).format(prefix=prefix, topic=topic)
        )
    return as_bytes(f"{{{_escaped(prefix)}:{_escaped(topic)}}}:")


def erase(
    client: redis.Redis, topic: str, prefix: str, what: str = "-a fresh=1", *, aside: bool = False
) -> None:
    """Remove everything that is kept for *topic*; with *aside*, also what a rebuilding set aside.

    Raises :class:`ConfigurationError` while other workers use it, or when the server is away; *what*
    was asked for.
    """
    base = key_base(topic, prefix)
    with reachable(client):
        refuse_used(client, base, topic, what)
        names = _names(client, base)
        piece = list(islice(names, _PIECE))
    with reachable(
        client, _("the queue is deleted in part, and the same command deletes the rest")
    ):
        while piece:
            client.unlink(*piece)
            piece = list(islice(names, _PIECE))
        if aside:
            pattern = re.sub(rb"([\\\[\]*?])", rb"\\\1", base) + ASIDE + b"*"
            for name in client.scan_iter(pattern, _PIECE):
                client.unlink(name)


def check_erasable(client: redis.Redis, topic: str, prefix: str) -> None:
    """Raise :class:`ConfigurationError` if *topic*'s frontier cannot be made anew.

    Workers use it, or the server is away or would drop parts of the next one.
    """
    with reachable(client):
        check_eviction(client)
        refuse_used(client, key_base(topic, prefix), topic)


def exists(client: redis.Redis, topic: str, prefix: str) -> bool:
    """Return whether the server holds a frontier of *topic*.

    Raises :class:`ConfigurationError` when the server is away: it may hold one.
    """
    with reachable(client):
        return bool(client.exists(key_base(topic, prefix) + b"meta"))


def _escaped(part: str) -> str:
    for character in "%:{}":
        part = part.replace(character, f"%{ord(character):02X}")
    return part


def refuse_used(client: redis.Redis, base: bytes, topic: str, what: str = "-a fresh=1") -> None:
    """Raise :class:`ConfigurationError` while workers use the frontier; *what* must not be done then."""
    deadline = FrontierLimits().worker_seconds
    answer: Any = client.time()
    since = answer[0] - deadline
    alive: Any = client.zrangebyscore(base + b"workers", since, "+inf")
    if alive:
        raise ConfigurationError(
            _(
                "{what}: the frontier of {topic!r} must not be in use, got {count} workers "
                "(one that died is forgotten after {deadline:g} s)"
            ).format(what=what, topic=topic, count=len(alive), deadline=deadline)
        )


def _names(client: redis.Redis, base: bytes) -> Iterator[bytes]:
    hosts: Any = client.hkeys(base + b"hosts")
    meta = base + b"meta"
    counted: Any = client.hmget(meta, ["joined", "layers"])
    joined, layers = (int(count or 0) for count in counted)
    yield from (base + b"q:" + host for host in hosts)
    yield from (base + b"held:%d" % n for n in range(1, joined + 1))
    yield from (base + b"bloom:%d" % n for n in range(1, layers + 1))
    yield from (base + b"s:" + n.to_bytes(2, "big") for n in range(2**16))
    yield from (base + name.encode() for name in _SINGLE)
