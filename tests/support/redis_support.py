"""Helpers of the tests of the Redis frontier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.support.redis_server import HOW_TO_GET_ONE, RedisServer, executable
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.scoring.evidence import LinkEvidence

if TYPE_CHECKING:
    from pathlib import Path

    import redis

needs_redis = pytest.mark.skipif(executable() is None, reason=HOW_TO_GET_ONE)
NOW = 1_000.0


class ManualClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@contextmanager
def running(folder: Path, *options: str, **more: object) -> Iterator[RedisServer]:
    """A server that runs for the length of the block."""
    server = RedisServer(folder, *options, **more)  # type: ignore[arg-type]
    try:
        server.start()
        yield server
    finally:
        server.kill()


def link(path: str, score: float = 1.0, host: str = "a.cn") -> QueuedLink:
    """A link of its own."""
    return QueuedLink(f"http://{host}/{path}", host, LinkEvidence(score))


def paths(frontier: RedisFrontier, now: float = NOW) -> list[str]:
    """Pop until nothing is ready."""
    found = []
    while (lease := frontier.pop((), now)) is not None:
        found.append(lease.link.url.rsplit("/", 1)[1])
    return found


def dump(client: redis.Redis) -> dict[bytes, bytes | None]:
    """Every key of the server with its value as Redis would save it."""
    return {key: client.dump(key) for key in client.keys("*")}
