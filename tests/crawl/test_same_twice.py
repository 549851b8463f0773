"""Same seed, same web: same order of fetches and same store, in two runs and in both stores."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support.crawl_runs import CrawlResult
from topiccrawl.store.contract import OutcomeRecord, PageRecord

pytestmark = pytest.mark.slow

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def pages(crawl: CrawlResult) -> list[PageRecord]:
    """The collection in the order of fetching, without what no two runs share."""
    return [replace(page, run_id="", fetched_at=_NEVER, first_seen=_NEVER) for page in crawl.pages]


def outcomes(crawl: CrawlResult) -> list[OutcomeRecord]:
    """All outcomes; their numbers depend on how long the store thinks, the order of fetches does not."""
    kept = [replace(record, run_id="", at=_NEVER, sequence=0) for record in crawl.outcomes]
    return sorted(kept, key=lambda record: record.url)


def test_urls_are_asked_for_in_the_same_order(
    main_crawl: CrawlResult, repeated_crawl: CrawlResult
) -> None:
    assert len(main_crawl.fetched()) > 100
    assert main_crawl.fetched() == repeated_crawl.fetched()


def test_two_runs_store_the_same_pages_with_the_same_evidence(
    main_crawl: CrawlResult, repeated_crawl: CrawlResult
) -> None:
    assert pages(main_crawl) == pages(repeated_crawl)


def test_two_runs_leave_the_same_outcomes_and_the_same_queue(
    main_crawl: CrawlResult, repeated_crawl: CrawlResult
) -> None:
    assert outcomes(main_crawl) == outcomes(repeated_crawl)


def test_mongodb_holds_what_sqlite_holds(main_crawl: CrawlResult, mongo_crawl: CrawlResult) -> None:
    assert mongo_crawl.code == 0
    assert mongo_crawl.fetched() == main_crawl.fetched()
    assert pages(mongo_crawl) == pages(main_crawl)
    assert outcomes(mongo_crawl) == outcomes(main_crawl)
    assert len(mongo_crawl.runs) == 1
    ours, theirs = mongo_crawl.runs[0], main_crawl.runs[0]
    assert (ours.stop_reason, ours.strategy, ours.seed) == (
        theirs.stop_reason,
        theirs.strategy,
        theirs.seed,
    )
