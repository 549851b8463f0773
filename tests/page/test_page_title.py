"""Titles: the three steps, and removing the names of sites."""

from __future__ import annotations

from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.outline import Heading, Outline, RawLink
from topiccrawl.page.page import Page
from topiccrawl.page.title import title_of
from topiccrawl.page.title.features import AT, shares_of_pairs
from topiccrawl.page.title.labeled import labeled_title
from topiccrawl.page.title.places import levels_above, places_of, text_start
from topiccrawl.page.title.selection import LEAST, MAX_TITLE_CHARACTERS, SURE, choose
from topiccrawl.page.title.site_names import names_in_links, names_in_notices, strip_site_tail

NEWS = "侨商代表团参观江门侨史馆"
TEXT = (
    "江门侨史馆昨日迎来侨商代表团，代表们参观了展厅，并与乡亲座谈，气氛十分热烈，大家收获颇丰。" * 3
)
BYLINE = "发布时间：2019-05-18 来源：侨报"


@pytest.mark.parametrize(
    ("title", "stripped", "why"),
    [
        (f"{NEWS}-新华网", NEWS, "hyphen and a name ending in 网"),
        (f"{NEWS}_侨界要闻_中国侨网", NEWS, "channel and site"),
        (f"{NEWS} | 南方日报", NEWS, "bar"),
        (f"{NEWS} - 江门频道 - example.com.cn", NEWS, "a domain"),
        (f"{NEWS}——侨乡在线", NEWS, "long dash before a plain name"),
        (f"{NEWS}·侨乡网", NEWS, "middle dot"),
        (f"{NEWS}_国内_知道", NEWS, "short fields after underscores"),
        (
            "僑商參訪臺北僑史館－僑務電子報 | 中央新聞網",
            "僑商參訪臺北僑史館－僑務電子報",
            "traditional",
        ),
        (NEWS, NEWS, "no tail"),
        ("侨务-中国侨网", "侨务", "something is left even if short"),
        ("中国侨网", "中国侨网", "never to nothing"),
        ("_中国侨网", "中国侨网", "nothing before the separator"),
        (
            "Covid-19：最新研究",
            "Covid-19：最新研究",
            "a hyphen within a word; a colon within a headline",
        ),
        ("市长：要建好侨乡网", "市长：要建好侨乡网", "what follows a colon is the headline"),
        ("侨商来访：五邑侨情", "侨商来访：五邑侨情", "a name that does not end like one of a site"),
        ("归来——一位老侨民的回忆", "归来——一位老侨民的回忆", "a subtitle after a dash"),
        ("中国－拉美合作论坛召开", "中国－拉美合作论坛召开", "full-width hyphen between names"),
        ("  两个   空格 ", "两个 空格", "white space"),
        ("论坛首页 - Powered by Discuz!", "论坛首页", "forum software"),
    ],
)
def test_the_tail_is_cut(title: str, stripped: str, why: str) -> None:
    assert strip_site_tail(title) == stripped, why


@given(st.text(alphabet="侨网报ab1-_|—–·: 　：", max_size=40))
def test_cutting_keeps_a_beginning_and_is_idempotent(title: str) -> None:
    once = strip_site_tail(title)
    assert once in " ".join(title.split())
    assert bool(once) == bool(title.split())
    assert strip_site_tail(once) == once


def heading(text: str, level: int = 1) -> Heading:
    return Heading(level, text, 0)


def found_in(
    title: str,
    headings: list[Heading] | None = None,
    meta: dict[str, str] | None = None,
    *,
    lines: list[str] | None = None,
    links: list[RawLink] | None = None,
    own: str = "http://www.a.cn/1.html",
    hint: str = "",
) -> str:
    """The title of a page that consists of these parts."""
    lines = lines if lines is not None else [*(it.text for it in headings or []), BYLINE, TEXT]
    outline = Outline(
        text="\n".join(lines),
        title=title,
        headings=headings or [],
        meta=meta or {},
        links=links or [],
    )
    return title_of(outline, lines, own, hint).text


