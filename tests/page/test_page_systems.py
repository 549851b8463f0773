"""Pages as widely used systems write them, shortened: what was wrong on them once."""

from __future__ import annotations

from datetime import datetime

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.page import Page

NOW = datetime(2024, 6, 1, tzinfo=CHINA_TIME)
PARAGRAPHS = (
    "很多人以为，老房子改造最难的是设计。其实不是，最难的是和邻居商量。",
    "我们去年接手的这套房子在一栋五十年代的三层小楼里，楼板是木头的，走一步响一声。楼下住着一位八十多岁的老先生。",
    "所以动工之前，我们先花了两个星期去听他讲这栋楼的故事。",
)


def page(url: str, html: str) -> Page:
    return Page(url, html.encode(), "utf-8", now=NOW)


def test_wechat() -> None:
    text = "".join(f"<section><span>{text}</span></section>" for text in PARAGRAPHS)
    found = page(
        "https://mp.weixin.qq.com/s/Ab3dEfGhIj",
        '<title></title><body><div class="rich_media">'
        '<h1 class="rich_media_title" id="activity-name">老房子改造，最难的不是设计</h1>'
        '<span class="rich_media_meta"><a id="js_name">住在老房子里 </a></span><em id="publish_time"></em>'
        f'<div class="rich_media_content" id="js_content" style="visibility: hidden">{text}</div></div>'
        "<script>var ct = '1615953600'; var nickname = htmlDecode('住在老房子里');"
        "var createTime = '2021-03-17 12:00';</script>",
    )
    assert found.title == "老房子改造，最难的不是设计"
    assert found.body == "\n".join(PARAGRAPHS)
    assert found.source == "住在老房子里"
    assert found.published == datetime(2021, 3, 17, 12, tzinfo=CHINA_TIME)


def test_a_notice_of_attachments() -> None:
    links = "".join(
        f'<li>附件【<a href="/system/_content/download.jsp?wbfileid={n}">{name}</a>】已下载次</li>'
        for n, name in enumerate(("立项名单.xlsx", "项目任务书.doc"))
    )
    found = page(
        "http://jwc.example.edu.cn/info/1052/8123.htm",
        "<title>关于公布2020年大学生创新训练计划立项名单的通知-教务处</title><body>"
        "<ul><li><a href='/a'>网站首页</a></li><li><a href='/b'>部门概况</a></li></ul>"
        "<form><h1>关于公布2020年大学生创新训练计划立项名单的通知</h1><div>2020-06-18 15:20 实践教学科</div>"
        f"<div id='vsb_content'><p><br></p></div><ul>{links}</ul></form><p>上一条：<a href='/c'>选课通知</a></p>",
    )
    assert [line[:4] for line in found.body.split("\n")] == ["附件【立", "附件【项"]


def test_an_encyclopedia_with_an_info_box_between_lead_and_text() -> None:
    lead = (
        "陆景川，1974年3月出生于江苏省扬州市，中国内地男演员、导演，毕业于中央戏剧学院表演系。[1]"
    )
    text = (
        "陆景川出生在扬州的一个教师家庭，父亲教语文，母亲教音乐。小学时他参加了市少年宫的话剧班，中学毕业后考入中央戏剧学院表演系。",
        "1996年毕业后，陆景川进入江苏省话剧院，两年间演出话剧二百余场。1998年，出演家庭剧《老街坊》。",
        "2003年，在战争电影《渡江》中饰演船工罗大有，为了演好这个角色，他在江边的渔村住了三个月。",
    )
    names = {"中文名": "陆景川", "国籍": "中国", "出生日期": "1974年3月", "出生地": "江苏省扬州市"}
    box = "".join(f"<dt class='name'>{k}</dt><dd class='value'>{v}</dd>" for k, v in names.items())
    found = page(
        "https://baike.baidu.com/item/%E9%99%86%E6%99%AF%E5%B7%9D/1234567",
        "<title>陆景川（中国内地男演员、导演）_百度百科</title><body><dl><dd><h1>陆景川</h1><a>编辑</a></dd></dl>"
        f"<div class='lemma-summary'><div class='para'>{lead}</div></div><div class='basic-info'><dl>{box}</dl></div>"
        "<div class='catalog'><h2>目录</h2><ol><li><a href='#1'>早年经历</a></li></ol></div><h2>早年经历</h2>"
        + "".join(f"<div class='para'>{it}</div>" for it in text),
    )
    lines = found.body.split("\n")
    assert lines[0] == lead
    assert lines[-3:] == list(text)


