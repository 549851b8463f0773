"""When a run that only refreshes ends: not while another worker may leave it something."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import DontCloseSpider

from topiccrawl.crawl.requests.meta import LEASE
from topiccrawl.extensions.refreshing import RevisitFeeder
from topiccrawl.frontier.contract import FrontierSize

NOTHING = FrontierSize(queued=0, delayed=0, leased=0, done=9, given_up=0, hosts=0)
RESTING = FrontierSize(queued=0, delayed=1, leased=0, done=8, given_up=0, hosts=0)
ELSEWHERE = FrontierSize(queued=0, delayed=0, leased=1, done=8, given_up=0, hosts=0, elsewhere=1)


class Run:
    """A feeder whose refresher has nothing to offer."""

    def __init__(self, size: FrontierSize, *, leads: bool, under_way: int, opening: float) -> None:
        self.now = 1_000.0

        async def offer(most: int) -> int:
            if self.error is not None:
                raise self.error
            return self.due.pop() if self.due else 0

        self.due: list[int] = []
        self.error: Exception | None = None
        session: Any = SimpleNamespace(
            clock=lambda: self.now,
            control=SimpleNamespace(stopping=False, wake=lambda: None),
            frontier=SimpleNamespace(size=lambda: size),
            settings=SimpleNamespace(refresh_hours=0.0),
        )
        refresher: Any = SimpleNamespace(
            leads=leads, under_way=under_way, only=True, offer=offer, next_due=lambda: None
        )
        self.feeder = RevisitFeeder(session, refresher, all_due=True)
        self.now += opening

    async def seconds_open(self, most: float) -> float:
        """Return for how many seconds the idle spider is kept open, *most* at most."""
        since = self.now
        while self.now < since + most:
            try:
                self.feeder.spider_idle()
            except DontCloseSpider:
                self.feeder.look()  # the next look, without its pause
                await asyncio.sleep(0)
                self.now += 1
            else:
                break
        await self.feeder.spider_closed()
        return self.now - since


@pytest.mark.parametrize(
    ("size", "leads", "under_way", "least", "most"),
    [
        (NOTHING, True, 0, 1, 2),
        (RESTING, True, 0, 1, 2),
        (RESTING, True, 1, 20, 40),
        (ELSEWHERE, True, 1, 20, 40),
        (NOTHING, True, 1, 1, 2),
        (NOTHING, False, 0, 20, 40),
    ],
    ids=[
        "nothing is due",
        "a failed page is tried another time",
        "a page with which two workers have died rests",
        "another worker makes a visit",
        "a visit was given up",
        "another worker leads",
    ],
)
@pytest.mark.parametrize("opening", [0.0, 100.0], ids=["opened at once", "opened slowly"])
def test_a_refresh_without_work_waits_for_what_others_may_leave(
    size: FrontierSize, leads: bool, under_way: int, least: float, most: float, opening: float
) -> None:
    run = Run(size, leads=leads, under_way=under_way, opening=opening)
    assert least <= asyncio.run(run.seconds_open(100)) <= most


def test_a_refresh_whose_offering_fails_logs_it_and_ends(caplog: pytest.LogCaptureFixture) -> None:
    run = Run(NOTHING, leads=True, under_way=0, opening=0.0)
    run.error = RuntimeError("a bug")
    assert asyncio.run(run.seconds_open(100)) <= 2
    assert "a bug" in caplog.text


def test_a_refresh_looks_once_more_for_what_was_held_back_while_visits_were_under_way() -> None:
    async def ended() -> float:
        run = Run(NOTHING, leads=True, under_way=0, opening=0.0)
        run.feeder.request_reached_downloader(Request("http://a.example/", meta={LEASE: 1}))
        await asyncio.sleep(0)  # nothing could be offered meanwhile
        run.due = [3]
        await run.seconds_open(100)
        return len(run.due)

    assert asyncio.run(ended()) == 0
