"""Messages for the user while a crawl runs and when it ends."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured

from tests.support.page_items import run_of, topicless
from topiccrawl.crawl.runs.gathering import RunGatherer
from topiccrawl.endings import CANNOT_START, STOP_REASONS, STORE_LOST, stop_sentence
from topiccrawl.extensions import progress
from topiccrawl.extensions.progress import ProgressReporter
from topiccrawl.frontier.contract import FrontierSize, QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.writer import StoreWriter


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("reason", ["finished", "closespider_pagecount"])
def test_a_crawl_without_a_page_is_never_a_success(reason: str) -> None:
    assert stop_sentence(reason, 0) == "no seed gave a page (see the log of the run)"
    assert stop_sentence(reason, 1) == STOP_REASONS[reason]


def test_a_queue_of_an_earlier_run_may_have_nothing_left_to_fetch() -> None:
    assert stop_sentence("finished", 0, done=32) == STOP_REASONS["finished"]


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        ("shutdown", "stopped by the user"),
        (STORE_LOST, "store"),
        (CANNOT_START, "could not start"),
        ("closespider_timeout", "time limit"),
    ],
)
def test_other_reasons_are_reported_unchanged_with_or_without_pages(reason: str, word: str) -> None:
    assert stop_sentence(reason, 0) == stop_sentence(reason, 9)
    assert word in stop_sentence(reason, 0)


def test_an_unknown_reason_is_passed_on() -> None:
    assert stop_sentence("quota_used_up", 5) == "quota_used_up"


def test_the_line_holds_the_runs_numbers() -> None:
    run, _ = run_of()
    run.progress.pages, run.progress.relevant, run.progress.stored = 8, 6, 5
    run.frontier.push(
        [
            QueuedLink(f"http://h{i % 2}.example/{i}", f"h{i % 2}", LinkEvidence(0.5))
            for i in range(4)
        ]
    )
    line = ProgressReporter(run, 60, "off").line()
    assert line.startswith(
        "8 pages, 5 stored, harvest rate 75.0% as first judged, queue 4 on 2 hosts, "
    )
    assert line.endswith(" pages/s")
    run.progress.pages = 1
    assert ProgressReporter(run, 60, "off").line().startswith("1 page, 5 stored, ")


def test_the_line_says_that_a_server_is_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run, _ = run_of(TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}/pages.sqlite")
    size = FrontierSize(4, 0, 0, 0, 0, 2, away=True)
    monkeypatch.setattr(type(run.frontier), "size", lambda self: size)
    monkeypatch.setattr(StoreWriter, "away", True)
    line = ProgressReporter(run, 60, "off").line()
    assert line.endswith("queue 4 on 2 hosts, the store is away, the server of the queue is away")
    state = RunGatherer(run, "topic", [], 2.0).present("running", None)
    assert state.waits_for == "the server of the queue is away"


def test_the_line_of_a_crawl_that_has_not_begun_divides_by_nothing() -> None:
    run, _ = run_of()
    assert "0 pages, 0 stored, harvest rate 0.0%" in ProgressReporter(run, 60, "off").line()


@pytest.mark.parametrize(
    ("live", "terminal", "drawn"),
    [
        ("auto", False, False),
        ("auto", True, True),
        ("on", False, True),
        ("off", True, False),
    ],
)
def test_the_live_line_is_drawn_on_a_terminal_or_when_asked(
    monkeypatch: pytest.MonkeyPatch, live: str, terminal: bool, drawn: bool
) -> None:
    stream = _Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(logging.root, "handlers", [])
    _, crawler = run_of(TOPICCRAWL_PROGRESS_LIVE=live)
    reporter = ProgressReporter.from_crawler(crawler)

    async def crawl() -> None:
        reporter.spider_opened()
        await asyncio.sleep(0)
        reporter.spider_closed("finished")
        reporter.session_closed()
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1  # the clocks have stopped

    asyncio.run(crawl())
    written = stream.getvalue()
    assert ("侨情: 0 pages" in written) is drawn
    assert ("\x1b" in written) is drawn
    assert written == "" or written.endswith("\r\x1b[2K")  # the line is wiped at the end


def test_the_summary_contains_why_the_crawl_stopped(caplog: pytest.LogCaptureFixture) -> None:
    run, _ = run_of()
    reporter = ProgressReporter(run, 60, "off")
    run.progress.dropped, run.progress.failed = 3, 4

    async def crawl() -> None:
        reporter.spider_opened()
        reporter.spider_closed("finished")
        reporter.session_closed()

    with caplog.at_level(logging.INFO, logger="topiccrawl"):
        asyncio.run(crawl())
    first, last = caplog.messages[0], caplog.messages[-1]
    assert first.startswith("Topic 侨情: ")
    assert run.id in first
    assert "pages/s; dropped 3, failed 4" in last
    assert last.endswith("Stopped because no seed gave a page (see the log of the run).")


def test_the_summary_counts_pages_that_were_judged_again_while_the_crawl_closed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    run, _ = run_of()
    reporter = ProgressReporter(run, 60, "off")

    async def crawl() -> None:
        reporter.spider_opened()
        reporter.spider_closed("finished")
        run.progress.withdrawn, run.progress.entered, run.progress.joined = 7, 2, 3
        reporter.session_closed()

    with caplog.at_level(logging.INFO, logger="topiccrawl"):
        asyncio.run(crawl())
    assert (
        "; judged again: 7 left, 2 entered; compared again: 3 became copies, 0 are none any more; dropped 0"
        in caplog.messages[-1]
    )


def test_a_crawl_that_closes_slowly_logs_what_is_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(progress, "_CLOSING_SECONDS", 0.001)
    run, _ = run_of(TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}/pages.sqlite")
    assert run.store is not None
    counts = run.store.counts
    reporter = ProgressReporter(run, 60, "off")

    async def line(text: str) -> None:
        for _attempt in range(10_000):
            if f"Closing: {text}" in caplog.messages:
                return
            await asyncio.sleep(0.001)
        pytest.fail(f"not logged: {text}")

    async def crawl() -> None:
        reporter.spider_opened()
        counts.accepted, counts.written = 7, 4
        await asyncio.sleep(0.02)
        assert not any("Closing" in message for message in caplog.messages)
        reporter.spider_closed("finished")
        await line("3 records are still to be written to the store")
        counts.spooled = 3
        await line("pages are judged and compared for the last time")
        reporter.session_closed()

    with caplog.at_level(logging.INFO, logger="topiccrawl"):
        asyncio.run(crawl())
    assert caplog.messages[-1].startswith("Summary: ")


def test_without_a_topic_it_is_off() -> None:
    with pytest.raises(NotConfigured):
        ProgressReporter.from_crawler(topicless())
