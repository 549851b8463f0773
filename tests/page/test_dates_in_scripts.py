"""Dates that only scripts state."""

from __future__ import annotations

from datetime import datetime

import pytest

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.dates.in_scripts import date_in_scripts
from topiccrawl.page.page import Page

NOW = datetime(2024, 6, 1, tzinfo=CHINA_TIME)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("var createTime = '2021-03-17 12:00';", "2021-03-17T12:00:00"),
        ('var ct = "1615953600";', "2021-03-17T12:00:00"),
        ('window.a = {"publishTime":1615953600000,"id":3}', "2021-03-17T12:00:00"),
        ("pub_date: '2021年03月17日'", "2021-03-17T00:00:00"),
        ("publishedAt = new Date('2021/03/17 12:00:05')", "2021-03-17T12:00:05"),
        ("oriCreateTime: '1615953600'", "2021-03-17T12:00:00"),
        ("ori_create_time = 1615953600", "2021-03-17T12:00:00"),
        ("create_date = '2021-03-17'", "2021-03-17T00:00:00"),
        ("pubtime: '2021-03-17'", "2021-03-17T00:00:00"),
        ("var ct = '1615953600'; var createTime = '2021-03-17 12:00'", "2021-03-17T12:00:00"),
        ("var publishTime = ''; var serverTime = '2021-03-17'; var product = '1615953600';", None),
        ('[{"publishTime": "2021-03-17"}, {"publishTime": "2021-03-18"}]', None),
        ("var publishTime = '2031-03-17'", None),
        (
            '{"comments":[{"id":3,"createTime":"2021-03-18"},{"id":4,"createTime":"2021-03-18"}]}',
            None,
        ),
        (
            '{"createTime":"2021-03-17","comments":[{"id":3,"createTime":"2021-03-18"}]}',
            "2021-03-17T00:00:00",
        ),
        ('{"replyList":[],"createTime":"2021-03-17"}', "2021-03-17T00:00:00"),
        ('{"commentCount":0,"images":["a"],"createTime":"2021-03-17"}', "2021-03-17T00:00:00"),
        ('{"commentTime":"2021-03-18"}', None),
        ("", None),
    ],
)
def test_named_dates(script, expected):
    found = date_in_scripts(f"<script>{script}</script>", NOW)
    assert (found and found.isoformat()[:19]) == expected


def test_what_the_page_shows_goes_first():
    text = "<p>今年的茶花开得比往年早，来看花的人从早到晚没有断过。公园延长了开放时间。</p>" * 3
    script = "<script>var ct = '1615953600';</script>"
    shown = Page("", f"<h1>茶花开了</h1><p>2020-01-05 10:30</p>{text}{script}".encode(), now=NOW)
    assert shown.published == datetime(2020, 1, 5, 10, 30, tzinfo=CHINA_TIME)
    alone = Page("", f"<h1>茶花开了</h1>{text}{script}".encode(), now=NOW.replace(tzinfo=None))
    assert alone.published == datetime(2021, 3, 17, 12, tzinfo=CHINA_TIME)


@pytest.mark.parametrize(
    "script",
    [
        "var ct = '1615953600'; var other = {createTime: '2020-01-01 08:00'};",
        'window.ct = "1615953600"; var t = {create_time: "1515953600"}',
        "var createTime = '2021-03-17 12:00'; var pubTime = '2019-03-17'",
    ],
)
def test_the_variables_of_wechat_outweigh_all_others_in_its_articles(script: str) -> None:
    html = f"<div id=js_content></div><script>{script}</script>"
    found = date_in_scripts(html, NOW)
    assert found is not None
    assert found.isoformat() == "2021-03-17T12:00:00+08:00"


TITLE = "跟随县志走进侨乡"
STATE = (
    f'<script>window.DATA = {{"id": "7", "title": "{TITLE}", "tags": [], "media": "侨乡客户端",'
    ' "pubtime": "2021-04-26 10:36:29"}</script>'
)
MADE = '<meta name="apub:time" content="2021-04-26 10:52:40">'
TEXT = "<p>今年的茶花开得比往年早，来看花的人从早到晚没有断过。公园延长了开放时间。</p>" * 3


@pytest.mark.parametrize(
    ("head", "line", "expected"),
    [
        (MADE + STATE, "", "2021-04-26 10:36"),
        # Made later: the next day is not that of the publication either.
        (MADE.replace("26", "27", 1) + STATE, "", "2021-04-26 10:36"),
        (MADE + STATE, "2021-04-26", "2021-04-26 10:36"),
        # A line that a reader sees counts more, and an entry of another page not at all.
        (MADE + STATE, "2021-04-26 10:40", "2021-04-26 10:40"),
        (MADE + STATE, "2021-04-20 09:00", "2021-04-20 09:00"),
        (MADE + STATE.replace(TITLE, "县志续修"), "", "2021-04-26 10:52"),
    ],
)
def test_the_entry_with_the_title_of_the_page_counts_more_than_metadata(
    head: str, line: str, expected: str
) -> None:
    html = f"<title>{TITLE}_侨乡网</title>{head}<h1>{TITLE}</h1><p>{line}</p>{TEXT}"
    published = Page("", html.encode(), now=NOW).published
    assert published is not None
    assert published.strftime("%Y-%m-%d %H:%M") == expected