@pytest.mark.parametrize(
    ("title", "headings", "meta", "found", "why"),
    [
        (f"{NEWS}-要闻-侨网", [heading("侨网"), heading(NEWS)], {}, NEWS, "step 2: the logo does not win"),
        (f"{NEWS}-侨网", [heading("中国侨网网站首页")], {}, NEWS, "step 1: no heading agrees"),
        (f"{NEWS}_某某台", [heading(NEWS + "(图)", 2)], {}, NEWS, "heading with an addition"),
        (f"江门：{NEWS}", [heading(NEWS, 4)], {}, NEWS, "an element whose class names a title"),
        ("首页", [heading(NEWS)], {}, NEWS, "step 3: the only h1 of an untitled page"),
        ("首页", [], {"og:title": NEWS}, NEWS, "step 3: og:title"),
        (f"{NEWS} 江门新闻", [], {"og:title": NEWS}, NEWS, "og:title within title"),
        (f"{NEWS}：五邑侨情", [], {"og:site_name": "五邑侨情"}, NEWS, "site name from meta"),
    ],
)  # fmt: skip
def test_the_three_steps(
    title: str, headings: list[Heading], meta: dict[str, str], found: str, why: str
) -> None:
    assert found_in(title, headings, meta, hint="锚文本标题") == found, why


@pytest.mark.parametrize(
    ("title", "lines", "headings", "found", "why"),
    [
        ("新闻动态--学会官网", ["首页 - 新闻动态", NEWS, BYLINE, TEXT], [], NEWS, "above the by-line"),
        ("", [NEWS, "胡某", "——回忆", TEXT], [], NEWS, "the first line above the text"),
        ("显示", ["菜单", NEWS, TEXT], [], NEWS, "a word of the template"),
        ("北医新闻网_(新闻)", ["首页>>人物", NEWS, TEXT], [heading(NEWS, 4)], NEWS, "the site's name"),
        ("", ["侨乡人的博客", NEWS, TEXT], [heading("侨乡人的博客"), heading(NEWS, 2)], NEWS, "the blog's name"),
        ("欢迎访问侨乡网", ["欢迎访问侨乡网", "当前位置：首页 > 要闻", NEWS, BYLINE, TEXT], [], NEWS, "greeting"),
        ("-侨乡网", [NEWS, BYLINE], [heading(NEWS)], NEWS, "the headline was left out"),
        ("侨史馆-辟谣文章", ["热门 侨史", NEWS, BYLINE, TEXT], [heading(NEWS, 4)], NEWS, "repeated nowhere"),
        (f"{NEWS}？_侨网", [NEWS, "别的标题文字", BYLINE, TEXT], [], f"{NEWS}？", "repeated: it stays"),
        ("北京大学_百科", ["北京大学", TEXT], [heading("北京大学")], "北京大学", "an institution's own page"),
        ("侨乡_百科", ["侨乡", TEXT], [heading("侨乡")], "侨乡", "a short entry"),
    ],
)  # fmt: skip
def test_a_useless_title_is_replaced_by_the_headline(
    title: str, lines: list[str], headings: list[Heading], found: str, why: str
) -> None:
    assert found_in(title, headings, lines=lines) == found, why


def test_a_link_to_the_page_itself_is_its_headline() -> None:
    text = f"最新文章\n{NEWS}\n{TEXT}"
    links = [
        RawLink("a", "/archive/2005/1.html", {}, "", "a", 0, 0, 4),
        RawLink("a", "/archive/2005/255.aspx", {}, "", "a", 0, 5, 5 + len(NEWS)),
    ]
    own = "http://blog.cn/archive/2005/255.html"
    assert found_in("", lines=text.split("\n"), links=links, own=own) == NEWS


def test_the_link_to_the_front_page_names_the_site() -> None:
    text = "五邑侨情 首页"
    links = [
        RawLink("a", "/", {}, "", "a", 0, 0, 4),
        RawLink("a", "http://other.cn/", {}, "", "a", 0, 0, 4),
        RawLink("a", "/", {}, "", "a", 0, 5, 7),
    ]
    assert names_in_links(links, text, "http://a.cn/1.html") == ["五邑侨情"]


def test_the_first_line_of_the_body_is_the_last_resort() -> None:
    body = "侨史馆昨日开放，展出侨批三千余封，不少归侨带着孙辈前来参观，辨认祖辈的笔迹。"
    page = Page("http://www.a.cn/1.html", f"<p>{body}</p><p>{body}</p>".encode())
    assert page.title == body
    assert title_of(Outline(), []).text == ""


def test_titles_are_bounded() -> None:
    html = f"<title>{'长' * 5000}</title><h1>{'长' * 5000}</h1>"
    page = Page("http://www.a.cn/1.html", html.encode())
    assert len(page.title) <= MAX_TITLE_CHARACTERS


@pytest.mark.parametrize(
    "name", ["港湾市归国华侨联合会", "滨海华商联合会", "海港市侨联", "某地歷史學會"]
)
def test_the_name_of_an_association_is_a_site_tail(name: str) -> None:
    assert strip_site_tail(f"归侨代表座谈会举行--{name}") == "归侨代表座谈会举行"


