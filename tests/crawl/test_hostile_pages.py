"""Pages that crawlers stumble over, through the real command and a real HTTP connection."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

import pytest

from tests.support.crawl_runs import CrawlResult
from tests.support.hostile_web import hostile_seeds, hostile_web
from topiccrawl.store.contract import OutcomeRecord
from topiccrawl.urls.canonical import canonical_url

pytestmark = pytest.mark.slow


def outcome(crawl: CrawlResult, name: str) -> OutcomeRecord:
    url = canonical_url(hostile_seeds(hostile_web())[name])
    return next(record for record in crawl.outcomes if record.url == url)


def test_the_crawl_ends_normally(hostile_crawl: CrawlResult) -> None:
    assert hostile_crawl.code == 0
    assert hostile_crawl.stderr == ""
    assert "Traceback" not in hostile_crawl.log
    assert hostile_crawl.runs[0].stop_reason == "max_pages"


@pytest.mark.parametrize(
    ("name", "verdict", "reason", "detail"),
    [
        ("huge", "failed", "too-large", "50000000"),
        ("blank", "dropped", "no-body", "0 characters of body"),
        ("binary", "dropped", "not-html", "binary data"),
        ("deep", "dropped", "", ""),
        ("calendar", "dropped", "", ""),
        ("repeat", "dropped", "", ""),
        ("missing", "failed", "http-404", "404"),
        ("error", "failed", "http-500", "500"),
        ("forbidden", "failed", "robots", "robots.txt"),
        # The proxy answers 502, for robots.txt, too: the host is asked again later (RFC 9309).
        ("unknown-host", "queued", "queued", ""),
        ("https", "failed", "", ""),
    ],
)
def test_each_bad_page_leaves_an_outcome_with_its_reason(
    hostile_crawl: CrawlResult, name: str, verdict: str, reason: str, detail: str
) -> None:
    record = outcome(hostile_crawl, name)
    assert record.verdict == verdict
    assert record.reason == reason or not reason
    assert detail in record.detail


def test_no_more_of_a_huge_page_is_read_than_the_limit(hostile_crawl: CrawlResult) -> None:
    """DOWNLOAD_MAXSIZE is 4 MiB; the page has 50 MB and states its length."""
    assert hostile_crawl.stats["downloader/response_bytes"] < 8 * 2**20


def test_endless_redirects_are_given_up(hostile_crawl: CrawlResult) -> None:
    hops = [url for url in hostile_crawl.fetched() if "/goto/loop" in url]
    assert 10 <= len(set(hops)) <= 25
    last = max((o for o in hostile_crawl.tried if "/goto/loop" in o.url), key=lambda o: o.sequence)
    assert (last.verdict, last.reason) == ("failed", "redirects")


def test_a_chain_of_redirects_that_ends_well_is_followed(hostile_crawl: CrawlResult) -> None:
    first = outcome(hostile_crawl, "chain")
    assert (first.verdict, first.reason) == ("dropped", "redirected")
    second = first.detail.removeprefix("redirected to ")
    records = {o.url: o for o in hostile_crawl.tried}
    assert records[second].reason == "redirected"
    article = records[second].detail.removeprefix("redirected to ")
    assert hostile_web().kind_of(article) == "article"
    assert records[canonical_url(article)].verdict in ("stored", "dropped")


def test_a_page_that_fails_once_is_fetched_again(hostile_crawl: CrawlResult) -> None:
    url = hostile_seeds(hostile_web())["flaky"]
    assert [r.status for r in hostile_crawl.requests if r.url == url] == [503, 200]
    assert outcome(hostile_crawl, "flaky").verdict in ("stored", "dropped")


def test_a_page_that_always_fails_is_tried_a_few_times_only(hostile_crawl: CrawlResult) -> None:
    """Three quick tries (RETRY_TIMES), and that at most three times (RETRY_MAX_ATTEMPTS)."""
    url = hostile_seeds(hostile_web())["error"]
    assert 3 <= sum(r.url == url for r in hostile_crawl.requests) <= 9


def test_traps_take_a_small_part_of_the_crawl(hostile_crawl: CrawlResult) -> None:
    """Three endless series are seeds here; the other hosts go on."""
    web = hostile_web()
    fetched = set(hostile_crawl.fetched())
    trapped = [url for url in fetched if web.is_trap(url) and "/goto/loop" not in url]
    assert len(trapped) <= len(fetched) / 4
    hosts = Counter(urlsplit(page.url).hostname for page in hostile_crawl.pages)
    assert len(hosts) >= 2
    assert hosts["qiaolian.gangwan.example"] >= 5


def test_what_robots_txt_forbids_is_not_even_asked_for(hostile_crawl: CrawlResult) -> None:
    assert hostile_seeds(hostile_web())["forbidden"] not in hostile_crawl.fetched()


def test_text_is_right_under_a_false_charset_header(hostile_crawl: CrawlResult) -> None:
    """GBK bytes, header utf-8, meta gb2312."""
    web = hostile_web()
    seen = 0
    for page in hostile_crawl.pages:
        truth = web.truth(page.url)
        if page.site != "qiaolian.gangwan.example" or truth is None or truth.kind != "article":
            continue
        seen += 1
        assert page.title.startswith(truth.title)
        assert "".join(truth.paragraphs[0].split()) in "".join(page.body.split())
    assert seen >= 3


def test_a_failed_page_is_no_fetched_page(hostile_crawl: CrawlResult) -> None:
    stats = hostile_crawl.stats
    html = sum(
        o.verdict in {"stored", "duplicate"} or (o.verdict == "dropped" and o.relevance is not None)
        for o in hostile_crawl.tried
    )
    assert stats["topiccrawl/pages/analyzed"] == html
