"""A run ends when the rest of a host that blocks is all that it waits for, and not before."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.page_items import run_of
from topiccrawl.crawl.control import CrawlControl
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.endings import BLOCKED
from topiccrawl.extensions.blocks import BlockWatcher
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.page.notcontent import NotContent
from topiccrawl.scoring.evidence import LinkEvidence

BLOCKING, OTHER = "www.blocking.example", "www.other.example"
CAPTCHA = NotContent("captcha", "滑动验证")


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Returns why a run stops in which one host blocks for an hour."""
    reasons: list[str] = []
    monkeypatch.setattr(CrawlControl, "stop", lambda self, reason: reasons.append(reason))

    def look(
        prepare: Callable[[CrawlSession], Any] = lambda run: None, **settings: Any
    ) -> list[str]:
        run, _ = run_of(
            TOPICCRAWL_BLOCKED_REST_SECONDS=3600,
            TOPICCRAWL_BLOCKED_WAIT_SECONDS=60,
            TOPICCRAWL_BACKOFF_SECONDS=0,
            **settings,
        )
        queue(run, BLOCKING)
        for _ in range(3):
            run.content.blocked(BLOCKING, CAPTCHA)
        prepare(run)
        BlockWatcher(run).look()
        return reasons

    return look


def queue(run: CrawlSession, host: str) -> None:
    run.frontier.push([QueuedLink(f"http://{host}/", host, LinkEvidence(1.0))])


def waits(seconds: float) -> Callable[[CrawlSession], None]:
    """Another host with a link that asked for a pause."""

    def prepare(run: CrawlSession) -> None:
        queue(run, OTHER)
        run.frontier.hold_host(OTHER, run.clock() + seconds)

    return prepare


def test_nothing_but_a_long_rest_ends_the_run(stopped: Callable[..., list[str]]) -> None:
    assert stopped() == [BLOCKED]


def test_a_link_of_another_host_is_waited_for_if_it_comes_first(
    stopped: Callable[..., list[str]],
) -> None:
    assert stopped(waits(1800)) == []


@pytest.mark.parametrize(("pauses", "reasons"), [(2, []), (3, [BLOCKED])])
def test_a_host_that_asks_for_nothing_but_pauses_is_not_waited_for_any_longer(
    stopped: Callable[..., list[str]], pauses: int, reasons: list[str]
) -> None:
    def prepare(run: CrawlSession) -> None:
        waits(1800)(run)
        for number in reversed(range(pauses)):
            now = run.clock() - number * 1800
            for _ in range(4):  # sent together
                run.content.rests.paused(OTHER, now, now + 1800)

    assert stopped(prepare) == reasons


def test_a_host_that_gives_pages_between_its_pauses_is_waited_for(
    stopped: Callable[..., list[str]],
) -> None:
    def prepare(run: CrawlSession) -> None:
        waits(1800)(run)
        for number in reversed(range(9)):
            run.content.given(OTHER, f"http://{OTHER}/{number}")
            now = run.clock() - number * 1800
            run.content.rests.paused(OTHER, now, now + 1800)

    assert stopped(prepare) == []


def test_a_link_that_comes_later_is_not(stopped: Callable[..., list[str]]) -> None:
    assert stopped(waits(7200)) == [BLOCKED]


def test_a_time_window_counts_only_for_links_that_wait_for_it(
    stopped: Callable[..., list[str]],
) -> None:
    hour = datetime.now(UTC).hour
    later = f"{(hour + 12) % 24:02}:00-{(hour + 13) % 24:02}:00"
    settings = {
        "TOPICCRAWL_HOST_WINDOWS": {OTHER: later},
        "TOPICCRAWL_HOST_WINDOWS_TIMEZONE": "UTC",
    }
    assert stopped(**settings) == [BLOCKED]
    assert stopped(lambda run: queue(run, OTHER), **settings) == [BLOCKED], "no further reason"
