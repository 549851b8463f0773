"""Redis servers: one for each test file that asks for one, and one for a test that stops it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.support.redis_outage import Outage
from tests.support.redis_server import RedisServer
from tests.support.redis_support import ManualClock, running
from topiccrawl.frontier.redis.frontier import RedisFrontier


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    client = server.client()
    client.flushall()
    yield client
    client.close()


@pytest.fixture
def outage(tmp_path: Path) -> Iterator[Outage]:
    with running(tmp_path, append_only=True) as server:
        clock = ManualClock()
        yield Outage(server, clock, RedisFrontier(server.client(), "侨情", clock=clock))
