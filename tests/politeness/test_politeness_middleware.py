"""PolitenessMiddleware in crawls of drawn webs: its calls of the frontier."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import (
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
)
from scrapy.http import Response

from tests.support.small_web import (
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.sqlite.backend import SQLiteBackend
from topiccrawl.middlewares.politeness import POLITENESS_ORDER, PolitenessMiddleware
from topiccrawl.politeness.backoff import GONE_AFTER

SEED = "http://a.example/"


class FrontierCalls:
    """Calls that the frontier received, in order."""

    def __init__(self) -> None:
        self.popped: Counter[int] = Counter()
        self.landed: Counter[int] = Counter()
        self.delays: list[float | None] = []
        self.held: list[tuple[str, float]] = []
        """Hosts and for how many seconds from the moment of the call."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> FrontierCalls:
    """Listen to the frontier of the next crawl, a file."""
    record = FrontierCalls()
    original = SQLiteBackend.open

    def listening(*args: Any, **more: Any) -> Any:
        opened = original(*args, **more)
        frontier: Any = opened.frontier
        pop, landed, hold_host = frontier.pop, frontier.transfer_finished, frontier.hold_host

        def note_pop(*args: Any) -> Any:
            lease = pop(*args)
            if lease is not None:
                record.popped[lease.id] += 1
            return lease

        def note_landed(id: int, ready_at: float, delay: float | None = None) -> None:
            record.landed[id] += 1
            record.delays.append(delay)
            landed(id, ready_at, delay)

        def note_hold(host: str, until: float) -> None:
            record.held.append((host, until - time.time()))
            hold_host(host, until)

        monkeypatch.setattr(frontier, "pop", note_pop)
        monkeypatch.setattr(frontier, "transfer_finished", note_landed)
        monkeypatch.setattr(frontier, "hold_host", note_hold)
        return opened

    monkeypatch.setattr(SQLiteBackend, "open", listening)
    return record


def crawl(web: SmallWeb, **settings: Any) -> SmallCrawl:
    given = {
        "DOWNLOADER_MIDDLEWARES": {PolitenessMiddleware: POLITENESS_ORDER},
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_BACKOFF_SECONDS": 0,
        "TOPICCRAWL_RETRY_DELAY_SECONDS": 0,
        **settings,
    }
    with tempfile.TemporaryDirectory() as folder:
        return crawl_small(web, [SEED], TOPICCRAWL_FRONTIER_DIR=folder, **given)


def seed(*paths: str) -> bytes:
    return page("侨务", ON_TOPIC, "".join(link(path, f"侨务{path}") for path in paths))


def fails(error: Exception) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        raise error

    return answer


def first(*answers: Response) -> Callable[[Request], Response]:
    left = list(answers)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


def test_each_lease_lands_once_however_its_transfer_ends(calls: FrontierCalls) -> None:
    a = "http://a.example"
    web = SmallWeb(
        {
            SEED: seed("/ok", "/gone", "/moved", "/self", "/busy", "/private/x", "/late", "/huge"),
            f"{a}/ok": page("侨务", ON_TOPIC),
            f"{a}/moved": response(f"{a}/moved", status=302, Location="/target"),
            f"{a}/target": page("侨务", ON_TOPIC),
            f"{a}/self": first(
                response(f"{a}/self", status=302, Location="/self#x"),
                response(f"{a}/self", page("侨务", ON_TOPIC)),
            ),
            f"{a}/busy": first(
                response(f"{a}/busy", status=500), response(f"{a}/busy", page("侨务", ON_TOPIC))
            ),
            f"{a}/late": fails(DownloadTimeoutError("late")),
            f"{a}/huge": fails(DownloadCancelledError("huge")),
        }
    )
    result = crawl(web)
    assert calls.landed == calls.popped
    assert len(calls.popped) == 10
    assert result.stats["topiccrawl/politeness/landed"] == calls.popped.total()
    assert result.stats["robotstxt/forbidden"] == 1
    assert result.run.frontier.size().leased == 0


class Rescuer:
    """A middleware that makes a page of a failure: the request then passes ours twice."""

    def process_exception(self, request: Request, exception: Exception) -> Response:
        return response(request.url, page("侨务", ON_TOPIC))


def test_a_failure_that_another_middleware_makes_a_page_of_lands_once(calls: FrontierCalls) -> None:
    late = fails(DownloadTimeoutError("late"))
    web = SmallWeb({SEED: seed("/late"), "http://a.example/late": late})
    order = {PolitenessMiddleware: POLITENESS_ORDER, Rescuer: POLITENESS_ORDER - 1}
    result = crawl(web, DOWNLOADER_MIDDLEWARES=order)
    assert result.stats["topiccrawl/pages/analyzed"] == 2
    assert calls.landed == calls.popped


