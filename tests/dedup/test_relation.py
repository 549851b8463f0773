"""What a page is to another: copies, parts, the same template, or nothing."""

from __future__ import annotations

import opencc
import pytest

from tests.support.related_pages import (
    BODY,
    LINES,
    MUSEUM_LINES,
    OTHER_LINES,
    TITLE,
    kind,
    other,
    page,
)
from topiccrawl.dedup.numbers import title_numbers
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import may_share_text, relate


def test_the_same_text_on_another_site_is_a_copy_whatever_its_title() -> None:
    assert kind(page(), other()) == "copy"
    assert kind(page(), other("快讯！侨务工作今年这样干")) == "copy"


def test_white_space_punctuation_and_traditional_characters_make_no_difference() -> None:
    spaced = BODY.replace("，", ", ").replace("\n", "\n\n　　")
    assert kind(page(), other(body=spaced)) == "copy"
    convert = opencc.OpenCC("s2t").convert
    assert kind(page(), other(convert(TITLE), convert(BODY))) == "copy"


def test_one_page_under_two_addresses_of_a_site_or_of_two_hosts_is_the_same_page() -> None:
    first = page(url="http://www.a.cn/2024/c1.html", site="www.a.cn")
    print_version = page(url="http://www.a.cn/print?id=1", site="www.a.cn")
    mobile = page(url="http://m.a.cn/2024/c1.html", site="m.a.cn")
    assert kind(first, print_version) == kind(first, mobile) == "same-page"
    assert kind(first, first) == "same-page"


@pytest.mark.parametrize(
    "body",
    [
        BODY.replace("320人", "310人"),
        "编者按：本文反映的情况值得关注，现予转载，供读者参考。\n" + BODY,
        BODY.replace(LINES[4], LINES[4] + "\n扫描二维码关注公众号，注册即送三十元红包，先到先得！"),
        "\n".join(LINES[:2] + LINES[3:7]),
        "\n".join(LINES[4:] + LINES[:4]),
        "\n".join([*LINES[:4], OTHER_LINES[0], *LINES[4:]]),
    ],
    ids=["number corrected", "note", "advertisement", "cut", "moved", "added"],
)
@pytest.mark.parametrize("title", [TITLE, "今年侨务工作怎么干？这次会议说清楚了"])
def test_an_edited_text_is_a_copy(title: str, body: str) -> None:
    relation = relate(other(title, body), page())
    assert relation.kind in ("copy", "edited")
    assert relation.is_copy


def test_a_text_with_another_number_is_edited_not_an_unchanged_copy() -> None:
    assert kind(other(body=BODY.replace("72亿元", "75亿元")), page()) == "edited"


@pytest.mark.parametrize("title", [TITLE, "惠侨政策年底前检查落实"])
def test_a_part_of_a_text_is_an_excerpt_and_the_whole_gathers_it(title: str) -> None:
    part, whole = other(title, "\n".join(LINES[1:4])), page()
    assert kind(part, whole) == "excerpt"
    assert kind(whole, part) == "gathers"


def test_a_page_that_joins_articles_gathers_each_of_them() -> None:
    joined = page("今日要闻汇总", "\n".join([*OTHER_LINES, *LINES, *MUSEUM_LINES]))
    assert kind(joined, other()) == "gathers"
    assert kind(other(), joined) == "excerpt"


@pytest.mark.parametrize("lines", [[*LINES, *OTHER_LINES[:5]], [*OTHER_LINES[2:], *LINES]])
@pytest.mark.parametrize(
    "title", ["今日要闻", "城区道路积水 交警连夜疏导", "全省侨务工作会议 城区道路积水"]
)
def test_a_page_that_joins_an_article_and_a_shorter_one_gathers_it(
    title: str, lines: list[str]
) -> None:
    joined = page(title, "\n".join(lines))
    assert kind(joined, other()) == "gathers"
    assert kind(other(), joined) == "excerpt"


@pytest.mark.parametrize(
    "beside",
    [
        "相关阅读：\n" + "\n".join(line[:20] for line in OTHER_LINES),
        "\n".join(f"{line[:28]}……" for line in OTHER_LINES),
        "会议期间，代表还参观了侨乡的华侨古厝。会议认为，华侨古厝是侨乡文化的根，要保护好。海外侨胞对侨乡很关心，"
        "海外华文教育也离不开侨胞。去年来访的海外侨胞在侨乡投资，归侨侨眷的就业和养老也有了着落。",
    ],
    ids=["headlines", "teasers", "more of the story"],
)
def test_what_stands_beside_a_copy_under_another_title_is_no_second_article(beside: str) -> None:
    relation = relate(page("今年侨务工作怎么干", f"{BODY}\n{beside}"), other())
    assert relation.kind == "edited"
    assert relation.is_copy


