"""What becomes of every URL that was tried: its record, its lease, and the run's own record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, exceptions
from scrapy.exceptions import DropItem, IgnoreRequest, NotConfigured
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from tests.support.page_items import item_of, run_of, topicless
from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
)
from tests.support.small_web import response as answer
from tests.support.store_fakes import FlakyStore
from topiccrawl.crawl.refreshing.marks import RevisitMark
from topiccrawl.crawl.refreshing.visit import Revisit
from topiccrawl.crawl.requests.failures import RETRYABLE_STATUSES, classify
from topiccrawl.crawl.requests.meta import ATTEMPT, LEASE
from topiccrawl.crawl.storing import writer as storing
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.extensions.outcomes import OutcomeRecorder
from topiccrawl.frontier.backend import OpenFrontier
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.memory.backend import MemoryBackend
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.items import PageItem
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.urls.identity import link_id

HOME = "http://a.example/"


def http(status: int) -> HttpError:
    return HttpError(Response(HOME, status=status), "ignored")


# -- names of failures -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "reason", "retryable"),
    [
        (http(404), "http-404", False),
        (http(403), "http-403", False),
        (http(410), "http-410", False),
        (http(429), "http-429", True),
        (http(408), "http-408", True),
        (http(500), "http-500", True),
        (http(503), "http-503", True),
        (http(501), "http-501", False),
        (IgnoreRequest("Forbidden by robots.txt"), "robots", False),
        (IgnoreRequest("max redirections reached"), "redirects", False),
        (IgnoreRequest("offsite"), "ignored", False),
        (IgnoreRequest(), "ignored", False),
        (exceptions.DownloadTimeoutError("60 s"), "timeout", True),
        (exceptions.DownloadConnectionRefusedError("no"), "connection-refused", True),
        (exceptions.CannotResolveHostError("a.example"), "dns", True),
        (exceptions.DownloadFailedError("reset"), "connection-lost", True),
        (exceptions.ResponseDataLossError("cut"), "data-loss", True),
        (exceptions.DownloadCancelledError("too large"), "too-large", False),
        (exceptions.UnsupportedURLSchemeError("ftp"), "scheme", False),
        (ValueError("callback"), "value", False),
        (ZeroDivisionError(), "zero-division", False),
        (UnicodeDecodeError("gbk", b"\xff", 0, 1, "bad"), "unicode-decode", False),
    ],
)
def test_errors_have_a_stable_word_and_are_retryable_or_not(
    error: Exception, reason: str, retryable: bool
) -> None:
    assert classify(error) == (reason, retryable)


def test_only_answers_that_may_change_soon_are_tried_again() -> None:
    assert {s for s in range(400, 600) if classify(http(s))[1]} == RETRYABLE_STATUSES
    assert not {status for status in RETRYABLE_STATUSES if status in range(400, 500)} - {408, 429}


# -- crawls ----------------------------------------------------------------------------------------


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> FlakyStore:
    made = FlakyStore()

    async def titles(topic: str) -> Any:
        for _ in ():
            yield _

    monkeypatch.setattr(made, "titles", titles, raising=False)
    monkeypatch.setattr(storing, "open_store", lambda uri: made)
    return made


Answers = Mapping[str, bytes | Response | Callable[[Request], Response]]


def crawl(tmp_path: Path, pages: Answers, **settings: Any) -> tuple[SmallCrawl, SmallWeb]:
    web = SmallWeb(pages)
    given = {
        "TOPICCRAWL_STORE_URI": "sqlite:///unused.sqlite",
        "TOPICCRAWL_CONTROL": False,
        "TOPICCRAWL_STORE_SPOOL_DIR": str(tmp_path / "spool"),
        "TOPICCRAWL_STORE_FLUSH_SECONDS": 0,
        "RETRY_ENABLED": False,
        **settings,
    }
    return crawl_small(web, [HOME], **given), web


def last_of(store: FlakyStore) -> dict[str, OutcomeRecord]:
    """The last outcome of each URL: what an upsert keeps."""
    return {record.url: record for record in store.outcomes}


def test_every_url_that_was_tried_leaves_an_outcome(store: FlakyStore, tmp_path: Path) -> None:
    pages = {
        HOME: page(
            "归侨座谈",
            ON_TOPIC * 3,
            "".join(link(path) for path in ("/off", "/gone", "/private/x", "/png", "/moved")),
        ),
        f"{HOME}off": page("体育", OFF_TOPIC * 3),
        f"{HOME}png": b"\x89PNG\r\n\x1a\n" + bytes(100),
        f"{HOME}moved": answer(f"{HOME}moved", status=301, Location="/new"),
        f"{HOME}new": page("侨乡博物馆展览开幕", ON_TOPIC * 2),
    }
    done, _ = crawl(tmp_path, pages)
    outcomes = last_of(store)
    assert {url.removeprefix(HOME): (it.verdict, it.reason) for url, it in outcomes.items()} == {
        "": ("stored", "relevant"),
        "off": ("dropped", "off-topic"),
        "gone": ("failed", "http-404"),
        "private/x": ("failed", "robots"),
        "png": ("dropped", "not-html"),
        "moved": ("dropped", "redirected"),
        "new": ("stored", "relevant"),
    }
    assert outcomes[f"{HOME}gone"].detail == "the server answered with status 404"
    assert outcomes[f"{HOME}moved"].detail == f"redirected to {HOME}new"
    assert outcomes[f"{HOME}png"].relevance is None
    assert outcomes[f"{HOME}off"].relevance == 0.0
    assert outcomes[f"{HOME}gone"].link.parent == HOME
    assert sorted(it.sequence for it in store.outcomes) == list(range(1, 8))
    size = done.run.frontier.size()
    assert (size.leased, size.queued, size.delayed) == (0, 0, 0)
    assert done.stats["topiccrawl/failed/http-404"] == 1
    assert done.stats["topiccrawl/failed/robots"] == 1
    assert done.stats["topiccrawl/dropped/off-topic"] == 1
    assert done.run.progress.failed == 2


def test_a_failure_that_may_pass_is_tried_again_until_the_last_attempt(
    store: FlakyStore, tmp_path: Path
) -> None:
    pages = {
        HOME: page("归侨座谈", ON_TOPIC * 3, link("/busy") + link("/gone")),
        f"{HOME}busy": answer(f"{HOME}busy", status=503),
    }
    done, web = crawl(
        tmp_path, pages, TOPICCRAWL_RETRY_DELAY_SECONDS=0, TOPICCRAWL_RETRY_MAX_ATTEMPTS=3
    )
    assert web.asked.count(f"{HOME}busy") == 3
    assert web.asked.count(f"{HOME}gone") == 1
    frontier = done.run.frontier
    assert frontier.size().given_up == 2
    assert frontier.reason(link_id(f"{HOME}busy")) == "http-503"
    assert done.stats["topiccrawl/failed/http-503"] == 3
    assert last_of(store)[f"{HOME}busy"].reason == "http-503"


def test_a_page_that_answers_at_the_second_attempt_is_stored(
    store: FlakyStore, tmp_path: Path
) -> None:
    answers = iter(
        (
            answer(f"{HOME}busy", status=503),
            answer(f"{HOME}busy", page("侨乡博物馆展览开幕", ON_TOPIC * 2)),
        )
    )
    pages: Answers = {
        HOME: page("归侨座谈", ON_TOPIC * 3, link("/busy")),
        f"{HOME}busy": lambda request: next(answers),
    }
    done, _ = crawl(tmp_path, pages, TOPICCRAWL_RETRY_DELAY_SECONDS=0)
    assert last_of(store)[f"{HOME}busy"].verdict == "stored"
    assert done.run.frontier.size().done == 2


def test_the_delay_before_another_try_is_the_users_and_grows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The frontier's clock moves on with each failure: nothing waits."""
    pages = {HOME: answer(HOME, status=503)}
    now = [1_000.0]
    waits: list[float] = []

    class Delaying(MemoryFrontier):
        def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
            again = super().fail(id, reason, retry_at)
            if retry_at is not None:
                waits.append(retry_at - now[0])
                now[0] = retry_at
            return again

    opened = OpenFrontier(Delaying(FrontierLimits(max_attempts=3)), lambda: now[0])
    monkeypatch.setattr(MemoryBackend, "open", lambda *_, **__: opened)
    web = SmallWeb(pages)
    crawl_small(web, [HOME], RETRY_ENABLED=False, TOPICCRAWL_RETRY_DELAY_SECONDS=7)
    assert len(web.asked) == 3
    assert waits == [7.0, 28.0, 112.0]


