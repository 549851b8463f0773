"""How hosts that answer and hosts that keep the crawl waiting share the connections."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from scrapy import Request

from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.scheduling.shares import FIRST_TIMEOUT_SECONDS, REST_SECONDS, SlotShares
from topiccrawl.scheduling.slots import PATIENCE_SECONDS

LATE = PATIENCE_SECONDS + 1


class Connections:
    """A downloader, a clock, and the shares of a crawl."""

    def __init__(self, connections: int, timeout: float = 180.0) -> None:
        self.now = 100.0
        self.active: dict[int, Request] = {}
        self.shares = SlotShares(
            lambda: SimpleNamespace(active=set(self.active.values())),
            lambda: self.now,
            connections,
            timeout,
        )

    def send(self, lease: int, host: str) -> None:
        self.active[lease] = Request(f"http://{host}/{lease}", meta={LEASE: lease})
        self.shares.sent(lease, host)

    def answer(self, lease: int, after: float = 0.1) -> None:
        self.now += after
        self.shares.answered(lease)
        self.end(lease, 0.0)

    def end(self, lease: int, after: float) -> None:
        """End a request, without an answer if there was none."""
        self.now += after
        del self.active[lease]
        self.shares.refresh()

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.shares.refresh()


def with_one_that_answers(connections: int) -> Connections:
    crawl = Connections(connections)
    crawl.send(0, "good.cn")
    crawl.answer(0)
    return crawl


@pytest.mark.parametrize("connections", [1, 4, 16])
def test_nothing_is_held_back_while_no_request_is_late(connections: int) -> None:
    crawl = with_one_that_answers(connections)
    for lease in range(1, connections + 1):
        assert crawl.shares.has_room
        crawl.send(lease, f"new{lease}.cn")
    crawl.end(1, after=PATIENCE_SECONDS - 1)
    assert crawl.shares.has_room
    assert not crawl.shares.aside
    assert not crawl.shares.is_doubtful("new1.cn")


@pytest.mark.parametrize(("connections", "most"), [(4, 1), (16, 4), (32, 8)])
def test_since_a_request_was_late_doubtful_hosts_hold_half_of_the_connections(
    connections: int, most: int
) -> None:
    crawl = with_one_that_answers(connections)
    crawl.send(1, "slow1.cn")
    crawl.wait(LATE)
    for lease in range(2, most + 1):
        assert crawl.shares.has_room
        crawl.send(lease, f"slow{lease}.cn")
    assert not crawl.shares.has_room
    assert crawl.shares.is_doubtful("new.cn")
    assert not crawl.shares.is_doubtful("good.cn")
    crawl.answer(1)
    assert crawl.shares.has_room, "one has come"
    assert crawl.shares.is_doubtful("slow1.cn"), "but late"


def test_a_single_connection_waits_for_doubtful_hosts_half_of_the_time() -> None:
    crawl = with_one_that_answers(1)
    crawl.send(1, "slow.cn")
    crawl.end(1, after=30)
    assert not crawl.shares.has_room
    crawl.wait(29)
    assert not crawl.shares.has_room
    crawl.wait(1)
    assert crawl.shares.has_room


def test_only_the_first_request_to_a_doubtful_host_has_a_short_time_out() -> None:
    crawl = with_one_that_answers(16)
    assert crawl.shares.first_timeout("new.cn") is None
    crawl.send(1, "slow.cn")
    crawl.wait(LATE)
    assert crawl.shares.first_timeout("new.cn") == FIRST_TIMEOUT_SECONDS
    assert crawl.shares.first_timeout("good.cn") is None
    crawl.send(2, "new.cn")
    crawl.end(2, after=0.1)
    assert crawl.shares.first_timeout("new.cn") is None


def test_a_time_out_of_the_settings_that_is_shorter_holds() -> None:
    crawl = Connections(16, timeout=8.0)
    crawl.send(1, "slow.cn")
    crawl.wait(LATE)
    assert crawl.shares.is_doubtful("new.cn")
    assert crawl.shares.first_timeout("new.cn") is None


def test_a_host_that_was_late_without_an_answer_rests_while_others_are_tried() -> None:
    crawl = with_one_that_answers(16)
    for lease, host in ((1, "silent.cn"), (2, "slow.cn")):
        crawl.send(lease, host)
    crawl.answer(2, after=LATE)
    crawl.end(1, after=0.1)
    assert crawl.shares.has_room
    assert list(crawl.shares.aside) == ["silent.cn"]
    crawl.wait(REST_SECONDS)
    assert not crawl.shares.aside


def test_new_hosts_that_answer_in_time_end_the_shares() -> None:
    crawl = with_one_that_answers(16)
    for lease in (1, 2):
        crawl.send(lease, f"slow{lease}.cn")
    crawl.wait(LATE)
    for lease in (3, 4):
        assert crawl.shares.is_doubtful("new.cn")
        crawl.send(lease, f"fast{lease}.cn")
        crawl.answer(lease)
    assert not crawl.shares.is_doubtful("new.cn")


def test_a_host_that_answered_is_doubtful_once_it_is_late() -> None:
    crawl = with_one_that_answers(16)
    crawl.send(1, "other.cn")
    crawl.answer(1)
    crawl.send(2, "good.cn")
    crawl.wait(LATE)
    assert crawl.shares.is_doubtful("good.cn")
    crawl.answer(2)
    crawl.send(3, "good.cn")
    crawl.answer(3)
    assert not crawl.shares.is_doubtful("good.cn")


def test_before_any_answer_hosts_that_did_not_answer_come_last() -> None:
    crawl = Connections(16)
    crawl.send(1, "dead.cn")
    crawl.end(1, after=0.1)
    assert list(crawl.shares.aside) == ["dead.cn"]
    assert crawl.shares.has_room
    crawl.send(2, "good.cn")
    crawl.answer(2)
    assert not crawl.shares.aside


def test_links_that_give_way_wait_as_long_as_links_of_hosts_that_answer_come() -> None:
    crawl = with_one_that_answers(16)
    crawl.wait(LATE)
    assert crawl.shares.patience < 0
    crawl.send(1, "good.cn")
    assert crawl.shares.patience == PATIENCE_SECONDS
    crawl.send(2, "new.cn")
    crawl.wait(1)
    assert crawl.shares.patience == PATIENCE_SECONDS - 1
