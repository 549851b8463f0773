"""Pages on their way into the store: what is written, counted, and when the crawl must stop."""

from __future__ import annotations

import asyncio
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider, NotConfigured

from tests.support.page_items import item_of, run_of
from tests.support.small_web import ON_TOPIC, page
from tests.support.store_fakes import FlakyStore
from topiccrawl.crawl.judgments.deciding import Decision
from topiccrawl.crawl.session.lifecycle import close_session, open_session
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.crawl.storing import writer as storing
from topiccrawl.crawl.storing.near_misses import NearMisses
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.endings import CANNOT_START, STORE_LOST
from topiccrawl.errors import ConfigurationError
from topiccrawl.extensions.lifecycle import SessionLifecycle
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.items import PageItem
from topiccrawl.pipelines.drops import OffTopic
from topiccrawl.pipelines.store import StorePipeline
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import PageJudgment, StoreUnavailable
from topiccrawl.store.near_misses import unpack_near_miss

URI = "sqlite:///unused.sqlite"
HTML = page("归侨座谈", ON_TOPIC)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> FlakyStore:
    made = FlakyStore()

    def open_it(uri: str) -> FlakyStore:
        assert uri == URI
        return made

    monkeypatch.setattr(storing, "open_store", open_it)
    return made


def opened(tmp_path: Path, **overrides: Any) -> tuple[StorePipeline, CrawlSession, Crawler]:
    run, crawler = run_of(
        TOPICCRAWL_STORE_URI=URI,
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path / "spool"),
        TOPICCRAWL_STORE_FLUSH_SECONDS=0,
        **overrides,
    )
    return StorePipeline.from_crawler(crawler), run, crawler


def relevant(run: CrawlSession, number: int = 1, title: str = "归侨座谈") -> PageItem:
    item = item_of(run, HTML, f"http://a.example/{number}")
    item.title, item.body, item.relevance = title, ON_TOPIC, 0.5
    item.decision = Decision(PageJudgment(0.75), kept=True, near_miss=False, detail="0.5 is enough")
    return item


async def through(pipeline: StorePipeline, run: CrawlSession, *items: PageItem) -> None:
    await open_session(run)
    for item in items:
        assert await pipeline.process_item(item) is item
    await close_session(run, "finished", {})


def test_a_page_is_durable_with_its_outcome_when_the_pipeline_returns(
    store: FlakyStore, tmp_path: Path
) -> None:
    pipeline, run, crawler = opened(tmp_path)

    async def one() -> None:
        await open_session(run)
        assert [record.id for record in store.run_records] == [run.id]
        item = relevant(run)
        assert await pipeline.process_item(item) is item
        assert store.urls() == ["http://a.example/1"]
        await close_session(run, "finished", {})

    asyncio.run(one())
    (outcome,) = store.outcomes
    assert (outcome.verdict, outcome.reason, outcome.sequence) == ("stored", "relevant", 1)
    assert outcome.detail == "0.5 is enough"
    assert run.progress.stored == crawler.stats.get_value("topiccrawl/pages/stored") == 1


@pytest.mark.parametrize(("wanted", "kept"), [(False, None), (True, HTML)])
def test_html_is_kept_compressed_and_only_when_asked(
    store: FlakyStore, tmp_path: Path, wanted: bool, kept: bytes | None
) -> None:
    pipeline, run, _ = opened(tmp_path, TOPICCRAWL_STORE_HTML=wanted)
    asyncio.run(through(pipeline, run, relevant(run)))
    (record,) = store.pages.values()
    assert (None if record.html is None else zlib.decompress(record.html)) == kept


def test_a_near_miss_is_durable_beside_the_collection_before_it_is_dropped(
    store: FlakyStore, tmp_path: Path
) -> None:
    pipeline, run, crawler = opened(tmp_path, TOPICCRAWL_STORE_HTML=True)
    item = relevant(run)
    item.decision = Decision(
        PageJudgment(0.4), kept=False, near_miss=True, detail="0.5 is not enough"
    )

    async def one() -> None:
        await open_session(run)
        with pytest.raises(OffTopic, match=r"0\.5 is not enough; stored as a near miss"):
            await pipeline.process_item(item)
        assert [near.probability for near in store.near_misses] == [0.4]
        await close_session(run, "finished", {})

    asyncio.run(one())
    (near,) = map(unpack_near_miss, store.near_misses)
    assert (near.url, near.title, near.html) == (item.url, item.title, None)
    assert (store.urls(), run.progress.stored) == ([], 0)
    assert crawler.stats.get_value("topiccrawl/pages/near_misses") == 1


def test_a_page_that_the_store_refuses_is_not_counted_as_stored(
    store: FlakyStore, tmp_path: Path
) -> None:
    store.poison = frozenset({"毒"})
    pipeline, run, crawler = opened(tmp_path)
    asyncio.run(through(pipeline, run, relevant(run, 1, "毒"), relevant(run, 2)))
    assert store.urls() == ["http://a.example/2"]
    assert run.progress.stored == crawler.stats.get_value("topiccrawl/pages/stored") == 1
    assert crawler.stats.get_value("topiccrawl/pages/rejected_by_store") == 1