HOLIDAY = (
    "各科室、各直属单位：\n根据上级通知精神，现将国庆节放假安排通知如下：10月1日至7日放假调休，共7天，9月28日（星期日）上班。\n"
    "放假期间，各单位要妥善安排值班和安全保卫工作，遇有重大突发事件，要按规定及时报告并妥善处置，确保群众祥和平安度过节日。\n"
)
RULES = (
    "为规范归侨侨眷身份认定工作，根据有关法律法规，现将办理事项公告如下。一、申请人须有本地户籍，并提交身份证、户口簿、"
    "境外亲属的居留证明以及亲属关系证明。二、申请表经社区核实后报送，十五个工作日内作出决定。特此公告。"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("国庆节放假通知", f"{HOLIDAY}泉州市教育局\n2026年9月22日"),
            ("国庆节放假通知", f"{HOLIDAY}江门市归国华侨联合会\n2026年9月22日"),
        ),
        (
            ("国庆节放假通知", f"{HOLIDAY}填报单位：市侨办"),
            ("国庆节放假通知", f"{HOLIDAY}填报单位：市图书馆"),
        ),
        (
            ("泉州市侨务办公室关于身份认定的公告", RULES),
            ("江门市侨务局关于身份认定的公告", f"{RULES}2026年3月1日"),
        ),
    ],
)
def test_one_notice_in_the_name_of_two_offices_is_two(
    first: tuple[str, str], second: tuple[str, str]
) -> None:
    assert kind(page(*first), other(*second)) == "template"
    for title, body in (first, second):
        reprints = (
            (title, f"来源：侨网服务中心\n{body}\n主办单位：侨网信息中心\n责任编辑：王明"),
            (title, body.removesuffix("\n2026年9月22日")),
            (title, body.replace("归国华侨联合会", "侨联")),
            (f"转发：{title}", f"{body}\n请认真贯彻执行。\n台山市人民政府"),
        )
        for reprint in reprints:
            assert relate(page(title, body), other(*reprint)).is_copy


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("《侨务通讯》2015年第1期", "《侨务通讯》2015年第2期"),
        ("《侨务通讯》二〇一五年第三期", "《侨务通讯》二〇一五年第四期"),
        ("爬虫框架 2.11.1 发布说明", "爬虫框架 2.11.2 发布说明"),
        ("3月4日侨乡天气预报", "3月5日侨乡天气预报"),
        ("归侨回忆录（上）", "归侨回忆录（下）"),
    ],
)
def test_two_editions_are_different_though_their_texts_differ_in_the_number_only(
    first: str, second: str
) -> None:
    relation = relate(page(first, first + BODY), other(second, second + BODY))
    assert not relation.is_copy
    assert relation.kind == "template"
    assert "numbers in the titles differ" in relation.reasons[0]


def test_reports_of_one_form_with_other_figures_are_not_copies() -> None:
    form = (
        "{}月{}日0时至24时，全市新增确诊病例{}例，其中{}例在隔离管控中发现。当日治愈出院{}例，解除观察{}人。"
        "截至当日24时，现有确诊病例{}例，累计治愈{}例。请市民继续做好个人防护，科学佩戴口罩，减少聚集。"
    )
    first = page("全市新增确诊病例80例", form.format(3, 4, 80, 61, 12, 905, 1201, 9904))
    second = other("全市新增确诊病例6例", form.format(3, 9, 6, 2, 33, 411, 873, 10322))
    assert not relate(first, second).is_copy


def test_a_form_with_another_name_is_not_a_copy() -> None:
    form = (
        "经研究决定，任命{0}同志为市侨务办公室副主任，试用期一年。{0}同志的任职时间从通知之日起计算。"
        "请有关部门按照干部管理权限办理手续，并做好工作交接。特此通知。抄送：市委各部门，市人大常委会办公厅，"
        "市政协办公厅，市法院，市检察院，各民主党派，各人民团体。{0}同志原任职务自然免除。"
    )
    first, second = (
        make(f"关于{name}同志任职的通知", form.format(name))
        for make, name in ((page, "陈国强"), (other, "林秀英"))
    )
    assert kind(first, second) == "template"


