"""Government offices: notices, statistics, bulletins made of lists."""

from __future__ import annotations

from random import Random

from benchmarks.corpus.news import of_site
from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import Site, paragraphs
from benchmarks.corpus.stories import moment, section
from benchmarks.corpus.template import DrawnPage

_OFFICES = ("交通运输局", "统计局", "农业农村局", "住房和建设局", "林业局", "水务局")


def _office(site: Site) -> str:
    return site.pick(*_OFFICES)


def _frame(site: Site, draw: Random, title: str, middle: str) -> str:
    """Return the frame that a content management system for offices puts around a document."""
    site_name = f"{site.name[:2]}{_office(site)}"
    links = "".join(f"<option>{x}</option>" for x in ("上级部门网站", "各县区网站", "友情链接"))
    return (
        f"<!DOCTYPE html><html>{site.head(f'{title}_{site_name}', more=_meta(title, site_name))}<body>"
        f"<div{site.css('wrap')}><div>{site_name}　今天是<script>document.write(today())</script> "
        f"<a href='/wza'>无障碍</a> <a href='/fan'>繁體</a></div>{site.nav()}{site.crumb('通知公告')}{middle}</div>"
        f"<div{site.css('foot')}><select>{links}</select><p>主办：{site_name}　承办：信息中心　地址：行政中心二号楼</p>"
        f"<p>网站标识码：0000000000　某ICP备00000000号　某公网安备 00000000000000号</p></div></body></html>"
    )


def _meta(title: str, site_name: str) -> str:
    return (
        f'<meta name="ArticleTitle" content="{title}"><meta name="SiteName" content="{site_name}">'
    )


def notice(site: Site, draw: Random, number: int) -> DrawnPage:
    """A circular: addressee, numbered paragraphs, signature, attachments."""
    sections = section(draw, "decrees", 3)  # the last title, followed by all the lines
    titles = [section(draw, "decrees", i) for i in range(4)]
    title = titles[(site.style + number) % 4].title
    when = moment(draw)
    shown, published = site.date(when)
    office = f"{site.name[:2]}{_office(site)}"
    fixed, closing = sections.paragraphs[:2], sections.paragraphs[-1]
    items = sections.paragraphs[2:-1]
    kept = [items[i] for i in sorted(draw.sample(range(len(items)), draw.randint(3, len(items))))]
    # The circular has the day of its signature, the page the day of its publication.
    signed = f"{when.year}年{when.month}月{max(1, when.day - 6)}日"
    body = (*fixed, *kept, closing, office, signed)
    files = ("附件：1. 任务分解表.doc", "2. 联系人名单.xls")
    html_body = paragraphs(body, site.pick("word", "p2", "div"))
    attached = "".join(f'<p><a href="./P0{i}.doc">{x}</a></p>' for i, x in enumerate(files))
    middle = (
        f"<div{site.css('title')}><p>{title}</p></div><div{site.css('info')}>发布时间：{shown}　来源：{office}　"
        f"字体：[<a>大</a> <a>中</a> <a>小</a>]　浏览次数：<span id=hits></span></div>"
        f'<div{site.css("body")}><div class="TRS_PreAppend"><style>'
        f".TRS_PreAppend p{{margin:0}}</style>{html_body}</div>"
        f"{attached}</div><div>扫一扫在手机打开当前页　【打印】　【关闭】</div>"
    )
    truth = Truth(
        title, (*body, *files), "article", published, None, office,
        frozenset({*files, office, signed}),
    )  # fmt: skip
    return DrawnPage(_frame(site, draw, title, middle), truth, when)


_ROWS = (
    "粮食产量（吨）", "蔬菜产量（吨）", "水产品产量（吨）", "用电量（万千瓦时）", "公路货运量（万吨）",
    "社会消费品零售额（万元）", "接待游客（万人次）", "新增就业（人）", "财政收入（万元）", "居民存款（万元）",
)  # fmt: skip


def statistics(site: Site, draw: Random, number: int) -> DrawnPage:
    """A table as the content, after two sentences."""
    when = moment(draw)
    shown, published = site.date(when)
    year = when.year - 1
    title = f"{year}年{draw.randint(1, 12)}月主要经济指标（{section(draw, 'decrees', 0).place}）"
    lead = f"根据各有关部门报送的资料汇总，现将{year}年主要经济指标公布如下，最终数以年鉴为准。"
    rows = [("指标", "本月", "累计", "同比增长（%）")]
    for name in draw.sample(_ROWS, draw.randint(6, 10)):
        month = draw.randrange(200, 9_000)
        rows.append((name, str(month), str(month * 7), f"{draw.uniform(-9, 19):.1f}"))
    note = "注：本表部分数据因四舍五入，分项与合计略有出入。"
    table = "".join(
        f"<tr>{''.join(f'<td><p align=center>{cell}</p></td>' for cell in row)}</tr>"
        for row in rows
    )
    middle = (
        f"<h2{site.css('title')}>{title}</h2><div{site.css('info')}>信息来源：{_office(site)}　发布日期：{shown}</div>"
        f"<div{site.css('body')}><p>　　{lead}</p><table border=1 cellspacing=0>{table}</table><p>{note}</p></div>"
    )
    body = (lead, *(" ".join(row) for row in rows), note)
    truth = Truth(title, body, "article", published, None, _office(site), frozenset({note}))
    return DrawnPage(_frame(site, draw, title, middle), truth, when)


def bulletin(site: Site, draw: Random, number: int) -> DrawnPage:
    """A bulletin whose paragraphs are the items of a list."""
    text = of_site(site, draw, number, least=6)
    when = moment(draw)
    shown, published = site.date(when)
    items = "".join(f"<li>{x}</li>" for x in text.paragraphs[1:])
    tag = site.pick("ul", "ol")
    middle = (
        f"<h1>{text.title}</h1><p{site.css('info')}>{shown}</p><div{site.css('body')}><p>{text.paragraphs[0]}</p>"
        f"<{tag}>{items}</{tag}></div>{site.related(draw)}"
    )
    truth = Truth(text.title, text.paragraphs, "article", published)
    return DrawnPage(_frame(site, draw, text.title, middle), truth, when)
