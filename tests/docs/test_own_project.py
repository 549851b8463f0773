"""The section of docs/python.md on a Scrapy project of one's own is followed, beside a spider without a topic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support import crawl_runs
from tests.support.project import ROOT
from tests.support.recipes import follow, steps_of
from topiccrawl import open_store
from topiccrawl.demo.web import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow
HEADINGS = {
    "docs/python.md": "## In a Scrapy project of your own\n",
    "docs/zh/python.md": "## 用于自己的 Scrapy 项目\n",
}
#: A spider that was in the project before.  Links of one host, a file of this machine, and its own order.
PLAIN = """
import pathlib

import scrapy


class PlainSpider(scrapy.Spider):
    name = "plain"

    async def start(self):
        yield scrapy.Request(pathlib.Path("scrapy.cfg").absolute().as_uri(), self.file)
        for number in (1, 3, 2):
            yield scrapy.Request(f"http://www.haibin.example/?{number}", priority=-number)

    def file(self, response):
        yield {"url": "file", "score": None}

    def parse(self, response):
        yield {"url": response.url, "score": response.meta.get("topic_score")}
"""
#: Scrapy's own spider of rules, and one whose requests cannot be queued.
OTHERS = '''
import scrapy
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class RulesSpider(CrawlSpider):
    name = "rules"
    custom_settings = {"TOPICCRAWL_TOPIC": "侨情"}
    start_urls = ["http://www.wangzhi-daquan.example/"]
    rules = [Rule(LinkExtractor(), callback="parse_page", follow=True)]

    def parse_page(self, response):
        """Return the page.

        @url http://www.haibin.example/
        @returns items 1 1
        @scrapes url score
        """
        yield {"url": response.url, "score": response.meta["topic_score"]}


class LosingSpider(scrapy.Spider):
    name = "losing"
    custom_settings = {"TOPICCRAWL_TOPIC": "侨情", "TOPICCRAWL_STORE_URI": ""}
    start_urls = ["http://www.wangzhi-daquan.example/"]

    def parse(self, response):
        for link in LinkExtractor().extract_links(response)[:3]:
            yield scrapy.Request(link.url, self.parse, meta={"from": response})
'''


@pytest.fixture(scope="module")
def proxied() -> Iterator[Mapping[str, str]]:
    """The environment of a process that sees the demonstration web."""
    with WebServer(DemoWeb(7, 800)) as server:
        known = environment(server.url)
        own = {name: value for name, value in known.items() if not name.startswith("SCRAPY_")}
        yield {**own, "PYTHONPATH": str(ROOT), "LANGUAGE": "en"}


@pytest.fixture(params=HEADINGS)
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A project as the page describes it."""
    page = (ROOT / request.param).read_text(encoding="utf-8")
    follow(steps_of(page.partition(HEADINGS[request.param])[2]), tmp_path)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = newsdesk.settings\n")
    (tmp_path / "newsdesk" / "__init__.py").touch()
    (tmp_path / "newsdesk" / "spiders" / "__init__.py").touch()
    (tmp_path / "newsdesk" / "spiders" / "plain.py").write_text(PLAIN)
    (tmp_path / "newsdesk" / "spiders" / "others.py").write_text(OTHERS)
    (tmp_path / "seeds").symlink_to(ROOT / "seeds")
    return tmp_path


