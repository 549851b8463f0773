"""The writer of a store: batches, order, back-pressure, the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support.store_fakes import FlakyStore
from tests.support.store_records import TOPIC, in_loop, listed, opened, until
from tests.support.store_writers import AT_ONCE, NEVER, numbers, writer
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter


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
