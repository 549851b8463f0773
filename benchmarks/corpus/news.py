"""News of today: portals, local papers, shared pages of applications."""

from __future__ import annotations

import json
from html import escape
from random import Random

from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import PEN_NAMES, Site, paragraphs
from benchmarks.corpus.stories import Story, moment, read_lines, section, story
from benchmarks.corpus.template import DrawnPage


def of_site(site: Site, draw: Random, number: int, *, least: int = 4, most: int = 8) -> Story:
    """Return a story on a topic that no other page of the site has."""
    topics = site.topics
    topic = topics[(site.style + number) % len(topics)]
    return story(draw, topic, least=least, most=most)


def portal(site: Site, draw: Random, number: int) -> DrawnPage:
    """A big portal: share bars above and below, related links, cards, comments, a side column."""
    text = of_site(site, draw, number)
    when, author = moment(draw), draw.choice(PEN_NAMES)
    shown, published = site.date(when)
    css = site.css
    body = paragraphs(text.paragraphs, site.pick("p", "p2"))
    if site.style % 2:
        body = body.replace("</p>\n", "</p>\n" + site.ad(draw), 1)
    editor = f"（责任编辑：{draw.choice(PEN_NAMES)}）"
    html = (
        f"<!DOCTYPE html><html>{site.head(site.tail(text.title))}<body>{site.nav()}{site.crumb()}"
        f"<div{css('wrap')}><div{css('main')}><h1{css('title')}>{text.title}</h1>"
        f"<div{css('info')}><span>{shown}</span> <span>来源：<a href='/s'>{site.paper}</a></span> "
        f"<span>作者：{author}</span> <a href='#c'>{draw.randrange(900)}人参与</a></div>{site.share()}"
        f"<div{css('body')}>{body}<p>{editor}</p></div>{site.share()}"
        f"<div{css('tags')}>标签：<a href='/t/1'>民生</a><a href='/t/2'>{text.place}</a></div>"
        f"{site.related(draw)}{site.comments(draw, 4)}</div>{site.side(draw)}</div>{site.foot()}</body></html>"
    )
    truth = Truth(
        text.title, (*text.paragraphs, editor), "article", published, author, site.paper,
        frozenset({editor}),
    )  # fmt: skip
    return DrawnPage(html, truth, when)


def minified(site: Site, draw: Random, number: int) -> DrawnPage:
    """The same without line ends and with unquoted attributes, as minifiers write it."""
    made = portal(site, draw, number)
    return DrawnPage("".join(made.html.split("\n")).replace("> <", "><"), made.truth, made.when)


