"""Authors without a label: lines of names, posters, accounts, boxes, microdata and links."""

from __future__ import annotations

from typing import Any

import pytest

from topiccrawl.page.byline import find_byline
from topiccrawl.page.byline.posters import member_of, owner_of, person_in_microdata, poster_of
from topiccrawl.page.outline import RawLink
from topiccrawl.page.page import Page
from topiccrawl.page.walk import walk

TITLE = "侨商代表团参观侨史馆"


TEXT = "旧事如烟，街上的人都说，今年的桂花比往年开得早一些。"


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        (["2019-11-19 08:19 方敏"], "方敏"),
        (["2004年7月16日08:19 [ 黄宇 ] 来源：[ 国际金融报 ]"], "黄宇"),
        (["胡平", "2005-03-01"], "胡平"),
        (["郭志远¹,²，林嘉琪²*，蒋文³", "1. 江城大学水利学院"], "郭志远 林嘉琪 蒋文"),
        (["郭志远1，段晓燕1,2，*", "（1.江城大学；2.水利学院）"], "郭志远 段晓燕"),
        (["郭志远¹,", "林嘉琪¹, ²*", "¹ 江城大学, 江城 300072"], "郭志远 林嘉琪"),
        (["On Silt", "郭志远a, 林嘉琪a,b,*"], "郭志远 林嘉琪"),
        (["作者：郭志远1，林嘉琪2*"], "郭志远 林嘉琪"),
        (["方案1", TEXT], None),
        ([TEXT, TEXT + "（常书香 马丹阳 ）"], "常书香 马丹阳"),
        (["阿七 发表于 2022-09-10 12:34"], "阿七"),
        (["楼主：north_wind 时间：2022-09-10"], "north_wind"),
        (["By Jane Doe and Tom Lee | 19 November 2019"], "Jane Doe and Tom Lee"),
        (["Posted on 2019-11-19 by Ann de Vries"], "Ann de Vries"),
        (["Tom Lee, AP Auto Writer"], "Tom Lee"),
        ([TEXT, "posted @ 2021-11-08 00:31 蓝月dev 阅读(1820) 评论(2) 编辑 收藏"], "蓝月dev"),
        (["发布于2021年5月16日由小林分类：徒步阅读 3,201"], "小林"),
        (["作者：赵一鸣 供稿单位：学生处 审核：李文华"], "赵一鸣"),
        (["写给父亲的信", "上一篇 下一篇", TITLE, "方敏", TEXT * 3], "方敏"),
        (["2019-11-19 08:19 时间"], None),
        (["2019-11-19 要闻 全文"], None),
        ([TEXT + "（单位：万元）"], None),
        ([TEXT, "统计表（石桥镇）"], None),
        (["楼主 2022-09-10 12:34"], None),
        (["沙发 发表于: 2011-04-03"], None),
        (["2018-03-11发表2018-03-12更新"], None),
        (["By admin - 2019-11-19", "By Our Reporter | 2019-11-19", "Breaking News"], None),
        (["2019-11-19 方敏", TEXT, "责任编辑：方敏"], None),
        (["首页", "文化", "体育"], None),
        (["本栏介绍各种线。", "曲线"], None),
        (["Annexed in 1888 by Germany. Enlarge Map"], None),
    ],
)
def test_authors_without_a_label(lines: list[str], author: str | None) -> None:
    assert find_byline([TITLE, *lines, TEXT], TITLE).author == author


def test_name_before_the_title_is_the_author_if_it_is_a_line() -> None:
    assert find_byline(["阿七：旧事", "阿七", TEXT], "阿七：旧事").author == "阿七"
    assert find_byline(["旅游：旧事", TEXT], "旅游：旧事").author is None


@pytest.mark.parametrize(
    ("line", "author"),
    [
        (
            "本报讯（记者 沈立群 通讯员 方丽）昨日，记者从市水务局获悉，二期工程已完成安装。",
            "沈立群",
        ),
        ("（記者林佩蓉／台中報導）", "林佩蓉"),
        ("記者陳志明/高雄報導", "陳志明"),
        ("□ 顾一苇", "顾一苇"),
        ("发表于 2016-11-2 20:05:33 | 只看该作者 倒序浏览", None),
        ("2022-07-23 08:14 · 陇上食记", "陇上食记"),
        ("2022-07-23 08:14 · 新华网", None),
        ("本条目发布于2015年2月8日。属于手工分类，被贴了 相机 标签。", None),
        ("作者：程远山 加入时间：2004-4-12 11:08:00 点击数：", "程远山"),
        ("By Leila Mansour4 October 2023", "Leila Mansour"),
        ("From: Ruth Fenwick <ruth@example.org>", "Ruth Fenwick"),
        ("发信人: willow (杨柳依依), 信区: Thesis", "willow"),
        ("海事部门提示，受大风影响，明天上午往返长岛的客船全部停航，已购票的旅客可以退票。", None),
    ],
)
def test_bylines_of_newspapers_and_boards(line, author):
    text = "台中市政府今日宣布，綠川水岸步道第三期工程將於下個月動工，預計明年底完工。"
    assert (
        find_byline(["綠川步道下月動工的消息", line, text], "綠川步道下月動工的消息").author
        == author
    )


