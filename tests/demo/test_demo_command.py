"""``scrapy demo``: what it runs, what it prints, and its exit codes."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
from pathlib import Path

import pytest

from tests.support.command_line import run_command
from tests.support.crawl_runs import scrapy
from tests.support.stored import from_store
from topiccrawl.commands.demo import Command
from topiccrawl.demo.crawl import crawl_command, store_uri
from topiccrawl.language import using_language
from topiccrawl.store.contract import Store
from topiccrawl.webserver.environment import environment


def demo(out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    words = ["demo", "--out", str(out), "--size", "150", *options]
    return scrapy(words, os.environ | {"PYTHONUTF8": "1"})


def test_a_crawl_can_reach_nothing_but_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "https_proxy", "ALL_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "http://proxy.company.example:3128")
    env = environment("http://127.0.0.1:9")
    proxies = {name: value for name, value in env.items() if "proxy" in name.lower()}
    assert proxies == {
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "no_proxy": "",
    }


def test_the_demonstration_runs_scrapy_crawl_topic(tmp_path: Path) -> None:
    words = crawl_command(("http://a.example/", "http://b.example/"), tmp_path, 50)
    assert words[:7] == [
        "scrapy", "crawl", "topic", "-a", "topic=侨情", "-a",
        "seeds=http://a.example/,http://b.example/",
    ]  # fmt: skip
    assert "TOPICCRAWL_MAX_PAGES=50" in words


def test_settings_of_the_user_win(tmp_path: Path) -> None:
    words = crawl_command((), tmp_path, 50, ["LOG_LEVEL=DEBUG", "TOPICCRAWL_STRATEGY=rw"])
    assert words[-4:] == ["-s", "LOG_LEVEL=DEBUG", "-s", "TOPICCRAWL_STRATEGY=rw"]
    assert words.index("LOG_LEVEL=INFO") < words.index("LOG_LEVEL=DEBUG")


def test_the_store_lies_in_the_folder_even_if_its_name_is_chinese(tmp_path: Path) -> None:
    from topiccrawl.store.uri import sqlite_path

    out = tmp_path / "演示 100%"
    assert sqlite_path(store_uri(out)) == out / "demo.sqlite"


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, using_language("zh"):
        port = taken.getsockname()[1]
        for more in ([], ["--serve"]):
            assert run_command(Command(), ["--port", str(port), *more]) == 2
            assert capsys.readouterr().err == f"topiccrawl: --port {port}：地址已被占用\n"


@pytest.mark.slow
def test_a_demonstration_stores_pages_and_prints_where(tmp_path: Path) -> None:
    done = demo(tmp_path, "--pages", "90")
    assert done.returncode == 0, done.stderr
    assert "scrapy crawl topic -a topic=侨情 -a seeds=" in done.stdout
    assert "Best pages" in done.stdout
    [command] = re.findall(r"^Console: (.*)$", done.stdout, re.MULTILINE)
    words = shlex.split(command)
    assert Path(words[0]).name == "scrapy"
    assert words[1:5] == ["console", "--open", "--write", "--store"]
    assert words[5] == str(tmp_path / "demo.sqlite")
    assert "0 pages that robots.txt forbids were requested" in done.stdout
    for name in ("demo.sqlite", "crawl.log", "report.html"):
        assert (tmp_path / name).stat().st_size > 0
        assert str(tmp_path / name) in done.stdout
    changes, listed = from_store(f"sqlite:///{tmp_path}/demo.sqlite", _changes)
    # docs/stats.md; the counts of copies are apart.
    assert sum(changes.values()) == listed


async def _changes(store: Store) -> tuple[dict[str, int], int]:
    """Return what the run has brought into the list of pages and taken out, and how many are listed."""
    [run] = await store.runs("侨情")
    signs = {
        **dict.fromkeys(("pages/stored", "pages/readmitted", "pages/admitted", "settled/freed"), 1),
        **dict.fromkeys(("pages/withdrawn", "settled/joined"), -1),
    }
    stats = {name: int(run.stats.get(f"topiccrawl/{name}", 0)) for name in signs}
    return {name: sign * stats[name] for name, sign in signs.items()}, await store.count("侨情")


@pytest.mark.slow
def test_nothing_on_the_topic_is_exit_code_1(tmp_path: Path) -> None:
    done = demo(tmp_path, "--pages", "1")
    assert done.returncode == 1, done.stderr
    assert "nothing on the topic was stored" in done.stderr


@pytest.mark.slow
def test_a_crawl_that_cannot_start_is_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "demo.sqlite").write_text("not a database", encoding="utf-8")
    done = demo(tmp_path, "--pages", "5", "--keep")
    assert done.returncode == 2
    assert "the crawl failed" in done.stderr


def test_a_folder_that_cannot_be_prepared_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = demo(tmp_path / "file" / "out")
    assert done.returncode == 2
    assert str(tmp_path / "file") in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (["--pages", "0"], "got 0 and 150"),
        (["--size", "99"], "got 400 and 99"),
        (["--port", "65536"], "got 65536"),
        (["侨情"], ""),
    ],
)
def test_wrong_arguments_are_refused_before_anything_runs(
    tmp_path: Path, wrong: list[str], named: str
) -> None:
    done = demo(tmp_path / "out", *wrong)
    assert done.returncode == 2
    assert named in done.stderr
    assert not (tmp_path / "out").exists()
