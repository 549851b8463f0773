"""The date of publication in the lines of a page: its forms, its words, and lines that are none."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfoNotFoundError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.dates import CHINA_TIME, find_published, formats
from topiccrawl.page.dates.visible_lines import visible_dates

NOW = datetime(2023, 4, 2, 12, 0, tzinfo=CHINA_TIME)
TITLE = "侨商代表团参观侨史馆"


def from_lines(*lines: str, title: str = TITLE) -> str:
    found = find_published(now=NOW, lines=lines, title=title)
    return found.strftime("%Y-%m-%d %H:%M:%S") if found else ""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("2023年4月1日 10:05", "2023-04-01 10:05:00"),
        ("2023年04月01日10:05:33", "2023-04-01 10:05:33"),
        ("2023-04-01 10:05:33", "2023-04-01 10:05:33"),
        ("2023/4/1 下午3:05", "2023-04-01 15:05:00"),
        ("2023.04.01", "2023-04-01 00:00:00"),
        ("23.04.01 阅读 318", "2023-04-01 00:00:00"),
        ("发布时间：21.11.08 10:05", "2021-11-08 10:05:00"),
        ("12.04.05版", ""),
        ("10.11.12.13", ""),
        ("2021年第9期（3月5日出版） 总第318期", "2021-03-05 00:00:00"),
        ("来信时间：2023-04-01", "2023-04-01 00:00:00"),
        ("２０２３年４月１日　１０：０５", "2023-04-01 10:05:00"),
        ("2023年4月1日 星期六 10点05分", "2023-04-01 10:05:00"),
        ("2023年04月01日(六) 10:05", "2023-04-01 10:05:00"),
        ("04月01日（六） 10:05", "2023-04-01 10:05:00"),
        ("二〇二三年四月一日", "2023-04-01 00:00:00"),
        ("二○二二年十二月二十一日", "2022-12-21 00:00:00"),
        ("二〇二二年6月27日 侨讯网", "2022-06-27 00:00:00"),
        ("民國112年3月4日", "2023-03-04 00:00:00"),
        ("中華民國111年12月31日 08:30", "2022-12-31 08:30:00"),
        ("發布日期：112-03-04", "2023-03-04 00:00:00"),
        ("張貼日期 112.03.04", "2023-03-04 00:00:00"),
        ("發佈時間：112年3月4日 08:30", "2023-03-04 08:30:00"),
        ("112/03/04 侨务局", "2023-03-04 00:00:00"),
        ("110-01-23-45", ""),
        ("房屋坐落：110-01-23", ""),
        ("2023/4/1 中午1:05", "2023-04-01 13:05:00"),
        ("2023/4/1 中午11:05", "2023-04-01 11:05:00"),
        ("2023/4/1 早上8:30", "2023-04-01 08:30:00"),
        ("2023/4/1 晚間9:30", "2023-04-01 21:30:00"),
        ("2020年前建成", ""),
        ("目标：2030年前实现碳达峰", ""),
        ("二十天前", "2023-03-13 00:00:00"),
        ("公告日期：2023-04-01", "2023-04-01 00:00:00"),
        ("公开日期：2023-04-01", "2023-04-01 00:00:00"),
        ("發文日期：2023-04-01", "2023-04-01 00:00:00"),
        ("登載日期：2023-04-01", "2023-04-01 00:00:00"),
        ("签发日期：2023-04-01", "2023-04-01 00:00:00"),
        ("公告时间：2023-03-01至2023-03-08", ""),
        ("时间：2023-03-24 14:00 - 2023-03-24 18:00", ""),
        ("2023年3月5日—3月8日 10:00", ""),
        ("2023-03-05 14:00 ~ 17:30", ""),
        ("2023-03-05 14:00-16:00", ""),
        ("2023年3月5日 09:00:00-11:30:00", ""),
        ("2023-03-05T09:00-05:00", "2023-03-05 22:00:00"),
        ("2023-03-05 09:00:00 -05:00", "2023-03-05 22:00:00"),
        ("2023-03-05 09:00 -0500", "2023-03-05 22:00:00"),
        ("2023-03-05 - 侨乡晚报", "2023-03-05 00:00:00"),
        ("2023-03-05 - 12人阅读", "2023-03-05 00:00:00"),
        ("11月20日", "2022-11-20 00:00:00"),
        ("03-28 09:11", "2023-03-28 09:11:00"),
        ("2小时前", "2023-04-02 10:00:00"),
        ("半小時前", "2023-04-02 11:30:00"),
        ("15分钟之前", "2023-04-02 11:45:00"),
        ("三天前", "2023-03-30 00:00:00"),
        ("一周前", "2023-03-26 00:00:00"),
        ("昨天 08:30", "2023-04-01 08:30:00"),
        ("前天", "2023-03-31 00:00:00"),
        ("今天09:12", "2023-04-02 09:12:00"),
        ("刚刚", "2023-04-02 12:00:00"),
        ("2023-04-01T02:05:33Z", "2023-04-01 10:05:33"),
        ("2023-04-01T10:05+09:00", "2023-04-01 09:05:00"),
        ("7/5/2005 9:23:57 PM", "2005-07-05 21:23:57"),
        ("发表于2005年09月07日 11:57 AM", "2005-09-07 11:57:00"),
        ("Posted on Jul 5, 2005 at home", "2005-07-05 00:00:00"),
        ("5 July 2005, 21:23", "2005-07-05 21:23:00"),
        ("五月 1st, 2016", "2016-05-01 00:00:00"),
        ("发布： 9:10pm 17/03/2023", "2023-03-17 21:10:00"),
        ("发布时间：21-05-3011:21", "2021-05-30 11:21:00"),
        ("10:05 2023-03-17 华埠讯", "2023-03-17 10:05:00"),
        ("Senior Reporter9 Feb 2023, 06:30 AM", "2023-02-09 06:30:00"),
        ("3 十二月, 2015 10:05", "2015-12-03 10:05:00"),
        ("2016 年十月 2 日", "2016-10-02 00:00:00"),
        ("May 1st, 2016 at 3:05 pm", "2016-05-01 15:05:00"),
        ("Mon May 02 10:05:00 CST 2016", "2016-05-02 10:05:00"),
        ("2021-09-11 HKT 08:05", "2021-09-11 08:05:00"),
        ("24.11.2022 10:05", "2022-11-24 10:05:00"),
        ("24/11/2022", "2022-11-24 00:00:00"),
        ("发布时间：2019-10-0812:00:57", "2019-10-08 12:00:57"),
        ("发布时间：10-0812:00", "2022-10-08 12:00:00"),
        ("2023年2月30日", ""),
        ("2023年13月1日", ""),
        ("2024年1月1日", ""),
        ("1985-01-01", ""),
        ("电话 020-12345678", ""),
        ("阅读 20230", ""),
        ("12-18K前端开发工程师", ""),
        ("周期预计12-16个月", ""),
        ("3月10-12日", ""),
        ("03-28Kevin", "2023-03-28 00:00:00"),
    ],
)
def test_formats(line: str, found: str) -> None:
    assert from_lines(TITLE, line) == found


def test_a_label_in_the_cell_before_counts() -> None:
    text = "侨商代表团一行参观了侨史馆，听取讲解，并与馆长座谈，就侨史资料的征集和保护交换了意见。"
    assert from_lines(TITLE, "更新日期", "2023-04-01", text, text) == "2023-04-01 00:00:00"


@pytest.mark.parametrize(
    ("label", "found"),
    [
        *(
            (label, "2023-03-05 00:00:00")
            for label in (
                "出版日期",
                "制作日期",
                "制发日期",
                "产生日期",
                "形成日期",
                "文件日期",
                "公示时间",
                "挂网时间",
                "上网日期",
            )
        ),
        ("有效期至", ""),
        ("出生日期", ""),
    ],
)
def test_labels_of_offices(label: str, found: str) -> None:
    text = "现将侨务工作的有关情况公布如下，请社会各界监督，有意见的，请在七日内向侨联书面反映。"
    assert from_lines(TITLE, f"{label}：", "2023-03-05", text, text) == found


@pytest.mark.parametrize("label", ["日 期：", "发布 日 期：", "发 布 时 间： ", "時　間： "])
def test_labels_that_are_spaced_out(label: str) -> None:
    (date,) = visible_dates([TITLE, f"来源：侨联 {label}2023-03-05"], TITLE, NOW)
    assert date.labeled


def test_the_day_of_publication_comes_before_that_of_the_document() -> None:
    text = "现将侨务工作的有关情况公布如下，请社会各界监督，有意见的，请在七日内向侨联书面反映。"
    for label in ("成文日期", "制作日期", "形成日期"):
        lines = [f"{label}：2023-02-20", "公开日期：2023-03-05"]
        assert from_lines(TITLE, *lines, text, text) == "2023-03-05 00:00:00"
        assert from_lines(TITLE, *reversed(lines), text, text) == "2023-03-05 00:00:00"


def test_dates_without_a_year_are_in_the_past() -> None:
    now = datetime(2023, 1, 3, tzinfo=CHINA_TIME)
    found = find_published(now=now, lines=[TITLE, "12-30 08:00"], title=TITLE)
    assert found is not None
    assert found.year == 2022


@pytest.mark.parametrize(
    ("lines", "found", "why"),
    [
        (["2023-04-02 今天是个好日子", TITLE, "发布时间：2023-03-30 来源：侨报"], "2023-03-30 00:00:00",
         "a label wins"),
        ([TITLE, "来源：侨报 2023-03-30 08:00", "浏览 55", "2023-01-01"], "2023-03-30 08:00:00", "by-line"),
        ([TITLE, "发布：2023-03-30 08:00", "更新：2023-03-31 09:00"], "2023-03-30 08:00:00",
         "published before changed"),
        ([TITLE, "2023年3月25日上午10:00，来自十余个国家和地区的侨商代表抵达江门市区，随后参观了侨史馆，"
          "并与当地乡亲座谈，听取了侨务部门关于下一步工作的介绍，现场气氛十分热烈。大家表示不虚此行，收获颇丰。"],
         "", "the date of an event in running text"),
        ([TITLE, "二〇二二年6月27日 侨讯网", "【侨声报转载】4月26日，由侨联主办的论坛在纽约举行。"],
         "2022-06-27 00:00:00", "a sentence that begins with the day of an event"),
        ([TITLE, "Monday, 20 Mar 2023", "9:30 AM MYT", "Text"], "2023-03-20 09:30:00", "a clock below the day"),
        ([TITLE, "正文", "２０２３年３月２０日（星期一）", "香港時間１７時３０分"], "2023-03-20 17:30:00",
         "a clock with its label below the day"),
        ([TITLE, "2023-03-20", "10:30 开幕", "2023-03-21"], "2023-03-20 00:00:00", "a program, no clock alone"),
        ([TITLE, "2023-03-20 08:15", "10:30"], "2023-03-20 08:15:00", "a day with a clock of its own"),
        ([TITLE, "正文", "版权所有 © 2010-05-06 侨网"], "", "copyright"),
        ([TITLE, "Copyright 2022-12-31 All Rights Reserved"], "", "copyright in English"),
        ([TITLE, "报名截止时间：2023-03-31 18:00"], "", "a deadline"),
        (["今天是2023年4月2日 星期日", TITLE, "正文"], "", "today's date in the page's head"),
        ([TITLE, "2022-05-01 09:00", *["正文"] * 30, "老街新貌 2022-01-01 10:00"], "2022-05-01 09:00:00",
         "a related story far below"),
        ([TITLE, *["菜单"] * 40, TITLE, "五月 1st, 2016"], "2016-05-01 00:00:00",
         "a by-line far below the first copy of the title"),
        (["2023-03-28 12:30:05 星期二", *["菜单"] * 5, TITLE, "2022-05-01", "正文"], "2022-05-01 00:00:00",
         "the clock of a page that was saved some days ago"),
        (["最新文章", "旧船修好了 2021-02-03", "渡口 2021-02-05", "夜市 2021-03-05", TITLE, "2022-05-01 09:00", "正文"],
         "2022-05-01 09:00:00", "a box of other pages above"),
        ([TITLE, *["正文"] * 30, "发表于 2022-01-01 10:00 阅读(3)"], "2022-01-01 10:00:00", "a labeled foot"),
        ([TITLE, "本贴由大卫于2022年8月12日16:12:21在〖心灵（在线）〗发表."], "2022-08-12 16:12:21", "label behind it"),
        ([TITLE, "最新推荐文章于 2023-03-04 17:53:10 发布", "方敏 于 2023-03-02 13:08:03 发布"],
         "2023-03-02 13:08:03", "another article's date"),
        ([TITLE, "会议时间：2023-03-04 09:00"], "", "an event's date"),
        ([TITLE, "（2007年6月29日侨乡市第十届人民代表大会常务委员会第二十八次会议通过）"], "", "a law's adoption"),
        ([TITLE, "（2007年6月29日侨乡市第十届人民代表大会第三次会议通过）", "发布日期：2007-07-02"],
         "2007-07-02 00:00:00", "a law's adoption, and its publication"),
        ([TITLE, "来源：侨乡市人民政府办公室时间：2023-03-04 09:00浏览：7"], "2023-03-04 09:00:00",
         "a long name before the label, without a space"),
        ([TITLE, "主办：侨乡市人民政府办公室 会议时间：2023-03-04 09:00"], "", "an event behind a name"),
        ([TITLE, "成文日期：2023-01-02 发布日期：2023-01-05"], "2023-01-05 00:00:00", "a document's own date"),
        (["木丁的博客", "2023年03月01日", TITLE, "正文", "评论列表:", "老王", "发布于 2023-03-04 09:21:10 回复", "好"],
         "2023-03-01 00:00:00", "alone above the title, and a comment with a label"),
        ([TITLE, "正文", "评论", "张三 2023-03-04 09:00"], "2023-03-04 09:00:00", "a comment, if nothing else"),
        ([TITLE, "正文", "发表于 2023-03-01 08:00", "评论", "发表于 2023-03-04 09:00"], "2023-03-01 08:00:00",
         "a comment's time"),
        (["2023-04-02", TITLE, "正文"], "", "the head's date of today"),
        ([TITLE, "批准时间", "2023-03-04", "正文"], "", "an event's date in the next cell"),
        ([TITLE, "侨史馆昨日开馆，代表们参观了展厅，并与乡亲座谈。" * 3, "参考资料",
          "旧船修好了．侨声报．2023-03-04"], "", "a reference"),
        (["2022-01-01 侧栏", *["菜单"] * 9, TITLE, "2023-03-30"], "2023-03-30 00:00:00", "near the title"),
    ],
)  # fmt: skip
def test_the_date_is_the_pages_own(lines: list[str], found: str, why: str) -> None:
    assert from_lines(*lines) == found, why


@pytest.mark.parametrize(
    "line",
    [
        "侨史馆今日开馆",
        "昨日，侨史馆开馆",
        "今日推荐",
        "侨联刚刚宣布",
        "三年前的约定",
        "昨日访问：33",
    ],
)
def test_words_of_headlines_are_no_dates(line: str) -> None:
    assert from_lines(TITLE, line, "正文的第一段。") == ""
    assert from_lines(line, TITLE, "正文的第一段。") == ""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("昨天发布", "2023-04-01"),
        ("3天前来自广东", "2023-03-30"),
        ("方敏 昨天 阅读 55", "2023-04-01"),
        ("昨天阅读 55", "2023-04-01"),
        ("2小时前广东", "2023-04-02"),
    ],
)
def test_words_of_by_lines_are_dates(line: str, found: str) -> None:
    assert from_lines(TITLE, line, "正文的第一段。")[:10] == found


def test_chinas_time_needs_no_zone_data(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ZoneInfoNotFoundError(name)

    monkeypatch.setattr(formats, "ZoneInfo", missing)
    assert formats.china_time().utcoffset(NOW) == timedelta(hours=8)


@given(
    st.datetimes(datetime(1994, 1, 1), datetime(2023, 4, 1)).map(
        lambda d: d.replace(microsecond=0)
    ),
    st.sampled_from(
        ["%Y年%m月%d日 %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y/%m/%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"]
    ),
)
def test_every_moment_is_read_back(moment: datetime, form: str) -> None:
    assert from_lines(TITLE, "时间：" + moment.strftime(form)) == moment.strftime(
        "%Y-%m-%d %H:%M:%S"
    )


@given(
    st.lists(st.text(alphabet="0123456789年月日-/:.时前昨天民國 发布：", max_size=40), max_size=6)
)
def test_no_line_raises_or_gives_a_future_date(lines: list[str]) -> None:
    found = find_published(
        now=NOW, lines=lines, meta={"pubdate": "".join(lines)[:40]}, url="".join(lines)
    )
    assert found is None or found <= NOW + timedelta(days=1)


@pytest.mark.parametrize(
    ("pieces", "found"),
    [
        (["Nov 17 Fri 2017 21:35"], "2017-11-17 21:35:00"),
        (["Sep032016"], "2016-09-03 00:00:00"),
        (["6月082019"], "2019-06-08 00:00:00"),
        (["08", "六月", "2019"], ""),
        (["08", "6月", "2019"], "2019-06-08 00:00:00"),
        (["08", "2019/06"], "2019-06-08 00:00:00"),
        (["082019-06"], "2019-06-08 00:00:00"),
        (["82019.06"], "2019-06-08 00:00:00"),
        (["202109-1316:45"], "2021-09-13 16:45:00"),
        (["2022", "05/18", "08:31:07"], "2022-05-18 08:31:07"),
        (["09-13", "2021"], "2021-09-13 00:00:00"),
        (["31", "2021-02"], ""),
        (["12", "34"], ""),
    ],
)
def test_a_date_in_pieces_beside_the_title(pieces: list[str], found: str) -> None:
    assert from_lines("小站", *pieces, TITLE, "正文的第一段。") == found
    assert from_lines("小站", TITLE, *pieces, "正文的第一段。") == found


def test_pieces_far_from_the_title_are_no_date() -> None:
    filler = [f"第{number}个链接" for number in range(12)]
    assert from_lines(TITLE, *filler, "Nov 17 Fri", "2017 21:35") == ""
