"""The sources of the date of publication: what the page states, its lines, its URL, and which one is trusted."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from topiccrawl.page.dates import CHINA_TIME, find_published

NOW = datetime(2023, 4, 2, 12, 0, tzinfo=CHINA_TIME)
TITLE = "侨商代表团参观侨史馆"


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://a.cn/2010/0505/c1.html", "2010-05-05"),
        ("http://a.cn/2016-05/05/c_1.htm", "2016-05-05"),
        ("http://a.cn/t20160505_12.html", "2016-05-05"),
        ("http://a.cn/a/202205/t20220506_9.shtml", "2022-05-06"),
        ("http://a.cn/2019/12/3/x.html", "2019-12-03"),
        ("http://a.cn/20190203/1.html", "2019-02-03"),
        ("http://a.cn/p/20201399/", None),
        ("http://a.cn/2030/0101/x.html", None),
        ("http://a.cn/x?d=2019/12/03/", None),
    ],
)
def test_the_url_is_the_last_source(url: str, found: str | None) -> None:
    date = find_published(now=NOW, url=url)
    assert (date.strftime("%Y-%m-%d") if date else None) == found


def test_sources_in_order_of_trust() -> None:
    everything = {
        "json_ld": ['{"@type":"NewsArticle", "datePublished": "2023-03-01T08:00:00+08:00"}'],
        "meta": {"article:published_time": "2023-03-02T08:00:00+08:00"},
        "lines": [TITLE, "2023-03-03 08:00"],
        "times": ["2023-03-04T08:00:00+08:00"],
    }
    for day, name in enumerate(list(everything), 1):
        found = find_published(now=NOW, title=TITLE, **everything)  # type: ignore[arg-type]
        assert found is not None
        assert found.day == day, name
        del everything[name]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("apub:time", True), ("cms-publish-time", True), ("newsdate", True), ("expires", False),
        ("commentTime", False), ("reply_date", False), ("event:start_date", False), ("publisher", False),
        ("viewport", False),
    ],
)  # fmt: skip
def test_fields_of_a_sites_own_are_recognized_by_words_in_their_names(
    name: str, found: bool
) -> None:
    date = find_published(now=NOW, meta={name: "2023-03-02T08:15:00+08:00"})
    assert (date is not None) == found


def test_a_stated_day_is_completed_by_the_minute_in_the_page() -> None:
    found = find_published(
        now=NOW, title=TITLE, meta={"pubdate": "2023-03-02"}, lines=[TITLE, "2023-03-02 08:15 来源"]
    )
    assert found == datetime(2023, 3, 2, 8, 15, tzinfo=CHINA_TIME)
    found = find_published(
        now=NOW, title=TITLE, meta={"pubdate": "2023-03-02"}, lines=[TITLE, "2023-03-01 08:15"]
    )
    assert found == datetime(2023, 3, 2, tzinfo=CHINA_TIME)


def test_the_minute_of_the_by_line_is_preferred_to_a_stated_time_of_the_same_day() -> None:
    meta = {"article:published_time": "2023-03-02T09:10:42+08:00"}
    found = find_published(
        now=NOW, title=TITLE, meta=meta, lines=[TITLE, "2023年3月2日 09:05 侨报"]
    )
    assert found == datetime(2023, 3, 2, 9, 5, tzinfo=CHINA_TIME)
    found = find_published(now=NOW, title=TITLE, meta=meta, lines=[TITLE, "2023年3月2日 09:10"])
    assert found == datetime(2023, 3, 2, 9, 10, 42, tzinfo=CHINA_TIME), "with the seconds"


def test_several_sources_outvote_one() -> None:
    found = find_published(
        now=NOW,
        title=TITLE,
        meta={"pubdate": "2023-03-01"},
        lines=[TITLE, "来源：侨报 2023-03-02 08:00"],
        url="http://a.cn/2023/0302/x.html",
    )
    assert found == datetime(2023, 3, 2, 8, 0, tzinfo=CHINA_TIME)


def test_a_saved_page_is_read_with_the_year_that_it_states() -> None:
    found = find_published(
        now=NOW, title=TITLE, meta={"dateupdate": "2019-10-09"}, lines=[TITLE, "10-08 12:00"]
    )
    assert found == datetime(2019, 10, 8, 12, 0, tzinfo=CHINA_TIME)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("20230301", "2023-03-01 00:00"),
        ("20230301081530", "2023-03-01 08:15"),
        ("1677629730", "2023-03-01 08:15"),
        ("1677629730000", "2023-03-01 08:15"),
        ("00:00", ""),
        ("20239999", ""),
    ],
)
def test_machine_readable_dates_may_have_no_separators(value: str, found: str) -> None:
    date = find_published(now=NOW, meta={"pubdate": value})
    assert (date.strftime("%Y-%m-%d %H:%M") if date else "") == found


def test_times_are_aware_and_those_without_a_zone_are_chinas() -> None:
    found = find_published(now=NOW, lines=["2023-04-01 10:00"])
    assert found is not None
    assert found.utcoffset() == timedelta(hours=8)
    assert find_published(now=datetime(2023, 4, 2), lines=["昨天 08:30"]) == datetime(
        2023, 4, 1, 8, 30, tzinfo=CHINA_TIME
    )
