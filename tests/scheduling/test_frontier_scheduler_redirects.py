"""Retries and redirects in the scheduler: whose lease they hold, and when it ends."""

from __future__ import annotations

import pytest
from scrapy import Request

from tests.frontier.contract_suite import LEASE, NOW
from tests.support.scheduler_setup import SchedulerSetup, redirected, retried
from topiccrawl.urls.identity import link_id

# -- retries and redirects -----------------------------------------------------------------------


def test_a_retry_keeps_lease_score_place_and_attempt(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1", 0.5)
    setup.add("http://a.cn/2", 0.5)
    first = setup.next()
    assert setup.enqueue(retried(first))
    again = setup.next()
    assert again.url == first.url
    for key in ("topic_lease", "topic_score", "topic_attempt"):
        assert again.meta[key] == first.meta[key]
    assert (again.meta["retry_times"], again.priority) == (1, 500)
    assert setup.counts() == {"enqueued": 2, "requeued": 1, "popped": 2}


def test_a_delayed_link_that_was_retried_before_starts_its_quick_retries_anew(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/1")
    setup.enqueue(retried(setup.next()))
    request = setup.next()
    setup.frontier.fail(request.meta["topic_lease"], "503", NOW + 1)
    setup.now += 1
    request = setup.next()
    assert request.meta["topic_attempt"] == 2
    assert "retry_times" not in request.meta


def test_a_redirect_settles_its_lease_after_the_target_is_queued(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1", 0.5)
    first = setup.next()
    assert setup.enqueue(redirected(first, "http://b.cn/1"))
    assert setup.frontier.size().done == 1
    target = setup.next()
    assert target.url == "http://b.cn/1"
    assert target.meta["topic_score"] == pytest.approx(0.5)
    assert target.meta["topic_lease"] == link_id("http://b.cn/1")
    assert target.meta["redirect_urls"] == ["http://a.cn/1"]
    assert setup.counts() == {"enqueued": 2, "redirected": 1, "popped": 2}


def test_a_redirect_comes_before_links_of_the_same_score(setup: SchedulerSetup) -> None:
    for number in range(3):
        setup.add(f"http://a.cn/{number}", 0.5)
    setup.enqueue(redirected(setup.next(), "http://b.cn/0"))
    setup.enqueue(redirected(setup.next(), "http://c.cn/0"))
    assert [setup.next().url for _ in range(3)] == [
        "http://c.cn/0",
        "http://a.cn/1",
        "http://a.cn/2",
    ]


def test_a_redirect_waits_for_its_own_host_not_for_the_one_it_came_from(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/1")
    first = setup.next()
    first.meta["download_slot"] = "a.cn"  # the downloader writes it
    setup.enqueue(redirected(first, "http://b.cn/1"))
    setup.busy = {"a.cn"}
    assert "download_slot" not in setup.next().meta


def test_a_slot_chosen_by_the_spider_survives_a_redirect(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1", meta={"download_slot": "shared"})
    setup.enqueue(redirected(setup.next(), "http://b.cn/1"))
    assert setup.next().meta["download_slot"] == "shared"


@pytest.mark.parametrize("state", ["queued", "done"])
def test_a_redirect_to_a_known_url_is_dropped_and_its_lease_settled(
    setup: SchedulerSetup, state: str
) -> None:
    setup.add("http://a.cn/1", 2.0)
    first = setup.next()
    setup.add("http://a.cn/2", 1.0)
    if state == "done":
        setup.frontier.ack([setup.next().meta["topic_lease"]])
    assert not setup.enqueue(redirected(first, "http://a.cn/2"))
    assert setup.frontier.size().leased == 0
    assert setup.frontier.evidence(link_id("http://a.cn/2")).score == pytest.approx(
        2.0 if state == "queued" else 1.0
    )


def test_a_redirect_to_another_spelling_of_itself_goes_on_under_its_lease(
    setup: SchedulerSetup,
) -> None:
    # A server that sets a cookie and sends the browser back: same canonical URL.
    setup.add("http://a.cn/?b=1&a=1")
    first = setup.next()
    assert setup.enqueue(redirected(first, "http://a.cn/?a=1&b=1"))
    second = setup.next()
    assert second.url == "http://a.cn/?a=1&b=1"
    assert second.meta["topic_lease"] == first.meta["topic_lease"]


def test_a_redirect_to_itself_whose_lease_expired_meanwhile_is_fetched_once(
    setup: SchedulerSetup,
) -> None:
    setup.add("http://a.cn/1")
    first = setup.next()
    setup.frontier.reap(NOW + LEASE)
    assert not setup.enqueue(redirected(first, "http://a.cn/1"))
    assert setup.frontier.size().queued == 1
    assert "redirected" not in setup.counts()


def test_a_chain_of_redirects_leaves_no_lease_behind(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/0")
    for i in (1, 2, 3):
        setup.enqueue(redirected(setup.next(), f"http://a.cn/{i}"))
    size = setup.frontier.size()
    assert (size.done, size.leased, size.queued) == (3, 0, 1)


def test_a_form_s_redirect_settles_the_form(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/login", method="POST", body="user=1")
    form = setup.next()
    setup.enqueue(redirected(form, "http://a.cn/", method="GET", body=b""))
    assert setup.frontier.size().leased == 0


def test_a_link_that_copied_its_page_s_meta_does_not_settle_the_page(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/0")
    setup.enqueue(redirected(setup.next(), "http://a.cn/1"))
    page = setup.next()
    assert setup.enqueue(Request("http://a.cn/child", meta=page.meta))
    assert setup.frontier.size().leased == 1
    assert not setup.enqueue(Request("http://a.cn/1", meta=page.meta))
    assert setup.frontier.size().leased == 1


def test_a_retry_whose_lease_expired_meanwhile_is_fetched_once(setup: SchedulerSetup) -> None:
    setup.add("http://a.cn/1")
    first = setup.next()
    setup.frontier.reap(NOW + LEASE)
    assert not setup.enqueue(retried(first))
    assert setup.frontier.size().queued == 1
