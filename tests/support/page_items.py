"""Items as the topic spider makes them, and a run to pass them through, without a crawl."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.utils.test import get_crawler

from tests.support.small_web import page, project_settings
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.items import PageItem
from topiccrawl.page.page import Page
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

FETCHED = datetime(2024, 5, 11, 8, 0, tzinfo=UTC)


class AnySpider(Spider):
    name = "any"


def run_of(topic: str = "侨情", **overrides: Any) -> tuple[CrawlSession, Crawler]:
    """The run of a crawler that does not crawl."""
    settings = project_settings(TOPICCRAWL_TOPIC=topic, **overrides)
    crawler = get_crawler(AnySpider, dict(settings))
    return session_of(crawler), crawler


def topicless() -> Crawler:
    return get_crawler(AnySpider, {"TOPICCRAWL_TOPIC": ""})


def item_of(
    run: CrawlSession,
    body: bytes | None = None,
    url: str = "http://a.example/1",
    *,
    title: str = "",
    text: str = "",
    lease: int | None = None,
) -> PageItem:
    """The item of a page with this body, or with this title and text."""
    raw = body if body is not None else page(title, text)
    analysis = PageAnalysis(Page(url, raw), run.topic, run.reader, canonical_url)
    canonical = canonical_url(url)
    return PageItem(
        url=canonical,
        final_url=url,
        topic=run.topic.name,
        site=host_of(url),
        charset="utf-8",
        fetched_at=FETCHED,
        run_id=run.id,
        title=title,
        body=text,
        analysis=analysis,
        lease=lease,
    )
