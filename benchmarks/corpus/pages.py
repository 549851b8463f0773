"""Other pages with a text: encyclopedias, recipes, poems, blogs, pictures, films."""

from __future__ import annotations

from random import Random

from benchmarks.corpus.news import of_site
from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import PEN_NAMES, TRADITIONAL_NAMES, Site, paragraphs
from benchmarks.corpus.stories import moment, read_lines, section
from benchmarks.corpus.template import DrawnPage


def entry(site: Site, draw: Random, number: int) -> DrawnPage:
    """An encyclopedia entry: info box, contents, numbered references, edit links."""
    text = section(draw, "entries", site.style + number)
    when = moment(draw)
    css = site.css
    heads = ("简介", "结构", "历史", "用途", "现状")[: len(text.paragraphs)]
    toc = "".join(f"<li><a href='#{i}'>{i + 1} {h}</a></li>" for i, h in enumerate(heads))
    parts = f"<p>{text.paragraphs[0]}<sup>[1]</sup></p><div><b>目录</b><ul>{toc}</ul></div>"
    for i, paragraph in enumerate(text.paragraphs[1:], 1):
        parts += f"<h2><span>{heads[i]}</span><a>编辑</a></h2><p>{paragraph}<sup><a href='#r'>[{i + 1}]</a></sup></p>"
    box = "".join(
        f"<dt>{k}</dt><dd>{v}</dd>" for k, v in (("中文名", text.title), ("类别", "器物"))
    )
    notes = "".join(
        f"<li>{t}．{site.paper}［引用日期{site.day(draw)}］</li>" for t in site.titles(draw, 4)
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{text.title}_{site.name}百科')}<body>{site.nav()}<h1>{text.title}</h1>"
        f"<div>讨论 上传视频 收藏 {draw.randrange(900)} 有用+1</div>"
        f"<div{css('body')}>{parts}</div><dl{css('side')}>{box}</dl>"
        f"<div{css('list')}><b>参考资料</b><ol>{notes}</ol></div><div>词条统计 浏览次数：{draw.randrange(90_000)}次 "
        f"编辑次数：{draw.randrange(90)}次历史版本 最近更新：{when:%Y-%m-%d}</div>{site.foot()}</body></html>"
    )
    kept = frozenset(heads[1:])
    body = [text.paragraphs[0]]
    for i, paragraph in enumerate(text.paragraphs[1:], 1):
        body += [heads[i], paragraph]
    return DrawnPage(html, Truth(text.title, tuple(body), "article", None, None, None, kept), when)


def recipe(site: Site, draw: Random, number: int) -> DrawnPage:
    """Ingredients as a list, numbered steps, tips of other users below."""
    text = section(draw, "recipes", site.style + number)
    when, author = moment(draw), draw.choice(PEN_NAMES)
    css = site.css
    needs = [x[2:] for x in text.paragraphs if x.startswith("- ")]
    steps = [x for x in text.paragraphs if not x.startswith("- ")]
    numbered = site.pick("ol", "div")
    if numbered == "ol":
        shown = f"<ol>{''.join(f'<li><p>{x}</p><img src=s.jpg></li>' for x in steps)}</ol>"
    else:
        shown = "".join(f"<div><em>{i}</em><div>{x}</div></div>" for i, x in enumerate(steps, 1))
    html = (
        f"<html>{site.head(site.tail(text.title))}<body>{site.nav()}<div{css('main')}><h1>{text.title}</h1>"
        f"<div{css('info')}>作者：{author}　{when:%Y-%m-%d}　{draw.randrange(900)} 人做过</div><div{css('body')}>"
        f"<h3>用料</h3><ul>{''.join(f'<li>{x}</li>' for x in needs)}</ul><h3>步骤</h3>{shown}</div>"
        f"{site.comments(draw, 5)}</div>{site.side(draw)}{site.foot()}</body></html>"
    )
    body = ("用料", *needs, "步骤", *steps)
    truth = Truth(
        text.title, body, "article", f"{when:%Y-%m-%d}", author, None, frozenset({"用料", "步骤"})
    )
    return DrawnPage(html, truth, when)


def poem(site: Site, draw: Random, number: int) -> DrawnPage:
    """Short lines without punctuation."""
    text = section(draw, "poems", site.style + number)
    when, author = moment(draw), draw.choice(PEN_NAMES)
    shown, published = site.date(when)
    css = site.css
    html = (
        f"<html>{site.head(site.tail(text.title))}"
        f"<body>{site.nav()}{site.crumb('诗歌')}<h2{css('title')}>{text.title}</h2>"
        f"<p{css('info')}>{author}　{shown}</p><div{css('body')}>{'<br/>'.join(text.paragraphs)}</div>{site.share()}"
        f"{site.related(draw)}{site.comments(draw, 3)}{site.foot()}</body></html>"
    )
    body = tuple(x for x in text.paragraphs if x)
    return DrawnPage(html, Truth(text.title, body, "article", published), when)


