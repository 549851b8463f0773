"""``scrapy vocabulary``: where the texts come from, which words are shown, and what is recorded."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scrapy.settings import Settings

from tests.support.classifier_pages import page as page_view
from tests.support.command_line import run_command, sqlite_store
from tests.support.reporting_store import make_page
from topiccrawl.actions import vocabulary as action
from topiccrawl.actions.deciding import answers
from topiccrawl.analysis.features import feature_id
from topiccrawl.commands.vocabulary import Command
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.topics.decisions import load_decisions
from topiccrawl.urls.identity import link_id
from topiccrawl.vocabulary.ranking import RankedWord

TEXTS = (
    "侨乡的碉楼是华侨出资建造的。",
    "碉楼在开平，侨乡的华侨寄回侨批。",
    "侨批是华侨的家书，碉楼是见证。",
)
PAGE = [RankedWord("碉楼", 3, 0.9, 0.81), RankedWord("开平", 2, 0.5, 0.45)]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\n")
    folder = tmp_path / "seeds" / "侨情"
    folder.mkdir(parents=True)
    (folder / "topic.toml").write_text('name = "侨情"\n[keywords.core]\n"华侨" = 1.0\n')
    texts = tmp_path / "texts"
    texts.mkdir()
    for i, text in enumerate(TEXTS):
        (texts / f"{i}.txt").write_text(text, encoding="gb18030" if i else "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(output: str) -> list[str]:
    return [line.split("\t")[0] for line in output.splitlines()]


def run(
    capsys: pytest.CaptureFixture[str], *args: str, store: str = "sqlite:///none.sqlite"
) -> tuple[int, str, str]:
    code = run_command(Command(), [*args, "--store", store])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_words_come_from_a_folder_of_texts(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(capsys, "侨情", "--texts", "texts")
    assert code == 0
    assert {"碉楼", "侨乡"} <= set(shown(output))
    assert "华侨" not in shown(output)


def test_a_list_without_words_says_why(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, output, error = run(capsys, "侨情", "--texts", "texts/0.txt")
    assert (code, output) == (0, "")
    assert "there is 1 text, and a word must be in two" in error
    code, output, error = run(capsys, "侨情", "--texts", "texts")
    assert output
    assert "no word is proposed" not in error


def test_words_come_from_the_pages_in_the_store(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [
        make_page(f"http://a.example/{i}", title="", body=text) for i, text in enumerate(TEXTS)
    ]
    code, output, _ = run(capsys, store=sqlite_store(project, pages, []))
    assert code == 0
    assert "碉楼" in shown(output)


def test_of_a_large_collection_texts_are_read_that_are_spread_over_it(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action, "MOST_PAGES", 10)
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    pages = [
        make_page(
            f"http://a.example/{number}",
            title="",
            body=f"{number}：{TEXTS[0]}{'开平' if number >= 15 else ''}",
            fetched_at=begun + timedelta(hours=number),
        )
        for number in range(25)
    ]
    _, output, _ = run(capsys, store=sqlite_store(project, pages, []))
    texts = {line.split("\t")[0]: line.split("\t")[2] for line in output.splitlines()}
    assert texts["碉楼"] == "9"
    assert texts["开平"] == "4"


def test_words_of_the_sites_sink_by_what_the_journal_has_of_other_pages(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "侨乡的碉楼是华侨出资建造的，公司。"
    pages = [make_page(f"http://a.example/{i}", title="", body=f"{i}：{body}") for i in range(30)]
    store = sqlite_store(project, pages, [])

    def place(word: str) -> int:
        return shown(run(capsys, store=store)[1]).index(word)

    alone = place("公司")
    config = CrawlSettings.from_settings(Settings({"TOPICCRAWL_STORE_URI": store}))
    opened = frontier_backend(config).open("侨情")
    journal = CrawlJournal(opened.frontier.journal)
    for number in range(100):
        terms = ["公司", "碉楼", "侨乡"] if number < 30 else ["公司"]
        ids = sorted(feature_id("anchor", term) for term in terms)
        view = page_view(0, terms=ids)
        journal.publish_page(replace(view, id=link_id(f"http://a.example/{number}")))
    opened.frontier.close()
    assert alone < place("碉楼") + 10
    assert place("公司") > alone
    assert place("公司") > place("碉楼")


def test_accepted_and_refused_words_are_recorded_and_not_proposed_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output, _ = run(
        capsys, "侨情", "--accept", "碉樓=.8", "--refuse", "侨乡", "--note", "建筑"
    )
    assert (code, "vocabulary.tsv" in output) == (0, True)
    file = project / "seeds" / "侨情" / "vocabulary.tsv"
    assert [(it.word, it.accepted, it.value) for it in load_decisions(file)] == [
        ("碉楼", True, 0.8),
        ("侨乡", False, 0.5),
    ]
    _, output, _ = run(capsys, "侨情", "--texts", "texts")
    assert not {"碉楼", "侨乡"} & set(shown(output))
    _, output, _ = run(capsys, "侨情", "--list")
    assert shown(output) == ["碉楼", "侨乡"]


def test_several_words_of_one_option_are_separated_by_commas(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, _ = run(
        capsys, "侨情", "--texts", "texts", "--accept", "碉楼＝.8，侨批", "--refuse", "见证、开平"
    )
    assert code == 0
    decided = load_decisions(project / "seeds" / "侨情" / "vocabulary.tsv")
    assert {it.word: it.value if it.accepted else None for it in decided} == {
        "碉楼": 0.8, "侨批": 0.5, "见证": None, "开平": None,
    }  # fmt: skip


def test_words_of_a_topic_without_folder_and_crawl_are_decided_and_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "茶文化", "--texts", "texts", "--accept", "侨批")[0] == 0
    assert run(capsys, "茶文化", "--refuse", "开平")[0] == 0
    code, output, _ = run(capsys, "茶文化", "--list")
    assert (code, sorted(shown(output))) == (0, ["侨批", "开平"])
    code, _, error = run(capsys, "茶文花", "--list")
    assert code == 1, "a word of which nothing is known may be a wrong one"
    assert "茶文花" in error


def test_new_words_are_listed_with_their_number(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "董岚清"
    (project / "names.txt").write_text(f"记者采访了{name}。据{name}介绍，{name}表示感谢。\n" * 3)
    _, output, _ = run(capsys, "--texts", "names.txt", "--new-words")
    assert f"\n{name}\t9\t" in f"\n{output}"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("侨情", "--texts", "nowhere"), "nowhere: cannot be read: No such file or directory"),
        (("侨情", "--texts", "empty"), "empty: must contain files"),
        (("侨情", "--accept", "碉楼=2"), "value must be a number in (0, 1], got '2'"),
        (("侨情", "--refuse", "——"), "word must contain a letter"),
        (
            ("侨情", "--accept", "碉楼=0.5", "--refuse", "碉樓"),
            "'碉楼' is both accepted and refused",
        ),
        (("侨情",), "there are no texts of '侨情'"),
        (("侨情", "--decide", "--texts", "texts"), "--decide needs a terminal"),
    ],
)
def test_what_is_wrong_is_named(
    project: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], message: str
) -> None:
    (project / "empty").mkdir()
    code, _, errors = run(capsys, *args)
    assert code == 1
    assert message in errors


def test_a_line_of_answers_accepts_grades_and_refuses() -> None:
    decided = answers("1=.6, -2", PAGE)
    assert decided is not None
    assert [(it.word, it.accepted, it.value) for it in decided] == [
        ("碉楼", True, 0.6),
        ("开平", False, 0.45),
    ]
    rest = answers("1 -*", PAGE)
    assert rest is not None
    assert [(it.word, it.accepted) for it in rest] == [("碉楼", True), ("开平", False)]


def test_an_empty_line_decides_nothing_and_q_ends() -> None:
    assert answers("", PAGE) == []
    assert answers("q", PAGE) is None


def test_a_line_of_answers_may_be_in_full_width_characters() -> None:
    for line in ("１＝．6，－2", "1=.6、-2"):
        decided = answers(line, PAGE)
        assert decided is not None
        assert [(it.accepted, it.value) for it in decided] == [(True, 0.6), (False, 0.45)]


@pytest.mark.parametrize("line", ["3", "0", "x", "1=2", "²"])
def test_a_wrong_answer_is_named(line: str) -> None:
    with pytest.raises(ConfigurationError):
        answers(line, PAGE)
