"""Pages made to be expensive, each of a given number of bytes.

One unit repeated is the shape of nearly all of them: what differs is which part of the analysis repeats
work for each unit over all others.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

_TEXT = "侨批档案馆昨日开放，归侨带着孙辈前来参观。"
#: A line of a mail that quotes another one, broken at a width.
_QUOTED = "&#62; 侨批档案馆昨日开放。归侨带着孙辈前来参观，听取讲解的情况\n"
_TAGS = [
    "a", "b", "i", "p", "div", "table", "tr", "td", "li", "ul", "form", "select", "option", "font",
    "nobr", "button", "h1", "dd", "svg", "math", "title", "noscript", "frameset", "body", "html",
    "head", "center", "object", "applet", "marquee", "ruby", "rt", "plaintext", "template",
]  # fmt: skip


def _fill(size: int, unit: Callable[[int], str], before: str = "", after: str = "") -> bytes:
    """Repeat *unit*, a function of its number, until the page has *size* bytes."""
    parts, length, number = [before], len(before.encode()) + len(after.encode()), 0
    while length < size:
        part = unit(number)
        parts.append(part)
        length += len(part.encode())
        number += 1
    return "".join([*parts, after]).encode()


def _page(size: int, unit: Callable[[int], str], *, head: str = "", around: str = "{}") -> bytes:
    start, _, end = around.partition("{}")
    title = "<title>侨乡来信_侨乡网</title>"
    return _fill(
        size,
        unit,
        f"<!DOCTYPE html><html><head><meta charset=utf-8>{title}{head}</head><body>{start}",
        f"{end}<p>{_TEXT * 9}</p></body></html>",
    )


def _head(size: int, unit: Callable[[int], str], start: str, end: str) -> bytes:
    return _fill(
        size,
        unit,
        f"<html><head><meta charset=utf-8>{start}",
        f"{end}</head><body><h1>侨批档案馆开放</h1><p>{_TEXT * 9}</p></body></html>",
    )


def _shell(size: int, unit: Callable[[int], str], *, around: str = "{}") -> bytes:
    """A page that shows nothing, so that its article is looked for in its scripts."""
    start, _, end = around.partition("{}")
    return _fill(size, unit, f"<!DOCTYPE html><html><head><meta charset=utf-8>{start}", end)


def _around(start: str, size: int) -> bytes:
    opened = "".join(start.format(i) for i in range(min(2_000, size // 100)))
    return _page(size, lambda i: f"{_TEXT}{i}", around=f"{opened}{{}}")


def _random_bytes(size: int) -> bytes:
    return b"<html><body>" + random.Random(size).randbytes(size)


def _random_tags(size: int) -> bytes:
    chance = random.Random(size)
    return _page(
        size, lambda i: f"<{chance.choice(['', '/'])}{chance.choice(_TAGS)}>{chance.choice('侨a ')}"
    )


def _random_han(size: int) -> bytes:
    chance = random.Random(size)
    return _page(size, lambda i: chr(0x4E00 + chance.randrange(20_000)), around="<p>{}</p>")


def _random_words(size: int) -> bytes:
    chance = random.Random(size)
    return _page(size, lambda i: f"{chance.randrange(10**12):x} ", around="<p>{}</p>")


def _gbk_mixed(size: int) -> bytes:
    head = b'<html><meta charset="gbk"><body>'
    unit = "<p>侨批档案馆开放了</p>".encode("gbk") + "<p>侨批档案馆开放了</p>".encode()
    return head + unit * (size // len(unit))


#: Name of each hostile page to the function that makes it of a number of bytes.
HOSTILE_PAGES: dict[str, Callable[[int], bytes]] = {
    # One tag
    "attributes": lambda n: _page(n, lambda i: f" a{i}=1", around="<div{}>侨</div>"),
    "attributes-of-link": lambda n: _page(n, lambda i: f" a{i}", around="<a href=x{}>侨</a>"),
    "attributes-unclosed": lambda n: _fill(n, lambda i: f" a{i}=1", "<html><body><div"),
    "attributes-slashes": lambda n: _page(n, lambda i: f"/a{i}/", around="<div{}>侨</div>"),
    "attributes-quotes": lambda n: _page(n, lambda i: f"'a{i}'\"b{i}\"", around="<div {}>侨</div>"),
    "attributes-equal": lambda n: _page(n, lambda i: " a=1", around="<div{}>侨</div>"),
    "attributes-of-body": lambda n: _page(n, lambda i: f"<body a{i}=1>"),
    "attributes-of-html": lambda n: _page(n, lambda i: f"<html a{i}=1 b{i}=2>"),
    "attributes-of-end-tag": lambda n: _page(n, lambda i: f" a{i}=1", around="<div>侨</div{}>"),
    "attributes-in-script": lambda n: _page(n, lambda i: f" a{i}=1", around="<script{}></script>"),
    "attributes-newline": lambda n: _page(n, lambda i: f"\na{i}\n=\n1", around="<div{}>侨</div>"),
    "attributes-angle": lambda n: _page(n, lambda i: f" a{i}=<", around="<div{}>侨</div>"),
    "attributes-of-many": lambda n: _page(
        n, lambda i: f"<p {' '.join(f'a{j}=1' for j in range(99))}>侨"
    ),
    "attributes-in-doctype": lambda n: _fill(n, lambda i: f" a{i}=1", "<!DOCTYPE html", "><p>侨"),
    "attributes-in-xml": lambda n: _fill(
        n, lambda i: f" a{i}='1'", "<?xml version='1.0'", "?><p>侨"
    ),
    "xmlns": lambda n: _page(n, lambda i: f" xmlns:a{i}='u{i}'", around="<div{}>侨</div>"),
    "long-attribute": lambda n: _page(n, lambda i: "x", around='<div class="{}">侨</div>'),
    "long-attribute-spaces": lambda n: _page(n, lambda i: "x ", around='<div class="{}">侨</div>'),
    "long-style": lambda n: _page(n, lambda i: "display: ", around='<div style="{}">侨</div>'),
    "long-tag-name": lambda n: _page(n, lambda i: "x", around="<{}>侨"),
    "tag-name-unclosed": lambda n: _fill(n, lambda i: "x", f"<html><body><p>{_TEXT * 9}</p><"),
    "long-attribute-name": lambda n: _page(n, lambda i: "x", around="<p {}=1>侨"),
    "long-rel": lambda n: _page(n, lambda i: "next1 ", around="<link href=/ rel='{}'>"),
    # Many tags
    "nested": lambda n: _page(n, lambda i: "<div>"),
    "nested-inline": lambda n: _page(n, lambda i: "<b>侨<i>乡"),
    "nested-classes": lambda n: _page(n, lambda i: f"<div class='content{i}'><p>侨乡的来信，"),
    "nested-lists": lambda n: _page(n, lambda i: "<ul><li>侨"),
    "nested-tables": lambda n: _page(n, lambda i: "<table><tr><td>侨"),
    "nested-forms": lambda n: _page(n, lambda i: "<form>侨"),
    "nested-fonts": lambda n: _page(n, lambda i: f"<font size={i % 7}>侨<p>"),
    "nested-unknown": lambda n: _page(n, lambda i: f"<x{i}>侨"),
    "nested-templates": lambda n: _page(n, lambda i: "<template><svg><title>"),
    "nested-noscript": lambda n: _page(n, lambda i: "<noscript><h1>侨"),
    "nested-hidden": lambda n: _page(n, lambda i: "<span hidden>侨"),
    "nested-titles": lambda n: _page(n, lambda i: "<div class=title>侨"),
    "nested-quotes": lambda n: _page(n, lambda i: "<p title='>'><div>"),
    "nested-in-comments": lambda n: _page(n, lambda i: "<div><!-- </div> -->"),
    "adoption-agency": lambda n: _page(n, lambda i: "<a><p><b><p></a>侨"),
    "misnested": lambda n: _page(n, lambda i: "<b><div></b><i></div>侨</i>"),
    "end-tags": lambda n: _page(n, lambda i: "</div></p></b>"),
    "end-tags-nested": lambda n: _page(n, lambda i: "</q>", around="<div>" * 400 + "{}"),
    "end-tags-body": lambda n: _page(n, lambda i: "</body></html>"),
    "paragraphs-nested": lambda n: _page(n, lambda i: "<p>", around="<b>" * 400 + "{}"),
    "paragraph-ends-nested": lambda n: _page(n, lambda i: "</p>", around="<b>" * 400 + "{}"),
    "list-items-nested": lambda n: _page(n, lambda i: "<li>侨", around="<b>" * 400 + "{}"),
    "tiny": lambda n: _page(n, lambda i: "<b></b>"),
    "tiny-void": lambda n: _page(n, lambda i: "<br>"),
    "tiny-text": lambda n: _page(n, lambda i: "<i>侨</i>"),
    "tiny-links": lambda n: _page(n, lambda i: "<a></a>"),
    "tiny-unknown": lambda n: _page(n, lambda i: f"<x{i}/>"),
    "tiny-classes": lambda n: _page(n, lambda i: f"<b class=c{i} id=i{i}></b>"),
    "random-tags": _random_tags,
    "paragraphs": lambda n: _page(n, lambda i: f"<p>{i}{_TEXT}</p>"),
    "short-paragraphs": lambda n: _page(n, lambda i: "<p>侨"),
    "breaks": lambda n: _page(n, lambda i: "短短的一行<br>", around="<div>{}</div>"),
    "rows": lambda n: _page(
        n, lambda i: "<tr><td>侨<td>1<td>2023-04-01", around="<table>{}</table>"
    ),
    "headings": lambda n: _page(n, lambda i: f"<h1>侨批档案馆开放{i}</h1>"),
    "options": lambda n: _page(n, lambda i: f"<option>侨{i}", around="<select>{}</select>"),
    "times": lambda n: _page(n, lambda i: "<time datetime=2023-04-01>4月</time>"),
    "titles": lambda n: _page(n, lambda i: f"<title>侨批{i}</title>"),
    "frames": lambda n: _page(n, lambda i: f"<iframe src=/{i}></iframe>"),
    "images": lambda n: _page(n, lambda i: f"<img alt=侨{i} src=x>", around="<a href=/>{}</a>"),
    "comments-section": lambda n: _page(
        n, lambda i: f"<div class=comment>{i}楼 侨友 回复 昨天 08:30 沙发！</div>"
    ),
    "thread": lambda n: _page(
        n, lambda i: f"<div class=post id=post{i}>楼主 发表于 2011-9-8 22:05:33<p>{_TEXT}</div>"
    ),
    # Links
    "trails": lambda n: _page(n, lambda i: "<div class=path>侨批</div>" + "<a>" * 9),
    "page-links": lambda n: _fill(
        n,
        lambda i: f"{'a b c d ' * 6}<a href=1_2>2</a> ",
        f"<title>侨乡来信</title><h1>侨乡来信</h1><p>{_TEXT * 9}</p><div>{'a b c d ' * 200}",
        "</div>",
    ),
    "links": lambda n: _page(n, lambda i: f'<li><a href="/n/{i}.html">第{i}条侨批新闻</a></li>'),
    "links-one-block": lambda n: _page(n, lambda i: f"<a href=/{i}>侨</a>", around="<p>{}</p>"),
    "links-same-target": lambda n: _page(n, lambda i: f"<a href=/x>侨{i}</a>", around="<p>{}</p>"),
    "links-nested": lambda n: _page(n, lambda i: f"<a href=/{i}><b>侨"),
    "links-unclosed": lambda n: _page(n, lambda i: f"<div><a href=/{i}>侨"),
    "links-parameters": lambda n: _page(
        n, lambda i: f"<a href='/x?{'&'.join(f'p{j}={i}' for j in range(50))}'>侨</a>"
    ),
    "links-hosts": lambda n: _page(n, lambda i: f"<a href=http://h{i}.example/>侨</a>"),
    "links-areas": lambda n: _page(n, lambda i: f"<area href=/{i} alt=侨>", around="<map>{}</map>"),
    "links-long-context": lambda n: _page(
        n, lambda i: f"{_TEXT}<a href=/{i}>侨</a>", around="<p>{}</p>"
    ),
    "link-long-url": lambda n: _page(n, lambda i: "/a", around="<a href='{}'>侨</a>"),
    "link-long-query": lambda n: _page(n, lambda i: f"&a{i}=%41", around="<a href='/?{}'>侨</a>"),
    "link-long-dots": lambda n: _page(n, lambda i: "/..", around="<a href='x{}'>侨</a>"),
    "link-long-escapes": lambda n: _page(n, lambda i: "%2%35", around="<a href='/{}'>侨</a>"),
    "link-long-semicolons": lambda n: _page(
        n, lambda i: ";jsessionid=1/", around="<a href='/{}'>侨</a>"
    ),
    "link-long-host": lambda n: _page(n, lambda i: "a.", around="<a href='http://{}/'>侨</a>"),
    "link-han-host": lambda n: _page(n, lambda i: "侨.", around="<a href='http://{}/'>侨</a>"),
    "link-long-spaces": lambda n: _page(n, lambda i: " \t\n", around="<a href='/{}x'>侨</a>"),
    "link-long-anchor": lambda n: _page(n, lambda i: "侨 ", around="<a href=/x>{}</a>"),
    "link-long-title": lambda n: _page(n, lambda i: "侨 ", around="<a href=/x title='{}'>侨</a>"),
    "base": lambda n: _page(n, lambda i: f"<base href=/{i}/><a href={i}>侨</a>"),
    "base-long": lambda n: _head(n, lambda i: "a/", "<base href='http://a.example/", "'>"),
    "base-long-links": lambda n: _page(
        n, lambda i: f"<a href={i}>侨</a>", head=f"<base href='http://a.example/{'a/' * 900}'>"
    ),
    # Few elements around much text: parts that read the text of each element
    **{
        f"around-{name}": partial(_around, start)
        for name, start in {
            "links": "<div><a href=/{0}>",
            "links-inline": "<a href=/{0}><b>",
            "link-titles": "<div><a class=title href=/{0}>侨",
            "same-links": "<div><a href=/>",
            "anchors": "<div><a name=x{0}>",
            "divs": "<div>",
            "content": "<div class=content>",
            "articles": "<article id=article{0}>",
            "titles": "<div class=title>",
            "crumbs": "<div class=crumb>首页 &gt; ",
            "hidden": "<div hidden>",
            "noscripts": "<noscript><div>",
            "comments": "<div class=comment>侨友 回复",
            "posts": "<div class=post id=post{0}>发表于 2011-9-8 22:05:33",
            "lists": "<ul class=list><li>",
            "tables": "<table><tr><td>",
            "headings": "<h1><div>",
            "dates": "<div>2023-04-01 来源：侨报",
            "pagers": "<div class=pager>",
            "options": "<select><option>",
            "buttons": "<button>",
            "forms": "<form><div>",
            "quotes": "<blockquote>",
        }.items()
    },
    # Text
    "text": lambda n: _page(n, lambda i: "侨", around="<p>{}</p>"),
    "text-sentences": lambda n: _page(n, lambda i: f"{_TEXT}{i}", around="<p>{}</p>"),
    "text-random": _random_han,
    "text-words": _random_words,
    "text-latin": lambda n: _page(n, lambda i: "x", around="<p>{}</p>"),
    "text-digits": lambda n: _page(n, lambda i: "1", around="<p>{}</p>"),
    "text-spaces": lambda n: _page(n, lambda i: " ", around="<p>侨{}乡</p>"),
    "text-wide-spaces": lambda n: _page(n, lambda i: "　", around="<p>侨{}乡</p>"),
    "text-newlines": lambda n: _page(n, lambda i: "\n", around="<pre>侨{}乡</pre>"),
    "text-stops": lambda n: _page(n, lambda i: "。", around="<p>侨{}乡</p>"),
    "text-lines": lambda n: _page(n, lambda i: f"侨乡第{i}封来信。\n", around="<pre>{}</pre>"),
    "text-capitals": lambda n: _page(n, lambda i: "A.", around="<p>{}</p>"),
    "text-combining": lambda n: _page(n, lambda i: "\u0301\u0316", around="<p>a{}</p>"),
    "text-ligature": lambda n: _page(n, lambda i: "\ufdfa", around="<p>{}</p>"),
    "text-emoji": lambda n: _page(n, lambda i: "\U0001f600\u200d", around="<p>{}</p>"),
    "text-controls": lambda n: _page(n, lambda i: "\u0001\u202e", around="<p>{}</p>"),
    "text-separators": lambda n: _page(n, lambda i: " - | _ ", around="<p>{}</p>"),
    "text-brackets": lambda n: _page(n, lambda i: "（(【", around="<p>{}</p>"),
    "text-traditional": lambda n: _page(n, lambda i: "華僑華人", around="<p>{}</p>"),
    "text-topic": lambda n: _page(n, lambda i: "侨批华侨归侨侨眷", around="<p>{}</p>"),
    "less-than": lambda n: _page(n, lambda i: "<"),
    "less-than-letter": lambda n: _page(n, lambda i: "<a"),
    "greater-than": lambda n: _page(n, lambda i: ">"),
    "ampersands": lambda n: _page(n, lambda i: "&"),
    "ampersand-letters": lambda n: _page(n, lambda i: "&a"),
    "ampersand-long": lambda n: _page(n, lambda i: "a", around="<p>&{};"),
    "entities": lambda n: _page(n, lambda i: "&nbsp;&copy;&#20392;"),
    "entities-wrong": lambda n: _page(n, lambda i: "&#xFFFFFFFF;&#0;&x;"),
    "entity-digits": lambda n: _page(n, lambda i: "9", around="<p>&#{};"),
    "entities-declared": lambda n: _fill(
        n, lambda i: f'<!ENTITY a{i + 1} "&a{i};&a{i};">', "<!DOCTYPE html [", "]><p>&a9;侨"
    ),
    "quotes": lambda n: _page(n, lambda i: "\"'"),
    "nul": lambda n: _page(n, lambda i: "\0", around="<p>侨{}</p>"),
    # Comments, scripts, styles
    "comment": lambda n: _page(n, lambda i: "侨", around="<!--{}-->"),
    "comment-dashes": lambda n: _page(n, lambda i: "-", around="<!--{}-->"),
    "comment-starts": lambda n: _page(n, lambda i: "<!--"),
    "comment-starts-exclamation": lambda n: _page(n, lambda i: "<!-- --!>"),
    "comments": lambda n: _page(n, lambda i: "<!--x-->"),
    "declarations": lambda n: _page(n, lambda i: "<!x"),
    "instructions": lambda n: _page(n, lambda i: "<?x "),
    "cdata": lambda n: _page(n, lambda i: "<![CDATA["),
    "quotation-of-spaces": lambda n: _shell(
        n, lambda i: " ", around=f"<pre>{_QUOTED * 6}&#62; 侨{{}}x\n{_QUOTED * 6}</pre>"
    ),
    "heading-of-marks": lambda n: _page(
        n, lambda i: "#", around=f"<p>{_TEXT * 9}</p><h2>侨{{}}x</h2>"
    ),
    "shell-scripts": lambda n: _shell(n, lambda i: "<script "),
    "shell-tag-name": lambda n: _shell(n, lambda i: "x", around="<script></script><{}"),
    "shell-types": lambda n: _shell(n, lambda i: " type=application/json", around="<script{}"),
    "shell-states": lambda n: _shell(n, lambda i: "window.a={", around="<script>{}"),
    "shell-spaces": lambda n: _shell(n, lambda i: " ", around="<script>window.a{}"),
    "shell-values": lambda n: _shell(
        n,
        lambda i: f'{{"content":"侨批{i}"}},',
        around="<script type=application/json>[{}0]</script>",
    ),
    "shell-attributes": lambda n: _shell(
        n,
        lambda i: f" a{i}=1",
        around=f'<script type=application/json>{{"content":"{_TEXT * 9}<p{{}}>"}}</script>',
    ),
    "script": lambda n: _page(n, lambda i: "x=1;", around="<script>{}</script>"),
    "script-less-than": lambda n: _page(n, lambda i: "</", around="<script>{}</script>"),
    "script-comments": lambda n: _page(n, lambda i: "<!--<script>", around="<script>{}</script>"),
    "scripts": lambda n: _page(n, lambda i: "<script>"),
    "scripts-closed": lambda n: _page(n, lambda i: "<script></script>"),
    "styles": lambda n: _page(n, lambda i: "<style>"),
    "textareas": lambda n: _page(n, lambda i: "<textarea><title>"),
    "plaintext": lambda n: _page(n, lambda i: "<plaintext>"),
    # Statements of the head
    "title-long": lambda n: _head(n, lambda i: "侨", "<title>", "</title>"),
    "title-marks": lambda n: _head(n, lambda i: "\u0301\u0316", "<title>侨", "</title>"),
    "line-of-date-and-marks": lambda n: _page(
        n, lambda i: "\u0301\u0316", around="<p>2023年4月1日{}</p>"
    ),
    "title-separators": lambda n: _head(n, lambda i: "侨_", "<title>", "</title>"),
    "title-dashes": lambda n: _head(n, lambda i: " -", "<title>侨", "</title>"),
    "title-spaces": lambda n: _head(n, lambda i: " ", "<title>侨", "乡</title>"),
    "title-keywords": lambda n: _head(n, lambda i: f"侨批{i},", "<title>", "</title>"),
    "meta-keywords": lambda n: _head(
        n, lambda i: f"侨批{i},", "<meta name=keywords content='", "'>"
    ),
    "meta-title": lambda n: _head(n, lambda i: "侨 - ", "<meta property=og:title content='", "'>"),
    "meta-date": lambda n: _head(n, lambda i: "1", "<meta name=pubdate content='", "'>"),
    "meta-date-marks": lambda n: _head(
        n, lambda i: "\u0301\u0316", "<meta name=pubdate content='2023-4-1", "'>"
    ),
    "meta-date-spaces": lambda n: _head(
        n, lambda i: " ", "<meta name=pubdate content='2023-4-1", "x'>"
    ),
    "meta-author": lambda n: _head(n, lambda i: "方 ", "<meta name=author content='", "'>"),
    "meta-author-digits": lambda n: _head(n, lambda i: "1", "<meta name=author content='", "'>"),
    "meta-author-counters": lambda n: _head(
        n, lambda i: "20230101 阅读 ", "<meta name=author content='", "'>"
    ),
    "meta-source": lambda n: _head(n, lambda i: "来源：", "<meta name=source content='", "'>"),
    "meta-robots": lambda n: _head(n, lambda i: "<meta name=robots content=index,follow>", "", ""),
    "meta-refresh": lambda n: _head(
        n, lambda i: f"<meta http-equiv=refresh content='0;url=/{i}'>", "", ""
    ),
    "meta-refresh-long": lambda n: _head(
        n, lambda i: "0", "<meta http-equiv=refresh content='", "'>"
    ),
    "meta-refresh-spaces": lambda n: _head(
        n, lambda i: " ", "<meta http-equiv=refresh content='0", ";'>"
    ),
    "meta-charset": lambda n: _head(n, lambda i: "<meta charset=zlib>", "", ""),
    "meta-charset-spaces": lambda n: _fill(n, lambda i: " ", "<meta ", "charset=gbk><p>\xff"),
    "metas": lambda n: _head(n, lambda i: f"<meta name=n{i} content=1>", "", ""),
    "canonicals": lambda n: _head(n, lambda i: f"<link rel=canonical href=/{i}>", "", ""),
    "json-nested": lambda n: _head(
        n, lambda i: '{"author":', "<script type=application/ld+json>", "</script>"
    ),
    "json-lists": lambda n: _head(
        n, lambda i: "[", "<script type=application/ld+json>", "</script>"
    ),
    "json-digits": lambda n: _head(
        n, lambda i: "9", '<script type=application/ld+json>{"datePublished":', "}</script>"
    ),
    "json-authors": lambda n: _head(
        n,
        lambda i: f'{{"author":{{"name":"方敏{i}"}}}},',
        "<script type=application/ld+json>[",
        "]</script>",
    ),
    "json-body": lambda n: _head(
        n, lambda i: "侨批\\n", '<script type=application/ld+json>{"articleBody":"', '"}</script>'
    ),
    "json-body-quotes": lambda n: _head(
        n, lambda i: '"articleBody":"', "<script type=application/ld+json>{", "}</script>"
    ),
    "json-body-open": lambda n: _head(
        n, lambda i: '"articleBody":"\\', "<script type=application/ld+json>{", "</script>"
    ),
    "json-spaces": lambda n: _head(
        n, lambda i: " ", '<script type=application/ld+json>{"author"', ':{"name":1}}</script>'
    ),
    "json-types": lambda n: _head(
        n, lambda i: '"@type" : "x', "<script type=application/ld+json>", "</script>"
    ),
    "json-words": lambda n: _head(
        n, lambda i: "A", '<script type=application/ld+json>{"@type":"', '"}</script>'
    ),
    "json-breadcrumbs": lambda n: _head(
        n,
        lambda i: f'{{"name":"侨\\ud800{i}"}},',
        '<script type=application/ld+json>{"@type":"BreadcrumbList","itemListElement":[',
        '{"name":"侨"}]}</script>',
    ),
    "json-description": lambda n: _head(
        n, lambda i: '"description" : "', "<script type=application/ld+json>", "</script>"
    ),
    # What the rules for dates, names and channels look for
    "dates": lambda n: _page(n, lambda i: "2023-04-01 10:05 "),
    "dates-lines": lambda n: _page(n, lambda i: f"<p>发布时间：2023年4月{i % 30 + 1}日 来源：侨报"),
    "dates-digits": lambda n: _page(n, lambda i: "20230401"),
    "dates-han": lambda n: _page(n, lambda i: "二〇二三年"),
    "dates-english": lambda n: _page(n, lambda i: "Jan 1, 2023 "),
    "dates-ago": lambda n: _page(n, lambda i: "3小时前"),
    "dates-event": lambda n: _page(n, lambda i: "举办时间："),
    "dates-spaces": lambda n: _page(n, lambda i: "2023 年 "),
    "bylines": lambda n: _page(n, lambda i: "来源：侨报 作者：方敏 责任编辑："),
    "bylines-spaces": lambda n: _page(n, lambda i: "记 者 "),
    "bylines-lines": lambda n: _page(n, lambda i: f"<p>记者 方敏{i} 通讯员"),
    "posted-by": lambda n: _page(n, lambda i: "本帖由 侨"),
    "breadcrumb": lambda n: _page(
        n,
        lambda i: f"<a href=/{i}/>频道{i}</a> &gt; ",
        around="<div class=crumb>首页 &gt; {}</div>",
    ),
    "breadcrumb-text": lambda n: _page(
        n, lambda i: "频道 > ", around="<div class=crumb>首页 > {}</div>"
    ),
    "breadcrumbs": lambda n: _page(
        n, lambda i: f"<div class=crumb>首页 &gt; 频道{i} &gt; 侨</div>"
    ),
    "breadcrumb-spaces": lambda n: _page(n, lambda i: "首页 "),
    "copyright": lambda n: _page(n, lambda i: "版权所有 Copyright © 2008-2024 "),
    "pages-bar": lambda n: _page(
        n, lambda i: f"<a href=/{i}>下一页</a>", around="<div class=pager>{}</div>"
    ),
    "classes-long": lambda n: _page(n, lambda i: f"<div class='{'newsList' * 30}{i}'>侨</div>"),
    # Bytes
    "random-bytes": _random_bytes,
    "high-bytes": lambda n: b"<html><body><p>" + b"\xff" * n,
    "gbk-runs": lambda n: b"<html><body><p>" + b"\x81a" * (n // 2),
    "cut-characters": lambda n: b"<html><body><p>" + b"\xe4\xbe" * (n // 2),
    "gbk-in-utf8": _gbk_mixed,
    "utf16": lambda n: ("<html><body><p>" + "侨" * (n // 2)).encode("utf-16"),
    "utf7": lambda n: b"<meta charset=utf-7><p>" + b"+AGE-" * (n // 5),
    "hz": lambda n: b"<meta charset=hz-gb-2312><p>" + b"~{VP~}" * (n // 6),
    "iso2022": lambda n: b"<meta charset=iso-2022-jp><p>" + b"\x1b$B\x1b(B" * (n // 6),
}
