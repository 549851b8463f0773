"""Pauses of logins whose servers do not answer."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from tests.support.logging_in import SECRETS, logins_file
from tests.support.small_web import project_settings
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.current import session_of
from topiccrawl.crawl.refused import LoginRests

if TYPE_CHECKING:
    from pathlib import Path


class _Spider(Spider):
    name = "other"


@pytest.mark.parametrize("hours", [-1, 24])
def test_a_pause_is_by_the_clock_of_the_queue_whatever_happens_to_that_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    async def answer(_control: CrawlControl, request: Request) -> Response:
        return Response(request.url, status=503)

    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    file = logins_file(tmp_path, 'url = "http://a.example/login"\nSECRETS')
    settings = project_settings(TOPICCRAWL_TOPIC="侨情", TOPICCRAWL_LOGINS=str(file))
    monkeypatch.setattr(CrawlControl, "download", answer)
    crawler = get_crawler(_Spider, dict(settings))
    session = session_of(crawler)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600 * hours)
    assert session.logins is not None
    site = session.logins.of("http://a.example/page")
    assert site is not None
    with pytest.raises(LoginRests) as rests:
        asyncio.run(site.mark())
    pause = session.settings.login_pause_seconds
    assert 0 < rests.value.until - session.clock() <= pause
