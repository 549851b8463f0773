"""Author, source and editor: labels, cleaning, and strings that are not names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.byline import Byline, find_byline
from topiccrawl.page.byline.names import clean_author, clean_source, is_medium, people
from topiccrawl.page.byline.posters import member_of, owner_of, person_in_microdata, poster_of
from topiccrawl.page.outline import RawLink
from topiccrawl.page.page import Page
from topiccrawl.page.walk import walk

TITLE = "侨商代表团参观侨史馆"
TEXT = (
    "三月二十五日，来自十余个国家和地区的侨商代表抵达江门，随后参观了侨史馆，并与当地乡亲座谈。" * 3
)


@pytest.mark.parametrize(
    ("lines", "found", "why"),
    [
        (["来源：新华网 作者：张三丰"], ("张三丰", "新华网", None), "both on one line"),
        (["2019-09-26 12:11来源：证券时报网作者：李在山"], ("李在山", "证券时报网", None), "nothing between them"),
        (["讲座时间：2025年4月12日（周六）"], (None, None, None), "a day of the week is no 周"),
        (["半山听雨 已于 2024-05-17 10:24:36 修改 阅读量1.2k"], ("半山听雨", None, None), "who changed it last"),
        (["作者：南帆 来源：光明日报 分享到："], ("南帆", "光明日报", None), "a button behind them"),
        (["发表于 2014-08-24 | 来源 侨乡网 | 0 条评论 | 作者 魏星"], ("魏星", "侨乡网", None), "labels without colon"),
        (["BUSINESS 2005年3月11日12:12 来源：[ 人民网 ]"], (None, "人民网", None), "brackets"),
        (["2020年07月04日 12:10 来源：求是网参与互动"], (None, "求是网", None), "a button glued to it"),
        (["2018年12月28日 19:55 新京报"], (None, "新京报", None), "a medium's name behind the date"),
        (["2018年12月28日 19:55 星期五"], (None, None, None), "no medium"),
        (["2018-12-28 星期五 新京报"], (None, "新京报", None), "a day of the week before the medium"),
        (["2018-12-28 19:55 新京报 1203人浏览"], (None, "新京报", None), "a number of readers behind the medium"),
        (["2018-12-28 19:55 侨乡晚报 我有话说(12人参与)"], (None, "侨乡晚报", None), "a button behind the medium"),
        (["2018-12-28 工作简报 第三期"], (None, None, None), "a heading behind a day"),
        (["文/李小明"], ("李小明", None, None), "文/"),
        (["撰文：欧阳明月 图：王五"], ("欧阳明月", None, None), "compound surname"),
        (["报道：黄慧仪"], ("黄慧仪", None, None), "papers overseas"),
        (["（国际处 文/图：段小满 编辑：贺芳）"], ("段小满", None, "贺芳"), "text and pictures"),
        (["个人责任者:", "梁汝为 著"], ("梁汝为", None, None), "a catalog of a library"),
        (["張貼者： 阿鐵 於 晚上11:14"], ("阿鐵", None, None), "who posted on Blogger"),
        (["相关报道：侨乡修桥", "现场报道 直播"], (None, None, None), "a report, no reporter"),
        (["僑報 來源：中央社 責任編輯：陳小華"], (None, "中央社", "陳小華"), "traditional"),
        (["本报记者 王乐文 方 敏"], ("王乐文 方敏", None, None), "two reporters, one name spread"),
        (["侨乡报记者 彭小冲 山东冠县报道"], ("彭小冲", None, None), "the place behind the name"),
        ([TEXT, "本报讯（记者 裴剑飞）" + TEXT], ("裴剑飞", None, None), "a reporter in brackets in the text"),
        (["〔記者蘇龍麒／台北報導〕" + TEXT], ("蘇龍麒", None, None), "in brackets before the text, in Taiwan"),
        (["【蘇龍麒╱新北報導】" + TEXT], ("蘇龍麒", None, None), "a drawn slash, without the word"),
        (["（中央社記者蘇龍麒台北5日電）" + TEXT], ("蘇龍麒", None, None), "an agency, the place behind the name"),
        (["【記者蘇龍麒、陳小華花蓮報導】" + TEXT], ("蘇龍麒 陳小華", None, None), "two, and the place"),
        (["（中央社記者台北5日電）" + TEXT], (None, None, None), "a place, no person"),
        (["記者蘇龍麒／台北報導 " + TEXT], ("蘇龍麒", None, None), "without brackets, before the text"),
        (["侨乡时报", "聯合報／ 記者蘇龍麒／台北即時報導 2026-03-05 10:00"], ("蘇龍麒", "聯合報", None), "a day"),
        ([TEXT, "记者｜张三丰 编辑｜霍琦"], ("张三丰", None, "霍琦"), "bars"),
        (["記者：您好。", TEXT], (None, None, None), "an interview"),
        (["發布單位：社會局"], (None, "社會局", None), "an office in Taiwan"),
        (["發布單位：社會局 聯絡人：蘇龍麒 發布日期：2026-03-05"], (None, "社會局", None), "whom to call is no author"),
        (["2026-03-05 10:00", "侨乡晚报", TEXT], (None, "侨乡晚报", None), "a medium alone below the date"),
        (["2026-03-05 10:00", "舉報", TEXT], (None, None, None), "a button below the date"),
        (["2026-03-05 10:00聯合報／ 記者蘇龍麒／台北即時報導"], ("蘇龍麒", "聯合報", None), "a reporter of a paper"),
        (["By Jane Doe | China Daily | Updated: 2026-03-05 10:00"], ("Jane Doe", "China Daily", None), "bars"),
        ([TEXT, "本网未注明“来源：侨乡晚报”的文章均为转载稿。"], (None, None, None), "a notice quotes a label"),
        (["2026-03-05 审核：张三丰"], (None, None, None), "who checked it is no author"),
        (["侨乡时报", "2012-01-12", "蘇龍麒／台北報導"], ("蘇龍麒", None, None), "on a line of its own"),
        (["侨乡／台北報導", "【歷史／深度報導】" + TEXT], (None, None, None), "a series, no person"),
        ([TEXT, "（彭小冲 撰稿）"], ("彭小冲", None, None), "what the person did, behind the name"),
        ([TEXT, "（記者王小明報導）"], ("王小明", None, None), "that they report is no part of the name"),
        ([TEXT, "（本报记者方敏、霍琦综合报道）"], ("方敏 霍琦", None, None), "two who report"),
        (["記者許君達／皇后報導2026-03-05 06:12 ET"], ("許君達", None, None), "a date without a space"),
        (["侨乡日报", TEXT, "相關單位已展開調查。", "（记者霍琦）"], ("霍琦", None, None), "a sentence"),
        ([TEXT, "相關新聞", "（记者霍琦）"], (None, None, None), "another page's reporter"),
        ([TEXT, "（彭小冲 制图）"], (None, None, None), "who drew the map"),
        ([TEXT, "故宫调试灯光。侨新社记者 杜小洋 摄"], (None, None, None), "a photographer"),
        ([TEXT, "记者从县里了解到，游客明显增多"], (None, None, None), "running text"),
        ([TEXT, "（责编：牛小镛、岳弘彬）"], (None, None, "牛小镛 岳弘彬"), "editors at the end"),
        ([TEXT + "（編輯：蘇龍麒）1120221"], (None, None, "蘇龍麒"), "editor behind the last paragraph"),
        (["责任编辑：霍琦 SF099"], (None, None, "霍琦"), "a number of staff"),
        (["记者霍琦报道 6月10日，比赛开幕。"], ("霍琦", None, None), "a reporter who begins the text"),
        (["【本报记者霍琦、方敏报道】6月10日，比赛开幕。"], ("霍琦 方敏", None, None), "two in brackets"),
        (["记者从县里获悉，据报道，比赛将开幕。"], (None, None, None), "what reporters were told"),
        (["（责任编辑：霍琦 / 编发：方敏 / 图片来源：宣传部）"], (None, None, "霍琦"), "who sent it out"),
        (["编辑|禤志杰"], (None, None, "禤志杰"), "a bar for a colon"),
        (["来源： | 发布时间: 2018-05-17"], (None, None, None), "empty label"),
        (['作者： size="20" 来源： size="20" 发布日期：'], (None, None, None), "broken template"),
        (["作者：admin 来源：未知"], (None, None, None), "software's defaults"),
        (["作者：本站"], (None, None, None), "no name"),
        (["作者最新文章", "编辑推荐", "作者须知", "联系作者"], (None, None, None), "boxes, no labels"),
        (["图片来源：视觉中国 来源：侨乡网"], (None, "侨乡网", None), "where the picture is from"),
        (["作者：侨乡日报"], (None, "侨乡日报", None), "a medium is the source"),
        (["来源：尹小娟"], ("尹小娟", None, None), "a person is the author"),
        (["作者：方敏北京大学经济学院教授"], (None, None, None), "name and office in one: unsure"),
        (["本贴由大卫于2005年8月12日16:12:21在〖心灵体操〗发表."], ("大卫", None, None), "forum"),
        ([TEXT, "相关阅读", "作者：王五六 来源：别处网"], (None, None, None), "another page's by-line"),
        ([TEXT, "评论", "作者：王五六"], (None, None, None), "a reader's comment"),
    ],
)  # fmt: skip
def test_visible_lines(lines: list[str], found: tuple[str | None, ...], why: str) -> None:
    assert find_byline([TITLE, *lines], TITLE) == Byline(*found), why


def test_a_prefix_of_the_title_is_no_label() -> None:
    lines = ["[原创] 侨批中的家书", "楼主：番薯腔 时间：2026-03-05", TEXT]
    for title in ("[原创] 侨批中的家书", "侨批中的家书"):
        assert find_byline(lines, title) == Byline("番薯腔", None, None)


@pytest.mark.parametrize(
    ("meta", "json_ld", "lines", "found", "why"),
    [
        ({"author": "孔德明"}, [], ["孔德明"], ("孔德明", None, None), "meta that the page repeats"),
        ({"author": "孔德明"}, [], [], (None, None, None), "meta that nobody sees"),
        ({"author": "大汉网络"}, [], ["技术支持：大汉网络"], (None, None, None), "the software's maker"),
        ({"author": "105092"}, [], ["105092"], (None, None, None), "a number"),
        ({"article:author": "https://facebook.com/x"}, [], [], (None, None, None), "an address"),
        ({"article:author": "环球网"}, [], ["2019年1月1日 环球网"], (None, "环球网", None), "a medium"),
        ({"source": "来源：新华网"}, [], [], (None, "新华网", None), "the label within the value"),
        ({"editor": "严玉洁"}, [], [], (None, None, "严玉洁"), "meta editor"),
        ({}, ['{"author":{"@type":"Person","name":"林书豪"}}'], ["林书豪"], ("林书豪", None, None), "JSON-LD"),
        ({}, ['{"author":[{"name":"\\u6797\\u4e66\\u8c6a"}]}'], ["林书豪"], ("林书豪", None, None), "escaped"),
        ({}, [], ["标题", "发布单位", "日期", "点击次数"], (None, None, None), "the head of a table"),
        ({}, [], ["作者：网站管理员 时间：2019-05-18"], (None, None, None), "who looks after the site"),
        ({"author": "孔德明"}, [], ["作者：李在山", "孔德明"], ("李在山", None, None), "the label first"),
    ],
)  # fmt: skip
def test_stated_names(
    meta: dict[str, str],
    json_ld: list[str],
    lines: list[str],
    found: tuple[str | None, ...],
    why: str,
) -> None:
    assert find_byline([TITLE, *lines], TITLE, meta, json_ld) == Byline(*found), why


def test_names_of_people_and_media() -> None:
    assert people("欧阳明月、方敏") == "欧阳明月 方敏"
    assert people("扎西·次仁") == "扎西·次仁"
    assert people("蟹粉鲜虾···增强抵抗力") is None
    assert people("了解到") is None
    assert people("") is None
    assert is_medium("钱江晚报")
    assert not is_medium("张三丰")


@given(st.text(alphabet="作者来源责任编辑：: 张三丰新华网（）[]|/12-记文摄", max_size=60))
def test_names_are_clean_whatever_the_line(line: str) -> None:
    found = find_byline([line], "")
    for name in (found.author, found.source, found.editor):
        assert name is None or (1 < len(name) <= 40 and name == name.strip())
        assert name is None or not set(name) & set("：:|[]（）")


@given(st.text(max_size=300))
def test_cleaning_never_raises(value: str) -> None:
    clean_author(value)
    clean_source(value)
    find_byline([value], value, {"author": value, "source": value}, [value])


TEXT = "旧事如烟，街上的人都说，今年的桂花比往年开得早一些。"


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        (["2019-11-19 08:19 方敏"], "方敏"),
        (["2004年7月16日08:19 [ 黄宇 ] 来源：[ 国际金融报 ]"], "黄宇"),
        (["胡平", "2005-03-01"], "胡平"),
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


@pytest.mark.parametrize(
    ("lines", "source", "author"),
    [
        (["索 引 号：", "000014349", "发文机关：", "国务院办公厅", "TITLE"], "国务院办公厅", None),
        (["TITLE", "发布机构：市政府办公室", "公开日期：2021-11-25"], "市政府办公室", None),
        (["TITLE", "发布机构：", "公开日期：", "2021-11-25"], None, None),
        (["TITLE", "作者：", "程远山", "来源：", "晨光周刊"], "晨光周刊", "程远山"),
        (["TITLE", "作者：", "来源：", "晨光周刊"], "晨光周刊", None),
    ],
)
def test_labels_and_values_in_cells(lines, source, author):
    title = "关于加强农村公路养护管理工作的通知"
    text = "为进一步规范农村公路养护管理工作，提高养护质量和资金使用效益，现就有关事项通知如下。"
    found = find_byline([line.replace("TITLE", title) for line in lines] + [text], title)
    assert (found.source, found.author) == (source, author)


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


@pytest.mark.parametrize("bar", ["丨", "︱", "│", "∣", "｜"])
def test_bars_of_all_sorts_stand_behind_labels(bar: str) -> None:
    lines = ["老药铺的药秤", f"文{bar}方敏 编辑{bar}霍琦", f"来源{bar}北方日报", "药秤是铜的。"]
    assert find_byline(lines, "老药铺的药秤") == Byline("方敏", "北方日报", "霍琦")


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("本报记者 方敏", "方敏"),
        ("《老街》记者 方敏 霍琦", "方敏 霍琦"),
        ("老街周刊特约评论员 方敏", "方敏"),
        ("本刊特约撰稿人方敏 摄影 霍琦", "方敏"),
        ("方敏 通讯员 霍琦", "方敏"),
        ("老记者", "老记者"),
    ],
)
def test_the_position_before_a_name_is_no_part_of_it(value: str, names: str | None) -> None:
    assert clean_author(value) == names


def test_a_label_of_a_commentator_is_no_counter() -> None:
    lines = ["老药铺的药秤", "文｜老街周刊特约评论员 方敏", "药秤是铜的，秤杆上的星点已经磨平。"]
    assert find_byline(lines, "老药铺的药秤").author == "方敏"


def test_who_is_labeled_editor_is_not_the_author_that_metadata_name() -> None:
    lines = [
        "老药铺的药秤",
        "2019-11-19 08:19",
        "药秤是铜的。",
        "老街周刊记者 霍琦",
        "责任编辑：方敏",
    ]
    found = find_byline(lines, "老药铺的药秤", {"author": "方敏"})
    assert (found.author, found.editor) == ("霍琦", "方敏")
    lines[3] = "作者：方敏"
    assert find_byline(lines, "老药铺的药秤", {"author": "方敏"}).author == "方敏"


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


@pytest.mark.parametrize(
    ("line", "author", "source"),
    [
        ("作者：叶小楼 录入：admin 来源：江城晚报", "叶小楼", "江城晚报"),
        ("2018-05-04 16:08来源：江城晚报留言条数：2发布者：admin", None, "江城晚报"),
        ("作者：叶小楼 学校：江城一中", "叶小楼", None),
    ],
    ids=["entry", "counter", "unknown"],
)
def test_a_name_ends_at_the_next_label(line: str, author: str | None, source: str | None) -> None:
    found = find_byline(["江城今年桃花开得早", line], "江城今年桃花开得早")
    assert (found.author, found.source) == (author, source)


def test_boxes_of_posters_look_at_no_links_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    outline = walk("<div class=authi>12</div>" * 50 + "<a href=/u/1></a>" * 50 + "<p>正文</p>")
    looks = []
    ends = RawLink.end
    monkeypatch.setattr(
        RawLink, "end", property(lambda link: looks.append(link) or ends.__get__(link))
    )
    assert poster_of(outline) is None
    assert len(looks) <= 2 * len(outline.links)
