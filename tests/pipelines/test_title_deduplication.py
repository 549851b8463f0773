"""Which pages are copies of others by the rule of document 001."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from tests.support.page_items import item_of, run_of
from topiccrawl.crawl.copies.titles import TitleRule
from topiccrawl.crawl.session.session import CrawlSession
from topiccrawl.dedup.titles import content_hash
from topiccrawl.items import PageItem
from topiccrawl.pipelines.deduplication import DeduplicationPipeline
from topiccrawl.store.contract import StoreUnavailable

TITLE = "全国归侨侨眷代表大会在北京人民大会堂开幕"


@pytest.fixture(scope="module")
def run() -> CrawlSession:
    return run_of()[0]


class _Store:
    """Just the titles of a store, which is away for the first *away* questions."""

    def __init__(self, titles: Sequence[tuple[str, str]], away: int = 0) -> None:
        self.asked = 0
        self._titles = titles
        self._away = away

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        self.asked += 1
        assert topic == "侨情"
        for title in self._titles:
            if self.asked <= self._away:
                raise StoreUnavailable("gone")
            await asyncio.sleep(0)
            yield title


def drawn(run: CrawlSession, number: int, title: str, text: str = "") -> PageItem:
    body = text or f"正文{number}"
    item = item_of(run, url=f"http://a.example/{number}", title=title, text=body)
    item.content_hash = content_hash(body)
    return item


def passed(
    run: CrawlSession, items: Sequence[PageItem], store: _Store | None = None
) -> list[tuple[str, str] | None]:
    """What the pipeline finds of each of the items, one after the other: relation and reason."""
    known: Any = store
    rule = TitleRule(run.topic, run.settings.title_threshold, known)
    pipeline = DeduplicationPipeline(rule, run.journal)

    async def all_of_them() -> None:
        for item in items:
            assert await pipeline.process_item(item) is item

    asyncio.run(all_of_them())
    return [found_of(item) for item in items]


def found_of(item: PageItem) -> tuple[str, str] | None:
    return (item.relation, *item.relation_detail) if item.copy_of else None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("first", "second", "duplicate", "why"),
    [
        (TITLE, TITLE, True, "word for word"),
        (f"{TITLE}_新华网", f"{TITLE} - 中国侨网", True, "reprinted by another site"),
        (TITLE, "全國歸僑僑眷代表大會在北京人民大會堂開幕", True, "in traditional characters"),
        (TITLE, "全国归侨侨眷代表大会在北京人民大会堂闭幕", False, "opening and closing"),
        (TITLE, "海外华文媒体代表团参观福建侨乡博物馆", False, "another story"),
        ("华侨华人研究动态汇编第1期", "华侨华人研究动态汇编第2期", False, "another issue"),
        (
            "２０２３年华侨华人社团工作总结",
            "2024年华侨华人社团工作总结",
            False,
            "another year",
        ),
        (
            "２０２４年华侨华人社团工作总结",
            "2024年华侨华人社团工作总结",
            True,
            "digits are the same in either width",
        ),
        ("通知", "通知", False, "a kind of page, not a page"),
        ("", "", False, "no title is nobody's title"),
    ],
)
def test_titles(run: CrawlSession, first: str, second: str, duplicate: bool, why: str) -> None:
    said = passed(run, [drawn(run, 1, first), drawn(run, 2, second)])
    assert said[0] is None
    assert (said[1] is not None) is duplicate, why


def test_the_reason_names_the_page_that_was_first(run: CrawlSession) -> None:
    _, said = passed(run, [drawn(run, 1, TITLE), drawn(run, 2, TITLE)])
    assert said == ("edited", "title 1.00 similar to http://a.example/1")


def test_a_page_is_not_its_own_duplicate(run: CrawlSession) -> None:
    assert passed(run, [drawn(run, 1, TITLE), drawn(run, 1, TITLE)]) == [None, None]


def test_the_same_text_under_another_title_is_a_duplicate(run: CrawlSession) -> None:
    text = "侨乡新貌，侨批展出。"
    said = passed(
        run,
        [
            drawn(run, 1, TITLE, text),
            drawn(run, 2, "福建侨乡博物馆举办侨批档案展", "侨乡新貌，\n  侨批展出。"),
            drawn(run, 3, "广东华侨农场改革发展座谈会召开", "侨乡新貌，侨批展出！"),
        ],
    )
    assert said[1] == ("copy", "same text as http://a.example/1")
    assert said[2] is None


def test_titles_that_earlier_runs_stored_are_known(run: CrawlSession) -> None:
    store = _Store([("http://old.example/9", f"{TITLE} - 中新网")])
    said = passed(run, [drawn(run, 1, TITLE), drawn(run, 2, "福建侨乡博物馆举办展览")], store)
    assert said[0] is not None
    assert "http://old.example/9" in said[0][1]
    assert said[1] is None
    assert store.asked == 1


def test_a_page_that_an_earlier_run_stored_is_stored_again(run: CrawlSession) -> None:
    store = _Store([("http://a.example/1", TITLE)])
    assert passed(run, [drawn(run, 1, TITLE)], store) == [None]


def test_a_page_that_is_stored_again_with_another_title_and_text_is_known_by_these_only(
    run: CrawlSession,
) -> None:
    other = "福建侨乡博物馆举办海外华侨家书展览"
    said = passed(
        run,
        [
            drawn(run, 1, TITLE, "旧文"),
            drawn(run, 1, other, "新文"),
            drawn(run, 2, TITLE, "另一篇"),
            drawn(run, 3, "侨联代表团访问泰国清迈云南会馆", "旧文"),
            drawn(run, 4, other, "第四篇"),
        ],
    )
    assert said[:4] == [None] * 4
    assert said[4] is not None
    assert "http://a.example/1" in said[4][1]


def test_a_store_that_is_away_costs_no_page_and_is_asked_again(run: CrawlSession) -> None:
    store = _Store([("http://old.example/9", TITLE)], away=1)
    said = passed(run, [drawn(run, 1, "福建侨乡博物馆举办展览"), drawn(run, 2, TITLE)], store)
    assert said[0] is None
    assert said[1] is not None
    assert store.asked == 2


def test_items_that_come_while_titles_are_read_wait_for_them(run: CrawlSession) -> None:
    store: Any = _Store([("http://old.example/9", TITLE)])
    rule = TitleRule(run.topic, run.settings.title_threshold, store)
    pipeline = DeduplicationPipeline(rule, run.journal)
    items = [drawn(run, 1, TITLE, "甲"), drawn(run, 2, TITLE, "乙")]

    async def both() -> None:
        await asyncio.gather(*(pipeline.process_item(item) for item in items))

    asyncio.run(both())
    assert [item.copy_of for item in items] == ["http://old.example/9"] * 2
    assert store.asked == 1


def test_the_users_threshold_decides() -> None:
    loose, _ = run_of(TOPICCRAWL_TITLE_DEDUP_THRESHOLD="0.3")
    strict, _ = run_of(TOPICCRAWL_TITLE_DEDUP_THRESHOLD="1.0")
    titles = ("全国归侨侨眷代表大会在北京开幕", "全国归侨侨眷代表大会上海分会场")
    for run, duplicate in ((loose, True), (strict, False)):
        said = passed(run, [drawn(run, i, title) for i, title in enumerate(titles)])
        assert (said[1] is not None) is duplicate
