"""Which hosts are busy, read off Scrapy's own slots."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.core.downloader import Downloader, Slot

from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.scheduling.slots import PATIENCE_SECONDS, AwaitedAnswers, HostReadiness

NOW = 1_000.0


class FakeDownloader(SimpleNamespace):
    """A downloader's public attributes around real slots; the key comes from Scrapy's own method."""

    DOWNLOAD_SLOT = Downloader.DOWNLOAD_SLOT
    get_slot_key = Downloader.get_slot_key


def readiness(slots=None, flying=(), default_delay=0.0, per_slot=None, **settings):
    downloader = FakeDownloader(
        slots=slots or {},
        active=set(flying),
        per_slot_settings=per_slot or {},
        domain_concurrency=settings.get("domain", 8),
        ip_concurrency=settings.get("ip", 0),
    )
    return HostReadiness(lambda: downloader, lambda: NOW, default_delay).now()


def a_slot(concurrency=8, delay=0.0, seen_before=1e6, transferring=()) -> Slot:
    slot = Slot(concurrency, delay, 0.5)
    slot.lastseen = NOW - seen_before
    slot.transferring.update(transferring)
    return slot


def requests(n: int, host: str = "a.cn", **more) -> list[Request]:
    return [Request(f"http://{host}/{i}", **more) for i in range(n)]


def test_before_there_is_a_downloader_every_host_is_ready() -> None:
    now = HostReadiness(lambda: None, lambda: NOW).now()
    assert (set(now.busy), now.wait) == (set(), None)


@pytest.mark.parametrize(("count", "busy"), [(1, set()), (2, {"a.cn"}), (3, {"a.cn"})])
def test_a_host_with_all_its_connections_in_use_is_busy(count: int, busy: set[str]) -> None:
    flying = requests(count)
    now = readiness({"a.cn": a_slot(2, transferring=flying)}, flying)
    assert (now.busy, now.wait) == (busy, None)


def test_requests_count_before_their_slot_exists() -> None:
    # They wait for robots.txt in the downloader middlewares.
    assert readiness(flying=requests(2), domain=2).busy == {"a.cn"}
    assert readiness(flying=requests(1), domain=2).busy == set()
    assert readiness(flying=requests(1), per_slot={"a.cn": {"concurrency": 1}}).busy == {"a.cn"}


@pytest.mark.parametrize(
    ("seen_before", "busy", "wait"),
    [(0.0, {"a.cn"}, 2.0), (1.5, {"a.cn"}, 0.5), (2.0, set(), None)],
)
def test_a_host_is_busy_until_its_delay_has_passed(seen_before, busy, wait) -> None:
    now = readiness({"a.cn": a_slot(delay=2.0, seen_before=seen_before)})
    assert (now.busy, now.wait) == (busy, wait)


def test_the_wait_is_that_of_the_first_host_that_becomes_ready() -> None:
    slots = {
        "a.cn": a_slot(delay=5.0, seen_before=0.0),
        "b.cn": a_slot(delay=5.0, seen_before=4.0),
        "c.cn": a_slot(1, transferring=requests(1, "c.cn")),
    }
    now = readiness(slots, requests(1, "c.cn"))
    assert (now.busy, now.wait) == ({"a.cn", "b.cn", "c.cn"}, 1.0)


def test_a_host_with_a_delay_takes_no_second_request_before_the_first_is_on_its_way() -> None:
    waiting = requests(1)
    now = readiness({"a.cn": a_slot(delay=2.0)}, waiting)
    assert (now.busy, now.wait) == ({"a.cn"}, 2.0)
    on_its_way = readiness({"a.cn": a_slot(delay=2.0, transferring=waiting)}, waiting)
    assert on_its_way.busy == set()


def test_the_default_delay_counts_for_hosts_without_a_slot() -> None:
    assert readiness(flying=requests(1), default_delay=1.0).busy == {"a.cn"}
    per_slot = {"a.cn": {"delay": 0}}
    assert readiness(flying=requests(1), default_delay=1.0, per_slot=per_slot).busy == set()


def test_a_slot_named_in_the_meta_is_the_politeness_key() -> None:
    flying = requests(1, meta={"download_slot": "shared"})
    assert readiness(flying=flying, domain=1).busy == {"shared"}


class Awaited:
    """Answers that are awaited from a fake downloader, on a clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOW
        self.downloader = FakeDownloader(active=set())
        self.most = 1
        self.answers = AwaitedAnswers(lambda: self.downloader, lambda: self.now, lambda: self.most)

    def wait(self, most: int) -> float | None:
        self.most = most
        return self.answers.wait()

    def send(self, *leases: int) -> None:
        for lease in leases:
            self.downloader.active.add(Request("http://a.cn/", meta={LEASE: lease}))
            self.answers.sent(lease)


def test_the_next_request_waits_while_as_many_answers_are_awaited_as_allowed() -> None:
    awaited = Awaited()
    awaited.send(1, 2)
    assert awaited.wait(3) is None
    assert awaited.wait(2) == pytest.approx(PATIENCE_SECONDS)
    awaited.downloader.active.pop()
    assert awaited.wait(2) is None
    assert awaited.wait(1) is not None


def test_requests_that_get_no_answer_for_long_are_not_waited_for() -> None:
    awaited = Awaited()
    awaited.send(1)
    awaited.now += PATIENCE_SECONDS - 1
    assert awaited.wait(1) == pytest.approx(1)
    awaited.now += 1
    assert awaited.wait(1) is None


def test_requests_that_bypass_the_queue_are_not_waited_for() -> None:
    awaited = Awaited()
    awaited.downloader.active.update(requests(5))
    assert awaited.wait(1) is None


def test_without_a_limit_answers_that_have_come_are_forgotten() -> None:
    awaited = Awaited()
    gc.collect()
    tracemalloc.start()
    try:
        for lease in range(50_000):
            awaited.answers.sent(1_000_000 + lease)
            assert awaited.wait(sys.maxsize) is None
        kept, _peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000


def test_before_there_is_a_downloader_no_answer_is_awaited() -> None:
    assert AwaitedAnswers(lambda: None, lambda: NOW, lambda: 1).wait() is None
