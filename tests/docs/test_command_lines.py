"""The commands in READMEs, documents and files of the deployment exist, with the options that they are given."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from scrapy.utils.project import get_project_settings

from topiccrawl import commands

ROOT = Path(__file__).parents[2]
FILES = [
    *(ROOT / name for name in ("README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "deploy").rglob("*.service")),
]
NAMES = {module.name for module in iter_modules(commands.__path__)}
#: Commands of Scrapy itself, the name of an image, and the command of a recipe.
OTHERS = {
    "check",
    "fetch",
    "genspider",
    "list",
    "settings",
    "startproject",
    "version",
    "topiccrawl",
    "longest",
}
#: A command with its arguments, up to a comment or another command.
COMMAND = re.compile(
    r"\s*(?:\w+=\S* |ExecStart=)*(?:\S*/)?(?:scrapy|topiccrawl) ([a-z]+)((?:(?! [#>&;]| \| [a-z]).)*)"
)
CODE = re.compile(r"^```[^\n]*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<=[ \[(])--[a-z][a-z-]*")


def documented(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the arguments of each command in the code of a document, or in another file."""
    text = path.read_text("utf-8").replace("\\\n", " ")
    if path.suffix == ".md":
        text = "\n".join(first or second for first, second in CODE.findall(text))
    for line in text.splitlines():
        if found := COMMAND.match(line):
            yield found[1], found[2]


@cache
def options_of(name: str) -> frozenset[str]:
    command = import_module(f"{commands.__name__}.{name}").Command()
    command.settings = get_project_settings()
    parser = ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    return frozenset(re.findall(r"--[a-z-]+", parser.format_help()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_and_their_options_exist(path: Path) -> None:
    given = [(name, words) for name, words in documented(path) if name not in OTHERS]
    assert {name for name, _ in given} <= NAMES
    wrong = [
        (name, option)
        for name, words in given
        for option in OPTION.findall(words)
        if option not in options_of(name)
    ]
    assert wrong == []


def test_each_command_is_documented() -> None:
    assert {name for path in FILES for name, _ in documented(path)} >= NAMES - {"shell"}
