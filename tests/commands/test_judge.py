"""``scrapy judge``: which page and which topic is meant, and what is said when something is wrong."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.command_line import run_command, sqlite_store
from tests.support.planted_copies import planted
from tests.support.reporting_store import START, make_outcome, make_page
from tests.support.stored import from_store
from topiccrawl.actions.judge import judge
from topiccrawl.commandline.errors import WrongUsageError
from topiccrawl.commands.judge import Command
from topiccrawl.commands.stories import Command as StoriesCommand
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.topics.judgments import load_judgments

PAGE = make_page("http://qw.example.cn/1")
GONE = make_page("http://qw.example.cn/2", withdrawn_at=START)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the topic 侨情."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    folder = tmp_path / "seeds" / "侨情"
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text(
        'name = "侨情"\naliases = ["僑務"]\n[keywords.core]\n"侨" = 1.0\n'
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(project: Path) -> str:
    outcomes = [
        make_outcome(PAGE.url),
        make_outcome(
            "http://qw.example.cn/old",
            verdict="dropped",
            reason="redirected",
            detail=f"redirected to {PAGE.url}",
        ),
    ]
    return sqlite_store(project, [PAGE, GONE], outcomes)


def judged(project: Path) -> dict[str, bool]:
    file = project / "seeds" / "侨情" / "judgments.tsv"
    return {judgment.url: judgment.relevant for judgment in load_judgments(file)}


def standings(uri: str, topic: str = "侨情") -> dict[str, str]:
    async def read(store: Store) -> dict[str, str]:
        return {it.url: it.standing async for it in store.standings(topic)}

    return from_store(uri, read)


def test_several_pages_are_judged_at_once_for_the_only_topic_in_the_store(
    project: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), [PAGE.url, "http://x.example/", "no"], store) == 0
    assert judged(project) == {PAGE.url: False, "http://x.example/": False}
    assert standings(store) == {PAGE.url: "withdrawn", GONE.url: "withdrawn"}
    output = capsys.readouterr().out
    assert f"{PAGE.url}\tno\twas withdrawn from the collection" in output
    assert "http://x.example/\tno\twill not enter the collection" in output
    assert str(project / "seeds" / "侨情" / "judgments.tsv") in output
    assert run_command(Command(), [PAGE.url, GONE.url, "YES"], store) == 0
    assert standings(store) == {PAGE.url: "kept", GONE.url: "kept"}
    assert "is in the collection again" in capsys.readouterr().out


@pytest.mark.parametrize(
    "spelling", ["qw.example.cn/1", "HTTP://qw.example.cn:80/1#a", "http://qw.example.cn/old"]
)
def test_other_spellings_and_the_address_that_redirects_mean_the_same_page(
    project: Path, store: str, spelling: str
) -> None:
    assert run_command(Command(), [spelling, "no", "-a", "topic=僑務"], store) == 0
    assert judged(project) == {PAGE.url: False}
    assert standings(store)[PAGE.url] == "withdrawn"


def test_of_a_host_it_is_said_that_its_front_page_was_judged(
    project: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), ["http://www.x.example", PAGE.url, "no"], store) == 0
    told = "only its front page was judged; -a deny=www.x.example leaves out all of the site"
    assert capsys.readouterr().out.count("front page") == 1
    assert run_command(Command(), ["http://www.x.example/", "no"], store) == 0
    assert f"www.x.example: {told}" in capsys.readouterr().out
    assert run_command(Command(), ["http://www.x.example/", "yes"], store) == 0
    assert "front page" not in capsys.readouterr().out


def test_a_note_is_written_and_listed(
    project: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(Command(), [PAGE.url, "yes", "--note", "图集 a\tb"], store) == 0
    capsys.readouterr()
    assert run_command(Command(), ["--list", "--topic", "侨情"], store) == 0
    listed = capsys.readouterr()
    url, word, _, note = listed.out.strip().split("\t")
    assert (url, word, note) == (PAGE.url, "yes", "图集 a b")
    assert "1 relevant, 0 not relevant" in listed.err


def test_pages_can_be_judged_before_there_is_a_store(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    uri = f"sqlite:///{project}/data/pages.sqlite"
    assert run_command(Command(), [PAGE.url, "yes", "--topic", "侨情"], uri) == 0
    assert judged(project) == {PAGE.url: True}
    assert not (project / "data").exists()
    assert run_command(Command(), [PAGE.url, "yes"], uri) == 1
    assert "which topic? there is no store yet: use --topic TOPIC" in capsys.readouterr().err


def test_a_store_that_is_away_does_not_lose_the_judgment(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = "mongodb://127.0.0.1:9/pages?serverSelectionTimeoutMS=50"
    assert run_command(Command(), [PAGE.url, "no", "--topic", "侨情"], away) == 1
    assert judged(project) == {PAGE.url: False}
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0] == f"{PAGE.url}\tno\tsaved"
    assert "takes effect with the next crawl" in " ".join(printed.err.split())


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["yes"],
        [PAGE.url],
        [PAGE.url, "maybe"],
        [PAGE.url, "--list"],
        [PAGE.url, "yes", "-a", "seeds=x"],
        [PAGE.url, "yes", "-a", "topic=a", "--topic", "b"],
    ],
)
def test_a_wrong_command_line_is_a_usage_error(
    project: Path, store: str, arguments: list[str]
) -> None:
    assert run_command(Command(), arguments, store) == 2
    assert judged(project) == {}


def test_a_word_that_is_no_judgment_is_named() -> None:
    with pytest.raises(WrongUsageError, match="the last word must be yes or no, got 'maybe'"):
        asyncio.run(judge([PAGE.url, "maybe"], Namespace(listing=False), Settings()))


@pytest.mark.parametrize(("word", "relevant"), [("是", True), ("不切题", False), ("No", False)])
def test_judgments_may_be_chinese_words(
    project: Path, store: str, word: str, relevant: bool
) -> None:
    assert run_command(Command(), [PAGE.url, word], store) == 0
    assert judged(project) == {PAGE.url: relevant}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/a.html", "no"], "URL must be an http or https URL with a host, got '/a.html'"),
        ([PAGE.url, "no", "--topic", "侨乡"], "topic '侨乡' is not known"),
    ],
)
def test_what_cannot_be_meant_is_an_error_and_nothing_is_written(
    project: Path,
    store: str,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    assert run_command(Command(), arguments, store) == 1
    assert message in capsys.readouterr().err
    assert judged(project) == {}


def test_a_topic_with_a_wrong_file_is_an_error_though_it_was_crawled(
    project: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "seeds" / "侨情" / "judgments.tsv"
    file.write_text("http://qw.example.cn/9 no\n")
    for arguments in ([PAGE.url, "no", "--topic", "侨情"], ["--list", "--topic", "侨情"]):
        assert run_command(Command(), arguments, store) == 1
        assert f"{file}, line 1: must be a URL and yes or no" in capsys.readouterr().err
    assert standings(store)[PAGE.url] == "kept"
    assert not list(project.rglob("*.judgments.tsv"))


@pytest.mark.parametrize(
    "pasted",
    [
        f"{PAGE.url}，{GONE.url}",
        f"{PAGE.url}、{GONE.url}；",
        f"{PAGE.url},{GONE.url}",
        f"{PAGE.url}\n{GONE.url}\n",
    ],
)
def test_urls_that_were_pasted_together_are_judged_each(
    project: Path, store: str, pasted: str
) -> None:
    assert run_command(Command(), [pasted, "no"], store) == 0
    assert judged(project) == {PAGE.url: False, GONE.url: False}


def test_a_word_that_was_crawled_is_judged_beside_the_store(project: Path) -> None:
    page: PageRecord = replace(PAGE, topic="滤镜")
    uri = sqlite_store(project, [page])
    assert run_command(Command(), [page.url, "no"], uri) == 0
    assert standings(uri, "滤镜") == {page.url: "withdrawn"}
    (file,) = project.glob("滤镜-*.judgments.tsv")
    assert [judgment.url for judgment in load_judgments(file)] == [page.url]


def test_pages_of_the_same_text_leave_and_return_together(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (first, copy, *_), alone = planted(1)["story-0"], planted(1)["alone-0"][0]
    pages = [replace(it, topic="侨情") for it in (first, copy, alone)]
    uri = sqlite_store(project, pages, [make_outcome(it.url) for it in pages])
    assert run_command(StoriesCommand(), ["--update"], uri) == 0
    capsys.readouterr()
    assert run_command(Command(), [first.url, "no"], uri) == 0
    assert standings(uri) == {
        first.url: "withdrawn",
        copy.url: "withdrawn",
        alone.url: "kept",
    }
    expected = f"{first.url}\tno\twas withdrawn from the collection, with 1 other page of the same"
    assert expected in capsys.readouterr().out
    assert judged(project) == {first.url: False}
    assert run_command(Command(), [first.url, "yes"], uri) == 0
    assert set(standings(uri).values()) == {"kept"}


def test_where_texts_are_not_compared_a_judgment_holds_for_its_page_only(project: Path) -> None:
    first, copy = (replace(it, topic="侨情") for it in planted(1)["story-0"][:2])
    uri = sqlite_store(project, [first, copy], [make_outcome(it.url) for it in (first, copy)])
    assert run_command(StoriesCommand(), ["--update"], uri) == 0
    words = [first.url, "no", "-s", "TOPICCRAWL_DUPLICATES=off"]
    assert run_command(Command(), words, uri) == 0
    assert standings(uri) == {first.url: "withdrawn", copy.url: "kept"}
