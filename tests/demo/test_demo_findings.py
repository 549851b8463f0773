"""The figures at the end of a demonstration, from a store with known contents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from topiccrawl.demo import DemoWeb
from topiccrawl.demo.findings import lines, measure
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import PageRecord
from topiccrawl.webserver.forward import RequestRecord

NOW = datetime(2024, 7, 1, tzinfo=UTC)


class Shelf:
    """As much of a store as measuring reads."""

    def __init__(self, pages: Sequence[PageRecord]) -> None:
        self._pages = pages

    async def pages(self, topic: str) -> AsyncIterator[PageRecord]:
        for page in self._pages:
            yield page


def page(url: str, relevance: float) -> PageRecord:
    return PageRecord(
        topic="侨情", url=url, final_url=url, title=f"题{relevance}", body="", site="",
        charset="utf-8", language="zh-Hans", content_hash="", relevance=relevance, main_terms=(),
        fetched_at=NOW, published_at=None, link=LinkEvidence(), run_id="run",
    )  # fmt: skip


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(size=300)


async def found(web: DemoWeb, pages: list[PageRecord]) -> Any:
    request = RequestRecord(1, 0.1, "GET", 200, "http://bbs.linjiang.example/member/3.html", 9)
    home = RequestRecord(2, 0.2, "GET", 200, web.seeds[0], 9)
    return await measure(Shelf(pages), "侨情", web, [request, home])  # type: ignore[arg-type]


def measured(web: DemoWeb, pages: list[PageRecord]) -> Any:
    import asyncio

    return asyncio.run(found(web, pages))


def test_rates_count_stored_pages_and_distinct_stories(web: DemoWeb) -> None:
    by_story: dict[str | None, list[str]] = {}
    for url in web.relevant():
        by_story.setdefault(web.story_of(url), []).append(url)
    reprinted = next(urls for urls in by_story.values() if len(urls) > 1)
    other = next(urls[0] for urls in by_story.values() if len(urls) == 1)
    off_topic = web.relevant("sport")[0]
    result = measured(
        web,
        [page(url, 0.5) for url in (*reprinted[:2], other, off_topic)],
    )
    assert (result.stored, result.stored_on_topic) == (4, 3)
    assert result.stories == 2
    assert result.precision == pytest.approx(3 / 4)
    assert result.recall == pytest.approx(2 / len(web.stories()))
    assert result.forbidden == 1
    assert "  1 page that robots.txt forbids was requested" in lines(result)


def test_an_empty_store_gives_zeros(web: DemoWeb) -> None:
    result = measured(web, [])
    assert (result.precision, result.recall, result.stored) == (0.0, 0.0, 0)
    assert "precision 0.00: 0 of the 0 stored pages" in "\n".join(lines(result))
