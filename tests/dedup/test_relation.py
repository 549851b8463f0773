"""What a page is to another: copies, parts, the same template, or nothing."""

from __future__ import annotations

import math
import random
import time

import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.dedup.compared import ComparedPage, RelationKind
from topiccrawl.dedup.numbers import title_numbers
from topiccrawl.dedup.odds import LONG, SHORT, most_log_odds
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import LITTLE, SAMPLED, may_share_text, relate
from topiccrawl.details import translated

TITLE = "全省侨务工作会议在福州召开 部署全年重点任务"
LINES = [
    "全省侨务工作会议3月12日在福州召开，来自各地的代表320人参加了会议。",
    "会议总结了过去一年的侨务工作，分析了当前面临的形势，部署了今后一个时期的重点任务。",
    "会议指出，要坚持为侨服务的宗旨，主动回应侨胞关切，帮助归侨侨眷解决就业和养老方面的困难。",
    "去年全省共接待海外侨胞来访1860人次，引进侨资项目45个，总投资72亿元。",
    "各地还结合实际举办了寻根之旅夏令营，吸引了来自23个国家的华裔青少年参加。",
    "与会代表围绕侨乡文化保护、海外华文教育和涉侨法律服务展开了热烈讨论。",
    "来自泉州的代表介绍了当地修缮华侨古厝的经验，目前已有16处建筑对公众开放。",
    "会议要求，各级部门要加强统筹协调，把各项惠侨政策落到实处，年底前对落实情况进行检查。",
]
OTHER_LINES = [
    "昨夜的大雨使城区多条道路积水，交警部门连夜疏导交通，没有人员伤亡。",
    "气象专家分析，这次降水过程是冷暖空气交汇造成的，未来三天仍有阵雨。",
    "市排水公司出动抢险车辆，对低洼路段进行抽水作业，凌晨前积水基本排除。",
    "园林部门清理倒伏树木，供电公司抢修受损线路，居民生活已经恢复正常。",
    "教育部门提醒家长注意接送安全，部分学校推迟了到校时间。",
    "水库管理单位加强巡查，按照调度指令有序泄洪，下游水位总体平稳。",
    "商务部门表示，市场供应充足，蔬菜价格没有明显波动，请市民不要囤积。",
    "志愿者在社区帮助老人搬运物品，街道办事处安排了临时休息场所。",
]
MUSEUM_LINES = [
    "博物馆新馆下月开放，展出馆藏青铜器、瓷器和书画共四百余件，观众可免费预约参观。",
    "讲解员介绍，镇馆之宝是一件商代的提梁卣，出土于三十年前的一次道路施工。",
    "新馆的地下一层设有儿童体验区，孩子们可以在那里学习拓印和修复陶片。",
    "馆方计划每个季度更换一次临时展览，首个临时展览的主题是海上丝绸之路。",
]
BODY = "\n".join(LINES)


def page(
    title: str = TITLE, body: str = BODY, url: str = "http://a.cn/1", **more: str
) -> ComparedPage:
    return ComparedPage(url=url, title=title, body=body, **more)


def kind(first: ComparedPage, second: ComparedPage) -> RelationKind:
    return relate(first, second).kind


def other(title: str = TITLE, body: str = BODY) -> ComparedPage:
    return page(title, body, "http://b.cn/news/77.html", site="b.cn")


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


TEXTS = st.lists(st.sampled_from(LINES + OTHER_LINES), max_size=9).map("\n".join)
TITLES = st.sampled_from(
    [TITLE, "侨务通讯第1期", "侨务通讯第2期", "新增80例", "新增6例", "通知", ""]
)
PAGES = st.builds(
    ComparedPage,
    url=st.sampled_from(["http://a.cn/1", "http://b.cn/1", "http://a.cn/2"]),
    title=TITLES,
    body=TEXTS,
    site=st.sampled_from(["a.cn", "b.cn", ""]),
)
EXCHANGED: dict[RelationKind, RelationKind] = {"excerpt": "gathers", "gathers": "excerpt"}


