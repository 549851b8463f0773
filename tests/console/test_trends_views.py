"""Views of trends, comparisons, hosts and categories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.console_server import RunningConsole, console, fill
from tests.support.trends_store import trend_pages

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
