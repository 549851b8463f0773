"""The main text of a page as Markdown."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from topiccrawl.page.markdown.code import without_numbers
from topiccrawl.page.markdown.composition import compose, find_lines
from topiccrawl.page.markdown.pictures import address_of
from topiccrawl.page.page import Page
from topiccrawl.page.walk import walk

TITLE = "老街修缮完成"
FIRST = "修缮后的老街昨日重新开放，居民们陆续搬回。这条街有三百年的历史，经过了两年的修缮，石牌坊也拆去了脚手架。"
LAST = "记者离开时，夜色已深，街上的灯笼一盏盏亮了起来，几位老人还坐在门口，说着今年的收成和明年的打算。"
MENU = "".join(f"<li><a href='/c{n}/'>频道{n}</a></li>" for n in range(8))


def page(main: str, *, head: str = "", extractor: str = "blocks", after: str = "") -> Page:
    html = (
        f"<html><head><title>{TITLE}_侨乡网</title>{head}</head><body><ul>{MENU}</ul><h1>{TITLE}</h1>"
        f"<div class='content'><p>{FIRST}</p>{main}<p>{LAST}</p></div>{after}"
        "<div class='footer'>版权所有</div></body></html>"
    )
    return Page("http://news.example/a/1.html", html.encode(), "utf-8", extractor=extractor)


def between(main: str) -> str:
    """Return the Markdown between the two paragraphs."""
    text = page(main).markdown
    assert text.startswith(f"{FIRST}\n\n")
    assert text.endswith(f"\n\n{LAST}")
    return text.removeprefix(FIRST).removesuffix(LAST).strip("\n")


def test_the_title_and_what_is_around_the_text_are_left_out() -> None:
    assert page("").markdown == f"{FIRST}\n\n{LAST}"


def test_headings_keep_their_level_and_lose_their_links() -> None:
    assert between(f"<h2>历史<a href='#x'>¶</a></h2><p>{FIRST}</p>").startswith("## 历史\n\n")
    assert between(f"<h2><a href='#x'>#</a> 历史</h2><p>{FIRST}</p>").startswith("## 历史\n\n")
    assert between(f"<h2>用 C#</h2><p>{FIRST}</p>").startswith("## 用 C#\n\n")


def test_a_heading_above_nothing_is_left_out() -> None:
    text = page(
        "", after="<div><h3>相关阅读</h3><ul><li><a href='/2'>另一条新闻</a></li></ul></div>"
    )
    assert "相关阅读" not in text.markdown


def test_lists_keep_their_order_numbers_and_inner_lists() -> None:
    assert between(
        "<ol start=3><li>修缮房屋<li>修路<ul><li>石板路<li>沥青路</ul><li>绿化</ol>"
    ) == ("3. 修缮房屋\n4. 修路\n   - 石板路\n   - 沥青路\n5. 绿化")


def test_two_lists_in_a_row_stay_two() -> None:
    assert between("<ul><li>甲<li>乙</ul><ul><li>丙<li>丁</ul>") == "- 甲\n- 乙\n\n* 丙\n* 丁"


def test_a_table_is_written_whole() -> None:
    table = "<table><caption>表一</caption><tr><th>年份<th>游客|人次<tr><td>2021<td>12万<tr><td>2022<td></table>"
    assert between(table) == (
        "表一\n\n| 年份 | 游客\\|人次 |\n| --- | --- |\n| 2021 | 12万 |\n| 2022 |  |"
    )


def test_a_cell_that_covers_others_leaves_them_empty() -> None:
    table = "<table><tr><td colspan=2>合计<td>3<tr><td rowspan=2>甲<td>1<td>2<tr><td>3<td>4</table>"
    assert between(table) == "| 合计 |  | 3 |\n| --- | --- | --- |\n| 甲 | 1 | 2 |\n|  | 3 | 4 |"


def test_a_table_of_the_layout_is_no_table() -> None:
    assert between(f"<table><tr><td>&nbsp;</td><td><p>{FIRST}</p></td></tr></table>") == FIRST


def test_a_quotation_has_one_mark_however_many_boxes_it_has() -> None:
    quotation = f"<div class='quote'><blockquote><p>{FIRST}</p><p>{LAST}</p></blockquote></div>"
    assert between(quotation) == f"> {FIRST}\n>\n> {LAST}"


CODE = "def f(x):\n    return x * 2  # <b>\n\nf(1)"
ESCAPED = CODE.replace("<", "&lt;")
NUMBERS = "\n".join("1234")
HIGHLIGHTED = {
    "a class of the language": f"<pre><code class='language-python'>{ESCAPED}</code></pre>",
    "line numbers in a cell": "<table class=highlight-python><tr><td class='gutter'><pre>"
    f"{NUMBERS}</pre></td><td class='code'><pre>{ESCAPED}</pre></td></tr></table>",
    "line numbers before each line": "<pre class='brush: python'>"
    + "\n".join(f"<i>{n}</i> {line}" for n, line in enumerate(ESCAPED.split("\n"), 1))
    + "</pre>",
    "the cells of Hexo": "<figure class='highlight python'><table><tr><td class='gutter'><pre>"
    f"{'<br>'.join(f'<span>{n}</span>' for n in range(1, 5))}</pre></td><td class='code'><pre>"
    f"{'<br>'.join(f'<span>{line}</span>' for line in ESCAPED.split(chr(10)))}</pre></td></tr></table></figure>",
    "a box for each line and a button": "<pre class='hljs python'><button>复制</button>"
    + "".join(f"<div class='line'>{line or '<br>'}</div>" for line in ESCAPED.split("\n"))
    + "</pre>",
}


@pytest.mark.parametrize("html", HIGHLIGHTED.values(), ids=HIGHLIGHTED.keys())
def test_code_comes_back_as_it_was_written(html: str) -> None:
    assert between(html) == f"```python\n{CODE}\n```"


def test_code_in_a_line_and_code_with_fences_are_fenced_safely() -> None:
    assert "调用`f(x)`即可" in page(f"<p>{FIRST}调用<code>f(x)</code>即可。</p>").markdown
    assert between("<pre>a\n```\nb</pre>") == "````\na\n```\nb\n````"


def test_numbers_that_belong_to_the_program_stay() -> None:
    assert without_numbers(["1 a", "3 b", "5 c"]) == ["1 a", "3 b", "5 c"]
    assert between("<pre>10\n20\n30</pre>") == "```\n10\n20\n30\n```"


def test_an_image_has_its_caption_and_its_real_address() -> None:
    figure = "<figure><img src='/loading.gif' data-src='/pic/1.jpg'><figcaption>老街的清晨</figcaption></figure>"
    found = page(figure)
    assert "![老街的清晨](http://news.example/pic/1.jpg)" in found.markdown
    assert found.markdown.count("老街的清晨") == 1
    assert found.images == ("http://news.example/pic/1.jpg",)


@pytest.mark.parametrize("alt", ["图1] 老街", "老街[图", "[图] 老街", "老街\\"])
def test_an_alternative_text_does_not_end_the_image(alt: str) -> None:
    escaped = "".join(f"\\{x}" if x in "[]\\" else x for x in alt)
    assert between(f"<p><img src='/pic/1.jpg' alt='{alt}'></p>") == (
        f"![{escaped}](http://news.example/pic/1.jpg)"
    )


def test_raised_numbers_are_not_digits_of_the_number_before() -> None:
    html = (
        "<p>全镇约有2×10<sup>6</sup> m<SUP><span>2</span></SUP>的林地，每年少排10<sup> -3</sup>吨CO<sub>2</sub>"
        "<sup><a href='#n1'>12</a></sup>，见<sup>[2]</sup>，这是第1<sup>st</sup>次统计。</p>"
    )
    text = "全镇约有2×10⁶ m²的林地，每年少排10 ⁻³吨CO2¹²，见[2]，这是第1st次统计。"
    found = page(html)
    assert text in found.body
    assert text in found.markdown


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/logo.png>",
        "<img src=/a.jpg width=1 height=1>",
        "<a href=http://shop.example/><img src=http://ads.example/a.jpg></a>",
        "<img src=data:image/gif;base64,R0lGOD>",
    ],
)
def test_logos_counters_and_advertisements_are_no_images_of_the_text(image: str) -> None:
    assert page(f"<p>{image}</p>").images == ()


def test_the_address_without_scripts_replaces_a_placeholder() -> None:
    found = page("<p><img src='data:x'><noscript><img src='/real.jpg'></noscript></p>")
    assert found.images == ("http://news.example/real.jpg",)
    assert address_of({"src": "/blank.gif", "srcset": "/s.jpg 300w, /l.jpg 900w"}) == "/l.jpg"


def test_the_main_image_is_the_stated_one_unless_that_is_the_logo() -> None:
    figure = "<p><img src='/pic/1.jpg'></p>"
    stated = "<meta property='og:image' content='{}'>"
    assert (
        page(figure, head=stated.format("/pic/9.jpg")).main_image == "http://news.example/pic/9.jpg"
    )
    assert (
        page(figure, head=stated.format("/logo.png")).main_image == "http://news.example/pic/1.jpg"
    )
    assert page("").main_image == ""


def test_links_are_written_when_asked_for() -> None:
    found = page(f"<p>{FIRST}见<a href='/b.html'>公告</a>。</p>")
    assert "见公告。" in found.markdown
    assert "见[公告](http://news.example/b.html)。" in found.to_markdown(links=True)


def test_characters_that_would_be_markup_are_escaped() -> None:
    text = between(f"<p>1. **{FIRST}** &lt;b> a_b</p>")
    assert text == f"1\\. \\*\\*{FIRST}\\*\\* \\<b> a_b"


def test_verses_keep_their_lines_and_paragraphs_by_br_are_paragraphs() -> None:
    poem = "春眠不觉晓，<br>处处闻啼鸟。<br>夜来风雨声，<br>花落知多少。"
    assert "春眠不觉晓，\\\n处处闻啼鸟。\\\n" in page(f"<p>{FIRST}</p><p>{poem}</p>").markdown
    assert between(f"　　{FIRST}<br>　　{LAST}<br>") == f"{FIRST}\n\n{LAST}"


def test_other_extractors_have_markdown_too() -> None:
    text = page("<h2>历史</h2>" + f"<p>{FIRST}</p>", extractor="text-density").markdown
    assert FIRST in text
    assert find_lines(["a", "b", "a b", "b"], ["a", "ab", "b", "x"]) == [0, 2, 3]


def test_a_page_without_text_has_no_markdown() -> None:
    assert Page("", b"").markdown == ""
    assert Page("", b"GIF89a" + bytes(100)).markdown == ""


PARAGRAPH = f"<p>{FIRST}</p>"
HOSTILE: dict[str, Callable[[int], str]] = {
    "nested quotations": lambda n: PARAGRAPH + "<blockquote>" * 10 * n + PARAGRAPH,
    "nested tables": lambda n: PARAGRAPH + "<table><tr><td>a</td><td>" * n + PARAGRAPH,
    "cells that cover everything": lambda n: (
        PARAGRAPH
        + f"<table>{'<tr><td rowspan=99 colspan=99>a</td><td>1</td></tr>' * n}</table>{PARAGRAPH}"
    ),
    "images": lambda n: "<div>" * 90 + PARAGRAPH + "<img src=a.jpg>" * 3 * n + PARAGRAPH,
    "backticks": lambda n: f"{PARAGRAPH}<pre>{'`' * 30 * n}</pre>{PARAGRAPH}",
    "stars": lambda n: f"<p>{FIRST}{'*_`[](' * 5 * n}</p>",
    "raised tags": lambda n: PARAGRAPH + "<sup><a><b>" * 2 * n + "</sup>" + PARAGRAPH,
    "raised spaces": lambda n: PARAGRAPH + f"<sup><b>{' ' * 9}1 " * 2 * n + "</sup>" + PARAGRAPH,
    "items": lambda n: f"{PARAGRAPH}<ul>{'<li>项目</li>' * 3 * n}</ul>{PARAGRAPH}",
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_time_of_hostile_pages_is_bounded(make: Callable[[int], str]) -> None:
    page = make(4_000).encode()
    started = time.process_time()
    found = Page("http://a.example/1.html", page, "utf-8")
    assert found.markdown
    assert found.kind
    # CPU time, ten times what it takes.
    assert time.process_time() - started < 5


def test_the_heading_above_a_selected_line_belongs_to_it() -> None:
    html = "<p>甲</p><h2>一</h2><h3>二</h3><p>乙</p><h2>三</h2><p>丙</p>"
    text = walk(html).text
    offsets = [text.index(line) for line in "甲乙"]
    found = compose(html, text, "甲\n乙", offsets, "", lambda href: href)
    assert found.markdown == "甲\n\n## 一\n\n### 二\n\n乙"
    part = compose(html, text, "甲\n乙", offsets, "", lambda href: href, complete=False)
    assert part.markdown == "甲\n\n乙"


def test_names_with_their_values_are_a_list() -> None:
    pairs = "<dl><dt>中文名<dd>老街<dt>建成：<dd>清代</dl>"
    assert between(pairs) == "- 中文名: 老街\n- 建成: 清代"


def test_a_table_of_which_one_column_is_text_is_no_table() -> None:
    row = "<tr><td class='author'>{}</td><td>{}</td></tr>"
    names, texts = ("槐树下", "青石"), (FIRST, LAST)
    rows = "".join(row.format(name, text) for name, text in zip(names, texts, strict=True))
    html = f"<html><body><h1>{TITLE}</h1><table>{rows}</table></body></html>"
    composition = compose(
        html, walk(html).text, f"{FIRST}\n{LAST}", None, TITLE, str, complete=False
    )
    assert composition.markdown == f"{FIRST}\n\n{LAST}"


def test_an_image_with_the_link_of_a_word_of_the_text_is_no_advertisement() -> None:
    image = "<p><a href='http://shop.example/3'><img src='http://news.example/3.jpg'></a></p>"
    assert between(image) == ""
    text = "<p>这张照片由<a href='http://shop.example/3'>街口的照相馆</a>提供，拍摄于修缮之前，石牌坊还在。</p>"
    assert between(text + image).endswith("\n\n![](http://news.example/3.jpg)")
