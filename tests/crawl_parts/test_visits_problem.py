"""When a night that visits stored pages has failed, and what it says then."""

from __future__ import annotations

import pytest

from topiccrawl.crawl.account.refresh_summary import visit_lines, visits_problem
from topiccrawl.crawl.progress import CrawlProgress
from topiccrawl.crawl.refreshing.visit import VisitCounts


@pytest.mark.parametrize(
    ("visits", "pages"),
    [
        (VisitCounts(), 0),
        (VisitCounts(visited=1, failed=9), 1),
        (VisitCounts(failed=9), 3),
    ],
    ids=["nothing was due", "a page was visited", "the queue went on"],
)
def test_a_night_that_reached_a_page_is_no_failure(visits: VisitCounts, pages: int) -> None:
    reasons = {"timeout": visits.failed}
    assert visits_problem(visits, CrawlProgress(pages=pages), reasons) == ""


def test_a_night_that_reached_nothing_names_the_most_frequent_reasons() -> None:
    reasons = {"http-404": 1, "http-502": 5, "http-403": 1, "http-500": 2}
    assert visits_problem(VisitCounts(failed=9), CrawlProgress(), reasons) == (
        "none of 9 pages could be visited (HTTP 502: 5, HTTP 500: 2, HTTP 403: 1)"
    )
    assert visits_problem(VisitCounts(failed=1), CrawlProgress(), {"http-502": 1}) == (
        "a page could not be visited (HTTP 502: 1)"
    )


def test_a_night_whose_sites_never_answered_does_not_say_that_nothing_was_due() -> None:
    none, nothing = VisitCounts(), CrawlProgress()
    assert visits_problem(none, nothing, {}, taken=4) == (
        "no page could be visited in the time of the run: no site has answered"
    )
    assert visits_problem(none, nothing, {}, taken=4, stopped=True) == ""
    assert visits_problem(none, CrawlProgress(dropped=1), {}, taken=4) == ""
    assert visits_problem(VisitCounts(made_before=1), nothing, {}, taken=1) == ""
    assert visit_lines("茶", none, nothing, 20, taken=4) == [
        "茶: of 20 known pages and lists none has answered"
    ]
    assert "none is due" in visit_lines("茶", none, nothing, 20)[0]


def test_a_night_without_visits_says_what_came_from_the_queue() -> None:
    progress = CrawlProgress(pages=40, stored=3, copies=2)
    assert visit_lines("茶", VisitCounts(), progress, 20) == [
        "茶: of 20 known pages and lists none is due",
        "pages fetched from the queue: 40, new pages stored: 3",
        "2 copies of pages were stored with them.",
    ]


def test_a_night_counts_copies_apart_from_new_pages() -> None:
    lines = visit_lines("茶", VisitCounts(visited=3), CrawlProgress(stored=4, copies=2), 20)
    assert lines[2:] == [
        "new links in lists: 0, new pages stored: 4",
        "2 copies of pages were stored with them.",
    ]