@pytest.mark.parametrize(
    ("first", "second", "copies"),
    [
        ("DAY", "EDATE 函数", False),
        ("FORECAST.ETS.ADD 函数", "FORECAST.ETS.MULT 函数", False),
        ('"*" 运算符', '"-" 运算符', False),
        ("DAY 函数", "DAY", True),
        ("DAY", "日期", True),
    ],
)
def test_pages_about_things_of_other_names_are_no_copies(
    first: str, second: str, copies: bool
) -> None:
    ends = "返回日期中的日。参见 DAY 与 EDATE。", "返回相隔若干月的日期。参见 DAY 与 EDATE。"
    relation = relate(page(first, BODY + ends[0]), other(second, BODY + ends[1]))
    assert relation.is_copy == copies
    assert copies or "name of another thing" in " ".join(relation.reasons)


def test_short_texts_under_a_title_of_few_terms_must_share_more() -> None:
    first, second = (
        f"删除当前的{it}。请先选择要处理的内容，再打开右键菜单。"
        for it in ("行", "整个图表对象及其数据")
    )
    assert relate(page("删除选中的内容", first), other("删除选中的内容", second)).is_copy
    assert not relate(page("删除", first), other("删除", second)).is_copy


def test_articles_between_the_same_menus_share_a_template_only() -> None:
    menu = "首页 新闻 政策 服务 互动 专题 数据 关于我们 网站地图 联系方式 使用帮助 隐私声明 " * 3
    first = page(TITLE, menu + "".join(LINES[:4]))
    second = other("大雨过后城区恢复正常", menu + "".join(OTHER_LINES[:4]))
    assert not relate(first, second).is_copy


def test_pages_under_one_title_with_other_texts_are_different() -> None:
    assert kind(page("通知公告"), other("通知公告", "\n".join(OTHER_LINES))) == "different"


def test_short_texts_need_titles_that_agree() -> None:
    flash = "本报讯 第十届华侨华人恳亲大会昨天在广州开幕。"
    assert relate(page("恳亲大会在广州开幕", flash), other("恳亲大会在广州开幕", flash)).is_copy
    login = "请登录后查看全部内容。"
    assert not relate(page("恳亲大会在广州开幕", login), other("侨商企业家座谈", login)).is_copy


def test_pages_without_text_are_compared_by_long_titles() -> None:
    assert relate(page(TITLE, ""), other(TITLE, "")).is_copy
    assert not relate(page("图片", ""), other("图片", "")).is_copy
    assert not relate(page("", ""), other("", "")).is_copy


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("侨乡日报2024-03-05新闻摘要", "侨乡日报2024年3月5日新闻摘要"),
        ("侨乡日报2024/3/5新闻摘要", "侨乡日报2024-03-05新闻摘要"),
        ("侨乡日报20240305新闻摘要", "侨乡日报3月5日新闻摘要"),
        ("侨乡投资1,200万元", "侨乡投资1200万元"),
        ("侨乡出口增长5.0%", "侨乡出口增长5%"),
    ],
)
def test_a_number_that_is_written_in_another_way_makes_no_other_page(
    first: str, second: str
) -> None:
    assert kind(page(first), page(second, "\n".join(LINES[:-1]), "http://b.cn/2")) == "edited"


def test_the_same_numbers_in_another_place_of_a_date_are_another_day() -> None:
    first, second = title_numbers("侨乡2024年5月3日新闻"), title_numbers("侨乡2024-03-05新闻")
    assert first.other_edition(second)
    assert not first.other_edition(title_numbers("侨乡5月3日新闻"))
    assert title_numbers("版本1.10") != title_numbers("版本1.1")
    assert (
        title_numbers("晨报星期天版")
        == title_numbers("晨报星期日版")
        != title_numbers("晨报星期六版")
    )


def test_numbers_of_titles_are_editions_or_amounts() -> None:
    numbers = title_numbers("2015年第二十三期：新增确诊80例，投资1.5亿元（上）")
    assert numbers.editions == {"2015", "23", "上"}
    assert numbers.amounts == {"80", "1.5"}
    assert title_numbers("二〇一五年").editions == {"2015"}


