"""The views of events and relations: computed beside the console, read from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.told_stories import TOPIC, told
from topiccrawl.console.config import ConsoleConfig
from topiccrawl.console.desk import Desk
from topiccrawl.console.paths import topic_path
from topiccrawl.console.stories import event_tables
from topiccrawl.console.stories.event_tables import EventTables
from topiccrawl.console.views import events
from topiccrawl.reporting.event_table import compute_events, save_events
from topiccrawl.store.contract import Store
from topiccrawl.store.deletion.marks import delete_marked
from topiccrawl.store.factory import open_store

AT = datetime(2026, 3, 6, tzinfo=UTC)


async def saved(store: Store) -> None:
    await store.write(told())
    await save_events(store, TOPIC, await compute_events(store, TOPIC, datetime.now(UTC)))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    with console(fill(tmp_path_factory.mktemp("desk") / "pages.sqlite", saved)) as running:
        yield running


def test_the_table_has_time_place_persons_and_organizations(desk: RunningConsole) -> None:
    text = desk.get(topic_path(TOPIC, "events")).text
    for word in (
        "2026-03-02",
        "吉隆坡",
        "林国明",
        "马来西亚中华总商会",
        "泸定",
        "2026-03-01 21:00",
    ):
        assert word in text


def test_the_filter_leaves_the_events_of_a_place(desk: RunningConsole) -> None:
    text = desk.get(topic_path(TOPIC, "events", place="吉隆坡市")).text
    assert "1 event<" in text
    assert "地震" not in text


def test_an_event_has_its_evidence_and_leads_to_the_spread_of_its_stories(
    desk: RunningConsole,
) -> None:
    listed = desk.get(topic_path(TOPIC, "events", q="华商大会")).text
    path = listed.split('data-label="Event"')[1].split('href="')[1].split('"')[0]
    text = desk.get(path).text
    assert "世界华商大会2日在吉隆坡开幕" in text
    assert f'/stories/{"a" * 16}"' in text
    assert "4 copies" in text


def test_the_pager_leads_to_no_page_that_is_not_there(
    desk: RunningConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_PER_PAGE", 1)
    assert "page=2" in desk.get(topic_path(TOPIC, "events")).text
    monkeypatch.setattr(events, "MOST_PAGES", 1)
    assert "page=2" not in desk.get(topic_path(TOPIC, "events")).text


def test_relations_are_a_graph_and_a_table(desk: RunningConsole) -> None:
    text = desk.get(topic_path(TOPIC, "relations")).text
    assert "<circle" in text
    assert text.count("林国明") >= 2
    alone = desk.get(topic_path(TOPIC, "relations", name="林国明")).text
    assert "王建华" not in alone


def test_a_table_that_was_deleted_with_a_page_is_not_shown_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_tables, "_LOOK_SECONDS", -1.0)
    uri = fill(tmp_path / "pages.sqlite", saved)

    async def shown() -> list[int]:
        store = open_store(uri)
        await store.open()
        tables = EventTables(Desk(ConsoleConfig(store_uri=uri), store))
        try:
            found = [await tables.current(TOPIC)]
            await delete_marked(store, TOPIC, [told()[0].url], "request", AT)
            found.append(await tables.current(TOPIC))
            return [len(it.table.rows) if it.table else 0 for it in found]
        finally:
            await tables.close()
            await store.close()

    assert asyncio.run(shown()) == [2, 0]


def test_a_table_that_nobody_computed_is_computed_beside_the_console(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(told()))
    with console(uri) as running:
        text = running.get(topic_path(TOPIC, "events")).text
        assert "being computed" in text
        while "being computed" in text:
            text = running.get(topic_path(TOPIC, "events")).text
    assert "吉隆坡" in text


def test_events_are_computed_again_after_a_change_that_leaves_as_many_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(told()))
    # Every call looks at the store, and no computation waits for the end of a rest.
    monkeypatch.setattr(event_tables, "_LOOK_SECONDS", -1.0)
    monkeypatch.setattr(event_tables, "_LEAST_REST", 0.0)
    monkeypatch.setattr(event_tables, "_REST_FACTOR", 0.0)

    async def computing() -> list[bool]:
        store = open_store(uri)
        await store.open()
        tables = EventTables(Desk(ConsoleConfig(store_uri=uri), store))
        found = []
        try:
            for change in ((), (), [replace(told()[0], title="另一个标题")]):
                await store.write(change)
                found.append((await tables.current(TOPIC)).computing)
                await tables.computed(TOPIC)
            found.append((await tables.current(TOPIC)).computing)
            return found
        finally:
            await tables.close()
            await store.close()

    assert asyncio.run(computing()) == [True, False, True, False]


def test_events_of_before_the_clock_was_set_back_are_computed_again(tmp_path: Path) -> None:
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(told()))
    ahead = datetime.now(UTC) + timedelta(hours=8)

    async def shown() -> int:
        store = open_store(uri)
        await store.open()
        table = await compute_events(store, TOPIC, ahead)
        await save_events(store, TOPIC, replace(table, rows=()))
        tables = EventTables(Desk(ConsoleConfig(store_uri=uri), store))
        try:
            await tables.current(TOPIC)
            await tables.computed(TOPIC)
            current = (await tables.current(TOPIC)).table
            return len(current.rows) if current else 0
        finally:
            await tables.close()
            await store.close()

    assert asyncio.run(shown()) == 2
