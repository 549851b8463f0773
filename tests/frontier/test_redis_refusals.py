"""A Redis server that refuses the worker, and addresses that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from tests.support.redis_server import HOW_TO_GET_ONE, RedisServer, executable
from topiccrawl.crawl.queue.redis_client import redis_client
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.errors import advice
from topiccrawl.frontier.redis.frontier import RedisFrontier

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import redis


@pytest.mark.skipif(executable() is None, reason=HOW_TO_GET_ONE)
@pytest.mark.parametrize("refuse", ["password", "rights"])
def test_a_server_that_refuses_a_joined_worker_is_not_waited_for(
    tmp_path: Path, refuse: str
) -> None:
    def change_password(client: redis.Redis) -> None:
        client.config_set("requirepass", "new")
        client.client_kill_filter(_type="normal", skipme=True)

    def deny(client: redis.Redis) -> None:
        client.execute_command("ACL", "SETUSER", "default", "-evalsha")

    refusals: dict[str, Callable[[redis.Redis], None]] = {
        "password": change_password,
        "rights": deny,
    }
    server = RedisServer(tmp_path)
    server.start()
    try:
        frontier = RedisFrontier(server.client(), "侨情")
        frontier.size()
        refusals[refuse](server.client())
        with pytest.raises(PermissionError, match="Redis refuses this worker") as caught:
            frontier.pop((), 0.0)
        assert advice(caught.value, "侨情") == ""  # a new queue would not help
    finally:
        server.kill()


@pytest.mark.parametrize(
    "url",
    [
        "redis://:se@cret@127.0.0.1:99999/0",
        "redis://:secret@127.0.0.1/abc",
        "redis://:secret@[::1/0",
        "http://me:secret@127.0.0.1/",
        " ",
    ],
)
def test_a_wrong_address_is_refused_by_its_name_and_without_its_password(url: str) -> None:
    with pytest.raises(ConfigurationError, match="REDIS_URL must be redis://") as caught:
        redis_client(Settings({"REDIS_URL": url}))
    assert "cret" not in str(caught.value)