def test_the_runs_record_contains_how_it_ended(store: FlakyStore, tmp_path: Path) -> None:
    done, _ = crawl(tmp_path, {HOME: page("归侨座谈", ON_TOPIC * 3)})
    first, last = store.run_records
    assert (first.id, first.finished_at, first.stop_reason) == (done.run.id, None, "")
    assert last.id == first.id
    assert last.finished_at is not None
    assert last.finished_at >= last.started_at
    assert last.stop_reason == "finished"
    assert last.stats["topiccrawl/pages/stored"] == 1
    assert last.stats["topiccrawl/harvest_rate"] == 1.0
    assert "frontier ran dry" in str(last.stats["topiccrawl/stop_reason"])
    assert done.stats["topiccrawl/store/accepted"] >= 3
    assert not store.is_open


def test_a_page_limit_is_the_stop_reason(store: FlakyStore, tmp_path: Path) -> None:
    pages = {HOME: page("归侨座谈", ON_TOPIC * 3, "".join(link(f"/{i}") for i in range(9)))}
    crawl(tmp_path, pages, CLOSESPIDER_PAGECOUNT=3)
    assert store.run_records[-1].stop_reason == "closespider_pagecount"


def test_a_pipeline_that_breaks_on_a_page_is_recorded_and_the_crawl_goes_on(
    store: FlakyStore, tmp_path: Path
) -> None:
    class Broken:
        def process_item(self, item: Any) -> Any:
            if item.url.endswith("/bad"):
                raise ZeroDivisionError("by nothing")
            return item

    pages = {
        HOME: page("归侨座谈", ON_TOPIC * 3, link("/bad") + link("/good")),
        f"{HOME}bad": page("侨乡博物馆展览开幕", ON_TOPIC * 2),
        f"{HOME}good": page("华侨农场改革座谈", ON_TOPIC * 4),
    }
    done, _ = crawl(tmp_path, pages, ITEM_PIPELINES={Broken: 500})
    bad = last_of(store)[f"{HOME}bad"]
    assert (bad.verdict, bad.reason) == ("failed", "pipeline-error")
    assert bad.detail == "ZeroDivisionError: by nothing"
    assert last_of(store)[f"{HOME}good"].verdict == "stored"
    assert done.run.frontier.size().leased == 0
    assert done.stats["topiccrawl/failed/pipeline-error"] == 1


