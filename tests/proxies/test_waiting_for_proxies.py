"""How long links wait for a proxy, and for which proxies they do not wait at all."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from topiccrawl.crawl.proxies import proxying
from topiccrawl.crawl.proxies.proxying import CrawlProxies
from topiccrawl.crawl.requests.failures import ProxiesFailed
from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.middlewares import proxies as waiting
from topiccrawl.middlewares.proxies import ProxyMiddleware
from topiccrawl.proxies.address import ProxyAddress

#: Put-backs until a link that no proxy gave an answer for has failed.
ROUNDS = 5


class Time:
    """A clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class Session:
    """Notes until when links are put back."""

    def __init__(self, time: Time) -> None:
        self.clock = time.monotonic
        self.control = SimpleNamespace(stopping=False)
        self.until: list[float] = []

    def put_back(self, request: Request, until: float, statistic: str) -> Request:
        self.until.append(until)
        return request.replace(dont_filter=True)


@pytest.fixture(name="time")
def standing_time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    for module in (waiting, proxying):
        monkeypatch.setattr(module, "time", time)
    monkeypatch.setattr(waiting, "asyncio", time)
    return time


@pytest.fixture(name="session")
def noted_session(time: Time, monkeypatch: pytest.MonkeyPatch) -> Session:
    session = Session(time)
    monkeypatch.setattr(waiting, "find_session", lambda crawler: session)
    return session


def made(**settings: object) -> tuple[ProxyMiddleware, CrawlProxies]:
    crawler = get_crawler(settings_dict={f"TOPICCRAWL_{key}": it for key, it in settings.items()})
    proxies = proxying.CrawlProxies.of(crawler)
    assert proxies is not None
    return ProxyMiddleware(crawler, proxies), proxies


def test_the_host_of_a_link_is_held_until_the_proxy_has_rested_and_no_longer(
    time: Time, session: Session
) -> None:
    middleware, proxies = made(PROXIES=["10.0.0.1:80"])
    [proxy] = proxies.roster.proxies
    health = proxies.roster.health(proxy)
    health.rests_until = time.now + 45.0
    request = Request("http://a.cn/", meta={LEASE: 1})
    asyncio.run(middleware.process_request(request))
    assert session.until == [pytest.approx(health.rests_until, abs=0.5)]


def test_links_fail_that_no_proxy_of_the_crawl_can_fetch(time: Time, session: Session) -> None:
    middleware, proxies = made(PROXY_POOL="http://127.0.0.1:9")
    only_http = ProxyAddress("10.0.0.1", 80, https=False)
    proxies.roster.add(only_http, from_pool=True)
    began = time.now
    request: Request | None = Request("https://a.cn/", meta={LEASE: 1})
    rounds = 0
    while request is not None:
        rounds += 1
        assert rounds < 100, "put back without end"
        with pytest.raises(ProxiesFailed, match="https") as failed:
            asyncio.run(middleware.process_request(request))
        request = middleware.process_exception(request, failed.value)
    assert rounds == len(session.until) + 1 == ROUNDS + 1
    assert time.now == began, "nothing is waited for that cannot come"