def test_edit_links_of_mediawiki_are_no_text() -> None:
    text = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    edit = "<span class='mw-editsection'><span>[</span><a href='/e'>编辑</a><span>]</span></span>"
    found = page(
        "https://zh.wikipedia.org/wiki/X",
        f"<title>老房子 - 维基百科，自由的百科全书</title><body><h1 id='firstHeading'>老房子</h1>{text}"
        f"<h2><span class='mw-headline'>邻居</span>{edit}</h2>{text}",
    )
    assert "编辑" not in found.body
    assert "## 邻居\n" in found.markdown


def test_discuz_names_who_posted() -> None:
    def post(n: int, name: str, text: str) -> str:
        return (
            f"<div id='post_{n}'><table><tr><td class='pls'>"
            f"<div class='authi'><a href='/u{n}'>{name}</a></div><p>积分 {n}90</p></td><td class='plc'>"
            f"<div class='authi'>发表于 2016-11-{n} 20:05 | <a>只看该作者</a> | <a>倒序浏览</a></div>"
            f"<table><tr><td class='t_f'>{text}</td></tr></table><a>回复</a> <a>支持</a></td></tr></table></div>"
        )

    posts = "".join(post(n, f"会员{n}", text) for n, text in enumerate(PARAGRAPHS, 1))
    found = page(
        "http://bbs.example.com/thread-88213-1-1.html",
        f"<title>老房子怎么改造？ - 装修 - Powered by Discuz!</title><body><h1>老房子怎么改造？</h1>{posts}",
    )
    assert found.kind == "thread"
    assert found.byline.author == "会员1"


def test_blogger_states_the_time_in_an_abbreviation() -> None:
    text = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    found = page(
        "https://slow-garden.blogspot.com/2024/04/x.html",
        "<title>The Slow Garden: Seedlings</title><body><h2>Sunday, April 21, 2024</h2>"
        f"<h3 class='post-title'>Seedlings</h3><div class='post-body'>{text}</div>"
        "<div>Posted by Ann Lee at <a href='#'><abbr class='published' "
        "title='2024-04-21T07:42:00-07:00'>7:42 AM</abbr></a></div><div id='comments'><h4>2 comments:</h4>"
        "<p>Hollis said...</p><p>Same here.</p><p>April 22, 2024 at 9:03 AM</p></div>",
    )
    assert found.published == datetime(2024, 4, 21, 22, 42, tzinfo=CHINA_TIME)


def test_an_edition_of_a_newspaper_links_to_the_page_by_its_name() -> None:
    text = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    titles = "".join(
        f"<tr><td><a href='{href}'>{title}</a></td></tr>"
        for href, title in (
            ("content_8.htm", "黄河岸边看日出"),
            ("content_7.htm", "老街面馆的清晨"),
        )
    )
    found = page(
        "http://epaper.example.com/lzrb/html/2024-03/18/content_7.htm",
        "<title>河州日报多媒体数字报刊平台</title><body><table><tr><td>第07版：副刊</td></tr><tr><td>标题导航</td></tr>"
        f"{titles}</table><table><tr><td>2024年03月18日</td></tr><tr><td>老街面馆的清晨</td></tr><tr><td>马春兰</td></tr>"
        f"<tr><td>{text}</td></tr></table>",
    )
    assert found.title == "老街面馆的清晨"
    assert found.byline.author == "马春兰"