def test_a_callback_that_fails_is_recorded_unless_its_page_is_yielded(
    store: FlakyStore, tmp_path: Path
) -> None:
    class Failing(TopicSpider):
        name = "failing"

        def parse(self, response: Response) -> Any:
            if response.url.endswith("/before"):
                raise ZeroDivisionError("by nothing")
            yield from super().parse(response)
            if response.url.endswith("/after"):
                raise ZeroDivisionError("by nothing")

    pages = {
        HOME: page("归侨座谈", ON_TOPIC * 3, link("/before") + link("/after") + link("/good")),
        f"{HOME}before": page("侨乡博物馆展览开幕", ON_TOPIC * 2),
        f"{HOME}after": page("华侨农场改革座谈", ON_TOPIC * 4),
        f"{HOME}good": page("侨联换届会议召开", ON_TOPIC * 5),
    }
    done, _ = crawl(tmp_path, pages, spider=Failing)
    before = last_of(store)[f"{HOME}before"]
    assert (before.verdict, before.reason) == ("failed", "zero-division")
    assert last_of(store)[f"{HOME}after"].verdict == "stored"
    assert last_of(store)[f"{HOME}good"].verdict == "stored"
    assert done.run.frontier.size().leased == 0
    assert done.stats["topiccrawl/failed/zero-division"] == 1


