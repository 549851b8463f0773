"""What repeats beside the pages (test_same_twice): each request, each count; and what a seed changes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crawl.conftest import PAGES
from tests.support.crawl_runs import NO_LATER_TRIES, CrawlResult, crawl
from topiccrawl.demo import DemoWeb

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def slow_store(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """The main job with a store that writes slowly."""
    folder = tmp_path_factory.mktemp("slow-store")
    uri = f"tests.support.store_slow.SlowStore://{folder}/pages.sqlite"
    return crawl(web, folder, PAGES, NO_LATER_TRIES, store=uri, fresh=True)


@pytest.fixture(scope="module")
def other_seed(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> CrawlResult:
    """The main job with other random draws."""
    folder = tmp_path_factory.mktemp("other-seed")
    return crawl(web, folder, PAGES, NO_LATER_TRIES, "TOPICCRAWL_SEED=2")


def asked(result: CrawlResult) -> list[tuple[str, int]]:
    return [(record.url, record.status) for record in result.requests]


def ours(result: CrawlResult) -> dict[str, Any]:
    """Our stats; how many records a batch holds depends on the clock."""
    stats = {k: v for k, v in result.stats.items() if k.startswith("topiccrawl/")}
    del stats["topiccrawl/store/batches"]
    return stats


def test_the_server_sees_the_same_requests_and_gives_the_same_answers(
    main_crawl: CrawlResult, repeated_crawl: CrawlResult
) -> None:
    """robots.txt, retries and redirects included."""
    assert len(asked(main_crawl)) > len(main_crawl.fetched()) > 100
    assert asked(main_crawl) == asked(repeated_crawl)


def test_all_our_stats_repeat(main_crawl: CrawlResult, repeated_crawl: CrawlResult) -> None:
    assert ours(main_crawl) == ours(repeated_crawl)


def test_order_and_stats_do_not_depend_on_the_speed_of_the_store(
    main_crawl: CrawlResult, slow_store: CrawlResult
) -> None:
    """A page that fails waits for another try from the same page on, whenever its outcome is durable."""
    assert asked(main_crawl) == asked(slow_store)
    assert ours(main_crawl) == ours(slow_store)


def test_two_runs_have_ids_of_their_own(
    main_crawl: CrawlResult, repeated_crawl: CrawlResult
) -> None:
    assert main_crawl.runs[0].id != repeated_crawl.runs[0].id


def test_another_seed_changes_scores_of_links(
    main_crawl: CrawlResult, other_seed: CrawlResult
) -> None:
    """Else the setting would be decoration; the order may differ and need not."""
    assert (main_crawl.runs[0].seed, other_seed.runs[0].seed) == (1, 2)
    before = {record.url: record.link for record in main_crawl.outcomes}
    both = [record for record in other_seed.outcomes if record.url in before]
    assert any(record.link.parts != before[record.url].parts for record in both)


def test_another_seed_does_not_change_what_a_page_is(
    main_crawl: CrawlResult, other_seed: CrawlResult
) -> None:
    before = {page.url: page for page in main_crawl.pages}
    both = [page for page in other_seed.pages if page.url in before]
    assert len(both) >= 10
    for page in both:
        first = before[page.url]
        for name in ("title", "body", "charset", "language", "content_hash", "published_at"):
            assert getattr(page, name) == getattr(first, name), page.url
        assert (page.relevance, page.main_terms) == (first.relevance, first.main_terms)
