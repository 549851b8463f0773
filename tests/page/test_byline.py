"""Author, source and editor: labels, cleaning, and strings that are not names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.byline import Byline, find_byline
from topiccrawl.page.byline.names import clean_author, clean_source, is_medium, people

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
        (["责任编辑：网站编辑部"], (None, None, "网站编辑部"), "an office, not a second label"),
        (["[責任編輯：網站編輯部]"], (None, None, "網站編輯部"), "the same in traditional characters"),
        (["编辑：编辑部"], (None, None, None), "every medium has one"),
        (["僑報 來源：中央社 責任編輯：陳小華"], (None, "中央社", "陳小華"), "traditional"),
        (["本报记者 王乐文 方 敏"], ("王乐文 方敏", None, None), "two reporters, one name spread"),
        (["侨乡报记者 彭小冲 山东冠县报道"], ("彭小冲", None, None), "the place behind the name"),
        ([TEXT, "本报讯（记者 裴剑飞）" + TEXT], ("裴剑飞", None, None), "a reporter in brackets in the text"),
        (["〔記者蘇龍麒／台北報導〕" + TEXT], ("蘇龍麒", None, None), "in brackets before the text, in Taiwan"),
        (["【蘇龍麒╱新北報導】" + TEXT], ("蘇龍麒", None, None), "a drawn slash, without the word"),
        (["（中央社記者蘇龍麒台北5日電）" + TEXT], ("蘇龍麒", "中央社", None), "an agency, the place behind the name"),
        (["（中央社記者蘇龍麒曼谷2日專電）" + TEXT], ("蘇龍麒", "中央社", None), "any place before a day"),
        (["（中央社記者蘇龍麒、陳小華曼谷2日電）" + TEXT], ("蘇龍麒 陳小華", "中央社", None), "two, and any place"),
        (["（中央社日內瓦8日綜合外電報導）" + TEXT], (None, "中央社", None), "an agency without reporters"),
        (["新华社北京3月5日电（记者王小明）" + TEXT], ("王小明", "新华社", None), "an agency without brackets"),
        (["据新华社北京3月5日电，" + TEXT], (None, None, None), "a paper that quotes an agency"),
        (["供销社区域内3月5日停电，" + TEXT], (None, None, None), "a sentence"),
        (["【記者蘇龍麒、陳小華花蓮報導】" + TEXT], ("蘇龍麒 陳小華", None, None), "two, and the place"),
        (["（中央社記者台北5日電）" + TEXT], (None, "中央社", None), "a place, no person"),
        (["記者蘇龍麒／台北報導 " + TEXT], ("蘇龍麒", None, None), "without brackets, before the text"),
        (["侨乡时报", "聯合報／ 記者蘇龍麒／台北即時報導 2026-03-05 10:00"], ("蘇龍麒", "聯合報", None), "a day"),
        ([TEXT, "记者｜张三丰 编辑｜霍琦"], ("张三丰", None, "霍琦"), "bars"),
        (["2023-06-30 10:11 记者：格桑边觉"], ("格桑边觉", None, None), "a label behind the time"),
        (["记者：张三丰 编辑：霍琦"], ("张三丰", None, "霍琦"), "a colon"),
        (["記者：您好。", TEXT], (None, None, None), "an interview"),
        (["记者：方便说说吗？", TEXT], (None, None, None), "an interview, a word that begins like a surname"),
        (["2022年11月3日 | 僑社", TEXT], (None, None, None), "a channel behind the date"),
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
        (["来 源：市侨办 作 者：尹小娟"], ("尹小娟", "市侨办", None), "labels that are spaced out"),
        (["作者：侨乡周末特约撰稿 尹小娟 2026-03-05 10:00:00"], ("尹小娟", None, None), "a position, no label"),
        (["侨乡日报 2026-03-05 10:00:27 责任编辑：霍琦"], (None, "侨乡日报", "霍琦"), "a medium before the date"),
        (["工作简报 2026-03-05 10:00"], (None, None, None), "a channel before the date"),
        (["2026-03-05 10:00 侨报在线 编辑：霍琦"], (None, "侨报在线", "霍琦"), "a site behind the time"),
        (["Copyright 2010-2026 侨报在线"], (None, None, None), "who has the rights"),
        (["新华社南京2026年3月5日电（记者王小明）" + TEXT], ("王小明", "新华社", None), "an agency and a year"),
        (["（中央社記者呂欣曼谷12日電）" + TEXT], ("呂欣", "中央社", None), "a name of two characters"),
        (["（中央社記者歐陽靜怡聖保羅5日電）" + TEXT], ("歐陽靜怡", "中央社", None), "a double surname"),
        (["（中央社記者歐陽靜怡棉蘭老5日電）" + TEXT], ("歐陽靜怡", "中央社", None), "the same, and any place"),
        (["【侨乡报记者霍琦10月27日洛杉矶报道】" + TEXT], ("霍琦", None, None), "the day before the place"),
        (["僑鄉記者蘇龍麒吉隆坡報道 03月05日 2026"], ("蘇龍麒", None, None), "no mark but the end of a word"),
        (["《侨乡研究》2026年第3期（3月5日出版），第44—58页"], (None, "侨乡研究", None), "a journal and its issue"),
        (["出 处：《侨乡研究》2018年第3期44-58,共15页"], (None, "侨乡研究", None), "the same behind a label"),
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
        ({"author": "县法院"}, [], ["来源：县法院"], (None, "县法院", None), "meta that name the source"),
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
