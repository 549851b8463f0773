"""HTML fragments in the style of each layout: lists of links, paragraphs, dates."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from topiccrawl.demo.links import Anchor
    from topiccrawl.demo.sites import Site

_HAN_DIGITS = "〇一二三四五六七八九"
_ENGLISH_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@cache
def skeleton(name: str) -> Template:
    """Return the page template ``data/layout-<name>.html``; ``minified`` is ``modern`` on one line."""
    minified = name.startswith("minified")
    file = f"layout-{name.replace('minified', 'modern', 1)}.html"
    text = (files("topiccrawl.demo") / "data" / file).read_text(encoding="utf-8")
    if minified:
        text = "".join(line.strip() for line in text.splitlines())
    return Template(text)


def href(site: Site, url: str) -> str:
    """Return *url* as *site* writes it: relative within the site."""
    own = site.root
    if url.startswith(own):
        # Sites with <base href> omit the slash: correct only for clients that apply the base.
        url = ("" if "base" in site.features else "/") + url[len(own) :]
        url = url or "./"
    return escape(url)


def link(site: Site, anchor: Anchor, position: int = 0) -> str:
    """Return an ``<a>``; depending on *position* with a title, a script or an image."""
    target, text = href(site, anchor.url), escape(anchor.text)
    match position % 6:
        case 2:
            return f'<a href="{target}" title="{text}">{text}</a>'
        case 4 if site.layout == "table":
            return (
                f"<a href='{target}' onmouseover=\"window.status='{text}';return true\">{text}</a>"
            )
        case 5 if site.layout == "portal":
            return f'<a href="{target}"><img src="/images/t{position}.jpg" alt="{text}"></a>'
        case _:
            return f'<a href="{target}">{text}</a>'


def link_list(site: Site, anchors: Sequence[Anchor], notes: Sequence[str] = ()) -> str:
    """Return *anchors* as a list in the site's style, each followed by its note."""
    shown = [
        link(site, anchor, index) + (f" <span>{notes[index]}</span>" if notes else "")
        for index, anchor in enumerate(anchors)
    ]
    match site.layout:
        case "table":
            return "\n".join(f"·{item}<br>" for item in shown)
        case "br":
            return "<br>\n".join(f"□ {item}" for item in shown)
        case "minified":
            return "<ul><li>" + "<li>".join(shown) + "</ul>"
        case _:
            return "<ul>\n" + "\n".join(f"<li>{item}</li>" for item in shown) + "\n</ul>"


def paragraphs(site: Site, texts: Sequence[str]) -> str:
    """Return body paragraphs in the site's style: ``<p>``, unclosed ``<p>``, or ``<br>`` only."""
    escaped = [escape(text, quote=False) for text in texts]
    match site.layout:
        case "br" | "table":
            return "<br><br>\n".join(f"　　{text}" for text in escaped)
        case "forum":
            return "<br>\n".join(escaped)
        case "minified":
            return "".join(f"<p>{text}" for text in escaped)
        case "portal":
            return "\n".join(f"<p>　　{text}</p>" for text in escaped)
        case _:
            return "\n".join(f"<p>{text}</p>" for text in escaped)


def clock(site: Site, moment: datetime) -> str:
    """Return a publish time in the format of the site's layout."""
    match site.layout:
        case "modern":
            return f"发布时间：{moment.year}年{moment.month:02d}月{moment.day:02d}日 {moment:%H:%M}"
        case "portal":
            return f"{moment:%Y-%m-%d %H:%M:%S}"
        case "table":
            return f"[{moment.year}-{moment.month}-{moment.day}]"
        case "br":
            return f"{han_year(moment.year)}年{moment.month}月{moment.day}日"
        case "forum":
            return f"发表于 {moment.year}-{moment.month}-{moment.day} {moment:%H:%M:%S}"
        case "english":
            return f"{_ENGLISH_MONTHS[moment.month - 1]} {moment.day}, {moment.year}"
        case _:
            return f"{moment:%Y/%m/%d %H:%M}"


def han_year(year: int) -> str:
    """Return a year in Chinese digits: 2024 is 二〇二四."""
    return "".join(_HAN_DIGITS[int(digit)] for digit in str(year))
