"""The figures at the end of a demonstration, from a store with known contents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from topiccrawl.demo import DemoWeb
from topiccrawl.demo.findings import lines, measure
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, PageRecord, Verdict
from topiccrawl.webserver.forward import RequestRecord

NOW = datetime(2024, 7, 1, tzinfo=UTC)


class Shelf:
    """As much of a store as measuring reads."""

    def __init__(self, pages: Sequence[PageRecord], outcomes: Sequence[OutcomeRecord]) -> None:
        self._pages, self._outcomes = pages, outcomes

    async def pages(self, topic: str, **_: Any) -> AsyncIterator[PageRecord]:
        for page in sorted(self._pages, key=lambda page: -page.relevance):
            yield page

    async def outcomes(self, topic: str, **_: Any) -> AsyncIterator[OutcomeRecord]:
        for outcome in self._outcomes:
            yield outcome


def outcome(url: str, verdict: Verdict) -> OutcomeRecord:
    return OutcomeRecord("侨情", url, verdict, "", "", NOW, "run", 1)


def page(url: str, relevance: float) -> PageRecord:
    return PageRecord(
        topic="侨情", url=url, final_url=url, title=f"题{relevance}", body="", site="",
        charset="utf-8", language="zh-Hans", content_hash="", relevance=relevance, main_terms=(),
        fetched_at=NOW, published_at=None, link=LinkEvidence(), run_id="run",
    )  # fmt: skip


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(size=300)


async def found(web: DemoWeb, pages: list[PageRecord], outcomes: list[OutcomeRecord]) -> Any:
    request = RequestRecord(1, 0.1, "GET", 200, "http://bbs.linjiang.example/member/3.html", 9)
    home = RequestRecord(2, 0.2, "GET", 200, web.seeds[0], 9)
    return await measure(Shelf(pages, outcomes), "侨情", web, [request, home])  # type: ignore[arg-type]


def measured(web: DemoWeb, pages: list[PageRecord], outcomes: list[OutcomeRecord]) -> Any:
    import asyncio

    return asyncio.run(found(web, pages, outcomes))


def test_rates_count_pages_fetched_and_stories_collected(web: DemoWeb) -> None:
    by_story: dict[str | None, list[str]] = {}
    for url in web.relevant():
        by_story.setdefault(web.story_of(url), []).append(url)
    reprinted = next(urls for urls in by_story.values() if len(urls) > 1)
    other = next(urls[0] for urls in by_story.values() if len(urls) == 1)
    off_topic = web.relevant("sport")[0]
    result = measured(
        web,
        [page(url, 0.5) for url in (*reprinted[:2], other, off_topic)],
        [
            *(outcome(url, "stored") for url in (*reprinted[:2], other, off_topic)),
            outcome(web.relevant("food")[0], "dropped"),
            outcome(web.relevant("food")[1], "failed"),
            outcome(web.relevant("food")[2], "queued"),
            outcome("http://elsewhere.example/", "dropped"),
        ],
    )
    assert (result.fetched, result.fetched_on_topic) == (5, 3)
    assert (result.stored, result.stored_on_topic) == (4, 3)
    assert result.stories == 2
    assert result.harvest_rate == pytest.approx(3 / 5)
    assert result.recall == pytest.approx(2 / len(web.stories()))
    assert result.forbidden == 1


def test_the_ten_best_pages_come_best_first(web: DemoWeb) -> None:
    urls = web.relevant()[:12]
    result = measured(web, [page(url, 0.1 + n / 100) for n, url in enumerate(urls)], [])
    assert [best.url for best in result.best] == urls[:1:-1]
    assert "0.210  题0.21" in "\n".join(lines(result))


def test_an_empty_store_gives_zeros(web: DemoWeb) -> None:
    result = measured(web, [], [])
    assert (result.harvest_rate, result.recall, result.stored) == (0.0, 0.0, 0)
    assert "Best pages" not in "\n".join(lines(result))
