"""The environment chooses the language, as gettext reads it: English or Chinese."""

from __future__ import annotations

import argparse
import inspect
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.crawl_runs import scrapy
from topiccrawl.commandline.helptexts import HelpFormatter
from topiccrawl.language import (
    N_,
    VARIABLES,
    _,
    bracketed,
    clauses,
    in_language,
    labeled,
    listed,
    ngettext,
    user_language,
    using_language,
)
from topiccrawl.spiders.topic import TopicSpider
from topiccrawl.text.columns import columns


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "zh_HK"}, "zh"),
        ({"LANG": "zh_CN.GB18030"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LANGUAGE": "zh_CN:en", "LC_ALL": "en_US.UTF-8"}, "zh"),
        ({"LANGUAGE": "en:zh_CN", "LC_ALL": "zh_CN.UTF-8"}, "en"),
        ({"LANGUAGE": "", "LANG": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_the_strongest_variable_that_is_set_decides(
    given: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert user_language() == expected


def test_messages_are_translated_when_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    constant = N_("the page limit was reached")
    assert _(constant) == "the page limit was reached"
    monkeypatch.setenv("LANGUAGE", "zh_CN")
    assert _(constant) == "达到页数上限"
    assert _("a message without a translation") == "a message without a translation"
    assert ngettext("one", "many", 2) == "many"


def chinese(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a scrapy command as a Chinese user does."""
    env = os.environ | {"LANGUAGE": "zh_CN", "PYTHONUTF8": "1"}
    return scrapy(words, env) if cwd is None else scrapy(words, env, cwd=cwd)


@pytest.mark.parametrize(
    "command",
    [
        "crawl",
        "demo",
        "evaluate",
        "explain",
        "export",
        "extract",
        "judge",
        "report",
        "shell",
        "topics",
    ],
)
def test_headings_and_all_options_of_the_help_are_chinese(command: str) -> None:
    shown = chinese(command, "-h").stdout
    assert shown.startswith("用法\n====\n  scrapy ")
    assert "\n选项\n====\n" in shown
    assert max(map(columns, shown.splitlines()[3:])) <= 80, "COLUMNS of a terminal"
    _, *options = re.split(r"^  (?=--?[a-zA-Z])", shown, flags=re.MULTILINE)
    assert len(options) > 8
    assert [it for it in options if not re.search("[\u4e00-\u9fff]", it)] == []


def test_no_line_of_an_option_is_taken_for_a_heading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    parser = argparse.ArgumentParser(prog="scrapy", formatter_class=HelpFormatter)
    parser.add_argument("--out", metavar="OUT", help=f"{'x' * 48} (default: jsonl)")
    shown = parser.format_help()
    assert re.search(r"\(default: *\n", shown), "the line ends as a heading does"
    assert [above for above, line in pairwise(shown.splitlines()) if line.startswith("==")] == [
        "Usage",
        "Options",
    ]


def test_the_help_of_crawl_explains_all_arguments_of_the_spider() -> None:
    shown = chinese("crawl", "-h").stdout
    arguments = re.findall(r"^  -a (\w+)=\S+ +[\u4e00-\u9fff]", shown, flags=re.MULTILINE)
    spider = set(inspect.signature(TopicSpider.__init__).parameters) - {
        "self",
        "allowed_domains",
        "kwargs",
    }
    assert set(arguments) - {"NAME"} == spider


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("report", "--lang", "fr"), "参数 --lang：没有 'fr'，可选："),
        (("report", "--out"), "参数 --out：缺少值"),
        (("search", "侨", "--limit", "x"), "参数 --limit：'x' 不是有效的值"),
        (("search", "侨", "--paint"), "错误：没有 --paint 这个选项"),
        (("export", "侨情"), "需要 --out FILE"),
    ],
)
def test_errors_of_the_command_line_are_chinese(words: tuple[str, ...], message: str) -> None:
    done = chinese(*words)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("crawl", "topic", "-a", "topic=侨情", "-s", "TOPICCRAWL_SEED=x"), "应为整数，现为 'x'"),
        (("topics", "--tree", "QQ"), "不是中国图书馆分类法的类号"),
        (("report", "--store", "sqlite:///no-such-store.sqlite"), "没有这个文件"),
        (("evaluate", "no-such-web"), "没有这个文件或目录"),
    ],
)
def test_errors_are_one_line_of_chinese(words: tuple[str, ...], message: str) -> None:
    done = chinese(*words)
    assert done.returncode == 1
    [line] = [line for line in done.stderr.splitlines() if line.startswith("topiccrawl: ")]
    assert message in line


def test_a_language_is_used_within_a_block_and_a_thread_only() -> None:
    assert user_language() == "en"
    with using_language("zh"):
        assert user_language() == "zh"
        with ThreadPoolExecutor(1) as other:
            assert other.submit(user_language).result() == "en"
        with using_language("en"):
            assert user_language() == "en"
        assert user_language() == "zh"
    assert user_language() == "en"


def test_an_empty_message_is_empty_in_every_language() -> None:
    assert [in_language("", "zh"), in_language("", "en")] == ["", ""]
    with using_language("zh"):
        assert _("") == ""


def test_lists_clauses_and_labels_have_the_punctuation_of_the_language() -> None:
    assert (listed(["a", "b"]), clauses(["a", "b"]), labeled("a", "b"), bracketed("a")) == (
        "a, b", "a; b", "a: b", " (a)",
    )  # fmt: skip
    with using_language("zh"):
        assert listed(["甲", "乙"]) + bracketed("丙") == "甲、乙（丙）"
        assert clauses(["甲", labeled("乙", "丙")]) == "甲；乙：丙"
        assert clauses(["a", "b"], "en") == "a; b"
