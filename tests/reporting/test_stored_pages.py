"""The list of stored pages: its order, its limits, the day in China, its data for the script."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from tests.support.reporting_store import START, ReportingStore, make_page
from topiccrawl.reporting.aggregates.collect import collect
from topiccrawl.reporting.aggregates.pages import PageTally, StoredPages, page_row
from topiccrawl.reporting.html import page_list
from topiccrawl.reporting.html.document import render
from topiccrawl.reporting.markup import data_block
from topiccrawl.store.contract import PageRecord

#: START is 2024-05-01 10:00 in China.
TODAY = date(2024, 5, 1)


def tallied(*pages: PageRecord, listed: int = 100, best: int = 10) -> StoredPages:
    tally = PageTally(listed, best)
    for page in pages:
        tally.add(page)
    return tally.result(TODAY)


def test_pages_of_the_last_day_come_first_and_the_best_first_within_a_day() -> None:
    pages = [
        make_page(f"http://a.cn/{n}", relevance=relevance, fetched_at=START - timedelta(days=days))
        for n, (days, relevance) in enumerate([(2, 0.9), (1, 0.5), (0, 0.3), (0, 0.6)])
    ]
    assert [row.url[-1] for row in tallied(*pages).listed] == ["3", "2", "1", "0"]


def test_today_and_the_days_are_those_of_china() -> None:
    evening = datetime(2024, 4, 30, 15, 59, tzinfo=UTC)  # 23:59 in China
    pages = [make_page(f"http://a.cn/{n}", fetched_at=at) for n, at in enumerate([evening, START])]
    found = tallied(*pages, make_page("http://a.cn/x", fetched_at=evening + timedelta(minutes=1)))
    assert (found.count, found.today) == (3, 2)
    assert found.days == [(date(2024, 4, 30), 1), (TODAY, 2)]


def test_the_newest_pages_and_the_best_ones_are_listed_when_there_are_too_many() -> None:
    pages = [
        make_page(f"http://a.cn/{n}", relevance=0.9 if n == 3 else n / 1000) for n in range(50)
    ]
    found = tallied(*pages, listed=10, best=2)
    assert found.count == 50
    assert {row.url for row in found.listed} == {p.url for p in (pages[3], *pages[40:])}


def test_keywords_are_counted_once_for_each_page() -> None:
    pages = [
        make_page("http://a.cn/1", keywords=("侨批", "侨批", "银信")),
        make_page("http://a.cn/2"),
    ]
    assert dict(tallied(*pages).keywords) == {"侨批": 1, "银信": 1, "华侨": 1, "捐资助学": 1}


@pytest.mark.parametrize(
    ("published", "shown"),
    [
        (None, ""),
        (datetime(2099, 1, 1, tzinfo=UTC), ""),
        (datetime.max.replace(tzinfo=UTC), ""),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01"),
        (START + timedelta(hours=20), "2024-05-02"),
        (datetime(2024, 4, 30, 16, 0, tzinfo=UTC), "2024-05-01"),
    ],
    ids=["none", "future", "end of the calendar", "its beginning", "time zones", "day in China"],
)
def test_only_possible_publish_dates_are_shown(published: datetime | None, shown: str) -> None:
    assert page_row(make_page(published_at=published)).published == shown


def rendered(pages: list[PageRecord]) -> html.HtmlElement:
    async def work() -> str:
        store = ReportingStore()
        await store.write(pages)
        return render(await collect(store, "侨情", generated_at=START), "en")

    return html.document_fromstring(asyncio.run(work()))


def test_the_first_pages_are_markup_and_all_of_them_are_data() -> None:
    pages = [make_page(f"http://a.cn/{n}", title=f"第{n}条") for n in range(page_list.SHOWN + 15)]
    document = rendered(pages)
    assert len(document.xpath("//ol[@id='list']//a")) == page_list.SHOWN
    data = json.loads(document.get_element_by_id("pages-data").text)
    assert data["today"] == "2024-05-01"
    assert {row[1] for row in data["rows"]} == {page.title for page in pages}
    assert document.xpath("//section[@id='pages']//noscript")


def test_each_card_has_the_keywords_of_its_page() -> None:
    pages = [
        make_page("http://a.cn/1", relevance=0.9, keywords=("侨批",)),
        make_page("http://a.cn/2", relevance=0.5, keywords=("碉楼", "侨乡")),
    ]
    cards = rendered(pages).xpath("//ol[@id='list']/li[not(@class='day')]")
    chips = [[chip.text for chip in card.find_class("chip")] for card in cards]
    assert chips == [["侨批"], ["碉楼", "侨乡"]]


def test_a_collection_that_is_not_listed_whole_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = PageTally(listed=3, best=1)
    monkeypatch.setattr("topiccrawl.reporting.aggregates.collect.PageTally", lambda: tally)
    times = [START + timedelta(seconds=n) for n in range(5)]
    pages = [
        make_page(f"http://a.cn/{n}", relevance=n / 10, fetched_at=at) for n, at in enumerate(times)
    ]
    document = rendered(pages)
    assert "3 of 5 pages are listed" in document.get_element_by_id("pages").text_content()


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_can_leave_a_block_of_data(text: str) -> None:
    block = data_block("x", [f"</script>{text}<!--<script>"])
    inside = block.removeprefix('<script type="application/json" id="x">').removesuffix("</script>")
    assert not set(inside) & set("<>&\u2028\u2029")
    encodable = text.encode("utf-8", "replace").decode()
    assert json.loads(inside) == [f"</script>{encodable}<!--<script>"]


def test_a_report_of_many_pages_stays_a_few_megabytes() -> None:
    long = {"title": "侨" * 10_000, "summary": "情" * 10_000, "keywords": ("词" * 1_000,) * 50}
    pages = [make_page(f"http://a.cn/{n}", **long) for n in range(20)]
    size = sum(len(json.dumps(page_list.page_data(row)).encode()) for row in tallied(*pages).listed)
    assert size / len(pages) < 5_000  # bytes of the worst page; a usual one has 450
