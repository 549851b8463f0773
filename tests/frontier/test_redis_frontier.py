"""The frontier on Redis keeps the contract, with one worker and with several."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from tests.frontier.contract_suite import (
    FrontierContract,
    MakeFrontier,
    SharedFrontierContract,
    frontier_machine,
    shared_machine,
)
from tests.support.redis_server import RedisServer
from tests.support.redis_support import needs_redis
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.frontier import RedisFrontier

pytestmark = needs_redis

_numbers = count()


@cache
def server() -> RedisServer:
    """One server for all tests here, because hypothesis state machines take no fixtures."""
    folder = tempfile.TemporaryDirectory()
    server = RedisServer(Path(folder.name))
    server.start()
    atexit.register(folder.cleanup)
    atexit.register(server.kill)
    return server


def new_topic() -> str:
    return f"topic {next(_numbers)}"


def open_frontier(limits: FrontierLimits | None = None) -> RedisFrontier:
    return RedisFrontier(server().client(), new_topic(), limits)


def open_place(limits: FrontierLimits) -> Callable[[str], RedisFrontier]:
    topic = new_topic()
    return lambda name: RedisFrontier(server().client(), topic, limits, worker=name)


class TestRedisFrontier(FrontierContract):
    @pytest.fixture
    def make_frontier(self) -> MakeFrontier:
        return open_frontier


class TestSharedRedisFrontier(SharedFrontierContract):
    @pytest.fixture
    def open_worker(self) -> Callable[..., RedisFrontier]:
        topic = new_topic()

        def open_one(name: str, limits: FrontierLimits | None = None) -> RedisFrontier:
            return RedisFrontier(server().client(), topic, limits, worker=name)

        return open_one

    @pytest.fixture
    def open_topic(self) -> Callable[..., RedisFrontier]:
        prefix = new_topic()
        return lambda topic: RedisFrontier(server().client(), topic, prefix=prefix)


TestRandomCalls = frontier_machine(open_frontier).TestCase
TestRandomCallsOfTwo = shared_machine(open_place).TestCase
TestRandomCalls.settings = TestRandomCallsOfTwo.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, derandomize=True
)
