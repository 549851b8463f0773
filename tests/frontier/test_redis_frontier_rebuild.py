"""A damaged queue on a Redis server is moved aside, and its sound part is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.redis_support import link, needs_redis, paths, running
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.redis.rebuild import finish, salvaged, set_aside
from topiccrawl.frontier.salvage import Salvage, refill

pytestmark = needs_redis


def test_what_is_sound_comes_back_and_the_rest_is_kept_under_another_name(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        frontier = RedisFrontier(server.client(), "侨情")
        frontier.push([link(str(number)) for number in range(5)])
        frontier.journal.append([b"Fone"])
        frontier.close()
        client = server.client()
        base = "{topiccrawl:侨情}:"
        client.hset(f"{base}links", b"12345678", b"poison")
        client.delete(f"{base}workers")
        client.set(f"{base}workers", "of another type")
        keys = len(client.keys("*"))

        aside = set_aside(client, "侨情", "topiccrawl")
        # And one that states which queue is being rebuilt.
        assert len(client.keys("*")) == keys + 1
        assert len(client.keys(aside.replace("{", "\\{") + "*")) == keys
        old = salvaged(client, aside)
        assert len(old.waiting) == 5
        assert not old.complete
        assert old.journal == [b"Fone"]

        again = RedisFrontier(server.client(), "侨情")
        refill(again, [Salvage(done=[link("2")]), old])
        assert again.size().done == 1
        assert sorted(paths(again)) == ["0", "1", "3", "4"]
        again.close()
        finish(client, "侨情", "topiccrawl")
        # A second rebuilding leaves what the first one has kept.
        assert set_aside(client, "侨情", "topiccrawl") != aside
        assert client.exists(f"{aside}links")


def test_a_rebuilding_that_was_killed_is_repeated_with_the_queue_that_it_set_aside(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server:
        frontier = RedisFrontier(server.client(), "侨情")
        frontier.push([link(str(number)) for number in range(5)])
        frontier.journal.append([b"Fone"])
        frontier.close()
        client = server.client()
        aside = set_aside(client, "侨情", "topiccrawl")
        half = RedisFrontier(server.client(), "侨情")
        half.push([link("0")])
        half.close()

        assert set_aside(client, "侨情", "topiccrawl") == aside
        old = salvaged(client, aside)
        assert len(old.waiting) == 5
        assert old.journal == [b"Fone"]
        again = RedisFrontier(server.client(), "侨情")
        refill(again, [old])
        assert sorted(paths(again)) == ["0", "1", "2", "3", "4"]
        again.close()
        finish(client, "侨情", "topiccrawl")
        assert set_aside(client, "侨情", "topiccrawl") != aside


def test_a_queue_in_use_is_not_moved(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        frontier = RedisFrontier(server.client(), "侨情")
        frontier.heartbeat(frontier.clock())
        with pytest.raises(ConfigurationError, match=r"--rebuild: .* must not be in use"):
            set_aside(server.client(), "侨情", "topiccrawl")
        frontier.close()
