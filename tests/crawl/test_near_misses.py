"""Near misses of a crawl, and judgments that arrive from elsewhere while it runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from scrapy import signals
from scrapy.crawler import Crawler

from tests.support.page_items import item_of, run_of
from tests.support.small_web import (
    OFF_TOPIC,
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    project_settings,
)
from tests.support.stored import from_store
from topiccrawl.crawl.journal.journal import CrawlJournal
from topiccrawl.crawl.journal.kinds import JUDGMENT
from topiccrawl.crawl.judgments.rejudged import Rejudged, RejudgingResult
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.crawl.storing.near_misses import NearMisses
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.paths import frontier_path
from topiccrawl.frontier.sqlite import locks
from topiccrawl.store.contract import PageJudgment, Store
from topiccrawl.store.near_misses import unpack_near_miss
from topiccrawl.topics.definition import Judgment

pytestmark = pytest.mark.slow

T = TypeVar("T")
TOPIC = "侨情"
HOME = "http://a.example/"
NEAR, AFTER = HOME + "near", HOME + "after"
MARGINAL = page("侨乡的球队", f"{ON_TOPIC}{OFF_TOPIC * 2}")
WEB = {
    HOME: page("归侨侨眷座谈会", ON_TOPIC * 3, link("/near") + link("/off") + link("/after")),
    NEAR: MARGINAL,
    HOME + "off": page("足球比赛", OFF_TOPIC * 3),
    AFTER: page("海外侨胞寻根之旅", ON_TOPIC * 2 + "寻根。"),
}


@pytest.fixture(scope="module")
def threshold() -> str:
    """A threshold that the marginal page misses by a fifth."""
    run, _ = run_of()
    return repr(item_of(run, MARGINAL).analysis.relevance.score / 0.8)


def crawl(folder: Path, threshold: str, **more: Any) -> SmallCrawl:
    return crawl_small(
        SmallWeb(WEB),
        [HOME],
        TOPICCRAWL_STORE_URI=f"sqlite:///{folder}/pages.sqlite",
        TOPICCRAWL_STORE_SPOOL_DIR=str(folder / "spool"),
        TOPICCRAWL_STORE_FLUSH_SECONDS=0,
        TOPICCRAWL_RELEVANCE_THRESHOLD=threshold,
        **more,
    )


def with_store(folder: Path, work: Callable[[Store], Awaitable[T]]) -> T:
    return from_store(f"sqlite:///{folder}/pages.sqlite", work)


def standings(folder: Path) -> dict[str, str]:
    async def read(store: Store) -> dict[str, str]:
        return {it.url: it.standing async for it in store.standings(TOPIC)}

    return with_store(folder, read)


def test_a_page_just_below_the_threshold_is_stored_complete_beside_the_collection(
    tmp_path: Path, threshold: str
) -> None:
    done = crawl(tmp_path, threshold)
    assert done.dropped == {NEAR: "off-topic", HOME + "off": "off-topic"}
    assert done.stats["topiccrawl/pages/near_misses"] == 1
    assert standings(tmp_path) == {HOME: "kept", AFTER: "kept", NEAR: "near-miss"}

    async def read(store: Store) -> None:
        near = await store.near_miss(TOPIC, NEAR)
        outcome = await store.outcome(TOPIC, NEAR)
        assert near is not None
        assert outcome is not None
        found = unpack_near_miss(near)
        assert (found.title, found.kind) == ("侨乡的球队", "article")
        assert found.body.startswith(ON_TOPIC[:10])
        assert found.summary
        assert found.keywords
        assert found.probability == outcome.probability == pytest.approx(0.8 / 1.8)
        assert outcome.detail.endswith("; stored as a near miss")

    with_store(tmp_path, read)


def test_no_more_near_misses_are_stored_than_wanted(tmp_path: Path, threshold: str) -> None:
    crawl(tmp_path, threshold, TOPICCRAWL_NEAR_MISSES=0)
    assert standings(tmp_path) == {HOME: "kept", AFTER: "kept"}


def test_a_later_crawl_admits_near_misses_and_withdraws_pages_without_fetching(
    tmp_path: Path, threshold: str
) -> None:
    backend = {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite"}
    crawl(tmp_path, threshold, **backend)
    results: list[RejudgingResult] = []

    def probe(crawler: Crawler) -> None:
        async def scraped(item: Any) -> None:
            session = session_of(crawler)
            judgments = [
                Rejudged(NEAR, PageJudgment(0.9), True),
                Rejudged(AFTER, PageJudgment(0.1), False),
            ]
            results.append(await session.judging.rejudging.apply(judgments))

        # Kept here: Scrapy's references to handlers are weak.
        probe.handler = scraped  # type: ignore[attr-defined]
        crawler.signals.connect(scraped, signals.item_scraped)

    again = crawl(tmp_path, threshold, probe=probe, **backend)
    assert [item.url for item in again.items] == [HOME], "only the seed is fetched again"
    assert results == [RejudgingResult(withdrawn=1, admitted=1)]
    assert standings(tmp_path) == {HOME: "kept", NEAR: "kept", AFTER: "withdrawn"}
    assert again.stats["topiccrawl/pages/admitted"] == 1
    assert again.stats["topiccrawl/pages/withdrawn"] == 1


def test_a_judgment_of_a_page_on_its_way_into_the_store_takes_effect(
    tmp_path: Path, threshold: str
) -> None:
    """From another process, which has looked into the store before the page was there."""
    backend = {"TOPICCRAWL_FRONTIER_BACKEND": "sqlite"}
    settings = CrawlSettings.from_settings(
        project_settings(TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}/pages.sqlite", **backend)
    )

    def probe(crawler: Crawler) -> None:
        def scraped(item: Any) -> None:
            if item.url == AFTER:
                frontier = frontier_backend(settings).open(TOPIC).frontier
                CrawlJournal(frontier.journal).publish(JUDGMENT, Judgment(AFTER, False))
                frontier.close()

        probe.handler = scraped  # type: ignore[attr-defined]
        crawler.signals.connect(scraped, signals.item_scraped)

    done = crawl(tmp_path, threshold, probe=probe, **backend)
    assert AFTER in {item.url for item in done.items}
    assert standings(tmp_path)[AFTER] == "withdrawn"
    assert done.run.judging.judgments == {AFTER: False}


def test_an_error_in_the_last_judgments_does_not_leave_the_run_without_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The queue is closed and the run's record is written all the same."""
    url = "http://www.qiao.example/"

    async def fail(self: NearMisses) -> None:
        raise RuntimeError("a store of another project")

    monkeypatch.setattr(NearMisses, "trim", fail)
    done = crawl_small(
        SmallWeb({url: page("侨务首页", ON_TOPIC)}),
        [url],
        TOPICCRAWL_STORE_URI=f"sqlite:///{tmp_path}/pages.sqlite",
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path / "spool"),
        TOPICCRAWL_FRONTIER_BACKEND="sqlite",
        TOPICCRAWL_RESEED=False,
    )
    assert "a store of another project" in caplog.text
    [run] = with_store(tmp_path, lambda store: store.runs(TOPIC))
    assert (run.stop_reason, run.finished_at is not None) == ("finished", True)
    # With its file closed, the queue answers from its last count.
    assert done.run.frontier.size().done == 1
    assert not locks.any_held(frontier_path(TOPIC, done.run.settings))
