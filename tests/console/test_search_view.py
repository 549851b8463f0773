"""The search view."""

from __future__ import annotations

import html
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.datastructures import QueryParams

from tests.support.console_server import RunningConsole, console, fill
from tests.support.reporting_store import START, make_outcome, make_page, make_run
from topiccrawl.console.search.asked import AskedSearch

PAGES = [
    make_page(f"http://{'ab'[n % 2]}.example.cn/{n}", title=f"第{n}篇 华侨", site=f"{'ab'[n % 2]}.example.cn",
              body=f"正文{n}，僑鄉新聞 <script>alert({n})</script>")
    for n in range(45)
]  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    path: Path = tmp_path_factory.mktemp("desk") / "pages.sqlite"
    other = make_page("http://c.example.cn/1", topic="其他", title="乡村", body="侨")
    uri = fill(path, lambda store: store.write([*PAGES, other], [make_outcome()], [make_run()]))
    with console(uri, write=True) as running:
        yield running


@pytest.mark.parametrize("words", ["侨", "侨乡", "僑鄉新聞", '"侨乡新闻"', "正文7 侨"])
def test_words_of_any_length_and_script_find_pages(desk: RunningConsole, words: str) -> None:
    text = desk.get(f"/t/侨情/search?q={words}").text
    assert "Nothing was found" not in text
    assert "<mark>" in text
    assert "<script>alert" not in text


def test_a_facet_narrows_down_and_its_link_is_permanent(desk: RunningConsole) -> None:
    page = desk.get("/t/侨情/search?q=华侨").text
    link = re.search(r'href="([^"]*site=a\.example\.cn[^"]*)"', page)
    assert link is not None
    narrowed = desk.get(html.unescape(link[1])).text
    assert "23 pages found" in narrowed
    assert "b.example.cn" not in narrowed


def test_long_results_have_pages(desk: RunningConsole) -> None:
    third = desk.get("/t/侨情/search?q=华侨&page=3").text
    assert third.count('class="snippet"') == 5
    assert "3 of 3" in third


def test_a_page_beyond_the_last_leads_to_the_last(desk: RunningConsole) -> None:
    answer = desk.get("/t/侨情/search?q=华侨&page=99")
    assert (answer.status, answer.headers["location"][-7:]) == (303, "&page=3")
    assert desk.get("/t/侨情/search?q=无此词&page=2").headers["location"].endswith("%AF%8D")


def test_a_date_that_is_none_is_named(desk: RunningConsole) -> None:
    assert "since:7d is no date" in desk.get("/t/侨情/search?q=华侨 since:7d").text
    assert "is no date" not in desk.get("/t/侨情/search?q=华侨 since:2024").text
    assert "foo is no kind of page" in desk.get("/t/侨情/search?q=华侨 kind:foo").text
    assert "is no kind" not in desk.get("/t/侨情/search?q=华侨 kind:thread").text
    assert "nothing stands behind title:" in desk.get("/t/侨情/search?q=华侨 title:").text


def test_all_topics_are_searched_together(desk: RunningConsole) -> None:
    text = desk.get("/search?q=侨").text
    assert "46 pages found" in text
    assert "其他" in text


def test_a_search_is_saved_and_deleted(desk: RunningConsole) -> None:
    page = "/t/侨情/search?q=侨乡&site=a.example.cn"
    saved = {"name": "侨乡在甲", "search": "q=侨乡&site=a.example.cn&page=9"}
    assert desk.submit(page, "/t/侨情/search/save", saved).status == 303
    text = desk.get("/t/侨情/search").text
    assert "侨乡在甲" in text
    key = re.search(r'name="key" value="([^"]+)"', text)
    assert key is not None
    assert "page" not in key[1]
    desk.submit(page, "/t/侨情/search/delete", {"key": html.unescape(key[1])})
    assert "侨乡在甲" not in desk.get("/t/侨情/search").text


def test_the_form_of_a_saved_search_has_its_name(desk: RunningConsole) -> None:
    def offered(page: str) -> str:
        found = re.search(r'name="name"[^>]* value="([^"]*)"', desk.get(page).text)
        assert found is not None
        return found[1]

    page = "/t/侨情/search?q=侨乡"
    assert offered(page) == "侨乡"
    desk.submit(page, "/t/侨情/search/save", {"name": "每周侨乡", "search": "q=侨乡"})
    assert offered(page) == "每周侨乡"
    assert len(offered(f"/t/侨情/search?q={'侨' * 200}")) <= 80
    desk.submit(page, "/t/侨情/search/delete", {"key": f"q={quote('侨乡')}"})
    assert offered(page) == "侨乡"