@given(PAGES, PAGES)
def test_exchanging_the_pages_exchanges_part_and_whole_only(
    first: ComparedPage, second: ComparedPage
) -> None:
    forth, back = relate(first, second), relate(second, first)
    assert back.kind == EXCHANGED.get(forth.kind, forth.kind)
    assert back.confidence == pytest.approx(forth.confidence)
    assert len(back.reasons) == len(forth.reasons)


@given(PAGES)
def test_each_page_is_the_same_page_as_itself(one: ComparedPage) -> None:
    assert kind(one, one) == "same-page"


@given(PAGES, PAGES)
def test_a_prepared_page_gives_the_same_result(first: ComparedPage, second: ComparedPage) -> None:
    assert relate(PreparedPage(first), PreparedPage(second)) == relate(first, second)


@given(PAGES, PAGES)
def test_a_look_at_shingles_and_titles_rules_out_no_copy_and_no_part(
    first: ComparedPage, second: ComparedPage
) -> None:
    if not may_share_text(PreparedPage(first), PreparedPage(second)):
        assert kind(first, second) in ("different", "template")


def test_a_look_at_shingles_and_titles_rules_out_pages_that_share_half_of_their_sentences() -> None:
    one = PreparedPage(page(body="\n".join(LINES[:4] + OTHER_LINES[:4])))
    two = PreparedPage(other("气象台发布预报", "\n".join(LINES[:4] + OTHER_LINES[4:])))
    assert not may_share_text(one, two)


@given(PAGES, PAGES)
def test_confidence_is_a_probability_of_at_least_a_half_and_reasons_are_translated(
    first: ComparedPage, second: ComparedPage
) -> None:
    relation = relate(first, second)
    assert 0.5 <= relation.confidence <= 1
    assert relation.reasons
    assert all(translated(reason, "zh") != reason for reason in relation.reasons)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=300), st.text(max_size=300))
def test_no_text_makes_the_comparison_fail(t1: str, t2: str, b1: str, b2: str) -> None:
    assert relate(page(t1, b1), other(t2, b2)).confidence >= 0.5


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


def test_numbers_of_titles_are_editions_or_amounts() -> None:
    numbers = title_numbers("2015年第二十三期：新增确诊80例，投资1.5亿元（上）")
    assert numbers.editions == {"2015", "23", "上"}
    assert numbers.amounts == {"80", "1.5"}
    assert title_numbers("二〇一五年").editions == {"2015"}


def test_comparisons_of_prepared_pages_are_cheap() -> None:
    rng = random.Random(3)
    lines = (LINES + OTHER_LINES) * 4
    pages = [
        PreparedPage(page(body="\n".join(rng.sample(lines, 40)), url=str(n))) for n in range(40)
    ]
    begin = time.process_time()
    for one in pages[:20]:
        for two in pages:
            relate(one, two)
    assert time.process_time() - begin < 4  # 800 comparisons take .2 seconds


def test_of_copies_at_most_one_in_a_hundred_million_is_taken_for_another_text_by_its_sample() -> (
    None
):
    for size in range(SHORT + 20, LONG + 100, 60):
        least = next(
            n for n in range(size + 1) if most_log_odds(0.99, n / size, n / size, size) > 0
        )
        wrong = sum(
            _binomial(size, sampled, 1 / 8)
            * sum(
                _binomial(sampled, shared, least / size)
                for shared in range(math.floor(LITTLE * sampled) + 1)
            )
            for sampled in range(SAMPLED, min(size, 400))
        )
        assert wrong < 1e-8, size


def _binomial(n: int, k: int, p: float) -> float:
    if p == 1.0:
        return float(k == n)
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log(1 - p))


def test_texts_that_share_some_sentences_are_told_apart_and_copies_are_not() -> None:
    draw = random.Random(7)
    sentences = [
        "".join(chr(draw.randrange(0x4E00, 0x9F00)) for _ in range(30)) + "。" for _ in range(80)
    ]
    first = PreparedPage(page("某市举行春季招聘会", "".join(sentences[:40])))
    unlike = PreparedPage(other("博物馆新馆下月开放", "".join(sentences[33:73])))
    edited = PreparedPage(other("招聘会在体育馆举行", "".join(sentences[4:40])))
    assert not may_share_text(first, unlike)
    assert relate(first, unlike).kind == "different"
    assert may_share_text(first, edited)
    assert relate(first, edited).is_copy


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
