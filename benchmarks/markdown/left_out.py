"""Templates that were written after the rules, and not looked at for them: well-known software as it writes."""

from __future__ import annotations

from html import escape
from random import Random

from benchmarks.corpus.site import Site
from benchmarks.markdown.documents import Document, Part
from benchmarks.markdown.templates import Template, account, cells, docs, editor, portal, semantic


def _text(part: Part) -> str:
    return escape(part.text, quote=False)


def _lines(part: Part) -> list[str]:
    return [escape(line, quote=False) for line in part.text.split("\n")]


def _table(part: Part, attributes: str, cell: str = "{}", head: str = "th") -> str:
    rows = ""
    for i, row in enumerate(part.rows):
        tag = head if i == 0 else "td"
        rows += "<tr>" + "".join(f"<{tag}>{cell.format(x)}</{tag}>" for x in row) + "</tr>"
    return f"<table {attributes}>{rows}</table>"


def _list(part: Part, attributes: str, form: str) -> str:
    tag = "ol" if part.ordered else "ul"
    items = ""
    for item in part.items:
        inner = "".join(f"<li>{form.format(x)}</li>" for x in item.inner)
        items += f"<li>{form.format(escape(item.text))}{f'<ul {attributes}>{inner}</ul>' if inner else ''}</li>"
    return f"<{tag} {attributes}>{items}</{tag}>"


def csdn(site: Site, part: Part) -> str:
    """Blogs of programmers: line numbers as a list in the code, tables in a box, captions in ``em``."""
    if part.kind == "code":
        numbers = "".join(
            f'<li style="color: rgb(153, 153, 153);">{i + 1}</li>' for i in range(len(_lines(part)))
        )
        return (
            f'<pre data-index="0" class="set-code-show prettyprint"><code class="prism language-{part.language or "yml"} '
            f'has-numbering" onclick="mdcp.copyCode(event)">{_text(part)}\n<div class="hljs-button {{2}}" data-title="复制">'
            f'</div></code><ul class="pre-numbering" style="">{numbers}</ul></pre>'
        )
    if part.kind == "table":
        return f'<div class="table-box">{_table(part, "")}</div>'
    if part.kind == "figure":
        return f'<p><img src="{part.source}" alt="{_text(part)}"></p>'
    if part.kind == "heading":
        return f'<h{part.level}><a name="t1"></a><a id="_1"></a>{_text(part)}</h{part.level}>'
    return semantic(site, part)


def cnblogs(site: Site, part: Part) -> str:
    """Blogs of programmers: numbered lines in colored code, captions as paragraphs."""
    if part.kind == "code":
        lines = "\n".join(
            f'<span style="color: #008080;">{i + 1:>2}</span> {line}'
            for i, line in enumerate(_lines(part))
        )
        bar = '<div class="cnblogs_code_toolbar"><span class="cnblogs_code_copy"><a title="复制代码"><img src="/copycode.gif" alt="复制代码"></a></span></div>'
        return f'<div class="cnblogs_code">{bar}<pre>{lines}</pre>{bar}</div>'
    if part.kind == "figure":
        return (
            f'<p style="text-align: center;"><img src="{part.source}" alt="" width="640" loading="lazy"></p>'
            f'<p style="text-align: center;">{_text(part)}</p>'
        )
    if part.kind == "paragraph":
        return f"<p>&nbsp; &nbsp; &nbsp; &nbsp; {_text(part)}</p>\n"
    return semantic(site, part)


