"""docs/settings.md and topiccrawl/settings.py follow from the declarations and from Scrapy."""

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
from tests.support.clean_copy import ROOT
from topiccrawl.addon import TopicCrawlAddon
from topiccrawl.crawl.settings import reference
from topiccrawl.crawl.settings.record import SECTIONS
from topiccrawl.scoring.strategies import STRATEGIES

DECLARED = [setting for section in SECTIONS for setting in section.declared()]
REFERENCE = (ROOT / reference.DOCS_FILE).read_text("utf-8")
#: Listed in settings.py without being a changed default; the text of the reference names them.
PLACES = {"ADDONS", "BOT_NAME", "COMMANDS_MODULE", "NEWSPIDER_MODULE", "SPIDER_MODULES"}


def value(cell: str) -> Any:
    """The Python value of a table cell; f-strings contain the versions."""
    text = cell.strip("`")
    if text.startswith("f"):
        filled = text[1:].replace("{__version__}", topiccrawl.__version__)
        return ast.literal_eval(filled.replace("{scrapy}", scrapy.__version__))
    factors = [ast.literal_eval(factor) for factor in text.split(" * ")]
    result = factors[0]
    for factor in factors[1:]:
        result *= factor
    return result


def changed_settings() -> dict[str, list[str]]:
    """Cells of the table of Scrapy settings, by name."""
    rows = [line.strip("|").split("|") for line in REFERENCE.splitlines() if line.startswith("| `")]
    return {
        cells[0].strip().strip("`"): [cell.strip() for cell in cells[1:]]
        for cells in rows
        if len(cells) == 4
    }


CHANGED = changed_settings()


def in_file(*, ours: bool) -> dict[str, Any]:
    names = [name for name in dir(project) if name.isupper()]
    return {n: getattr(project, n) for n in names if n.startswith("TOPICCRAWL_") is ours}


def test_generated_files_are_up_to_date() -> None:
    assert reference.outdated() == [], f"run: {reference.COMMAND}"


def test_the_file_lists_each_setting_with_its_declared_value() -> None:
    assert in_file(ours=True) == {setting.name: setting.project_value for setting in DECLARED}


@pytest.mark.parametrize("setting", DECLARED, ids=lambda setting: setting.name)
def test_each_setting_has_comments_in_both_languages_and_its_unit(setting: Any) -> None:
    assert setting.en.endswith(".")
    assert setting.zh.endswith("。")
    assert re.search("[一-鿿]", setting.zh)
    assert "|" not in setting.en, "it would end a cell of the table"
    if setting.name.endswith("_SECONDS"):
        assert setting.unit == "seconds"


def copy_of_files(folder: Path) -> list[Path]:
    names = (reference.SETTINGS_FILE, reference.DOCS_FILE, reference.CHINESE_FILE)
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
    return [folder / name for name in names]


def test_writing_restores_the_generated_parts_and_nothing_else(tmp_path: Path) -> None:
    files = copy_of_files(tmp_path)
    before = [file.read_text("utf-8") for file in files]
    for file, text in zip(files, before, strict=True):
        damaged = text.replace("TOPICCRAWL_KEYWORDS", "TOPICCRAWL_WORDS")
        file.write_text(damaged, "utf-8")
    names = [reference.SETTINGS_FILE, reference.DOCS_FILE, reference.CHINESE_FILE]
    assert reference.outdated(tmp_path) == names
    assert reference.outdated(tmp_path, write=True) == names
    assert [file.read_text("utf-8") for file in files] == before
    assert reference.outdated(tmp_path) == []


def test_a_file_without_markers_is_left_alone(tmp_path: Path) -> None:
    settings, *_ = copy_of_files(tmp_path)
    settings.write_text("TOPICCRAWL_SEED = 1\n", "utf-8")
    with pytest.raises(reference.MissingMarkersError):
        reference.outdated(tmp_path, write=True)
    assert settings.read_text("utf-8") == "TOPICCRAWL_SEED = 1\n"


def test_links_of_the_generated_comments_lead_to_files() -> None:
    text = (ROOT / reference.SETTINGS_FILE).read_text("utf-8")
    named = re.findall(r"(?:docs|topiccrawl)/[\w./-]*\w", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


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


def test_scrapys_own_defaults_agree_with_the_reference() -> None:
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
            if order is not None  # replaced ones of Scrapy
        ]
    assert lines == found
