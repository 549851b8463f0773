"""The recipes of CONTRIBUTING.md that change topiccrawl, followed in a copy of it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.support import store_records as make
from tests.support.clean_copy import clean_copy
from tests.support.command_line import sqlite_store
from tests.support.one_stored_page import BODY, URL
from tests.support.recipes import edited_files, follow, recipes, run_in
from topiccrawl.store.records import FORMAT

RECIPES = recipes()
READ_A_SETTING = """
from scrapy.settings import Settings
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError

for value in ("2000", "-1"):
    try:
        print(CrawlSettings.from_settings(Settings({"TOPICCRAWL_BODY_MAX_CHARS": value})).body_max_chars)
    except ConfigurationError as error:
        print(error)
"""
DROP_A_PAGE = """
from tests.support.page_items import item_of, run_of
from topiccrawl.pipelines.body import BodyExtractionPipeline
from topiccrawl.pipelines.drops import PageDropped
from topiccrawl.reporting.words.reasons import reason_text

html = "<p>" + "归侨侨眷座谈会昨日召开，各界人士出席。" * 9 + "</p>"
try:
    BodyExtractionPipeline(50).process_item(item_of(run_of()[0], html.encode()))
except PageDropped as dropped:
    print(dropped, *reason_text(dropped.reason), sep="|")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project with its documentation and the helpers of its tests."""
    return clean_copy(tmp_path / "topiccrawl", "docs", "tests/support")


def test_a_setting_takes_one_file_and_is_read_checked_and_documented(copy: Path) -> None:
    steps = RECIPES["Add a setting"]
    assert edited_files(steps) == ["topiccrawl/crawl/settings/pages.py"]
    follow(steps, copy)
    assert run_in(copy, "python", "-c", READ_A_SETTING).splitlines() == [
        "2000",
        "TOPICCRAWL_BODY_MAX_CHARS must be >= 0, got '-1'",
    ]
    name, meaning = "TOPICCRAWL_BODY_MAX_CHARS", "Maximum length of a stored body; 0: no limit."
    settings = (copy / "topiccrawl" / "settings.py").read_text("utf-8")
    assert f"# {meaning}\n# 入库正文的最大长度；0 为不限。\n{name} = 0  #" in settings
    reference = (copy / "docs" / "settings.md").read_text("utf-8")
    assert f"| `{name}` | `0` | integer ≥ 0 | characters | {meaning} |" in reference


def test_a_command_takes_two_files_and_reads_the_store(copy: Path, tmp_path: Path) -> None:
    steps = RECIPES["Add a command"]
    assert len(edited_files(steps)) == 2
    follow(steps, copy)
    long = make.page(url="http://a.example/long", body="文" * 999)
    uri = sqlite_store(tmp_path, [make.page(url="http://a.example/short"), long])
    assert run_in(copy, "python", "-m", "scrapy", "longest", "--store", uri) == f"{long.url}\n"
    assert "Print the address of the longest page" in run_in(copy, "python", "-m", "scrapy", "-h")


def test_a_page_field_takes_two_files_and_is_stored_upgraded_exported_and_explained(
    copy: Path, tmp_path: Path
) -> None:
    steps = RECIPES["Add a page field"]
    assert len(edited_files(steps)) == 2
    assert f"since={FORMAT + 1}" in steps[0].text, "the recipe must name the next format"
    old = make.page(url="http://a.example/old")
    sqlite_store(tmp_path, [old])  # with the unchanged project
    follow(steps, copy)
    explained = run_in(copy, "python", "-m", "tests.support.one_stored_page", str(tmp_path))
    with sqlite3.connect(tmp_path / "crawl.sqlite") as db:
        stored = dict(db.execute("SELECT url, body_chars FROM pages"))
    db.close()
    assert stored == {old.url: 0, URL: len(BODY)}
    lines = (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()
    exported = {page["url"]: page["body_chars"] for page in map(json.loads, lines)}
    assert exported == stored
    assert f"characters: {len(BODY)}" in explained
    reference = (copy / "docs" / "store.md").read_text("utf-8")
    assert (
        f"| `body_chars` | integer | 字数 | length of the body (since format {FORMAT + 1}) |"
        in reference
    )


def test_a_reason_for_dropping_a_page_takes_five_files_and_is_labeled_and_documented(
    tmp_path: Path,
) -> None:
    tests = ("tests/support", "tests/docs", "tests/conftest.py")
    copy = clean_copy(tmp_path / "topiccrawl", "docs", "CONTRIBUTING.md", *tests)
    steps = RECIPES["Add a reason for dropping a page"]
    assert len(edited_files(steps)) == 5
    follow(steps, copy)
    shown = run_in(copy, "python", "-c", DROP_A_PAGE)
    assert shown == "untitled: the page states no title|没有标题|no title\n"
    checked = run_in(
        copy, "python", "-m", "pytest", "--no-cov", "-vv", "tests/docs/test_reasons.py"
    )
    assert "[Untitled] PASSED" in checked


def test_a_store_of_another_project_fulfills_the_contract(tmp_path: Path) -> None:
    tests = ("tests/support", "tests/store", "tests/conftest.py")
    output = follow(RECIPES["Add a store backend"], clean_copy(tmp_path / "topiccrawl", *tests))
    assert " passed" in output
    assert "skipped" not in output


def test_a_hostile_behavior_is_one_function(tmp_path: Path) -> None:
    copy = clean_copy(tmp_path / "topiccrawl", "benchmarks")
    steps = RECIPES["Add a hostile behavior"]
    assert edited_files(steps) == ["benchmarks/hostile/framing.py"]
    follow(steps, copy)
    listed = run_in(copy, "python", "-m", "benchmarks.hostile", "--list", "--only", "status-twice")
    assert listed.split() == ["framing", "status-twice", "two", "status", "lines"]
