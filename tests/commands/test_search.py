"""``scrapy search``."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.store_records import page
from topiccrawl.commands.search import Command

HOSTILE = "侨务\x1b[31m红\u202e反"


@pytest.fixture
def store(tmp_path: Path) -> str:
    pages = [
        page(1, title="僑務會議", published_at=datetime(2025, 1, 2, tzinfo=UTC)),
        page(2, title=HOSTILE, body="正文。侨务工作。", site="evil.example"),
        page(3, title="侨务", topic="另一个"),
        page(4, title="天气", body="晴。", published_at=None),
    ]
    return sqlite_store(tmp_path, pages=pages)


def run(store: str, *argv: str) -> int:
    return run_command(Command(), [*argv, "--store", store])


def test_it_lists_pages_with_pieces_of_their_texts(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(store, "侨务", "--topic", "侨情", "--sort", "newest") == 0
    out = capsys.readouterr().out
    assert out.startswith("2 pages")
    assert "2025-01-02  www.qiaowang.example  僑務會議" in out
    assert "正文。侨务工作。" in out
    assert "天气" not in out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_a_date_that_is_none_is_named(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(store, "侨务 until:昨天") == 0
    found = capsys.readouterr()
    assert found.out.startswith("0 pages")
    assert "until:昨天 is no date" in found.err


def test_a_kind_that_is_none_is_named(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(store, "侨务 kind:foo") == 0
    found = capsys.readouterr()
    assert found.out.startswith("0 pages")
    assert found.err == "foo is no kind of page; there are: article, list, thread, other\n"


@pytest.mark.parametrize("bare", ["title:", "标题：", "site:"])
def test_a_field_without_a_word_is_named(
    store: str, bare: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(store, f"侨务 {bare}") == 0
    found = capsys.readouterr()
    assert found.out.startswith("0 pages")
    assert found.err == f"nothing stands behind {bare}, which was searched as a word\n"


def test_a_topic_that_was_searched_as_a_word_is_named(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(store, "侨情", "侨务") == 0
    found = capsys.readouterr()
    assert found.out.startswith("0 pages")
    assert "侨情 is a topic and was searched as a word" in found.err
    assert run(store, "侨务", "侨情") == 0  # no topic's name comes first
    assert "is a topic" not in capsys.readouterr().err


def test_json_has_totals_facets_and_marks(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(store, "侨务", "-会议", "--json") == 2  # an option that does not exist
    assert run(store, "侨务 -会议", "--json", "--limit", "1") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == 2
    assert len(found["pages"]) == 1
    assert found["facets"]["topic"] == {"侨情": 1, "另一个": 1}


def test_json_has_no_date_of_publication_for_a_page_without_one(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(store, "天气 | 會議", "--json", "--topic", "侨情", "--sort", "oldest") == 0
    pages = {it["title"]: it for it in json.loads(capsys.readouterr().out)["pages"]}
    assert pages["僑務會議"]["published"] == "2025-01-02T08:00:00+08:00"
    assert pages["天气"]["published"] is None
    assert pages["天气"]["first_seen"].endswith("+08:00")


@pytest.mark.parametrize("argv", [(), ("  ",), ("侨务", "--limit", "0"), ("侨务", "--topic", "无")])
def test_what_cannot_be_searched_is_an_error(
    store: str, argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(store, *argv) == (1 if "--topic" in argv else 2)
    assert "topiccrawl: " in capsys.readouterr().err


def test_pages_of_an_older_store_are_entered_by_a_command(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(store.removeprefix("sqlite:///"))) as file:
        file.execute("INSERT INTO search (search) VALUES ('delete-all')")
        file.execute("UPDATE headlines SET indexed = 0")
        file.commit()
    assert run(store, "侨务") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("0 pages")
    assert "4 pages of an older version are not in the index yet" in captured.err
    assert run(store, "--index") == 0
    assert capsys.readouterr().out == "4 pages entered in the index\n"
    assert run(store, "侨务") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("3 pages")
    assert captured.err == ""