def test_answers_from_the_cache_land_and_are_no_refusals(
    calls: FrontierCalls, tmp_path: Path
) -> None:
    web = SmallWeb(
        {
            SEED: seed("/busy"),
            "http://a.example/busy": response("http://a.example/busy", status=429),
        }
    )
    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path), "RETRY_ENABLED": False}
    crawl(web, **cache)
    asked = len(web.asked)
    calls.popped.clear()
    calls.landed.clear()
    calls.held.clear()
    result = crawl(web, **cache)
    assert len(web.asked) == asked
    assert calls.landed == calls.popped
    assert calls.popped.total() >= 2
    assert calls.held == []
    assert "topiccrawl/politeness/held/429" not in result.stats


def test_a_long_retry_after_holds_the_host_for_the_longest_pause(calls: FrontierCalls) -> None:
    busy = "http://a.example/busy"
    web = SmallWeb(
        {
            SEED: seed("/busy"),
            busy: first(
                response(busy, status=503, **{"Retry-After": "86400"}),
                response(busy, page("侨务", ON_TOPIC)),
            ),
        }
    )
    result = crawl(web, TOPICCRAWL_RETRY_AFTER_MAX_SECONDS=0.2)
    [(host, seconds)] = calls.held
    assert host == "a.example"
    assert 0 < seconds <= 0.2
    assert result.stats["topiccrawl/politeness/retry_after_capped"] == 1
    assert result.stats["topiccrawl/pages/analyzed"] == 2


def test_the_frontier_receives_the_crawl_delay(calls: FrontierCalls) -> None:
    web = SmallWeb(
        {SEED: seed("/ok"), "http://a.example/ok": page("侨务", ON_TOPIC)},
        robots=b"User-agent: *\nCrawl-delay: 0.05\n\nUser-agent: topiccrawl\nCrawl-delay: 0.07\n",
    )
    result = crawl(web)
    assert calls.delays == [0.07, 0.07]
    assert result.stats["topiccrawl/politeness/crawl_delay"] == 1


@pytest.mark.parametrize("later", [b"User-agent: *\nCrawl-delay: 0.01\n", b"", None])
def test_the_delay_falls_when_robots_txt_asks_for_less(
    calls: FrontierCalls, monkeypatch: pytest.MonkeyPatch, later: bytes | None
) -> None:
    class Relenting(SmallWeb):
        def answer(self, request: Request) -> Response:
            if not request.url.endswith("/robots.txt") or not self.asked:
                return super().answer(request)
            if later is None:
                return response(request.url, status=404)
            return response(request.url, later, content_type="text/plain")

    monkeypatch.setattr("topiccrawl.middlewares.robots.LIFETIME_SECONDS", 0.0)
    web = Relenting(
        {SEED: seed("/ok"), "http://a.example/ok": page("侨务", ON_TOPIC)},
        robots=b"User-agent: *\nCrawl-delay: 0.07\n",
    )
    crawl(web)
    assert calls.delays == [0.07, 0.01 if later else 0.0]


def first_page_beside(delay: float, web: SmallWeb) -> list[str]:
    """Return the first page of a crawl with one request at a time of two hosts; the first one has a delay."""
    crawl_small(
        web,
        [SEED, "http://b.example/"],
        DOWNLOADER_MIDDLEWARES={PolitenessMiddleware: POLITENESS_ORDER},
        DOWNLOAD_SLOTS={"a.example": {"concurrency": 1, "delay": delay}},
        CLOSESPIDER_ITEMCOUNT=1,
    )
    return web.asked


@pytest.mark.parametrize("target", ["https://a.example/robots.txt", "/r?1"])
def test_a_robots_txt_that_must_wait_after_a_redirect_leaves_its_place_to_others(
    target: str,
) -> None:
    class Redirecting(SmallWeb):
        def answer(self, request: Request) -> Response:
            if request.url == f"{SEED}robots.txt":
                return response(request.url, status=301, Location=target)
            return super().answer(request)

    web = Redirecting({SEED: seed(), "http://b.example/": page("侨乡", ON_TOPIC)})
    assert first_page_beside(3600.0, web) == ["http://b.example/"]


def test_a_robots_txt_is_read_where_it_redirects_to_when_its_delay_is_over() -> None:
    asked: list[str] = []

    class Redirecting(SmallWeb):
        def answer(self, request: Request) -> Response:
            asked.append(request.url)
            if request.url == f"{SEED}robots.txt":
                return response(request.url, status=301, Location="/rules/robots.txt")
            return super().answer(request)

    web = Redirecting({SEED: seed("/private/x")})
    result = crawl(web, DOWNLOAD_DELAY=0.3)
    assert asked == [f"{SEED}robots.txt", f"{SEED}rules/robots.txt", SEED]
    assert result.stats["robotstxt/forbidden"] == 1


