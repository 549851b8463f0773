"""Redis goes away and comes back: nothing is raised, nothing is lost, nothing is done twice."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import redis

from tests.support.redis_outage import AnswerDropper, Outage, id_of
from tests.support.redis_support import NOW, ManualClock, link, needs_redis, paths, running
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import PushResult
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

pytestmark = needs_redis


def test_everything_acknowledged_survives_kill_9(outage: Outage) -> None:
    frontier = outage.frontier
    frontier.push([link("1", 3.0), link("2", 2.0), link("3", 1.0)])
    lease = frontier.pop((), NOW)
    assert lease is not None
    frontier.ack([lease.id])
    outage.server.restart()
    reopened = RedisFrontier(outage.server.client(), "侨情")
    assert reopened.size().done == 1
    assert paths(reopened) == ["2", "3"]


def test_workers_that_slept_with_the_machine_do_not_take_each_other_for_dead(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server:
        clock, limits = ManualClock(), FrontierLimits(worker_seconds=60.0)
        a, b = (RedisFrontier(server.client(), "t", limits, clock=clock) for _ in "ab")
        now = b.clock()
        for worker in (a, b):
            worker.heartbeat(now)
        a.push([link("1")])
        assert a.pop((), now)
        clock.now += 1_000.0
        b.clock.refresh()
        now += 1_000.0
        b.heartbeat(now)
        assert b.reap(now) == 0
        for _ in range(4):
            clock.now += 25.0
            b.clock.refresh()
            now += 25.0
            b.heartbeat(now)
        assert b.reap(now) == 1, "the other one is silent, and this one is not"


def test_a_writer_that_is_cut_off_by_kill_9_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    with running(tmp_path, append_only=True) as server:
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, server.url],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == 300:
                server.kill()
        last = int(line)
        writer.wait()
        assert last >= 300
        server.start()
        frontier = RedisFrontier(server.client(), "t")
        assert all(frontier.known([link_id(f"http://a.cn/{i}") for i in range(last + 1)]))
        assert frontier.size().done + frontier.size().queued + frontier.size().leased > last


_WRITER = """
import sys, redis
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
frontier = RedisFrontier(redis.Redis.from_url(sys.argv[1]), "t")
probe = redis.Redis.from_url(sys.argv[1])
def server_is_up():
    try:
        return probe.ping()
    except redis.ConnectionError:
        return False
i = 0
while True:
    frontier.push([QueuedLink(f"http://a.cn/{i}", "a.cn", LinkEvidence(i))])
    if i % 3 == 0 and (lease := frontier.pop((), 1.0)):
        frontier.ack([lease.id])
    if not server_is_up():  # if it is up now, it has answered everything before
        break
    print(i, flush=True)
    i += 1
