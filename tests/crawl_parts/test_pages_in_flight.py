"""PagesInFlight: one analysis for each response, and links until the spider has queued them."""

from __future__ import annotations

import asyncio
import gc

import pytest
from scrapy.http import HtmlResponse, Response

from tests.support.page_items import run_of
from tests.support.small_web import ON_TOPIC, page
from topiccrawl.analysis.links import MergedLink
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.crawl.pages.in_flight import PageAnalyzer, PagesInFlight
from topiccrawl.crawl.queue.ordering import ScoredLink
from topiccrawl.scoring.evidence import LinkEvidence

HOME = "http://a.example/"


class Flights:
    """Pages in flight with a count of wake-ups."""

    def __init__(self) -> None:
        session, _ = run_of()
        analyze = PageAnalyzer(session.topic, session.settings, session.reader, session.url_filter)
        self.analyzed: list[str] = []
        self.wakes = 0

        def counted(response: Response) -> PageAnalysis:
            self.analyzed.append(response.url)
            return analyze(response)

        self.pages = PagesInFlight(counted, self.wake)

    def wake(self) -> None:
        self.wakes += 1


@pytest.fixture(scope="module")
def shared() -> Flights:
    return Flights()


@pytest.fixture
def flights(shared: Flights) -> Flights:
    """The module's pages in flight, without what earlier tests did."""
    shared.analyzed.clear()
    shared.wakes = 0
    return shared


def a_response(path: str = "") -> HtmlResponse:
    return HtmlResponse(HOME + path, body=page("侨务", ON_TOPIC), encoding="utf-8")


def a_scored_link() -> ScoredLink:
    link = MergedLink(f"{HOME}a", f"{HOME}a", "", "", "", "", nofollow=False)
    return ScoredLink(link, LinkEvidence(0.5))


def test_a_response_is_analyzed_once(flights: Flights) -> None:
    one, two = a_response("1"), a_response("2")
    first = flights.pages.analysis(one)
    assert flights.pages.analysis(one) is first
    assert flights.pages.analysis(two) is not first
    assert flights.analyzed == [one.url, two.url]
    assert first.page.title == "侨务"


def test_links_are_held_until_they_are_released(flights: Flights) -> None:
    response, links = a_response(), [a_scored_link()]
    assert flights.pages.links(response) == []
    flights.pages.hold(response, links)
    assert response in flights.pages
    assert flights.pages.links(response) == links
    flights.pages.release(response)
    assert response not in flights.pages
    assert flights.pages.links(response) == []


def test_the_engine_is_woken_when_no_page_is_waiting_any_more(flights: Flights) -> None:
    one, two = a_response("1"), a_response("2")
    flights.pages.hold(one, [])
    flights.pages.hold(two, [])
    flights.pages.release(one)
    assert (flights.pages.waiting, flights.wakes) == (True, 0)
    flights.pages.release(two)
    assert (flights.pages.waiting, flights.wakes) == (False, 1)


def test_in_an_event_loop_a_page_waits_until_the_next_turn(flights: Flights) -> None:
    async def crawl() -> list[tuple[bool, int]]:
        response = a_response()
        flights.pages.hold(response, [])
        flights.pages.release(response)
        now = flights.pages.waiting, flights.wakes
        await asyncio.sleep(0)
        return [now, (flights.pages.waiting, flights.wakes)]

    assert asyncio.run(crawl()) == [(True, 0), (False, 1)]


def test_a_response_that_is_gone_keeps_nobody_waiting(flights: Flights) -> None:
    flights.pages.hold(a_response(), [a_scored_link()])
    gc.collect()
    assert not flights.pages.waiting
