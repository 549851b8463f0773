"""What pages say of their origin: source lines, credits, datelines and reports."""

from __future__ import annotations

import pytest

from topiccrawl.stories.claims import find_claims, outlet_key
from topiccrawl.stories.members import StoryPage


def page(body: str = "", source: str = "", **values: str) -> StoryPage:
    return StoryPage(url="http://a.example/1", title="", body=body, source=source, **values)


@pytest.mark.parametrize(
    ("body", "name", "evidence"),
    [
        ("新华社北京11月2日电（记者 王某）昨天", "新华社", "dateline"),
        ("中新网11月2日电 据美国《侨报》报道，", "中新网", "dateline"),
        ("央视网消息：昨天上午", "央视网", "dateline"),
        ("桂林日报讯(记者 张三)昨日", "桂林日报", "dateline"),
        ("(人民日报记者 张某)大会开幕", "人民日报", "dateline"),
        ("正文很长。\n（来源：桂林日报）", "桂林日报", "credit"),
        ("正文。\n轉載自：聯合新聞網", "联合新闻网", "credit"),
        ("原载于《南方周末》2020年3月5日", "南方周末", "credit"),
        ("本文转自“桂林发布”微信公众号，作者：张三", "桂林发布", "credit"),
        ("稿源 浙江在线", "浙江在线", "credit"),
        ("据阿根廷华人网报道，近日", "阿根廷华人网", "report"),
        ("据英国广播公司(BBC)11月2日报道，", "英国广播公司", "report"),
        ("據中央社報導，", "中央社", "report"),
        ("据宁德电视台3月30日报道，", "宁德电视台", "report"),
        ("据南方资讯网报道，", "南方资讯网", "report"),
        ("据新华社电（记者李明）近日", "新华社", "report"),
    ],
)
def test_a_text_names_its_origin(body: str, name: str, evidence: str) -> None:
    first = find_claims(page(body)).named[0]
    assert (first.outlet, first.evidence) == (outlet_key(name), evidence)


@pytest.mark.parametrize(
    "body",
    [
        "来自全国各地的代表参加了大会",
        "据了解，大会昨日开幕",
        "图片来源：视觉中国，说明如下",
        "这是他收入来源：工资和奖金",
        "据悉，据介绍，据统计",
        "据了解，中国新闻网11月2日报道",
        "本报讯（记者 王某）昨日",
    ],
)
def test_other_sentences_name_no_origin(body: str) -> None:
    assert find_claims(page(body)).named == ()


def test_a_source_line_may_name_site_and_medium() -> None:
    named = find_claims(page(source="人民网-人民日报")).named
    assert [(it.outlet, it.evidence) for it in named] == [
        ("人民网", "source-line"),
        ("人民日报", "source-line"),
    ]


def test_an_own_text_is_not_taken_from_anyone() -> None:
    claims = find_claims(page(source="本站原创"))
    assert claims.own
    assert claims.named == ()


def test_a_linked_source_is_named_by_its_host() -> None:
    claims = find_claims(page(source_url="http://www.b.example/2.html"))
    assert [(it.outlet, it.evidence) for it in claims.named] == [("b.example", "link")]


def test_a_known_outlet_counts_whatever_it_is_called() -> None:
    text = page("据桂林信息港11月2日报道，大会开幕")
    assert find_claims(text).named == ()
    assert [it.outlet for it in find_claims(text, {"桂林信息港"}).named] == ["桂林信息港"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("《人民日報》", "人民日报"),
        ("“桂林发布”微信公众号", "桂林发布"),
        ("www.news.cn/x", "news.cn"),
    ],
)
def test_spellings_of_a_name_have_one_key(first: str, second: str) -> None:
    assert outlet_key(first) == outlet_key(second)


def test_words_for_nobody_have_no_key() -> None:
    assert [outlet_key(word) for word in ("网络", "综合", "互联网", "佚名")] == [""] * 4
