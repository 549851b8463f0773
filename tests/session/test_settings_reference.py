"""docs/settings.md and topiccrawl/settings.py say the same, and what the code does."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings, default_settings

import topiccrawl
import topiccrawl.settings as project
from topiccrawl.addon import TopicCrawlAddon
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError
from topiccrawl.scoring.strategies import STRATEGIES

REFERENCE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
#: Listed in settings.py without being a changed default; the text of the reference names them.
PLACES = {"ADDONS", "BOT_NAME", "COMMANDS_MODULE", "NEWSPIDER_MODULE", "SPIDER_MODULES"}


def rows(columns: int) -> dict[str, list[str]]:
    """Cells of all table rows with *columns* cells whose first names a setting, by that name."""
    found: dict[str, list[str]] = {}
    for line in REFERENCE.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = cells[0].strip("`")
        if line.startswith("| `") and len(cells) == columns:
            assert name not in found, f"{name} is listed twice"
            found[name] = cells[1:]
    return found


def value(cell: str) -> Any:
    """The Python value that a cell shows; f-strings hold the versions."""
    text = cell.strip("`")
    if text.startswith("f"):
        filled = text[1:].replace("{__version__}", topiccrawl.__version__)
        return ast.literal_eval(filled.replace("{scrapy}", scrapy.__version__))
    factors = [ast.literal_eval(factor) for factor in text.split(" * ")]
    result = factors[0]
    for factor in factors[1:]:
        result *= factor
    return result


OURS = rows(5)
CHANGED = rows(4)


def in_file(*, ours: bool) -> dict[str, Any]:
    names = [name for name in dir(project) if name.isupper()]
    return {n: getattr(project, n) for n in names if n.startswith("TOPICCRAWL_") is ours}


def test_the_reference_and_the_file_list_the_same_settings_with_the_same_defaults() -> None:
    listed = {name: value(cells[0]) for name, cells in OURS.items()}
    assert listed == in_file(ours=True)


def test_each_setting_has_a_meaning_and_each_time_or_count_its_unit() -> None:
    for name, (_, _, unit, meaning) in OURS.items():
        assert len(meaning) > 10, name
        if name.endswith("_SECONDS"):
            assert unit == "seconds", name


@pytest.mark.parametrize("name", OURS)
def test_values_that_the_reference_excludes_are_refused_and_the_ends_are_not(name: str) -> None:
    kind = OURS[name][1]

    def read(given: object) -> CrawlSettings:
        return CrawlSettings.from_settings(Settings({name: given}))

    def refused(given: object) -> None:
        with pytest.raises(ConfigurationError, match=name):
            read(given)

    if kind == "text":
        assert isinstance(getattr(project, name), str)
    elif kind == "mapping":
        read({})
        refused("perhaps")
    elif kind == "flag":
        read("0")
        refused("perhaps")
    elif kind.startswith(("integer", "number")):
        refused("many")
        ends = [float(number) for number in re.findall(r"[\d.]*\d", kind)]
        assert len(ends) == {"≥": 1, "…": 2}.get((re.findall("[≥…]", kind) or [""])[0], 0)
        for end, step in zip(ends, (-0.001, 0.001), strict=False):
            read(end)
            refused(end - 1 if kind.startswith("integer") else end + step)
    else:
        choices = kind.split(", ")
        for choice in choices:
            read(choice)
        with pytest.raises(ConfigurationError) as raised:
            read("no-such-choice")
        assert f"must be one of {', '.join(choices)}, got" in str(raised.value)


def test_all_strategies_are_named_in_the_order_of_the_code() -> None:
    line = next(x for x in REFERENCE.splitlines() if x.startswith("Strategies: "))
    assert re.findall("`([^`]+)`", line) == list(STRATEGIES)


def test_the_reference_lists_each_scrapy_setting_that_the_file_changes() -> None:
    in_module = in_file(ours=False)
    changed = {
        name: given
        for name, given in in_module.items()
        if name not in PLACES and given != getattr(default_settings, name)
    }
    assert {name: value(cells[0]) for name, cells in CHANGED.items()} == changed
    for name in in_module.keys() - changed.keys():
        assert f"`{name}`" in REFERENCE, name


def test_scrapys_own_defaults_are_as_the_reference_says() -> None:
    for name, (_, theirs, why) in CHANGED.items():
        assert value(theirs) == getattr(default_settings, name), name
        assert why, name


def test_the_add_on_sets_the_components_that_the_reference_lists() -> None:
    lines = re.findall(r"^\| `([A-Z_]+)` \| `(topiccrawl\.[\w.]+)` \| (\d*) ?\|$", REFERENCE, re.M)
    settings = Settings()
    TopicCrawlAddon().update_settings(settings)
    found = [("SCHEDULER", settings["SCHEDULER"], "")]
    for kind in ("DOWNLOADER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS"):
        found += [
            (kind, f"{component.__module__}.{component.__qualname__}", str(order))
            for component, order in settings[kind].items()
        ]
    assert lines == found
