"""Pages that only link to others: they have no body."""

from __future__ import annotations

from random import Random

from benchmarks.corpus.records import Truth
from benchmarks.corpus.site import Site
from benchmarks.corpus.stories import moment
from benchmarks.corpus.template import DrawnPage


def channel(site: Site, draw: Random, number: int) -> DrawnPage:
    """Headlines with dates, and page numbers."""
    name = site.channels[1 + number % (len(site.channels) - 1)]
    html = (
        f"<html>{site.head(f'{name}_{site.name}')}<body>{site.nav()}{site.crumb(name)}<div{site.css('main')}>"
        f"<h2>{name}</h2>{site.links(draw, 30, dates=True)}<div{site.css('pager')}>共{draw.randrange(20, 90)}页 首页 "
        f"<b>1</b> <a>2</a> <a>3</a> 下一页 末页</div></div>{site.side(draw)}{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(name, (), "list"), moment(draw), path=f"/{number}/")


def teasers(site: Site, draw: Random, number: int) -> DrawnPage:
    """Headlines, each with the first words of another page's text."""
    name = site.channels[1 + number % (len(site.channels) - 1)]
    rows = "".join(
        f"<div{site.css('item')}><h3><a href='{i}.html'>{t}</a></h3><p>"
        f"{site.teaser(draw)}<a href='{i}.html'>[详细]</a></p>"
        f"<div>{site.day(draw)} 评论({draw.randrange(90)})</div></div>"
        for i, t in enumerate(site.titles(draw, 14))
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{name}频道_{site.name}')}<body>{site.nav()}<div{site.css('main')}>{rows}"
        f"<a>加载更多</a></div>{site.side(draw)}{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(name, (), "list"), moment(draw), path=f"/list_{number}.html")


def front(site: Site, draw: Random, number: int) -> DrawnPage:
    """The front page of a portal: many blocks of headlines."""
    blocks = "".join(
        f"<div{site.css('item')}><h2><a>{c}</a></h2>{site.links(draw, 8)}</div>"
        for c in site.channels[1:]
    )
    html = (
        f"<!DOCTYPE html><html>{site.head(f'{site.name}_首页')}<body>{site.nav()}{blocks}{site.side(draw)}"
        f"<div>友情链接：{' '.join(f'<a>{c}网</a>' for c in site.channels)}</div>{site.foot()}</body></html>"
    )
    return DrawnPage(html, Truth(site.name, (), "list"), moment(draw), path="/")
