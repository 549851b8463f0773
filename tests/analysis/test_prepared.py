"""Records of pages: what was computed in one process and is read in another."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
import pytest

from tests.support.small_web import ON_TOPIC, link, page
from topiccrawl.analysis.links import LinkReader
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.prepared import PreparedPage, pack, unpack
from topiccrawl.analysis.summarized import SummaryLimits
from topiccrawl.page.body.blocks import Blocks
from topiccrawl.page.body.extractors import BlockExtractor
from topiccrawl.page.page import Page
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import UrlFilter

HOME = "http://a.example/news/1.html"
LIMITS = SummaryLimits(3, 10)
NOW = datetime(2026, 11, 23, tzinfo=UTC)
LINKS = "".join(
    [
        link("/news/1.html", "本页"),
        link("/news/2.html?from=1", "侨乡来信"),
        link("/news/2.html?from=2", "归侨故事"),
        link("http://mirror.example/3.html", "华校毕业礼", 'title="华文学校"'),
        link("/login", "登录", 'rel="nofollow"'),
        link("/trap/4.html", "侨务日历"),
        link("/5.html", "侨联"),
    ]
)
BODY = page("侨乡来信", ON_TOPIC * 3, LINKS, head='<meta name="keywords" content="侨乡,归侨">')


class Rules:
    """A URL filter that has learned some things."""

    def __init__(self, *what: str) -> None:
        self.what = what
        self.asked: list[str] = []

    def clean(self, url: str) -> str:
        return url.partition("?")[0] if "clean" in self.what else url

    def preferred(self, url: str) -> str:
        return url.replace("mirror.", "www.") if "prefer" in self.what else url

    def allows(self, canonical: str) -> bool:
        self.asked.append(canonical)
        return "reject" not in self.what or "trap" not in canonical


def analysis(topic: Topic, page: Page, rules: Rules | None, reader: LinkReader) -> PageAnalysis:
    return PageAnalysis(
        page, topic, reader, canonical_url, url_filter=cast("UrlFilter | None", rules)
    )


def both(topic: Topic, *what: str) -> tuple[PageAnalysis, PageAnalysis, Rules, Rules]:
    """The analysis of one page in this process, and the one that was made in another."""
    reader = LinkReader(topic, features=True, terms=True)
    packed = pack(analysis(topic, Page(HOME, BODY, now=NOW), None, reader), 200, LIMITS)
    here, there = Rules(*what), Rules(*what)
    read = analysis(
        topic, PreparedPage(HOME, BODY, now=NOW), there, LinkReader(topic, features=True)
    )
    for __ in unpack(packed, read):
        pass
    return analysis(topic, Page(HOME, BODY, now=NOW), here, reader), read, here, there


@pytest.mark.parametrize(
    "what", [(), ("reject",), ("clean",), ("prefer",), ("clean", "prefer", "reject")]
)
def test_links_are_the_same_whatever_the_url_filter_has_learned(
    topic: Topic, what: tuple[str, ...]
) -> None:
    here, there, asked_here, asked_there = both(topic, *what)
    assert there.links.links == here.links.links
    for name in here.links.batch.__slots__:
        mine, theirs = getattr(here.links.batch, name), getattr(there.links.batch, name)
        np.testing.assert_array_equal(mine, theirs, err_msg=name)
    assert asked_there.asked == asked_here.asked


def test_everything_that_a_crawl_reads_of_a_page_is_the_same(topic: Topic) -> None:
    here, there, *_ = both(topic)
    names = [name for name, value in vars(Page).items() if not name.startswith("__")]
    for name in names:
        value: Any = getattr(here.page, name)
        if isinstance(value, Blocks):
            for field in fields(Blocks):
                values = getattr(there.page.blocks, field.name)
                np.testing.assert_array_equal(values, getattr(value, field.name), field.name)
        elif not callable(value):
            assert getattr(there.page, name) == value, name
    for name in ("relevance", "title_hit", "text", "content", "paging", "body_hash", "body_digest"):
        assert getattr(there, name) == getattr(here, name), name
    short = here.summarized(here.page.title, here.page.body, LIMITS)
    assert there.summarized(there.page.title, there.page.body, LIMITS) == short
    assert there.recognized(200) == here.recognized(200)
    assert there.recognized(403) == here.recognized(403)


def test_no_body_is_extracted_again_of_a_page_that_is_kept_against_its_words(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = page("今晚的菜谱", "切好的土豆在油里慢慢煎到两面金黄。" * 9, LINKS)
    reader = LinkReader(topic, features=True, terms=True)
    packed = pack(analysis(topic, Page(HOME, body, now=NOW), None, reader), 200, LIMITS)
    read = analysis(topic, PreparedPage(HOME, body, now=NOW), None, reader)
    for __ in unpack(packed, read):
        pass
    expected = analysis(topic, Page(HOME, body, now=NOW), None, reader)
    stored = expected.body_hash, expected.body_digest, expected.page.published, expected.page.byline
    assert not expected.relevance.score

    def extract(self: BlockExtractor, page: Page) -> None:
        pytest.fail("the page was extracted twice")

    monkeypatch.setattr(BlockExtractor, "extract", extract)
    assert (read.body_hash, read.body_digest, read.page.published, read.page.byline) == stored


def test_binary_data_are_a_page_without_text(topic: Topic) -> None:
    reader = LinkReader(topic)
    raw = b"\x89PNG\r\n\x1a\n" + bytes(100)
    packed = pack(analysis(topic, Page(HOME, raw), None, reader), 200, LIMITS)
    read = analysis(topic, PreparedPage(HOME, raw), None, reader)
    assert list(unpack(packed, read)) == []
    assert not read.page.looks_like_html
    assert (read.page.body, read.page.title, read.page.links) == ("", "", [])
