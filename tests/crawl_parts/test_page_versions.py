"""Former versions on their way into the store: at most a given number, whatever the store does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import NOON, TOPIC, in_loop
from topiccrawl.crawl.storing.versions import PageVersions
from topiccrawl.store.contract import Store, StoreUnavailable, VersionRecord
from topiccrawl.store.spool import Spool
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.versions import unpack_versions
from topiccrawl.store.writer import StoreWriter

URL = make.page(1).url


@asynccontextmanager
async def writing(store: Store, folder: Path) -> AsyncIterator[StoreWriter]:
    async with StoreWriter(store, Spool(folder / "spool", TOPIC), flush_seconds=0.0) as writer:
        yield writer


async def change(writer: StoreWriter, versions: PageVersions, times: int) -> None:
    """Write the page as often with another body, each time with the version before."""
    await writer.put(make.page(1, body="正文第0版。" * 99))
    for number in range(1, times + 1):
        page = await writer.store.page(TOPIC, URL)
        assert page is not None
        version = await versions.former(page, NOON + timedelta(days=number))
        await writer.put(make.page(1, body=f"正文第{number}版。" * 99), version)


@in_loop
async def test_each_change_leaves_the_version_before_and_many_are_thinned(tmp_path: Path) -> None:
    async with writing(SQLiteStore(tmp_path / "store.sqlite"), tmp_path) as writer:
        versions = PageVersions(writer, 4)
        await change(writer, versions, 7)
        await versions.trim()
        found = unpack_versions(await writer.store.versions(TOPIC, URL))
        assert len(found) == 4
        assert found[0].body == "正文第0版。" * 99
        assert found[-1].body == "正文第6版。" * 99


@in_loop
async def test_pages_that_change_at_the_same_time_may_have_the_surplus_deleted(
    tmp_path: Path,
) -> None:
    async with writing(SQLiteStore(tmp_path / "store.sqlite"), tmp_path) as writer:
        versions = PageVersions(writer, 4)
        await change(writer, versions, 7)
        await asyncio.gather(versions.trim(), versions.trim())
        assert len(unpack_versions(await writer.store.versions(TOPIC, URL))) == 4


@in_loop
async def test_with_a_limit_of_none_no_version_is_kept(tmp_path: Path) -> None:
    async with writing(SQLiteStore(tmp_path / "store.sqlite"), tmp_path) as writer:
        await change(writer, PageVersions(writer, 0), 2)
        assert await writer.store.versions(TOPIC, URL) == []


class AwayStore(FlakyStore):
    """Cannot be read either."""

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        raise StoreUnavailable("gone")

    async def trim_versions(self, topic: str, url: str, most: int) -> int:
        raise StoreUnavailable("gone")


@in_loop
async def test_while_the_store_is_away_a_version_is_kept_whole_in_the_spool(
    tmp_path: Path,
) -> None:
    store = AwayStore(away=True)
    async with writing(store, tmp_path) as writer:
        versions = PageVersions(writer, 1)
        version = await versions.former(make.page(1), NOON)
        assert version is not None
        assert version.base == ""
        await writer.put(make.page(1, body="新的"), version, make.visit(1))
        await versions.trim()
        store.away = False
    assert store.version_records == [version]
    assert store.visit_records == [make.visit(1)]
