"""Parts of an article are recognized in the markup of many systems, and assembled into one text."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.page import Page
from topiccrawl.page.paging import Paging, assemble, assemble_markdown, find_paging, same_article
from topiccrawl.urls.canonical import canonical_url

A = "http://www.qiao.example"
TEXT = [
    f"侨务部门{verb}归侨侨眷，了解华侨华人社团的需要，海外侨胞回到侨乡寻根谒祖，参观华文学校。"
    for verb in ("走访", "慰问", "邀请", "联系", "服务", "接待", "看望", "团结", "帮助", "关心")
]


def html(
    pager: str, *, title: str = "侨乡百年", paragraphs: int = 5, below: str = "", head: str = ""
) -> bytes:
    text = "".join(f"<p>{line}</p>" for line in TEXT[:paragraphs])
    return (
        f"<html><head><meta charset=utf-8><title>{title}_侨网</title>{head}</head><body>"
        f"<div class=nav><a href=/>首页</a> <a href=/hr/>华人</a></div><h1>{title}</h1>"
        f"<div class=info>2020-01-13 来源：侨网</div><div class=content>{text}</div>"
        f"{below}{pager}<div class=foot>版权所有 侨网</div></body></html>"
    ).encode()


def paging(path: str, page: bytes) -> Paging | None:
    return find_paging(Page(f"{A}{path}", page), canonical_url)


#: System, path, markup of the page links, number of the part, paths of the other parts.
SYSTEMS = [
    (
        "dedecms",
        "/a/2020/0113/5468.html",
        "<ul class=pagelist><li><a>共3页: </a></li><li><a href='#'>上一页</a></li>"
        "<li class=thisclass><a href='#'>1</a></li><li><a href='5468_2.html'>2</a></li>"
        "<li><a href='5468_3.html'>3</a></li><li><a href='5468_2.html'>下一页</a></li></ul>",
        1,
        {2: "/a/2020/0113/5468_2.html", 3: "/a/2020/0113/5468_3.html"},
    ),
    (
        "dedecms, second part",
        "/a/2020/0113/5468_2.html",
        "<ul class=pagelist><li><a href='5468.html'>上一页</a></li><li><a href='5468.html'>1</a></li>"
        "<li><a href='#'>2</a></li><li><a href='5468_3.html'>3</a></li></ul>",
        2,
        {1: "/a/2020/0113/5468.html", 3: "/a/2020/0113/5468_3.html"},
    ),
    (
        "phpcms, rewritten",
        "/show-13-5468-1.html",
        "<div id=pages class=text-c><a class=a1 href='/show-13-5468-1.html'>上一页</a> <span>1</span> "
        "<a href='/show-13-5468-2.html'>2</a> <a class=a1 href='/show-13-5468-2.html'>下一页</a></div>",
        1,
        {2: "/show-13-5468-2.html"},
    ),
    (
        "phpcms, dynamic",
        "/index.php?m=content&c=index&a=show&catid=13&id=5468",
        "<div id=pages><span>1</span> <a href='index.php?m=content&c=index&a=show&catid=13&id=5468&page=2'>2"
        "</a></div>",
        1,
        {2: "/index.php?a=show&c=index&catid=13&id=5468&m=content&page=2"},
    ),
    (
        "people.com.cn",
        "/n1/2020/0113/c1002-31545.html",
        "<div class=zdfy>【1】<a href='/n1/2020/0113/c1002-31545-2.html'>【2】</a>"
        "<a href='/n1/2020/0113/c1002-31545-3.html'>【3】</a></div>"
        "<a href='/n1/2020/0113/c1002-31545-2.html'>下一页</a>",
        1,
        {2: "/n1/2020/0113/c1002-31545-2.html", 3: "/n1/2020/0113/c1002-31545-3.html"},
    ),
    (
        "trs, counted from 0",
        "/qw/202001/t20200113_5468.html",
        "<div class=page>1 <a href='./t20200113_5468_1.html'>2</a> <a href='./t20200113_5468_2.html'>3</a> "
        "<a href='./t20200113_5468_1.html'>下一页</a></div>",
        1,
        {2: "/qw/202001/t20200113_5468_1.html", 3: "/qw/202001/t20200113_5468_2.html"},
    ),
    (
        "trs, second part",
        "/qw/202001/t20200113_5468_1.html",
        "<div class=page><a href='./t20200113_5468.html'>上一页</a> <a href='./t20200113_5468.html'>1</a> 2 "
        "<a href='./t20200113_5468_2.html'>3</a></div>",
        2,
        {1: "/qw/202001/t20200113_5468.html", 3: "/qw/202001/t20200113_5468_2.html"},
    ),
    (
        "wordpress, nextpage",
        "/2020/01/qiaoxiang/",
        "<p>Pages: <span>1</span> <a href='/2020/01/qiaoxiang/2/'>2</a></p>",
        1,
        {2: "/2020/01/qiaoxiang/2/"},
    ),
    (
        "empirecms, only next",
        "/news/gd/2020-01-13/5468.html",
        "<p align=center><a href='/news/gd/2020-01-13/5468_2.html'>下一页&gt;&gt;</a></p>",
        1,
        {2: "/news/gd/2020-01-13/5468_2.html"},
    ),
    (
        "folder of an article",
        "/article/5468/2.html",
        "<a href='/article/5468/'>上页</a> <a href='/article/5468/'>[1]</a> [2] <a href='/article/5468/3.html'>[3]</a>",
        2,
        {1: "/article/5468/", 3: "/article/5468/3.html"},
    ),
    (
        "asp",
        "/shownews.asp?id=546",
        "<a href='shownews.asp?id=546&page=2'>第2页</a> <a href='shownews.asp?id=546&page=3'>第3页</a>",
        1,
        {2: "/shownews.asp?id=546&page=2", 3: "/shownews.asp?id=546&page=3"},
    ),
    (
        "titles of the parts",
        "/a/20200113/5468.shtml",
        "<ol><li>第1页：开篇</li><li><a href='5468_2.shtml'>第2页：侨乡</a></li></ol>",
        1,
        {2: "/a/20200113/5468_2.shtml"},
    ),
    (
        "traditional",
        "/news/20200113/5468-2.html",
        "<a href='5468.html'>上一頁</a> <a href='5468.html'>1</a> <b>2</b> <a href='5468-3.html'>下一頁</a>",
        2,
        {1: "/news/20200113/5468.html", 3: "/news/20200113/5468-3.html"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("system", "path", "pager", "number", "parts"), SYSTEMS)
def test_a_part_is_recognized(
    system: str, path: str, pager: str, number: int, parts: dict[int, str]
) -> None:
    found = paging(path, html(pager))
    assert found is not None
    assert found.number == number
    assert found.parts == {n: f"{A}{it}" for n, it in parts.items()}
    assert found.first == f"{A}{parts[1]}" if number > 1 else canonical_url(f"{A}{path}")


def test_rel_next_is_a_page_link() -> None:
    head = "<link rel=next href=5468_2.html>"
    found = paging("/a/20200113/5468.html", html("", head=head))
    assert found is not None
    assert found.parts == {2: f"{A}/a/20200113/5468_2.html"}


def test_all_parts_have_one_key_and_say_which_is_the_first() -> None:
    pages = {
        "5468.html": "<a href=5468_2.html>下一页</a>",
        "5468_2.html": "<a href=5468.html>上一页</a><a href=5468_3.html>下一页</a>",
        "5468_3.html": "<a href=5468_2.html>上一页</a>",
    }
    found = [paging(f"/a/20200113/{name}", html(pager)) for name, pager in pages.items()]
    assert [it and it.number for it in found] == [1, 2, 3]
    assert {it and it.key for it in found} == {f"{A}/a/20200113/5468"}
    assert {it and it.first for it in found} == {f"{A}/a/20200113/5468.html"}


#: What looks like parts and is none: name, path, markup.
OTHERS = [
    ("the next article", "/a/20200113/5468.html", "<a href=5469.html>下一页</a>"),
    ("the next article, by title", "/a/20200113/5468.html", "下一篇：<a href=5468_2.html>侨批档案展出</a>"),
    ("a list", "/hr/list.html", "<a href=list_2.html>2</a><a href=list_2.html>下一页</a>"),
    ("a front", "/hr/", "<a href=/hr/index_2.html>2</a><a href=/hr/index_2.html>下一页</a>"),
    ("a list of a script", "/list.php?cid=12", "<a href='list.php?cid=12&page=2'>2</a>"),
    ("posts of a tag", "/tag/2020/", "<a href=/tag/2020/page/2/>2</a>"),
    ("a blog's front", "/", "<a href=/page/2/>2</a><a href=/page/2/>下一页</a>"),
    ("a thread", "/thread-54680-1-1.html", "<a href=thread-54680-2-1.html>2</a>"),
    ("a chapter", "/novel/chapter_10.html", "<a href=chapter_11.html>下一页</a>"),
    ("numbers that are something else", "/a/20200113/5468.html", "<a href=5468_7.html>2</a>"),
    ("another site", "/a/20200113/5468.html", "<a href=http://x.example/a/20200113/5468_2.html>2</a>"),
    ("a day of a newspaper", "/html/2020-01/13/content_5468.htm",
     "<a href=../14/content_5468.htm>下一页</a>"),
    ("comments far below", "/a/20200113/5468.html",
     "<div class=comments>" + "".join(f"<li>网友{i}：侨乡新貌</li>" for i in range(90))
     + "</div><a href=5468_2.html>2</a>"),
    ("a year's list", "/hr/2020/", "<a href=/hr/2020/index_2.html>2</a>"),
    ("a list of phpcms", "/index.php?m=content&c=index&a=lists&catid=13",
     "<a href='/index.php?m=content&c=index&a=lists&catid=13&page=2'>2</a>"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "pager"), OTHERS)
def test_other_page_links_are_no_parts(name: str, path: str, pager: str) -> None:
    assert paging(path, html(pager)) is None


def test_a_list_of_news_is_no_article_whatever_its_address() -> None:
    items = "".join(
        f"<li><a href=/n/{i}.html>侨务新闻第{i}号：侨乡新貌</a> 01-13</li>" for i in range(40)
    )
    pager = f"<ul>{items}</ul><a href=20200113_2.html>2</a><a href=20200113_2.html>下一页</a>"
    assert paging("/n/20200113.html", html(pager, paragraphs=0)) is None


def test_titles_of_parts_are_equal_but_for_their_number() -> None:
    for title in (
        "侨乡百年",
        "侨乡百年（2）",
        "侨乡百年(二)",
        "侨乡百年_第2页",
        "侨乡百年【2】",
        "侨乡百年 (2/5)",
    ):
        assert same_article(title, "侨乡百年（1）"), title
    assert not same_article("第1批名单", "第2批名单")
    assert not same_article("侨乡百年", "侨乡千年")


def test_parts_are_one_text_without_what_they_repeat() -> None:
    intro, editor = "核心提示：侨乡走过百年。", "（责任编辑：林侨生）"
    bodies = {
        1: "\n".join([intro, *TEXT[:3], editor]),
        2: "\n".join([intro, *TEXT[3:6], "上一页 1 2 3 下一页", editor]),
        3: "\n".join([intro, *TEXT[6:9], editor]),
    }
    assert assemble(bodies) == "\n".join([intro, *TEXT[:9], editor])


def test_the_title_above_a_later_part_is_left_out() -> None:
    bodies = {1: TEXT[0], 2: f"侨乡百年（2）\n{TEXT[1]}"}
    assert assemble(bodies, "侨乡百年") == f"{TEXT[0]}\n{TEXT[1]}"


def test_a_paragraph_that_a_page_break_cuts_is_one() -> None:
    cut = TEXT[4] + TEXT[5]
    text = assemble({1: "\n".join([*TEXT[:4], cut[:50]]), 2: "\n".join([cut[50:], TEXT[6]])})
    assert text == "\n".join([*TEXT[:4], cut, TEXT[6]])


def test_the_whole_article_on_one_page_is_the_text() -> None:
    whole = "\n".join(TEXT)
    assert assemble({1: "\n".join(TEXT[:4]), 2: "\n".join(TEXT[4:]), 3: whole}) == whole


def test_a_part_that_is_equal_to_the_first_adds_nothing() -> None:
    assert assemble({1: TEXT[0], 2: TEXT[0], 3: TEXT[1]}) == f"{TEXT[0]}\n{TEXT[1]}"


def test_numbers_within_a_text_stay() -> None:
    body = "\n".join([TEXT[0], "2020", "第3页", TEXT[1]])
    assert assemble({1: body, 2: TEXT[2]}) == "\n".join([TEXT[0], "2020", TEXT[1], TEXT[2]])


@given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_any_division_gives_back_the_text_in_any_order(
    sizes: list[int], drawn: random.Random
) -> None:
    lines = [f"第{i}段：{TEXT[i % 10]}" for i in range(sum(sizes))]
    bodies, at = {}, 0
    for number, size in enumerate(sizes, 1):
        bodies[number] = "\n".join(lines[at : at + size])
        at += size
    order = list(bodies)
    drawn.shuffle(order)
    assert assemble({number: bodies[number] for number in order}) == "\n".join(lines)


def test_the_markdown_of_parts_is_joined_without_what_they_repeat() -> None:
    code = "```\na\n\nb\n```"
    parts = {
        1: f"摘要：侨乡百年。\n\n## 一\n\n第一段。\n\n{code}\n\n（本文共2页）\n\n上一页 1 2 下一页",
        2: "摘要：侨乡百年。\n\n## 二\n\n第一段。\n\n- 甲\n- 乙",
    }
    assert assemble_markdown(parts) == (
        f"摘要：侨乡百年。\n\n## 一\n\n第一段。\n\n{code}\n\n## 二\n\n- 甲\n- 乙"
    )


@pytest.mark.parametrize("line", ["1" * 58 + "侨", "页 " * 29 + "侨", "第1 页" * 14 + "侨"])
def test_a_line_like_page_links_is_read_at_once(line: str) -> None:
    begun = time.process_time()
    assert assemble({1: f"{TEXT[0]}\n{line}", 2: TEXT[1]}).split("\n")[1].startswith(line)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("end", ["（第三", "—", "1 / ", "page 1"])
def test_the_part_in_a_title_is_found_in_linear_time(end: str) -> None:
    begun = time.process_time()
    assert not same_article(f"侨{' ' * 20_000}{end}{' ' * 20_000}乡", "侨乡百年")
    assert time.process_time() - begun < 1
