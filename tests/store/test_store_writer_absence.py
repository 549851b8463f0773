"""The writer of a store that is away, comes back, or refuses records."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import in_loop, until
from tests.support.store_writers import AT_ONCE, numbers, writer
from topiccrawl.store import delivery as delivery_module
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.factory import open_store


@in_loop
async def test_while_the_store_is_away_records_are_durable_in_the_spool(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        results = {await it.put(make.page(n)) for n in range(5)}
        assert results == {WriteResult.SPOOLED}
        assert it.away
        # Read by somebody else, as after kill -9 at this moment.
        (segment,) = it.spool.folder.glob("*.spool")
        kept = [record for batch in it.spool.read(segment, 100) for record in batch]
        assert kept == [make.page(n) for n in range(5)]
        # One attempt, not one for every record.
        assert store.attempts == 1


@in_loop
async def test_the_next_run_writes_what_the_last_one_left(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        await it.put(make.page(1), make.outcome(1))
        await it.put(make.page(2))
        folder = it.spool.folder
    assert "next run on this topic and store writes them" in caplog.text
    assert str(folder) in caplog.text
    store.away = False
    async with writer(store, tmp_path) as it:
        assert numbers(store) == [1, 2]
        assert it.counts.replayed == 3
        await it.put(make.page(3))
    assert numbers(store) == [1, 2, 3]
    assert not folder.exists()


@in_loop
async def test_a_replay_that_breaks_off_counts_no_record_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BreakingOff(FlakyStore):
        async def write(self, *records: Any, **kinds: Any) -> None:
            if self.attempts == 3:
                self.attempts += 1
                raise StoreUnavailable("gone again")
            await super().write(*records, **kinds)

    monkeypatch.setattr(delivery_module, "REPLAY_BATCH", 2)
    store = BreakingOff(away=True)
    async with writer(store, tmp_path) as it:
        await asyncio.gather(*(it.put(make.page(n)) for n in range(5)))
    store.away = False
    async with writer(store, tmp_path, retry=AT_ONCE) as it:
        await until(lambda: not it.away)
        assert store.attempts == 7
        assert it.counts.replayed == 5
    assert numbers(store) == list(range(5))


@in_loop
async def test_a_record_refused_in_a_replay_that_breaks_off_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GoneOnce(FlakyStore):
        was_gone = False

        async def write(self, *records: Any, **kinds: Any) -> None:
            if not self.was_gone and make.page(3) in kinds["pages"]:
                self.was_gone = True
                raise StoreUnavailable("gone again")
            await super().write(*records, **kinds)

    monkeypatch.setattr(delivery_module, "REPLAY_BATCH", 1)
    store = GoneOnce(away=True, poison=frozenset({"毒"}))
    store.was_gone = True
    async with writer(store, tmp_path) as it:
        for n in range(5):
            await it.put(make.page(n, title="毒") if n == 1 else make.page(n))
    store.away = store.was_gone = False
    async with writer(store, tmp_path, retry=AT_ONCE) as it:
        await until(lambda: not it.away)
        assert (it.counts.replayed, it.counts.rejected) == (4, 1)
    assert store.was_gone


@in_loop
async def test_records_after_a_spool_file_was_deleted_are_kept_in_another(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        await it.put(make.page(1))
        (deleted,) = it.spool.folder.glob("*.spool")
        deleted.unlink()
        assert await it.put(make.page(2)) == WriteResult.SPOOLED
        store.away = False
    assert numbers(store) == [2]
    assert f"{deleted} was deleted, moved or replaced while it was open" in caplog.text


@in_loop
async def test_near_misses_wait_in_the_spool_as_pages_do(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        assert await it.put(make.near_miss(1)) == WriteResult.SPOOLED
    store.away = False
    async with writer(store, tmp_path) as it:
        assert store.near_misses == [make.near_miss(1)]
        assert await it.put(make.near_miss(2)) == WriteResult.STORED
    assert store.near_misses == [make.near_miss(1), make.near_miss(2)]


@in_loop
async def test_a_store_that_comes_back_gets_everything_in_order(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    store.back_at_attempt = 4
    async with writer(store, tmp_path, retry=AT_ONCE, batch_size=3) as it:
        await asyncio.gather(*(it.put(make.page(n)) for n in range(20)))
        await until(lambda: not it.away)
        await it.put(make.page(20))
        assert not it.spool.waiting()
        assert it.counts.retries == 3
        assert it.counts.written + it.counts.replayed == 21
        assert it.counts.spooled == it.counts.replayed
    assert numbers(store) == list(range(21))


@in_loop
async def test_under_load_the_store_is_tried_again_too(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    store.back_at_attempt = 3
    async with writer(store, tmp_path, retry=AT_ONCE, batch_size=1) as it:
        results = await asyncio.gather(*(it.put(make.page(n)) for n in range(50)))
    assert (results[0], results[-1]) == (WriteResult.SPOOLED, WriteResult.STORED)
    assert numbers(store) == list(range(50))


@in_loop
async def test_attempts_do_not_keep_records_from_the_spool(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path, retry=AT_ONCE, batch_size=100) as it:
        assert {await it.put(make.page(n)) for n in range(5)} == {WriteResult.SPOOLED}


@in_loop
async def test_new_records_queue_up_behind_those_in_the_spool(tmp_path: Path) -> None:
    """Else the old outcome, written back later, would replace the new one."""
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        await it.put(make.outcome(1, reason="旧"))
        store.away = False
        assert await it.put(make.outcome(1, reason="新")) == WriteResult.SPOOLED
    assert [outcome.reason for outcome in store.outcomes] == ["旧", "新"]


@in_loop
async def test_the_end_makes_one_more_attempt(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path) as it:
        await it.put(make.page(1))
        store.away = False
    assert numbers(store) == [1]
    assert not it.spool.folder.exists()


@in_loop
async def test_a_poisonous_record_does_not_hold_up_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = FlakyStore(poison=frozenset({"毒"}))
    async with writer(store, tmp_path, batch_size=50) as it:
        records = [make.page(n, title="毒" if n in (3, 17) else "好") for n in range(20)]
        results = await asyncio.gather(*(it.put(record) for record in records))
        counts, path = it.counts, it.spool.rejected_path
    assert [n for n, result in enumerate(results) if result == WriteResult.REJECTED] == [3, 17]
    assert numbers(store) == [n for n in range(20) if n not in (3, 17)]
    assert (counts.written, counts.rejected, counts.accepted) == (18, 2, 20)
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    assert [line["record"][1]["url"] for line in lines] == [records[3].url, records[17].url]
    assert "RecordRejected: poison" in lines[0]["reason"]
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]


@in_loop
async def test_poison_in_the_spool_does_not_hold_up_the_others(tmp_path: Path) -> None:
    store = FlakyStore(away=True, poison=frozenset({"毒"}))
    async with writer(store, tmp_path) as it:
        for n in range(5):
            await it.put(make.page(n, title="毒" if n == 2 else "好"))
    store.away = False
    async with writer(store, tmp_path) as it:
        assert (it.counts.replayed, it.counts.rejected) == (4, 1)
        assert not it.spool.waiting()
    assert numbers(store) == [0, 1, 3, 4]


@in_loop
async def test_a_record_that_cannot_even_be_spooled_is_set_aside(tmp_path: Path) -> None:
    store = FlakyStore(away=True)
    async with writer(store, tmp_path, batch_size=10, flush_seconds=0.001) as it:
        results = await asyncio.gather(
            *(it.put(make.page(n, relevance=float("nan") if n == 1 else 1.0)) for n in range(3))
        )
        assert results == [WriteResult.SPOOLED, WriteResult.REJECTED, WriteResult.SPOOLED]
        assert (it.counts.spooled, it.counts.rejected) == (2, 1)


@in_loop
async def test_a_record_with_a_value_of_another_type_does_not_hold_up_the_others(
    tmp_path: Path,
) -> None:
    wrong = make.page(1, title=None)  # as a pipeline of another project may leave it
    uri = f"sqlite:///{tmp_path / 'store.sqlite'}"
    async with writer(open_store(uri), tmp_path, batch_size=10) as it:
        records = [make.page(0), wrong, make.page(2)]
        results = await asyncio.gather(*(it.put(record) for record in records))
        rejected = it.spool.rejected_path.read_text("ascii")
    assert results == [WriteResult.STORED, WriteResult.REJECTED, WriteResult.STORED]
    assert make.page(1).url in json.loads(rejected)["record"]


@in_loop
async def test_without_store_and_spool_put_raises_and_the_writer_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = FlakyStore(away=True)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with writer(store, tmp_path) as it:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(StoreUnavailable, match=r"spool .* cannot be written: .*No space"):
                await it.put(make.page(1))
        assert await it.put(make.page(1)) == WriteResult.SPOOLED
        assert it.spool.files() == it.spool.segments()  # nothing is left of the failed one
        assert len(it.spool.files()) == 1
