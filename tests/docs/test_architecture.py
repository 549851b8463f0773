"""docs/architecture.md agrees with pyproject.toml and the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from topiccrawl.crawl.requests import meta

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("number", "name"), [(0, "layers"), (1, "layers of a crawl")])
def test_the_layers_are_those_of_the_import_contract(number: int, name: str) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][number]["layers"]
    shown = re.search(rf"<!-- {name}: begin -->\n```\n(.*?)\n```", TEXT, re.DOTALL)
    assert shown is not None
    assert shown.group(1).splitlines() == layers


def test_every_package_has_a_row() -> None:
    rows = set()
    for first in re.findall(r"^\| (`.*?) \|", TEXT.partition("## Packages")[2], re.MULTILINE):
        rows |= set(re.findall(r"`(\w+)`", first))
    folders = {path.parent.name for path in (ROOT / "topiccrawl").glob("*/__init__.py")}
    assert folders <= rows


def test_every_meta_key_has_a_row() -> None:
    keys = {
        value for name, value in vars(meta).items() if name.isupper() and isinstance(value, str)
    }
    rows = set(re.findall(r"^\| `(\w+)` \|", TEXT.partition("## Signals")[2], re.MULTILINE))
    assert len(keys) >= 5
    assert keys <= rows
