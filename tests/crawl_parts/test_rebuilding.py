"""Which links of a lost queue are fetched again, by their outcomes in the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from scrapy.exceptions import DownloadTimeoutError, UnsupportedURLSchemeError
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl.crawl.queue.rebuilding import links_of_outcomes
from topiccrawl.crawl.requests.failures import BrowserFailed, ProxiesFailed, classify
from topiccrawl.crawl.requests.refused import (
    BlockedByHost,
    DamagedCompression,
    HostGone,
    LoginRests,
)
from topiccrawl.store.contract import OutcomeRecord

URL = "http://a.example/1"


class OneFailure:
    """A store with one failed link."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    async def outcomes(self, topic: str) -> AsyncIterator[OutcomeRecord]:
        at = datetime(2026, 11, 26, tzinfo=UTC)
        yield OutcomeRecord(topic, URL, "failed", self.reason, "", at, "run", 1)


def http(status: int) -> HttpError:
    return HttpError(Response(URL, status=status), "ignored")


@pytest.mark.parametrize(
    "error",
    [
        DownloadTimeoutError("60 s"),
        ProxiesFailed("no proxy is usable"),
        BrowserFailed("crashed"),
        DamagedCompression("checksum"),
        http(503),
        http(404),
        UnsupportedURLSchemeError("ftp"),
        HostGone(),
    ],
)
def test_a_link_is_fetched_again_if_its_failure_may_not_recur(error: Exception) -> None:
    reason, retryable = classify(error)
    store: Any = OneFailure(reason)
    others = asyncio.run(links_of_outcomes(store, "茶")).others
    assert [link.url for link in others.waiting] == ([URL] if retryable else [])
    assert [link.url for link in others.given_up] == ([] if retryable else [URL])


@pytest.mark.parametrize(
    "error",
    [
        BlockedByHost("blocked", "403", retry_at=1e9),
        BlockedByHost("captcha", "滑动验证", retry_at=1e9),
        LoginRests("site", until=1e9),
    ],
)
def test_a_link_that_waits_for_its_host_or_a_login_is_fetched_again(error: Exception) -> None:
    store: Any = OneFailure(classify(error)[0])
    others = asyncio.run(links_of_outcomes(store, "茶")).others
    assert [link.url for link in others.waiting] == [URL]
