"""Redis has lost everything, or its last moments, in a crash."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.support.redis_outage import Outage, id_of
from tests.support.redis_support import NOW, ManualClock, link, needs_redis, paths, running
from topiccrawl.frontier.contract import Lease, PushResult, QueuedLink
from topiccrawl.frontier.redis.frontier import RedisFrontier

pytestmark = needs_redis


def test_a_redis_that_lost_everything_is_logged_as_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(tmp_path) as server:
        clock = ManualClock()
        frontier = RedisFrontier(server.client(), "t", clock=clock)
        frontier.push([link("1")])
        server.kill()
        frontier.push([link("2")])
        server.start()
        clock.now += 1.0
        assert paths(frontier) == ["2"]
        assert frontier.size().losses == 1
    messages = [it.getMessage() for it in caplog.records if it.levelno == logging.ERROR]
    assert len(messages) == 1
    assert "has lost the queue" in messages[0]


def test_workers_that_join_anew_after_a_loss_have_numbers_of_their_own(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        clock = ManualClock()
        workers = [RedisFrontier(server.client(), "t", clock=clock) for _ in range(3)]
        for n, worker in enumerate(workers):
            worker.push([link(str(n))])
        server.kill()
        # Each has sent as many writes before the loss: none may be taken for one of another worker.
        for n, worker in enumerate(workers[::-1]):
            worker.push([link(f"{n}-new")])
        server.start()
        clock.now += 1.0
        leases = [worker.pop((), NOW) for worker in workers]
        assert len({lease.id for lease in leases if lease is not None}) == 3
        assert [worker.size().leased - worker.size().elsewhere for worker in workers] == [1, 1, 1]
        assert [worker.size().losses for worker in workers] == [1, 1, 1]
        assert [worker.others(NOW) for worker in workers] == [2, 2, 2]


def test_a_loss_is_noticed_that_no_call_has_failed_for(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        frontier = RedisFrontier(server.client(), "t")
        frontier.push([link("1"), link("2")])
        lease = frontier.pop((), NOW)
        assert lease is not None
        server.client().flushall()
        newcomer = RedisFrontier(server.client(), "t")
        newcomer.push([link("3")])
        assert frontier.ack([lease.id]) == 0
        assert (frontier.size().queued, frontier.size().losses) == (1, 1)
        assert newcomer.size().losses == 0
        assert paths(frontier) == ["3"]


def test_a_server_that_lost_its_last_second_takes_what_comes_next(outage: Outage) -> None:
    frontier = outage.frontier
    for path in "123":
        frontier.push([link(path)])
    # As after a crash of the machine with appendfsync everysec: the number of the last write is gone.
    client = outage.server.client()
    (name,) = client.keys("*writes")
    client.hincrby(name, client.hkeys(name)[0], -2)
    assert frontier.push([link("4")]) == [PushResult.NEW]
    assert frontier.push([link("5")]) == [PushResult.NEW]
    assert frontier.size().queued == 5


pytestmark = needs_redis


def leased_with_links_lost(outage: Outage, *others: QueuedLink) -> Lease:
    """Lease a page, and have the server lose the link that was found on it; *others* wait."""
    outage.frontier.push([link("page"), *others])
    lease = outage.frontier.pop((), NOW)
    assert lease is not None
    with outage.server.losing_what_is_written():
        outage.frontier.push([link("found")])
    return lease


def test_a_page_whose_links_redis_lost_in_a_crash_is_handed_out_again(
    outage: Outage, caplog: pytest.LogCaptureFixture
) -> None:
    frontier, lease = outage.frontier, leased_with_links_lost(outage)
    assert frontier.ack([lease.id]) == 0
    assert frontier.known([id_of("found")]) == [False]
    assert frontier.size().leased == 0
    assert "has lost its last moments in a crash" in caplog.text
    again = frontier.pop((), NOW)
    assert again is not None
    assert again.id == lease.id
    frontier.push([link("found")])
    assert frontier.ack([again.id]) == 1
    assert paths(frontier) == ["found"]


def test_it_is_handed_out_again_too_when_another_write_comes_first(outage: Outage) -> None:
    frontier, lease = outage.frontier, leased_with_links_lost(outage, link("other", 0.0))
    frontier.push([link("later", 0.5)])
    assert frontier.size().leased == 1, "it is being fetched, which counts for its host"
    assert frontier.ack([lease.id]) == 0
    assert paths(frontier) == ["page", "later", "other"]
    assert frontier.ack([id_of(path) for path in ("page", "later", "other")]) == 3


def test_a_page_that_redis_lost_while_it_is_away_comes_back_as_soon_as_it_is_there(
    outage: Outage,
) -> None:
    frontier, lease = outage.frontier, leased_with_links_lost(outage)
    frontier.heartbeat(NOW)
    outage.server.kill()
    assert frontier.ack([lease.id]) == 0
    outage.come_back()
    assert paths(frontier) == ["page"]


def test_a_lease_whose_end_redis_lost_in_a_crash_does_not_stay(outage: Outage) -> None:
    frontier = outage.frontier
    frontier.push([link("1", 2.0), link("2", 1.0)])
    first, second = frontier.pop((), NOW), frontier.pop((), NOW)
    assert first
    assert second
    with outage.server.losing_what_is_written():
        frontier.ack([first.id])
    frontier.heartbeat(NOW)
    assert frontier.size().leased == 1
    assert paths(frontier) == ["1"]
