"""CrawlControl: stopping the engine once, and recording why the crawl could not go on."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from weakref import ref

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from topiccrawl.crawl.control import CrawlControl, wake_engine
from topiccrawl.endings import CANNOT_START, FRONTIER_LOST, STORE_LOST


class Engine:
    """The one call of Scrapy's engine that closes a spider."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    async def close_spider_async(self, *, reason: str) -> None:
        self.reasons.append(reason)


def a_crawler() -> Crawler:
    return get_crawler(Spider, {"TOPICCRAWL_TOPIC": ""})


def reasons_after(act: Callable[[CrawlControl], object]) -> list[str]:
    """Return the reasons with which the engine was asked to close."""
    crawler: Any = a_crawler()
    crawler.engine = Engine()

    async def run() -> None:
        act(CrawlControl(crawler))
        await asyncio.sleep(0)

    asyncio.run(run())
    return crawler.engine.reasons


def test_the_engine_is_stopped_once_with_the_first_reason() -> None:
    def act(control: CrawlControl) -> None:
        control.stop("first")
        control.stop("second")
        control.lose_frontier(OSError("disk full"))

    assert reasons_after(act) == ["first"]


def test_a_lost_store_stops_the_crawl_once(caplog: pytest.LogCaptureFixture) -> None:
    lost = []

    def act(control: CrawlControl) -> None:
        lost.append(control.store_lost)
        control.lose_store(OSError("disk full"))
        control.lose_store(OSError("disk still full"))
        lost.append(control.store_lost)

    assert reasons_after(act) == [STORE_LOST]
    assert lost == [False, True]
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "The crawl stops, its pages cannot be kept: disk full"
    ]


def test_a_lost_frontier_stops_the_crawl() -> None:
    assert reasons_after(lambda it: it.lose_frontier(OSError("disk full"))) == [FRONTIER_LOST]


def test_a_crawl_that_cannot_start_keeps_its_error_for_the_command() -> None:
    crawler, error = a_crawler(), ValueError("no seeds")
    control = CrawlControl(crawler)
    assert control.start_error is None
    assert control.cannot_start(error).reason == CANNOT_START
    assert control.start_error is error


def test_counts_are_statistics_with_the_projects_prefix() -> None:
    crawler = a_crawler()
    control = CrawlControl(crawler)
    control.count("links/known")
    control.count("links/known", 4)
    assert crawler.stats.get_value("topiccrawl/links/known") == 5


def test_without_an_engine_nothing_can_be_stopped_or_woken() -> None:
    crawler = a_crawler()
    control = CrawlControl(crawler)
    control.stop("finished")
    control.wake()
    control.lose_store(OSError("disk full"))
    assert control.store_lost


def test_a_control_does_not_keep_its_crawler_alive() -> None:
    crawler = a_crawler()
    control, alive = CrawlControl(crawler), ref(crawler)
    del crawler
    gc.collect()
    assert alive() is None
    control.stop("finished")
    control.wake()
    control.count("links/known")


@pytest.mark.parametrize(
    "crawler",
    [
        SimpleNamespace(engine=None),  # before the crawl
        SimpleNamespace(engine=SimpleNamespace(_slot=None)),  # after it
        SimpleNamespace(engine=SimpleNamespace()),  # a Scrapy with other names
        SimpleNamespace(engine=SimpleNamespace(_slot=SimpleNamespace())),
    ],
)
def test_an_engine_that_cannot_be_woken_is_left_to_its_heartbeat(crawler: Any) -> None:
    wake_engine(crawler)
