"""Scrapy's shell, parse, list and check open no store (tests/commands has what else they do)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.crawl_runs import scrapy
from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

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
