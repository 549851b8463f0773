"""Lines that belong to the body by where they stand, and links that lead away from it."""

from __future__ import annotations

import pytest

from topiccrawl.page.page import Page

TEXT = (
    "为保障中小学生用餐安全，县教育局会同县市场监督管理局对全县承担校外供餐的企业进行了全覆盖检查，现将检查结果公告如下。",
    "本次共检查企业六家，抽检餐具、原料和成品四十八批次，其中合格四十七批次，一批次餐具的大肠菌群超过了标准。",
    "限期整改的企业应当在三月底以前完成整改，并提交复查申请；逾期没有整改的，取消供餐资格，两年以内不得再次申请。",
)
TITLE = "关于校外供餐企业检查结果的公告"


def lines(inside: str, title: str = TITLE) -> list[str]:
    head = "<ul><li><a href='/a'>首页</a></li><li><a href='/b'>政务公开</a></li></ul>"
    foot = "<p>主办：新桥县人民政府办公室　备案号：皖ICP备05001234号</p>"
    html = f"<title>{title}-新桥县</title><body>{head}<h1>{title}</h1>{inside}<div>{foot}</div>"
    return Page("http://www.example.gov.cn/a/8123.html", html.encode(), "utf-8").body.split("\n")


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def test_short_sentences_behind_the_text() -> None:
    text = (
        "手机用久了电池不耐用，很多人的第一反应是换电池，其实先试试下面几个办法。",
        "关闭后台自动刷新，能让待机时间延长两成左右。",
        "屏幕亮度调到自动，避免长时间使用最高亮度。",
        "温度对电池影响很大，充电的时候最好取下保护壳。",
    )
    link = "<a href='/'>手机</a>"
    html = (
        f"<title>手机电池续航技巧 - 数码之家</title><div>{link}</div><div id='details'><h3>手机电池续航技巧</h3>"
        "<div class='d1'>时间：2013-05-20 10:12:08 来源：江城晚报 作者：叶小楼 点击量：163次</div>"
        f"<div class='d3'>{paragraphs(*text)}</div><div class='d4'>TAB标签：{link}</div>"
        "<div class='d6'><h2><a href='/c'>已经有<span>2</span>人参与评论</a>最新评论</h2>"
        "<dl><dd><em>2013-05-21 08:00:12 发表</em></dd><dd>有用，收藏了<a href='#'>[0]支持</a></dd></dl></div></div>"
        f"<div class='right'><h2>本类推荐</h2><ul><li><em>06-20</em>{link}</li></ul></div>"
    )
    body = Page("http://www.example.com/a/8123.html", html.encode(), "utf-8").body
    assert body.split("\n") == list(text)


SECTIONS = (
    (
        "职位描述",
        "负责公司网站和小程序的前端开发，与设计师、后端工程师配合完成需求。",
        "持续优化页面性能，保证在主流浏览器和手机上的体验一致。",
    ),
    (
        "职位要求",
        "本科及以上学历，三年以上前端开发经验，熟悉至少一种主流框架。",
        "有良好的沟通能力和责任心，能够独立解决问题。",
    ),
    ("福利待遇", "五险一金、带薪年假、节日福利，每年组织一次体检和旅游。"),
)


@pytest.mark.parametrize(("heading", "taken"), [("{}", True), ("<a href='/1'>{}</a>", False)])
def test_sections_with_the_containers_of_those_of_the_body(heading: str, taken: bool) -> None:
    sections = "".join(
        f"<div class='block'><div class='title'>{heading.format(name)}</div>"
        f"<div class='desc'>{paragraphs(*text)}</div></div>"
        for name, *text in SECTIONS
    )
    html = (
        "<title>加入我们</title><div class='head'>加入我们</div><div><h4>前端开发工程师</h4><p>工作地址：创业路88号</p>"
        f"{sections}</div><a href='/apply'>立即申请该职位</a>"
    )
    body = Page("http://www.example.com/job/8.html", html.encode(), "utf-8").body.split("\n")
    assert (SECTIONS[-1][-1] in body) == taken
    assert (SECTIONS[-1][0] in body) == taken


def test_office_and_day_sign_a_document() -> None:
    signed = ("新桥县教育局", "2024年3月15日")
    found = lines(f"<div class='con'>{paragraphs(*TEXT, *signed)}</div><div>【关闭窗口】</div>")
    assert found == [*TEXT, *signed]


def test_a_day_written_in_han_numerals_signs_too() -> None:
    signed = ("新桥县教育局", "二〇二四年三月十五日")
    assert lines(f"<div>{paragraphs(*TEXT, *signed)}</div>") == [*TEXT, *signed]


def test_a_day_below_further_sentences_or_in_another_box_is_no_signature() -> None:
    other = "<div class='foot'><p>新桥县教育局</p><p>2024年3月15日</p></div>"
    assert lines(f"<div class='con'>{paragraphs(*TEXT)}</div>{other}") == list(TEXT)