NOTICE = (
    "{0}：本院受理原告{1}与被告{0}{2}一案，已审理终结。因你下落不明，依照民事诉讼法的规定，现依法向你公告送达本院"
    "（2026）闽01民初{3}号民事判决书。自本公告发布之日起经过三十日，即视为送达。请你在公告期满后三日内到本院{4}领取判决书，"
    "逾期不领取即视为送达。如不服本判决，可在判决书送达之日起十五日内向本院递交上诉状，并按对方当事人的人数提出副本，"
    "上诉于中级人民法院。逾期未上诉的，本判决即发生法律效力。特此公告。"
)
TENDER = (
    "一、项目编号：ZB2026{0}。二、项目名称：{1}。三、中标信息：供应商名称：{2}有限公司，中标金额：{3}元。"
    "四、评审专家：{4}。五、公告期限：自本公告发布之日起1个工作日。六、各有关当事人对中标结果有异议的，可以在公告发布之日起七个工作日内"
    "以书面形式向采购人或采购代理机构提出质疑，逾期将不再受理。质疑供应商对答复不满意的，可以在答复期满后十五个工作日内"
    "向同级财政部门投诉。"
)


@pytest.mark.parametrize(
    ("title", "form", "first", "second"),
    [
        (
            "公告",
            NOTICE,
            ("陈国强", "林秀英", "买卖合同纠纷", 4157, "第一法庭"),
            ("何静", "黄文远", "房屋租赁合同纠纷", 382, "速裁庭"),
        ),
        (
            "中标结果公告",
            TENDER,
            ("017", "侨兴村道路硬化工程", "大路建设", 860000, "张磊、吴敏、许洋"),
            ("342", "中心小学校舍改造工程", "南坑园林", 3215000, "郑芳、孙涛、曹艳"),
        ),
        (
            "天气预报",
            "市气象台今天傍晚发布：今天夜间{}，最低气温{}度；明天白天{}，最高气温{}度，偏{}级。请市民注意防范。",
            ("多云转阴", 9, "小雨", 21, "东风3"),
            ("晴", 14, "雷阵雨转中雨", 31, "南风2"),
        ),
    ],
)
def test_notices_of_one_form_under_one_title_are_not_copies(
    title: str, form: str, first: tuple[object, ...], second: tuple[object, ...]
) -> None:
    one, another = form.format(*first), form.format(*second)
    assert not relate(page(title, one), other(title, another)).is_copy
    assert relate(page(title, one), other(title, f"{one}\n责任编辑：王明 浏览次数：87")).is_copy


def test_an_article_whose_words_an_editor_replaced_is_a_copy_though_a_number_was_corrected() -> (
    None
):
    replaced = BODY.replace("1860", "1890")
    for word, by in (
        ("会议", "大会"), ("侨胞", "华侨"), ("代表", "来宾"), ("部署", "安排"), ("帮助", "协助"), ("参加", "出席"),
    ):  # fmt: skip
        replaced = replaced.replace(word, by)
    assert relate(page(), other(TITLE, replaced)).is_copy


FLASH = (
    "福州市气象台{}日{}时发布暴雨黄色预警信号：预计未来6小时{}等地有50毫米以上降水，请注意防范。"
)
MAINTENANCE = "尊敬的用户：本系统将于{}月{}日{}:00至次日6:00进行升级维护，期间暂停服务，敬请谅解。"
CAPTION = "泉州蔡氏古民居，建于清代，是闽南红砖建筑的代表。记者林晓摄"
QUAKE = "中国地震台网正式测定：2月28日22时46分在四川甘孜州泸定县发生4.8级地震，震源深度8千米。"


@pytest.mark.parametrize(
    ("first", "second", "copies"),
    [
        # One field of the form, with two numbers.
        (("系统维护公告", MAINTENANCE.format(11, 20, 22)), ("系统维护公告", MAINTENANCE.format(12, 5, 23)), False),
        # One number that was corrected.
        (("暴雨黄色预警", FLASH.format(3, 8, "鼓楼")), ("暴雨黄色预警", FLASH.format(3, 9, "鼓楼")), True),
        (
            ("福州市举行侨务工作座谈会", "11月27日，市侨联在福州举行座谈会，20名代表参加。"),
            ("泉州市举行侨务工作座谈会", "11月27日，市侨联在泉州举行座谈会，20名代表参加。"),
            False,
        ),
        (("侨乡古厝图集（1/12）", CAPTION), ("侨乡古厝图集（2/12）", CAPTION), False),
        (("四川甘孜州发生4.8级地震", QUAKE), ("四川泸定4.8级地震", QUAKE), True),
    ],
)  # fmt: skip
def test_flashes_are_copies_if_they_are_about_one_thing(
    first: tuple[str, str], second: tuple[str, str], copies: bool
) -> None:
    a, b = PreparedPage(page(*first)), PreparedPage(other(*second))
    assert relate(a, b).is_copy == copies
    assert may_share_text(a, b) or not copies
