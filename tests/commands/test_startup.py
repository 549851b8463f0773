"""What a command loads before it has anything to do: every ``scrapy`` call waits for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.utils.project import ENVVAR

ROOT = Path(__file__).parents[2]
#: Packages that take long to import and that only the work of a command needs.
HEAVY = {
    "gensim", "jieba", "lxml", "numpy", "opencc", "pymongo", "redis", "rich", "rjieba", "scipy",
    "snowballstemmer", "sqlite3", "starlette", "uvicorn", "xlsxwriter",
}  # fmt: skip

#: Runs a command and prints the names of the top-level packages that are loaded at its end.
SCRIPT = """
import contextlib, io, json, sys
from scrapy.cmdline import execute
output = io.StringIO()
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(output):
    execute(["scrapy", *sys.argv[1:]])
print(json.dumps([sorted({name.partition(".")[0] for name in sys.modules}), output.getvalue()]))
"""


def loaded(*arguments: str, folder: Path = ROOT) -> tuple[set[str], str]:
    # Scrapy sets the variable in the process of tests that read the settings of the project.
    environment = {key: value for key, value in os.environ.items() if key != ENVVAR}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    packages, output = json.loads(done.stdout.splitlines()[-1])
    return set(packages), output


@pytest.fixture(scope="module")
def scrapy_alone(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What ``scrapy list`` loads in an empty project."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = bare\n")
    (folder / "bare.py").write_text('SPIDER_MODULES = ["empty"]\n')
    (folder / "empty.py").write_text("")
    packages, output = loaded("list", folder=folder)
    assert output.strip() == ""
    return packages


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["list"], "topic\n"),
        (["topics", "--help"], "--tree"),
        (["report", "--help"], "--lang"),
        (["crawl", "--help"], "--yes"),
        (["console", "--help"], "--token-file"),
        (["forget", "--help"], "--judgments"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_a_command_that_only_shows_something_loads_no_heavy_package(
    scrapy_alone: set[str], arguments: list[str], shown: str
) -> None:
    packages, output = loaded(*arguments)
    assert shown in output
    assert packages & HEAVY - scrapy_alone == set()


def test_a_command_that_works_loads_what_it_needs() -> None:
    packages, output = loaded("topics")
    assert "侨情" in output
    assert "rich" in packages
