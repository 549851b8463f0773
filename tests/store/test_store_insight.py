"""What the console computes from a store is the same for every backend."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.store_records import MakeStore, in_loop, listed, opened
from tests.support.told_stories import TOPIC, told
from topiccrawl.insight.reading import read_changes, read_overview
from topiccrawl.reporting.event_table import (
    PART,
    EventTable,
    compute_events,
    load_events,
    save_events,
)
from topiccrawl.store.deletion.marks import delete_marked

AT = datetime(2026, 3, 6, tzinfo=UTC)


@in_loop
async def test_an_overview_follows_pages_that_come_change_and_are_deleted(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        pages = told()
        await store.write(pages[1:])
        overview = await read_overview(store, TOPIC)
        assert set(overview.row_of) == {page.url for page in pages[1:]}
        since = datetime.now(UTC)
        await store.write([pages[0], replace(pages[1], title="新标题")])
        await delete_marked(store, TOPIC, [pages[2].url], "request", AT)
        overview = await read_changes(store, TOPIC, overview, since)
        assert set(overview.row_of) == {page.url for page in (pages[0], pages[1], *pages[3:])}
        assert overview.columns.title[overview.row_of[pages[1].url]] == "新标题"


@in_loop
async def test_a_table_of_events_is_kept_replaced_and_deleted_with_a_page(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        await store.write(told())
        assert await load_events(store, TOPIC) is None
        table = await compute_events(store, TOPIC, AT)
        assert [(row.when, row.place) for row in table.rows] == [
            ("2026-03-02", "吉隆坡"),
            ("2026-03-01 21:00", "泸定"),
        ]
        for later in (table, replace(table, at=AT + timedelta(days=1))):
            await save_events(store, TOPIC, later)
            assert await load_events(store, TOPIC) == later
        await delete_marked(store, TOPIC, [told()[0].url], "request", AT)
        assert await load_events(store, TOPIC) is None


@in_loop
async def test_of_two_tables_written_at_once_the_later_one_stays_whole(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store, opened(make_store()) as second:
        await store.write(told())
        table = await compute_events(store, TOPIC, AT)
        later = replace(table, rows=table.rows[:1], at=AT + timedelta(seconds=1))

        class Meanwhile:
            """Another process that saves *other* before the given write of this one."""

            def __init__(self, other: EventTable, before: int) -> None:
                self.other, self.before = other, before

            def __getattr__(self, name: str) -> Any:
                return getattr(store, name)

            async def write(self, **records: Any) -> None:
                self.before -= 1
                if self.before == 0:
                    await save_events(second, TOPIC, self.other)
                await store.write(**records)

        for mine, other in ((table, later), (later, table)):
            for before in (1, 2):
                racing: Any = Meanwhile(other, before)
                await save_events(racing, TOPIC, mine)
                found = await load_events(store, TOPIC)
                assert found in (table, later)
                if before == 1:
                    assert found == later
        much_later = replace(later, at=AT + timedelta(days=1))
        await save_events(store, TOPIC, much_later)
        assert await load_events(store, TOPIC) == much_later
        assert len(await listed(store.desk(TOPIC, PART))) == 1


@in_loop
async def test_a_table_of_before_the_clock_was_set_back_is_replaced(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(told())
        table = await compute_events(store, TOPIC, AT)
        await save_events(store, TOPIC, replace(table, at=AT + timedelta(hours=8)))
        await save_events(store, TOPIC, table)
        assert await load_events(store, TOPIC) == table


@in_loop
async def test_a_table_that_is_replaced_while_it_is_read_is_read_again(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        await store.write(told())
        table = await compute_events(store, TOPIC, AT)
        later = replace(table, at=AT + timedelta(days=1))
        await save_events(store, TOPIC, table)

        class Replaced:
            """Replaces the table after its state was read."""

            reads = 0

            def __getattr__(self, name: str) -> Any:
                return getattr(store, name)

            async def desk(self, *given: Any, **options: Any) -> AsyncIterator[Any]:
                self.reads += 1
                if self.reads == 1:
                    await save_events(store, TOPIC, later)
                async for part in store.desk(*given, **options):
                    yield part

        racing: Any = Replaced()
        assert await load_events(racing, TOPIC) == later
        assert racing.reads == 2