def crawled(
    folder: Path, environ: Mapping[str, str], *words: str, code: int = 0
) -> tuple[list[dict[str, object]], str]:
    """Run ``scrapy crawl``, which is to end with *code*; return the items and the log."""
    given = ["crawl", *words, "-O", "items.jsonl", "-s", "DOWNLOAD_DELAY=0"]
    done = crawl_runs.scrapy(given, dict(environ), cwd=folder)
    assert done.returncode == code, done.stderr
    text = (folder / "items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()], done.stderr


TOPIC = ("-a", "topic=侨情", "-a", "seeds=http://www.wangzhi-daquan.example/", "-a", "pages=40")


def test_the_documented_project_runs(project: Path, proxied: Mapping[str, str]) -> None:
    own, log = crawled(project, proxied, "desk", *TOPIC)
    counted = [it for it in own if "images" in it]
    with open_store(str(project / "data" / "pages.sqlite")) as store:
        pages = list(store.pages("侨情", copies=True))
    assert len(counted) > len(pages) > 3
    assert {it["url"] for it in own if "relevance" in it} == {page.url for page in pages}
    assert not any(page.title.endswith("（图）") for page in pages)
    assert "pages stored in this run" in log

    items, log = crawled(project, proxied, "ordered", "-s", "CLOSESPIDER_PAGECOUNT=20")
    assert len(items) >= 10
    assert all(isinstance(it["score"], float) for it in items)
    assert "stored in this run" not in log, "what it collects is its own"

    items, log = crawled(project, proxied, "topic", *TOPIC)
    assert {"url", "title", "relevance"} <= items[0].keys()
    assert "Continuing with the queue of this topic" in log


def sizes(project: Path, environ: Mapping[str, str], *words: str) -> str:
    """What ``scrapy queue`` prints."""
    done = crawl_runs.scrapy(["queue", "侨情", *words], dict(environ), cwd=project)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_spider_has_a_queue_of_its_own(project: Path, proxied: Mapping[str, str]) -> None:
    crawled(project, proxied, "topic", *TOPIC)
    before = sizes(project, proxied)
    items, log = crawled(project, proxied, "rules", "-s", "CLOSESPIDER_PAGECOUNT=10")
    assert "] ERROR" not in log
    assert items, "what the topic spider has fetched is new to this one"
    assert sizes(project, proxied) == before
    assert sizes(project, proxied, "-s", "TOPICCRAWL_FRONTIER_DIR=data/rules") != before

    assert len(list((project / "data").rglob("*.frontier"))) == 2
    done = crawl_runs.scrapy(["forget", "侨情", "--yes"], dict(proxied), cwd=project)
    assert done.returncode == 0, done.stderr
    assert list((project / "data").rglob("*.frontier")) == []


@pytest.mark.parametrize("commands", ["topiccrawl.commands", ""])
def test_commands_of_scrapy_that_try_a_page_leave_the_queue_alone(
    project: Path, proxied: Mapping[str, str], commands: str
) -> None:
    settings = project / "newsdesk" / "settings.py"
    text = settings.read_text(encoding="utf-8").replace("topiccrawl.commands", commands)
    settings.write_text(f'{text}\nTOPICCRAWL_TOPIC = "侨情"\n', encoding="utf-8")
    crawled(project, proxied, "rules", "-s", "CLOSESPIDER_PAGECOUNT=10")
    (queue,) = (project / "data").rglob("*.frontier")
    before = queue.read_bytes()
    page = "http://www.haibin.example/"
    for words, expected in (
        (("check", "rules"), "Ran 2 contracts"),
        (("fetch", page), "<title>"),
        (("shell", page, "--spider", "rules", "-c", "response.url + '!'"), f"{page}!"),
        (("parse", page, "--spider", "rules", "-c", "parse_page", "--noc"), "'score': "),
    ):
        done = crawl_runs.scrapy([*words], dict(proxied), cwd=project)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout + done.stderr
        assert "] ERROR" not in done.stderr
        assert queue.read_bytes() == before


def test_a_spider_without_a_topic_runs_as_without_the_add_on(
    project: Path, proxied: Mapping[str, str]
) -> None:
    items, log = crawled(project, proxied, "plain", "-s", "CONCURRENT_REQUESTS=1")
    assert "Spider plain has no topic (TOPICCRAWL_TOPIC): topiccrawl is off" in log
    assert "class 'topiccrawl" not in log, "no component is installed"
    assert [it["url"] for it in items if it["url"] != "file"] == [
        f"http://www.haibin.example/?{n}" for n in (1, 2, 3)
    ]
    assert {"url": "file", "score": None} in items
    assert not (project / "data").exists()


def test_a_spider_alone_may_have_the_add_on(project: Path, proxied: Mapping[str, str]) -> None:
    settings = project / "newsdesk" / "settings.py"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("ADDONS", "UNUSED"), encoding="utf-8")
    ordered = project / "newsdesk" / "spiders" / "ordered.py"
    text = ordered.read_text(encoding="utf-8")
    addons = '"ADDONS": {"topiccrawl.addon.TopicCrawlAddon": 100}, "TOPICCRAWL_TOPIC"'
    ordered.write_text(text.replace('"TOPICCRAWL_TOPIC"', addons), encoding="utf-8")
    items, _log = crawled(project, proxied, "ordered", "-s", "CLOSESPIDER_PAGECOUNT=10")
    assert all(isinstance(it["score"], float) for it in items)
    items, log = crawled(project, proxied, "plain")
    assert len(items) == 4
    assert "topiccrawl is off" not in log


def test_scrapys_spider_of_rules_is_ordered_and_goes_on(
    project: Path, proxied: Mapping[str, str]
) -> None:
    first, log = crawled(project, proxied, "rules", "-s", "CLOSESPIDER_PAGECOUNT=10")
    assert "] ERROR" not in log
    more, log = crawled(project, proxied, "rules", "-s", "CLOSESPIDER_PAGECOUNT=10")
    assert "Continuing with the queue of this topic" in log
    urls = [it["url"] for it in first + more]
    assert len(urls) == len(set(urls)) >= 8
    assert all(isinstance(it["score"], float) for it in first + more)


def test_requests_that_cannot_be_queued_are_counted_at_the_end(
    project: Path, proxied: Mapping[str, str]
) -> None:
    items, log = crawled(project, proxied, "losing", code=1)
    assert items == []
    assert "3 requests of the spider were lost" in log
    assert log.splitlines()[-1].startswith("topiccrawl: 3 requests of the spider were lost")