def test_a_list_below_the_last_heading_of_an_encyclopedia_is_text() -> None:
    keepers = ("John Embree (1868–1889)", "Isaac Embree (1889–1921)", "Mary Embree (1921–1938)")
    items = "".join(f"<li>{name}</li>" for name in keepers)
    lines = (
        "Kestrel Point Light is a lighthouse on the eastern shore of Nova Scotia, Canada. It was built in 1868.",
        "History",
        "The first light was a lantern hung from a mast by local fishermen. After the loss of the Aurora, merchants "
        "in Halifax petitioned the government for a station.",
        "Construction took two seasons. The tower is built of local granite, and the lens is kept in the museum.",
    )
    text = "".join(f"<h2>{it}</h2>" if it == "History" else f"<p>{it}</p>" for it in lines)
    found = page(
        "https://en.wikipedia.org/wiki/Kestrel_Point_Light",
        "<title>Kestrel Point Light - Wikipedia</title><body class='mediawiki'><h1>Kestrel Point Light</h1>"
        f"<div class='mw-parser-output'>{text}<h2>Keepers</h2><ul>{items}</ul><h2>References</h2>"
        "<ol class='references'><li>Harding, P. (1974). Lights of the Eastern Shore. p. 41.</li></ol></div>",
    )
    assert found.body.split("\n") == [*lines, "Keepers", *keepers]


def test_a_document_with_its_title_on_two_lines_and_its_date_among_them() -> None:
    title = "东河市人民政府办公室关于印发东河市推进", "养老服务高质量发展若干措施的通知"
    lines = (
        "各县（市、区）人民政府，市直各单位：",
        "《东河市推进养老服务高质量发展若干措施》已经市政府同意，现印发给你们，请认真贯彻执行。",
        "东河市人民政府办公室",
        "2023年6月3日",
        "（此件公开发布）",
        "为积极应对人口老龄化，加快健全养老服务体系，结合我市实际，制定如下措施。",
        "每个街道至少建成一处养老服务中心，到2027年底城市社区日间照料设施覆盖率达到百分之百。",
    )
    text = "".join(f"<p>{line}</p>" for line in lines)
    found = page(
        "http://www.donghe.gov.cn/art/2023/6/9/art_4412_1029384.html",
        f"<title>东河市人民政府 政策文件 {''.join(title)}</title><body><p class='tit'>{'<br>'.join(title)}</p>"
        f"<div class='info'>发布日期：2023-06-09 16:22 来源：市政府办公室</div><div id='zoom'>{text}</div>"
        "<div class='footer'>主办：东河市人民政府办公室</div>",
    )
    assert found.title == "".join(title)
    assert found.body.split("\n") == list(lines)


def test_discuz_names_who_opened_the_thread_and_not_who_is_quoted() -> None:
    def post(number: int, name: str, text: str) -> str:
        return (
            f'<div id="post_{number}"><table><tr><td class="pls"><div class="authi"><a href="space-uid-{number}.html">'
            f'{name}</a></div></td><td class="plc"><div class="authi"><em>发表于 2022-7-8 1{number}:31:02</em>'
            f'<a>只看该作者</a></div><div class="t_fsz"><table><tr><td class="t_f">{text}</td></tr></table></div></td>'
            "</tr></table></div>"
        )

    quoted = "<blockquote>木匠老郭 发表于 2022-7-8 12:31<br>木粉是新的还是旧的？</blockquote><br>"
    edited = '<i class="pstatus"> 本帖最后由 小满 于 2022-7-8 15:02 编辑 </i><br>'
    found = page(
        "http://bbs.example.com/thread-231457-1-1.html",
        "<title>老屋横梁有虫眼怎么处理 - 家乡论坛 - Powered by Discuz!</title><body>"
        "<h1><span id='thread_subject'>老屋横梁有虫眼怎么处理</span></h1>"
        + post(1, "小满", f"{edited}爷爷留下的老屋，杉木横梁，今天上去看有十几个米粒大的眼。")
        + post(2, "木匠老郭", "木粉是新的还是旧的？新的说明虫子还活着。")
        + post(3, "小满", f"{quoted}是新的，扎了一下大概半公分。谢谢版主！"),
    )
    assert found.kind == "thread"
    assert found.byline.author == "小满"
    assert "本帖最后由" not in found.body


