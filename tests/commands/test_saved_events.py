"""``scrapy stories --events --save`` keeps the events in the store."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.stored import from_store, in_store
from tests.support.told_stories import TOPIC, told
from topiccrawl.commands.stories import Command
from topiccrawl.reporting.event_table import (
    PART,
    EventTable,
    compute_events,
    load_events,
    save_events,
)
from topiccrawl.store.contract import Store


def loaded(uri: str) -> EventTable | None:
    async def load(store: Store) -> EventTable | None:
        return await load_events(store, TOPIC)

    return from_store(uri, load)


def test_saved_events_are_those_that_were_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = sqlite_store(tmp_path, told())
    assert loaded(uri) is None
    assert run_command(Command(), [TOPIC, "--events", "--save"], uri) == 0
    assert capsys.readouterr().out == f"{TOPIC}: 2 events\n"
    table = loaded(uri)
    assert table is not None
    assert [(row.when, row.place, row.count, row.copies) for row in table.rows] == [
        ("2026-03-02", "吉隆坡", 2, 4),
        ("2026-03-01 21:00", "泸定", 1, 0),
    ]
    assert table.pages == 3


def test_a_table_that_is_saved_again_replaces_the_former_one(tmp_path: Path) -> None:
    uri = sqlite_store(tmp_path, told())

    async def twice(store: Store) -> list[list[str]]:
        table = await compute_events(store, TOPIC, datetime(2026, 3, 6, tzinfo=UTC))
        parts = []
        for _ in range(2):
            await save_events(store, TOPIC, table)
            assert await load_events(store, TOPIC) == table
            parts.append([it.key async for it in store.desk(TOPIC, PART)])
        return parts

    first, second = in_store(uri, twice)
    assert len(first) == len(second) == 1
    assert first != second


def test_save_without_events_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), [TOPIC, "--save"], sqlite_store(tmp_path, told())) == 2
    assert "--save is only for --events" in capsys.readouterr().err