def test_the_answer_to_a_letter_in_a_table() -> None:
    letter = "博物馆新展出的三十件银器均为首次公开，其中一件刻有工匠的名字。"
    answer = (
        "据介绍，新线路全长三十七公里，沿途设十五座车站，预计年底进入试运行。"
        "基金会今年资助了四十二个乡村阅读点，每个点配一名经过培训的管理员。"
    )
    rows = {
        "信件标题": "建议公交报站增加方言",
        "来信人": "吴**",
        "来信时间": "2022-09-14 08:52:10",
        "信件内容": letter,
        "办理状态": "已办结",
        "答复单位": "市交通运输局",
        "答复时间": "2022-09-20 15:30:00",
        "答复内容": answer,
    }
    cells = "".join(
        f'<tr><td class="l">{label}</td><td>{text}</td></tr>' for label, text in rows.items()
    )
    html = (
        '<title>信件详情 - 市长信箱</title><div class="nav"><a href="/">首页</a> &gt; 市长信箱 &gt; 信件详情</div>'
        f'<table class="mail">{cells}</table><div class="foot">市政府办公室主办</div>'
    )
    page = Page("http://www.12345.example.gov.cn/mail/detail?id=5567", html.encode(), "utf-8")
    assert page.body.endswith(f"{letter}\n{answer}")


def test_headings_above_tables_of_data() -> None:
    rows = "".join(
        f"<tr><td>{year}</td><td>{name}</td><td>摄影</td></tr>"
        for year, name in ((1984, "黄河谣"), (1987, "高粱地"), (1990, "麦客"))
    )
    table = f"<table><tr><th>年份</th><th>片名</th><th>职务</th></tr>{rows}</table>"
    found = lines(
        f"<div class='con'>{paragraphs(*TEXT)}<h2>主要作品</h2><h3>电影</h3>{table}</div>"
    )
    assert found[:6] == [*TEXT, "主要作品", "电影", "年份"]
    assert found[-3:] == ["1990", "麦客", "摄影"]


def test_a_poem_above_its_explanation() -> None:
    verse = (
        "空山新雨后，天气晚来秋。",
        "明月松间照，清泉石上流。",
        "竹喧归浣女，莲动下渔舟。",
        "随意春芳歇，王孙自可留。",
    )
    poem = f"<p><a href='/w'>王维</a></p><div class='poem'>{'<br>'.join(verse)}</div>"
    explained = f"<div class='more'><h2>译文及注释</h2>{paragraphs(*TEXT)}</div>"
    assert lines(poem + explained, "山居秋暝") == [*verse, "译文及注释", *TEXT]


def test_lines_of_data_below_the_title_are_no_verse() -> None:
    data = "<br>".join(("来源：本站", "字号：大中小", "点击：八十八", "编辑：小王"))
    assert lines(f"<div>{data}</div><div>{paragraphs(*TEXT)}</div>") == list(TEXT)


def test_links_to_other_pages_between_paragraphs() -> None:
    inside = (
        f"<p>{TEXT[0]}</p><p><a href='/1'>►快讯／县城两所中学今天停课</a></p><p>{TEXT[1]}</p>"
        f"<p><a href='/2'>延伸阅读：去年的检查结果</a></p><p>{TEXT[2]}</p>"
    )
    assert lines(f"<div class='con'>{inside}</div>") == list(TEXT)


def test_the_edition_of_a_newspaper_ends_the_text() -> None:
    edition = "《 人民日报 》（ 2024年03月17日 07 版）"
    assert lines(f"<div>{paragraphs(*TEXT, edition)}</div><div>(责编：某某)</div>") == [
        *TEXT,
        edition,
    ]


def test_most_of_an_info_box_is_all_of_it() -> None:
    box = {"国家": "中国", "设立时间": "1387年", "面积": "28.6平方公里", "人口": "5.2万（2020年）"}
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in box.items())
    text = (
        "<b>永宁古镇</b>位于东南沿海，明洪武二十年（1387年）建卫城，是著名侨乡。",
        "卫城周长八百七十五丈，开五门，城内街巷呈丁字形布局，以防敌寇长驱直入。清初迁界，城毁过半。",
        "十九世纪后期，镇民多往吕宋谋生，回乡营建洋楼者甚众，今存番仔楼四十七座。",
    )
    found = lines(f"<div><table>{rows}</table>{paragraphs(*text)}</div>", "永宁古镇")
    assert {*box, *box.values()} & {*found} in ({*box, *box.values()}, set())


def test_a_table_with_most_of_the_text_is_a_layout() -> None:
    text = "<br><br>".join(each[:30] + "。" for each in TEXT)
    related = "".join(f"<br>· {name}县{TITLE[2:]}" for name in ("永安", "青田", "丰乐"))
    found = lines(
        f"<table><tr><td>{TITLE}<br>[2024-3-15] 来源：教育局 点击：1024</td></tr>"
        f"<tr><td>{text}</td></tr><tr><td>相关文章：{related}</td></tr></table>"
    )
    assert found == [each[:30] + "。" for each in TEXT]


