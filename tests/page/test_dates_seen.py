"""Dates as a reader sees them: fields in other time zones, days without a year."""

from __future__ import annotations

from datetime import datetime

import pytest

from topiccrawl.page.dates import CHINA_TIME, find_published
from topiccrawl.page.page import Page

NOW = datetime(2024, 6, 1, 12, 0, tzinfo=CHINA_TIME)
TITLE = "華埠商家防盜講座 八十店主到場"


@pytest.mark.parametrize(
    ("field", "line", "found"),
    [
        ("2024-03-17T01:30:00+00:00", "2024年3月16日 21:30", "2024-03-16 21:30"),
        ("2024-03-17T03:20:00-04:00", "2024-03-17 03:20 ET", "2024-03-17 03:20"),
        ("2024-03-17T18:20:00Z", "2024年3月17日", "2024-03-17 00:00"),
        # The line of a reader in China agrees with the field.
        ("2024-03-17T18:20:00Z", "2024年3月18日", "2024-03-18 02:20"),
        ("2024-03-17T18:20:00Z", "2024-03-18 02:20", "2024-03-18 02:20"),
        # Not the clock of another zone: another moment.
        ("2024-03-17T06:08:00Z", "（3/18 14:31 更新）", "2024-03-17 14:08"),
        ("2024-03-17T18:20:00Z", "2024年2月1日", "2024-03-18 02:20"),
    ],
)
def test_a_field_in_another_zone_is_read_as_the_line_below_the_title(
    field: str, line: str, found: str
) -> None:
    moment = find_published(now=NOW, lines=[TITLE, line], title=TITLE, times=[field])
    assert moment is not None
    assert moment.strftime("%Y-%m-%d %H:%M") == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<img src="/upload/2021/0320/a.jpg"><script>var t = "2021-03-20"</script>', "2021-03-20"),
        ('<img src="/upload/20210320/a.jpg">', "2021-03-20"),
        # Two years, none, or a number that only contains one: the last such day.
        ('<i title="2021-03-20"></i><i title="2019-03-20"></i>', "2024-03-20"),
        ('<i title="2021-03-21"></i>', "2024-03-20"),
        ('<a href="/a/2021032045.html">a</a>', "2024-03-20"),
        ('<i title="2025-03-20"></i>', "2024-03-20"),
    ],
)
def test_the_year_of_a_day_without_one_is_that_of_the_same_day_in_the_html(
    html: str, found: str
) -> None:
    page = f"<title>{TITLE}</title><h1>{TITLE}</h1><div>03-20 07:15</div>{html}"
    published = Page("", page.encode(), "utf-8", now=NOW).published
    assert published is not None
    assert published.strftime("%Y-%m-%d %H:%M") == f"{found} 07:15"


def test_the_29th_of_february_is_not_moved_to_another_year() -> None:
    page = f'<title>{TITLE}</title><h1>{TITLE}</h1><div>02-29 07:15</div><i title="2023-2-29"></i>'
    published = Page("", page.encode(), "utf-8", now=NOW).published
    assert published is not None
    assert published.year == 2024


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3&nbsp;天前", "2022-07-08 14:31"),
        ("发表于: 2022-07-08", "2022-07-08 14:31"),
        # That of another day, and a time that is seen.
        ("发表于: 2022-07-11", "2022-07-11 00:00"),
        ("2022-07-08 09:00", "2022-07-08 09:00"),
    ],
)
def test_a_tooltip_completes_a_date(text: str, found: str) -> None:
    date = f'<em><span title="2022-7-8 14:31:02">{text}</span></em>'
    html = f"<title>{TITLE}</title><h1>{TITLE}</h1><div>小满 {date}</div><p>还能不能用？</p>"
    published = Page("", html.encode(), "utf-8", now=NOW).published
    assert published is not None
    assert published.strftime("%Y-%m-%d %H:%M") == found


def test_a_name_before_the_label_and_a_count_of_replies() -> None:
    line = "楼主：番薯腔时间：2016-05-03 20:18:46点击：35621回复：212"
    moment = find_published(now=NOW, lines=[TITLE, line], title=TITLE)
    assert moment is not None
    assert moment.strftime("%Y-%m-%d %H:%M") == "2016-05-03 20:18"