def test_a_page_lost_with_its_store_goes_back_to_the_frontier() -> None:
    run, crawler = run_of()
    run.frontier.push([QueuedLink(HOME, "a.example", LinkEvidence(1.0))])
    lease = run.frontier.pop((), run.clock())
    assert lease is not None
    recorder = OutcomeRecorder.from_crawler(crawler)
    item = item_of(run, page("侨务", ON_TOPIC), HOME, lease=lease.id)
    asyncio.run(recorder.item_dropped(item, PageLostError()))
    assert run.frontier.size().delayed == 1
    assert crawler.stats.get_value("topiccrawl/failed/store-lost") == 1


def test_a_revisit_lost_with_its_store_goes_back_to_the_frontier() -> None:
    class Away:
        async def dropped(self, item: PageItem, reason: str) -> None:
            raise PageLostError

    run, crawler = run_of()
    run.frontier.push([QueuedLink(HOME, "a.example", LinkEvidence(1.0))])
    lease = run.frontier.pop((), run.clock())
    assert lease is not None
    recorder = OutcomeRecorder(replace(run, visits=Away()))  # type: ignore[arg-type]
    item = item_of(run, page("侨务", ON_TOPIC), HOME, lease=lease.id)
    item.revisit = Revisit(RevisitMark(HOME), None)
    asyncio.run(recorder.item_dropped(item, DropItem("no body")))
    assert run.frontier.size().delayed == 1
    assert crawler.stats.get_value("topiccrawl/failed/store-lost") == 1


@pytest.mark.parametrize(
    ("attempt", "status", "state"),
    [(1, 500, "delayed"), (2, 500, "delayed"), (3, 500, "leased"), (1, 404, "leased")],
)
def test_only_a_link_that_comes_back_returns_before_its_outcome_is_durable(
    attempt: int, status: int, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes part in ranking rounds; a link that is given up would be lost without its outcome."""
    run, crawler = run_of(TOPICCRAWL_RETRY_MAX_ATTEMPTS=3, TOPICCRAWL_RETRY_DELAY_SECONDS=0)
    run.frontier.push([QueuedLink(HOME, "a.example", LinkEvidence(1.0))])
    for _ in range(attempt - 1):
        lease = run.frontier.pop((), run.clock())
        assert lease is not None
        assert run.frontier.fail(lease.id, "http-500", run.clock())
    lease = run.frontier.pop((), run.clock())
    assert lease is not None
    states = []

    async def write(outcome: OutcomeRecord) -> None:
        states.append(run.frontier.size())

    monkeypatch.setattr(run.outcomes, "write", write)
    recorder = OutcomeRecorder.from_crawler(crawler)
    meta = {LEASE: lease.id, ATTEMPT: lease.attempt}
    asyncio.run(recorder.request_failed(Request(HOME, meta=meta), http(status)))
    assert [getattr(size, state) for size in states] == [1]
    assert run.frontier.size().leased == 0


def test_items_of_other_spiders_are_left_alone() -> None:
    run, crawler = run_of()
    recorder = OutcomeRecorder.from_crawler(crawler)

    async def foreign() -> None:
        await recorder.item_scraped({"a": 1})
        await recorder.item_dropped({"a": 1}, ValueError())
        await recorder.item_error({"a": 1}, Failure(ValueError()))

    asyncio.run(foreign())
    assert (run.progress.dropped, run.progress.failed, run.progress.outcomes) == (0, 0, 0)


def test_without_a_topic_it_is_off() -> None:
    with pytest.raises(NotConfigured):
        OutcomeRecorder.from_crawler(topicless())
