"""Copies while a crawl runs: the look before a page is written, and what settles the rest."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support import mongo_server, redis_server
from tests.support.journal_in_memory import OneJournal
from tests.support.planted_copies import planted
from tests.support.redis_support import running
from tests.support.store_memory import URI_OF_TESTS
from tests.support.store_records import TOPIC, in_loop
from topiccrawl.crawl.copies.rule import NoRule
from topiccrawl.crawl.copies.signing import PageSigner
from topiccrawl.crawl.copies.stories import StoryRule
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.judgments.given import Judgments
from topiccrawl.crawl.judgments.rejudged import Rejudged
from topiccrawl.crawl.judgments.rejudging import Rejudging
from topiccrawl.crawl.settling.running import Settling
from topiccrawl.crawl.settling.settling import StoringCrawl, settle
from topiccrawl.dedup.signing import Signer
from topiccrawl.dedup.tokens import METHOD
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.store.contract import PageJudgment, PageRecord, Store, StoreUnavailable
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter

SIGNER = Signer()
STORY = planted(1)["story-0"]
ALONE = planted(1)["alone-0"][0]


def fresh(page: PageRecord, **changes: Any) -> PageRecord:
    """The page as a crawl would write it, which the rule may change."""
    return replace(page, **changes)


@asynccontextmanager
async def worker(
    uri: str, spool: Path, *, alone: bool = True
) -> AsyncIterator[tuple[StoreWriter, StoryRule]]:
    async with StoreWriter(open_store(uri), Spool(spool, TOPIC), flush_seconds=0) as writer:
        yield writer, StoryRule(writer, alone=alone, signer=PageSigner(SIGNER))


def settling(writer: StoreWriter, rule: StoryRule, frontier: Any) -> tuple[Settling, Counter[str]]:
    counted: Counter[str] = Counter()
    control: Any = SimpleNamespace(
        store_lost=False, count=lambda name, number=1: counted.update({name: number})
    )
    return Settling(writer, rule, lambda: frontier.try_lead(1_000.0), control), counted


async def write(writer: StoreWriter, rule: StoryRule, page: PageRecord) -> None:
    outcome = make.outcome(
        url=page.url, verdict="duplicate" if page.copy_of else "stored", reason=page.relation
    )
    await writer.put(page, outcome)
    rule.durable(page.url)


@in_loop
async def test_a_page_of_a_new_text_is_alone_and_a_copy_is_marked_before_it_is_written(
    tmp_path: Path,
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        first, copy, edited = (fresh(page) for page in STORY[:3])
        await rule.mark(first)
        assert (first.story, first.copy_of, first.compared) == (first.id, "", METHOD)
        await write(writer, rule, first)
        assert not rule.in_flight(first.tokens)
        await rule.mark(copy)
        assert (copy.copy_of, copy.relation, copy.compared) == (first.url, "copy", 0)
        assert copy.relation_detail
        await write(writer, rule, copy)
        await rule.mark(edited)
        assert (edited.copy_of, edited.relation) == (first.url, "edited")


@in_loop
async def test_of_two_copies_that_come_at_the_same_moment_one_is_marked(tmp_path: Path) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (_, rule):
        pages = [fresh(page) for page in STORY[:2]]
        await asyncio.gather(*map(rule.mark, pages))
        assert sorted(bool(page.copy_of) for page in pages) == [False, True]


def refuse_to_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def pages_at(topic: str, urls: Sequence[str]) -> list[PageRecord]:
        raise AssertionError(f"read: {urls}")

    monkeypatch.setattr(store, "pages_at", pages_at)


@in_loop
async def test_no_page_is_read_where_no_token_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        await write(writer, rule, fresh(STORY[0]))
        refuse_to_read(writer.store, monkeypatch)
        alone = fresh(ALONE)
        await rule.mark(alone)
        assert (alone.copy_of, alone.compared) == ("", METHOD)


@in_loop
async def test_a_page_that_was_just_stored_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        first, copy, edited = (fresh(page) for page in STORY[:3])
        await rule.mark(first)
        await write(writer, rule, first)
        refuse_to_read(writer.store, monkeypatch)
        for page in (copy, edited):
            await rule.mark(page)
            await write(writer, rule, page)
        assert (copy.copy_of, edited.copy_of) == (first.url, first.url)


@in_loop
@pytest.mark.parametrize(("days", "belongs"), [(-1, True), (1, False)])
async def test_what_is_found_of_a_page_after_its_comparison_counts_in_those_of_others(
    tmp_path: Path, days: int, belongs: bool
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        whole = fresh(STORY[0], published_at=None)
        await rule.mark(whole)
        whole.published_at = make.NOON + timedelta(days)
        await write(writer, rule, whole)
        half = whole.body[: len(whole.body) * 2 // 5]
        part = fresh(ALONE, title=whole.title, body=half, published_at=make.NOON)
        await rule.mark(part)
        # An excerpt of a page that was published after it is none.
        assert (part.compared == 0) is belongs


@in_loop
async def test_a_page_that_is_fetched_again_unchanged_keeps_its_place_in_its_story(
    tmp_path: Path,
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        for page in STORY[:3]:
            again = fresh(page)
            await rule.mark(again)
            await write(writer, rule, again)
        settled, _ = settling(writer, rule, MemoryFrontier(FrontierLimits()))
        await settled.finish()
        before = [await writer.store.page(TOPIC, page.url) for page in STORY[:3]]
        for page in STORY[:3]:
            again = fresh(page, fetched_at=make.NOON.replace(year=2026), run_id="run-2")
            await rule.mark(again)
            await write(writer, rule, again)
        after = [await writer.store.page(TOPIC, page.url) for page in STORY[:3]]
        for old, new in zip(before, after, strict=True):
            assert old is not None
            assert new is not None
            assert new.run_id == "run-2"
            assert (new.story, new.copy_of, new.compared) == (old.story, old.copy_of, METHOD)


@in_loop
async def test_a_store_that_is_away_lets_the_page_pass_uncompared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        await write(writer, rule, fresh(STORY[0]))
        page = fresh(STORY[1])

        async def away(*_: object, **__: object) -> None:
            raise StoreUnavailable("gone")

        with monkeypatch.context() as patch:
            patch.setattr(writer.store, "sharing", away)
            await rule.mark(page)
        assert (page.story, page.copy_of, page.compared) == ("", "", 0)
        await write(writer, rule, page)
        settled, counted = settling(writer, rule, MemoryFrontier(FrontierLimits()))
        await settled.finish()
        stored = await writer.store.page(TOPIC, page.url)
        assert stored is not None
        assert stored.copy_of == STORY[0].url
        assert counted["settled/joined"] == 1


@in_loop
async def test_a_page_that_cannot_be_compared_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (_, rule):
        page = fresh(STORY[0])
        monkeypatch.setattr(rule, "_link", None)
        await rule.mark(page)
        assert page.compared == 0
        assert STORY[0].url in caplog.text


@in_loop
async def test_without_a_rule_every_page_is_listed(tmp_path: Path) -> None:
    pages = [fresh(page) for page in STORY[:2]]
    for page in pages:
        await NoRule().mark(page)
    assert pages == STORY[:2]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    """The address of a MongoDB server, and that of a Redis server."""
    executable = mongo_server.given_executable()
    if executable is None:
        pytest.skip(mongo_server.HOW_TO_GET_A_KILLABLE_ONE)
    if redis_server.executable() is None:
        pytest.skip(redis_server.HOW_TO_GET_ONE)
    server = mongo_server.MongoServer(executable, tmp_path_factory.mktemp("mongo"))
    server.start()
    try:
        with running(tmp_path_factory.mktemp("redis")) as redis:
            yield server.uri, redis
    finally:
        server.kill()


@pytest.mark.parametrize("workers", [2, 3])
@in_loop
async def test_workers_that_meet_copies_at_the_same_moment_end_with_one_representative(
    tmp_path: Path, shared: tuple[str, Any], workers: int
) -> None:
    """All workers have looked before any has written; then all settle at once."""
    uri, redis = f"{shared[0]}/race{workers}", shared[1]
    looked = asyncio.Barrier(workers)
    async with AsyncExitStack() as stack:
        ends = []
        for number in range(workers):
            opened = worker(uri, tmp_path / f"{number}", alone=False)
            writer, rule = await stack.enter_async_context(opened)
            frontier = RedisFrontier(
                redis.client(), f"race{workers}", FrontierLimits(), worker=f"worker-{number}"
            )
            ends.append((writer, rule, frontier))

        async def crawl(number: int) -> None:
            writer, rule, frontier = ends[number]
            page = fresh(STORY[number])
            await rule.mark(page)
            assert (page.copy_of, page.compared) == ("", 0)
            await looked.wait()
            await write(writer, rule, page)
            settled, _ = settling(writer, rule, frontier)
            await settled.finish()
            # The next worker leads now.
            frontier.close()

        await asyncio.gather(*map(crawl, range(workers)))
        store = ends[0][0].store
        found = [page async for page in store.pages(TOPIC, copies=True)]
        assert len(found) == workers
        assert {page.story for page in found} == {STORY[0].id}
        assert [page.url for page in found if not page.copy_of] == [STORY[0].url]
        assert {page.compared for page in found} == {METHOD}
        verdicts = Counter([outcome.verdict async for outcome in store.outcomes(TOPIC)])
        assert verdicts == {"stored": 1, "duplicate": workers - 1}


@in_loop
async def test_pages_from_the_spool_are_compared_again(tmp_path: Path) -> None:
    uri = f"{URI_OF_TESTS}{tmp_path}"
    spool = Spool(tmp_path / "spool", TOPIC)
    spool.open()
    spool.append([replace(STORY[1], story=STORY[1].id, compared=METHOD)])
    spool.close()
    async with worker(uri, tmp_path / "spool") as (writer, _):
        stored = await writer.store.page(TOPIC, STORY[1].url)
        assert stored is not None
        assert stored.compared == 0


@in_loop
async def test_settling_runs_beside_the_crawl(tmp_path: Path) -> None:
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        outcomes = [make.outcome(url=page.url, verdict="stored") for page in STORY]
        await writer.store.write(STORY, outcomes)
        settled, counted = settling(writer, rule, MemoryFrontier(FrontierLimits()))
        settled.start()
        for _ in itertools.repeat(None, 500):
            if counted["settled/compared"] == len(STORY):
                break
            await asyncio.sleep(0.01)
        assert await writer.store.count(TOPIC) == 1
        await settled.finish()


@in_loop
async def test_a_judgment_that_comes_between_reading_and_writing_outcomes_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settling writes back whole outcomes; what judges pages again changes them, too."""
    async with worker(f"{URI_OF_TESTS}{tmp_path}", tmp_path) as (writer, rule):
        for page in STORY[:2]:
            await write(writer, rule, fresh(page))
        judging = Rejudging(writer, CrawlJournal(OneJournal()), Judgments())
        crawl = StoringCrawl(lambda tokens: False, lambda url: None, writer.outcomes_lock)
        judgment = PageJudgment(0.75, 0.25, {"text": 0.75})
        url = STORY[1].url
        tasks = []
        whole = writer.store.write

        async def write_later(**records: Any) -> None:
            tasks.append(asyncio.create_task(judging.apply([Rejudged(url, judgment, True, "")])))
            for _ in range(200):
                await asyncio.sleep(0.001)
            await whole(**records)

        monkeypatch.setattr(writer.store, "write", write_later)
        done = await settle(writer.store, TOPIC, signer=SIGNER, crawl=crawl)
        assert done.joined == 1
        await asyncio.gather(*tasks)
        outcome = await writer.store.outcome(TOPIC, url)
        assert outcome is not None
        assert (outcome.verdict, outcome.judgment_parts) == ("duplicate", judgment.parts)
