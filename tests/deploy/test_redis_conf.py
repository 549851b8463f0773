"""deploy/redis.conf on a real Redis: what it promises about crashes and full memory."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.support import redis_server
from tests.support.clean_copy import ROOT
from tests.support.redis_server import RedisServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(
    redis_server.executable() is None, reason=redis_server.HOW_TO_GET_ONE
)


class ConfiguredServer(RedisServer):
    """A server that takes its options from deploy/redis.conf; only its place is given."""

    def __init__(self, folder: Path, *options: str) -> None:
        super().__init__(folder)
        # The base class switches persistence off; here the file decides.
        self._options = [str(ROOT / "deploy" / "redis.conf"), "--dir", str(folder)]
        self._options += ["--bind", "127.0.0.1", *options]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ConfiguredServer]:
    server = ConfiguredServer(tmp_path)
    server.start()
    yield server
    server.kill()


def test_what_was_answered_survives_a_crash_of_redis(server: ConfiguredServer) -> None:
    server.client().set("queue", "links")
    server.restart()
    assert server.client().get("queue") == b"links"


def test_a_full_redis_refuses_and_keeps_what_it_has(server: ConfiguredServer) -> None:
    client = server.client()
    client.set("queue", "links")
    client.config_set("maxmemory", "1mb")
    with pytest.raises(redis.exceptions.OutOfMemoryError):
        _fill(client, 10_000_000)
    assert client.get("queue") == b"links"


def test_the_documented_options_are_set(server: ConfiguredServer) -> None:
    client = server.client()
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    for option, value in (
        ("appendonly", "yes"),
        ("appendfsync", "everysec"),
        ("maxmemory-policy", "noeviction"),
    ):
        assert client.config_get(option) == {option: value}
        assert f"| `{option}` | `{value}` |" in text


def test_a_snapshot_is_restored_as_the_documentation_says(
    server: ConfiguredServer, tmp_path: Path
) -> None:
    text = (ROOT / "docs" / "deployment.md").read_text("utf-8")
    assert "`--appendonly no`, call `redis-cli CONFIG SET appendonly yes`" in text
    server.client().set("queue", "links")
    server.client().save()
    server.kill()
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copy(tmp_path / "dump.rdb", copy)
    once, usual = ConfiguredServer(copy, "--appendonly", "no"), ConfiguredServer(copy)
    try:
        once.start()
        client = once.client()
        client.config_set("appendonly", "yes")
        wait_until(lambda: client.info("persistence")["aof_rewrite_in_progress"] == 0)  # type: ignore[index]
        once.kill()
        usual.start()
        assert usual.client().get("queue") == b"links"
    finally:
        once.kill()
        usual.kill()


def _fill(client: redis.Redis, size: int) -> None:
    for n in range(size // 10_000):
        client.set(f"more-{n}", "x" * 10_000)
