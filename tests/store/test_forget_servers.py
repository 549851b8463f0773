"""``scrapy forget`` with Redis, and with servers that do not answer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.support.forgetting import (
    NOTHING,
    OTHER,
    SIZE,
    fill,
    filled_queue,
    forget,
    queue_path,
    sizes,
)
from tests.support.redis_server import RedisServer
from tests.support.redis_support import link, needs_redis, running
from tests.support.store_records import TOPIC
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.store.contract import Store, StoreUnavailable
from topiccrawl.store.factory import open_store

pytestmark = pytest.mark.usefixtures("forgetting_project")


def redis_queue(url: str) -> list[str]:
    """Options by which the queue is on the Redis server at *url*."""
    return ["-s", "TOPICCRAWL_FRONTIER_BACKEND=redis", "-s", f"REDIS_URL={url}"]


@pytest.fixture
def uri(tmp_path: Path) -> str:
    """A filled SQLite store."""
    address = f"sqlite:///{tmp_path}/store.sqlite"
    fill(address)
    return address


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    folder = tmp_path / "redis"
    folder.mkdir()
    with running(folder) as started:
        yield started


@needs_redis
def test_the_queue_on_a_redis_server_is_deleted_and_those_of_other_topics_stay(
    uri: str, server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    client = server.client()
    more = redis_queue(server.url)
    other = RedisFrontier(server.client(), OTHER)
    other.push([link("x")])
    other.close()
    others = set(client.keys("*"))
    frontier = RedisFrontier(server.client(), TOPIC)
    frontier.push([link(str(number)) for number in range(5)])
    frontier.heartbeat(frontier.clock())
    client.set(f"{{topiccrawl:{TOPIC}}}:damaged-2026:links", "old")
    assert forget(uri, TOPIC, "--yes", *more) == 1
    assert "must not be in use" in capsys.readouterr().err
    assert sizes(uri)[TOPIC] == SIZE
    frontier.close()
    assert forget(uri, TOPIC, "--yes", *more) == 0
    assert "queue: 5 links to fetch" in capsys.readouterr().out
    assert set(client.keys("*")) == others
    assert sizes(uri)[TOPIC] == NOTHING


@needs_redis
def test_nothing_is_deleted_while_the_redis_server_is_away(
    uri: str, server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    more = redis_queue(server.url)
    server.kill()
    for name in (TOPIC, "别的"):
        assert forget(uri, name, "--yes", *more) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        if name == TOPIC:
            assert "REDIS_URL: Redis at" in said.err
    assert sizes(uri)[TOPIC] == SIZE


@needs_redis
def test_a_redis_server_that_goes_away_while_a_queue_is_deleted_is_named_with_what_is_left(
    uri: str,
    server: RedisServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    more = redis_queue(server.url)
    frontier = RedisFrontier(server.client(), TOPIC)
    frontier.push([link(str(number)) for number in range(5)])
    frontier.close()
    unlink = redis.Redis.unlink

    def dying(client: redis.Redis, *names: bytes) -> object:
        unlink(client, *names)
        server.kill()
        return None

    with monkeypatch.context() as patch:
        patch.setattr(redis.Redis, "unlink", dying)
        assert forget(uri, TOPIC, "--yes", *more) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the queue is deleted in part, and the same command deletes the rest" in error
    assert sizes(uri)[TOPIC] == SIZE
    server.start()
    assert forget(uri, TOPIC, "--yes", *more) == 0
    assert sizes(uri)[TOPIC] == NOTHING


def test_a_store_that_does_not_answer_is_one_line_and_nothing_is_deleted(
    store_uri: str,
    left_spool: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    opening, opened_before = type(open_store(store_uri)).open, iter(range(9))

    async def away(store: Store) -> None:
        if next(opened_before) == 2:  # after finding the topic and counting
            raise StoreUnavailable("the server is away")
        await opening(store)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(type(open_store(store_uri)), "open", away)
        assert forget(store_uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert error == "topiccrawl: the store does not answer: the server is away\n"
    assert queue_path(store_uri).exists()
    assert left_spool.exists()
    assert sizes(store_uri)[TOPIC] == SIZE


def test_a_store_that_goes_away_half_way_is_named_with_what_was_deleted_before(
    store_uri: str,
    left_spool: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()

    async def away(store: Store, topic: str) -> None:
        raise StoreUnavailable("the server is away")

    with monkeypatch.context() as patch:
        patch.setattr(type(open_store(store_uri)), "forget", away)
        assert forget(store_uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the server is away. Deleted before that: the queue, the spool." in error
    assert not queue_path(store_uri).exists()
    assert not left_spool.exists()
    assert forget(store_uri, TOPIC, "--yes") == 0
    assert sizes(store_uri)[TOPIC] == NOTHING


def test_a_mongo_server_that_is_away_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        uri = f"mongodb://{address}/none?serverSelectionTimeoutMS=200"
        assert forget(uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert f"mongodb://{address}/none" in error
    assert "no MongoDB server answers there" in error
    assert error.count("\n") == 1
