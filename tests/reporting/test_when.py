"""Moments as users write them."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.reporting.when import parse_when

BEIJING = timezone(timedelta(hours=8))
#: 01:30 on May 2 in China, still May 1 in UTC.
NOW = datetime(2024, 5, 1, 17, 30, tzinfo=UTC)
MAY_1 = datetime(2024, 5, 1, tzinfo=BEIJING)
DAY = timedelta(days=1)

MOMENTS = {
    "2024-05-01": MAY_1,
    "2024/5/1": MAY_1,
    "2024.05.01": MAY_1,
    "2024年5月1日": MAY_1,
    " ２０２４-05-01 ": MAY_1,
    "20240501": MAY_1,
    "2024-05-01T08:00": MAY_1 + timedelta(hours=8),
    "2024-05-01 08:00:30": MAY_1 + timedelta(hours=8, seconds=30),
    "2024年5月1日 8:05": MAY_1 + timedelta(hours=8, minutes=5),
    "2024年5月1日8：05": MAY_1 + timedelta(hours=8, minutes=5),
    "2024-05-01T08:00+00:00": datetime(2024, 5, 1, 8, tzinfo=UTC),
    "2024-05-01T08:00Z": datetime(2024, 5, 1, 8, tzinfo=UTC),
    "24h": NOW - DAY,
    "24H": NOW - DAY,
    "7d": NOW - 7 * DAY,
    "7 days ago": NOW - 7 * DAY,
    "2w": NOW - 14 * DAY,
    "90min": NOW - timedelta(minutes=90),
    "7天": NOW - 7 * DAY,
    "7天前": NOW - 7 * DAY,
    "24小时内": NOW - DAY,
    "1周": NOW - 7 * DAY,
    "0d": NOW,
    "today": MAY_1 + DAY,
    "今天": MAY_1 + DAY,
    "yesterday": MAY_1,
    "Yesterday": MAY_1,
    "昨天": MAY_1,
    "昨日": MAY_1,
    "前天": MAY_1 - DAY,
    "昨天 8:00": MAY_1 + timedelta(hours=8),
    "yesterday 20:15": MAY_1 + timedelta(hours=20, minutes=15),
    "昨天早上8点": MAY_1 + timedelta(hours=8),
    "昨天8点半": MAY_1 + timedelta(hours=8, minutes=30),
    "昨晚": MAY_1 + timedelta(hours=18),
    "大前天": MAY_1 - 2 * DAY,
    "三天前": NOW - 3 * DAY,
    "近三天": NOW - 3 * DAY,
    "最近7天": NOW - 7 * DAY,
    "近一周": NOW - 7 * DAY,
    "最近两个星期": NOW - 14 * DAY,
    "过去24小时": NOW - DAY,
    "半小时前": NOW - timedelta(minutes=30),
    "半个月": NOW - 15 * DAY,
    "近一个月": datetime(2024, 4, 2, 1, 30, tzinfo=BEIJING),
    "两個月": datetime(2024, 3, 2, 1, 30, tzinfo=BEIJING),
    "近半年": datetime(2023, 11, 2, 1, 30, tzinfo=BEIJING),
    "一年内": datetime(2023, 5, 2, 1, 30, tzinfo=BEIJING),
    "last 3 months": datetime(2024, 2, 2, 1, 30, tzinfo=BEIJING),
    "本周": MAY_1 - 2 * DAY,
    "这个星期": MAY_1 - 2 * DAY,
    "上周": MAY_1 - 9 * DAY,
    "上一周": MAY_1 - 9 * DAY,
    "last week": MAY_1 - 9 * DAY,
    "周一": MAY_1 - 2 * DAY,
    "上周三": MAY_1 - 7 * DAY,
    "本月": MAY_1,
    "这个月": MAY_1,
    "上月": datetime(2024, 4, 1, tzinfo=BEIJING),
    "上个月": datetime(2024, 4, 1, tzinfo=BEIJING),
    "last month": datetime(2024, 4, 1, tzinfo=BEIJING),
    "4月": datetime(2024, 4, 1, tzinfo=BEIJING),
    "2024-04": datetime(2024, 4, 1, tzinfo=BEIJING),
    "2024年4月": datetime(2024, 4, 1, tzinfo=BEIJING),
    "4月30日": MAY_1 - DAY,
    "本季度": datetime(2024, 4, 1, tzinfo=BEIJING),
    "上个季度": datetime(2024, 1, 1, tzinfo=BEIJING),
    "今年": datetime(2024, 1, 1, tzinfo=BEIJING),
    "去年": datetime(2023, 1, 1, tzinfo=BEIJING),
    "last year": datetime(2023, 1, 1, tzinfo=BEIJING),
    "2023年": datetime(2023, 1, 1, tzinfo=BEIJING),
    "2023": datetime(2023, 1, 1, tzinfo=BEIJING),
}


@pytest.mark.parametrize("text", MOMENTS)
def test_a_moment_is_read_in_china_time(text: str) -> None:
    found = parse_when("--since", text, NOW)
    assert found == MOMENTS[text]
    assert found.utcoffset() == timedelta(0)


@pytest.mark.parametrize("text", ["2024-05-01", "2024年5月1日", "昨天", "20240501"])
def test_as_an_end_a_day_is_meant_whole(text: str) -> None:
    assert parse_when("--until", text, NOW, end=True) == MAY_1 + DAY - timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("text", "following"),
    [
        ("上周", MAY_1 - 2 * DAY),
        ("上月", MAY_1),
        ("上季度", datetime(2024, 4, 1, tzinfo=BEIJING)),
        ("去年", datetime(2024, 1, 1, tzinfo=BEIJING)),
        ("2023", datetime(2024, 1, 1, tzinfo=BEIJING)),
        ("昨天上午", MAY_1 + timedelta(hours=12)),
    ],
)
def test_as_an_end_a_week_a_month_or_a_year_is_meant_whole(text: str, following: datetime) -> None:
    assert parse_when("--until", text, NOW, end=True) == following - timedelta(microseconds=1)


def test_a_month_ago_from_its_last_day_is_the_last_day_of_the_month_before() -> None:
    now = datetime(2024, 3, 31, 12, tzinfo=BEIJING)
    assert parse_when("--since", "1个月", now) == datetime(2024, 2, 29, 12, tzinfo=BEIJING)


@pytest.mark.parametrize(
    ("now", "text", "first", "last"),
    [
        ("2026-11-27", "3月", "2026-03-01", "2026-03-31"),
        ("2026-11-27", "3月5日", "2026-03-05", "2026-03-05"),
        ("2026-11-27", "12月", "2025-12-01", "2026-12-31"),
        ("2026-11-27", "12月31日", "2025-12-31", "2026-12-31"),
        ("2027-01-01", "12月", "2026-12-01", "2026-12-31"),
        ("2026-12-31", "1月", "2026-01-01", "2026-01-31"),
        ("2026-12-31", "1月1日", "2026-01-01", "2026-01-01"),
        ("2024-12-31", "2月28日", "2024-02-28", "2024-02-28"),
    ],
)
def test_a_month_without_a_year_is_one_that_has_been(
    now: str, text: str, first: str, last: str
) -> None:
    at = datetime.fromisoformat(now).replace(hour=9, tzinfo=BEIJING)
    begin = parse_when("--since", text, at).astimezone(BEIJING)
    end = parse_when("--until", text, at, end=True).astimezone(BEIJING)
    assert (f"{begin:%Y-%m-%d %H:%M}", f"{end:%Y-%m-%d %H:%M}") == (
        f"{first} 00:00",
        f"{last} 23:59",
    )


@pytest.mark.parametrize("text", ["24h", "昨天 8:00", "2024-05-01 08:00"])
def test_as_an_end_a_time_is_that_time(text: str) -> None:
    assert parse_when("--until", text, NOW, end=True) == MOMENTS.get(
        text, MAY_1 + timedelta(hours=8)
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d",
        "7",
        "7x",
        "7m",
        "-7d",
        "1.5d",
        "999999d",
        "99999999999999999999d",
        "2024-13-01",
        "2024-02-30",
        "0000-01-01",
        "2024-05-01 25:00",
        "2024-05-01x",
        "昨天 foo",
        "最近",
        "近几天",
        "24年",
        "last",
        "\x1b[31m7d",
        "٧d\u0000",
    ],
)
def test_anything_else_is_refused_with_the_option_and_the_value(text: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse_when("--new-since", text, NOW)
    assert str(error.value).startswith("--new-since must be a date such as 2024-05-01")
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", ["2024-05-03", "2024-05-02 01:31", "2030-01-01", "明天"])
def test_the_future_is_refused_as_a_beginning_and_allowed_as_an_end(text: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse_when("--before", text, NOW)
    assert str(error.value) == (
        f"--before must not be in the future, got {text!r}; in China it is 2024-05-02 01:30 now"
    )
    assert parse_when("--until", text, NOW, end=True) > NOW
    assert parse_when("since", text, NOW, future=True) > NOW


@given(
    st.text(max_size=12)
    | st.from_regex(r"\d{1,4}[-/年hd天]\d{0,2}.{0,3}", fullmatch=True)
    | st.text("近最上本这个一二两半十年月周天日前内季度星期时小8:点 ", max_size=10)
)
def test_no_text_breaks_it(text: str) -> None:
    with suppress(ConfigurationError):
        assert parse_when("--since", text, NOW).tzinfo is UTC
