"""The Redis frontier and its server: addresses, durability, namespaces, formats, what is kept there."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest
import redis
from scrapy.settings import Settings
from scrapy_redis.connection import get_redis_from_settings

from tests.support.redis_server import HOW_TO_GET_TLS, RedisServer
from tests.support.redis_support import NOW, dump, link, needs_redis, paths, running
from tests.support.tls import certificates
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.options import DEFAULT_PREFIX, FrontierLimits
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.redis.keys import erase

pytestmark = needs_redis


# -- how it is reached -----------------------------------------------------------------------------


def test_a_password_is_used_and_never_shown(tmp_path: Path) -> None:
    with running(tmp_path, password="ge:heim/1") as server:
        settings = Settings(
            {
                "REDIS_URL": f"redis://127.0.0.1:{server.port}",
                "REDIS_PARAMS": {"password": "ge:heim/1"},
            }
        )
        frontier = RedisFrontier(get_redis_from_settings(settings), "t")
        frontier.push([link("1")])
        assert paths(frontier) == ["1"]
        wrong = redis.Redis.from_url(f"redis://:falsch@127.0.0.1:{server.port}/0")
        with pytest.raises(ConfigurationError, match="REDIS_URL") as caught:
            RedisFrontier(wrong, "t")
        assert "falsch" not in str(caught.value)
        assert "heim" not in str(caught.value)
        assert "it refuses the user or the password in the address" in str(caught.value)


def test_a_missing_password_and_a_full_server_are_said_in_words_and_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path, password="geheim") as server:
        without = redis.Redis.from_url(f"redis://127.0.0.1:{server.port}/0")
        with caplog.at_level(logging.INFO):
            with pytest.raises(
                ConfigurationError, match=r"asks for a password: redis://:PASSWORD@"
            ):
                RedisFrontier(without, "t")
            client = redis.Redis.from_url(f"redis://:geheim@127.0.0.1:{server.port}/0")
            client.config_set("maxmemory", "1")
            with pytest.raises(
                ConfigurationError, match=r"is full and refuses writes \(maxmemory\)"
            ):
                RedisFrontier(client, "t")
    assert not caplog.records, "a worker that cannot join does not wait"


def test_a_tls_url_is_all_that_tls_needs(tmp_path: Path) -> None:
    tls = certificates(tmp_path)
    if tls is None:
        pytest.skip(HOW_TO_GET_TLS)
    server = RedisServer(tmp_path, tls=tls)
    try:
        try:
            server.start()
        except AssertionError:
            pytest.skip(HOW_TO_GET_TLS)
        frontier = RedisFrontier(get_redis_from_settings(Settings({"REDIS_URL": server.url})), "t")
        frontier.push([link("1")])
        assert paths(frontier) == ["1"]
        bare = server.url.partition("?")[0]
        (tmp_path / "empty.pem").touch()
        for url, cause in (
            (bare, "certificate of your own authority: rediss://host:port/0?ssl_ca_certs=/path"),
            (bare.replace("rediss:", "redis:"), "write rediss:// in place of redis://"),
            (f"{bare}?ssl_ca_certs={tmp_path}/gone.pem", f"no file {tmp_path}/gone.pem"),
            (f"{bare}?ssl_ca_certs={tmp_path}/empty.pem", "has no certificate"),
        ):
            with pytest.raises(ConfigurationError) as caught:
                RedisFrontier(redis.Redis.from_url(url), "t")
            assert cause in str(caught.value)
    finally:
        server.kill()


def test_tls_to_a_server_without_it_is_named(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        address = server.url.replace("redis:", "rediss:")
        with pytest.raises(ConfigurationError, match="write redis:// in place of rediss://"):
            RedisFrontier(redis.Redis.from_url(address, socket_timeout=0.5), "t")


def test_a_client_that_decodes_answers_is_refused(server: RedisServer) -> None:
    decoding = redis.Redis.from_url(server.url, decode_responses=True)
    with pytest.raises(ConfigurationError, match="decode_responses must be False"):
        RedisFrontier(decoding, "t")


def test_all_keys_of_a_topic_are_on_one_node_of_a_cluster(tmp_path: Path) -> None:
    with running(tmp_path, "--cluster-enabled", "yes") as server:
        client = server.client()
        client.execute_command("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        while b"cluster_state:ok" not in bytes(client.execute_command("CLUSTER", "INFO")):
            pass
        frontier = RedisFrontier(client, "侨情", FrontierLimits(max_links=5, host_budget=2))
        frontier.push([link(str(i), i, f"{i}.cn") for i in range(9)])
        assert len(paths(frontier)) == 5
        frontier.journal.append([b"x"])
        slots = {client.execute_command("CLUSTER", "KEYSLOT", key) for key in client.keys("*")}
        assert len(slots) == 1


# -- durability ------------------------------------------------------------------------------------


def test_a_server_that_keeps_nothing_is_warned_of_once(
    server: RedisServer, client: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    RedisFrontier(client, "t")
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "appendonly yes" in record.getMessage()


def test_a_durable_server_is_not_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path, append_only=True) as durable:
        RedisFrontier(durable.client(), "t")
    assert caplog.records == []


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [("noeviction", True), ("volatile-lru", True), ("allkeys-lru", False)],
)
def test_a_server_that_would_throw_queues_away_is_refused(
    client: redis.Redis, policy: str, allowed: bool
) -> None:
    client.config_set("maxmemory", "100mb")
    client.config_set("maxmemory-policy", policy)
    try:
        if allowed:
            RedisFrontier(client, "t")
        else:
            with pytest.raises(ConfigurationError, match=r"maxmemory-policy.*allkeys-lru"):
                RedisFrontier(client, "t")
    finally:
        client.config_set("maxmemory", "0")
        client.config_set("maxmemory-policy", "noeviction")


def test_a_server_that_would_throw_queues_away_costs_no_queue(client: redis.Redis) -> None:
    settings = Settings({"TOPICCRAWL_FRONTIER_BACKEND": "redis"})
    config = CrawlSettings.from_settings(settings)
    frontier = RedisFrontier(client, "t", prefix=config.frontier_prefix)
    frontier.push([link("1")])
    frontier.close()
    before = dump(client)
    client.config_set("maxmemory", "100mb")
    client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(ConfigurationError, match=r"maxmemory-policy.*allkeys-lru"):
            frontier_backend(config, lambda: client).check_erasable("t")
        with pytest.raises(ConfigurationError, match=r"maxmemory-policy.*allkeys-lru"):
            frontier_backend(config, lambda: client).open("t", fresh=True)
        assert dump(client) == before
    finally:
        client.config_set("maxmemory", "0")
        client.config_set("maxmemory-policy", "noeviction")


def test_a_server_that_hides_its_configuration_is_used_unchecked(tmp_path: Path) -> None:
    with running(tmp_path, "--rename-command", "CONFIG", "") as server:
        frontier = RedisFrontier(server.client(), "t")
        frontier.push([link("1")])
        assert paths(frontier) == ["1"]


# -- whose keys ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("topiccrawl", "侨情"), ("topiccrawl", "侨情2")),
        (("topiccrawl", "t"), ("other", "t")),
        (("a", "b:c"), ("a:b", "c")),
        (("a", "b}:c"), ("a", "b")),
        (("a", "b%3Ac"), ("a", "b:c")),
    ],
)
def test_two_frontiers_on_one_server_never_touch_each_other(
    client: redis.Redis, mine: tuple[str, str], theirs: tuple[str, str]
) -> None:
    limits = FrontierLimits(max_links=4, host_budget=2, host_delay=1.0)
    client.set("foreign", "1")
    other = RedisFrontier(client, theirs[1], limits, prefix=theirs[0])
    other.push([link(str(i), i) for i in range(3)])
    other.pop((), NOW)
    before = dump(client)
    frontier = RedisFrontier(client, mine[1], limits, prefix=mine[0], exact_links=1)
    frontier.push([link(str(i), i, f"{i % 3}.cn") for i in range(9)])
    leases = [frontier.pop((), NOW + i) for i in range(4)]
    frontier.ack([lease.id for lease in leases[:2] if lease])
    if leases[2]:
        frontier.fail(leases[2].id, "404", None)
    frontier.rescore(np.array([link("1", host="1.cn").id]), np.array([2.0]))
    frontier.journal.append([b"x"])
    frontier.heartbeat(NOW)
    frontier.try_lead(NOW)
    frontier.reap(NOW + 10_000)
    frontier.close()
    after = dump(client)
    assert {key: after[key] for key in before} == before
    erase(client, mine[1], mine[0])
    assert dump(client) == before


def test_erasing_is_refused_while_workers_use_the_frontier(client: redis.Redis) -> None:
    frontier = RedisFrontier(client, "t")
    frontier.push([link("1")])
    frontier.heartbeat(frontier.clock())
    with pytest.raises(ConfigurationError, match="must not be in use, got 1 workers"):
        erase(client, "t", DEFAULT_PREFIX)
    frontier.close()
    erase(client, "t", DEFAULT_PREFIX)
    assert client.keys("*") == []


@pytest.mark.parametrize(("topic", "prefix"), [("", "p"), ("t", "")])
def test_names_must_not_be_empty(client: redis.Redis, topic: str, prefix: str) -> None:
    with pytest.raises(ConfigurationError, match="must not be empty"):
        RedisFrontier(client, topic, prefix=prefix)
