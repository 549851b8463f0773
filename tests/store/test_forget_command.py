"""``scrapy forget``: on stores of every kind, with a queue, a spool and judgments."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy.settings import Settings

import tests.support.store_records as make
from tests.support.forgetting import (
    NOTHING,
    OTHER,
    SIZE,
    fill,
    filled_queue,
    forget,
    queue_path,
    sizes,
)
from tests.support.store_records import TOPIC
from topiccrawl.crawl.judgments.given import decisions_file, judgments_file
from topiccrawl.crawl.runs.folder import RunFiles, crawls_folder
from topiccrawl.crawl.runs.state import RunState
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.store.contract import TopicSize
from topiccrawl.store.spool import Spool
from topiccrawl.store.uri import shown
from topiccrawl.topics.decisions import Decision, save_decisions
from topiccrawl.topics.definition import Judgment
from topiccrawl.topics.judgments import save_judgments
from topiccrawl.topics.load import bare_definition

pytestmark = pytest.mark.usefixtures("forgetting_project")


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    return tmp_path / "seeds" / TOPIC / "judgments.tsv"


def test_everything_of_the_topic_is_counted_and_deleted_but_the_judgments(
    store_uri: str, left_spool: Path, judgments: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    assert forget(store_uri, TOPIC, "--yes") == 0
    output = capsys.readouterr().out
    assert "store: 2 pages, 1 near miss, 3 outcomes, 1 run" in output
    assert "store: 2 former versions of pages" in output
    assert "queue: 5 links to fetch, 0 done" in output
    assert f"spool: 2 files in {left_spool}" in output
    assert "stays: 1 judgment (" in output
    assert sizes(store_uri) == {TOPIC: NOTHING, OTHER: SIZE}
    assert list(queue_path(store_uri).parent.glob("*.frontier*")) == []
    assert not left_spool.exists()
    assert judgments.exists()


def test_what_would_be_deleted_is_listed_in_chinese_by_one_word_for_the_store(
    store_uri: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    fill(store_uri)
    assert forget(store_uri, TOPIC) == 1
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == f"{TOPIC}（{shown(store_uri)}）："
    assert lines[:2] == [
        "  数据库：2 页、1 个备选页面、3 条抓取结果、1 次运行",
        "  数据库：页面的旧版本 2 个",
    ]


def test_the_repetition_of_a_call_that_was_killed_at_its_end_says_that_nothing_is_left(
    store_uri: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    assert forget(store_uri, TOPIC, "--yes") == 0
    capsys.readouterr()
    assert forget(store_uri, TOPIC, "--yes") == 0
    assert capsys.readouterr().out.startswith(f"{TOPIC}: nothing is left (")
    assert forget(store_uri, OTHER, "--yes") == 0
    assert forget(store_uri, OTHER, "--yes") == 1, "no folder has this name: it may be a wrong one"


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
    assert f"stays: 1 decision about a word ({decisions})" in output
    assert sorted(it.name for it in folder.iterdir()) == ["two.json", "two.log"]
    assert decisions.exists()
    assert forget(store_uri, word, "--judgments", "--yes") == 0
    assert f"decisions about words: 1 ({decisions})" in capsys.readouterr().out
    assert not decisions.exists()
    assert not judgments.exists()


def test_without_a_terminal_and_without_yes_it_only_counts(
    store_uri: str, left_spool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    filled_queue(store_uri).close()
    assert forget(store_uri, TOPIC) == 1
    said = capsys.readouterr()
    assert "store: 2 pages" in said.out
    assert "nothing was deleted; confirm it with --yes" in said.err
    assert sizes(store_uri)[TOPIC] == SIZE
    assert queue_path(store_uri).exists()
    assert left_spool.exists()


@pytest.mark.parametrize(
    ("answer", "left"),
    [("n\n", SIZE), ("\n", SIZE), ("", SIZE), ("y\n", NOTHING), ("ｙ\n", NOTHING)],
    ids=["no", "enter", "ctrl-d", "yes", "full-width"],
)
def test_on_a_terminal_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, left: TopicSize
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    fill(uri)
    terminal = io.StringIO(answer)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    assert forget(uri, TOPIC) == (0 if left == NOTHING else 1)
    assert sizes(uri)[TOPIC] == left


def test_a_topic_that_is_being_crawled_is_refused(
    store_uri: str, left_spool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(store_uri)
    running_crawl = filled_queue(store_uri)
    assert forget(store_uri, TOPIC, "--yes") == 1
    assert "is running; stop it first" in capsys.readouterr().err
    assert running_crawl.size().queued == 5
    running_crawl.close()
    writer = Spool(left_spool.parent, TOPIC, store_uri)
    writer.open()
    assert forget(store_uri, TOPIC, "--yes") == 1
    assert "a running crawl is using it" in capsys.readouterr().err
    writer.close()
    assert sizes(store_uri)[TOPIC] == SIZE
    assert left_spool.exists()


def test_a_damaged_queue_and_those_kept_by_a_rebuilding_are_deleted_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    filled_queue(uri).close()
    path = queue_path(uri)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA user_version = 9999")
    aside = path.with_name(f"{path.name}.damaged-20260101T000000000000")
    aside.write_bytes(b"old")
    killed = path.with_name(f"{path.name}.rebuilt-ab12")  # by a rebuilding that was killed
    killed.mkdir()
    (killed / "queue").write_bytes(b"old")
    assert forget(uri, TOPIC, "--yes") == 0
    assert "queue: cannot be counted" in capsys.readouterr().out
    assert not path.exists()
    assert not aside.exists()
    assert not killed.exists()


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