def test_the_member_beside_the_time_of_the_first_post() -> None:
    replies = "".join(
        f"<li><h4><a href='/people/{name}/'>{name}</a> <span>2024-03-1{n} 22:40</span></h4><p>{text}</p></li>"
        for n, (name, text) in enumerate(
            (("夏天不热", "那位阿姨太可爱了。"), ("修相机的老马", "漏光多半是遮光绒老化了。"))
        )
    )
    found = page(
        "https://www.douban.com/group/topic/304512345/",
        "<title>用双反拍了一卷上海弄堂</title><body><h1>用双反拍了一卷上海弄堂</h1><div class='topic-doc'>"
        "<h3><a href='https://www.douban.com/people/hai/'>海鸥4A</a> <span>2024-03-12 22:31:07</span></h3>"
        f"<div class='topic-richtext'><p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]}</p></div></div><ul>{replies}</ul>",
    )
    assert found.byline.author == "海鸥4A"


def test_the_link_that_is_named_as_that_of_the_author_of_the_first_post() -> None:
    posts = "".join(
        f'<table class="forumbox"><tr><td><a href="nuke.php?func=ucp&amp;uid={n}" class="author b">{name}</a>'
        f"<div>级别: 学徒 威望: 0 发帖: 331</div></td><td><div><span>2024-03-10 22:5{n}</span></div>"
        f'<p class="postcontent">{text}</p></td></tr></table>'
        for n, (name, text) in enumerate(
            (("排球少年王", PARAGRAPHS[0]), ("看台东区", "现场看的，第五局全场都站着。"))
        )
    )
    found = page(
        "https://bbs.example.com/read.php?tid=39871234",
        "<title>决赛这五局你们看了吗 社区</title><body><a href='/u' class='user-name'>登录的人</a>"
        f"<h3>决赛这五局你们看了吗</h3>{posts}",
    )
    assert found.byline.author == "排球少年王"
    assert found.published == datetime(2024, 3, 10, 22, 50, tzinfo=CHINA_TIME)


def test_what_follows_a_name_without_a_space_is_no_part_of_it() -> None:
    text = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    found = page(
        "https://guba.example.com/news,301099,1412345678.html",
        '<title>写一点教训</title><body><div class="newstitle">写一点教训</div>'
        '<div class="author"><a href="/1"><img></a><a href="/1">海边的算盘</a><span>影响力</span>'
        "<span>2024-04-19 17:58:06</span></div>"
        f"<div>{text}</div>",
    )
    assert found.kind == "thread"
    assert found.byline.author == "海边的算盘"


def test_an_english_byline_below_a_lead() -> None:
    lead = "When a bridge opens next spring, an island will be six minutes from the mainland, and some fear it."
    text = (
        "For thirty years she has sold oyster pancakes on the same bench, and she knows her passengers. "
        * 2
    )
    found = page(
        "https://www.example.com/features/ferry",
        f"<title>The last ferry</title><body><h1>The last ferry</h1><div><p>{lead}</p></div>"
        "<div><span>By <a>Alan Choo</a></span><span>March 9, 2024</span></div>"
        f"<div>{f'<p>{text}</p>' * 3}</div>",
    )
    assert found.byline.author == "Alan Choo"
    assert found.published == datetime(2024, 3, 9, tzinfo=CHINA_TIME)


def test_an_attachment_with_a_longer_label_than_its_name() -> None:
    text = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    found = page(
        "https://gs.example.edu.cn/info/1031/4482.htm",
        f"<title>盲审通知</title><body><h3>盲审通知</h3><div>{text}</div>"
        '<ul><li>附件【<a href="/download.jsp?id=1">申请表.xls</a>】已下载<span>27</span>次</li></ul>',
    )
    assert "附件【申请表.xls】已下载27次" in found.body


def test_a_letter_with_office_and_day_below_the_label_of_its_answer() -> None:
    answer = "您好，您反映的问题已收悉。随迁子女报名须满足父母一方持有效居住证满一年，并提供稳定就业或住所证明。"
    found = page(
        "http://zmhd.example.gov.cn/letter/show?id=20240513881",
        "<title>信件详情-市政府</title><body><div><label>信件标题</label><span>随迁子女入学的咨询</span></div>"
        "<div><h4>信件内容</h4><div><p>请问居住证要满多长时间才能报名？我的孩子今年九月上小学。</p></div></div>"
        '<div class="l-reply"><h4>答复内容</h4><div><span>答复单位：教育局</span>'
        "<span>答复时间：2024-05-16</span></div>"
        f"<div><p>{answer}</p></div></div>",
    )
    assert found.title == "随迁子女入学的咨询"
    assert found.body.endswith(answer)
