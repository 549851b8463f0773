"""A topic of one word that has a queue goes on without seeds."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from scrapy.crawler import AsyncCrawlerRunner

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, link, page, project_settings
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.errors import ConfigurationError
from topiccrawl.spiders.topic import TopicSpider

HOME = "http://www.qiao.example/"


def session(arguments: dict[str, str], **settings: str) -> CrawlSession:
    async def start() -> CrawlSession:
        crawler = AsyncCrawlerRunner(project_settings(**settings)).create_crawler(TopicSpider)
        crawler.spider = TopicSpider.from_crawler(crawler, **arguments)
        return session_of(crawler)

    return asyncio.run(start())


def test_a_word_with_a_queue_needs_no_seeds(tmp_path: Path) -> None:
    settings = {
        "TOPICCRAWL_FRONTIER_BACKEND": "sqlite",
        "TOPICCRAWL_FRONTIER_DIR": str(tmp_path),
    }
    with pytest.raises(ConfigurationError, match="give seeds"):
        session({"topic": "侨眷"}, **settings)
    assert not list(tmp_path.iterdir()), "asking made no queue"
    pages = {f"{HOME}{i}": page(f"侨眷第{i}页", ON_TOPIC) for i in range(9)}
    home = page("侨眷", ON_TOPIC, "".join(link(url, "侨眷") for url in pages))
    web = SmallWeb({**pages, HOME: home})
    crawl_small(web, [HOME], topic="侨眷", TOPICCRAWL_MAX_PAGES=4, **settings)
    going_on = session({"topic": "侨眷"}, **settings)
    assert going_on.resumed
    assert going_on.frontier.size().queued == 6
    going_on.frontier.close()
    with pytest.raises(ConfigurationError, match="give seeds"):
        session({"topic": "侨眷", "fresh": "1"}, **settings)
