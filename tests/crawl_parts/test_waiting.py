"""What a crawl says while it can do nothing but wait."""

from __future__ import annotations

import logging
from datetime import datetime

import pytest

from tests.support.page_items import run_of
from topiccrawl.crawl.account.waiting import SHORT_SECONDS, Wait, local_time, waiting
from topiccrawl.crawl.runs.gathering import RunGatherer
from topiccrawl.extensions.progress import ProgressReporter
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.scoring.evidence import LinkEvidence

#: Noon of a day, by the clock of this machine.
_NOON = datetime(2026, 11, 2, 12, 0).timestamp()


def _links(count: int = 1, host: str = "a.example") -> list[QueuedLink]:
    return [QueuedLink(f"http://{host}/{n}", host, LinkEvidence(0.5)) for n in range(count)]


def _frontier(failing: int = 1, *, seconds: float = 300.0) -> MemoryFrontier:
    """A frontier whose links all have failed at noon."""
    frontier = MemoryFrontier(FrontierLimits())
    frontier.push(_links(failing))
    for _ in range(failing):
        lease = frontier.pop((), _NOON)
        assert lease is not None
        frontier.fail(lease.id, "http-500", _NOON + seconds)
    return frontier


def test_links_that_wait_for_their_next_try_are_counted_with_the_time_and_the_reason() -> None:
    wait = waiting(_frontier(2), _NOON)
    assert wait == Wait(_NOON + 300, retries=2, paused=0, reasons=("http-500",))
    assert str(wait).endswith("12:05:00: 2 links wait for their next try (HTTP 500)")


def test_links_of_paused_hosts_are_waited_for_too() -> None:
    frontier = _frontier()
    frontier.push(_links(3, "b.example"))
    frontier.hold_host("b.example", _NOON + 60)
    wait = waiting(frontier, _NOON)
    assert wait == Wait(_NOON + 60, retries=1, paused=3, reasons=("http-500",))
    assert "1 link waits for its next try" in str(wait)
    assert "3 links wait for their hosts" in str(wait)


def test_a_crawl_with_a_page_under_way_or_nothing_left_does_not_wait() -> None:
    frontier = _frontier()
    frontier.push(_links(1, "b.example"))
    assert frontier.pop((), _NOON) is not None
    assert waiting(frontier, _NOON) is None
    assert waiting(MemoryFrontier(FrontierLimits()), _NOON) is None


def test_the_delay_between_two_pages_of_a_host_is_no_wait() -> None:
    assert waiting(_frontier(seconds=SHORT_SECONDS / 2), _NOON) is None


def test_a_link_that_came_back_without_a_failure_has_no_reason() -> None:
    wait = Wait(_NOON, retries=1, paused=0)
    assert str(wait).endswith(": 1 link waits for its next try")


def test_a_moment_of_another_day_has_its_date() -> None:
    assert local_time(_NOON, now=_NOON - 60) == "12:00:00"
    assert local_time(_NOON, now=_NOON - 86_400) == "2026-11-02 12:00:00"


@pytest.mark.parametrize(("language", "word"), [("en", "HTTP 500"), ("zh_CN", "1 个链接等待重试")])
def test_the_user_reads_once_what_the_crawl_waits_for(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, language: str, word: str
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    run, _ = run_of()
    run.frontier.push(_links())
    lease = run.frontier.pop((), run.clock())
    assert lease is not None
    reporter = ProgressReporter(run, 60, "off")
    run.progress.pages = 100
    with caplog.at_level(logging.INFO, logger="topiccrawl"):
        reporter.look()
        reporter.look()
        assert not caplog.messages
        run.frontier.fail(lease.id, "http-500", run.clock() + 300)
        for _look in range(4):
            reporter.look()
    assert len(caplog.messages) == 1
    assert word in caplog.messages[0]
    assert "Ctrl-C" in caplog.messages[0]
    until = local_time(run.frontier.next_ready(run.clock()) or 0.0)
    assert until in caplog.messages[0]
    assert reporter.line().endswith(until)  # instead of a speed
    assert until not in reporter.line(whole=True)


def test_the_speed_is_that_of_the_last_minute_and_at_the_end_that_of_the_run() -> None:
    run, _ = run_of()
    reporter = ProgressReporter(run, 60, "off")
    run.progress.pages = 1_000
    reporter.look()
    assert reporter.line().endswith(" 0.0 pages/s")
    assert not reporter.line(whole=True).endswith(" 0.0 pages/s")


def test_a_queue_that_is_lost_with_the_run_is_not_called_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    run, _ = run_of(TOPICCRAWL_FRONTIER_BACKEND="sqlite", TOPICCRAWL_STORE_URI="")
    run.frontier.push(_links())
    run.frontier.hold_host("a.example", run.clock() + 300)
    reporter = ProgressReporter(run, 60, "off")
    with caplog.at_level(logging.INFO, logger="topiccrawl"):
        reporter.look()
        reporter.look()
    assert caplog.messages[0].endswith("Ctrl-C ends the run now")


def test_the_console_shows_what_the_log_says_of_a_time_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, _ = run_of()
    monkeypatch.setattr(type(run.windows), "opens_at", lambda self, host, now: now + 300)
    run.frontier.push(_links())
    run.frontier.hold_host("a.example", run.clock() + 300)
    state = RunGatherer(run, "topic", [], 2.0).present("running", None)
    assert "waits for the time window of its host" in state.waits_for
