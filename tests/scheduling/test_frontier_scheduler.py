"""The scheduler's decisions, without a crawl."""

from __future__ import annotations

import logging
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.signalmanager import SignalManager
from scrapy.utils.test import get_crawler

from tests.frontier.contract_suite import LEASE, NOW
from tests.support.scheduler_setup import SchedulerSetup, redirected, retried
from topiccrawl.crawl.queue.queue import CrawlQueue
from topiccrawl.crawl.requests.meta import EVIDENCE, SCORE
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scheduling import scheduler as scheduler_module
from topiccrawl.scheduling.scheduler import FrontierScheduler
from topiccrawl.scheduling.slots import PATIENCE_SECONDS
from topiccrawl.scoring.evidence import LinkEvidence


def test_it_is_a_scrapy_scheduler() -> None:
    assert issubclass(FrontierScheduler, BaseScheduler)


def test_requests_leave_by_score(setup: SchedulerSetup) -> None:
    for name, score in (("b", 0.2), ("c", 0.1), ("a", 0.3)):
        assert setup.add(f"http://a.cn/{name}", score)
    assert [setup.next().url[-1] for _ in "abc"] == ["a", "b", "c"]
    assert setup.scheduler.next_request() is None
    assert setup.counts() == {"enqueued": 3, "popped": 3}


def test_without_a_score_the_priority_is_the_score(setup: SchedulerSetup) -> None:
    for priority in (1, 20, -3):
        setup.enqueue(Request(f"http://a.cn/{priority}", priority=priority))
    assert [setup.next().priority for _ in range(3)] == [20, 1, -3]


@pytest.mark.parametrize("as_data", [False, True])
def test_evidence_comes_back_with_the_present_score(setup: SchedulerSetup, as_data: bool) -> None:
    evidence = LinkEvidence(9.0, {"tih": 0.5}, "http://a.cn/", "侨务", 2)
    given = evidence.as_dict() if as_data else evidence
    setup.add("http://a.cn/1", 0.25, meta={"topic_evidence": given})
    request = setup.next()
    assert request.meta["topic_evidence"] == LinkEvidence(
        0.25, {"tih": 0.5}, "http://a.cn/", "侨务", 2
    )
    assert request.meta["depth"] == 2


