"""Views of trends, comparisons, hosts and categories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import unquote

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
    assert shown.count("1 domain: 100% from c.example") == 2
    assert "3 domains: 83% from c.example" in shown


def test_a_period_and_a_host_are_chosen_by_the_address(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨务/trends?since=2026-05-21&until=2026-05-21&site=c.example").text
    assert "<b>20</b>" in shown
    assert 'value="c.example"' in shown
    address = desk.get(
        "/t/侨务/trends?since=2026-05-21&until=2026-05-21&site=http://C.Example:8080/a"
    )
    assert "<b>20</b>" in address.text


@pytest.mark.parametrize("by", ["published", "seen"])
@pytest.mark.parametrize("days", ["days=0", "since=2026-05-21&until=2026-05-21"])
@pytest.mark.parametrize("narrower", ["", "&site=a.example", "&term=会议"])
def test_the_pages_of_a_period_are_those_of_the_search_that_it_links_to(
    tmp_path: Path, by: str, days: str, narrower: str
) -> None:
    # Seen a day after they were published, at night in China.
    pages = [
        replace(it, first_seen=it.fetched_at + timedelta(hours=14), title="、".join(it.keywords))
        for it in PAGES
    ]
    for site in ("a", "b", "c"):
        copy = next(
            it for it in pages if it.site == f"{site}.example" and "05-21" in str(it.fetched_at)
        )
        pages[pages.index(copy)] = replace(copy, copy_of=pages[0].url)
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write(pages))
    with console(uri) as desk:
        shown = desk.get(f"/t/侨务/trends?{days}{narrower}&by={by}", accept_language="en").text
        [tile] = re.findall(r'<a [^>]*href="(/t/[^"]*/search[^"]*)"[^>]*>\s*<b>([\d,]+)</b>', shown)
        found = desk.get(unquote(unescape(tile[0])), accept_language="en").text
        assert f"{tile[1]} pages found" in found
        assert ('value="seen" selected' in found) == (by == "seen")
        others = re.findall(r'href="(/t/[^"]*/trends\?[^"]*since=[^"]*)"', shown)
        assert others
        assert all(("by=seen" in it) == (by == "seen") for it in others)


def test_a_wrong_date_is_named(desk: RunningConsole) -> None:
    answer = desk.get("/t/侨务/trends?since=soon")
    assert answer.status == 400
    assert "since" in answer.text


@pytest.mark.parametrize("view", ["trends", "hosts", "compare"])
def test_a_period_that_ends_before_it_begins_is_said_to_be_none(
    desk: RunningConsole, view: str
) -> None:
    period = "since=2026-05-21&until=2026-05-01"
    answer = desk.get(f"/t/侨务/{view}?{period}", accept_language="en")
    assert answer.status == 400
    assert "since must not be later than until" in answer.text


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


def test_the_order_of_hosts_keeps_the_filters_which_are_shown(desk: RunningConsole) -> None:
    shown = desk.get("/t/侨务/hosts?days=0&site=c.example&term=台风").text
    orders = re.findall(r'href="([^"]*order=host[^"]*)"', shown)
    assert len(orders) == 1
    assert "site=c.example" in orders[0]
    assert 'name="site" value="c.example"' in shown
    assert 'name="term" value="台风"' in shown
    assert 'name="site"' not in desk.get("/t/侨务/hosts?days=0").text


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


def test_imported_files_have_a_name_in_place_of_their_host(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    page = replace(trend_page(1, 1, ("侨务",), ""), url="file:///pages/1.html")
    uri = fill(tmp_path_factory.mktemp("files") / "p.sqlite", lambda store: store.write([page]))
    with console(uri) as running:
        shown = running.get("/t/侨务/hosts?days=0", accept_language="en").text
    assert "imported files" in shown
    assert "trends?site=&" not in shown


def test_categories_of_the_topic_folder_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desk: RunningConsole
) -> None:
    folder = tmp_path / "seeds" / "侨务"
    folder.mkdir(parents=True)
    (tmp_path / "scrapy.cfg").touch()
    (folder / "topic.toml").write_text(
        'name = "侨务"\n[keywords.core]\n"侨务" = 1.0\n'
        '[categories."天气"]\nwords = ["台风"]\n[categories."会务"]\nwords = ["会议"]\n',
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    shown = desk.get("/t/侨务/categories?days=0", accept_language="en").text
    assert "会务" in shown
    assert "90.9%" in shown
    opened = desk.get("/t/侨务/categories?days=0&category=天气").text
    assert "http%3A%2F%2Fc.example" in opened
    (folder / "topic.toml").write_text('name = "侨务"\n[categories."空"]\n', "utf-8")
    assert "categories.空" in desk.get("/t/侨务/categories").text


def test_a_topic_without_categories_says_how_to_add_them(desk: RunningConsole) -> None:
    assert "[categories." in desk.get("/t/茶/categories").text