def blog(site: Site, draw: Random, number: int) -> DrawnPage:
    """A blog: archive, calendar and counter beside the text, comments in a nested list."""
    text = of_site(site, draw, number)
    when = moment(draw)
    css = site.css
    tw = site.script == "tw"
    shown = f"{when.year} 年 {when.month} 月 {when.day} 日" if tw else f"{when:%Y-%m-%d %H:%M}"
    published = f"{when:%Y-%m-%d}" if tw else f"{when:%Y-%m-%dT%H:%M}"
    names = TRADITIONAL_NAMES if tw else PEN_NAMES
    author = site.pick(*names)
    said = read_lines("tw_comments" if tw else "comments")
    days = "".join(f"<td>{i}</td>" for i in range(1, 29))
    labels = ("張貼在", "留言", "近期文章", "彙整") if tw else ("分类", "评论", "最近文章", "归档")
    replies = "".join(
        f"<li id=c{i}><cite>{draw.choice(names)}</cite>：<p>{x}</p><ul><li><p>{y}</p></li></ul></li>"
        for i, (x, y) in enumerate(zip(draw.sample(said, 3), said, strict=False))
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{text.title} « {site.name}')}"
        f'<body class="single post-{number}">{site.nav()}'
        f"<div{css('main')}><article><header><h1{css('title')}>{text.title}</h1><div{css('info')}>"
        f"<time>{shown}</time> <a rel=author>{author}</a></div></header>"
        f"<div{css('body')}>{paragraphs(text.paragraphs, 'p')}"
        f"</div><footer>{labels[0]}：<a>{'隨筆' if tw else '随笔'}</a></footer></article>"
        f"<nav>« {site.titles(draw, 1)[0]}</nav>"
        f"<section><h2>{labels[1]}（6）</h2><ol>{replies}</ol></section></div><aside><table><tr>{days}</tr></table>"
        f"<h3>{labels[2]}</h3>{site.links(draw, 6)}<h3>{labels[3]}</h3><ul>"
        f"<li>2012 年 5 月</li><li>2012 年 4 月</li></ul>"
        f"</aside>{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(text.title, text.paragraphs, "article", published, author), when)


def film(site: Site, draw: Random, number: int) -> DrawnPage:
    """A film with two lines of description among many other films."""
    text = section(draw, "videos", site.style + number)
    when = moment(draw)
    css = site.css
    others = "".join(
        f"<li><a href=v{i}><img src=v.jpg>{t}</a><span>0{draw.randint(1, 9)}:{draw.randint(10, 59)}</span></li>"
        for i, t in enumerate(site.titles(draw, 16))
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{text.title}-在线观看-{site.name}视频')}"
        f"<body>{site.nav()}<div{css('main')}>"
        f"<div id=player><noscript>您需要安装播放器</noscript></div><h1>{text.title}</h1><div{css('info')}>"
        f"{draw.randrange(900)}次播放 · {when:%Y-%m-%d} 发布</div>"
        f"<div{css('body')}>简介：{text.paragraphs[0]}</div></div>"
        f"<div{css('side')}><h3>接下来播放</h3><ul>{others}</ul></div>"
        f"{site.comments(draw, 3)}{site.foot()}</body></html>"
    )
    truth = Truth(text.title, text.paragraphs, "article", f"{when:%Y-%m-%d}")
    return DrawnPage(html, truth, when, path="/v/")


def gallery(site: Site, draw: Random, number: int) -> DrawnPage:
    """Pictures in a row, each with a sentence."""
    when = moment(draw)
    shown, published = site.date(when)
    text = of_site(site, draw, number)
    notes = tuple(draw.sample(read_lines("captions"), 7))
    css = site.css
    items = "".join(
        f"<li><img src='{i}.jpg'><div{css('caption')}><em>{i + 1}/{len(notes)}</em>{x}</div></li>"
        for i, x in enumerate(notes)
    )
    html = (
        f"<html>{site.head(f'高清组图：{text.title}_{site.name}')}<body>{site.nav()}<h1>高清组图：{text.title}</h1>"
        f"<div{css('info')}>{shown}　来源：{site.paper}</div><ul{css('body')}>"
        f"{items}</ul><div>查看原图 重新播放 支持键盘翻页</div>"
        f"{site.related(draw)}{site.foot()}</body></html>"
    )
    title = f"高清组图：{text.title}"
    return DrawnPage(html, Truth(title, notes, "article", published, None, site.paper), when)
