"""Articles that only the data of scripts have."""

from __future__ import annotations

import json
import time
from urllib.parse import quote

import pytest

from topiccrawl.page.body.script_data import article_in_field, article_in_scripts
from topiccrawl.page.body.script_literals import MOST, state_of
from topiccrawl.page.notcontent.recognition import recognize
from topiccrawl.page.page import Page
from topiccrawl.page.shell import content_of, may_be_shell

TEXT = (
    "城市书房的灯光在傍晚六点准时亮起，放学的孩子们背着书包走进来，熟练地找到自己常坐的位置。",
    "这样的书房，在全市已经有四十六家。它们大多藏在社区里、公园旁，面积不大，却每天开放到晚上十点。",
)
HEAD = '<html><head><meta charset="utf-8"><title>城市观察</title>'
SHELL = (
    '</head><body><div id="root"></div><noscript>您需要启用 JavaScript 才能运行此应用。</noscript>'
    '<script src="/a.js"></script></body></html>'
)
JSON_LD = {
    "@graph": [
        {"@type": "WebSite", "name": "城市观察"},
        {
            "@type": ["NewsArticle"],
            "headline": "四十六家城市书房点亮夜晚",
            "datePublished": "2020-11-09T08:15:00+08:00",
            "author": [{"@type": "Person", "name": "周以宁"}],
            "articleBody": "\n".join(TEXT),
        },
    ]
}
STATE = {
    "props": {
        "article": {
            "title": "四十六家城市书房点亮夜晚",
            "publishTime": "2020-11-09 08:15:00",
            "author": "周以宁",
            "content": "".join(f"<p>{text}</p>" for text in TEXT),
        },
        "related": [{"title": "书店", "content": "<p>短</p>"}],
    }
}
PERCENT = quote(json.dumps(STATE, ensure_ascii=False))
SCRIPTS = {
    "json-ld": f'<script type="application/ld+json">{json.dumps(JSON_LD)}</script>',
    "next": f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(STATE)}</script>',
    "percent": f'<script id="RENDER_DATA" type="application/json">{PERCENT}</script>',
    "window": f"<script>window.__INITIAL_STATE__ = {json.dumps(STATE)};(function(){{}}())</script>",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_the_article_is_read(script):
    page = Page("http://example.com/a/1", f"{HEAD}{script}{SHELL}".encode())
    assert page.body == "\n".join(TEXT)
    assert page.markdown == "\n\n".join(TEXT)
    assert page.title == "四十六家城市书房点亮夜晚"
    assert page.byline.author == "周以宁"
    assert page.kind == "article"
    assert page.published is not None
    assert page.published.isoformat() == "2020-11-09T08:15:00+08:00"
    assert recognize(page) is None
    assert not may_be_shell(page, content_of(page))


def test_without_data_it_is_a_shell():
    page = Page("http://example.com/a/1", f"{HEAD}{SHELL}".encode())
    assert page.script_article is None
    found = recognize(page)
    assert found is not None
    assert found.kind == "shell"


def test_visible_text_goes_first():
    text = "".join(f"<p>{text}。这是页面自己的正文。</p>" for text in TEXT * 2)
    page = Page("http://example.com/a/1", f"{HEAD}{SCRIPTS['next']}<h1>书房</h1>{text}".encode())
    assert page.script_article is None


def test_a_list_of_texts_is_no_article():
    items = [{"title": f"{i}", "content": f"{i}{''.join(TEXT)}"} for i in range(3)]
    html = f'<script type="application/json">{json.dumps(items)}</script>'
    assert article_in_scripts(html, []) is None


@pytest.mark.parametrize(
    "script",
    [
        '<script type="application/json">{"content": </script>',
        '<script type="application/json">%7B%22content%22',
        f'<script type="application/json">{"[" * 100_000}</script>',
        "<script>window.a = {};window.b={x:1}</script>",
        '<script type="application/json">[null, 1, {"content": null, "body": [1]}]</script>',
        '<script type="application/json">[{"content": "' + "\ud800" + "字" * 90 + '"}]</script>',
    ],
    ids=["cut", "cut percent", "deep", "program", "other types", "surrogate"],
)
def test_bad_data_is_ignored(script):
    found = article_in_scripts(script, ["{", "[]", ""])
    assert found is None or "字" in found.body


STATES = {
    "undefined": '{"user":undefined,"post":{"title":"书房","content":TEXT,"createTime":1640998800}}',
    "bare keys": "{post:{title:'书房',content:TEXT,tags:[],hot:!0,},more:void 0}",
    "arguments": '(function(a,b){return {data:[{title:a,content:TEXT,count:b}]}}("书房",0))',
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_states_that_are_no_json_are_read(state):
    text = json.dumps("\n".join(TEXT), ensure_ascii=False)
    html = f"<script>window.__STATE__={state.replace('TEXT', text)};(function(){{}})()</script>"
    found = article_in_scripts(html, [])
    assert found is not None
    assert found.body == "\n".join(TEXT)
    assert found.title == "书房"


def test_an_argument_is_not_put_in_without_end():
    names = "a," * 100_000
    state = f'(function(a){{return [{names}0]}}("{"侨" * 100_000}"))'
    assert len(json.dumps(state_of(state), ensure_ascii=False)) < 2_000_000


@pytest.mark.parametrize(
    "unit", ['"', "'", "\\'", '"\\', "a:", "(function(", "}(", ", ", "!0", "."]
)
def test_literals_without_end_take_linear_time(unit):
    begun = time.process_time()
    state_of("{" + unit * (MOST // len(unit)))
    assert time.process_time() - begun < 3.0


MARKDOWN = f"""[TOC]
## 一、**起因**

{TEXT[0]}见[地图](https://a.cn/m "全市")。
![书房](/1.jpg)
------------
> {TEXT[1]}
- [x] 开放 &lt; 十点
"""
FIELD = (
    "<h1>城市书房</h1><p>作者：周以宁 时间：2020-02-16</p>"
    f'<div id="view"><textarea style="display:none;">{MARKDOWN}</textarea></div>'
)
RENDER = '<script>editormd.markdownToHTML("view", {emoji: true});</script>'


def test_markdown_in_a_field_is_read_if_a_script_renders_it():
    page = Page("http://example.com/a/1", f"{HEAD}{FIELD}{RENDER}".encode())
    assert page.body.split("\n") == ["一、起因", f"{TEXT[0]}见地图。", TEXT[1], "开放 < 十点"]
    assert (page.title, page.byline.author, page.kind) == ("城市书房", "周以宁", "article")
    assert recognize(page) is None


def test_the_text_of_a_form_is_no_article():
    assert Page("http://example.com/a/1", f"{HEAD}{FIELD}".encode()).body == ""


def test_several_fields_are_no_article():
    posts = "".join(f"<textarea>{i}{MARKDOWN}</textarea>" for i in range(3))
    assert article_in_field(posts + RENDER) is None


@pytest.mark.parametrize(
    "unit", ["<textarea ", "[", "![", "](", "<a", "<!--", "> ", "- [ ] ", "# "]
)
def test_fields_without_end_take_linear_time(unit):
    begun = time.process_time()
    article_in_field(
        f"{RENDER}<textarea>{unit * 20_000}\n{TEXT[0]}{TEXT[1]}</textarea>{unit * 20_000}"
    )
    assert time.process_time() - begun < 3.0
