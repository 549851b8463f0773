"""What the tests of ``scrapy forget`` share: a filled store, a queue, a spool, and the command."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy.settings import Settings

import tests.support.store_records as make
from tests.support.command_line import run_command
from tests.support.redis_support import link
from tests.support.store_records import TOPIC, opened
from topiccrawl.commands.forget import Command
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.paths import frontier_path
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.store.contract import TopicSize
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.judgments import save_judgments

OTHER = "另一个"
NOTHING = TopicSize(0, 0, 0, 0)
SIZE = TopicSize(2, 1, 3, 1, visits=1, versions=2)


@pytest.fixture
def forgetting_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "seeds" / TOPIC
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text(f'name = "{TOPIC}"\n[keywords.core]\n"侨" = 1.0\n')
    save_judgments(
        folder / "judgments.tsv", [Judgment(make.page(1).url, True, datetime.now(UTC), "")]
    )
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def left_spool(store_uri: str) -> Path:
    """The folder of a spool that a dead process has left."""
    spool = Spool(Path("data/spool"), TOPIC, store_uri)
    spool.append([make.page(7)])
    spool.reject(make.page(8), "too large")
    spool.close()
    return spool.folder


def queue_path(store_uri: str) -> Path:
    return frontier_path(
        TOPIC, CrawlSettings.from_settings(Settings({"TOPICCRAWL_STORE_URI": store_uri}))
    )


def filled_queue(store_uri: str) -> SQLiteFrontier:
    path = queue_path(store_uri)
    path.parent.mkdir(parents=True, exist_ok=True)
    frontier = SQLiteFrontier(path)
    frontier.push([link(str(number)) for number in range(5)])
    return frontier


def fill(store_uri: str) -> None:
    async def write() -> None:
        async with opened(open_store(store_uri)) as store:
            for topic in (TOPIC, OTHER):
                await store.write(
                    [make.page(1, topic=topic), make.page(2, topic=topic)],
                    [make.outcome(number, topic=topic) for number in range(3)],
                    [make.run(1, topic=topic)],
                    [make.near_miss(4, topic=topic)],
                    visits=[make.visit(1, topic=topic)],
                    versions=[make.version(1, days, topic=topic) for days in (1, 2)],
                )

    asyncio.run(write())


def sizes(store_uri: str) -> Mapping[str, TopicSize]:
    async def read() -> Mapping[str, TopicSize]:
        async with opened(open_store(store_uri, read_only=True)) as store:
            return {topic: await store.size(topic) for topic in (TOPIC, OTHER)}

    return asyncio.run(read())


def forget(store_uri: str, *arguments: str) -> int:
    words = [*arguments, "-s", "TOPICCRAWL_STORE_SPOOL_DIR=data/spool"]
    return run_command(Command(), words, store_uri)
