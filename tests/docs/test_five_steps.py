"""The five steps of both READMEs, executed word for word on the demonstration web."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support import crawl_runs
from tests.support.project import ROOT, make_project
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

READMES = {
    "README.md": "## Your own topic in five steps",
    "README.zh-CN.md": "## 自己的主题，五步上手",
}
#: What the reader puts in: words and seeds of the web that is crawled here.
OWN = {"茶文化,茶道,茶艺": "华侨,侨胞,侨乡,侨务"}
QUICK = [
    "-s",
    "DOWNLOAD_DELAY=0",
    "-s",
    "AUTOTHROTTLE_ENABLED=0",
    "-s",
    "TOPICCRAWL_BACKOFF_SECONDS=0",
    # One page of the demonstration web always fails: a crawl that runs dry waits for its next try.
    "-s",
    "TOPICCRAWL_RETRY_DELAY_SECONDS=0.1",
]


def steps(readme: str) -> str:
    """The shell block of the five steps."""
    text = (ROOT / readme).read_text("utf-8").partition(READMES[readme] + "\n")[2]
    return re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]


def commands(readme: str) -> list[str]:
    return [line for line in steps(readme).splitlines() if not line.startswith("#")]


def test_both_readmes_have_the_same_commands_under_five_comments() -> None:
    assert commands("README.md") == commands("README.zh-CN.md")
    for readme in READMES:
        assert sum(line.startswith("#") for line in steps(readme).splitlines()) == 5


@pytest.mark.slow
def test_a_new_user_gets_a_report_and_a_table_in_five_steps(tmp_path: Path) -> None:
    make_project(tmp_path)
    with WebServer(DemoWeb(size=150)) as server:
        seeds = ",".join(server.web.seeds)
        env = dict(environment(server.url)) | {"PYTHONPATH": str(ROOT)}
        outputs = []
        for command in commands("README.md"):
            for example, own in OWN.items():
                command = command.replace(example, own)
            command = re.sub(r"(?<=--seeds )\S+", seeds, command)
            command = re.sub(r"pages=(\d+)", lambda m: f"pages={int(m[1]) // 5}", command)
            words = shlex.split(command)[1:]
            words += QUICK if words[0] == "crawl" else []
            done = crawl_runs.scrapy(words, env, cwd=tmp_path)
            assert done.returncode == 0, (command, done.stderr)
            outputs.append(done.stdout + done.stderr)
    assert "茶文化" in outputs[1]
    assert "scrapy report 茶文化" in outputs[2]
    assert (tmp_path / "data" / "茶文化-report.html").stat().st_size > 10_000
    assert (tmp_path / "茶文化.csv").read_text("utf-8-sig").count("\n") > 1
    assert "Continuing with the queue" in outputs[-1]


def test_the_pictures_of_the_readmes_exist() -> None:
    for readme in READMES:
        for picture in re.findall(r"!\[[^]]+\]\(([^)]+)\)", (ROOT / readme).read_text("utf-8")):
            file = ROOT / picture
            assert file.is_file(), picture
            assert file.stat().st_size < 200_000
