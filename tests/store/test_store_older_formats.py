"""Stores, databases and spools of format 1: read as they are, brought up to date by a crawl."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pymongo import AsyncMongoClient

import tests.support.store_records as make
from tests.support.store_older import (
    ADDED,
    older_document,
    older_frame,
    older_sqlite,
    without_details,
)
from tests.support.store_records import TOPIC, in_loop, listed, opened
from topiccrawl.store.mongo.documents import to_mongo
from topiccrawl.store.mongo.store import MongoStore
from topiccrawl.store.spool import Spool
from topiccrawl.store.spool_format import unframe
from topiccrawl.store.sqlite.store import SQLiteStore

if TYPE_CHECKING:
    from pathlib import Path

OLD = [make.page(1), make.page(2, html=None)]


def columns(path: Path) -> tuple[int, set[str]]:
    """Format version and columns of the pages in the file itself."""
    with closing(sqlite3.connect(path)) as file:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        return version, {row[1] for row in file.execute("PRAGMA table_info(pages)")}


@in_loop
async def test_an_older_file_is_read_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    older_sqlite(path, OLD)
    before = path.read_bytes()
    async with opened(SQLiteStore(path, read_only=True)) as store:
        assert await listed(store.pages(TOPIC, with_html=True)) == list(map(without_details, OLD))
        best = await listed(store.pages(TOPIC, order="relevance"))
        assert [page.url for page in best] == [OLD[1].url, OLD[0].url]
        assert await store.page(TOPIC, OLD[0].url) == without_details(OLD[0])
        assert await store.topics() == {TOPIC: 2}
        assert await listed(store.titles(TOPIC)) == [(page.url, page.title) for page in OLD]
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]  # noqa: PTH208 - not in a coroutine


@in_loop
async def test_a_crawl_brings_an_older_file_up_to_date_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    older_sqlite(path, OLD)
    async with opened(SQLiteStore(path)) as store:
        assert await listed(store.pages(TOPIC, with_html=True)) == list(map(without_details, OLD))
        await store.write([make.page(3), OLD[0]])
    version, names = columns(path)
    assert version == 2
    assert names >= set(ADDED)
    for read_only in (True, False):
        async with opened(SQLiteStore(path, read_only=read_only)) as store:
            assert await listed(store.pages(TOPIC, with_html=True)) == [
                OLD[0],  # fetched again: its details are known now
                without_details(OLD[1]),
                make.page(3),
            ]


@in_loop
async def test_crawls_that_begin_at_once_on_an_older_file_all_open(tmp_path: Path) -> None:
    for attempt in range(10):
        path = tmp_path / f"{attempt}.sqlite"
        older_sqlite(path, OLD)
        stores = [SQLiteStore(path) for _ in range(6)]
        try:
            await asyncio.gather(*(store.open() for store in stores))
            await asyncio.gather(*(s.write([make.page(9 + n)]) for n, s in enumerate(stores)))
            assert await stores[0].count(TOPIC) == 8
        finally:
            await asyncio.gather(*(store.close() for store in stores))


@in_loop
async def test_who_reads_an_older_file_reads_on_while_a_crawl_brings_it_up_to_date(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    older_sqlite(path, OLD)
    async with opened(SQLiteStore(path, read_only=True)) as reader:
        async with opened(SQLiteStore(path)) as writer:
            await writer.write([make.page(3)])
        assert await reader.count(TOPIC) == 3
        assert (await listed(reader.pages(TOPIC)))[0].title == OLD[0].title


@in_loop
async def test_an_older_database_is_read_and_marked_anew_by_a_crawl(
    mongo_database_uri: str,
) -> None:
    name = mongo_database_uri.partition("?")[0].rpartition("/")[2]
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
        database = client[name]
        await database["meta"].insert_one({"_id": "format", "version": 1})
        await database["pages"].insert_many([to_mongo(older_document(page)) for page in OLD])
        async with opened(MongoStore(mongo_database_uri, name, read_only=True)) as store:
            assert await listed(store.pages(TOPIC, with_html=True)) == list(
                map(without_details, OLD)
            )
        assert await database["meta"].find_one() == {"_id": "format", "version": 1}
        async with opened(MongoStore(mongo_database_uri, name)) as store:
            await store.write([make.page(3), OLD[0]])
            assert await listed(store.pages(TOPIC, with_html=True)) == [
                OLD[0],
                without_details(OLD[1]),
                make.page(3),
            ]
        assert await database["meta"].find_one() == {"_id": "format", "version": 2}


def test_what_an_older_run_left_in_the_spool_is_read(tmp_path: Path) -> None:
    page = replace(make.page(1), html=None)
    assert unframe(older_frame(page)) == without_details(page)
    spool = Spool(tmp_path, TOPIC, "mongodb://host")
    spool.folder.mkdir(parents=True)
    (spool.folder / "00000000000000000001-000001-00000000.spool").write_bytes(older_frame(page))
    assert spool.open() == 1
    (segment,) = spool.segments()
    assert list(spool.read(segment, 10)) == [[without_details(page)]]
    spool.close()