def test_a_summary_that_a_program_wrote_is_left_out() -> None:
    summary = "文章介绍了县教育局对校外供餐企业的检查结果，合格率较高，限期整改的企业应在三月底前完成整改。"
    box = f"<div class='ai'><div>AI 摘要</div><div>{summary}</div><div>此内容由AI生成，仅供参考</div></div>"
    assert lines(f"{box}<div class='con'>{paragraphs(*TEXT)}</div>") == list(TEXT)
    # The whole text is none.
    assert lines(f"<div><p>智能解读</p>{paragraphs(*TEXT)}</div>")[-3:] == list(TEXT)


@pytest.mark.parametrize(
    "numbers",
    ["<pre>1\n2\n3\n</pre>", "<pre><span>1</span><br><span>2</span><br><span>3</span><br></pre>"],
)
def test_numbers_of_program_lines_are_left_out(numbers: str) -> None:
    code = ("let name = read('menu');", "const price = 23;", "print(name, price);")
    text = "<br>".join(f"<span>{line}</span>" for line in code)
    table = f"<table><tr><td>{numbers}</td><td><pre>{text}</pre></td></tr></table>"
    before, after = (paragraphs(*TEXT[:2]), paragraphs(TEXT[2]))
    assert lines(f"<div>{before}{table}{after}</div>") == [*TEXT[:2], *code, TEXT[2]]


def test_numbers_that_count_no_lines_stay() -> None:
    rows = "".join(
        f"<tr><td>{place}</td><td>{score}</td></tr>" for place, score in ((1, 97), (2, 88), (3, 61))
    )
    found = lines(f"<div>{paragraphs(*TEXT[:2])}<table>{rows}</table>{paragraphs(TEXT[2])}</div>")
    assert found == [*TEXT[:2], "1", "97", "2", "88", "3", "61", TEXT[2]]


@pytest.mark.parametrize("label", ["", "摘要：", "【导读】", "核心提示："])
def test_a_lead_that_a_paragraph_repeats_is_left_out(label: str) -> None:
    lead = TEXT[0][:-12]
    assert lines(f"<p>{label}{lead}……</p>{paragraphs(*TEXT)}") == list(TEXT)
    # What no paragraph repeats is text.
    other = f"{label}县教育局公布了六家校外供餐企业的检查结果，一家须在三月底以前完成整改。"
    assert lines(paragraphs(other, *TEXT)) == [other, *TEXT]


@pytest.mark.parametrize("label", ["", "摘要："])
def test_a_lead_that_several_paragraphs_together_repeat_is_left_out(label: str) -> None:
    lead = f"{TEXT[0]} {TEXT[1][:30]}"
    assert lines(f"<div>{label}{lead}</div>{paragraphs(*TEXT)}") == list(TEXT)
    # What they do not repeat in this order is text.
    other = f"{TEXT[1]} {TEXT[0][:30]}"
    assert lines(f"<div>{other}</div>{paragraphs(*TEXT)}") == [other, *TEXT]


@pytest.mark.parametrize("rule", ["-" * 60, "— " * 12, "=" * 10])
def test_rules_drawn_around_the_text_are_left_out(rule: str) -> None:
    inside = f"<div>{rule}</div><div>{paragraphs(*TEXT)}</div><div>{rule}</div>"
    assert lines(f"<div>{inside}</div>") == list(TEXT)
    # Within the text they part it.
    found = lines(paragraphs(TEXT[0], rule.strip(), *TEXT[1:]))
    assert found == [TEXT[0], rule.strip(), *TEXT[1:]]


def test_refrains_stay() -> None:
    short = "为保障用餐安全，"
    text = (short, short + TEXT[0], *TEXT[1:])
    assert lines(paragraphs(*text)) == list(text)
    # So do equal lines.
    assert lines(paragraphs(TEXT[0], *TEXT)) == [TEXT[0], *TEXT]


def test_the_head_of_a_document_is_left_out() -> None:
    cells = {
        "索 引 号：": "003512876/2024-00118",
        "信息分类：": "民族、宗教、侨务 / 通知",
        "发布机构：": "南江市侨务办公室",
        "文　　号：": "南侨办〔2024〕17号",
        "主 题 词：": "",
        "有效性：": "有效",
    }
    rows = "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in cells.items())
    assert lines(f"<table>{rows}</table><div class='con'>{paragraphs(*TEXT)}</div>") == list(TEXT)


def test_labels_of_a_list_in_the_text_stay() -> None:
    text = (*TEXT, "名称：新桥县供餐有限公司", "状态：限期整改")
    assert lines(f"<div>{paragraphs(*text)}</div>") == list(text)
