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
}


@pytest.mark.parametrize("text", MOMENTS)
def test_a_moment_is_read_in_china_time(text: str) -> None:
    found = parse_when("--since", text, NOW)
    assert found == MOMENTS[text]
    assert found.utcoffset() == timedelta(0)


@pytest.mark.parametrize("text", ["2024-05-01", "2024年5月1日", "昨天", "20240501"])
def test_as_an_end_a_day_is_meant_whole(text: str) -> None:
    assert parse_when("--until", text, NOW, end=True) == MAY_1 + DAY - timedelta(microseconds=1)


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
        "明天",
        "last week",
        "\x1b[31m7d",
        "٧d\u0000",
    ],
)
def test_anything_else_is_refused_with_the_option_and_the_value(text: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse_when("--new-since", text, NOW)
    assert str(error.value).startswith("--new-since must be a date such as 2024-05-01")
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("text", ["2024-05-03", "2024-05-02 01:31", "2030-01-01"])
def test_the_future_is_refused_as_a_beginning_and_allowed_as_an_end(text: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        parse_when("--before", text, NOW)
    assert str(error.value) == (
        f"--before must not be in the future, got {text!r}; in China it is 2024-05-02 01:30 now"
    )
    assert parse_when("--until", text, NOW, end=True) > NOW
    assert parse_when("since", text, NOW, future=True) > NOW


@given(st.text(max_size=12) | st.from_regex(r"\d{1,4}[-/年hd天]\d{0,2}.{0,3}", fullmatch=True))
def test_no_text_breaks_it(text: str) -> None:
    with suppress(ConfigurationError):
        assert parse_when("--since", text, NOW).tzinfo is UTC