def test_the_sections_of_a_front_page_are_not_its_title() -> None:
    sections = "".join(f"<h2>{name}</h2><ul><li><a href=/{name}>消息一则</a></ul>" for name in
                       ("华侨华人", "侨乡", "华文教育"))  # fmt: skip
    html = f"<html><head><title>侨讯网</title></head><body>{sections}</body></html>"
    assert Page("http://www.a.cn/", html.encode()).title == "侨讯网"


@given(st.lists(st.text("侨乡见闻ab𠮷", min_size=2), min_size=1), st.text("侨乡见闻 abc𠮷龘"))
def test_shares_of_pairs_are_those_of_pairs_searched_one_by_one(keys: list[str], text: str) -> None:
    expected = [
        sum(map(text.__contains__, map(add, key, key[1:]))) / (len(key) - 1) for key in keys
    ]
    assert shares_of_pairs(keys, text).tolist() == expected


def test_an_emphasized_line_is_the_title_where_nothing_else_states_it() -> None:
    menu = "".join(
        f"<td><a href=/{i}>{name}</a></td>" for i, name in enumerate(("新闻", "侨史", "人物"))
    )
    page = Page(
        "http://www.example.cn/a/2019/123.html",
        (
            f"<html><title>显示</title><body><table><tr>{menu}</tr></table>"
            f"<p align=center><font size=5><b>{NEWS}</b></font></p><p>{BYLINE}</p><p>{TEXT}</p></body></html>"
        ).encode(),
    )
    spans = page.outline.emphasized
    assert {page.outline.text[start:end] for start, end in spans} == {NEWS}
    assert page.title == NEWS


@pytest.mark.parametrize(
    "head",
    [
        "<table><tr><td>标题：</td><td>{}</td></tr><tr><td>来信时间：</td><td>2022-04-18</td></tr></table>",
        "<dl><dt>投诉主题：</dt><dd>{}</dd><dt>投诉对象：</dt><dd>清泉电器</dd></dl>",
        "<p>索 引 号：000014349</p><p>名　　称：{}</p><p>文　　号：东农〔2019〕33号</p>",
    ],
)
def test_a_label_names_the_title_of_a_page_that_is_called_like_its_form(head: str) -> None:
    title = "关于延长夜间公交运营时间的建议"
    html = f"<title>局长信箱</title><body>{head.format(title)}<div>{TEXT}</div>"
    assert Page("http://a.example.com/view.asp?id=5", html.encode(), "utf-8").title == title


def test_labels_of_catalogs_and_letters() -> None:
    assert labeled_title(["题名/责任者:", "侨批往事/梁汝为著"]) == "侨批往事"
    assert labeled_title(["信件标题", "建议公交报站增加方言", "来信人"]) == "建议公交报站增加方言"
    assert labeled_title(["标题", "建议公交报站增加方言"]) == ""
    assert labeled_title(["题名：", "侨批往事/续编"]) == "侨批往事/续编"


def test_a_label_with_another_label_or_a_stated_title_counts_for_nothing() -> None:
    assert labeled_title(["标题：", "来信时间：2022-04-18", "题目：短"]) == ""
    stated = f"<title>{NEWS}</title><body><h1>{NEWS}</h1><p>主题：侨乡见闻与随笔</p><p>{TEXT}</p>"
    assert Page("http://a.example.com/1", stated.encode(), "utf-8").title == NEWS


@pytest.mark.parametrize(
    "title", ["请教：侨批怎么保存", "[原创] 回乡寻根：三十年", "侨胞回乡：那口井还在"]
)
def test_a_title_does_not_end_at_its_colon_if_a_heading_has_all_of_it(title: str) -> None:
    html = (
        f"<title>{title} 侨乡社区</title><div><a href='/'>侨乡社区</a> » <a href='/q'>侨乡</a> » {title}</div>"
        f"<table><tr><td><a href='/u?uid=5'>番薯</a> 级别: 学徒 威望: 0 发帖: 12</td><td><h3>{title}</h3><p>{TEXT}</p>"
        "</td></tr></table>"
    )
    assert Page("https://bbs.example/read.php?tid=1", html.encode()).title == title


