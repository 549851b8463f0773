"""Site templates that write a document as HTML, each in the markup of some editor or publishing software."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from random import Random

from benchmarks.corpus.site import Site
from benchmarks.corpus.stories import moment
from benchmarks.markdown.documents import Document, Item, Part


@dataclass(frozen=True, slots=True)
class Template:
    """How a site writes the parts of a document and the page around them."""

    name: str
    part: Callable[[Site, Part], str]
    frame: Callable[[Site, Random, Document, str], str]


def _text(part: Part) -> str:
    return escape(part.text, quote=False)


def _items(items: Sequence[Item], tag: str, form: str = "{}") -> str:
    written = []
    for item in items:
        inner = "".join(f"<li>{form.format(x)}</li>" for x in item.inner)
        written.append(
            f"<li>{form.format(escape(item.text, quote=False))}{f'<ul>{inner}</ul>' if inner else ''}</li>\n"
        )
    return f"<{tag}>\n{''.join(written)}</{tag}>\n"


def _rows(rows: Sequence[Sequence[str]], head: str, form: str = "{}") -> str:
    return "".join(
        "<tr>" + "".join(f"<{head if i == 0 else 'td'}>{form.format(x)}</{head if i == 0 else 'td'}>" for x in row)
        + "</tr>\n"
        for i, row in enumerate(rows)
    )  # fmt: skip


def semantic(site: Site, part: Part) -> str:
    """The elements that HTML has for it, as static site generators write them."""
    if part.kind == "paragraph":
        return f"<p>{_text(part)}</p>\n"
    if part.kind == "heading":
        anchor = f'<a class="headerlink" href="#s{part.level}">¶</a>' if site.style % 2 else ""
        return f'<h{part.level} id="s">{_text(part)}{anchor}</h{part.level}>\n'
    if part.kind == "list":
        return _items(
            part.items, "ol" if part.ordered else "ul", "<p>{}</p>" if site.style % 3 == 0 else "{}"
        )
    if part.kind == "table":
        rows = _rows(part.rows, "th")
        head, _, body = rows.partition("</tr>\n")
        return f"<table><thead>{head}</tr></thead><tbody>{body}</tbody></table>\n"
    if part.kind == "quotation":
        return "<blockquote>" + "".join(f"<p>{line}</p>" for line in part.lines) + "</blockquote>\n"
    if part.kind == "code":
        name = f' class="language-{part.language}"' if part.language else ""
        return f"<pre><code{name}>{_text(part)}\n</code></pre>\n"
    return f'<figure><img src="{part.source}" alt="" loading="lazy"><figcaption>{_text(part)}</figcaption></figure>\n'


def editor(site: Site, part: Part) -> str:
    """A rich text editor of a portal: indents, styles on every element, tables without head."""
    style = ' style="text-indent:2em;font-size:16px"'
    if part.kind == "paragraph":
        return f"<p{style}>　　{_text(part)}</p>\n"
    if part.kind == "heading":
        return f'<h{part.level + 1}{style}><span style="color:#c00">{_text(part)}</span></h{part.level + 1}>\n'
    if part.kind == "list":
        return _items(
            part.items, "ol" if part.ordered else "ul", '<p><span style="color:#333">{}</span></p>'
        )
    if part.kind == "table":
        rows = _rows(part.rows, "td", '<p align="center"><span>{}</span></p>')
        return f'<table border="1" width="600" cellspacing="0"><tbody>{rows}</tbody></table>\n'
    if part.kind == "quotation":
        lines = "".join(f"<p{style}>{line}</p>" for line in part.lines)
        return f'<blockquote style="border-left:4px solid #ccc">{lines}</blockquote>\n'
    if part.kind == "code":
        return f'<pre class="brush:{part.language or "plain"};toolbar:false">{_text(part)}</pre>\n'
    return (
        f'<p style="text-align:center"><img src="{part.source}" width="600" title="{_text(part)}" '
        f'alt="{_text(part)}"/></p>\n'
    )


def division(site: Site, part: Part) -> str:
    """An application that draws with ``div``: lazy images, highlighted code, captions by class."""
    if part.kind == "paragraph":
        return f"<div><span>{_text(part)}</span></div>"
    if part.kind == "heading":
        return f'<div role="heading" aria-level="{part.level}"><b>{_text(part)}</b></div>'
    if part.kind == "list":
        return _items(part.items, "ol" if part.ordered else "ul", "<div>{}</div>")
    if part.kind == "table":
        rows = _rows(part.rows, "td", "<div>{}</div>")
        return f'<div class="table-wrapper"><table><tbody>{rows}</tbody></table></div>'
    if part.kind == "quotation":
        return '<div class="quote">' + "".join(f"<div>{x}</div>" for x in part.lines) + "</div>"
    if part.kind == "code":
        lines = "".join(
            f"<div class='line'><span>{escape(x) or '<br>'}</span></div>"
            for x in part.text.split("\n")
        )
        return (
            f'<div class="code-block"><div class="toolbar"><span>{part.language}</span><button>复制代码</button></div>'
            f'<pre class="hljs {part.language}">{lines}</pre></div>'
        )
    return (
        f'<div class="img-wrap"><img src="/static/loading.gif" data-src="{part.source}"></div>'
        f'<div class="pic-desc">{_text(part)}</div>'
    )


def old(site: Site, part: Part) -> str:
    """A page of long ago: everything in upper case, lines ended by ``br``, fonts."""
    if part.kind == "paragraph":
        return f"<BR>　　{_text(part)}<BR>\n"
    if part.kind == "heading":
        return f"<H{part.level + 1}><FONT COLOR=red>{_text(part)}</FONT></H{part.level + 1}>\n"
    if part.kind == "list":
        tag = "OL" if part.ordered else "UL"
        items = "".join(
            f"<LI>{escape(item.text)}"
            + (f"<UL>{''.join(f'<LI>{x}' for x in item.inner)}</UL>" if item.inner else "")
            + "\n"
            for item in part.items
        )
        return f"<{tag}>{items}</{tag}>\n"
    if part.kind == "table":
        rows = "".join(
            "<TR>" + "".join(f"<TD NOWRAP>&nbsp;{x}" for x in row) + "\n" for row in part.rows
        )
        return f"<TABLE BORDER=1 ALIGN=center>{rows}</TABLE>\n"
    if part.kind == "quotation":
        return f"<BLOCKQUOTE>{'<BR><BR>'.join(part.lines)}</BLOCKQUOTE>\n"
    if part.kind == "code":
        return f"<PRE>{_text(part)}</PRE>\n"
    return f"<P ALIGN=center><IMG SRC={part.source} ALT='{_text(part)}'></P>\n"


def wiki(site: Site, part: Part) -> str:
    """A wiki: edit links in headings, highlighted code in a table with line numbers, thumbnails."""
    if part.kind == "heading":
        return (
            f'<h{part.level}><span class="mw-headline">{_text(part)}</span><span class="mw-editsection">'
            f"</span></h{part.level}>\n"
        )
    if part.kind == "code":
        lines = part.text.split("\n")
        numbers = "\n".join(str(i + 1) for i in range(len(lines)))
        return (
            f'<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>{numbers}</pre></div>'
            f'</td><td class="code"><div class="highlight-{part.language or "text"}"><pre>{_text(part)}</pre></div></td></tr></table>\n'
        )
    if part.kind == "table":
        return f'<table class="wikitable sortable">{_rows(part.rows, "th")}</table>\n'
    if part.kind == "figure":
        return (
            f'<div class="thumb tright"><div class="thumbinner"><a href="/wiki/File:{part.source[-8:]}" class="image">'
            f'<img src="{part.source}" width="220" height="147" class="thumbimage"></a>'
            f'<div class="thumbcaption">{_text(part)}</div></div></div>\n'
        )
    if part.kind == "paragraph":
        first, comma, rest = _text(part).partition("，")
        return f'<p><a href="/wiki/{site.style}" title="{first}">{first}</a>{comma}{rest}<sup>[1]</sup></p>\n'
    return semantic(site, part)


def hexo(site: Site, part: Part) -> str:
    """A blog generator: code as a figure with a table of line numbers, images in paragraphs."""
    if part.kind == "code":
        lines = part.text.split("\n")
        numbers = "".join(f'<span class="line">{i + 1}</span><br>' for i in range(len(lines)))
        code = "".join(f'<span class="line">{escape(x)}</span><br>' for x in lines)
        return (
            f'<figure class="highlight {part.language or "plaintext"}"><table><tr><td class="gutter"><pre>{numbers}</pre>'
            f'</td><td class="code"><pre>{code}</pre></td></tr></table></figure>\n'
        )
    if part.kind == "figure":
        return f'<p><img src="{part.source}" srcset="{part.source} 800w" alt="{_text(part)}"></p>\n'
    return semantic(site, part)


def wechat(site: Site, part: Part) -> str:
    """A page of a public account: sections in sections, images by script."""
    if part.kind == "paragraph":
        return f'<section><section><p><span leaf="">{_text(part)}</span></p></section></section>'
    if part.kind == "figure":
        return (
            f'<section><img class="rich_pages wxw-img" data-src="{part.source}" data-ratio="0.6" data-w="1080"></section>'
            f'<figcaption class="caption">{_text(part)}</figcaption>'
        )
    if part.kind == "list":
        return _items(
            part.items, "ol" if part.ordered else "ul", "<section><span>{}</span></section>"
        )
    if part.kind == "code":
        lines = "".join(
            f"<code><span>{escape(x) or '<br>'}</span></code>\n" for x in part.text.split("\n")
        )
        return f'<section class="code-snippet__js"><pre class="code-snippet" data-lang="{part.language}">{lines}</pre></section>'
    return editor(site, part)


def _meta(site: Site, draw: Random) -> str:
    when, _ = site.date(moment(draw))
    return f"<span>{when}</span> <span>来源：{site.paper}</span>"


def portal(site: Site, draw: Random, doc: Document, body: str) -> str:
    """Menus above, related links and comments below, a side column."""
    css = site.css
    return (
        f"<!DOCTYPE html><html>{site.head(site.tail(doc.title))}<body>{site.nav()}{site.crumb()}<div{css('wrap')}>"
        f"<div{css('main')}><h1{css('title')}>{doc.title}</h1><div{css('info')}>{_meta(site, draw)}</div>{site.share()}"
        f"<div{css('body')}>{body}</div>{site.share()}{site.related(draw)}{site.comments(draw, 3)}</div>"
        f"{site.side(draw)}</div>{site.foot()}</body></html>"
    )


def docs(site: Site, draw: Random, doc: Document, body: str) -> str:
    """A documentation site: menu at the side, previous and next page below."""
    css = site.css
    return (
        f"<!DOCTYPE html><html>{site.head(site.tail(doc.title))}<body><header>{site.name}</header><div{css('wrap')}>"
        f"<aside{css('side')}>{site.links(draw, 14)}</aside><main><article><h1>{doc.title}</h1>{body}</article>"
        f"<div{css('pager')}><a href='/prev'>上一篇：{site.titles(draw, 1)[0]}</a><a href='/next'>下一篇：{site.titles(draw, 1)[0]}"
        f"</a></div></main></div><footer>{site.foot()}</footer></body></html>"
    )


def cells(site: Site, draw: Random, doc: Document, body: str) -> str:
    """A layout of tables."""
    return (
        f"<HTML>{site.head(site.tail(doc.title))}<BODY><TABLE WIDTH=760 ALIGN=center><TR><TD COLSPAN=2>{site.nav()}</TD></TR>"
        f"<TR><TD VALIGN=top WIDTH=160>{site.links(draw, 8)}</TD><TD><TABLE WIDTH=100%><TR><TD ALIGN=center><B>{doc.title}</B>"
        f"</TD></TR><TR><TD ALIGN=center>{_meta(site, draw)}</TD></TR><TR><TD>{body}</TD></TR></TABLE></TD></TR>"
        f"<TR><TD COLSPAN=2>{site.foot()}</TD></TR></TABLE></BODY></HTML>"
    )


def account(site: Site, draw: Random, doc: Document, body: str) -> str:
    """A single column, as on phones."""
    return (
        f"<!DOCTYPE html><html>{site.head(doc.title)}<body><div id='js_article'><h1>{doc.title}</h1><div>{_meta(site, draw)}</div>"
        f"<div id='js_content'>{body}</div></div><div>{site.share()}</div></body></html>"
    )


#: The first half was looked at while the rules were written; see :data:`LEFT_OUT`.
TEMPLATES = (
    Template("semantic", semantic, portal),
    Template("editor", editor, portal),
    Template("division", division, portal),
    Template("old", old, cells),
    Template("docs", semantic, docs),
    Template("wiki", wiki, docs),
    Template("hexo", hexo, portal),
    Template("wechat", wechat, account),
)
