"""Chinese documents have the headings, tables and code of their English counterparts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.project import ROOT

DOCS = ROOT / "docs"
CHINESE = sorted((DOCS / "zh").glob("*.md"))
#: Generated, see topiccrawl/crawl/settings/reference.py.
WRITTEN = [path for path in CHINESE if path.name != "settings.md"]


def english(path: Path) -> str:
    return (DOCS / path.name).read_text("utf-8")


def code(text: str) -> list[str]:
    """The code blocks without their comments."""
    blocks = re.findall(r"^```\w*[^\n`]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [re.sub(r"[ \t]*(?:^|(?<=\s))#.*", "", block) for block in blocks]


def outline(text: str) -> list[tuple[str, int]]:
    """Levels of the headings, each with the number of table rows and list items below it."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = re.split(r"^(#+) .*$", text, flags=re.MULTILINE)[1:]
    rows = re.compile(r"^(?:\||[-*] |\d+\. )", re.MULTILINE)
    return [
        (level, len(rows.findall(body)))
        for level, body in zip(parts[::2], parts[1::2], strict=True)
    ]


def test_there_are_documents_in_chinese() -> None:
    assert {"topics.md", "deployment.md", "settings.md"} <= {path.name for path in CHINESE}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_commands_and_code_are_the_same(path: Path) -> None:
    assert code(path.read_text("utf-8")) == code(english(path))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_headings_tables_and_lists_correspond(path: Path) -> None:
    assert outline(path.read_text("utf-8")) == outline(english(path))


@pytest.mark.parametrize("path", CHINESE, ids=lambda path: path.name)
def test_each_document_links_to_its_counterpart(path: Path) -> None:
    assert f"(../{path.name})" in path.read_text("utf-8")
    assert f"(zh/{path.name})" in english(path)


def test_the_readmes_have_the_same_sections_tables_and_lists() -> None:
    readmes = [(ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md")]
    assert outline(readmes[0]) == outline(readmes[1])


def test_the_readmes_link_to_every_document() -> None:
    names = {path.name for path in DOCS.glob("*.md")}
    chinese = {path.name for path in CHINESE}
    first, second = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.zh-CN.md"))
    assert {name for name in names if f"](docs/{name})" not in first} == set()
    assert {name for name in chinese if f"](docs/zh/{name})" not in second} == set()
    assert {name for name in names - chinese if f"](docs/{name})" not in second} == set()
