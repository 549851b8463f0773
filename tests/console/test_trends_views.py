"""Views of trends, comparisons, hosts and categories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.trends_store import trend_page, trend_pages

PAGES = trend_pages()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    uri = fill(tmp_path_factory.mktemp("desk") / "pages.sqlite", lambda store: store.write(PAGES))
    with console(uri) as running:
        yield running


def test_trends_show_the_burst_its_terms_and_its_host(desk: RunningConsole) -> None:
    answer = desk.get("/t/侨务/trends?days=30", accept_language="en")
    assert answer.status == 200
    shown = answer.text
    assert "2026-05-21 – 2026-05-22" in shown
    assert 'class="cloud-5"' in shown
    assert "台风" in shown
    assert "<svg" in shown
    assert "c.example" in shown


def test_a_period_and_a_host_are_chosen_by_the_address(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨务/trends?since=2026-05-21&until=2026-05-21&site=c.example").text
    assert "<b>20</b>" in shown
    assert 'value="c.example"' in shown


def test_a_wrong_date_is_named(desk: RunningConsole) -> None:
    answer = desk.get("/t/侨务/trends?since=soon")
    assert answer.status == 400
    assert "since" in answer.text


def test_a_period_without_pages_is_shown_as_one(desk: RunningConsole) -> None:
    answer = desk.get("/t/侨务/trends?since=2001-01-01&until=2001-02-01", accept_language="en")
    assert answer.status == 200
    assert "There are no pages in this period." in answer.text


def test_hosts_are_listed_in_the_order_asked_for(desk: RunningConsole) -> None:
    for order, first in (("pages", "a.example"), ("newest", "a.example"), ("host", "a.example")):
        answer = desk.get(f"/t/侨务/hosts?days=0&order={order}")
        assert answer.status == 200
        found = [answer.text.index(f"site={host}") for host in ("a.example", "c.example")]
        assert found == sorted(found), first
    assert "c.example" in desk.get("/t/侨务/hosts?page=99999&order=nonsense").text


def test_a_period_is_compared_with_the_one_before_and_with_another(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨务/compare?since=2026-05-16&until=2026-05-31", accept_language="en").text
    assert "2026-04-30 – 2026-05-15" in shown
    assert "台风" in shown
    shown = desk.get("/t/侨务/compare?since=2026-05-21&since2=2026-04-01&until2=2026-04-02").text
    assert "2026-04-01 – 2026-04-02" in shown


def test_two_topics_are_compared(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨务/compare?other=茶&days=0").text
    assert 'value="茶" selected' in shown
    assert shown.count('class="chip"') >= 2
    assert desk.get("/t/侨务/compare?other=nonsense").status == 200


def test_markup_in_names_is_text(tmp_path_factory: pytest.TempPathFactory) -> None:
    evil = "<script>alert(1)</script>"
    pages = [trend_page(n, n, (evil, "\u202eabc"), f"{evil}.example") for n in range(40)]
    uri = fill(tmp_path_factory.mktemp("evil") / "p.sqlite", lambda store: store.write(pages))
    with console(uri) as running:
        for view in ("trends", "hosts", "compare"):
            shown = running.get(f"/t/侨务/{view}?days=20").text
            assert evil not in shown
            assert "\u202e" not in shown
