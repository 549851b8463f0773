"""When a worker ends, what a start URL may look like, and stats that are added up in Redis."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request, Spider, signals
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.test import get_crawler

from tests.support.page_items import run_of
from tests.support.redis_server import RedisServer
from tests.support.redis_support import needs_redis, running
from topiccrawl.cluster import stats as stats_module
from topiccrawl.cluster.entries import parse_entry, shown
from topiccrawl.cluster.start_urls import StartUrls
from topiccrawl.cluster.stats import ClusterStatsCollector


class NamedSpider(Spider):
    name = "named"


def stays(extension: StartUrls) -> bool:
    try:
        extension.spider_idle()
    except DontCloseSpider:
        return True
    return False


@pytest.mark.parametrize(
    ("entries", "wait", "max_idle", "seconds", "expected"),
    [
        (0, False, 0, 0.0, False),  # by default nothing left to do is the end
        (1, False, 0, 0.0, True),
        (0, True, 0, 1e6, True),
        (0, True, 5, 4.9, True),
        (0, True, 5, 5.0, False),
        (0, False, 5, 4.9, True),  # scrapy-redis' setting is enough
        (0, False, 5, 5.0, False),
    ],
)
def test_an_idle_worker_ends_unless_it_shall_wait(
    monkeypatch: pytest.MonkeyPatch,
    entries: int,
    wait: bool,
    max_idle: int,
    seconds: float,
    expected: bool,
) -> None:
    extension = StartUrls.__new__(StartUrls)
    extension._wait, extension.max_idle_time, extension._idle_since = wait, max_idle, None
    extension.schedule_next_requests = lambda: entries  # type: ignore[method-assign]
    monkeypatch.setattr("time.monotonic", lambda: 100.0)
    stays(extension)
    monkeypatch.setattr("time.monotonic", lambda: 100.0 + seconds)
    assert stays(extension) is expected


def test_a_worker_that_had_work_waits_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    _, crawler = run_of(MAX_IDLE_TIME_BEFORE_CLOSE=5)
    extension = StartUrls.from_crawler(crawler)
    monkeypatch.setattr(extension, "schedule_next_requests", lambda: 0)
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    assert stays(extension)
    # Another worker has taken a start URL, and this one gets its links.
    crawler.signals.send_catch_log(
        signals.request_reached_downloader, request=Request("http://a.cn/"), spider=None
    )
    now = 1000.0
    assert stays(extension)
    now = 1005.0
    assert not stays(extension)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" http://a.cn/侨 \n", ("http://a.cn/侨", False)),
        ('{"url": "https://a.cn/"}', ("https://a.cn/", False)),
        ('{"url": "https://a.cn/", "again": true}', ("https://a.cn/", True)),
        ('{"url": "https://a.cn/", "again": "no"}', ("https://a.cn/", False)),
    ],
)
def test_a_start_url_is_a_url_or_an_object_with_one(text: str, expected: tuple[str, bool]) -> None:
    assert parse_entry(text.encode()) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"a.cn",
        b"file:///etc/passwd",
        b"{",
        b"{}",
        b'{"url": 1}',
        b'{"url": "http://a/", "x": 1}',
        b'{"url":' * 5000,
        b'{"again": ' + b"[" * 5000 + b"}",
        b'{"again": 1' + b"0" * 5000 + b"}",
        b"http://a:99999/",
        b"http://a:x/",
        b"http://[::1/",
        b"http:///x",
        b"http://a..cn/",
        b"http://" + b"a" * 300 + b".cn/",
        b"http://a.cn/" + b"x" * 9000,
        b"http://a.cn/\x00",
        b"http://a.cn/\r\nHost: b",
        b"http://a .cn/",
        b"http://\xff\xfe.cn/",
        b'{"url": "http://a.cn/\\ud800"}',
    ],
)
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"url must|unknown key|Expecting|nested|utf-8|Exceeds"):
        parse_entry(data)
    assert len(shown(data)) <= 200
    assert shown(data).isprintable()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    with running(tmp_path, append_only=True) as server:
        yield server


def collector(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> ClusterStatsCollector:
    monkeypatch.setattr(stats_module, "key", lambda crawler, what: f"p:t:{what}")
    monkeypatch.setattr(stats_module, "has_topic", lambda crawler: True)
    settings = {"REDIS_URL": server.url, "REDIS_PARAMS": {"socket_timeout": 5}}
    return ClusterStatsCollector(get_crawler(NamedSpider, settings))


@needs_redis
def test_counts_of_all_workers_are_added_up(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = collector(server, monkeypatch), collector(server, monkeypatch)
    two._worker = "another"
    for _ in range(2):
        one.inc_value("pages")
        two.inc_value("pages", 10)
        one.flush()
        two.flush()
    one.set_value("rate", 0.25)
    one.max_value("depth", 3)
    one.flush()
    client = server.client()
    assert client.hgetall("p:t:stats") == {b"pages": b"22"}
    assert client.hgetall("p:t:stats:another") == {b"pages": b"20"}
    assert client.hget(f"p:t:stats:{one._worker}", "rate") == b"0.25"
    assert one.get_stats() == {"pages": 2, "rate": 0.25, "depth": 3}


@needs_redis
def test_counts_wait_while_redis_is_away(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stats = collector(server, monkeypatch)
    stats.inc_value("pages", 3)
    stats.flush()
    server.kill()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            stats.inc_value("pages")
            stats.flush()
    assert not caplog.records, "the queue logs it"
    server.start()
    stats.flush()
    assert server.client().hget("p:t:stats", "pages") == b"5"


@needs_redis
def test_counting_costs_no_round_trip(server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    stats = collector(server, monkeypatch)
    server.kill()
    stats.inc_value("pages")
    stats.set_value("rate", 0.5)
    assert (stats.get_value("pages"), stats.get_value("rate")) == (1, 0.5)