@pytest.mark.parametrize("mark", ["…", "......", " ..."])
@pytest.mark.parametrize("tag", ["h2", "td", "p"])
def test_a_cut_title_is_completed_from_the_line_above_the_text(mark: str, tag: str) -> None:
    whole = "市水利局组织党员赴东风渠开展义务清淤"
    html = (
        f"<title>{whole[:12]}{mark}_水利要闻_清丰水利</title><div>首页 > {whole[:12]}{mark}</div>"
        f"<{tag}>{whole}</{tag}><div>{BYLINE}</div><p>{TEXT}</p><p>{TEXT}</p>"
    )
    assert Page("http://slj.example/a/1.html", html.encode(), "utf-8").title == whole


def test_a_cut_title_is_not_completed_from_the_text_of_the_page() -> None:
    begin = "今天在江边走了很久…"
    html = f"<title>{begin} - 小屋</title><h1>{begin}</h1><p>今天在江边走了很久，{TEXT}</p><p>{TEXT}</p>"
    assert Page("http://w.example/a/1.html", html.encode(), "utf-8").title == begin


@pytest.mark.parametrize(
    ("heading", "stated", "found"),
    [
        ("[求助] 怎么修旧收音机", "怎么修旧收音机 - 修理 - 无线电论坛", "怎么修旧收音机"),
        ("【记者播报】老街重新开放", "老街重新开放 本地_侨乡在线", "老街重新开放"),
        ("【侨史馆】老街重新开放", "【侨史馆】老街重新开放_侨乡网", "【侨史馆】老街重新开放"),
        ("[求助] 怎么修旧收音机", "无线电论坛", "[求助] 怎么修旧收音机"),
    ],
)
def test_the_sort_before_a_title_is_not_of_it_if_title_has_none(
    heading: str, stated: str, found: str
) -> None:
    html = f"<title>{stated}</title><h1>{heading}</h1><p>{BYLINE}</p><p>{TEXT}</p><p>{TEXT}</p>"
    page = Page("http://qiao.example/a/1.html", html.encode(), "utf-8")
    assert page.title == found
    assert not page.body.startswith(heading)


FIRM = "蓝湾数码有限公司"
NOTICE = f"Copyright © 2019 {FIRM} All Rights Reserved"


@pytest.mark.parametrize(
    ("stated", "named", "greeting", "notice"),
    [
        (FIRM, f"<h3>{FIRM}</h3><h2>新闻动态</h2>", "", NOTICE),
        (f"{FIRM}-新闻动态", f"<p>{FIRM}</p>", "", NOTICE),
        (FIRM, f"<h1>{FIRM}</h1><h2>新闻动态</h2>", f"欢迎光临{FIRM}！", ""),
    ],
)
def test_the_site_named_in_a_notice_is_no_title(
    stated: str, named: str, greeting: str, notice: str
) -> None:
    html = (
        f"<title>{stated}</title><body><p>{greeting}</p>{named}"
        "<ul><li><a href='/'>网站首页</a><li><a href='/news/'>新闻动态</a><li><a href='/about/'>关于</a></ul>"
        f"<div class='title'><h3>{NEWS}</h3></div><p>{BYLINE}</p><div><p>{TEXT}</p><p>{TEXT}</p></div><p>{notice}</p>"
    )
    assert Page("http://www.lanwan.example/show.php?id=7", html.encode()).title == NEWS


@pytest.mark.parametrize(
    ("name", "heading", "chosen"),
    [((SURE - 0.5, "known_name"), (SURE - 1, "h2"), 1), ((SURE - 0.5, "name"), (SURE - 1, "h2"), 0),
     ((SURE - 0.5, "known_name"), (SURE - 1, "line"), 0), ((SURE - 0.5, "known_name"), (LEAST - 0.1, "h2"), 0),
     ((SURE, "known_name"), (SURE - 1, "h2"), 0)],
)  # fmt: skip
def test_in_doubt_a_heading_is_chosen_rather_than_the_name_of_the_site(
    name: tuple[float, str], heading: tuple[float, str], chosen: int
) -> None:
    matrix = np.zeros((2, len(AT)), np.float64)
    for row, (_, flag) in enumerate((name, heading)):
        matrix[row, AT[flag]] = 1
    assert choose(matrix, np.array([name[0], heading[0]], np.float64)) == chosen


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"首页\n{NOTICE}", [FIRM.lower()]),
        (f"版權所有：{FIRM}", [FIRM]),
        (f"欢迎您访问{FIRM}官网！\n正文", [f"{FIRM}官网"]),
        (f"{FIRM}\n{NEWS}", []),
        (f"版权所有 {TEXT * 2}", []),
        (f"版权所有 {FIRM}\n" + f"{TEXT}\n" * 300, [FIRM]),
        (f"{TEXT}\n" * 300 + f"版权所有 {FIRM}\n" + f"{TEXT}\n" * 300, []),
    ],
)
def test_names_in_notices_at_both_ends(text: str, names: list[str]) -> None:
    assert names_in_notices(text) == names


