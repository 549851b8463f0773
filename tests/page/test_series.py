"""Series of short entries that belong to an article as a whole, and series that do not."""

from __future__ import annotations

import pytest

from topiccrawl.page.page import Page

TITLE = "直播｜南江强降雨救援：两千余人已转移"
LEAD = "受持续强降雨影响，南江上游水位上涨，沿岸三个乡镇先后启动应急响应，本网滚动播报。"
ENTRIES = {
    "18:20": "交通部门：已抢通国省干道七处，两处农村公路预计明天恢复。",
    "17:05": "临江镇安置点已开出四百份热饭。",
    "14:32": "南江城区段水位开始回落。",
    "11:10": "上坪村最后十一名被困村民乘冲锋舟撤出！",
}


def page(inside: str, title: str = TITLE) -> Page:
    head = "<ul><li><a href='/a'>首页</a></li><li><a href='/b'>新闻</a></li></ul>"
    html = f"<title>{title}_南城新闻</title><body>{head}<h1>{title}</h1>{inside}<div>南城新闻版权所有</div>"
    return Page("http://www.example.com/a/8123.html", html.encode(), "utf-8")


def entries(form: str, times: dict[str, str] = ENTRIES) -> str:
    return "".join(form.format(time, text) for time, text in times.items())


def test_the_entries_of_a_live_ticker() -> None:
    found = page(
        f"<div>2024-03-16 18:20　南城新闻</div><p>{LEAD}</p>"
        + entries("<div class='e'><span class='t'>{}</span><div>{}</div></div>")
    )
    assert found.kind == "article"
    assert found.body.split("\n") == [
        LEAD,
        *(it for pair in ENTRIES.items() for it in pair),
    ]


def test_the_entries_of_a_ticker_of_several_days_are_no_thread() -> None:
    times = {f"4月{9 - n}日 {time}": text for n, (time, text) in enumerate(ENTRIES.items())}
    found = page(
        "<div>2024-04-09 18:30　南城新闻</div>" + entries("<div><h4>{}</h4><p>{}</p></div>", times)
    )
    assert found.kind == "article"
    assert found.body.split("\n") == [it for pair in times.items() for it in pair]


def test_replies_with_names_are_no_ticker() -> None:
    replies = entries("<div class='r'><b>山前</b><span>{}</span><div>{}</div></div>")
    text = f"<p>{LEAD}</p>" * 2
    assert "17:05" not in page(f"{text}<h3>网友评论</h3>{replies}").body


@pytest.mark.parametrize(
    "form",
    [
        "<div><div>山前</div><div>2024-05-01 {}</div><div>{}</div></div>",
        "<div><div>2024-05-01 {}</div><div>山前</div><div>{}</div></div>",
    ],
    ids=["before the time", "behind it"],
)
def test_posts_with_names_are_no_ticker(form: str) -> None:
    assert "18:20" not in page(f"<div>{entries(form)}</div>").body


def test_a_schedule_of_other_pages_is_no_ticker() -> None:
    links = entries("<li><span>{}</span><a href='/x'>{}</a></li>")
    assert page(f"<p>{LEAD}</p><p>{LEAD}</p><ul>{links}</ul>").body == f"{LEAD}\n{LEAD}"


def test_the_parts_of_a_recording() -> None:
    parts = ("00:00 片头", "03:12 第一户人家", "17:45 “我阿公的船票还在”", "34:20 录音机没电")
    lines = (LEAD, "她说，最难的不是听不懂方言，而是老人说到一半忽然不说了。", *parts)
    inside = "".join(f"<p>{line}</p>" for line in lines)
    assert page(f"<article>{inside}</article>").body == "\n".join(lines)


def test_the_replies_of_a_talk_page() -> None:
    signed = "—<a href='/u'>山前</a>（<a href='/t'>留言</a>） 2021年8月9日 (一) 03:22 (UTC)"
    found = page(
        f"<h2>侨批条目应否拆分</h2><p>现在的条目太长，是否应该单独成篇？{signed}</p>"
        f"<dl><dd>反对，可以先精简表格。{signed}<dl><dd>表格我来做。<dl><dd>那就单列名录。{signed}"
        "</dd></dl></dd></dl></dd></dl>",
        "Talk:侨批",
    )
    assert [line[:4] for line in found.body.split("\n")] == [
        "侨批条目", "现在的条", "反对，可", "表格我来", "那就单列",
    ]  # fmt: skip


def test_terms_belong_to_their_definitions() -> None:
    options = {
        "--out FILE": "把结果写入文件，默认写到标准输出。",
        "--jobs N": "并行的进程数，默认是核数减一。",
        "--quiet": "不显示进度。",
    }
    lead, last = "本页列出 shu 命令的全部选项。", "退出码 0 表示成功。"
    inside = f"<p>{lead}</p><dl>{entries('<dt>{}</dt><dd>{}</dd>', options)}</dl><p>{last}</p>"
    found = page(f"<div>{inside}</div>", "命令行选项")
    assert found.body.split("\n") == [
        lead,
        *(it for pair in options.items() for it in pair),
        last,
    ]


def test_a_list_of_one_definition_is_a_frame() -> None:
    text = (LEAD, "目前，供水和供电已经恢复，学校将于下周一复课。")
    inside = "".join(f"<p>{line}</p>" for line in text)
    found = page(
        f"<dl><dt>南江强降雨救援</dt><dt>作者：叶小楼　发布时间：2016-12-8 14:05</dt><dd>{inside}</dd>"
        "<dt>文章录入：admin</dt></dl>",
        "南江强降雨救援",
    )
    assert found.body.split("\n") == list(text)


def test_a_list_that_a_line_introduces() -> None:
    items = ("git", "CMake 3.20", "make")
    listed = "".join(f"<li>{item}</li>" for item in items)
    found = page(
        f"<div><p>{LEAD}</p><p>需要以下工具：</p><ul>{listed}</ul></div><ul><li>返回</li></ul>"
    )
    assert found.body.split("\n") == [LEAD, "需要以下工具：", *items]


def test_a_heading_below_an_advertisement() -> None:
    text = f"<p>{LEAD}</p>" * 2
    found = page(
        f"<div>{text}<div>ADVERTISEMENT</div><h3>七校电线逾三十年</h3>{text}</div>",
    )
    assert found.body.split("\n") == [LEAD, LEAD, "七校电线逾三十年", LEAD, LEAD]
