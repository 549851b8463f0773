"""A pool that gives no proxies is named in the log, with the reason, once until it answers again."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadConnectionRefusedError
from scrapy.http import Response, TextResponse
from scrapy.settings import Settings

from topiccrawl.crawl.proxies.pool import PoolClient
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.proxies.roster import ProxyRoster

POOL = "http://127.0.0.1:5010"


class Crawler:
    """A crawler whose downloads answer with what a test says."""

    def __init__(self) -> None:
        self.engine = SimpleNamespace(download_async=self.download)
        self.status = 200
        self.error: Exception | None = None
        self.asked: list[str] = []

    async def download(self, request: Request) -> Response:
        self.asked.append(request.url)
        if self.error is not None:
            raise self.error
        return TextResponse(request.url, status=self.status, body=b"10.0.0.9:80")


def client(crawler: Crawler) -> PoolClient:
    settings = CrawlSettings.from_settings(Settings({"TOPICCRAWL_PROXY_POOL": POOL})).proxies
    return PoolClient(cast("Any", crawler), settings, ProxyRoster())


def test_the_reason_is_in_the_users_words(caplog: pytest.LogCaptureFixture) -> None:
    crawler = Crawler()
    crawler.error = DownloadConnectionRefusedError("refused")
    asyncio.run(client(crawler).filled())
    assert "(TOPICCRAWL_PROXY_POOL): connection refused" in caplog.text


def test_a_wrong_address_on_a_server_that_answers_is_named_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crawler = Crawler()
    crawler.status = 404
    asyncio.run(client(crawler).filled())
    assert len(crawler.asked) > 1
    [line] = [it for it in caplog.records if it.levelno == logging.WARNING]
    assert line.getMessage().endswith("(TOPICCRAWL_PROXY_POOL): HTTP 404")
