"""``scrapy forget``: on stores of every kind, with a queue, a spool and judgments."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis
from scrapy.settings import Settings

import tests.support.store_records as make
from tests.support.command_line import run_command
from tests.support.redis_support import link, needs_redis, running
from tests.support.store_records import TOPIC, opened
from topiccrawl.commands.forget import Command
from topiccrawl.crawl.decisions import decisions_file
from topiccrawl.crawl.judgments.given import judgments_file
from topiccrawl.crawl.runs.folder import RunFiles, crawls_folder
from topiccrawl.crawl.runs.state import RunState
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.frontier.factory import frontier_path
from topiccrawl.frontier.redis.frontier import RedisFrontier
from topiccrawl.frontier.sqlite.frontier import SQLiteFrontier
from topiccrawl.store.contract import Store, StoreUnavailable, TopicSize
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool
from topiccrawl.topics.decisions import Decision, save_decisions
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.judgments import save_judgments
from topiccrawl.topics.load import bare_definition

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.usefixtures("_project")

OTHER = "另一个"
NOTHING = TopicSize(0, 0, 0, 0)
SIZE = TopicSize(2, 1, 3, 1, visits=1, versions=2)


@pytest.fixture
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "seeds" / TOPIC
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text(f'name = "{TOPIC}"\n[keywords.core]\n"侨" = 1.0\n')
    save_judgments(
        folder / "judgments.tsv", [Judgment(make.page(1).url, True, datetime.now(UTC), "")]
    )
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    return tmp_path / "seeds" / TOPIC / "judgments.tsv"


@pytest.fixture
def spool(store_uri: str) -> Path:
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
                    [make.visit(1, topic=topic)],
                    [make.version(1, days, topic=topic) for days in (1, 2)],
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


def test_everything_of_the_topic_is_counted_and_deleted_but_the_judgments(
    store_uri: str, spool: Path, judgments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    assert forget(store_uri, TOPIC, "--yes") == 0
    output = capsys.readouterr().out
    assert "store: 2 pages, 1 near misses, 3 outcomes, 1 runs" in output
    assert "store: 2 former versions of pages" in output
    assert "queue: 5 links to fetch, 0 done" in output
    assert f"spool: 2 files in {spool}" in output
    assert "stays: 1 judgments" in output
    assert sizes(store_uri) == {TOPIC: NOTHING, OTHER: SIZE}
    assert list(queue_path(store_uri).parent.glob("*.frontier*")) == []
    assert not spool.exists()
    assert judgments.exists()
    assert forget(store_uri, TOPIC, "--yes") == 1


def test_a_topic_that_was_renamed_keeps_its_judgments_when_its_old_name_is_forgotten(
    store_uri: str, judgments: Path
) -> None:
    definition = judgments.with_name("topic.toml")
    text = definition.read_text().replace("[keywords", f'aliases = ["{OTHER}"]\n[keywords')
    definition.write_text(text)
    fill(store_uri)
    assert forget(store_uri, OTHER, "--yes", "--judgments") == 0
    assert sizes(store_uri) == {TOPIC: SIZE, OTHER: NOTHING}
    assert judgments.exists()


def test_judgments_are_deleted_when_that_is_asked_for(
    store_uri: str, judgments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    assert forget(store_uri, TOPIC, "--judgments", "--yes") == 0
    assert "judgments: 1 (" in capsys.readouterr().out
    assert not judgments.exists()
    assert (judgments.parent / "topic.toml").exists()


def test_files_of_a_bare_word_beside_the_queue_are_shown_and_deleted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    word, store_uri = "茶道", "sqlite:///data/pages.sqlite"
    config = CrawlSettings.from_settings(Settings({"TOPICCRAWL_STORE_URI": store_uri}))
    definition = bare_definition(word)
    decisions = decisions_file(definition, config)
    decisions.parent.mkdir(parents=True)
    save_decisions(decisions, [Decision("茶艺", True, 0.5, datetime.now(UTC))])
    judgments = judgments_file(definition, config)
    save_judgments(judgments, [Judgment(make.page(1).url, True, datetime.now(UTC), "")])
    folder = crawls_folder(store_uri)
    for topic, run in ((word, "one"), (OTHER, "two")):
        files = RunFiles(folder, run)
        folder.mkdir(exist_ok=True)
        files.write(
            RunState(run=run, topic=topic, pid=1, started_at=1.0, updated_at=2.0, phase="ended")
        )
        files.path(".log").write_text("{}\n")
    (folder / "start-1.start").write_text(
        json.dumps({"topic": word, "started_at": 1.0, "command": []})
    )
    assert forget(store_uri, word, "--yes") == 0
    output = capsys.readouterr().out
    assert "runs: files of 2 in " in output
    assert f"stays: 1 decisions about words ({decisions})" in output
    assert sorted(it.name for it in folder.iterdir()) == ["two.json", "two.log"]
    assert decisions.exists()
    assert forget(store_uri, word, "--judgments", "--yes") == 0
    assert f"decisions about words: 1 ({decisions})" in capsys.readouterr().out
    assert not decisions.exists()
    assert not judgments.exists()


def test_without_a_terminal_and_without_yes_it_only_counts(
    store_uri: str, spool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    assert forget(store_uri, TOPIC) == 1
    said = capsys.readouterr()
    assert "store: 2 pages" in said.out
    assert "nothing was deleted; confirm it with --yes" in said.err
    assert sizes(store_uri)[TOPIC] == SIZE
    assert queue_path(store_uri).exists()
    assert spool.exists()


@pytest.mark.parametrize(("answer", "left"), [("n", SIZE), ("", SIZE), ("y", NOTHING)])
def test_on_a_terminal_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: TopicSize
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    fill(uri)
    terminal = io.StringIO(f"{answer}\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    assert forget(uri, TOPIC) == (0 if left == NOTHING else 1)
    assert sizes(uri)[TOPIC] == left


def test_a_topic_that_is_being_crawled_is_refused(
    store_uri: str, spool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    running_crawl = filled_queue(store_uri)
    assert forget(store_uri, TOPIC, "--yes") == 1
    assert "is running; stop it first" in capsys.readouterr().err
    assert running_crawl.size().queued == 5
    running_crawl.close()
    writer = Spool(spool.parent, TOPIC, store_uri)
    writer.open()
    assert forget(store_uri, TOPIC, "--yes") == 1
    assert "a running crawl is using it" in capsys.readouterr().err
    writer.close()
    assert sizes(store_uri)[TOPIC] == SIZE
    assert spool.exists()


def test_a_damaged_queue_and_those_kept_by_a_rebuilding_are_deleted_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    filled_queue(uri).close()
    path = queue_path(uri)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9999")
    aside = path.with_name(f"{path.name}.damaged-20260101T000000000000")
    aside.write_bytes(b"old")
    assert forget(uri, TOPIC, "--yes") == 0
    assert "queue: cannot be counted" in capsys.readouterr().out
    assert not path.exists()
    assert not aside.exists()


def test_an_unknown_topic_is_named_and_nothing_is_created(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    assert forget(uri, "别的", "--yes") == 1
    assert "there is nothing of '别的'" in capsys.readouterr().err
    assert not (tmp_path / "store.sqlite").exists()
    fill(uri)
    assert forget(uri, "别的", "--yes") == 1
    assert "is not in the store" in capsys.readouterr().err
    assert forget(uri) == 2


def redis_queue(url: str) -> list[str]:
    """Options by which the queue is on the Redis server at *url*."""
    return ["-s", "TOPICCRAWL_FRONTIER_BACKEND=redis", "-s", f"REDIS_URL={url}"]


@needs_redis
def test_the_queue_on_a_redis_server_is_deleted_and_those_of_other_topics_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    fill(uri)
    folder = tmp_path / "redis"
    folder.mkdir()
    with running(folder) as server:
        client = server.client()
        more = redis_queue(server.url)
        other = RedisFrontier(server.client(), OTHER)
        other.push([link("x")])
        other.close()
        others = set(client.keys("*"))
        frontier = RedisFrontier(server.client(), TOPIC)
        frontier.push([link(str(number)) for number in range(5)])
        frontier.heartbeat(frontier.clock())
        client.set(f"{{topiccrawl:{TOPIC}}}:damaged-2026:links", "old")
        assert forget(uri, TOPIC, "--yes", *more) == 1
        assert "must not be in use" in capsys.readouterr().err
        assert sizes(uri)[TOPIC] == SIZE
        frontier.close()
        assert forget(uri, TOPIC, "--yes", *more) == 0
        assert "queue: 5 links to fetch" in capsys.readouterr().out
        assert set(client.keys("*")) == others
    assert sizes(uri)[TOPIC] == NOTHING


@needs_redis
def test_nothing_is_deleted_while_the_redis_server_is_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    fill(uri)
    folder = tmp_path / "redis"
    folder.mkdir()
    with running(folder) as server:
        more = redis_queue(server.url)
    for name in (TOPIC, "别的"):
        assert forget(uri, name, "--yes", *more) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("\n") == 1
        if name == TOPIC:
            assert "REDIS_URL: Redis at" in said.err
    assert sizes(uri)[TOPIC] == SIZE


@needs_redis
def test_a_redis_server_that_goes_away_while_a_queue_is_deleted_is_named_with_what_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    fill(uri)
    folder = tmp_path / "redis"
    folder.mkdir()
    with running(folder) as server:
        more = redis_queue(server.url)
        frontier = RedisFrontier(server.client(), TOPIC)
        frontier.push([link(str(number)) for number in range(5)])
        frontier.close()
        unlink = redis.Redis.unlink

        def dying(client: redis.Redis, *names: bytes) -> object:
            unlink(client, *names)
            server.kill()
            return None

        with monkeypatch.context() as patch:
            patch.setattr(redis.Redis, "unlink", dying)
            assert forget(uri, TOPIC, "--yes", *more) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "the queue is deleted in part, and the same command deletes the rest" in error
        assert sizes(uri)[TOPIC] == SIZE
        server.start()
        assert forget(uri, TOPIC, "--yes", *more) == 0
    assert sizes(uri)[TOPIC] == NOTHING


def test_a_store_that_does_not_answer_is_one_line_and_nothing_is_deleted(
    store_uri: str, spool: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    opening, opened_before = type(open_store(store_uri)).open, iter(range(9))

    async def away(store: Store) -> None:
        if next(opened_before) == 2:  # after finding the topic and counting
            raise StoreUnavailable("the server is away")
        await opening(store)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(type(open_store(store_uri)), "open", away)
        assert forget(store_uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert error == "topiccrawl: the store does not answer: the server is away\n"
    assert queue_path(store_uri).exists()
    assert spool.exists()
    assert sizes(store_uri)[TOPIC] == SIZE


def test_a_store_that_goes_away_half_way_is_named_with_what_was_deleted_before(
    store_uri: str, spool: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()

    async def away(store: Store, topic: str) -> None:
        raise StoreUnavailable("the server is away")

    with monkeypatch.context() as patch:
        patch.setattr(type(open_store(store_uri)), "forget", away)
        assert forget(store_uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "the server is away. Deleted before that: the queue, the spool." in error
    assert not queue_path(store_uri).exists()
    assert not spool.exists()
    assert forget(store_uri, TOPIC, "--yes") == 0
    assert sizes(store_uri)[TOPIC] == NOTHING


def test_a_mongo_server_that_is_away_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        uri = f"mongodb://{address}/none?serverSelectionTimeoutMS=200"
        assert forget(uri, TOPIC, "--yes") == 1
    error = capsys.readouterr().err
    assert f"mongodb://{address}/none" in error
    assert "no MongoDB server answers there" in error
    assert error.count("\n") == 1
