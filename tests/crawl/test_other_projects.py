"""What Scrapy users expect: shell, parse, list, check, feeds, and the add-on in a project of their own."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests.support.crawl_runs import ROOT, crawl_words, scrapy
from topiccrawl.store.columns import COLUMNS
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from topiccrawl.demo import DemoWeb

pytestmark = pytest.mark.slow

PAGE = "http://www.qiaowang.example/"
#: A store that cannot be opened: a command that tried would fail.
NO_STORE = ("-s", "TOPICCRAWL_STORE_URI=sqlite:////proc", "-s", "LOG_LEVEL=ERROR")


@pytest.fixture(scope="module")
def server(web: DemoWeb) -> Iterator[WebServer]:
    with WebServer(web) as running:
        yield running


def test_the_shell_shows_a_page_and_opens_no_store(server: WebServer) -> None:
    done = scrapy(
        ["shell", PAGE, "-c", "response.css('title::text').get()", *NO_STORE],
        environment(server.url),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "侨讯网"
    assert done.stderr == ""


def test_parse_shows_what_the_spider_makes_of_a_page_and_opens_no_store(
    server: WebServer, web: DemoWeb
) -> None:
    # A list would be dropped, and Scrapy's parse shows a dropped item as an error.
    article = web.relevant()[0]
    truth = web.truth(article)
    assert truth is not None
    words = ["parse", article, "--spider=topic", "-a", "topic=侨情", "--pipelines", "--nocolour"]
    done = scrapy([*words, *NO_STORE], environment(server.url))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert f"'title': '{truth.title}'" in done.stdout
    assert "<GET http://" in done.stdout


def test_list_and_check_need_no_topic_and_open_no_store() -> None:
    listed = scrapy(["list", *NO_STORE])
    assert (listed.returncode, listed.stdout, listed.stderr) == (0, "topic\n", "")
    checked = scrapy(["check", *NO_STORE])
    assert checked.returncode == 0
    assert checked.stderr.rstrip().endswith("OK")


def test_a_feed_has_the_columns_of_an_export(server: WebServer, tmp_path: Path) -> None:
    """Without a store; Chinese is written as it is."""
    words = crawl_words(tmp_path, [PAGE], 15, "TOPICCRAWL_STORE_URI=")
    done = scrapy([*words, "-O", str(tmp_path / "pages.jsonl")], environment(server.url))
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "pages.jsonl").read_text("utf-8").splitlines()
    pages = [json.loads(line) for line in lines]
    assert len(pages) >= 5
    assert "侨" in lines[0]
    for page in pages:
        assert list(page) == list(COLUMNS)
    assert not (tmp_path / "demo.sqlite").exists()


SETTINGS = """
BOT_NAME = "theirs"
SPIDER_MODULES = ["theirs.spiders"]
ADDONS = {"topiccrawl.addon.TopicCrawlAddon": 100}
TOPICCRAWL_TOPIC = "侨情"
CONCURRENT_REQUESTS = 1
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
FEED_EXPORT_ENCODING = "utf-8"
"""
SPIDER = """
import scrapy
from scrapy.linkextractors import LinkExtractor

class LinksSpider(scrapy.Spider):
    name = "links"
    start_urls = ["http://news.haibin.example/"]
    custom_settings = {"CLOSESPIDER_PAGECOUNT": 25}

    def parse(self, response):
        yield {
            "url": response.url,
            "priority": response.request.priority,
            "score": response.meta.get("topic_score"),
        }
        for link in LinkExtractor().extract_links(response):
            yield scrapy.Request(link.url, self.parse)
"""


@pytest.fixture
def their_project(tmp_path: Path) -> Path:
    package = tmp_path / "theirs"
    (package / "spiders").mkdir(parents=True)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n", "utf-8")
    (package / "__init__.py").write_text("", "utf-8")
    (package / "settings.py").write_text(SETTINGS, "utf-8")
    (package / "spiders" / "__init__.py").write_text("", "utf-8")
    (package / "spiders" / "links.py").write_text(SPIDER, "utf-8")
    # Their own topics: this project's folder of topics is not in theirs.
    topic = tmp_path / "seeds" / "侨情"
    topic.mkdir(parents=True)
    (topic / "topic.toml").write_text(
        'name = "侨情"\n[keywords.core]\n"华侨" = 1.0\n"侨务" = 1.0\n"侨胞" = 1.0\n"侨乡" = 0.8\n',
        "utf-8",
    )
    return tmp_path


def test_the_add_on_orders_the_links_of_a_spider_in_another_project(
    server: WebServer, their_project: Path
) -> None:
    """Their spider yields plain requests and dicts, and knows nothing of topics."""
    env = environment(server.url) | {
        "PYTHONPATH": os.pathsep.join([str(their_project), str(ROOT)]),
    }
    done = scrapy(
        ["crawl", "links", "-O", "pages.jsonl", "-s", "LOG_FILE=log.txt"], env, cwd=their_project
    )
    log = (their_project / "log.txt").read_text("utf-8")
    assert done.returncode == 0, done.stderr + log
    assert "Traceback" not in log, log
    lines = (their_project / "pages.jsonl").read_text("utf-8").splitlines()
    pages = [json.loads(line) for line in lines]
    assert len(pages) >= 15
    for page in pages[1:]:
        assert page["priority"] == round(1000 * page["score"])
        assert 0 <= page["score"] < 2, "no link is taken for a seed"
    assert any(page["priority"] for page in pages[1:])
    # The smallest and last of the seed's three channels is the one on the topic.
    assert pages[1]["url"] == "http://news.haibin.example/qiaoxiang/"
    assert "'topiccrawl/frontier/size/leased': 0" in log, "fetched pages are done, not on loan"
