"""Search in the SQLite file: what other processes write, and what is damaged."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

import tests.support.store_records as make
from tests.support.store_records import TOPIC, in_loop, opened
from topiccrawl.store.contract import SearchQuery, Store
from topiccrawl.store.ids import record_id
from topiccrawl.store.sqlite.catalog import Catalog
from topiccrawl.store.sqlite.store import SQLiteStore


async def total(store: Store, text: str) -> int:
    return (await store.search([TOPIC], SearchQuery.from_text(text))).total


@in_loop
async def test_a_reader_finds_what_another_process_writes_and_deletes(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as writer:
        await writer.write([make.page(1, title="甲"), make.page(2, title="乙")])
        reader = SQLiteStore(path, read_only=True)
        async with opened(reader):
            assert await total(reader, "甲") == 1
            await writer.write([make.page(1, title="丙"), make.page(3, title="甲")])
            assert [await total(reader, it) for it in ("甲", "乙", "丙", "")] == [1, 1, 1, 3]
            await writer.delete_pages(TOPIC, [make.page(2).url])
            assert [await total(reader, it) for it in ("乙", "")] == [0, 2]


@in_loop
async def test_pages_are_found_though_the_clock_went_back(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = SQLiteStore(path)
    async with opened(store):
        await store.write([make.page(1)])
        assert await total(store, "") == 1
        await store.write([make.page(2)])
        with closing(sqlite3.connect(path)) as file:
            file.execute("UPDATE headlines SET touched = 0 WHERE n = 2")
            file.commit()
        assert await total(store, "") == 2


def test_a_page_that_leaves_after_the_clock_was_set_back_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    path = tmp_path / "store.sqlite"

    @in_loop
    async def found() -> None:
        async with opened(SQLiteStore(path)) as writer, opened(SQLiteStore(path)) as reader:
            await writer.write([make.page(1), make.page(2)])
            with closing(sqlite3.connect(path)) as file:
                file.execute("UPDATE headlines SET touched = touched + 8 * 3600 * 1000")
                file.commit()
            with monkeypatch.context() as ahead:
                ahead.setattr(time, "time", lambda: real() + 8 * 3600)
                assert await total(reader, "") == 2
            for number in (1, 2):
                await writer.write([make.page(number, withdrawn_at=make.NOON)])
                assert await total(reader, "") == 2 - number

    found()


@in_loop
async def test_a_page_with_a_damaged_text_is_left_out_of_the_index(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = SQLiteStore(path)
    async with opened(store):
        await store.write([make.page(1, title="甲"), make.page(2, title="乙")])
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE pages SET body = x'ff' WHERE title = '甲'")
        file.execute("UPDATE headlines SET indexed = 0")
        file.execute("INSERT INTO search (search) VALUES ('delete-all')")
        file.commit()
    async with opened(store):
        assert await store.index(10) == 0
        assert [await total(store, it) for it in ("甲", "乙")] == [0, 1]


@in_loop
async def test_hits_are_ranked_while_another_page_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        # Without ranks, the one with the smaller id would be the first.
        first, second = sorted((1, 2), key=lambda n: record_id(TOPIC, make.page(n).url))
        rare = make.page(first, title="别的", body="侨务" + "无关" * 300)
        often = make.page(second, title="别的", body="侨务" * 50, published_at=rare.published_at)
        await store.write([rare, often])
        query = SearchQuery.from_text("侨务")
        assert await total(store, "") == 2
        # What is written after the catalog was read is in the index, but not in the catalog.
        await store.write([make.page(3, title="侨务")])
        monkeypatch.setattr(Catalog, "refresh", lambda *_: None)
        hits = (await store.search([TOPIC], query)).hits
        assert [it.headline.url for it in hits] == [often.url, rare.url]


@in_loop
async def test_a_page_whose_keyword_is_the_query_comes_before_one_of_equal_rank(
    tmp_path: Path,
) -> None:
    async with opened(SQLiteStore(tmp_path / "store.sqlite")) as store:
        for with_it in (1, 2):
            pages = [
                make.page(
                    number,
                    title="侨务工作",
                    body="侨务工作会议",
                    keywords=("會議", "侨务") if number == with_it else ("工作",),
                )
                for number in (1, 2)
            ]
            await store.write(pages)
            for text in ("侨务", "僑務"):
                found = await store.search([TOPIC], SearchQuery.from_text(text))
                urls = [hit.headline.url for hit in found.hits]
                assert urls == [pages[with_it - 1].url, pages[2 - with_it].url]
