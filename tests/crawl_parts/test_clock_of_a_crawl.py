"""The machine's clock is set while a crawl runs: what waits, waits by the clock of the queue."""

from __future__ import annotations

import asyncio
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from tests.support.logging_in import SECRETS, logins_file
from tests.support.small_web import project_settings
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.requests.refused import LoginRests
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.page.dates import CHINA_TIME


class _Spider(Spider):
    name = "other"


def session_with(**settings: Any) -> CrawlSession:
    given = project_settings(TOPICCRAWL_TOPIC="侨情", **settings)
    return session_of(get_crawler(_Spider, dict(given)))


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets the machine's clock to so many hours after half past noon in China."""

    def set_clock(hours: float) -> None:
        moment = datetime(2026, 3, 2, 12, 30, tzinfo=CHINA_TIME).timestamp() + 3600 * hours
        monkeypatch.setattr(time, "time", lambda: moment)

    set_clock(0)
    return set_clock


@pytest.mark.parametrize("hours", [-1, 24])
def test_a_login_that_does_not_answer_pauses_no_longer_than_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_clock: Any, hours: int
) -> None:
    async def answer(_control: CrawlControl, request: Request) -> Response:
        return Response(request.url, status=503)

    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(CrawlControl, "download", answer)
    file = logins_file(tmp_path, 'url = "http://a.example/login"\nSECRETS')
    session = session_with(TOPICCRAWL_LOGINS=str(file))
    set_clock(hours)
    assert session.logins is not None
    site = session.logins.of("http://a.example/page")
    assert site is not None
    with pytest.raises(LoginRests) as rests:
        asyncio.run(site.mark())
    pause = session.settings.login_pause_seconds
    assert 0 < rests.value.until - session.clock() <= pause


@pytest.mark.parametrize("hours", [-8, -1, 8])
def test_the_windows_of_hosts_are_by_the_time_of_day(set_clock: Any, hours: int) -> None:
    begin = (12 + hours + 2) % 24
    session = session_with(TOPICCRAWL_HOST_WINDOWS={"a.example": f"{begin:02}:00-{begin:02}:59"})
    set_clock(hours)
    opens = session.windows.opens_at("a.example", session.clock())
    assert opens is not None
    assert opens - session.clock() == pytest.approx(5400, abs=60)
    set_clock(hours + 2)
    assert session.windows.opens_at("a.example", session.clock()) is None