def test_a_page_that_must_wait_behind_robots_txt_leaves_its_place_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Stopping(SmallWeb):
        """The time of the middleware stands still when it has robots.txt: the delay never ends."""

        now = 0.0

        def answer(self, request: Request) -> Response:
            self.now = time.monotonic()
            return super().answer(request)

        def monotonic(self) -> float:
            return self.now or time.monotonic()

    web = Stopping({SEED: seed(), "http://b.example/": page("侨乡", ON_TOPIC)})
    monkeypatch.setattr("topiccrawl.middlewares.politeness.time", web)
    assert first_page_beside(0.4, web) == ["http://b.example/"]


def test_no_quick_retries_of_pages_of_a_host_that_is_down(calls: FrontierCalls) -> None:
    a = "http://a.example"
    down = fails(DownloadConnectionRefusedError("down"))
    web = SmallWeb({SEED: seed("/1", "/2", "/3"), **{f"{a}/{n}": down for n in (1, 2, 3)}})
    result = crawl(web, TOPICCRAWL_RETRY_MAX_ATTEMPTS=1)
    # The first page has RetryMiddleware's three tries, by then the host is down.
    assert web.asked[:4] == [SEED, f"{a}/1", f"{a}/1", f"{a}/1"]
    # While it is not sure that the network is there, a failure does not count as an attempt.
    assert set(web.asked[4:]) >= {f"{a}/2", f"{a}/3"}
    assert len(web.asked[4:]) <= 4
    assert result.stats["topiccrawl/politeness/held/no_answer"] == 3
    assert calls.landed == calls.popped


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"TOPICCRAWL_HOST_WINDOWS": {"a.example": "late"}}, "'late'"),
        ({"TOPICCRAWL_HOST_WINDOWS": "late"}, "'late'"),
        ({"TOPICCRAWL_HOST_WINDOWS_TIMEZONE": "Mars"}, "'Mars'"),
        ({"TOPICCRAWL_RETRY_AFTER_MAX_SECONDS": "late"}, "'late'"),
    ],
)
def test_wrong_settings_stop_the_run_before_it_starts(settings: dict[str, Any], said: str) -> None:
    web = SmallWeb({SEED: seed()})
    with pytest.raises(ConfigurationError, match=said) as error:
        crawl(web, **settings)
    assert next(iter(settings)) in str(error.value)
    assert web.asked == []


def test_the_links_of_a_host_that_is_gone_are_given_up_without_a_try(calls: FrontierCalls) -> None:
    paths = [f"http://dead.example/{i}" for i in range(40)]
    web = SmallWeb(
        {
            SEED: seed(*paths, "/alive"),
            "http://a.example/alive": page("侨务", ON_TOPIC),
            **{path: fails(DownloadConnectionRefusedError("refused")) for path in paths},
        },
        robots=b"",
    )
    result = crawl(web, TOPICCRAWL_RETRY_MAX_ATTEMPTS=1, ROBOTSTXT_OBEY=False, RETRY_ENABLED=False)
    tried = [url for url in web.asked if "dead.example" in url]
    assert len(tried) == GONE_AFTER
    assert "http://a.example/alive" in web.asked
    assert result.stats["topiccrawl/failed/host-gone"] == 40 - GONE_AFTER
    assert result.stats["topiccrawl/frontier/size/given_up"] == 40


def test_a_late_answer_ends_the_time_in_which_links_are_given_up() -> None:
    late = "http://slow.example/late"
    paths = [f"http://slow.example/{i}" for i in range(40)]
    gone = asyncio.Event()
    failures = 0
    crawlers: list[Any] = []

    class SlowWeb(SmallWeb):
        async def wait(self, request: Request) -> None:
            nonlocal failures
            if request.url == late:
                await gone.wait()
                while "topiccrawl/politeness/gone" not in crawlers[0].stats.get_stats():  # noqa: ASYNC110 - a statistic
                    await asyncio.sleep(0)
            elif request.url in paths and not gone.is_set():
                failures += 1
                if failures == GONE_AFTER:
                    gone.set()
                raise DownloadConnectionRefusedError("too many")

    texts = {url: page(f"侨务{url[-2:]}", f"{ON_TOPIC}{url}") for url in paths}
    web = SlowWeb({SEED: seed(late, *paths), late: page("侨乡", ON_TOPIC), **texts}, robots=b"")
    result = crawl(
        web,
        TOPICCRAWL_RETRY_MAX_ATTEMPTS=1,
        TOPICCRAWL_STRATEGY="breadth-first",
        ROBOTSTXT_OBEY=False,
        RETRY_ENABLED=False,
        CONCURRENT_REQUESTS=2,
        CONCURRENT_REQUESTS_PER_DOMAIN=2,
        DOWNLOAD_DELAY=0,
        probe=crawlers.append,
    )
    assert late in web.asked
    assert 1 <= result.stats["topiccrawl/failed/host-gone"] <= 5
    assert len(result.items) > 20
