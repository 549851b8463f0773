"""One pass over a store gives the figures of the report, in bounded memory."""

from __future__ import annotations

import asyncio
import tracemalloc
from datetime import timedelta

import pytest

from tests.support.reporting_store import START, ReportingStore, make_outcome, make_page, make_run
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.aggregates.outcomes import Aggregate, is_relevant
from topiccrawl.reporting.aggregates.report_data import NO_PAGE_REASONS, ReportData
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord
from topiccrawl.store.headlines import deletion_outcome


def report(
    outcomes: list[OutcomeRecord],
    pages: list[PageRecord] | None = None,
    runs: list[RunRecord] | None = None,
    run_id: str | None = None,
) -> ReportData:
    async def work() -> ReportData:
        store = ReportingStore()
        await store.write(pages or [], outcomes, runs or [])
        return await collect(store, "侨情", generated_at=START, run_id=run_id)

    return asyncio.run(work())


def series(*rows: tuple[str, str, float | None], run_id: str = "run-1") -> list[OutcomeRecord]:
    return [
        make_outcome(
            f"http://a.cn/{run_id}/{n}",
            verdict=verdict,
            reason=reason,
            relevance=relevance,
            threshold=None if relevance is None else 0.2,
            sequence=n,
            run_id=run_id,
            at=START + timedelta(seconds=n),
        )
        for n, (verdict, reason, relevance) in enumerate(rows, 1)
    ]


CRAWL = (
    ("stored", "relevant", 0.4),
    ("dropped", "off-topic", 0.1),
    ("dropped", "duplicate-title", 0.5),
    ("failed", "http-404", None),
    ("dropped", "redirected", None),
    ("stored", "relevant", 0.3),
    ("queued", "queued", None),
)


def test_verdicts_are_counted_and_failures_are_no_fetched_pages() -> None:
    counts = report(series(*CRAWL)).counts
    assert (counts.stored, counts.dropped, counts.failed, counts.queued) == (2, 3, 1, 1)
    assert counts.fetched == 4  # a redirect and a 404 brought no page
    assert counts.relevant == 3
    assert counts.harvest == 0.75


@pytest.mark.parametrize("reason", sorted(NO_PAGE_REASONS))
def test_what_is_no_page_is_not_fetched(reason: str) -> None:
    counts = report(series(*CRAWL, ("dropped", reason, None))).counts
    assert (counts.fetched, counts.harvest, counts.skipped) == (4, 0.75, 2)


def test_a_sitemap_is_no_page() -> None:
    assert "site-file" in NO_PAGE_REASONS


def test_curve_follows_the_order_of_fetches() -> None:
    points = report(series(*CRAWL)).curve
    assert [(p.fetched, p.relevant) for p in points] == [(1, 1), (2, 1), (3, 2), (4, 3)]


@pytest.mark.parametrize(
    ("verdict", "relevance", "threshold", "relevant"),
    [
        ("stored", None, None, True),
        ("dropped", 0.2, 0.2, True),
        ("dropped", 0.19, 0.2, False),
        ("dropped", None, 0.2, False),
        ("dropped", 0.9, None, False),
        ("failed", 0.9, 0.2, False),
        ("queued", 0.9, 0.2, False),
    ],
    ids=[
        "stored",
        "duplicate at the threshold",
        "below",
        "not judged",
        "no threshold",
        "no page",
        "not fetched",
    ],
)
def test_relevant_is_a_page_that_reaches_its_threshold(
    verdict: str, relevance: float | None, threshold: float | None, relevant: bool
) -> None:
    outcome = make_outcome(verdict=verdict, relevance=relevance, threshold=threshold)
    assert is_relevant(outcome) is relevant


def test_a_page_that_the_classifier_dropped_is_not_relevant_for_its_similarity() -> None:
    outcome = make_outcome(verdict="dropped", reason="off-topic", relevance=0.9, threshold=0.2)
    assert not is_relevant(outcome)


@pytest.mark.parametrize(("probability", "relevant"), [(0.41, True), (0.39, False)])
def test_the_probability_decides_whether_a_duplicate_is_relevant(
    probability: float, relevant: bool
) -> None:
    outcome = make_outcome(
        verdict="dropped",
        reason="duplicate-title",
        relevance=0.1 if relevant else 0.9,
        threshold=0.2,
        probability=probability,
        probability_threshold=0.4,
    )
    assert is_relevant(outcome) is relevant


@pytest.mark.parametrize("reason", ["withdrawn", "judged", "rejected-text"])
def test_a_page_that_left_the_collection_is_neither_relevant_nor_listed(reason: str) -> None:
    outcome = make_outcome(verdict="dropped", reason=reason, relevance=0.9, threshold=0.2)
    pages = [make_page(outcome.url, withdrawn_at=START), make_page("http://b.cn/")]
    data = report([outcome, make_outcome("http://b.cn/")], pages)
    assert (data.counts.stored, data.counts.relevant) == (1, 1)
    assert [page.url for page in data.pages.listed] == ["http://b.cn/"]
    assert [found.reason for found in data.reasons] == [reason]


