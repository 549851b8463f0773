"""The extractor ``blocks``: body, comments and kind of a page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from topiccrawl.demo.web import DemoWeb
from topiccrawl.page.body.features import features_of
from topiccrawl.page.body.kind import kind_by_model
from topiccrawl.page.body.selection import select_body
from topiccrawl.page.body.thread import by_address
from topiccrawl.page.page import Page

PARAGRAPHS = [
    "昨日上午，滨河区图书馆举办了新一期读书沙龙，三十多位读者围绕城市记忆展开了讨论。",
    "主持人介绍说，沙龙每月一次，由读者自己报名主讲，馆里只提供场地和资料。",
    "家住附近的一位退休教师带来了自己收藏的旧地图，讲述了河道几十年来的变化。",
    "图书馆表示，下一期的题目将由读者投票决定，报名仍在进行中。",
]
MENU = "".join(
    f"<li><a href=/c{i}/>{n}</a></li>"
    for i, n in enumerate(["首页", "新闻", "财经", "文化", "体育", "读书"])
)
RELATED = "".join(
    f"<li><a href=/n/{i}.html>{t}</a></li>"
    for i, t in enumerate(
        [
            "老街改造完成第一期工程",
            "社区食堂新增三个网点",
            "市民广场周末有音乐会",
            "夏季夜读活动开始报名",
        ]
    )
)


def article(body: str, *, after: str = "", names: bool = True) -> str:
    def box(name: str) -> str:
        return f"div class={name}" if names else "div class=x7f3"

    return (
        "<html><head><title>读书沙龙聊城市记忆_滨河新闻网</title></head><body>"
        f"<{box('nav')}><ul>{MENU}</ul></div><{box('main')}><h1>读书沙龙聊城市记忆</h1>"
        f"<{box('info')}>2026-05-04 09:30 来源：滨河日报</div><{box('content')}>{body}</div>"
        f"<{box('related')}><h3>相关阅读</h3><ul>{RELATED}</ul></div>{after}</div>"
        f"<{box('footer')}>版权所有 滨河新闻网 未经许可不得转载</div></body></html>"
    )


def page(html: str, url: str = "http://news.example/2026/0504/1234.html") -> Page:
    return Page(url, html.encode(), "utf-8")


FORMS = {
    "paragraphs": "".join(f"<p>{p}</p>" for p in PARAGRAPHS),
    "breaks": "<br><br>".join(f"　　{p}" for p in PARAGRAPHS),
    "table": "<table><tr><td>" + "<p>".join(PARAGRAPHS) + "</td></tr></table>",
    "fonts": "".join(f"<div><font size=3>{p}</font></div>" for p in PARAGRAPHS),
}


@pytest.mark.parametrize("names", [True, False], ids=["named", "nameless"])
@pytest.mark.parametrize("form", FORMS)
def test_the_body_is_the_article_in_any_markup(form: str, names: bool) -> None:
    found = page(article(FORMS[form], names=names))
    assert found.body.split("\n") == PARAGRAPHS
    assert found.kind == "article"


def test_comments_of_readers_are_separated_from_an_article() -> None:
    texts = ["写得真好，下次我也要报名参加。", "旧地图能不能在网上看到？希望图书馆考虑一下。"]
    comments = "<div class=comments><h3>网友评论</h3>" + "".join(
        f"<div class=comment-item><span>读者{i}</span><p>{t}</p></div>" for i, t in enumerate(texts)
    )
    found = page(article(FORMS["paragraphs"], after=comments + "</div>"))
    assert found.body.split("\n") == PARAGRAPHS
    assert [line for line in found.comments.split("\n") if line in texts] == texts


def test_the_posts_of_a_thread_are_its_body() -> None:
    posts = ["请问哪里可以查到老城区的旧地图？跑了几家书店都没有找到。", *PARAGRAPHS[:3]]
    rows = "".join(
        f"<div class=post><div class=author><a href=/u/{i}>用户{i}</a></div>"
        f"<div class=info>发表于 2026-05-0{i + 1} 10:2{i} {i + 1}楼</div><div class=t_f>{p}</div></div>"
        for i, p in enumerate(posts)
    )
    html = f"<title>哪里有老地图 - 滨河论坛</title><ul>{MENU}</ul><h1>哪里有老地图</h1>{rows}"
    found = page(html, "http://bbs.example/thread-1024-1-1.html")
    assert found.kind == "thread"
    for post in posts:
        assert post in found.body
    assert found.comments == ""


@pytest.mark.parametrize(
    "link",
    [
        "<a href=/files/5.doc>名单</a>",
        "<a href='/download?id=5'>报名表.docx</a>",
        "<a href='/download?id=5'>附件1 报名表</a>",
    ],
)
def test_links_to_attachments_close_below_the_text_are_part_of_it(link: str) -> None:
    html = article("".join(f"<p>{text}</p>" for text in PARAGRAPHS) + f"<p>{link}</p>")
    name = link.partition(">")[2].partition("<")[0]
    assert page(html).body.split("\n") == [*PARAGRAPHS, name]


def test_links_to_files_elsewhere_are_not_in_the_body() -> None:
    foot = "<div class=foot><p>主办单位</p><p>帮助</p><a href=/app.zip>下载.zip</a></div>"
    found = page(article(FORMS["paragraphs"], after=foot))
    assert found.body.split("\n") == PARAGRAPHS


def test_a_list_of_links_has_no_body() -> None:
    items = "".join(
        f"<li><a href=/2026/{i}.html>滨河区第{i}次读书活动在图书馆举行</a><span>05-{i:02}</span></li>"
        for i in range(1, 40)
    )
    html = f"<title>文化频道_滨河新闻网</title><ul class=nav>{MENU}</ul><ul class=list>{items}</ul>"
    found = page(html, "http://news.example/culture/")
    assert found.kind == "list"
    assert found.body == ""


@pytest.mark.parametrize(
    "entry",
    [
        "<li>{link}<span>2023-05-{i:02}</span></li>",
        "<li><span>[2023-05-{i:02}]</span>{link}</li>",
        "<p>{link}　(2023/05/{i:02})</p>",
        "<li><a href=/{i}.html><span>滨河区第{i}次社区读书活动</span><span>2023-05-{i:02}</span></a></li>",
    ],
    ids=["behind", "before", "in brackets", "in the link"],
)
def test_a_list_of_notices_with_dates_below_a_trail_is_no_thread(entry: str) -> None:
    link = "<a href=/{i}.html>滨河区第{i}次社区读书活动在图书馆举行</a>"
    items = "".join(entry.format(link=link.format(i=i), i=i) for i in range(1, 9))
    html = (
        f"<title>通知公告-滨河文化馆</title><ul class=nav>{MENU}</ul><div>当前位置：<a href=/>首页</a> > 通知公告</div>"
        f"<div>{items}</div><p>主办：滨河文化馆　承办：信息中心</p>"
    )
    found = page(html, "http://news.example/tzgg/index.html")
    assert (found.kind, found.body) == ("list", "")


def test_dated_links_below_a_text_make_no_list_of_it() -> None:
    links = "".join(
        f"<li><a href=/{i}.html>滨河区第{i}次读书活动</a><span>2023-05-{i:02}</span></li>"
        for i in range(1, 9)
    )
    found = page(article(FORMS["paragraphs"], after=f"<h3>相关新闻</h3><ul>{links}</ul>"))
    assert (found.kind, found.body.split("\n")) == ("article", PARAGRAPHS)


def teasers(titles: Sequence[str], end: str) -> str:
    items = "".join(
        f"<li><a href=/{i}.html><img src={i}.jpg></a><div><a href=/{i}.html>{title}</a><p>{text}{end}</p></div></li>"
        for i, (title, text) in enumerate(zip(titles, PARAGRAPHS * 2, strict=False))
    )
    return f"<title>活动_滨河文化馆</title><ul class=nav>{MENU}</ul><ul>{items}</ul><p>版权所有 滨河文化馆</p>"


@pytest.mark.parametrize(
    ("titles", "end"),
    [
        (("读书沙龙", "合唱排练", "摄影展览", "书法讲座"), "..."),
        (
            (
                "读书沙龙聊城市记忆",
                "合唱团周末公开排练",
                "老城摄影展今日开幕",
                "书法讲座走进社区里",
            ),
            "",
        ),
    ],
    ids=["broken off", "below titles"],
)
def test_texts_below_the_links_that_they_are_about_are_a_list(
    titles: Sequence[str], end: str
) -> None:
    html = teasers(titles, end)
    found = page(html)
    assert (found.kind, found.body) == ("list", "")
    # Three may be the parts of an article, and whole texts below short links those of members.
    assert page(teasers(titles[:3], end)).kind != "list"
    assert page(teasers([it[:4] for it in titles], "")).kind != "list"


def test_the_title_above_the_text_is_not_in_the_body() -> None:
    assert not page(article(FORMS["paragraphs"])).body.startswith("读书沙龙聊城市记忆")


def test_a_label_alone_is_no_body_where_there_is_an_abstract() -> None:
    abstract = (
        "统计显示，春节期间口岸日均通关人数达到十二万，比上年同期增长近两成。"
        "论文的结论提示，城市夜间灯光会推迟部分候鸟的迁徙，幅度约为两到三天。"
    )
    sections = {
        "DOI:": '<span class="value"><a href="https://doi.example.org/10.1/2">https://doi.example.org/10.1/2</a></span>',
        "关键词：": '<span class="value">侨乡, 桥梁, 捐资</span>',
        "摘要": f"<p>{abstract}</p>",
    }
    written = "".join(
        f'<section class="item"><h2 class="label">{label}</h2>{value}</section>'
        for label, value in sections.items()
    )
    html = (
        "<title>近代侨乡桥梁营造中的捐资网络 | 华侨研究</title><header><ul><li><a href=/a>当前期刊</a></li>"
        "<li><a href=/b>过刊浏览</a></li></ul></header><nav><ol><li><a href=/>首页</a></li><li>/</li></ol></nav>"
        f'<article><h1 class="page_title">近代侨乡桥梁营造中的捐资网络</h1><div class="main_entry">{written}</div>'
        '<div class="entry_details"><h2 class="label">已出版</h2><div class="value">2021-06-30</div></div></article>'
    )
    page = Page("https://a.example.edu.cn/index.php/hqyj/article/view/233", html.encode())
    assert page.body == abstract


def test_an_empty_page_has_no_text_and_no_kind() -> None:
    found = page("<html><body></body></html>")
    assert (found.body, found.comments, found.kind) == ("", "", "other")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://bbs.example.cn/a/1.html", True),
        ("https://example.cn/t/88", True),
        ("https://example.cn/t/20260504_88.html", False),
        ("https://example.cn/t/2026-05/04/content.html", False),
        ("https://www.example.cn/thread-12-1-1.html", True),
        ("https://example.cn/question/88", True),
        ("https://www.zhihu.com/question/88", True),
        ("https://zhuanlan.zhihu.com/p/88", False),
        ("https://news.example.cn/2026/0504/1.html", False),
    ],
)
def test_a_thread_is_recognized_by_its_address(url: str, expected: bool) -> None:
    assert by_address(url) is expected


@pytest.mark.parametrize(
    "stated",
    [
        "<link rel=canonical href='https://example.cn/thread-12-1-1.html'>",
        "<meta property=og:url content='https://example.cn/question/88'>",
        "<meta name=mobile-agent content='format=html5; url=http://m.example.cn/bbs/88'>",
    ],
)
def test_a_page_that_states_the_address_of_a_thread_as_its_own_is_one(stated: str) -> None:
    html = article(FORMS["paragraphs"])
    assert page(html).kind == "article"
    assert page(html.replace("<title>", f"{stated}<title>")).kind == "thread"


def test_a_page_of_forum_software_is_a_thread() -> None:
    html = article(FORMS["paragraphs"]).replace(
        "<title>", "<meta name=generator content='Discuz! X3.4'><title>"
    )
    assert page(html).kind == "thread"


def posts(count: int, *, first: str = "") -> str:
    """Return a page of posts with names and times, as forum software writes it."""
    rows = "".join(
        f"<div class=k3><div><a href=/u/{i}>网名{i}</a> <span>2026-05-0{i + 1} 10:2{i}</span> <a>#{i + 1}</a></div>"
        f"<div class=k4><p>{text}</p></div><div><a>回复</a> <a>引用</a></div></div>"
        for i, text in enumerate(PARAGRAPHS[:count])
    )
    return f"<title>聊聊老地图 - 侨乡社区</title><h1>聊聊老地图</h1>{first}<div>{rows}</div>"


def test_boxes_of_one_sort_with_names_and_times_are_a_thread_and_its_body() -> None:
    found = page(posts(3), "http://www.example.cn/x/7")
    assert found.kind == "thread"
    assert found.body.split("\n") == ["聊聊老地图", *PARAGRAPHS[:3]]


def test_the_same_boxes_below_an_article_are_comments() -> None:
    text = "".join(f"<p>{it}</p>" for it in PARAGRAPHS * 3)
    head = f"<div>2026-05-01 09:00 来源：侨报</div><div>{text}</div><h3>网友评论</h3>"
    assert page(posts(3, first=head), "http://www.example.cn/x/7").kind == "article"


def test_posts_with_floor_numbers_make_a_thread_without_other_signs() -> None:
    rows = "".join(
        f"<div class=qa><div class=qb><a href=/h/{i}>网名{i}</a></div><div class=qc>{p}</div>"
        f"<div class=qd>{i + 1}楼 2026-05-0{i + 1} 10:2{i}</div></div>"
        for i, p in enumerate(PARAGRAPHS)
    )
    html = f"<title>聊聊老地图</title><ul>{MENU}</ul><h1>聊聊老地图</h1>{rows}"
    found = page(html, "http://www.example/p/7")
    assert found.kind == "thread"
    assert found.body.split("\n") == ["聊聊老地图", *PARAGRAPHS]


def test_floors_of_comments_do_not_make_an_article_a_thread() -> None:
    comments = "".join(
        f"<div class=item><p>{i + 1}楼</p><p>路过的读者说了一句话，也算是捧场。</p></div>"
        for i in range(3)
    )
    assert page(article(FORMS["paragraphs"], after=comments)).kind == "article"


@pytest.mark.parametrize(
    ("between", "p", "kept"),
    [
        (["一行诗"] * 8, 0.1, True),
        (["一行诗"] * 8, 0.05, False),
        (["一行诗"] * 9, 0.1, False),
        (["一行诗", "2024-05-01"], 0.1, False),
        (["开放时间", "08:30-18:00"], 0.1, True),
        (["相关新闻", "一行诗"], 0.1, False),
        (["2024-05-01"], 0.1, True),
        (["相关新闻"], 0.1, False),
    ],
)
def test_unlikely_lines_in_a_short_gap_of_the_body_belong_to_it(
    between: list[str], p: float, kept: bool
) -> None:
    lines = ["开头", *between, "结尾", "版权"]
    seen = Page("", "".join(f"<p>{line}</p>" for line in lines).encode())
    features = features_of(seen.outline, seen.blocks, "", "")
    odds = np.asarray([0.9, *[p] * len(between), 0.9, p])
    body = select_body(odds, seen.blocks, features)
    assert body.tolist() == [True, *[kept] * len(between), True, False]


CELLS = [["姓名", "学历", "户籍"], ["陈一", "本科", "南塘"], ["李二", "大专", "石桥"]]
TABLE = "".join(f"<tr>{''.join(f'<td>{x}</td>' for x in row)}</tr>" for row in CELLS)


@pytest.mark.parametrize("tag", ["td", "th"])
def test_a_table_of_data_below_the_text_belongs_to_it(tag: str) -> None:
    table = f"<p>附：名单</p><table>{TABLE.replace('td', tag)}</table>"
    found = page(article(FORMS["paragraphs"] + table))
    assert [x for row in CELLS for x in row] == found.body.split("\n")[-9:]


@pytest.mark.parametrize(
    "table",
    [
        f"<p>相关链接</p><table>{TABLE}</table>",
        f"<table>{TABLE.replace('<td>', '<td><a href=/x>').replace('</td>', '</a></td>')}</table>",
        "<table><tr><td>扫码下载</td></tr></table>",
    ],
)
def test_tables_of_other_things_are_left_out(table: str) -> None:
    found = page(article(FORMS["paragraphs"] + table))
    assert found.body.split("\n") == PARAGRAPHS


IMPRINT = "Copyright © 2008-2024 侨乡新闻网 版权所有 未经授权不得转载 | 关于我们 | 网站地图"
NEWS = "".join(f"<li><a href='/n/{i}.html'>第{i}条新闻的标题在这里</a></li>" for i in range(40))


@pytest.mark.parametrize("before", ["", "<p>友情链接：</p>", "<h1>侨乡新闻</h1>"])
def test_the_imprint_of_a_page_of_links_is_no_body(before: str) -> None:
    html = f"<title>侨乡新闻</title><ul>{NEWS}</ul>{before}<div class=foot>{IMPRINT}</div>"
    page = Page("http://news.example.cn/qiaoxiang/1.html", html.encode())
    assert "Copyright" not in page.body
    assert len(page.body) < 20


def test_an_article_about_copyright_keeps_its_text() -> None:
    text = "网站页脚常写“版权所有”，也写Copyright。专家指出，这样的声明并非取得著作权的条件，作品完成之日起即受保护。"
    html = f"<title>版权声明有用吗</title><h1>版权声明有用吗</h1><p>{text}</p><p>{text[::-1]}</p>"
    page = Page("http://news.example.cn/2024/0501/123456.html", html.encode())
    assert text in page.body


def test_no_page_of_the_demonstration_consists_of_its_imprint() -> None:
    web = DemoWeb(size=300)
    answers = {url: web.answer(url) for url in web.pages(["home", "list", "directory"])}
    bodies = [Page(url, it.body).body for url, it in answers.items() if it and it.status == 200]
    assert len(bodies) > 20
    assert [body for body in bodies if "版权所有" in body] == []


@pytest.mark.parametrize(("p", "kind"), [(0.3, "article"), (0.1, "list")])
def test_a_short_text_among_links_is_an_article_unless_it_is_improbable(
    p: float, kind: str
) -> None:
    html = f"<title>停电</title><ul>{NEWS}</ul><p>明日上午九时至十一时停电，请居民准备。</p>"
    seen = Page("", html.encode())
    features = features_of(seen.outline, seen.blocks, "", "")
    body = np.asarray([text.startswith("明日") for text in seen.blocks.texts])
    odds = np.where(body, p, 0.0)
    found = kind_by_model(seen.outline, seen.blocks, features, odds, body, "")
    assert found == kind


@pytest.mark.parametrize(
    "notice",
    [
        "风险提示：以上内容仅供参考，不构成投资建议。",
        "以上内容为广告，相关素材由广告主提供，广告主对本广告内容的真实性负责。",
        "本新闻内容来源于网络，版权归原作者所有。",
    ],
)
def test_notices_below_a_text_do_not_belong_to_it(notice: str) -> None:
    paragraphs = [
        "三月的泉州，木棉花开得正盛。来自马来西亚的侨胞林先生带着儿孙，回到了他阔别三十年的故乡晋江梧林村。",
        "“小时候听父亲讲，我们家的老屋门前有一口井。”林先生说，他想让孩子们看一看祖辈生活过的地方。",
        "据了解，梧林村现存传统官式大厝、哥特式建筑九十多幢，其中不少是华侨在海外打拼后回乡兴建的。",
        "当地侨联负责人表示，今年将继续办好侨批档案展，为海外侨胞回乡寻根提供便利。",
    ]
    text = "".join(f"<p>{paragraph}</p>" for paragraph in [*paragraphs, notice])
    html = (
        "<title>侨胞回乡寻根_侨乡网</title><div><a href='/'>首页</a></div><h1>侨胞回乡寻根</h1><p>2026-03-05 09:20</p>"
        f"<div class='c'>{text}</div><div>相关阅读</div><ul><li><a href='/x'>侨批</a></li></ul>"
    )
    assert Page("http://news.example/2026/1.html", html.encode()).body == "\n".join(paragraphs)
