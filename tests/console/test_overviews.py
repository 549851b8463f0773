"""Overviews follow the store while the console runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support.store_records import in_loop
from tests.support.trends_store import trend_page
from topiccrawl.console import overviews as module
from topiccrawl.console.config import ConsoleConfig
from topiccrawl.console.desk import Desk
from topiccrawl.console.overviews import MOST_KEPT, Overviews, computed, overviews_of
from topiccrawl.console.views import start
from topiccrawl.errors import StoreUnavailable
from topiccrawl.insight.overview import Overview
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.store.factory import open_store
from topiccrawl.store.headlines import PageHeadline


@asynccontextmanager
async def kept(folder: Path) -> AsyncIterator[tuple[Store, list[PageRecord], Overviews]]:
    """A store in *folder* with three pages of 侨务, the pages, and overviews of the store."""
    uri = f"sqlite:///{folder / 'pages.sqlite'}"
    store = open_store(uri)
    await store.open()
    pages = [trend_page(n, n, ("侨务",), "a.example") for n in range(3)]
    await store.write(pages)
    overviews = overviews_of(Desk(ConsoleConfig(store_uri=uri), store))
    try:
        yield store, pages, overviews
    finally:
        await overviews.close()
        await store.close()


@in_loop
async def test_pages_that_come_change_and_leave_are_followed(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, pages, overviews):
        first = await overviews.get("侨务")
        assert first is not None
        assert len(first) == 3
        await store.write(
            [
                trend_page(9, 9, ("台风",), "b.example"),
                replace(pages[0], title="新标题"),
                replace(pages[1], withdrawn_at=datetime.now(UTC)),
            ]
        )
        now = await overviews.current("侨务")
        urls = {page.url for page in (pages[0], pages[2])}
        assert set(now.columns.url) == urls | {"http://b.example/侨务/9.html"}
        assert now.columns.title[now.row_of[pages[0].url]] == "新标题"
        assert len(first) == 3
        assert await overviews.get("侨务") is now


@pytest.mark.parametrize("again", [0, 1, 2])
@in_loop
async def test_a_topic_that_was_forgotten_has_only_what_came_since(
    tmp_path: Path, again: int
) -> None:
    async with kept(tmp_path) as (store, pages, overviews):
        assert len(await overviews.current("侨务")) == 3
        await store.forget("侨务")
        now = datetime.now(UTC)
        later = [replace(it, first_seen=now, fetched_at=now) for it in pages[:again]]
        await store.write(later)
        assert set((await overviews.current("侨务")).columns.url) == {it.url for it in later}


def test_a_clock_that_is_set_back_hides_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = SimpleNamespace(
        min=datetime.min, now=lambda zone: datetime.now(zone) + timedelta(hours=1)
    )

    async def follow() -> None:
        async with kept(tmp_path) as (store, _pages, overviews):
            with monkeypatch.context() as ahead:
                ahead.setattr(module, "datetime", later)
                assert len(await overviews.current("侨务")) == 3
            await store.write([trend_page(9, 9, ("台风",), "b.example")])
            assert len(await overviews.current("侨务")) == 4

    asyncio.run(follow())


@pytest.mark.parametrize("failure", [StoreUnavailable("away"), ValueError("damaged")])
def test_a_store_that_does_not_answer_is_reported_not_taken_for_empty(failure: Exception) -> None:
    class Away:
        def headlines(self, *_: object, **__: object) -> object:
            raise failure

    async def ask() -> None:
        desk = Desk(ConsoleConfig(store_uri="memory"), Away())  # type: ignore[arg-type]
        with pytest.raises(type(failure), match=str(failure)):
            await overviews_of(desk).get("侨务")

    asyncio.run(ask())


def test_the_topics_of_the_start_page_are_all_kept() -> None:
    class Slow:
        async def headlines(self, *_: object, **__: object) -> AsyncIterator[object]:
            await asyncio.Event().wait()
            yield None

    async def ask() -> None:
        desk = Desk(ConsoleConfig(store_uri="memory"), Slow())  # type: ignore[arg-type]
        overviews = overviews_of(desk)
        begun = [overviews.begin(f"t{n}") for n in range(start.MOST_TOPICS)]
        again = [overviews.begin(f"t{n}") for n in range(start.MOST_TOPICS)]
        assert again == begun
        await overviews.close()

    asyncio.run(ask())


def test_a_result_is_computed_once_for_an_overview() -> None:
    calls: list[int] = []

    async def ask() -> None:
        overview = Overview.of([])
        for key in (1, 1, 2):
            await computed(overview, key, lambda: calls.append(1))

    asyncio.run(ask())
    assert len(calls) == 2


class Slow:
    """A store whose headlines take several turns of the event loop, with those that are read at a time."""

    def __init__(self, *pages: PageHeadline | Exception) -> None:
        self._pages = pages
        self._now = 0
        self.most = 0

    async def headlines(self, *_: object, **__: object) -> AsyncIterator[PageHeadline]:
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0)
        for page in self._pages:
            if isinstance(page, Exception):
                raise page
            yield page
        self._now -= 1

    async def page(self, *_: object) -> object:
        return self._pages[0]


def test_an_overview_is_read_by_one_reader_at_a_time() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    store = Slow(PageHeadline(topic="侨务", url="http://a.example/", first_seen=at, fetched_at=at))

    async def ask() -> None:
        desk = Desk(ConsoleConfig(store_uri="memory"), store)  # type: ignore[arg-type]
        overviews = overviews_of(desk)
        found = await asyncio.gather(*(overviews.current("侨务") for _ in range(4)))
        assert [len(it) for it in found] == [1, 1, 1, 1]

    asyncio.run(ask())
    assert store.most == 1


@in_loop
async def test_headlines_that_cannot_be_read_are_an_error_not_an_endless_wait() -> None:
    store = Slow(ValueError("bytes in place of text"))
    overviews = overviews_of(Desk(ConsoleConfig(store_uri="memory"), store))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bytes in place of text"):
        await overviews.get("侨务")
    with pytest.raises(ValueError, match="bytes in place of text"):
        await overviews.current("侨务")


def test_a_topic_that_others_push_out_while_it_is_read_is_shown_all_the_same() -> None:
    class Busy(Slow):
        overviews: Overviews

        async def headlines(self, *topic: object, **__: object) -> AsyncIterator[PageHeadline]:
            if topic == ("侨务",) and self.overviews.begin("侨务").overview is not None:
                self.overviews.note_change("侨务")
                task = asyncio.current_task()
                assert task is not None
                task.add_done_callback(
                    lambda _: [self.overviews.begin(f"t{n}") for n in range(MOST_KEPT)]
                )
            async for page in super().headlines():
                yield page

    at = datetime(2026, 3, 1, tzinfo=UTC)
    store = Busy(PageHeadline(topic="侨务", url="http://a.example/", first_seen=at, fetched_at=at))

    async def ask() -> None:
        overviews = overviews_of(Desk(ConsoleConfig(store_uri="memory"), store))  # type: ignore[arg-type]
        store.overviews = overviews
        await overviews.get("侨务")
        overviews.note_change("侨务")
        found = await overviews.get("侨务")
        assert found is not None
        assert len(found) == 1
        await overviews.close()

    asyncio.run(ask())
