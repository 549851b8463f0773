"""Hosts whose redirects never end cost few requests, and others are followed as before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scrapy import Request
from scrapy.downloadermiddlewares.redirect import BaseRedirectMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from topiccrawl.middlewares.redirects import SafeMetaRefreshMiddleware, SafeRedirectMiddleware

KINDS: list[type[BaseRedirectMiddleware]] = [SafeRedirectMiddleware, SafeMetaRefreshMiddleware]
Leads = Callable[[str], str]
"""Where an address leads; empty for a page."""


def answer(kind: type[BaseRedirectMiddleware], url: str, target: str) -> Response:
    if not target:
        return HtmlResponse(url, body=b"<html><p>page")
    if kind is SafeRedirectMiddleware:
        return Response(url, status=302, headers={"Location": target})
    head = f'<html><head><meta http-equiv="refresh" content="0; url={target}">'
    return HtmlResponse(url, body=head.encode())


def fetch(middleware: BaseRedirectMiddleware, url: str, leads: Leads) -> tuple[int, bool]:
    """Follow *url*; return the number of requests, and whether they gave a page."""
    request, number = Request(url), 0
    while True:
        number += 1
        response = answer(type(middleware), request.url, leads(request.url))
        try:
            result = middleware.process_response(request, response)  # type: ignore[attr-defined]
        except IgnoreRequest:
            return number, False
        if isinstance(result, Response):
            return number, True
        request = result


def made(kind: type[BaseRedirectMiddleware]) -> BaseRedirectMiddleware:
    return kind.from_crawler(get_crawler())


def endless(url: str) -> str:
    return f"{url}x"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("target", [endless, lambda url: f"http://h{len(url)}.cn/{url[-40:]}x"])
def test_a_hundred_endless_chains_cost_some_requests_each(
    kind: type[BaseRedirectMiddleware], target: Leads
) -> None:
    middleware = made(kind)
    results = [fetch(middleware, f"http://trap.cn/{i}?", target) for i in range(100)]
    assert not any(page for _number, page in results)
    assert sum(number for number, _page in results) < 350
    assert [number for number, _page in results[:4]] == [21, 11, 6, 3], "half as many each time"


@pytest.mark.parametrize("kind", KINDS)
def test_one_chain_that_ends_restores_the_host(kind: type[BaseRedirectMiddleware]) -> None:
    middleware = made(kind)
    for i in range(10):
        fetch(middleware, f"http://a.cn/{i}?", endless)
    steps = {"http://a.cn/": "https://a.cn/", "https://a.cn/": "https://www.a.cn/"}
    assert fetch(middleware, "http://a.cn/", lambda url: steps.get(url, "")) == (3, True)
    long = {f"http://a.cn/s{i}": f"http://a.cn/s{i + 1}" for i in range(15)}
    assert fetch(middleware, "http://a.cn/s0", lambda url: long.get(url, "")) == (16, True)


@pytest.mark.parametrize("kind", KINDS)
def test_other_hosts_are_followed_as_far_as_before(kind: type[BaseRedirectMiddleware]) -> None:
    middleware = made(kind)
    for i in range(10):
        fetch(middleware, f"http://trap.cn/{i}?", endless)
    long = {f"http://a.cn/s{i}": f"http://a.cn/s{i + 1}" for i in range(19)}
    assert fetch(middleware, "http://a.cn/s0", lambda url: long.get(url, "")) == (20, True)