def test_runs_are_listed_with_their_own_counts_and_marked_in_the_curve() -> None:
    later = START + timedelta(hours=1)
    first = series(("stored", "relevant", 0.4), ("dropped", "off-topic", 0.1))
    outcomes = [*first, make_outcome("http://b.cn/", run_id="run-2", at=later)]
    runs = [make_run(), make_run("run-2", started_at=later, finished_at=None, stop_reason="")]
    data = report(outcomes, runs=runs)
    assert [(r.id, r.counts.fetched, r.finished) for r in data.runs] == [
        ("run-1", 2, True),
        ("run-2", 1, False),
    ]
    assert data.marks == [2]


def test_one_run_can_be_reported_alone() -> None:
    outcomes = series(("stored", "relevant", 0.4)) + series(
        ("stored", "relevant", 0.4), ("dropped", "off-topic", 0.1), run_id="run-2"
    )
    pages = [make_page(), make_page("http://a.cn/run-2/1", run_id="run-2")]
    data = report(outcomes, pages, [make_run(), make_run("run-2")], run_id="run-2")
    assert data.counts.fetched == 2
    assert [r.id for r in data.runs] == ["run-2"]
    assert [p.url for p in data.pages.listed] == ["http://a.cn/run-2/1"]


def test_a_killed_run_lasts_until_its_last_outcome() -> None:
    outcomes = series(*[("stored", "relevant", 0.4)] * 90)
    data = report(outcomes, runs=[make_run(finished_at=None)])
    assert data.duration == timedelta(seconds=90)


def test_a_run_without_a_record_is_still_shown() -> None:
    data = report(series(*[("stored", "relevant", 0.4)] * 3))
    assert [(r.id, r.duration) for r in data.runs] == [("run-1", timedelta(seconds=2))]


def test_queued_links_alone_make_no_run() -> None:
    outcomes = [make_outcome(verdict="queued", reason="queued", sequence=0, run_id="ghost")]
    assert report(outcomes).runs == []


def test_waiting_links_come_best_first() -> None:
    outcomes = [
        make_outcome(f"http://a.cn/{score}", verdict="queued", link=LinkEvidence(score))
        for score in (0.2, 0.9, 0.5)
    ]
    assert [row.link.score for row in report(outcomes).waiting] == [0.9, 0.5, 0.2]


def test_waiting_links_are_those_of_the_run_that_ended_last() -> None:
    """The store has the 1,000 best of each run; those of an earlier one may be gone from the queue."""
    outcomes = [
        make_outcome(f"http://a.cn/{run}", verdict="queued", run_id=run, link=LinkEvidence(score))
        for run, score in (("early", 0.9), ("late", 0.5), ("killed", 0.1))
    ]
    size = "topiccrawl/frontier/size/"
    stats = {f"{size}queued": 140_000, f"{size}delayed": 20}
    runs = [
        make_run("early", finished_at=START, stats={f"{size}queued": 7}),
        make_run("late", finished_at=START + timedelta(hours=1), stats=stats),
        make_run("killed", finished_at=None, stats={}),
    ]
    data = report(outcomes, runs=runs)
    assert [row.url for row in data.waiting] == ["http://a.cn/late"]
    assert data.counts.queued == 140_020
    assert report(outcomes, runs=runs, run_id="early").counts.queued == 7


def test_a_moving_threshold_is_remembered_with_its_range() -> None:
    aggregate = Aggregate()
    for value in (0.2, 0.3, 0.25):
        aggregate.add(make_outcome(threshold=value))
    seen = aggregate.thresholds
    assert seen is not None
    assert (seen.low, seen.high, seen.last) == (0.2, 0.3, 0.25)


def test_memory_does_not_grow_with_the_number_of_outcomes() -> None:
    def feed(aggregate: Aggregate, numbers: range) -> None:
        for n in numbers:
            verdict = ("stored", "dropped", "failed", "queued")[n % 4]
            aggregate.add(
                make_outcome(
                    f"http://h{n % 50}.cn/{n}",
                    site="",
                    verdict=verdict,
                    reason=f"r{n % 9}",
                    relevance=(n % 97) / 97,
                    link=LinkEvidence(n % 89),
                )
            )

    aggregate = Aggregate()
    tracemalloc.start()
    try:
        # The hosts of some thousand URLs are kept.
        feed(aggregate, range(6_000))
        before = tracemalloc.get_traced_memory()[0]
        feed(aggregate, range(6_000, 16_000))
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # 10,000 outcomes are some 8 MB; what may grow is a few kept examples and larger integers.
    assert grown < 300_000


def test_a_deleted_page_belongs_to_no_run() -> None:
    run = make_run("run-1", stop_reason="max_pages")
    data = report([*series(*CRAWL), deletion_outcome("侨情", "http://a.cn/deleted")], runs=[run])
    assert [row.id for row in data.runs] == ["run-1"]
    assert data.last_run is not None
    assert data.last_run.stop_reason == "max_pages"
