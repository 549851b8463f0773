"""Pages of the years around 2005: nested tables, ``<br>`` and ``<font>``, GBK, and faulty servers."""

from __future__ import annotations

from random import Random

from benchmarks.corpus.news import of_site, portal
from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import PEN_NAMES, Site, paragraphs
from benchmarks.corpus.stories import moment
from benchmarks.corpus.template import DrawnPage


def _frame(site: Site, draw: Random, title: str, middle: str, charset: str | None) -> str:
    """Three columns of tables around the text."""
    bar = "".join(f'<td align="center"><a href="/{c}">{c}</a></td>' for c in site.channels)
    left = "".join(
        f'<tr><td height=22>·<a href="{i}.htm" target=_blank>{t}</a></td></tr>'
        for i, t in enumerate(site.titles(draw, 9))
    )
    return (
        f"<HTML>{site.head(title, charset=charset)}<BODY bgcolor=#ffffff topmargin=0>"
        f'<table width=778 align=center cellspacing=0 border="0"><tr>{bar}</tr></table>'
        f"<table width=778 align=center><tr><td width=160 valign=top bgcolor=#eeeeee><table><tr><td>"
        f"<font color=red>{site.pick('热门文章', '本周热点')}</font></td></tr>{left}</table></td>"
        f"<td width=600 valign=top>{middle}</td></tr></table><hr width=778>"
        f"<center><font size=2>{site.foot()}</font></center></BODY></HTML>"
    )


def tables(site: Site, draw: Random, number: int) -> DrawnPage:
    """The whole text in one cell, with ``<br>`` between the paragraphs."""
    text = of_site(site, draw, number)
    when, author = moment(draw), draw.choice(PEN_NAMES)
    shown, published = site.date(when)
    middle = (
        f'<table width="98%" cellpadding=5><tr><td align=center><font size=4 color=#cc0000><b>{text.title}</b></font>'
        f"</td></tr><tr><td align=center><font size=2>{shown}　来源：{site.paper}　作者：{author}</font></td></tr>"
        f'<tr><td><font style="font-size:14px" id=zoom>{paragraphs(text.paragraphs, site.pick("br", "br1"))}</font>'
        f"<!-- 画中画 --><table align=left><tr><td>{site.ad(draw)}</td></tr></table></td></tr>"
        f"<tr><td align=right><a href=javascript:window.print()>打印本页</a> <a href=#>关闭窗口</a></td></tr></table>"
    )
    html = _frame(site, draw, site.tail(text.title), middle, "gb2312")
    truth = Truth(text.title, text.paragraphs, "article", published, author, site.paper)
    return DrawnPage(html, truth, when)


def cells(site: Site, draw: Random, number: int) -> DrawnPage:
    """Return each paragraph in a table row, as converters of word processors wrote them."""
    text = of_site(site, draw, number)
    when = moment(draw)
    shown, published = site.date(when)
    rows = "".join(f"<tr><td><font face=宋体>　　{x}</font></td></tr>" for x in text.paragraphs)
    middle = (
        f"<table border=0><tr><td><h3 align=center>{text.title}</h3></td></tr><tr><td align=right>[{shown}]</td></tr>"
        f"{rows}</table><table><tr><td>{site.links(draw, 6, dates=True)}</td></tr></table>"
    )
    html = _frame(site, draw, site.tail(text.title), middle, "gbk")
    return DrawnPage(html, Truth(text.title, text.paragraphs, "article", published), when)


def unclosed(site: Site, draw: Random, number: int) -> DrawnPage:
    """Capital tags, ``<P>`` never closed, attributes without quotes, a text that ends in a table."""
    text = of_site(site, draw, number)
    when = moment(draw)
    shown, published = site.date(when)
    body = "".join(f"<P align=justify>&nbsp;&nbsp;&nbsp; {x}\r\n" for x in text.paragraphs)
    middle = (
        f"<CENTER><FONT SIZE=5>{text.title}</FONT></CENTER><P ALIGN=RIGHT>{shown} {site.paper}{body}"
        f"<TABLE><TR><TD>相关专题<TD>{site.links(draw, 4)}</TABLE>"
    )
    html = _frame(site, draw, site.tail(text.title), middle, "GB2312")
    truth = Truth(text.title, text.paragraphs, "article", published, None, site.paper)
    return DrawnPage(html, truth, when)


def stray_end(site: Site, draw: Random, number: int) -> DrawnPage:
    """An included header ends with ``</body></html>``, long before the text."""
    made = portal(site, draw, number)
    nav = site.nav()
    html = made.html.replace(nav, f"{nav}</div></body></html>\n", 1)
    return DrawnPage(html, made.truth, made.when)


def stray_middle(site: Site, draw: Random, number: int) -> DrawnPage:
    """``</html>`` between two paragraphs: a template was pasted into the text."""
    text = of_site(site, draw, number, least=6)
    when = moment(draw)
    shown, published = site.date(when)
    body = paragraphs(text.paragraphs, "p2").replace("</p>\n", "</p></body></html>\n", 2)
    html = (
        f"<html>{site.head(site.tail(text.title), charset='gb2312')}<body>{site.nav()}<div{site.css('wrap')}>"
        f"<h1>{text.title}</h1><div{site.css('info')}>{shown}</div><div{site.css('body')}>{body}</div>"
        f"{site.related(draw)}</div>{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(text.title, text.paragraphs, "article", published), when)


def script_first(site: Site, draw: Random, number: int) -> DrawnPage:
    """A counter's script that a proxy inserted before everything, followed by a second ``<html>``."""
    made = portal(site, draw, number)
    first = '<script>if(window!=top){top.location=location}</script>\n<div id="topad"></div>\n'
    return DrawnPage(first + made.html, made.truth, made.when)