def office(site: Site, part: Part) -> str:
    """An office's site: text out of Word in the editor of a publishing system."""
    span = '<span style="font-family: 仿宋_GB2312; font-size: 16pt;">{}</span>'
    if part.kind == "paragraph":
        return f'<p class="MsoNormal" style="text-indent: 32pt" align="justify">{span.format(_text(part))}<o:p></o:p></p>'
    if part.kind == "heading":
        return (
            f'<h{part.level} style="line-height: 30pt">{span.format(_text(part))}</h{part.level}>'
        )
    if part.kind == "table":
        cell = f'<p class="MsoNormal" align="center" style="mso-element: frame">{span}<span lang="EN-US"><o:p></o:p></span></p>'
        table = _table(
            part, 'class="MsoTableGrid" border="1" cellspacing="0" style="border: none"', cell, "td"
        )
        return f'<div align="center">{table}</div>'
    if part.kind == "list":
        return _list(part, 'type="1" class="MsoListParagraph"', f'<p class="MsoNormal">{span}</p>')
    if part.kind == "figure":
        return f'<p align="center"><img OLDSRC="W020.jpg" src="{part.source}" alt="{_text(part)}" style="border-width: 0px"></p>'
    return editor(site, part)


def docusaurus(site: Site, part: Part) -> str:
    """A documentation generator: code by token and line with a button, links behind headings."""
    if part.kind == "heading":
        return (
            f'<h{part.level} class="anchor anchorWithStickyNavbar_LWe7" id="x">{_text(part)}<a href="#x" class="hash-link" '
            f'aria-label="Direct link to x" title="Direct link to x">&#8203;</a></h{part.level}>'
        )
    if part.kind == "code":
        lines = "".join(
            f'<span class="token-line" style="color:#393A34"><span class="token plain">{line or "<br>"}</span>'
            f"{'<br>' if line else ''}</span>"
            for line in _lines(part)
        )
        return (
            f'<div class="language-{part.language or "text"} codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockContent">'
            f'<pre tabindex="0" class="prism-code language-{part.language or "text"}"><code class="codeBlockLines_e6Vv">{lines}</code></pre>'
            '<div class="buttonGroup__atx"><button type="button" title="Copy"><span aria-hidden="true">复制</span></button></div></div></div>'
        )
    if part.kind == "figure":
        return f'<p><img decoding="async" loading="lazy" alt="{_text(part)}" src="{part.source}" width="1280" height="720" class="img_ev3q"></p>'
    return semantic(site, part)


def zhihu(site: Site, part: Part) -> str:
    """Columns: every image twice, code highlighted by a server, tables from a draft."""
    if part.kind == "figure":
        return (
            f'<figure data-size="normal"><noscript><img src="{part.source}" data-rawwidth="1080" width="1080" class="origin_image"/>'
            "</noscript><img src=\"data:image/svg+xml;utf8,&lt;svg xmlns='http://www.w3.org/2000/svg'&gt;&lt;/svg&gt;\" "
            f'data-rawwidth="1080" class="origin_image zh-lightbox-thumb lazy" width="1080" data-actualsrc="{part.source}"/>'
            f"<figcaption>{_text(part)}</figcaption></figure>"
        )
    if part.kind == "code":
        return f'<div class="highlight"><pre><code class="language-{part.language or "text"}"><span></span>{_text(part)}\n</code></pre></div>'
    if part.kind == "table":
        return _table(part, 'data-draft-node="block" data-draft-type="table" data-size="normal"')
    if part.kind == "quotation":
        return f"<blockquote>{'<br><br>'.join(part.lines)}</blockquote>"
    if part.kind == "paragraph":
        return f'<p data-pid="x{site.style}">{_text(part)}</p>'
    return semantic(site, part)


def wordpress(site: Site, part: Part) -> str:
    """A blog of blocks."""
    if part.kind == "table":
        return f'<figure class="wp-block-table"><table class="has-fixed-layout">{_table(part, "", head="td")[8:]}</figure>'
    if part.kind == "code":
        return f'<pre class="wp-block-code"><code>{_text(part)}</code></pre>'
    if part.kind == "figure":
        return (
            f'<figure class="wp-block-image size-large"><a href="{part.source}"><img decoding="async" width="1024" height="683" '
            f'src="{part.source}" alt="" class="wp-image-7"></a><figcaption class="wp-element-caption">{_text(part)}</figcaption></figure>'
        )
    if part.kind == "quotation":
        lines = "".join(f"<p>{line}</p>" for line in part.lines)
        return f'<blockquote class="wp-block-quote is-layout-flow wp-block-quote-is-layout-flow">{lines}</blockquote>'
    if part.kind == "list":
        return _list(part, 'class="wp-block-list"', "{}")
    if part.kind == "heading":
        return f'<h{part.level} class="wp-block-heading">{_text(part)}</h{part.level}>'
    return semantic(site, part)