def test_while_the_store_is_away_pages_wait_in_the_spool_and_count_as_stored(
    store: FlakyStore, tmp_path: Path
) -> None:
    pipeline, run, _ = opened(tmp_path)

    async def outage() -> None:
        await open_session(run)
        store.away = True
        await pipeline.process_item(relevant(run))
        assert (store.urls(), run.progress.stored) == ([], 1)
        store.away = False
        await close_session(run, "finished", {})

    asyncio.run(outage())
    assert store.urls() == ["http://a.example/1"]


def test_the_crawl_stops_once_when_pages_can_be_kept_nowhere(
    store: FlakyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline, run, crawler = opened(tmp_path)
    asked: list[str] = []
    monkeypatch.setattr(run.control, "stop", asked.append)

    async def lost(*records: object) -> str:
        raise StoreUnavailable("disk full")

    async def crawl() -> None:
        await open_session(run)
        with monkeypatch.context() as patch:
            patch.setattr(run.store, "put", lost)
            for number in (1, 2):
                with pytest.raises(PageLostError):
                    await pipeline.process_item(relevant(run, number))
        await close_session(run, STORE_LOST, {})

    asyncio.run(crawl())
    assert asked == [STORE_LOST]
    assert run.control.store_lost
    assert run.progress.stored == 0
    assert crawler.stats.get_value("topiccrawl/pages/stored") is None
    assert store.run_records[-1].stop_reason == STORE_LOST
    assert not store.is_open


def _unreachable(uri: str) -> FlakyStore:
    class _Unreachable(FlakyStore):
        async def open(self) -> None:
            raise StoreUnavailable("nobody listens")

    return _Unreachable()


def _forbidden(uri: str) -> FlakyStore:
    class _Forbidden(FlakyStore):
        async def open(self) -> None:
            raise ConfigurationError("no right to write")

    return _Forbidden()


@pytest.mark.parametrize(
    ("opens", "message"),
    [(_unreachable, "nobody listens"), (_forbidden, "no right to write")],
)
def test_a_store_that_cannot_be_used_stops_the_run_at_its_start(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    opens: Callable[[str], FlakyStore],
    message: str,
) -> None:
    monkeypatch.setattr(storing, "open_store", opens)
    _, run, crawler = opened(tmp_path)
    lifecycle = SessionLifecycle.from_crawler(crawler)
    with pytest.raises(CloseSpider) as stopped:
        asyncio.run(lifecycle.spider_opened())
    assert stopped.value.reason == CANNOT_START
    assert message in str(run.control.start_error)
    asyncio.run(lifecycle.spider_closed(CANNOT_START))
    assert "could not start" in crawler.stats.get_value("topiccrawl/stop_reason")


def test_an_address_that_names_no_store_is_refused_before_anything_is_opened() -> None:
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_STORE_URI must be one of"):
        run_of(TOPICCRAWL_STORE_URI="oracle://host/pages")


def test_the_best_waiting_links_are_kept_with_their_place(
    store: FlakyStore, tmp_path: Path
) -> None:
    pipeline, run, _ = opened(tmp_path, TOPICCRAWL_STORE_QUEUED_LINKS=2)
    run.frontier.push(
        [
            QueuedLink(
                f"http://b.example/{i}", "b.example", LinkEvidence(score, parent="http://p/")
            )
            for i, score in enumerate((0.1, 0.9, 0.5))
        ]
    )
    asyncio.run(through(pipeline, run))
    assert [(it.url, it.verdict, it.sequence) for it in store.outcomes] == [
        ("http://b.example/1", "queued", 0),
        ("http://b.example/2", "queued", 0),
    ]
    assert store.outcomes[0].detail.startswith("number 1 in the queue")
    assert store.outcomes[0].link.score == 0.9


def test_with_an_empty_address_the_pipeline_is_off() -> None:
    _, crawler = run_of(TOPICCRAWL_STORE_URI="")
    with pytest.raises(NotConfigured):
        StorePipeline.from_crawler(crawler)


def test_last_judgments_that_fail_leave_the_run_its_end_and_nothing_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    uri = f"sqlite:///{tmp_path / 'store.sqlite'}"
    run, crawler = run_of(TOPICCRAWL_STORE_URI=uri, TOPICCRAWL_DUPLICATES="stories")

    async def failing(_self: NearMisses) -> None:
        raise RuntimeError("damaged")

    async def one() -> list[str]:
        await through(StorePipeline.from_crawler(crawler), run, relevant(run))
        return [task.get_name() for task in asyncio.all_tasks()]

    monkeypatch.setattr(NearMisses, "trim", failing)
    assert "settling" not in asyncio.run(one())
    assert "damaged" in caplog.text
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as db:
        assert db.execute("SELECT stop_reason FROM runs").fetchall() == [("finished",)]
