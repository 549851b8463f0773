"""Near misses on their way into the store."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import in_loop
from topiccrawl.crawl.storing import near_misses
from topiccrawl.crawl.storing.near_misses import NearMisses
from topiccrawl.store.near_misses import pack_near_miss
from topiccrawl.store.spool import Spool
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.writer import StoreWriter


@pytest.mark.parametrize(("chars", "at_once"), [(2_000, True), (150_000, False)])
@in_loop
async def test_a_long_page_is_packed_while_the_event_loop_goes_on(
    chars: int, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    pack = pack_near_miss

    def packing(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return pack(*arguments)

    monkeypatch.setattr(near_misses, "pack_near_miss", packing)
    store, page = FlakyStore(), make.page(1, body="侨" * chars)
    async with StoreWriter(store, Spool(tmp_path, make.TOPIC), flush_seconds=0.0) as writer:
        await NearMisses(writer, 10).put(page, 0.3)
    assert [it is threading.main_thread() for it in threads] == [at_once]


@in_loop
async def test_those_that_come_while_the_surplus_is_deleted_are_deleted_later(
    tmp_path: Path,
) -> None:
    class SlowStore(SQLiteStore):
        async def trim_near_misses(self, topic: str, most: int) -> int:
            trimmed = await super().trim_near_misses(topic, most)
            while coming:
                await near.put(make.page(coming.pop()), 0.3)
            return trimmed

    coming: list[int] = []
    store = SlowStore(tmp_path / "store.sqlite")
    async with StoreWriter(store, Spool(tmp_path, make.TOPIC), flush_seconds=0.0) as writer:
        near = NearMisses(writer, 40)
        for number in range(1, 42):
            await near.put(make.page(number), 0.3)
        coming += [42, 43]
        await near.trim()
        await near.trim()
        assert len([it async for it in store.near_misses(make.TOPIC)]) == 40