def letter(site: Site, part: Part) -> str:
    """A mailing that a site shows: each part in a layout table of its own."""
    return (
        '<table role="presentation" width="100%" border="0" cellpadding="0"><tbody><tr><td class="spacer">&nbsp;</td>'
        f'<td style="padding:0 24px">{editor(site, part)}</td><td class="spacer">&nbsp;</td></tr></tbody></table>'
    )


def board(site: Site, part: Part) -> str:
    """Board software: lines by ``br``, code as a numbered list, attachments as images."""
    if part.kind == "paragraph":
        return f"{_text(part)}<br>\n<br>\n"
    if part.kind == "code":
        lines = "".join(f"<li>{line}<br>\n" for line in _lines(part))
        return f'<div class="blockcode"><div id="code_x9"><ol>{lines}</ol></div><em onclick="copycode($(\'code_x9\'));">复制代码</em></div>'
    if part.kind == "quotation":
        return (
            f'<div class="quote"><blockquote>{"<br>&nbsp;<br>".join(part.lines)}</blockquote></div>'
        )
    if part.kind == "table":
        return _table(part, 'cellspacing="0" class="t_table" style="width:98%"', head="td")
    if part.kind == "list":
        return _list(part, 'type="1" class="litype_1"', "{}")
    if part.kind == "figure":
        return (
            f'<ignore_js_op><img id="aimg_7" aid="7" src="static/image/common/none.gif" zoomfile="{part.source}" file="{part.source}" '
            f'class="zoom" width="600" alt="{_text(part)}" /><div class="tip tip_4 aimg_tip" style="position: absolute; display: none">'
            '<p><strong>a.jpg</strong> <em class="xg1">(88 KB, 下载次数: 3)</em></p></div></ignore_js_op><br>'
        )
    return f"<h{part.level}>{_text(part)}</h{part.level}>"


def post(site: Site, draw: Random, doc: Document, body: str) -> str:
    """The page of a board with one post."""
    return (
        f"<html>{site.head(site.tail(doc.title))}<body><div id='hd'>{site.nav()}</div><div id='pt'>{site.crumb()}</div><div id='postlist'>"
        f"<h1 class='ts'><span id='thread_subject'>{doc.title}</span></h1><table class='plhin'><tr><td class='pls' rowspan='2'><div>lulu88</div>"
        "<p>注册会员</p><p>积分 230</p></td><td class='plc'><div class='pi'>楼主 发表于 2019-4-12 10:22</div><div class='pct'>"
        f"<table cellspacing='0'><tr><td class='t_f' id='postmessage_1'>{body}</td></tr></table></div></td></tr></table></div>"
        f"{site.foot()}</body></html>"
    )


def asciidoctor(site: Site, part: Part) -> str:
    """A documentation generator that puts everything in boxes with titles."""
    if part.kind == "paragraph":
        return f'<div class="paragraph"><p>{_text(part)}</p></div>'
    if part.kind == "heading":
        return f'<div class="sect{part.level - 1}"><h{part.level} id="_x">{_text(part)}</h{part.level}></div>'
    if part.kind == "list":
        name = "olist arabic" if part.ordered else "ulist"
        return f'<div class="{name}">{_list(part, "", "<p>{}</p>")}</div>'
    if part.kind == "table":
        cell = '<p class="tableblock">{}</p>'
        return _table(part, 'class="tableblock frame-all grid-all stretch"', cell, "td")
    if part.kind == "quotation":
        lines = "".join(f'<div class="paragraph"><p>{line}</p></div>' for line in part.lines)
        return f'<div class="quoteblock"><blockquote>{lines}</blockquote></div>'
    if part.kind == "code":
        return (
            '<div class="listingblock"><div class="content"><pre class="rouge highlight">'
            f'<code data-lang="{part.language}">{_text(part)}</code></pre></div></div>'
        )
    return (
        f'<div class="imageblock"><div class="content"><img src="{part.source}" alt=""></div>'
        f'<div class="title">{_text(part)}</div></div>'
    )


