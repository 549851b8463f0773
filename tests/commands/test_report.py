"""``scrapy report`` writes one file and prints its path."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.support.command_line import run_command, sqlite_store
from tests.support.html_trees import html_tree
from tests.support.reporting_store import make_outcome, make_page, make_run
from tests.support.sample_crawl import sample_crawl
from topiccrawl.actions.report import default_path
from topiccrawl.commands.report import Command


@pytest.fixture(name="store")
def store_uri(tmp_path: Path) -> str:
    return sqlite_store(tmp_path, *sample_crawl(60))


def figure(path: Path, name: str) -> str:
    document = html_tree(path.read_text("utf-8"))
    return str(document.get_element_by_id(f"figure-{name}").find("dd").text_content())


def test_the_report_lies_beside_the_store_and_its_path_is_printed(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), [], store) == 0
    expected = tmp_path / "侨情-report.html"
    assert capsys.readouterr().out.strip() == str(expected)
    stored = {page.url for page in sample_crawl(60)[0]}
    assert figure(expected, "stored").split()[0] == str(len(stored))


def test_text_for_a_terminal_has_the_encoding_of_the_terminal(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs read JSON, and files: both are UTF-8 everywhere."""
    outputs = {}
    for kind in ("text", "json"):
        shown = io.TextIOWrapper(io.BytesIO(), "gbk", errors="backslashreplace")
        monkeypatch.setattr(sys, "stdout", shown)
        assert run_command(Command(), ["侨情", "--format", kind], store) == 0
        outputs[kind] = shown.buffer.getvalue()
    assert outputs["text"].decode("gbk").startswith("侨情")
    assert json.loads(outputs["json"])["topic"] == "侨情"
    file = tmp_path / "r.txt"
    assert run_command(Command(), ["侨情", "--out", str(file)], store) == 0
    assert file.read_text("utf-8").startswith("侨情")


def test_one_run_one_language_another_place(store: str, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert (
        run_command(Command(), ["侨情", "--run", "last", "--lang", "en", "--out", str(out)], store)
        == 0
    )
    text = out.read_text("utf-8")
    assert "run-2" in text
    assert "run-1" not in text
    assert "收获率" not in text


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (
            ["--run", "run-9"],
            "run 'run-9' of topic '侨情' is not in the store; there are: run-2, run-1",
        ),
        (["无此主题"], "topic '无此主题' is not in the store; there are: 侨情"),
        (["图书馆学"], "topic '图书馆学' was not crawled yet; the store has: 侨情"),
        (["--out", "{tmp}/no/r.html"], "No such file or directory"),
        (["--out", "{tmp}"], "a report is a file"),
        (["--store", "postgres://x/y"], "--store must be one of"),
        (["--since", "2999-01-01"], "--since must not be in the future, got '2999-01-01'"),
        (["--store", "sqlite:///{tmp}/none.sqlite"], "none.sqlite"),
    ],
    ids=[
        "unknown run",
        "unknown topic",
        "topic without pages",
        "no folder",
        "a folder",
        "unknown store",
        "the future",
        "no store",
    ],
)
def test_wrong_requests_are_one_clear_line(
    store: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    argv: list[str],
    message: str,
) -> None:
    before = sorted(tmp_path.iterdir())
    code = 2 if message.startswith(("a report is a file", "--since must")) else 1
    assert run_command(Command(), [a.replace("{tmp}", str(tmp_path)) for a in argv], store) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_two_topics_at_a_time_are_a_usage_error(store: str) -> None:
    assert run_command(Command(), ["侨情", "无此主题"], store) == 2


def test_an_empty_store_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(Command(), [], sqlite_store(tmp_path)) == 1
    assert "the store is empty" in capsys.readouterr().err


def test_a_crawl_that_stored_nothing_still_has_a_report(tmp_path: Path) -> None:
    outcomes = [make_outcome(verdict="failed", reason="http-500", relevance=None)]
    uri = sqlite_store(tmp_path, [], outcomes, [make_run()])
    assert run_command(Command(), [], uri) == 0
    assert figure(tmp_path / "侨情-report.html", "failed") == "1"


def test_other_topics_do_not_come_in(tmp_path: Path) -> None:
    pages = [make_page(), make_page("http://tea.cn/", topic="无此主题")]
    outcomes = [make_outcome(), make_outcome("http://tea.cn/", topic="无此主题")]
    uri = sqlite_store(tmp_path, pages, outcomes)
    assert run_command(Command(), ["侨情"], uri) == 0
    assert "tea.cn" not in (tmp_path / "侨情-report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("uri", "topic", "path"),
    [
        ("sqlite:///data/a.sqlite", "侨情", "data/侨情-report.html"),
        ("sqlite:////var/a.sqlite", "侨情", "/var/侨情-report.html"),
        ("mongodb://127.0.0.1/db", "侨情", "侨情-report.html"),
        ("mongodb://127.0.0.1/db", "../a/b:c", "_a_b_c-report.html"),
        ("mongodb://127.0.0.1/db", "..", "topic-report.html"),
    ],
    ids=["relative", "absolute", "server", "no way out of the folder", "no name left"],
)
def test_default_file(uri: str, topic: str, path: str) -> None:
    assert str(default_path(uri, topic)) == path
