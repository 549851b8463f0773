"""Real crawls, judged by the site they crawl: no violation, and all of its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.known_web import KnownWeb
from benchmarks.politeness_site import BROKEN, PolitenessSite, Refusal, violations
from tests.support import redis_server
from tests.support.polite_crawls import crawl_politely, crawl_together
from topiccrawl.politeness.windows import HostWindows

pytestmark = pytest.mark.slow

DELAY = 0.2


def small_web(*, crawl_delay: float = 0.0, pages: int = 24) -> KnownWeb:
    return KnownWeb(pages, 3, crawl_delay=crawl_delay, latency=(0.0, 0.05))


def test_crawl_delay_holds_for_pages_and_robots_txt_though_autothrottle_would_go_faster(
    tmp_path: Path,
) -> None:
    with PolitenessSite(small_web(crawl_delay=DELAY)) as site:
        crawl = crawl_politely(
            site, tmp_path, AUTOTHROTTLE_ENABLED=1, AUTOTHROTTLE_START_DELAY=0.01
        )
    assert violations(site.visits, DELAY) == []
    assert site.pages() == set(site.web.urls)
    assert crawl.counted("landed") == crawl.stats["topiccrawl/frontier/popped"]
    assert crawl.counted("crawl_delay") == 3


def test_a_page_that_would_wait_long_behind_robots_txt_waits_in_the_frontier(
    tmp_path: Path,
) -> None:
    # A wait of over half a second is long; a machine that stalls for a second must not shorten it.
    with PolitenessSite(small_web(crawl_delay=60, pages=4)) as site:
        crawl = crawl_politely(site, tmp_path, TOPICCRAWL_CRAWL_DELAY_MAX_SECONDS=1.6)
    assert violations(site.visits, 1.6) == []
    assert site.pages() == set(site.web.urls)
    asked = {visit.host for visit in site.visits}
    assert crawl.counted("put_back/delay") == len(asked)
    assert crawl.counted("crawl_delay_capped") == len(asked)


def test_refusals_are_followed_by_the_pause_that_was_asked_for(tmp_path: Path) -> None:
    def refuse(host: str, path: str, before: int) -> Refusal | None:
        # The first is robots.txt.
        return {0: Refusal(503, "1"), 5: Refusal(429, "1"), 8: Refusal(503)}.get(before)

    with PolitenessSite(small_web(crawl_delay=0.1), refuse) as site:
        crawl = crawl_politely(site, tmp_path, DOWNLOAD_DELAY=0.1)
    assert violations(site.visits, 0.1) == []
    assert site.pages() == set(site.web.urls)
    refused = [visit.status for visit in site.visits if visit.status in (429, 503)]
    assert crawl.counted("held/429") == refused.count(429) > 0
    assert crawl.counted("held/503") == refused.count(503) > 0
    assert crawl.counted("retry_after") == sum(visit.pause > 0 for visit in site.visits)


def test_a_host_that_breaks_connections_is_not_asked_faster(tmp_path: Path) -> None:
    def breaks(host: str, path: str, before: int) -> Refusal | None:
        return Refusal(BROKEN) if before % 4 == 2 else None

    with PolitenessSite(small_web(), breaks) as site:
        crawl = crawl_politely(site, tmp_path, DOWNLOAD_DELAY=DELAY)
    assert violations(site.visits, DELAY) == []
    assert site.pages() == set(site.web.urls)
    assert crawl.stats["downloader/exception_count"] > 0


def test_a_dead_host_is_slowed_down_and_its_pages_get_one_try_at_a_time(tmp_path: Path) -> None:
    dead = "www.site0001.example"

    def breaks(host: str, path: str, before: int) -> Refusal | None:
        return Refusal(BROKEN) if host == dead else None

    with PolitenessSite(KnownWeb(16, 4), breaks) as site:
        crawl = crawl_politely(site, tmp_path, DOWNLOAD_DELAY=0.02, TOPICCRAWL_BACKOFF_SECONDS=0.05)
    assert violations(site.visits, 0.02) == []
    tried = [visit for visit in site.visits if visit.host == dead]
    assert crawl.counted("held/no_answer") == len(tried) - 2
    gaps = [later.arrived - sooner.arrived for sooner, later in pairwise(tried[2:])]
    assert gaps
    assert min(gaps) >= 0.05
    # robots.txt has RetryMiddleware's three tries.
    assert crawl.stats["retry/count"] == 2


def test_a_host_outside_its_window_is_not_contacted_at_all(tmp_path: Path) -> None:
    web = small_web(pages=60)
    closed = web.hosts[1]
    soon = datetime.now(UTC) + timedelta(hours=6)
    rules = {closed: f"{soon:%H}:00-{soon:%H}:30"}
    with PolitenessSite(web) as site:
        crawl = crawl_politely(
            site,
            tmp_path,
            TOPICCRAWL_HOST_WINDOWS=json.dumps(rules),
            TOPICCRAWL_HOST_WINDOWS_TIMEZONE="UTC",
            CLOSESPIDER_PAGECOUNT=12,
        )
    assert violations(site.visits, windows=HostWindows(rules, "UTC")) == []
    assert len(site.pages()) > 5
    assert closed not in {visit.host for visit in site.visits}
    # Once: the frontier then holds the host.
    assert crawl.stats["topiccrawl/frontier/outside_window"] == 1


def test_without_the_middleware_the_judge_finds_violations(tmp_path: Path) -> None:
    def refuse(host: str, path: str, before: int) -> Refusal | None:
        return Refusal(429, "2") if before == 3 else None

    with PolitenessSite(small_web(crawl_delay=DELAY), refuse) as site:
        crawl_politely(site, tmp_path, middleware=False, TOPICCRAWL_BACKOFF_SECONDS=0)
    assert {found.rule for found in violations(site.visits, DELAY)} == {"delay", "retry-after"}


def test_stock_scrapy_varies_the_delay_and_the_judge_finds_it(tmp_path: Path) -> None:
    with PolitenessSite(small_web()) as site:
        crawl_politely(
            site,
            tmp_path,
            middleware=False,
            SCHEDULER="scrapy.core.scheduler.Scheduler",
            DOWNLOAD_DELAY=DELAY,
            DOWNLOAD_DELAY_JITTER=0.5,
        )
    assert {found.rule for found in violations(site.visits, DELAY)} == {"delay"}


@pytest.fixture(params=["sqlite", "redis"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Settings of a frontier that several workers can share."""
    if request.param == "sqlite":
        yield {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite"}
        return
    if redis_server.executable() is None:
        pytest.skip(redis_server.HOW_TO_GET_ONE)
    folder = tmp_path / "redis"
    folder.mkdir(exist_ok=True)
    server = redis_server.RedisServer(folder)
    server.start()
    yield {"TOPICCRAWL_FRONTIER_BACKEND": "redis", "REDIS_URL": server.url}
    server.kill()


def test_three_workers_together_are_as_polite_as_one(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    def refuse(host: str, path: str, before: int) -> Refusal | None:
        return Refusal(429, "1") if before == 6 else None

    web = KnownWeb(40, 4, crawl_delay=DELAY, latency=(0.0, 0.05))
    with PolitenessSite(web, refuse) as site:
        crawls = crawl_together(site, tmp_path, 3, DOWNLOAD_DELAY=DELAY, **shared)
    assert violations(site.visits, DELAY) == []
    assert site.pages() == set(web.urls)
    assert sum(crawl.counted("held/429") for crawl in crawls) > 0
    assert sum(crawl.counted("landed") > 0 for crawl in crawls) > 1
