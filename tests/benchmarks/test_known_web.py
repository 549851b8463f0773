"""The judges of the endurance runs find what they look for, and only that."""

from __future__ import annotations

from collections import deque

import pytest

from benchmarks.known_web import Arrival, KnownWeb, order_errors, spacing_errors
from topiccrawl.analysis.links import LinkReader
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.page.page import Page
from topiccrawl.topics.load import find_definition
from topiccrawl.topics.topic import Topic
from topiccrawl.urls.canonical import canonical_url


@pytest.fixture(scope="module")
def web() -> KnownWeb:
    return KnownWeb(60, 5, seed=3)


def arrival(url: str, at: float, answered: float | None = None) -> Arrival:
    host = url.split("/")[2]
    return Arrival(url, host, at, at + 0.1 if answered is None else answered, 200)


def test_every_page_can_be_reached_from_the_seed(web: KnownWeb) -> None:
    seen = set(web.seeds)
    queue = deque(web.seeds)
    while queue:
        for url in web.links_of(queue.popleft()):
            if url not in seen:
                seen.add(url)
                queue.append(url)
    assert seen == set(web.urls)
    assert len(web.urls) == 60


def test_relevance_of_pages_and_links_agrees_with_the_webs_ground_truth(web: KnownWeb) -> None:
    topic = Topic.learn(find_definition("侨情"))
    answer = web.answer(web.urls[0])
    assert answer is not None
    page = Page(web.urls[0], answer.body, content_type=answer.content_type)
    analysis = PageAnalysis(page, topic, LinkReader(topic), canonical_url, follow_nofollow=False)
    assert analysis.relevance.score > 2 * topic.threshold
    found = {
        link.canonical: score
        for link, score in zip(
            analysis.links.links, analysis.links.batch.rw_relevance.tolist(), strict=True
        )
    }
    assert set(found) == set(web.links_of(web.urls[0]))
    by_value = sorted(found, key=lambda url: (-web.value(url), url))
    by_score = sorted(found, key=lambda url: (-found[url], url))
    assert by_value == by_score
    assert len({web.value(url) for url in found}) == len(set(found.values())) > 2


def test_requests_too_close_or_too_many_at_a_time_are_found() -> None:
    a, b = "http://a.cn/1", "http://b.cn/1"
    polite = [arrival(a, 0.0), arrival(b, 0.1), arrival(a, 1.0), arrival(b, 1.2)]
    assert spacing_errors(polite, delay=1.0) == []
    hasty = [arrival(a, 0.0), arrival("http://a.cn/robots.txt", 0.98)]
    assert len(spacing_errors(hasty, delay=1.0)) == 1
    at_once = [arrival(a, 0.0, 5.0), arrival("http://a.cn/2", 2.0)]
    assert len(spacing_errors(at_once, delay=1.0)) == 1
    assert spacing_errors(at_once, delay=1.0, concurrency=2) == []


def visited(web: KnownWeb, urls: list[str], step: float = 1.0) -> KnownWeb:
    web.arrivals = [arrival(url, i * step, i * step + 0.1) for i, url in enumerate(urls)]
    return web


def test_a_crawl_that_always_takes_the_best_link_makes_no_order_error(web: KnownWeb) -> None:
    order, known = [web.urls[0]], set(web.links_of(web.urls[0]))
    while left := known - set(order):
        best = max(left, key=lambda url: (web.value(url), url))
        order.append(best)
        known |= set(web.links_of(best))
    assert order_errors(visited(web, order), delay=0.1, slack=0.2) == (0, len(order) - 1)
    order.reverse()
    order.insert(0, order.pop())
    wrong, _ = order_errors(visited(web, order), delay=0.1, slack=0.2)
    assert wrong > len(order) / 4


def test_a_better_link_does_not_count_while_its_host_must_wait_or_it_is_too_new() -> None:
    web = KnownWeb(12, 6, seed=1)
    first = web.urls[0]
    pairs = ((best, worse) for best in web.links_of(first) for worse in web.links_of(first))
    best, worse = next(
        (best, worse)
        for best, worse in pairs
        if web.value(best) == 0 > web.value(worse)
        and len({url.split("/")[2] for url in (first, best, worse)}) == 3
    )
    order = [first, worse, best]
    wrong, _ = order_errors(visited(web, order), delay=0.1, slack=0.2)
    assert wrong == 1
    # Known for less than the slack.
    assert order_errors(visited(web, order), delay=0.1, slack=0.95)[0] == 0
    # All better links are on hosts that were asked for something else not long enough ago.
    for host in web.hosts:
        if host != worse.split("/")[2]:
            web.arrivals.append(arrival(f"http://{host}/robots.txt", 0.5, 0.6))
    assert order_errors(web, delay=0.5, slack=0.2)[0] == 0