def sphinx(site: Site, part: Part) -> str:
    """A documentation generator: paragraphs in items and cells, highlighted code, links behind captions."""
    if part.kind == "heading":
        return f'<section id="x"><h{part.level}>{_text(part)}<a class="headerlink" href="#x" title="链接">#</a></h{part.level}></section>'
    if part.kind == "list":
        return _list(part, 'class="simple"', "<p>{}</p>")
    if part.kind == "table":
        return f'<div class="pst-scrollable-table-container">{_table(part, "class=docutils", "<p>{}</p>")}</div>'
    if part.kind == "quotation":
        return f"<blockquote><div>{''.join(f'<p>{line}</p>' for line in part.lines)}</div></blockquote>"
    if part.kind == "code":
        return (
            f'<div class="highlight-{part.language or "default"} notranslate"><div class="highlight"><pre><span></span>'
            f"{_text(part)}\n</pre></div></div>"
        )
    if part.kind == "figure":
        return (
            f'<figure class="align-default"><a class="reference internal image-reference" href="{part.source}"><img alt="{part.source}" '
            f'src="{part.source}" /></a><figcaption><p><span class="caption-text">{_text(part)}</span><a class="headerlink" href="#x">#</a>'
            "</p></figcaption></figure>"
        )
    return semantic(site, part)


def yuque(site: Site, part: Part) -> str:
    """A knowledge base: elements of its own in all texts."""
    text = '<span class="ne-text">{}</span>'
    if part.kind == "paragraph":
        return f'<p id="u1" class="ne-p">{text.format(_text(part))}</p>'
    if part.kind == "heading":
        return f'<h{part.level} id="x">{text.format(_text(part))}</h{part.level}>'
    if part.kind == "list":
        return _list(part, 'class="ne-ul"', text)
    if part.kind == "table":
        return _table(
            part, 'class="ne-table" style="width: 750px"', f'<p class="ne-p">{text}</p>', "td"
        )
    if part.kind == "quotation":
        return f'<div class="ne-quote">{"".join(f"<p class=ne-p>{text.format(x)}</p>" for x in part.lines)}</div>'
    if part.kind == "code":
        return f'<pre data-language="{part.language}" id="x" class="ne-codeblock language-{part.language}">{_text(part)}</pre>'
    return f'<p class="ne-p"><img src="{part.source}" width="1200" id="u2" class="ne-image"></p><p class="ne-p">{_text(part)}</p>'


def mobile(site: Site, part: Part) -> str:
    """A page for accelerated phones: elements of its own for images, bare text otherwise."""
    if part.kind == "figure":
        return (
            f'<figure><mip-img layout="responsive" width="640" height="400" src="{part.source}"></mip-img>'
            f"<figcaption>{_text(part)}</figcaption></figure>"
        )
    if part.kind == "heading":
        return f'<h{part.level} class="mip-h">{_text(part)}</h{part.level}>'
    if part.kind == "code":
        return f"<pre>{_text(part)}</pre>"
    return semantic(site, part)


#: Not looked at while the rules were written.
LEFT_OUT = (
    Template("csdn", csdn, portal),
    Template("cnblogs", cnblogs, portal),
    Template("office", office, cells),
    Template("docusaurus", docusaurus, docs),
    Template("zhihu", zhihu, account),
    Template("wordpress", wordpress, portal),
    Template("letter", letter, account),
    Template("board", board, post),
)

#: A second set, written when the first one had been looked at.
SECOND = (
    Template("asciidoctor", asciidoctor, docs),
    Template("sphinx", sphinx, docs),
    Template("yuque", yuque, account),
    Template("mobile", mobile, portal),
)
