"""The console over MongoDB in place of SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.support.console_examples import examples, keep_events, leave_crawl
from tests.support.console_server import console
from tests.support.console_stores import (
    EVIL_STORY,
    EVIL_TOPIC,
    EVIL_URL,
    STORY,
    TOPIC,
    URL,
    fill_honest,
    fill_hostile,
)
from tests.support.console_walk import view_paths
from topiccrawl.console.sections import sections
from topiccrawl.store.contract import Store
from topiccrawl.store.factory import open_store


@pytest.mark.parametrize(
    ("write", "topic", "url", "story"),
    [(fill_honest, TOPIC, URL, STORY), (fill_hostile, EVIL_TOPIC, EVIL_URL, EVIL_STORY)],
    ids=["honest", "hostile"],
)
def test_every_view_answers(
    write: Callable[[Store], Awaitable[None]],
    topic: str,
    url: str,
    story: str,
    mongo_database_uri: str,
    tmp_path: Path,
) -> None:
    async def filled() -> None:
        store = open_store(mongo_database_uri)
        await store.open()
        try:
            await write(store)
            await keep_events(store, topic)
        finally:
            await store.close()

    asyncio.run(filled())
    leave_crawl(tmp_path / "data", topic)
    statuses = {}
    with console(mongo_database_uri, write=True, folder=tmp_path) as desk:
        desk.get("/")
        known = examples(desk, topic, story)
        for section in sections():
            for path in view_paths(section.key, topic, url, known):
                statuses[path] = desk.get(path).status
    assert {path: it for path, it in statuses.items() if it not in (200, 286)} == {}
