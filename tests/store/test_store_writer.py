"""The writer: batches, order, absence and return of the store, poison, back-pressure, the end."""

from __future__ import annotations

import asyncio
import errno
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import TOPIC, in_loop, listed, opened, until
from topiccrawl.backoff import JitteredBackoff
from topiccrawl.errors import ConfigurationError
from topiccrawl.store import delivery as delivery_module
from topiccrawl.store import spool as spool_module
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter

#: Attempts follow each other at once.
AT_ONCE = 1e-6
#: No attempt within a test.
NEVER = 1e6


def writer(store: Any, folder: Path, *, retry: float = NEVER, **options: Any) -> StoreWriter:
    options.setdefault("flush_seconds", 0)
    backoff = JitteredBackoff(initial_seconds=retry, max_seconds=retry)
    return StoreWriter(store, Spool(folder, TOPIC), backoff=backoff, **options)


def numbers(store: FlakyStore) -> list[int]:
    return [int(url.rsplit("/", 1)[1].partition(".")[0]) for url in store.urls()]


@in_loop
async def test_put_returns_when_the_record_is_in_the_store(tmp_path: Path) -> None:
    store = FlakyStore()
    async with writer(store, tmp_path) as it:
        result = await it.put(make.page(1), make.outcome(1), make.run(1))
        assert result == WriteResult.STORED
        assert (len(store.pages), len(store.outcomes), len(store.run_records)) == (1, 1, 1)
        assert it.counts.accepted == it.counts.written == 3
    assert not store.is_open
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240


@in_loop
async def test_what_arrives_during_a_write_is_the_next_batch(tmp_path: Path) -> None:
    store = FlakyStore()
    store.gate = asyncio.Event()
    async with writer(store, tmp_path, batch_size=100) as it:
        first = asyncio.create_task(it.put(make.page(0)))
        await until(lambda: store.attempts > 0)
        rest = [asyncio.create_task(it.put(make.page(n))) for n in range(1, 31)]
        await asyncio.sleep(0)
        store.gate.set()
        await asyncio.gather(first, *rest)
    assert store.batches == [1, 30]


@in_loop
async def test_a_full_batch_does_not_wait_for_the_time(tmp_path: Path) -> None:
    store = FlakyStore()
    async with writer(store, tmp_path, batch_size=4, flush_seconds=NEVER) as it:
        await asyncio.gather(*(it.put(make.page(n)) for n in range(8)))
        assert store.batches == [4, 4]
        await it.put(make.page(9), wait=False)
    # The end does not wait for the time either.
    assert store.batches == [4, 4, 1]


@in_loop
async def test_a_writer_in_a_hurry_waits_for_no_time(tmp_path: Path) -> None:
    store = FlakyStore()
    async with writer(store, tmp_path, flush_seconds=NEVER) as it:
        waiting = asyncio.create_task(it.put(make.page(0)))
        await asyncio.sleep(0)
        it.hurry()
        await waiting
        await it.put(make.page(1))
    assert store.batches == [1, 1]


@in_loop
async def test_close_writes_records_that_were_not_awaited(tmp_path: Path) -> None:
    store = FlakyStore()
    async with writer(store, tmp_path, flush_seconds=NEVER) as it:
        results = {await it.put(make.outcome(n), wait=False) for n in range(50)}
    assert results == {WriteResult.BUFFERED}
    assert [outcome.sequence for outcome in store.outcomes] == list(range(50))


@in_loop
async def test_put_waits_for_room(tmp_path: Path) -> None:
    store = FlakyStore()
    store.gate = asyncio.Event()
    async with writer(store, tmp_path, batch_size=2, buffer_puts=3) as it:
        tasks = [asyncio.create_task(it.put(make.page(n), wait=False)) for n in range(9)]
        for _ in range(50):
            await asyncio.sleep(0)
        assert sum(task.done() for task in tasks) == 3
        store.gate.set()
        await asyncio.gather(*tasks)
    assert numbers(store) == list(range(9))


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
            patch.setattr(spool_module.os, "fsync", full)
            with pytest.raises(StoreUnavailable, match=r"spool .* cannot be written: .*No space"):
                await it.put(make.page(1))
        assert await it.put(make.page(1)) == WriteResult.SPOOLED
        assert it.spool.files() == it.spool.segments()  # nothing is left of the failed one
        assert len(it.spool.files()) == 1