"""


def test_while_redis_is_away_every_call_returns_without_an_error(outage: Outage) -> None:
    frontier = outage.frontier
    frontier.push([link("1", 2.0), link("2", 1.0)])
    leased = frontier.pop((), NOW)
    assert leased is not None
    assert frontier.size().queued == 1
    assert not frontier.size().away
    outage.server.kill()
    assert frontier.push([link("3")]) == [PushResult.NEW]
    assert frontier.pop((), NOW) is None
    assert frontier.known([id_of("1")]) == [False]
    assert frontier.size().queued == 2  # what was there, and what waits
    assert frontier.size().away
    assert frontier.next_ready(NOW) == NOW + 1.0
    assert frontier.reap(NOW) == 0
    assert frontier.try_lead(NOW) is False
    assert frontier.evidence(id_of("2")) is None
    assert frontier.reason(id_of("2")) is None
    assert list(frontier.best(3)) == []
    assert list(frontier.queued()) == []
    assert frontier.journal.read_new() == []
    frontier.heartbeat(NOW)
    frontier.transfer_finished(leased.id, NOW)
    frontier.hold_host("b.cn", NOW)
    assert frontier.rescore(np.array([id_of("2")]), np.array([5.0])) == 0
    assert frontier.fail(leased.id, "time-out", NOW + 5) is True


def test_a_frontier_that_cannot_be_reached_is_never_empty(outage: Outage) -> None:
    outage.server.kill()
    assert outage.frontier.size().queued == 1


def test_what_was_written_while_redis_was_away_arrives_in_order(outage: Outage) -> None:
    frontier = outage.frontier
    frontier.push([link("1", 5.0), link("2", 4.0), link("3", 3.0)])
    first, second, third = (frontier.pop((), NOW) for _ in range(3))
    assert first
    assert second
    assert third
    outage.server.kill()
    frontier.push([link("4", 1.0)])
    frontier.rescore(np.array([id_of("4")]), np.array([7.0]))
    frontier.push([link("5", 6.0)])
    assert frontier.ack([first.id]) == 1
    assert frontier.put_back(link("2", 2.0)) is True
    assert frontier.fail(third.id, "404", None) is False
    frontier.journal.append([b"x", b"y"])
    outage.come_back()
    assert paths(frontier) == ["4", "5", "2"]
    size = frontier.size()
    assert (size.done, size.given_up, size.leased) == (1, 1, 3)
    assert frontier.reason(third.id) == "404"
    other = RedisFrontier(outage.server.client(), "侨情")
    assert other.journal.read_new() == [b"x", b"y"]


def test_the_server_is_tried_once_a_second(outage: Outage) -> None:
    frontier = outage.frontier
    outage.server.kill()
    frontier.push([link("1")])
    outage.server.start()
    assert frontier.pop((), NOW) is None
    outage.clock.now += 0.99
    assert frontier.pop((), NOW) is None
    outage.clock.now += 0.01
    assert paths(frontier) == ["1"]


def test_an_outage_is_logged_once_and_so_is_its_end(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    outage.server.kill()
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            outage.frontier.push([link("1")])
            outage.clock.now += 1.0
        outage.come_back()
        outage.frontier.size()
    messages = [record.getMessage() for record in caplog.records]
    assert [message[:13] for message in messages] == ["Redis is away", "Redis is back"]
    assert "3 writes" in messages[1]


def test_a_server_that_is_full_or_a_replica_is_named_so(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    client = outage.server.client()
    client.config_set("maxmemory", "1")
    outage.frontier.push([link("1")])
    client.config_set("maxmemory", "0")
    outage.clock.now += 1.0
    outage.frontier.size()
    client.replicaof("127.0.0.1", "1")
    outage.frontier.push([link("2")])
    messages = [it.getMessage() for it in caplog.records if it.levelno == logging.WARNING]
    assert "Redis is away: it is full and refuses writes (maxmemory); until" in messages[0]
    assert "Redis is away: it is a replica that accepts no writes; until" in messages[1]


def test_budgets_and_journals_are_not_doubled_by_a_lost_answer(tmp_path: Path) -> None:
    with running(tmp_path) as server, AnswerDropper(server.port) as between:
        clock = ManualClock()
        client = redis.Redis("127.0.0.1", between.port, socket_timeout=2)
        frontier = RedisFrontier(client, "t", FrontierLimits(host_budget=1), clock=clock)
        frontier.push([link(str(i), 9.0 - i) for i in range(4)])
        for write in (
            lambda: frontier.extend_budget("a.cn", 1),
            lambda: frontier.journal.append([b"once"]),
        ):
            write()  # loads the script
            between.drop_answers()
            write()
            between.pass_answers()
            clock.now += 1.0
            assert frontier.size().leased == 0
        assert paths(frontier) == ["0", "1", "2"]  # a budget of 1 + 1 + 1
        reader = RedisFrontier(server.client(), "t")
        assert reader.journal.read_new() == [b"once", b"once"]


def test_a_lease_whose_handing_out_got_lost_returns_at_once(tmp_path: Path) -> None:
    with running(tmp_path) as server, AnswerDropper(server.port) as between:
        clock = ManualClock()
        client = redis.Redis("127.0.0.1", between.port, socket_timeout=2)
        frontier = RedisFrontier(client, "t", clock=clock)
        frontier.push([link("1", 3.0), link("2", 2.0), link("3", 1.0)])
        held = frontier.pop((), NOW)
        assert held is not None
        between.drop_answers()
        assert frontier.pop((), NOW) is None
        watcher = RedisFrontier(server.client(), "t")
        assert watcher.size().leased == 2
        between.pass_answers()
        clock.now += 1.0
        assert frontier.size().leased == 1
        assert paths(frontier) == ["2", "3"]
        assert frontier.ack([held.id]) == 1


def test_no_worker_counts_as_dead_while_all_were_cut_off(outage: Outage) -> None:
    frontier, limits = outage.frontier, FrontierLimits()
    other = RedisFrontier(outage.server.client(), "侨情", clock=outage.clock)
    frontier.push([link("1")])
    other.heartbeat(NOW)
    assert other.pop((), NOW) is not None
    outage.server.kill()
    frontier.size()
    outage.clock.now += 2 * limits.worker_seconds
    outage.come_back()
    later = NOW + 2 * limits.worker_seconds + 1
    assert frontier.reap(later) == 0
    outage.clock.now += limits.worker_seconds
    assert frontier.reap(later + limits.worker_seconds) == 1


def test_a_worker_whose_calls_take_long_is_alive(outage: Outage) -> None:
    silence = FrontierLimits().worker_seconds
    frontier, clock = outage.frontier, outage.clock
    other = RedisFrontier(outage.server.client(), "侨情", clock=clock)
    frontier.heartbeat(NOW)
    frontier.push([link(path) for path in "123"])
    leases = [frontier.pop((), NOW) for _ in range(3)]
    for lease in leases:  # each takes so long that the next heartbeat has to wait
        assert lease is not None
        clock.now += 0.4 * silence
        frontier.transfer_finished(lease.id, NOW)
    other.heartbeat(NOW + 1.2 * silence)
    assert other.reap(NOW + 1.2 * silence) == 0
    clock.now += 1.1 * silence
    assert other.reap(NOW + 2.3 * silence) == 3


def test_a_worker_that_died_before_its_first_heartbeat_counts_as_dead(outage: Outage) -> None:
    silence = FrontierLimits().worker_seconds
    outage.frontier.push([link("1")])
    assert outage.frontier.pop((), NOW) is not None
    other = RedisFrontier(outage.server.client(), "侨情", clock=outage.clock)
    outage.clock.now += 2 * silence
    assert other.reap(NOW + 0.9 * silence) == 0
    assert other.reap(NOW + silence + 1) == 1


def test_a_server_that_is_away_at_the_start_is_a_configuration_error() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        client = redis.Redis.from_url(f"redis://:geheim@127.0.0.1:{port}/3")
        with pytest.raises(ConfigurationError, match=f"127.0.0.1:{port}, database 3") as caught:
            RedisFrontier(client, "t")
        assert "geheim" not in str(caught.value)


def test_a_full_redis_keeps_the_crawl_waiting(outage: Outage) -> None:
    frontier, client = outage.frontier, outage.server.client()
    client.config_set("maxmemory", "1")
    assert frontier.push([link("1")]) == [PushResult.NEW]
    client.config_set("maxmemory", "0")
    outage.clock.now += 1.0
    assert paths(frontier) == ["1"]


def test_scripts_that_the_server_no_longer_has_are_loaded_again(outage: Outage) -> None:
    frontier = outage.frontier
    frontier.push([link("1")])
    outage.server.client().script_flush()
    links = [link(str(i), -i) for i in range(1000)]
    assert frontier.push(links).count(PushResult.NEW) == 999
    assert frontier.size().queued == 1000


def test_closing_while_redis_is_away_logs_what_is_lost(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    outage.server.kill()
    outage.frontier.push([link("note")])
    outage.frontier.close()
    assert "1 writes are lost" in caplog.records[-1].getMessage()


def test_evidence_of_a_link_that_waited_is_complete(outage: Outage) -> None:
    outage.server.kill()
    full = link("1")
    full = type(full)(full.url, full.host, LinkEvidence(1.5, {"tih": 0.1}, "http://a.cn/", "侨", 2))
    outage.frontier.push([full])
    outage.come_back()
    assert outage.frontier.evidence(full.id) == full.evidence
