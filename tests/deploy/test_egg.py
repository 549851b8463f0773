"""The egg that scrapyd gets: one zip file, never unpacked, with everything inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import EntryPoints
from pathlib import Path
from typing import Any

import pytest

from tests.support.clean_copy import PATIENCE_SECONDS, ROOT, build_egg, clean_copy

#: Uses every module and every data file from inside the zip, and says what it saw.
_PROBE = """
import importlib, json, pkgutil, sys
import topiccrawl
from topiccrawl.demo.web import DemoWeb
from topiccrawl.frontier.redis.scripts import script
from topiccrawl.text.segment import make_segmenter
from topiccrawl.topics.classification import load_classification
from topiccrawl.topics.load import find_definition, load_definition, topic_folders

modules = [m.name for m in pkgutil.walk_packages(topiccrawl.__path__, "topiccrawl.")]
for name in modules:
    importlib.import_module(name)
web = DemoWeb(7, 100)
json.dump(
    {
        "file": topiccrawl.__file__,
        "modules": modules,
        "topics": {d.name: [len(d.samples), len(d.seeds)] for d in map(load_definition, topic_folders())},
        "alias": find_definition("僑情").name,
        "lua": "redis.call" in script("push").text,
        "words": [make_segmenter((), e).cut("归侨侨眷的权益") for e in ("jieba", "rjieba")],
        "code": load_classification().nearest("G25") is not None,
        "hosts": len(web.hosts),
    },
    sys.stdout,
)
"""


@pytest.fixture(scope="module")
def egg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = clean_copy(tmp_path_factory.mktemp("tree") / "topiccrawl")
    return build_egg(tree, tmp_path_factory.mktemp("egg"))


def data_files(folder: Path) -> set[str]:
    """Files in *folder* that are neither Python nor catalogs before compiling, relative to it."""
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".po")
    }


def run_from(egg: Path, folder: Path, *words: str) -> str:
    """Run Python in *folder*, where nothing but the egg gives it topiccrawl; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-P", *words],
        cwd=folder,
        env=dict(os.environ) | {"PYTHONPATH": str(egg), "PYTHONUTF8": "1", "LC_ALL": "C"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_data_file_and_every_topic_is_in_the_egg(egg: Path) -> None:
    with zipfile.ZipFile(egg) as archive:
        inside = set(archive.namelist())
    expected = {f"topiccrawl/{name}" for name in data_files(ROOT / "topiccrawl")}
    expected |= {f"topiccrawl/_seeds/{name}" for name in data_files(ROOT / "seeds")}
    assert expected - inside == set()
    assert any(name.endswith(".lua") for name in expected)
    assert "topiccrawl/_seeds/侨情/topic.toml" in inside


def test_settings_and_command_are_found_by_entry_points(egg: Path) -> None:
    with zipfile.ZipFile(egg) as archive:
        entries = EntryPoints._from_text(archive.read("EGG-INFO/entry_points.txt").decode())  # type: ignore[attr-defined]
    assert {(it.group, it.name, it.value) for it in entries} == {
        ("scrapy", "settings", "topiccrawl.settings"),
        ("console_scripts", "topiccrawl", "topiccrawl.__main__:main"),
    }


def test_the_command_extracts_pages_and_lists_topics_in_any_folder(
    egg: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.html").write_text(
        "<h1>侨批档案馆开放</h1><p>昨日开放，展出侨批三千余封。</p>", "utf-8"
    )
    text = run_from(egg, tmp_path, "-m", "topiccrawl", "extract", "a.html", "--format", "text")
    assert "侨批档案馆开放" in text
    assert "侨情" in run_from(egg, tmp_path, "-m", "topiccrawl", "topics")


def test_all_modules_and_data_are_usable_from_inside_the_zip(egg: Path, tmp_path: Path) -> None:
    seen: dict[str, Any] = json.loads(run_from(egg, tmp_path, "-c", _PROBE))
    assert seen["file"] == str(egg / "topiccrawl" / "__init__.py")
    packages = {path.parent for path in (ROOT / "topiccrawl").rglob("*.py")}
    assert len(seen["modules"]) > len(packages)
    names = {path.parent.name for path in (ROOT / "seeds").glob("*/topic.toml")}
    assert set(seen["topics"]) == names
    # Topics that a user has made beside the included ones may lack both.
    for name in ("侨情", "图书馆学", "renewable-energy"):
        assert all(seen["topics"][name])
    assert seen["alias"] == "侨情"
    assert seen["lua"]
    assert all(len(words) > 1 for words in seen["words"])
    assert seen["code"]
    assert seen["hosts"] > 1


def test_commands_and_topics_are_found_from_inside_the_zip(egg: Path, tmp_path: Path) -> None:
    script = (
        "import os; os.environ['SCRAPY_SETTINGS_MODULE'] = 'topiccrawl.settings';"
        "from scrapy.cmdline import execute; execute(['scrapy', 'topics'])"
    )
    assert "侨情" in run_from(egg, tmp_path, "-c", script)
    chinese = f"import os; os.environ['LANGUAGE'] = 'zh_CN';{script}"
    assert "别名" in run_from(egg, tmp_path, "-c", chinese)