@in_loop
async def test_a_canceled_put_does_not_disturb_the_others(tmp_path: Path) -> None:
    store = FlakyStore()
    store.gate = asyncio.Event()
    async with writer(store, tmp_path) as it:
        tasks = [asyncio.create_task(it.put(make.page(n))) for n in range(3)]
        await until(lambda: store.attempts > 0)
        tasks[0].cancel()
        store.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [WriteResult.STORED, WriteResult.STORED]
    assert numbers(store) == [0, 1, 2]


@in_loop
async def test_an_unusable_store_stops_the_run_at_open(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bad_store = open_store(f"sqlite:///{tmp_path}/file/store.sqlite")
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_STORE_URI"):
        await writer(bad_store, tmp_path).open()
    store = FlakyStore()
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_STORE_SPOOL_DIR"):
        await writer(store, tmp_path / "file").open()
    assert not store.is_open


class OlderStore(FlakyStore):
    """A store of another project, from before visits and versions."""

    async def write(self, pages=(), outcomes=(), runs=(), near_misses=()):  # type: ignore[no-untyped-def, override]
        await super().write(pages, outcomes, runs, near_misses)


@in_loop
async def test_a_store_that_knows_no_visits_still_takes_pages(tmp_path: Path) -> None:
    store = OlderStore()
    async with writer(store, tmp_path) as it:
        assert await it.put(make.page(1)) == WriteResult.STORED
        assert await it.put(make.visit(1)) == WriteResult.REJECTED
    assert store.urls() == [make.page(1).url]


@in_loop
async def test_a_closed_writer_takes_nothing(tmp_path: Path) -> None:
    it = writer(FlakyStore(), tmp_path)
    with pytest.raises(RuntimeError, match="not open"):
        await it.put(make.page(1))
    async with it:
        with pytest.raises(ValueError, match="needs at least one record"):
            await it.put()
    await it.close()
    with pytest.raises(RuntimeError, match="not open"):
        await it.put(make.page(1))


@pytest.mark.parametrize(
    "options", [{"batch_size": 0}, {"buffer_puts": 0}, {"flush_seconds": -1}], ids=str
)
def test_impossible_sizes_are_refused(tmp_path: Path, options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be >= 1"):
        writer(FlakyStore(), tmp_path, **options)


@settings(max_examples=40, deadline=None)
@given(
    events=st.lists(st.sampled_from(["put", "put", "put", "away", "back", "restart"]), max_size=40),
    batch_size=st.integers(1, 4),
)
def test_whatever_happens_nothing_is_lost_or_out_of_order(
    tmp_path_factory: pytest.TempPathFactory, events: list[str], batch_size: int
) -> None:
    folder = tmp_path_factory.mktemp("spool")
    store = FlakyStore()

    async def scenario() -> int:
        number = 0
        it = writer(store, folder, retry=AT_ONCE, batch_size=batch_size)
        await it.open()
        for event in events:
            if event == "put":
                await it.put(make.outcome(number), wait=bool(number % 3))
                number += 1
            elif event == "restart":
                await it.close()
                it = writer(store, folder, retry=AT_ONCE, batch_size=batch_size)
                await it.open()
            else:
                store.away = event == "away"
        store.away = False
        await it.close()
        return number

    number = asyncio.run(scenario())
    # Repetition is allowed (writing is an upsert), going back to an older one at the end is not.
    last = {outcome.sequence: at for at, outcome in enumerate(store.outcomes)}
    assert sorted(last) == list(range(number))
    assert sorted(last.values()) == [last[sequence] for sequence in range(number)]
    assert list(folder.iterdir()) == []


@in_loop
async def test_a_whole_crawl_of_records_arrives(store_uri: str, tmp_path: Path) -> None:
    """The real backends behind the writer, many tasks at once."""
    spool = Spool(tmp_path / "spool", TOPIC)
    pages = [make.page(n) for n in range(120)]
    outcomes = [make.outcome(n, verdict="stored" if n % 2 else "queued") for n in range(120)]
    async with StoreWriter(open_store(store_uri), spool, batch_size=32, flush_seconds=0) as it:
        results = await asyncio.gather(
            *(it.put(p, o) for p, o in zip(pages, outcomes, strict=True))
        )
        assert set(results) == {WriteResult.STORED}
    async with opened(open_store(store_uri, read_only=True)) as store:
        assert await listed(store.pages(TOPIC, with_html=True)) == pages
        assert await listed(store.outcomes(TOPIC)) == outcomes
