"""What comes back to the queue is what was handed out, whatever middlewares wrote into it."""

from __future__ import annotations

import pytest
from scrapy import Request

from tests.frontier.contract_suite import NOW
from tests.support.scheduler_setup import SchedulerSetup, redirected, retried
from topiccrawl.frontier.contract import QueuedLink

URL = "http://a.cn/1"
SECRET = "hush"


def written_into(request: Request) -> Request:
    """Write into *request* what middlewares, ours and others', write."""
    request.headers["Proxy-Authorization"] = f"Basic {SECRET}"
    request.headers["Authorization"] = f"Basic {SECRET}"
    request.headers["Cookie"] = f"session={SECRET}"
    request.headers["User-Agent"] = SECRET
    request.headers["X-Vendor-Key"] = SECRET
    request.cookies = {"session": SECRET}
    request.flags.append(SECRET)
    request.meta.update(
        proxy=f"http://user:{SECRET}@127.0.0.1:1",
        _auth_proxy=SECRET,
        download_timeout=180.0,
        download_slot="a.cn",
        vendor={"token": SECRET},
        cookiejar=SECRET,
    )
    return request


def queued(setup: SchedulerSetup) -> QueuedLink:
    (link,) = setup.frontier.best(2)
    return link


def add(setup: SchedulerSetup) -> None:
    """Queue a request with something of the spider's own in each part."""
    setup.add(
        URL,
        0.5,
        method="POST",
        body="q=1",
        headers={"X-Own": "1"},
        cookies={"lang": "zh"},
        meta={"page": 2},
    )


def test_a_retry_is_queued_as_it_was_handed_out(setup: SchedulerSetup) -> None:
    add(setup)
    before = queued(setup)
    assert setup.enqueue(retried(written_into(setup.next())))
    after = queued(setup)
    assert SECRET not in repr(after)
    retries = {"attempt": 1, "meta": {"page": 2, "retry_times": 1}}
    assert after.request == {**before.request, **retries}


def test_what_the_scheduler_of_another_run_hands_out_is_as_the_first_one(
    setup: SchedulerSetup,
) -> None:
    add(setup)
    first = setup.next()
    headers, cookies = dict(first.headers), first.cookies
    setup.enqueue(retried(written_into(first)))
    again = setup.next()
    assert (dict(again.headers), again.cookies) == (headers, cookies)
    assert (again.method, again.body, again.flags) == ("POST", b"q=1", [])
    assert "proxy" not in again.meta


def test_a_redirect_keeps_the_spider_s_part_of_the_request_that_the_redirect_left(
    setup: SchedulerSetup,
) -> None:
    add(setup)
    target = redirected(written_into(setup.next()), "http://b.cn/1", method="GET", body=b"")
    del target.headers["X-Own"]  # as RedirectMiddleware does with Authorization at another host
    assert setup.enqueue(target)
    link = queued(setup)
    assert SECRET not in repr(link)
    assert link.request == {
        "meta": {"page": 2, "redirect_times": 1, "redirect_urls": [URL]},
    }


def test_a_link_that_copied_its_page_s_meta_leaves_the_middlewares_part_behind(
    setup: SchedulerSetup,
) -> None:
    add(setup)
    page = written_into(setup.next())
    setup.scheduler.response_received(page)
    page.meta["seen"] = "by the spider"
    meta = {**page.meta, "proxy": "http://chosen.example:1"}
    setup.enqueue(Request("http://a.cn/child", meta=meta, headers=page.headers))
    link = queued(setup)
    assert SECRET not in repr(link)
    assert link.request == {
        "headers": {"X-Own": ["1"]},
        "meta": {"page": 2, "seen": "by the spider", "proxy": "http://chosen.example:1"},
    }


def test_a_page_that_the_spider_requests_again_takes_the_spider_s_changes(
    setup: SchedulerSetup,
) -> None:
    add(setup)
    page = written_into(setup.next())
    setup.scheduler.response_received(page)
    again = page.replace(dont_filter=True, meta={**page.meta, "page": 3})
    again.headers["X-Own"] = "2"
    assert setup.enqueue(again)
    link = queued(setup)
    assert link.request["meta"] == {"page": 3}
    assert link.request["headers"] == {"X-Own": ["2"]}


def test_headers_copied_from_a_page_s_request_bring_no_password_of_the_proxy(
    setup: SchedulerSetup,
) -> None:
    add(setup)
    page = setup.next()
    page.headers["Proxy-Authorization"] = f"Basic {SECRET}"
    setup.enqueue(Request("http://a.cn/child", headers=page.headers))
    assert SECRET not in repr(queued(setup))


def test_a_middleware_s_own_counter_goes_on_in_this_process_and_is_not_queued(
    setup: SchedulerSetup,
) -> None:
    setup.add(URL)
    for tries in range(3):
        request = setup.next()
        assert request.meta.get("captcha_tries", 0) == tries
        request.meta["captcha_tries"] = tries + 1
        assert setup.enqueue(request.replace(dont_filter=True))
        assert queued(setup).request == {}


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.cn/1", "data:,x"])
def test_a_request_for_another_scheme_is_not_queued(setup: SchedulerSetup, url: str) -> None:
    assert not setup.add(url)
    assert setup.counts() == {"unkeepable": 1}


def test_a_poisoned_record_is_given_up_and_the_next_link_is_handed_out(
    setup: SchedulerSetup,
) -> None:
    from_ours = setup.frontier
    setup.add(URL, 0.1)
    (good,) = from_ours.best(1)
    poisoned = [
        {"url": "file:///etc/passwd"},
        {"_class": "subprocess.Popen"},
        {"callback": "close"},
        {"meta": 5},
    ]
    for number, request in enumerate(poisoned):
        from_ours.push([QueuedLink(f"http://a.cn/p{number}", "a.cn", good.evidence, request)])
    urls = {setup.next().url}
    assert urls == {URL}
    assert setup.scheduler.next_request() is None
    assert setup.counts()["unreadable"] == len(poisoned)
    size = from_ours.size()
    assert (size.given_up, size.leased) == (len(poisoned), 1)
    assert from_ours.next_ready(NOW) is None