@pytest.mark.parametrize(("number", "counted"), [(1, "1 page is"), (2, "2 pages are")])
def test_pages_that_are_not_in_the_index_are_counted_with_the_command_that_adds_them(
    tmp_path: Path, number: int, counted: str
) -> None:
    path = tmp_path / "older.sqlite"
    uri = fill(path, lambda store: store.write(PAGES[:number]))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE headlines SET indexed = 0")
        file.commit()
    with console(uri) as older:
        text = older.get("/t/侨情/search?q=侨").text
    assert f"{counted} not in the index of this older store yet; scrapy search --index" in text


def test_a_saved_search_counts_what_came_since_it_was_opened(tmp_path: Path) -> None:
    now = START + timedelta(days=10)
    old = make_page("http://a.example.cn/1", first_seen=START, title="旧闻 华侨")
    uri = fill(tmp_path / "pages.sqlite", lambda store: store.write([old]))

    def came(number: int) -> None:
        page = make_page(f"http://b.example.cn/{number}", first_seen=now, title="新闻 华侨")
        fill(tmp_path / "pages.sqlite", lambda store: store.write([page]))

    with console(uri, write=True, clock=lambda: now) as running:
        search = "/t/侨情/search?q=华侨"
        running.submit(search, "/t/侨情/search/save", {"name": "侨", "search": "q=华侨"})
        assert "1 new" not in running.get("/t/侨情/search/saved").text
        now += timedelta(hours=1)
        came(2)
        assert "1 new" in running.get("/t/侨情/search/saved").text
        assert "1 new" in running.get("/t/侨情/search/saved").text
        now += timedelta(hours=1)
        running.get("/t/侨情/search?q=新闻")
        running.get(search, sec_fetch_site="cross-site")
        assert "1 new" in running.get("/t/侨情/search/saved").text
        running.get(search)
        assert "1 new" not in running.get("/t/侨情/search/saved").text
    with console(uri, clock=lambda: now) as reading:
        now += timedelta(hours=1)
        came(3)
        reading.get(search)
        assert "1 new" in reading.get("/t/侨情/search/saved").text


@pytest.mark.parametrize(
    "parameters",
    [
        "page=0",
        "page=-1",
        "page=999999999",
        "page=x",
        "order=x",
        "since=2024-13-01",
        "year=99999",
        "year=٢٠٢٤",
        "until=0001-01-01",
        "since=9999-12-31&until=9999-12-31",
        "q=%00%F0%9F",
        "q=" + "(" * 300,
        "q=site:&kind=%22",
        "q=until:9999-12-31 since:0001-01-01",
        "q=since:9999",
        "since=0001-01-01",
        "year=9998",
        "since=2024-05-01&until=2023-01-01",
    ],
)
def test_parameters_without_sense_are_no_errors(desk: RunningConsole, parameters: str) -> None:
    assert desk.get(f"/t/侨情/search?{parameters}").status == 200


@pytest.mark.parametrize("wrong", ["since=2024-13-01", "until=gestern", "year=20245"])
def test_a_day_that_is_none_is_named(desk: RunningConsole, wrong: str) -> None:
    assert f"{wrong} was left out" in desk.get(f"/t/侨情/search?{wrong}").text
    assert "was left out" not in desk.get("/t/侨情/search?since=2024-12-01&year=2024").text


def test_a_year_and_a_period_restrict_together() -> None:
    def asked(query: str) -> tuple[str, str]:
        found = AskedSearch.of(QueryParams(query)).query()
        assert found.since is not None
        assert found.until is not None
        return found.since.isoformat(), found.until.isoformat()

    year = ("2024-01-01T00:00:00+08:00", "2025-01-01T00:00:00+08:00")
    assert asked("year=2024") == year
    assert asked("year=2024&since=2023-05-01&until=2026-01-01") == year
    both = ("2024-03-05T00:00:00+08:00", "2024-04-01T00:00:00+08:00")
    assert asked("year=2024&since=2024-03-05&until=2024-03-31") == both
    assert asked("year=2024&since=2024-03-05&until=2024-03-31&by=seen") == year


def test_a_permanent_link_asks_for_the_same() -> None:
    asked = AskedSearch.of(QueryParams("q=侨 乡&site=a.cn&page=3&order=oldest&copies=1&x=1"))
    again = AskedSearch.of(QueryParams(asked.permanent()))
    assert again.values == asked.values
    assert again.number == 1


def test_nothing_found_leaves_no_room_for_facets(desk: RunningConsole) -> None:
    assert 'class="aside left"' in desk.get("/t/侨情/search?q=华侨").text
    text = desk.get("/t/侨情/search?q=无此词语").text
    assert "Nothing was found" in text
    assert 'class="aside left"' not in text
