"""Time windows per host: when is a host open, and when does it open next?"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.errors import ConfigurationError
from topiccrawl.politeness.windows import WINDOWS, WINDOWS_TIMEZONE, HostWindows

SHANGHAI = ZoneInfo("Asia/Shanghai")


def at(text: str, zone: ZoneInfo = SHANGHAI) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def opens(rules: dict[str, object], host: str, when: str) -> str | None:
    """When *host* opens, as local time; ``None`` if it is open."""
    moment = HostWindows(rules).opens_at(host, at(when))
    return None if moment is None else f"{datetime.fromtimestamp(moment, SHANGHAI):%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("2026-11-18 12:00", "11-18 22:00"),
        ("2026-11-18 22:00", None),
        ("2026-11-18 23:59:59", None),
        ("2026-11-19 05:59:59", None),
        ("2026-11-19 06:00", "11-19 22:00"),
    ],
)
def test_a_window_over_midnight_is_open_from_its_first_moment_to_before_its_last(
    when: str, expected: str | None
) -> None:
    assert opens({"a.cn": "22:00-06:00"}, "a.cn", when) == expected


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        # 2026-11-20 is a Friday.
        ("2026-11-20 19:59", "11-20 20:00"),
        ("2026-11-21 06:30", None),
        ("2026-11-21 07:30", None),
        ("2026-11-22 23:59:59", None),
        ("2026-11-23 00:00", "11-23 20:00"),
        ("2026-11-24 06:59", None),
        ("2026-11-24 07:00", "11-24 20:00"),
    ],
)
def test_several_windows_of_a_host_add_up(when: str, expected: str | None) -> None:
    rules: dict[str, object] = {"a.cn": "Mon-Fri 20:00-07:00, Sat-Sun 00:00-24:00"}
    assert opens(rules, "a.cn", when) == expected


def test_the_day_names_the_day_on_which_a_window_begins() -> None:
    rules: dict[str, object] = {"a.cn": "Fri 20:00-07:00"}
    assert opens(rules, "a.cn", "2026-11-21 06:59") is None
    assert opens(rules, "a.cn", "2026-11-20 06:59") == "11-20 20:00"


def test_a_window_once_a_week_opens_next_week() -> None:
    assert opens({"a.cn": "Wed 01:00-02:00"}, "a.cn", "2026-11-18 02:00") == "11-25 01:00"


def test_a_range_of_days_goes_over_the_end_of_the_week() -> None:
    rules: dict[str, object] = {"a.cn": "Sat-Mon 09:00-10:00"}
    assert opens(rules, "a.cn", "2026-11-23 09:30") is None
    assert opens(rules, "a.cn", "2026-11-24 09:30") == "11-28 09:00"


def test_days_may_be_written_in_any_case_and_windows_as_a_list_or_with_a_chinese_comma() -> None:
    for text in (["mon 09:00-10:00", "TUE 09:00-10:00"], "mon 9:00-10:00，Tue 09:00-10:00"):
        assert opens({"a.cn": text}, "a.cn", "2026-11-24 09:30") is None


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.x.gov.cn", "11-18 03:00"),
        ("WWW.X.GOV.CN.", "11-18 03:00"),
        ("other.gov.cn", "11-18 02:00"),
        ("a.b.gov.cn", "11-18 02:00"),
        ("gov.cn", "11-18 01:00"),
        ("notgov.cn", "11-18 01:00"),
        ("127.0.0.1", "11-18 01:00"),
    ],
)
def test_the_most_specific_pattern_decides_alone(host: str, expected: str) -> None:
    rules: dict[str, object] = {
        "*": "01:00-02:00",
        "*.gov.cn": "02:00-03:00",
        "www.x.gov.cn": "03:00-04:00",
    }
    assert opens(rules, host, "2026-11-18 00:00") == expected


def test_hosts_without_a_pattern_are_always_open() -> None:
    assert opens({"*.gov.cn": "22:00-06:00"}, "www.example.com", "2026-11-18 12:00") is None
    assert opens({}, "www.example.com", "2026-11-18 12:00") is None


def test_chinese_host_names_match_in_their_ascii_form() -> None:
    host = "www.政府.cn".encode("idna").decode()
    assert opens({"*.政府.cn": "22:00-06:00"}, host, "2026-11-18 12:00") == "11-18 22:00"


class TestClockChanges:
    """Berlin: 2026-03-29 02:00 becomes 03:00, 2026-10-25 03:00 becomes 02:00."""

    def opens(self, text: str, utc: str) -> str | None:
        moment = HostWindows({"a.de": text}, "Europe/Berlin").opens_at(
            "a.de", datetime.fromisoformat(utc).replace(tzinfo=UTC).timestamp()
        )
        return None if moment is None else f"{datetime.fromtimestamp(moment, UTC):%m-%d %H:%M}"

    def test_local_times_keep_their_meaning_on_both_sides(self) -> None:
        assert self.opens("22:00-06:00", "2026-03-28 12:00") == "03-28 21:00"
        assert self.opens("22:00-06:00", "2026-03-29 12:00") == "03-29 20:00"
        assert self.opens("22:00-06:00", "2026-03-29 03:59") is None
        assert self.opens("22:00-06:00", "2026-03-29 04:00") == "03-29 20:00"

    def test_a_window_that_begins_in_the_missing_hour_begins_after_it(self) -> None:
        assert self.opens("02:30-04:00", "2026-03-29 00:45") == "03-29 01:30"

    def test_a_window_inside_the_missing_hour_waits_for_the_next_day(self) -> None:
        assert self.opens("02:10-02:50", "2026-03-29 00:30") == "03-30 00:10"

    def test_the_doubled_hour_is_closed_in_doubt(self) -> None:
        # 02:30 is 00:30 and 01:30 UTC: begins at the later, ends at the earlier one.
        assert self.opens("02:30-05:00", "2026-10-25 01:00") == "10-25 01:30"
        assert self.opens("01:00-02:30", "2026-10-25 00:29") is None
        assert self.opens("01:00-02:30", "2026-10-25 00:30") == "10-26 00:00"


clock = st.integers(0, 23 * 60 + 59).map(lambda m: f"{m // 60:02}:{m % 60:02}")


@given(clock, clock, st.integers(int(at("2026-01-01")), int(at("2027-01-01"))))
def test_the_moment_of_opening_is_open_and_the_one_before_it_is_not(
    begin: str, end: str, now: int
) -> None:
    if begin == end:
        return
    windows = HostWindows({"*": f"{begin}-{end}"}, "Europe/Berlin")
    moment = windows.opens_at("a.de", now)
    if moment is not None:
        assert now < moment <= now + 2 * 86_400
        assert windows.opens_at("a.de", moment) is None
        assert windows.opens_at("a.de", moment - 1) == moment


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"a.cn": "22-06"}, ["a.cn", "'22-06'"]),
        ({"a.cn": "22:00-25:00"}, ["24:00", "'25:00'"]),
        ({"a.cn": "22:60-23:00"}, ["'22:60'"]),
        ({"a.cn": "08:00-08:00"}, ["00:00-24:00", "'08:00-08:00'"]),
        ({"a.cn": "Moo-Fri 08:00-09:00"}, ["Mon", "'Moo'"]),
        ({"a.cn": ""}, ["a.cn", "''"]),
        ({"a.cn": None}, ["a.cn", "None"]),
        ({"a.cn": [3]}, ["a.cn", "[3]"]),
        ({"http://a.cn/": "08:00-09:00"}, ["no scheme", "'http://a.cn/'"]),
        ({"a.cn:8080": "08:00-09:00"}, ["port", "'a.cn:8080'"]),
        ({"a.*.cn": "08:00-09:00"}, ["'a.*.cn'"]),
        ({"": "08:00-09:00"}, ["''"]),
        ({3: "08:00-09:00"}, ["3"]),
        ({"a.cn": "08:00-09:00", "A.cn": "10:00-11:00"}, ["once", "'A.cn'"]),
    ],
)
def test_errors_name_setting_rule_and_value(rules: dict[str, object], said: list[str]) -> None:
    with pytest.raises(ConfigurationError) as error:
        HostWindows(rules)
    for words in (WINDOWS, "must", *said):
        assert words in str(error.value)


@pytest.mark.parametrize("name", ["Asia/Peking", "", "../etc/passwd", "Asia"])
def test_an_unknown_time_zone_is_refused_by_name(name: str) -> None:
    with pytest.raises(ConfigurationError, match=WINDOWS_TIMEZONE) as error:
        HostWindows({}, name)
    assert repr(name) in str(error.value)