@pytest.mark.parametrize(
    ("names", "text", "author"),
    [
        ("authi", "<a>山里人</a>", "山里人"),
        ("readName b", "<a>大雁南飞</a>", "大雁南飞"),
        ("post-author", "楼主：老果农 中级会员", "老果农"),
        ("username", "Peter Lindqvist", "Peter Lindqvist"),
        ("author", "Post by <b>claywheel</b> » 2019-11-04", "claywheel"),
        ("author", "admin", None),
        ("authority", "山里人", None),
        ("author", "<a>記者許君達</a> 06:12", "許君達"),
        ("author", "小记者日记", "小记者日记"),
    ],
)
def test_posters_of_threads(names, text, author):
    assert poster_of(walk(f'<div class="{names}">{text}</div><p>正文</p>')) == author


def test_a_button_above_the_first_post_is_no_heading_of_replies() -> None:
    html = '<h3>求购折叠车</h3><ul><li>收藏<li>回复</ul><div class="p_author">山里的风筝</div>{}'
    post = "<p>预算三千，求推荐。</p>"
    outline = walk(html.format(post + '<div class="p_author">木木夕</div><p>二手的可以。</p>'))
    at = outline.text.index("预算")
    assert poster_of(outline, title="求购折叠车", post=at) == "山里的风筝"
    below = walk(html.format("").replace("<ul>", post + "<ul>"))
    assert poster_of(below, title="求购折叠车", post=below.text.index("预算")) is None


def test_a_page_about_a_person_is_not_by_that_person() -> None:
    lines = ["方敏", TEXT, "2019-11-19 方敏"]
    assert find_byline(lines, "方敏（演员）").author is None
    assert find_byline(lines, "方敏：论诚实").author == "方敏"


@pytest.mark.parametrize("names", ["author", "post-author", "author vcard", "AuthorInfo-name"])
def test_boxes_named_for_the_author(names: str) -> None:
    outline = walk(f'<div class="{names}">阿宝妈的厨房</div><p>正文的第一段</p>')
    assert poster_of(outline, outline.text.index("正文")) == "阿宝妈的厨房"


def test_authors_of_platforms_stand_above_the_text():
    html = (
        '<div class="index-module_authorName_7y5nA">李老师谈语文</div><p>正文的第一段</p>'
        '<div class="comment"><div class="author-name">路人</div></div>'
    )
    outline = walk(html)
    assert poster_of(outline, outline.text.index("正文")) == "李老师谈语文"
    assert poster_of(walk(html[html.index("<p>") :]), 0) is None


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("https://www.example.com/p/3f1c2a9d7b60", "/u/5c1e0f3b2a"),
        ("https://www.example.com/article/81", "https://www.example.com/people/yu/"),
        ("https://www.example.com/read/81", "//space.example.com/1234567"),
        ("https://www.example.com/a/81", "/c/user/token/MS4wLjAB/"),
        ("https://bbs.example.com/thread-81-1.html", "space-uid-3021.html"),
        ("https://blog.example.com/yehang/article/details/81", "https://blog.example.com/yehang"),
        ("https://www.example.com/8123456789/201234567", "/8123456789"),
        ("http://bbs.example.com/thread-138.htm", "user-95.htm"),
        ("http://bbs.example.com/read.php?tid=3", "home.php?mod=space&uid=95"),
    ],
)
def test_accounts_in_links_between_title_and_text(url: str, href: str) -> None:
    html = (
        '<a href="/user/login">登录</a><h1>老药铺的药秤</h1><div><a href="/user/register">注册</a>'
        f'<a href="{href}"><img></a><a href="{href}">夜航的灯</a> 2020-11-22</div><p>正文的第一段</p>'
        '<div><a href="/u/7">路人</a></div>'
    )
    outline = walk(html)
    above = outline.text.index("正文")
    assert member_of(outline, "老药铺的药秤", url, above) == "夜航的灯"
    assert member_of(outline, "老药铺的药秤", url, outline.text.index("夜航")) is None


def test_channels_and_media_in_links_above_the_text_are_no_accounts() -> None:
    outline = walk(
        '<a href="/news/">新闻</a><h1>老药铺的药秤</h1><a href="/author/308904">江城新闻网</a><p>正文的第一段</p>'
    )
    above = outline.text.index("正文")
    assert member_of(outline, "老药铺的药秤", "http://a.example.com/news/1.html", above) is None


