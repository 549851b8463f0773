"""Lines of the log for each page."""

from __future__ import annotations

import logging

import pytest
from scrapy import Request
from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.logformatter import LogFormatter
from scrapy.utils.test import get_crawler

from topiccrawl.extensions.loglines import PageLines
from topiccrawl.spiders.topic import TopicSpider

REQUEST = Request("https://www.example.cn/")
RESPONSE = Response(REQUEST.url, request=REQUEST)


def lines(level: str | int) -> LogFormatter:
    return PageLines.from_crawler(get_crawler(TopicSpider, {"LOG_LEVEL": level}))


def test_no_line_is_made_for_a_page_that_the_log_does_not_show() -> None:
    made, spider = lines("INFO"), TopicSpider("侨情")
    assert made.crawled(REQUEST, RESPONSE, spider) is None
    assert made.scraped({}, RESPONSE, spider) is None
    assert made.dropped({}, DropItem("off topic", log_level="DEBUG"), RESPONSE, spider) is None


def test_warnings_and_errors_remain() -> None:
    made, spider = lines("WARNING"), TopicSpider("侨情")
    warned = made.dropped({}, DropItem("full", log_level="WARNING"), RESPONSE, spider)
    assert warned["level"] == logging.WARNING
    failed = made.item_error({}, ValueError("broken"), RESPONSE, spider)
    assert failed["level"] == logging.ERROR


@pytest.mark.parametrize("level", ["DEBUG", "NOTSET", 10])
def test_debug_shows_the_lines_of_scrapy(level: str | int) -> None:
    made, spider = lines(level), TopicSpider("侨情")
    assert made.crawled(REQUEST, RESPONSE, spider)["level"] == logging.DEBUG
    assert made.scraped({}, RESPONSE, spider)["args"]["src"] is RESPONSE
