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
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter


@pytest.mark.parametrize(("chars", "at_once"), [(2_000, True), (150_000, False)])
@in_loop
async def test_a_long_page_is_packed_while_the_event_loop_goes_on(
    chars: int, at_once: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    pack = near_misses.pack_near_miss

    def packing(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return pack(*arguments)

    monkeypatch.setattr(near_misses, "pack_near_miss", packing)
    store, page = FlakyStore(), make.page(1, body="侨" * chars)
    async with StoreWriter(store, Spool(tmp_path, make.TOPIC), flush_seconds=0.0) as writer:
        await NearMisses(writer, 10).put(page, 0.3)
    assert [it is threading.main_thread() for it in threads] == [at_once]
