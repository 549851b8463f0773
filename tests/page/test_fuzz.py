"""Random and mutated pages: nothing raises, nothing takes long.

Seeded; a few hundred inputs by default, ``TOPICCRAWL_FUZZ_PAGES=10000`` for the full number. Time is
the process's own CPU time, with a limit far above what any page needs, so that only a blow-up fails.
"""

from __future__ import annotations

import os
import random
import time
from datetime import datetime

import pytest

from topiccrawl.page.byline import find_byline
from topiccrawl.page.dates import CHINA_TIME, find_published
from topiccrawl.page.page import Page
from topiccrawl.page.title import title_of

PAGES = int(os.environ.get("TOPICCRAWL_FUZZ_PAGES", "400"))
PARTS = 4
#: CPU seconds per page of at most 100 KB; a page takes some milliseconds.
LIMIT = 3.0

NOW = datetime(2023, 4, 2, 12, 0, tzinfo=CHINA_TIME)
SEEDS = [
    """<!DOCTYPE html><html><head><meta charset="gbk"><title>侨批档案馆开放_侨乡网</title>
<meta property="og:title" content="侨批"><meta name="pubdate" content="2023-04-01 10:05">
<link rel="canonical" href="/a/1.html"><base href="http://www.example.cn/b/">
<script type="application/ld+json">{"datePublished":"2023-04-01T10:05:00+08:00","author":{"name":"方敏"}}</script>
</head><body><div class="nav"><a href="/">首页</a> &gt; <a href="/q/">侨务</a></div><h1 id="title">侨批档案馆开放</h1>
<div>2023年4月1日 10:05 来源：侨乡日报 作者：方敏</div><div class="content"><p>江门侨批档案馆昨日正式开放，
首批展出侨批三千余封，不少归侨带着孙辈前来参观。</p><br>&nbsp;&nbsp;第二段，馆长介绍说……<img src=a.jpg alt="图"></div>
<div>责任编辑：李小明</div><ul class="list"><li><a href="2.html">相关新闻</a> 2小时前</ul></body></html>""",
    """<html><body bgcolor=#ffffff><table width=100%><tr><td><font size=5><b>舊金山僑社慶元宵</b></font><br>
民國112年2月5日 記者林小明<td>社區<tr><td colspan=2>　　僑胞扶老攜幼參加，場面熱鬧。<br>　　主辦單位表示，明年再辦。
</table><a href='javascript:void(0)'>下一頁</a><iframe src=x></iframe><noscript>no</noscript></body></html>""",
    """<html><head><title>论坛 - Powered by Discuz!</title></head><body><div class="post"><a id="TitleUrl"
href="thread-1-1.html">老屋修好了</a><p>楼主 发表于 2011-9-8 22:05:33</p><p>顶一个，沙发！</p></div><h3>评论</h3>
<p>3楼 张三 回复 昨天 08:30</p><time datetime="2011-09-08T22:05Z">x</time><svg><title>s</title></svg></body></html>""",
]
PIECES = [
    "<div>", "</div>", "<table><tr><td>", "</html>", "<!--", "-->", "<script>", "</script>", "<title>",
    "<![CDATA[", "]]>", "<p", ">", "\"", "'", "&#0;", "&#xD800;", "&#99999999;", "&nbsp;", "\0", "\ufffd",
    "\ud83d\ude00", "<a href='http://[::1'>", "<meta charset=utf-16>", "<base href='//'>", "<h1>" * 9,
    "2023-99-99 99:99", "9999年12月31日", "13小时前", "来源：", "作者：" * 5, "<form><button>", "<frameset>",
    "<style>a{", "<textarea>", "<select><option>", "<noscript>", "<body onload=x>", "<svg><a>", "<math>",
    "{\"datePublished\":\"", "\u202e", "　", "<plaintext>", "<template>", "<br/>" * 20, "。，" * 20,
]  # fmt: skip
BLOWN_UP = [
    "<div>", "<a href=x>", "<b><i>", "<table><tr><td>", "来源：", "2023-04-01 ", "a", "。", "- ", "<h1>x",
    "(" , "第一，", "&amp;", "\"author\":{", "<li>", "记者 ", "1", "<!--", "_", "<p>侨批</p>", "\n", "作者 ",
]  # fmt: skip
ENCODINGS = ["utf-8", "gb18030", "big5", "utf-16-le", "latin-1"]


def make(chance: random.Random) -> bytes:
    """One hostile page."""
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.randrange(3_000))
    if kind < 0.2:
        text = chance.choice(BLOWN_UP) * chance.randrange(1, 3_000)
        return (text + chance.choice(SEEDS)).encode("utf-8", "replace")[:100_000]
    if kind < 0.35:
        text = "".join(chance.choice(PIECES) for _ in range(chance.randrange(400)))
    else:
        text = chance.choice(SEEDS)
        for _ in range(chance.randrange(1, 30)):
            at = chance.randrange(len(text) + 1)
            end = min(len(text), at + chance.randrange(60))
            change = chance.randrange(4)
            if change == 0:
                text = text[:at] + text[end:]
            elif change == 1:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            elif change == 2:
                text = text[:at] + text[at:end] * chance.randrange(2, 20) + text[end:]
            else:
                text = text[:at] + chr(chance.randrange(0x110000)) + text[at + 1 :]
    body = bytearray(text.encode(chance.choice(ENCODINGS), "replace"))
    for _ in range(chance.choice([0, 0, 1, 20])):
        if body:
            body[chance.randrange(len(body))] = chance.randrange(256)
    return bytes(body[:100_000])


def analyze(body: bytes, charset: str | None) -> None:
    """Every property of a page, and the functions on its parts."""
    page = Page("http://www.example.cn/a/1.html", body, charset, now=NOW)
    names = (name for name in dir(type(page)) if not name.startswith("_"))
    for name in names:
        getattr(page, name)
    lines = page.visible_text.split("\n")
    title = title_of(page.outline, lines, page.url).text
    assert len(title) <= 200
    found = find_published(
        now=NOW,
        lines=lines,
        title=title,
        meta=page.meta,
        times=page.outline.times,
        json_ld=page.outline.json_ld,
        url=page.url,
    )
    assert found is None or found.year >= 1994
    find_byline(lines, title, page.meta, page.outline.json_ld)
    page.to_markdown(links=True)
    assert "\0" not in page.text


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_raises_or_blows_up(part: int) -> None:
    for number in range(part, PAGES, PARTS):
        chance = random.Random(number)
        body = make(chance)
        charset = chance.choice([None, "utf-8", "gbk", "big5", "utf-16", "x"])
        start = time.process_time()
        try:
            analyze(body, charset)
        except Exception as error:
            raise AssertionError(f"page {number}: {type(error).__name__}: {error}") from error
        assert time.process_time() - start < LIMIT, f"page {number} of {len(body)} bytes"
