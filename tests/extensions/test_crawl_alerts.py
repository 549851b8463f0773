"""Warnings of a crawl whose store or queue fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.receivers import Receiver, receiving
from tests.support.store_records import TOPIC, in_loop
from tests.support.watched import collection
from topiccrawl.alerts.reading import recorded
from topiccrawl.extensions.alerts import CrawlAlerts
from topiccrawl.frontier.contract import FrontierSize
from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.desk import DeskRecord

SIZE = FrontierSize(1, 0, 0, 0, 0, 1)
RULES = """
[[channels]]
name = "desk"
kind = "webhook"
url_env = "DESK_URL"

[[rules]]
name = "health"
kind = "health"
checks = ["disk"]
disk_mb = 1_000_000_000_000
"""


def watcher(folder: Path, store: Any, size: Callable[[], FrontierSize]) -> CrawlAlerts:
    """Return the warnings of a crawl; a round each 50 milliseconds."""
    rules = folder / "alerts.toml"
    rules.write_text(RULES, encoding="utf-8")
    settings = SimpleNamespace(
        alerts=str(rules), alerts_seconds=0.05, store_uri=f"sqlite:///{folder}/pages.sqlite"
    )
    stored = SimpleNamespace(store=store, away=False, counts=SimpleNamespace(spooled=0, replayed=0))
    session: Any = SimpleNamespace(
        id="run-1",
        topic=SimpleNamespace(name=TOPIC),
        settings=settings,
        store=stored,
        refresher=None,
        frontier=SimpleNamespace(size=size),
        content=SimpleNamespace(rests=SimpleNamespace(blocking=list, hosts=0)),
        progress=SimpleNamespace(pages=0, relevant=0),
        control=SimpleNamespace(stopping=False, count=lambda name, number: None),
    )
    crawler: Any = SimpleNamespace(stats=SimpleNamespace(get_value=lambda name, default: default))
    return CrawlAlerts(session, crawler)


@in_loop
async def check_away(uri: str, folder: Path, hook: Receiver) -> None:
    async with collection(uri) as store:
        left = asyncio.Event()
        write = store.write

        async def leaving(*, desk: list[DeskRecord]) -> None:
            if any(it.kind == "alert-message" for it in desk):
                left.set()
            if left.is_set():
                raise StoreUnavailable("away")
            await write(desk=desk)

        with patch.object(store, "write", leaving):
            made = watcher(folder, store, lambda: SIZE)
            await made.spider_opened()
            await asyncio.wait_for(left.wait(), 10.0)
            await asyncio.sleep(0.2)
            made.session_closed()
            await made.spider_closed()
        assert len(await recorded(store, TOPIC)) == 1
    assert len(hook.posted) == 1


def test_a_warning_that_was_recorded_before_the_store_left_is_sent_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as hook:
        monkeypatch.setenv("DESK_URL", hook.url)
        check_away(f"sqlite:///{tmp_path}/pages.sqlite", tmp_path, hook)


@in_loop
async def check_failing(uri: str, folder: Path) -> None:
    failures = [RuntimeError("dropped")]

    def size() -> FrontierSize:
        if failures:
            raise failures.pop()
        return SIZE

    async with collection(uri) as store:
        made = watcher(folder, store, size)
        await made.spider_opened()
        for _step in range(100):
            if await recorded(store, TOPIC):
                break
            await asyncio.sleep(0.05)
        made.session_closed()
        await made.spider_closed()
        assert len(await recorded(store, TOPIC)) == 1


def test_a_sample_that_fails_ends_neither_the_rounds_nor_the_end_of_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving() as hook:
        monkeypatch.setenv("DESK_URL", hook.url)
        check_failing(f"sqlite:///{tmp_path}/pages.sqlite", tmp_path)
    assert "dropped" in caplog.text