def application(site: Site, draw: Random, number: int) -> DrawnPage:
    """A page of a single-page application: only div and span, followed by its state as JSON."""
    text = of_site(site, draw, number)
    when = moment(draw)
    shown, published = site.date(when)
    state = {"article": {"title": text.title, "content": list(text.paragraphs)}, "login": False}
    css = site.css
    html = (
        f'<!doctype html><html lang="zh">{site.head(site.tail(text.title))}<body><div id="__app">'
        f"<div{css('nav')}><div>下载客户端</div><div>登录</div>{site.nav()}</div><div{css('wrap')}>"
        f"<div{css('title')}><span>{text.title}</span></div><div{css('info')}><span>{site.paper}</span>"
        f"<span>{shown}</span><span>关注</span></div><div{css('body')}>{paragraphs(text.paragraphs, 'div')}</div>"
        f"<div{css('share')}><span>赞</span><span>收藏</span><span>举报</span></div>{site.related(draw)}</div>"
        f"{site.foot()}</div><script>window.__STATE__={json.dumps(state, ensure_ascii=False)}</script></body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "article", published, None, site.paper)
    return DrawnPage(html, truth, when)


def pages(site: Site, draw: Random, number: int) -> DrawnPage:
    """An article on several pages: page numbers below the text."""
    text = of_site(site, draw, number, least=4, most=5)
    when = moment(draw)
    shown, published = site.date(when)
    css = site.css
    turn = "".join(f'<a href="{number}_{i}.html">{i}</a>' for i in range(2, 6))
    html = (
        f"<html>{site.head(site.tail(text.title))}<body>{site.nav()}<div{css('wrap')}>{site.crumb()}"
        f"<h1>{text.title}</h1><p{css('info')}>{shown} {site.paper}</p><div{css('body')}>"
        f"{paragraphs(text.paragraphs, 'p2')}<div{css('pager')}><b>1</b>{turn}<a href='{number}_2.html'>下一页</a>"
        f"<a href='{number}_all.html'>在本页阅读全文</a></div></div>{site.related(draw)}</div>"
        f"{site.side(draw)}{site.foot()}</body></html>"
    )
    return DrawnPage(
        html, Truth(text.title, text.paragraphs, "article", published, None, None), when
    )


def captions(site: Site, draw: Random, number: int) -> DrawnPage:
    """Pictures between the paragraphs, each with a caption."""
    text = of_site(site, draw, number)
    when, author = moment(draw), draw.choice(PEN_NAMES)
    shown, published = site.date(when)
    css = site.css
    notes = draw.sample(read_lines("captions"), 3)
    parts: list[str] = []
    truth: list[str] = []
    for i, paragraph in enumerate(text.paragraphs):
        parts.append(f"<p>{paragraph}</p>")
        truth.append(paragraph)
        if i < len(notes):
            tag = site.pick("figcaption", "p", "span")
            parts.append(
                f'<figure><img src="/p/{i}.jpg" alt=""><{tag}{css("caption")}>{notes[i]}</{tag}></figure>'
            )
            truth.append(notes[i])
    html = (
        f"<!DOCTYPE html><html>{site.head(site.tail(text.title))}<body><header>{site.nav()}</header>{site.crumb()}"
        f"<article{css('main')}><h1>{text.title}</h1><div{css('info')}>文/{author}　{shown}</div>"
        f"<div{css('body')}>{''.join(parts)}</div></article><aside>{site.side(draw)}</aside>"
        f"<footer>{site.foot()}</footer></body></html>"
    )
    kept = frozenset(notes)
    return DrawnPage(
        html, Truth(text.title, tuple(truth), "article", published, author, None, kept), when
    )


def interview(site: Site, draw: Random, number: int) -> DrawnPage:
    """Questions in bold, answers below them."""
    text = section(draw, "interviews", site.style + number)
    when = moment(draw)
    shown, published = site.date(when)
    css = site.css
    rows = "".join(
        f"<p><strong>{x}</strong></p>" if x.startswith("问：") else f"<p>　　{x}</p>"
        for x in text.paragraphs
    )
    html = (
        f"<html>{site.head(site.tail(text.title))}<body>{site.nav()}<div{css('wrap')}>"
        f"<h2{css('title')}>{text.title}</h2><div{css('info')}>发布时间：{shown}　来源：{site.paper}</div>"
        f"<div{css('body')}>{rows}</div>{site.share()}{site.related(draw)}{site.comments(draw, 5)}</div>"
        f"{site.foot()}</body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "article", published, None, site.paper)
    return DrawnPage(html, truth, when)


def discussed(site: Site, draw: Random, number: int) -> DrawnPage:
    """Few paragraphs and comments with more text than the article."""
    text = of_site(site, draw, number, least=3, most=3)
    when = moment(draw)
    shown, published = site.date(when)
    css = site.css
    html = (
        f"<!DOCTYPE html><html>{site.head(site.tail(text.title))}<body>{site.nav()}<div{css('wrap')}>"
        f"<h1>{text.title}</h1><div{css('info')}>{shown}</div>"
        f"<div{css('body')}>{paragraphs(text.paragraphs, 'p')}</div>"
        f"{site.comments(draw, 16)}{site.comments(draw, 14)}</div>{site.side(draw)}{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(text.title, text.paragraphs, "article", published), when)


def wechat(site: Site, draw: Random, number: int) -> DrawnPage:
    """An article of an account: hidden until a script reveals it, nested sections."""
    text = of_site(site, draw, number)
    when, account = moment(draw), f"{site.name[:2]}小记"
    body = "".join(
        f'<section style="margin:0 8px"><section><section><p style="line-height:2em"><span style="font-size:15px">'
        f"{escape(x)}</span></p></section></section></section><section><br></section>"
        for x in text.paragraphs
    )
    html = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title></title>'
        f'<meta property="og:title" content="{escape(text.title)}"><script>var ct="{int(when.timestamp())}";'
        f'var msg_title="{escape(text.title)}";</script></head><body id="activity-detail"><div id="js_article">'
        f'<h1 class="rich_media_title" id="activity-name">{text.title}</h1><div id="meta_content">'
        f'<span><a href="javascript:void(0);" id="js_name">{account}</a></span> '
        f'<em id="publish_time">{when:%Y-%m-%d %H:%M}</em></div>'
        f'<div class="rich_media_content" id="js_content" style="visibility: hidden; opacity: 0;">{body}</div></div>'
        f'<div id="js_tags">微信扫一扫关注该公众号</div><div>轻触阅读原文</div><div>预览时标签不可点</div>'
        f"{site.comments(draw, 3)}<p>收录于合集 个上一篇下一篇</p></body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "article", f"{when:%Y-%m-%dT%H:%M}", None, account)
    return DrawnPage(html, truth, when, path="/s/")


def short(site: Site, draw: Random, number: int) -> DrawnPage:
    """Fewer than a hundred characters of text among much other content."""
    text = section(draw, "notices", site.style + number)
    when = moment(draw)
    shown, published = site.date(when)
    css = site.css
    html = (
        f"<!DOCTYPE html><html>{site.head(site.tail(text.title))}<body>{site.nav()}{site.crumb('公告')}"
        f"<div{css('wrap')}>{site.side(draw)}<div{css('main')}><h1{css('title')}>{text.title}</h1>"
        f"<div{css('info')}>日期：{shown} 浏览：{draw.randrange(4000)}次</div><div{css('body')}>"
        f"{paragraphs(text.paragraphs, site.pick('p', 'br', 'div'))}</div><p>上一篇：<a href='1.html'>"
        f"{site.titles(draw, 1)[0]}</a></p><p>下一篇：<a href='2.html'>{site.titles(draw, 1)[0]}</a></p></div>"
        f"{site.related(draw)}</div>{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(text.title, text.paragraphs, "article", published), when)


def english(site: Site, draw: Random, number: int) -> DrawnPage:
    """A local paper in English."""
    text = of_site(site, draw, number, least=5)
    when = moment(draw)
    css = site.css
    html = (
        f'<!DOCTYPE html><html lang="en">{site.head(f"{text.title} | {site.name}")}<body>{site.nav()}'
        f"<div{css('wrap')}><h1{css('title')}>{text.title}</h1><p{css('info')}>By Our Reporter | "
        f'<time datetime="{when:%Y-%m-%dT%H:%M:00+08:00}">{when:%d %B %Y}</time></p><div{css("body")}>'
        f"{paragraphs(text.paragraphs, 'p')}</div><div{css('share')}>Share this article Facebook Email Print</div>"
        f"<div{css('related')}><h3>More stories</h3>{site.links(draw, 6)}</div><form>Sign up to our newsletter "
        f"<input><button>Subscribe</button></form></div>{site.foot()}</body></html>"
    )
    return DrawnPage(
        html, Truth(text.title, text.paragraphs, "article", f"{when:%Y-%m-%dT%H:%M}"), when
    )
