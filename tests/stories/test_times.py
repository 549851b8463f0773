"""Chinese time expressions, resolved against the time of publication."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.times import find_times

#: A Wednesday.
PUBLISHED = datetime(2026, 3, 4, 10, 30, tzinfo=CHINA_TIME)

CASES = {
    "昨日": "2026-03-03",
    "今天上午": "2026-03-04",
    "前天": "2026-03-02",
    "本月5日": "2026-03-05",
    "上周三": "2026-02-25",
    "星期五": "2026-02-27",
    "下周一": "2026-03-09",
    "本周": "2026-03-02/2026-03-08",
    "3日": "2026-03-03",
    "28日": "2026-02-28",
    "二十三日": "2026-02-23",
    "去年底": "2025-11-01/2025-12-31",
    "11月2日至5日": "2025-11-02/2025-11-05",
    "3月2日—4日": "2026-03-02/2026-03-04",
    "3—5日": "2026-03-03/2026-03-05",
    "9月至12月": "2025-09-01/2025-12-31",
    "12月28日至1月3日": "2025-12-28/2026-01-03",
    "二〇二四年三月": "2024-03-01/2024-03-31",
    "2019-2022年": "2019-01-01/2022-12-31",
    "2026-03-02": "2026-03-02",
    "民國113年5月2日": "2024-05-02",
    "12月28日": "2025-12-28",
    "将于5月1日举行": "2026-05-01",
    "8月份": "2025-08-01/2025-08-31",
    "上月下旬": "2026-02-21/2026-02-28",
    "去年第三季度": "2025-07-01/2025-09-30",
    "上世纪90年代": "1990-01-01/1999-12-31",
    "三天前": "2026-03-01",
    "两个月前": "2026-01-01/2026-01-31",
    "10年前": "2016-01-01/2016-12-31",
    "国庆假期": "2025-10-01/2025-10-07",
    "今年春节": "2026-02-17/2026-02-23",
    "农历正月十五": "2026-03-03",
    "2月29日": "2024-02-29",
    "2日上午9时30分": "2026-03-02 09:30",
    "昨天下午3点半": "2026-03-03 15:30",
    "十一月二十三日晚八时": "2025-11-23 20:00",
    "今晚8点": "2026-03-04 20:00",
    "将于周二举行": "2026-03-10",
    "将于周五举行": "2026-03-06",
    "2日晚上12时": "2026-03-03 00:00",
    "昨天深夜1时许": "2026-03-04 01:00",
    "昨夜2点半": "2026-03-04 02:30",
    "今天凌晨12时": "2026-03-04 00:00",
    "晚5时": "2026-03-04 17:00",
    "去年冬，": "2025-12-01/2026-02-28",
    "3月上下旬召开": "2026-03-01/2026-03-31",
    "3月中下旬": "2026-03-11/2026-03-31",
    "计划出台，2月1日起": "2026-02-01",
}


@pytest.mark.parametrize(("expression", "span"), CASES.items())
def test_an_expression_is_resolved_against_the_publication(expression: str, span: str) -> None:
    found = find_times(expression, PUBLISHED)[0]
    assert found.days_text == span


@pytest.mark.parametrize(
    "text",
    [
        "第3日",
        "3日游",
        "5号线",
        "为期3日",
        "3号楼",
        "十分高兴",
        "一日千里",
        "一点意见",
        "5年",
        "中秋月饼"[2:],
    ],
)
def test_numbers_and_other_words_are_no_times(text: str) -> None:
    assert find_times(text, PUBLISHED) == []


@pytest.mark.parametrize("text", ["2025年2月29日", "11月31日", "每月15日"])
def test_the_day_of_a_date_that_does_not_exist_is_no_date(text: str) -> None:
    assert [span for span in find_times(text, PUBLISHED) if span.precision == "day"] == []


def test_times_of_other_places_are_marked() -> None:
    found = find_times("当地时间2日晚", PUBLISHED)[0]
    assert found.local
    assert found.first == datetime(2026, 3, 2, 18, tzinfo=CHINA_TIME)


def test_a_time_of_day_belongs_to_the_day_before_it() -> None:
    first, second = find_times("大会2日开幕，下午3时闭幕", PUBLISHED)
    assert first.days_text == "2026-03-02"
    assert second.days_text == "2026-03-02 15:00"


def test_recently_is_vague() -> None:
    found = find_times("日前", PUBLISHED)[0]
    assert found.precision == "vague"
    assert found.end == PUBLISHED


@pytest.mark.parametrize(
    ("published", "text", "span"),
    [
        ("2026-11-10", "3月至5月", "2026-03-01/2026-05-31"),
        ("2026-11-10", "三月到五月", "2026-03-01/2026-05-31"),
        ("2026-11-10", "3月20日至5月8日", "2026-03-20/2026-05-08"),
        ("2026-11-10", "11月至2月", "2026-11-01/2027-02-28"),
        ("2026-09-10", "11月至2月", "2025-11-01/2026-02-28"),
        ("2026-01-10", "3月至6月", "2025-03-01/2025-06-30"),
        ("2026-11-10", "2027年3月至4月", "2027-03-01/2027-04-30"),
        ("2026-11-10", "2024年3月至5月", "2024-03-01/2024-05-31"),
        ("2026-11-10", "2024年11月20日至2月28日", "2024-11-20/2025-02-28"),
        ("2026-11-10", "去年3月5日至6月5日", "2025-03-05/2025-06-05"),
    ],
)
def test_a_range_of_months_ends_after_its_beginning(published: str, text: str, span: str) -> None:
    at = datetime.fromisoformat(published).replace(tzinfo=CHINA_TIME)
    assert [it.days_text for it in find_times(text, at)] == [span]


@given(st.dates(datetime(2000, 1, 1).date(), datetime(2090, 1, 1).date()))
def test_a_full_date_does_not_depend_on_the_publication(day: object) -> None:
    text = f"{day:%Y}年{int(f'{day:%m}')}月{int(f'{day:%d}')}日"
    found = find_times(text, PUBLISHED)[0]
    assert found.days_text == f"{day:%Y-%m-%d}"


@given(
    st.text(
        alphabet="年月日号前后周上下本今昨至到-0123456789一二三四十〇 晚点时底初季农历正国庆",
        max_size=25,
    )
)
def test_any_text_gives_spans_in_order_that_are_not_empty(text: str) -> None:
    found = find_times(text, PUBLISHED)
    assert all(span.first < span.end for span in found)
    places = [span.place for span in found]
    assert places == sorted(places)
