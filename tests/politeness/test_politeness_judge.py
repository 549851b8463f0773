"""The judge of politeness finds what it looks for, and only that."""

from __future__ import annotations

import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from benchmarks.known_web import KnownWeb
from benchmarks.politeness_site import PolitenessSite, Refusal, Visit, violations
from topiccrawl.politeness.windows import HostWindows

NIGHT = datetime(2026, 11, 21, 2, 0, tzinfo=UTC).timestamp()


def visit(
    arrived: float,
    host: str = "a",
    *,
    path: str = "/",
    beside: int = 0,
    answered: float | None = None,
    pause: float = 0.0,
) -> Visit:
    done = arrived if answered is None else answered
    return Visit(host, path, arrived, NIGHT + arrived, beside, done, 200, pause)


def rules(*visits: Visit, **limits: object) -> list[str]:
    return [found.rule for found in violations(visits, **limits)]  # type: ignore[arg-type]


def test_the_delay_is_judged_host_by_host_and_by_arrival() -> None:
    assert rules(visit(0), visit(1), visit(0.5, "b"), delay=1.0) == []
    assert rules(visit(1.99), visit(0), visit(1), delay=1.0) == ["delay"]


def test_robots_txt_is_a_request_like_any_other() -> None:
    found = violations([visit(0, path="/robots.txt"), visit(0.2, path="/x")], delay=1.0)
    assert [(v.rule, v.path) for v in found] == [("delay", "/x")]
    assert "0.2000 s after /robots.txt, 1 s were due" in found[0].detail


def test_hosts_may_have_delays_of_their_own() -> None:
    pairs = visit(0), visit(1), visit(0, "b"), visit(1, "b")
    found = violations(pairs, delay={"b": 2.0})
    assert [v.host for v in found] == ["b"]


def test_requests_at_a_time_are_judged_by_the_concurrency() -> None:
    pair = visit(0), visit(1, beside=1)
    assert rules(*pair) == ["concurrency"]
    assert rules(*pair, concurrency=2) == []


def test_a_pause_lasts_from_the_answer_that_asked_for_it() -> None:
    refused = visit(0, answered=0.5, pause=2)
    assert rules(refused, visit(2.4)) == ["retry-after"]
    assert rules(refused, visit(2.4, "b"), visit(2.5)) == []
    assert rules(refused, visit(1.6), retry_after_max=1) == []


def test_a_closed_host_may_not_be_visited() -> None:
    windows = HostWindows({"a": "03:00-04:00"}, "UTC")
    assert rules(visit(0), visit(0, "b"), visit(3600), windows=windows) == ["window"]


@pytest.fixture
def web() -> KnownWeb:
    return KnownWeb(6, 2, crawl_delay=0.5, latency=(0.05, 0.1))


def ask(site: PolitenessSite, url: str) -> tuple[int, str | None, bytes]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": site.url}))
    try:
        with opener.open(url, timeout=10) as answer:
            return answer.status, answer.headers["Retry-After"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Retry-After"], error.read()


def test_the_site_answers_for_its_hosts_and_notes_every_visit(web: KnownWeb) -> None:
    with PolitenessSite(web) as site:
        status, _, body = ask(site, web.urls[1])
        _, _, robots = ask(site, f"http://{web.hosts[0]}/robots.txt")
        assert ask(site, "http://elsewhere.invalid/")[0] == 502
    assert status == 200
    assert web.links_of(web.urls[1])[0].encode() in body
    assert b"Crawl-delay: 0.5" in robots
    assert [v.status for v in site.visits] == [200, 200]
    assert site.pages() == {web.urls[1]}
    assert all(v.answered - v.arrived >= 0.05 for v in site.visits)


def test_the_site_refuses_according_to_the_rules(web: KnownWeb) -> None:
    def refuse(host: str, path: str, before: int) -> Refusal | None:
        return Refusal(429, "7") if before == 1 else None

    with PolitenessSite(web, refuse) as site:
        answers = [ask(site, web.urls[0])[:2] for _ in range(3)]
    assert answers == [(200, None), (429, "7"), (200, None)]
    assert [v.pause for v in site.visits] == [0, 7, 0]
    assert [v.rule for v in violations(site.visits)] == ["retry-after"]


def test_the_site_sees_requests_at_a_time() -> None:
    web = KnownWeb(6, 2, latency=(1.0, 1.0))
    with PolitenessSite(web) as site, ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: ask(site, web.urls[0]), range(3)))
    assert sorted(v.beside for v in site.visits) == [0, 1, 2]
