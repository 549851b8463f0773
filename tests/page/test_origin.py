"""The name of a page's site, and the link of its source line."""

from __future__ import annotations

import pytest

from topiccrawl.page.page import Page

URL = "http://www.a.example/news/1.html"
TEXT = "<p>" + "大会昨日在桂林开幕，来自各地的代表参加了开幕式。" * 8 + "</p>"


def page(body: str, head: str = "<title>大会在桂林开幕</title>") -> Page:
    html = f"<html><head>{head}</head><body><h1>大会在桂林开幕</h1>{body}</body></html>"
    return Page(URL, html.encode(), "utf-8")


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ('<meta property="og:site_name" content="桂林日报">', TEXT),
        ("<title>大会在桂林开幕_侨界要闻_桂林日报</title>", TEXT),
        (
            "<title>大会在桂林开幕</title>",
            f'<a href="/"><img alt="桂林日报" src="x.png"></a>{TEXT}',
        ),
        ("<title>大会在桂林开幕</title>", f"{TEXT}<p>版权所有：桂林日报 2020-2026</p>"),
    ],
)
def test_a_page_states_the_name_of_its_site(head: str, body: str) -> None:
    assert page(body, head).site_name == "桂林日报"


@pytest.mark.parametrize("tail", ["", "<p>首页</p>", "<p>©2020 苏ICP备13020714号</p>"])
def test_a_page_that_states_no_name_has_none(tail: str) -> None:
    assert page(TEXT + tail).site_name == ""


@pytest.mark.parametrize(
    "line",
    [
        '<p>2026-03-02 来源：<a href="http://www.b.example/2.html">北方日报</a></p>',
        '<p>来源：北方日报 <a href="http://www.b.example/2.html">原文链接</a></p>',
        '<p>来源：<a href="http://www.b.example/2.html">http://www.b.example/2.html</a></p>',
    ],
)
def test_the_source_line_links_to_the_original(line: str) -> None:
    assert page(line + TEXT).source_url == "http://www.b.example/2.html"


def test_other_links_are_no_source() -> None:
    body = f'<p>来源：北方日报</p>{TEXT}<p><a href="http://www.b.example/">友情链接</a></p>'
    found = page(body)
    assert (found.source, found.source_url) == ("北方日报", "")


def test_the_own_site_as_source_is_named() -> None:
    head = '<title>大会在桂林开幕</title><meta property="og:site_name" content="桂林日报">'
    assert page(f"<p>2026-03-02 来源：本站</p>{TEXT}", head).source == "桂林日报"
    assert page(f"<p>2026-03-02 来源：本网原创</p>{TEXT}").source == "本站"


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("来源：台山发布", "台山发布"),
        ("来源：www.northern.com.cn", "northern.com.cn"),
        ("本文转载自《北方日报》", "北方日报"),
        ("（来源：北方日报）", "北方日报"),
        ("摘自《北方周刊》", "北方周刊"),
    ],
)
def test_sources_are_read_as_pages_write_them(line: str, source: str) -> None:
    assert page(f"<p>{line}</p>{TEXT}").source == source
    assert page(f"{TEXT}<p>{line}</p>").source == source


def test_a_label_after_the_source_is_no_part_of_it() -> None:
    assert page(f"<p>来源：发布</p>{TEXT}").source == ""
    assert page(f"<p>来源：北方日报 发布时间：2026-03-02</p>{TEXT}").source == "北方日报"


def test_a_caption_is_no_source() -> None:
    body = TEXT * 8 + "<p>大桥。图片来源：视觉中国</p>" + TEXT * 8
    assert page(body.replace("</p><p>", "</p>\n<p>")).source == ""


def test_the_author_of_an_article_of_wechat_stands_above_its_account() -> None:
    meta = (
        '<span class="rich_media_meta rich_media_meta_text">何令仪</span>'
        '<span class="rich_media_meta rich_media_meta_nickname"><a id="js_name">侨乡纪事</a></span>'
        '<em id="publish_time" class="rich_media_meta rich_media_meta_text">2023-03-04 18:30</em>'
    )
    assert page(f'{meta}<div id="js_content">{TEXT}</div>').byline.author == "何令仪"
    assert page(f"{meta}{TEXT}").byline.author is None


@pytest.mark.parametrize(
    "shown",
    [
        '<a class="rich_media_meta rich_media_meta_nickname" href="javascript:void(0);" id="post-user">侨乡纪事</a>',
        '<span class="rich_media_meta_nickname"><a id="js_name">\n  侨乡纪事  </a></span>',
        '<span class="rich_media_meta rich_media_meta_nickname" id="profileBt"><a href="#">侨乡纪事</a></span>',
    ],
)
def test_the_account_of_an_article_of_wechat_without_its_scripts_is_the_shown_one(
    shown: str,
) -> None:
    assert page(f'{shown}<div id="js_content">{TEXT}</div>').source == "侨乡纪事"
    assert page(f"{shown}{TEXT}").source == ""


@pytest.mark.parametrize(
    ("state", "source"),
    [
        ('{"title": "大会在桂林开幕", "media": "侨乡客户端", "media_id": "12"}', "侨乡客户端"),
        (r"{id: 7, title: '大会在桂林开幕！', source: '侨乡日报'}", "侨乡日报"),
        # Of another page, of a list, and none.
        (
            r'{"title": "\u5927\u4f1a\u5728\u6842\u6797\u5f00\u5e55", "media": "\u4fa8\u4e61\u5ba2\u6237\u7aef"}',
            "侨乡客户端",
        ),
        ('{"title": "大会闭幕", "media": "侨乡客户端"}', None),
        ('{"title": "大会在桂林开幕", "next": {"media": "侨乡客户端"}}', None),
        ('{"title": "大会在桂林开幕", "media": ""}', None),
    ],
)
def test_the_entry_with_the_title_of_the_page_names_the_source(
    state: str, source: str | None
) -> None:
    text = "<p>" + "代表们从各地来到桂林，参加为期三天的大会，并参观了当地的侨史馆。" * 4 + "</p>"
    body = f"<h1>大会在桂林开幕</h1><p>2021-04-26</p>{text}<script>window.DATA = {state};</script>"
    assert page(body).byline.source == source
