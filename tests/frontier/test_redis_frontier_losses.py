"""Redis has lost everything, or its last moments, in a crash."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.support.redis_outage import Outage, id_of
from tests.support.redis_server import RedisServer
from tests.support.redis_support import NOW, ManualClock, link, needs_redis, paths, running
from topiccrawl.frontier.contract import Lease, PushResult, QueuedLink
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.frontier import RESUME_SECONDS, RedisFrontier

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


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    with running(tmp_path, append_only=True) as server:
        clock = ManualClock()
        limits = FrontierLimits(host_concurrency=1, host_delay=5.0)
        yield Two(
            server, clock, *(RedisFrontier(server.client(), "t", limits, clock=clock) for _ in "ab")
        )


@dataclass
class Two:
    """Two workers on a server, which may lose its last moments."""

    server: RedisServer
    clock: ManualClock
    a: RedisFrontier
    b: RedisFrontier

    def begin(self) -> float:
        """Show that both are alive, and return the time."""
        for worker in (self.a, self.b):
            worker.heartbeat(worker.clock())
        return self.a.clock()

    def come_back(self) -> None:
        """Both notice that the server was away, and try again a second later."""
        for _ in range(2):
            self.b.heartbeat(self.b.clock())
            self.a.heartbeat(self.a.clock())
            self.clock.now += 1.0


def test_a_request_under_way_counts_for_its_host_after_redis_has_lost_that_it_was_handed_out(
    two: Two,
) -> None:
    now = two.begin()
    two.a.push([link("1", 2.0), link("2", 1.0)])
    with two.server.losing_what_is_written():
        lease = two.a.pop((), now)
        assert lease is not None
    two.come_back()
    later = now + 50 + RESUME_SECONDS
    assert two.b.pop((), later) is None, "the other one may not have reported yet"
    two.clock.now += RESUME_SECONDS
    assert two.b.pop((), later) is None, "its host is being contacted"
    assert (two.b.size().leased, two.b.size().elsewhere) == (1, 1)
    two.a.transfer_finished(lease.id, later)
    assert two.a.ack([lease.id]) == 1
    assert paths(two.b, later) == ["2"]


def test_the_delay_of_a_host_holds_after_redis_has_lost_that_it_was_contacted(two: Two) -> None:
    now = two.begin()
    two.a.push([link("1", 2.0), link("2", 1.0), link("3", 0.0, host="b.cn")])
    with two.server.losing_what_is_written():
        lease = two.a.pop((), now)
        assert lease is not None
        two.a.transfer_finished(lease.id, now + 300, delay=300.0)
        two.a.ack([lease.id])
        two.a.hold_host("b.cn", now + 400)
    two.come_back()
    two.clock.now += RESUME_SECONDS
    assert paths(two.b, now + 299) == []
    assert paths(two.b, now + 301) == ["1"], "its end is lost, and it is fetched again"
    two.b.ack([lease.id])
    assert paths(two.b, now + 600) == ["3"]
    assert paths(two.b, now + 602) == ["2"]


def test_nothing_is_waited_for_after_a_restart_without_other_workers(outage: Outage) -> None:
    outage.frontier.push([link("1")])
    outage.server.restart()
    assert paths(outage.frontier) == ["1"]


def test_a_restart_is_noticed_that_no_call_has_failed_for(outage: Outage) -> None:
    """The client opens a connection again that the server has closed, without a word."""
    frontier = outage.frontier
    frontier.push([link("1", 2.0), link("2", 1.0)])
    with outage.server.losing_what_is_written():
        lease = frontier.pop((), frontier.clock())
        assert lease is not None
    assert frontier.size().leased == 1
    assert paths(frontier, frontier.clock() + 1) == ["2"]


def test_a_restart_of_a_server_that_forbids_info_is_noticed(tmp_path: Path) -> None:
    """As with the access rights of a managed service, which has no dangerous commands."""
    rights = ("default", "on", "nopass", "~*", "&*", "+@all", "-@dangerous")
    with running(tmp_path, "--user", *rights, append_only=True) as server:
        frontier = RedisFrontier(server.client(), "t", clock=ManualClock())
        with pytest.raises(redis.exceptions.NoPermissionError):
            server.client().info()
        frontier.push([link("1", 2.0), link("2", 1.0)])
        with server.losing_what_is_written():
            assert frontier.pop((), frontier.clock()) is not None
        assert frontier.size().leased == 1
        assert paths(frontier, frontier.clock() + 1) == ["2"]


def test_a_worker_that_redis_has_forgotten_takes_a_new_number_and_its_pages_come_back(
    outage: Outage,
) -> None:
    client = outage.server.client
    outage.frontier.push([link("page")])
    with outage.server.losing_what_is_written():
        forgotten = RedisFrontier(client(), "侨情", clock=outage.clock)
        lease = forgotten.pop((), forgotten.clock())
        assert lease is not None
        forgotten.push([link("found")])
    newcomer = RedisFrontier(client(), "侨情", clock=outage.clock)
    newcomer.push([link("new")])
    forgotten.heartbeat(forgotten.clock())
    outage.clock.now += RESUME_SECONDS + 1
    forgotten.push([link("later")])
    newcomer.push([link("newer")])
    assert newcomer.known([id_of(it) for it in ("new", "newer", "later")]) == [True] * 3
    assert forgotten.ack([lease.id]) == 0, "the links of the page are lost"
    assert sorted(paths(newcomer, newcomer.clock() + 1)) == ["later", "new", "newer", "page"]


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