def test_characters_that_json_writes_as_two_escapes_stay_in_title_and_author() -> None:
    stated = r'{"headline": "\ud83c\udfee 灯会开到\u201c海边\u201d", "author": {"name": "\ud83c\udfee小明"}}'
    html = (
        f"<title>侨乡网</title><script type='application/ld+json'>{stated}</script>"
        f"<h1>🏮 灯会开到“海边”</h1><p>🏮小明</p><p>{'灯会昨日开幕，来自各地的客人参加。' * 9}</p>"
    )
    page = Page("http://a.example/n/12345.html", html.encode())
    assert (page.title, page.byline.author) == ("🏮 灯会开到“海边”", "🏮小明")


NOTICE = "本网站使用相关技术提供更好的阅读体验，点这里了解隐私声明，关闭此窗口代表您同意上述规范。"
PARAGRAPHS = "".join(
    f"<p>{TEXT[:60]}{part}</p>" for part in ("代表们还参观了骑楼。", "活动历时三天。", "明年再来。")
)


def _parts_of(html: str) -> tuple[Page, list[int]]:
    page = Page("http://www.a.cn/1.html", html.encode())
    return page, places_of(page.outline, page.lines)


@pytest.mark.parametrize(
    ("above", "why"),
    [
        (f"<div class=tip><p>{NOTICE}</p></div>", "a notice"),
        (f"<div><h2>侨乡：{NEWS}，代表们与乡亲座谈，共叙乡情</h2></div>", "a long headline"),
    ],
)
@pytest.mark.parametrize(
    "text", [PARAGRAPHS, PARAGRAPHS.replace("<p>", "<div><p>").replace("</p>", "</p></div>")]
)
def test_a_paragraph_alone_does_not_begin_the_running_text(above: str, why: str, text: str) -> None:
    page, places = _parts_of(f"{above}<p>{BYLINE}</p><div class=c>{text}</div>")
    start = text_start(page.outline.boxes, page.lines, places)
    assert start is not None
    assert page.lines[start].endswith("代表们还参观了骑楼。"), why


def test_lines_share_fewer_boxes_with_the_text_the_further_out_they_are() -> None:
    page, places = _parts_of(
        "<div><ul><li>首页<li>论坛</ul></div><div><div><p>侨史馆</p></div>"
        f"<div><p>{BYLINE}</p><div>{PARAGRAPHS}</div></div></div>"
    )
    start = page.lines.index(BYLINE) + 1
    levels = levels_above(page.outline.boxes, places, start)
    assert levels[0] == levels[1] < levels[2] < levels[3]


def test_the_headline_below_a_notice_is_the_title_of_a_page_that_is_called_like_its_site() -> None:
    html = (
        f"<html><title>侨讯</title><body><div class=top><a href=/>侨讯</a><p>{NOTICE}</p></div>"
        "<div class=nav><a href=/a/>新闻</a><a href=/b/>人物</a></div><div class=box>"
        f"<div class=k1>{NEWS}</div><div class=k2>2019-05-18　阅读 31</div>"
        f"<div class=k3>{PARAGRAPHS}</div></div></body></html>"
    )
    assert Page("http://www.a.cn/news/1234.html", html.encode()).title == NEWS


KICKER = "重点项目进行时"


@pytest.mark.parametrize(
    "head",
    [
        f"<h2>{KICKER}</h2><h1>{NEWS}</h1>",
        f"<center><font size=3>{KICKER}</font><br><font size=6><b>{NEWS}</b></font></center>",
    ],
    ids=["headings", "fonts"],
)
def test_the_headline_below_a_kicker_is_the_title_of_a_page_that_is_called_like_both(
    head: str,
) -> None:
    html = f"<title>{KICKER}：{NEWS} - 侨讯网</title><body>{head}<p>{BYLINE}</p>{PARAGRAPHS}"
    assert Page("http://www.a.cn/news/1234.html", html.encode()).title == NEWS


def test_a_subtitle_below_the_headline_is_no_headline() -> None:
    html = f"<title>{NEWS}：三十年回望 - 侨讯网</title><body><h1>{NEWS}</h1><h2>三十年回望</h2>{PARAGRAPHS}"
    assert Page("http://www.a.cn/news/1234.html", html.encode()).title.startswith(NEWS)