def test_a_page_that_must_lead_to_one_member_leads_to_no_other() -> None:
    html = '<h1>地板响怎么修？</h1><a href="/people/zhang">木匠老章</a><p>正文的第一段</p>'
    alone = walk(html + '<a href="/people/zhang">木匠老章</a>')
    above = alone.text.index("正文")
    assert member_of(alone, "地板响怎么修？", "", above, only=True) == "木匠老章"
    several = walk(html + '<a href="/people/li">路过的人</a>')
    assert member_of(several, "地板响怎么修？", "", above, only=True) is None
    assert member_of(several, "地板响怎么修？", "", above) == "木匠老章"


@pytest.mark.parametrize(
    ("title", "owner"),
    [
        ("老药铺的药秤 - 夜航的灯的个人空间 - 某某社区", "夜航的灯"),
        ("老药铺的药秤 - lantern7的专栏 - 博客频道", "lantern7"),
        ("老药铺的药秤_木丁的博客", "木丁"),
        ("老药铺的药秤 - 某某日报的博客", None),
        ("夜航的灯的博客", None),
        ("夜航的灯的博客 - 某某社区", None),
        ("老药铺的药秤 - 某某社区", None),
    ],
)
def test_the_title_of_a_page_of_a_blog_names_its_owner(title: str, owner: str | None) -> None:
    assert owner_of(title) == owner
    text = "老药铺的药秤是铜的，秤杆上的星点已经磨平，掌柜说这是祖父留下来的。" * 4
    html = f"<title>{title}</title><body><h1>老药铺的药秤</h1><div><p>{text}</p><p>{text}</p></div>"
    assert Page("http://a.example.com/7.html", html.encode(), "utf-8").byline.author == owner


AUTHOR_ITEM = '<div itemprop="author" itemscope itemtype="https://schema.org/Person">{}</div>'


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (AUTHOR_ITEM.format('<meta itemprop="image" content="/a.gif"><meta itemprop="name" content="木丁">'), "木丁"),
        (AUTHOR_ITEM.format('<img itemprop="image"><h3 itemprop="name">\n<a href="/">Muding</a></h3>'), "Muding"),
        (2 * AUTHOR_ITEM.format('<span itemprop="name">木丁</span>'), "木丁"),
        ("".join(AUTHOR_ITEM.format(f'<b itemprop="name">{it}</b>') for it in ("木丁", "石头")), None),
        (AUTHOR_ITEM.format('<b itemprop="name">侨乡日报</b>'), None),
        (AUTHOR_ITEM.format('<b itemprop="name">John Doe</b>'), None),
        (AUTHOR_ITEM.format("") + '<i itemprop="publisher" itemscope><meta itemprop="name" content="木丁"></i>', None),
    ],
)  # fmt: skip
def test_authors_in_microdata(html: str, name: str | None) -> None:
    assert person_in_microdata(html) == name


def test_the_microdata_name_who_the_page_does_not_show() -> None:
    html = (
        f"<title>{TITLE}</title><h1>{TITLE}</h1><p>{TEXT}</p><p>{TEXT}</p>"
        '<span hidden itemprop="author" itemscope itemtype="http://schema.org/Person">'
        '<meta itemprop="name" content="木丁"></span>'
    )
    assert Page("http://localhost/1.html", html.encode()).byline.author == "木丁"


@pytest.mark.parametrize(
    ("links", "author"),
    [
        ('<a href="/a/1"><img></a><a rel="author" href="/a/1">\n听雨的猫\n</a>', "听雨的猫"),
        ('<a rel="nofollow author" href="/a/1">大漠孤烟</a>', "大漠孤烟"),
        ('<a rel="author" href="/a/1">听雨的猫</a> <a rel="author" href="/a/2">大漠孤烟</a>', None),
        ('<a rel="author" href="/a/1">admin</a>', None),
        ('<a rel="author" href="/a/1">侨乡日报</a>', None),
    ],
    ids=["alone", "relations", "several", "no name", "medium"],
)
def test_a_link_states_its_relation_to_the_author(links: str, author: str | None) -> None:
    html = (
        f"<title>{TITLE}</title><h2>{TITLE}</h2><div class='meta'><span>{links}</span> "
        f"<span>2016-08-21</span> <span>1325人路过</span></div><p>{TEXT}</p><p>{TEXT}</p>"
    )
    assert Page("http://localhost/1.html", html.encode()).byline.author == author


def test_boxes_of_posters_look_at_no_links_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    outline = walk("<div class=authi>12</div>" * 50 + "<a href=/u/1></a>" * 50 + "<p>正文</p>")
    looks = []
    ends: Any = RawLink.end
    monkeypatch.setattr(
        RawLink, "end", property(lambda link: looks.append(link) or ends.__get__(link))
    )
    assert poster_of(outline) is None
    assert len(looks) <= 2 * len(outline.links)