def test_without_evidence_the_depth_of_the_request_is_kept(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1", meta={"depth": 4})
    assert setup.next().meta["depth"] == 4


def test_a_second_request_for_a_queued_url_adds_evidence_and_is_dropped(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/?a=1&b=2", 0.1)
    setup.add("http://a.cn/other", 0.2)
    assert not setup.add("http://a.cn/?b=2&a=1#top", 0.3)
    assert [setup.next().url for _ in range(2)] == ["http://a.cn/?a=1&b=2", "http://a.cn/other"]
    assert setup.counts() == {"enqueued": 2, "merged": 1, "popped": 2}


@pytest.mark.parametrize("settled", [False, True])
def test_a_request_for_a_url_under_way_or_done_is_dropped(
    setup: SchedulerSetup, settled: bool
) -> None:
    setup.add("http://a.cn/1")
    lease = setup.next().meta["topic_lease"]
    if settled:
        setup.frontier.ack([lease])
    assert not setup.add("http://a.cn/1", 9.0)
    assert not setup.scheduler.has_pending_requests()
    assert setup.counts()["seen"] == 1


def test_a_request_over_the_limit_is_counted_as_refused() -> None:
    setup = SchedulerSetup(FrontierLimits(max_links=1))
    setup.add("http://a.cn/1", 2.0)
    assert not setup.add("http://a.cn/2", 1.0)
    assert setup.counts() == {"enqueued": 1, "refused": 1}


def test_dont_filter_fetches_a_done_url_again(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    setup.frontier.ack([setup.next().meta["topic_lease"]])
    assert setup.add("http://a.cn/1", dont_filter=True)
    assert setup.next().meta["topic_attempt"] == 1


def test_dont_filter_fetches_a_url_again_that_is_under_way(setup: SchedulerSetup) -> None:
    # The callback of a login form asks for the page it came from while that page is not settled.
    setup.add("http://a.cn/1")
    first = setup.next()
    assert setup.add("http://a.cn/1", dont_filter=True, cookies={"sid": "1"})
    second = setup.next()
    assert (second.url, second.cookies) == (first.url, {"sid": "1"})
    assert second.meta["topic_lease"] != first.meta["topic_lease"]
    # Its retry stays under its own lease.
    assert setup.enqueue(retried(second))
    assert setup.next().meta["topic_lease"] == second.meta["topic_lease"]
    assert setup.frontier.size().leased == 2


def test_a_form_is_fetched_beside_the_page_of_the_same_url(setup: SchedulerSetup) -> None:
    assert setup.add("http://a.cn/login")
    assert setup.add("http://a.cn/login", method="POST", body="user=1")
    assert {setup.next().method for _ in range(2)} == {"GET", "POST"}


# -- handing out ---------------------------------------------------------------------------------


def test_busy_hosts_wait_and_the_alarm_is_set_for_the_first_that_will_be_ready(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/1", 2.0)
    setup.add("http://b.cn/1", 1.0)
    setup.busy, setup.wait = {"a.cn"}, 0.75
    assert setup.next().url == "http://b.cn/1"
    assert setup.rings == []
    assert setup.scheduler.next_request() is None
    assert setup.rings == [0.75]
    assert setup.scheduler.has_pending_requests()


def test_the_alarm_is_set_for_delayed_links_too(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    setup.frontier.fail(setup.next().meta["topic_lease"], "503", NOW + 30)
    setup.wait = 40.0
    assert setup.scheduler.has_pending_requests()
    assert setup.scheduler.next_request() is None
    assert setup.rings == [30.0]


def test_with_nothing_left_and_no_other_worker_no_alarm_is_set(setup: SchedulerSetup) -> None:
    assert setup.scheduler.next_request() is None
    assert not setup.scheduler.has_pending_requests()
    assert setup.rings == []


def test_nothing_is_handed_out_while_as_many_answers_are_awaited_as_allowed(
    setup: SchedulerSetup,
) -> None:
    linked = {EVIDENCE: {"score": 0.0, "parent": "http://a.cn/"}}
    for number in range(3):
        setup.add(f"http://a.cn/{number}", meta=linked)
    setup.most_in_flight = 2
    sent = [setup.next(), setup.next()]
    setup.downloader.active.update(sent)
    assert setup.scheduler.next_request() is None
    assert setup.rings == [PATIENCE_SECONDS]
    setup.downloader.active.remove(sent[0])
    assert setup.next().url == "http://a.cn/2"


def sent(setup: SchedulerSetup) -> Request:
    """Take the next request and bring it to the downloader."""
    request = setup.next()
    setup.downloader.active.add(request)
    return request


def came(setup: SchedulerSetup, request: Request) -> None:
    """The answer to *request* comes."""
    setup.scheduler.response_downloaded(request)
    setup.downloader.active.remove(request)


def test_links_of_slow_hosts_leave_connections_to_others() -> None:
    setup = SchedulerSetup(connections=4)
    setup.add("http://good.cn/1", 9.0)
    came(setup, sent(setup))
    for number in range(3):
        setup.add(f"http://slow{number}.cn/", 5.0)
        setup.add(f"http://good.cn/{number}", 1.0)
    assert sent(setup).url == "http://slow0.cn/"
    setup.now += PATIENCE_SECONDS + 1
    good = [sent(setup), sent(setup)]
    assert [request.url for request in good] == ["http://good.cn/0", "http://good.cn/2"]
    setup.rings.clear()
    assert setup.scheduler.next_request() is None
    assert setup.rings == [PATIENCE_SECONDS], "others may still come"
    assert setup.counts()["set_aside"] == 2
    assert setup.frontier.size().queued == 2
    setup.now += PATIENCE_SECONDS
    assert setup.next().url == "http://slow1.cn/", "they did not"
    setup.add("http://good.cn/3", 1.0)
    assert setup.next().url == "http://good.cn/3"


def test_seeds_that_answer_come_before_those_that_were_tried() -> None:
    setup = SchedulerSetup(connections=1)
    for name in ("dead", "dead-too", "good"):
        setup.add(f"http://{name}.cn/", 1_000.0)
    tried = []
    for _ in range(3):
        request = sent(setup)
        tried.append(request.url)
        setup.enqueue(request.replace(dont_filter=True))
        setup.downloader.active.clear()
    assert tried == ["http://dead.cn/", "http://dead-too.cn/", "http://good.cn/"]
    assert setup.next().url == "http://dead.cn/"


def test_a_crowd_of_new_domains_waits_while_links_to_others_come() -> None:
    setup = SchedulerSetup(connections=16)
    setup.crowd.update(("new1.cn", "new2.cn"))
    for number in range(2):
        setup.add(f"http://good.cn/{number}", 9.0)
    came(setup, sent(setup))
    assert sent(setup).url == "http://good.cn/1"
    setup.add("http://new1.cn/", 0.01)
    setup.add("http://good.cn/2", 1.0)
    setup.busy = {"good.cn"}
    assert setup.scheduler.next_request() is None
    assert setup.rings == [PATIENCE_SECONDS]
    setup.busy = set()
    assert sent(setup).url == "http://good.cn/2"
    assert setup.next().url == "http://new1.cn/", "no other link waits"
    setup.add("http://new2.cn/", 0.01)
    setup.add("http://good.cn/3", 1.0)
    setup.busy = {"good.cn"}
    setup.now += PATIENCE_SECONDS
    assert setup.next().url == "http://new2.cn/", "none came"


def test_nothing_is_handed_out_while_held(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    setup.held = True
    assert setup.scheduler.next_request() is None
    setup.held = False
    assert setup.next().url == "http://a.cn/1"


def test_a_heartbeat_brings_expired_leases_back_and_wakes_the_engine(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    setup.next()
    setup.now += LEASE
    setup.scheduler.heartbeat()
    assert setup.rings == [0.0]
    assert setup.next().url == "http://a.cn/1"
    assert setup.counts()["reaped"] == 1


def test_links_wait_for_the_next_read_and_are_pushed_together(setup: SchedulerSetup) -> None:
    pushed: list[int] = []
    push = setup.frontier.push
    setup.frontier.push = lambda links, **more: pushed.append(len(links)) or push(links, **more)
    for i in range(5):
        assert setup.scheduler.enqueue_request(Request(f"http://a.cn/{i}"))
    assert pushed == []
    assert setup.next().url == "http://a.cn/0"
    assert pushed == [5]


@pytest.mark.parametrize("question", ["flush", "has_pending_requests", "close"])
def test_waiting_links_are_pushed_before_any_answer(setup: SchedulerSetup, question: str) -> None:
    setup.scheduler.enqueue_request(Request("http://a.cn/1"))
    arguments = ["finished"] if question == "close" else []
    getattr(setup.scheduler, question)(*arguments)
    assert setup.frontier.size().queued == 1


def test_a_host_outside_its_window_is_held_until_it_opens_and_loses_nothing() -> None:
    setup = SchedulerSetup()
    setup.opens["a.cn"] = NOW + 600
    setup.add("http://a.cn/1", 2.0)
    setup.add("http://b.cn/1", 1.0)
    assert setup.next().url == "http://b.cn/1"
    assert setup.scheduler.next_request() is None
    assert setup.rings[-1] == 600.0
    setup.now += 600
    request = setup.next()
    assert (request.url, request.meta["topic_attempt"]) == ("http://a.cn/1", 1)
    assert setup.counts()["outside_window"] == 1


def test_links_that_other_workers_hold_are_waited_for() -> None:
    setup = SchedulerSetup()
    size = setup.frontier.size()
    setup.frontier.size = lambda: replace(size, leased=1, elsewhere=1)
    assert setup.scheduler.has_pending_requests()


def test_an_unreadable_link_is_given_up_and_the_next_one_goes(
    setup: SchedulerSetup, caplog
) -> None:
    damaged = [
        QueuedLink(f"http://a.cn/{i}", "a.cn", LinkEvidence(9.0), {"callback": "gone"})
        for i in range(2)
    ]
    setup.frontier.push(damaged)
    setup.add("http://a.cn/good")
    assert setup.next().url == "http://a.cn/good"
    assert setup.counts()["unreadable"] == 2
    assert setup.frontier.size().given_up == 2
    assert "gone" in setup.frontier.reason(damaged[0].id)
    assert len([r for r in caplog.records if r.levelno == logging.ERROR]) == 1


def test_a_request_that_cannot_be_kept_is_reported_and_dropped(
    setup: SchedulerSetup, caplog
) -> None:
    for i in range(2):
        assert not setup.add(f"http://a.cn/{i}", meta={"page": object()})
    assert setup.counts() == {"unkeepable": 2}
    errors = [r.getMessage() for r in caplog.records if r.levelno == logging.ERROR]
    assert len(errors) == 1
    assert "meta['page']" in errors[0]


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_request_whose_score_is_no_number_takes_no_other_link_with_it(
    setup: SchedulerSetup, score: float
) -> None:
    setup.add("http://a.cn/good")
    assert not setup.add("http://a.cn/bad", meta={SCORE: score})
    assert setup.next().url == "http://a.cn/good"
    assert setup.counts()["unkeepable"] == 1


def test_a_redirect_whose_target_cannot_be_kept_does_not_leak_its_lease(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/1")
    target = redirected(setup.next(), "file:///etc/passwd")
    assert not setup.enqueue(target)
    assert (setup.frontier.size().leased, setup.frontier.size().given_up) == (0, 1)


def test_closing_writes_the_sizes_and_cancels_the_alarm(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    setup.add("http://b.cn/2")
    setup.next()
    assert setup.scheduler.close("finished") is None
    sizes = {k.removeprefix("size/"): v for k, v in setup.counts().items() if "size/" in k}
    assert sizes == {
        "queued": 1,
        "delayed": 0,
        "leased": 1,
        "done": 0,
        "given_up": 0,
        "hosts": 1,
        "forgotten": 0,
    }
    assert setup.rings[-1] == -1.0


def test_a_worker_reports_several_times_before_it_counts_as_dead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    intervals: list[float] = []

    class Loop:
        def __init__(self, call: object) -> None:
            pass

        def start(self, interval: float) -> None:
            intervals.append(interval)

    monkeypatch.setattr(scheduler_module, "AsyncioLoopingCall", Loop)
    crawler: Any = SimpleNamespace(
        settings=get_crawler().settings, engine=None, stats=None, signals=SignalManager()
    )
    scheduler = FrontierScheduler.for_crawler(
        crawler, CrawlQueue(MemoryFrontier()), worker_seconds=60.0
    )
    scheduler.open(Spider("any"))
    assert len(intervals) == 1
    assert 0 < intervals[0] <= 60.0 / 3
