"""Pages that are expensive to parse, or damaged."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.hostile.answers import http, in_page
from benchmarks.hostile.behavior import Asked, raw

#: Markup in the body of a page on the topic.
IN_BODY: dict[str, Callable[[], str]] = {
    "deep-divs": lambda: "<div>" * 200_000,
    "deep-tables": lambda: "<table><tr><td>" * 30_000,
    "deep-links": lambda: "<a href='/x'>侨务" * 50_000,
    "deep-formatting": lambda: "<b><i><u><font>" * 50_000,
    "deep-lists": lambda: "<ul><li>" * 50_000,
    "deep-svg": lambda: "<svg><g>" * 50_000,
    "deep-quotes": lambda: "<blockquote>" * 100_000 + "侨" + "</blockquote>" * 100_000,
    "crossed-tags": lambda: "<b><p><i>侨</b></p></i>" * 30_000,
    "attributes-40000": lambda: "<p " + " ".join(f"a{i}=1" for i in range(40_000)) + ">侨务</p>",
    "attributes-1000000": lambda: "<p " + " ".join(f"a{i}" for i in range(1_000_000)) + ">侨务</p>",
    "attributes-same": lambda: "<p " + "a=1 " * 1_000_000 + ">侨务</p>",
    "attributes-everywhere": lambda: f"<p {' '.join(f'a{i}=1' for i in range(200))}>侨务</p>" * 3000,
    "attributes-hidden": lambda: "<p a='>' " + " ".join(f"b{i}=>" for i in range(40_000)),
    "attributes-slashes": lambda: "<p/" + "/".join(f"a{i}" for i in range(40_000)) + ">",
    "attributes-end-tag": lambda: "</p " + " ".join(f"a{i}=1" for i in range(100_000)) + ">",
    "attributes-breaks": lambda: "<p\n" + "\n\t\f".join(f"a{i}=\n1" for i in range(40_000)) + ">",
    "attribute-10-mb": lambda: f'<p title="{"侨" * 3_300_000}">侨务</p>',
    "attribute-unclosed": lambda: '<a href="' + "x" * 5_000_000,
    "class-1-mb": lambda: f'<div class="{" ".join(f"c{i}" for i in range(150_000))}">侨务</div>',
    "tag-name-5-mb": lambda: "<" + "x" * 5_000_000 + ">",
    "tag-names-many": lambda: "".join(f"<x{i}>侨</x{i}>" for i in range(150_000)),
    "less-than-signs": lambda: "<" * 5_000_000,
    "open-brackets-bang": lambda: "<!" * 2_000_000,
    "comments-unclosed": lambda: "<!--" * 1_000_000,
    "comments-many": lambda: "<!---->" * 700_000,
    "cdata": lambda: "<![CDATA[" * 500_000,
    "instructions": lambda: "<?x y?>" * 500_000,
    "script-unclosed": lambda: "<script>" + "</scrip" * 700_000,
    "scripts-many": lambda: "<script>x</script>" * 200_000,
    "style-unclosed": lambda: "<style>" + "a{}" * 1_500_000,
    "textarea-unclosed": lambda: "<textarea>" + "<p>" * 1_000_000,
    "plaintext": lambda: "<plaintext>" + "<p>侨务</p>" * 200_000,
    "breaks": lambda: "<br>" * 1_000_000,
    "paragraphs-unclosed": lambda: "<p>" * 1_000_000,
    "paragraphs-many": lambda: "<p>侨务部门走访归侨。</p>" * 120_000,
    "spans-many": lambda: "".join(f"<span>{c}</span>" for c in "侨务" * 100_000),
    "cells-many": lambda: "<table><tr>" + "<td>侨" * 400_000,
    "inputs-many": lambda: "<input>" * 500_000,
    "options-many": lambda: "<select>" + "<option>侨务" * 200_000,
    "forms-many": lambda: "<form><input></form>" * 150_000,
    "iframes-many": lambda: "<iframe src='/x'></iframe>" * 100_000,
    "images-many": lambda: "<figure><img src=/x alt=侨务><figcaption>侨务侨务" * 60_000,
    "headings-many": lambda: "<h1>侨务工作报道</h1>" * 100_000,
    "entities": lambda: "&amp;" * 1_500_000,
    "entities-unknown": lambda: "&侨务" * 700_000,
    "entities-unclosed": lambda: "&#" * 2_000_000,
    "entity-huge-number": lambda: "&#" + "9" * 1_000_000 + ";",
    "entity-no-characters": lambda: "&#0;&#xD800;&#x110000;&#xFFFF;&#x80;" * 100_000,
    "namespaces": lambda: "".join(f"<n{i}:x xmlns:n{i}='u{i}'>" for i in range(20_000)),
    "conditional-comments": lambda: "<!--[if IE]><p>侨<![endif]-->" * 100_000,
    "templates": lambda: "<template>" * 50_000,
    "noscript": lambda: "<noscript>" * 100_000,
    "framesets": lambda: "<frameset><frame src='/'>" * 50_000,
    "json-ld-deep": lambda: f'<script type="application/ld+json">{"[" * 500_000}</script>',
    "json-ld-objects": lambda: '<script type="application/ld+json">' + '{"a":' * 300_000,
    "json-ld-number": lambda: f'<script type="application/ld+json">{"9" * 1_000_000}</script>',
    "json-ld-exponent": lambda: '<script type="application/ld+json">{"wordCount":1e999999999}</script>',
    "json-ld-graph": lambda: '<script type="application/ld+json">{"@graph":['
    + ",".join(f'{{"@type":"Article","articleBody":"侨务{i}"}}' for i in range(60_000))
    + "]}</script>",
    "json-ld-many": lambda: '<script type="application/ld+json">{"@type":"Article"}</script>' * 50_000,
    "json-ld-types": lambda: '<script type="application/ld+json">{"@type":"Article","headline":[[{}]],'
    '"articleBody":{"a":[1]},"datePublished":[null,{}],"author":[[[["侨"]]]]}</script>',
    "json-ld-nan": lambda: '<script type="application/ld+json">{"datePublished":NaN,"a":-Infinity}</script>',
    "json-ld-strings": lambda: '<script type="application/ld+json">"' + "\\ud800" * 500_000 + '"</script>',
    "json-ld-duplicates": lambda: '<script type="application/ld+json">{'
    + ",".join('"headline":"侨务"' for _ in range(150_000))
    + "}</script>",
    "microdata-loop": lambda: "<div itemscope itemref=a id=a itemprop=b>" * 20_000,
    "dates-many": lambda: "发布时间：2024-01-01 12:00:00 " * 100_000,
    "dates-odd": lambda: " ".join(f"{y}年{m}月{d}日" for y in (0, 9999, 99999) for m in (0, 13, 99)
                                  for d in (0, 32, 99)) * 3000,
    "bylines-many": lambda: "作者：侨务 来源：侨报 责任编辑：" * 80_000,
    "colons": lambda: "来源：" + "：" * 1_500_000,
    "digits-5-mb": lambda: "1" * 5_000_000,
    "date-nearly": lambda: "2024-" * 800_000,
    "trail-many": lambda: "<div class=breadcrumb>" + "<a href=/x>侨务</a> &gt; " * 80_000 + "</div>",
    "separators": lambda: "_-|—·" * 500_000,
    "hidden": lambda: "<div style='display:none'>" + "侨务部门走访归侨。" * 150_000 + "</div>",
}  # fmt: skip
#: Markup in the head of a page on the topic.
IN_HEAD: dict[str, Callable[[], str]] = {
    "titles-many": lambda: "<title>侨务工作</title>" * 100_000,
    "title-unclosed": lambda: "<title>" + "侨务" * 500_000,
    "metas-many": lambda: "".join(f'<meta name="a{i}" content="侨务">' for i in range(100_000)),
    "meta-keywords-1-mb": lambda: f'<meta name="keywords" content="{"侨务," * 140_000}">',
    "meta-robots-1-mb": lambda: f'<meta name="robots" content="{"index," * 160_000}">',
    "base-file": lambda: '<base href="file:///etc/">',
    "base-javascript": lambda: '<base href="javascript:alert(1)//">',
    "base-data": lambda: '<base href="data:text/html,x">',
    "base-bad": lambda: '<base href="http://[::1">',
    "base-1-mb": lambda: f'<base href="/{"x" * 1_000_000}/">',
    "bases-many": lambda: '<base href="/x/">' * 100_000,
    "canonical-many": lambda: "".join(f'<link rel="canonical" href="/{i}">' for i in range(50_000)),
    "canonical-elsewhere": lambda: '<link rel="canonical" href="file:///etc/passwd">',
    "alternates-many": lambda: "".join(
        f'<link rel="alternate" hreflang="x{i}" href="/{i}">' for i in range(50_000)),
    "next-many": lambda: "".join(f'<link rel="next" href="?p={i}">' for i in range(50_000)),
    "og-many": lambda: "".join(f'<meta property="og:title" content="侨{i}">' for i in range(50_000)),
    "description-5-mb": lambda: f'<meta name="description" content="{"侨务" * 800_000}">',
}  # fmt: skip

for _name, _make in IN_BODY.items():
    raw(f"markup-{_name}", f"in the body: {_name}")(
        lambda asked, make=_make: http(in_page(make() + "<a href='/x'>侨务</a>"))  # type: ignore[misc]
    )
for _name, _make in IN_HEAD.items():
    raw(f"head-{_name}", f"in the head: {_name}")(
        lambda asked, make=_make: http(in_page("<a href='/x'>侨务</a>", make()))  # type: ignore[misc]
    )

_LAUGHS = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
_XML = "application/xhtml+xml; charset=utf-8"


def _document(doctype: str, use: str) -> bytes:
    markup = in_page(f"<p>{use}</p>").removeprefix("<!DOCTYPE html>")
    return http(f'<?xml version="1.0"?><!DOCTYPE html {doctype}>{markup}', kind=_XML)


@raw("xml-laughs", "a billion laughs")
def _laughs(asked: Asked) -> bytes:
    return _document(f'[<!ENTITY a0 "侨务侨务">{_LAUGHS}]', "&a12;")


@raw("xml-quadratic", "one entity of 1 MB, 10,000 times")
def _quadratic(asked: Asked) -> bytes:
    return _document(f'[<!ENTITY a "{"侨" * 300_000}">]', "&a;" * 10_000)


@raw("xml-file", "an external entity that is a file")
def _external(asked: Asked) -> bytes:
    return _document('[<!ENTITY a SYSTEM "file:///etc/passwd">]', "侨务&a;")


@raw("xml-inner", "an external DTD inside the network")
def _dtd(asked: Asked) -> bytes:
    return _document(f'SYSTEM "http://127.77.0.1:{asked.port}/x.dtd"', "侨务")


@raw("xml-parameter-entities", "parameter entities that contain each other")
def _parameters(asked: Asked) -> bytes:
    return _document('[<!ENTITY % a "%b;"><!ENTITY % b "%a;">%a;]', "侨务")


@raw("doctype-5-mb", "a doctype of 5 MB")
def _doctype(asked: Asked) -> bytes:
    return http("<!DOCTYPE " + "x" * 5_000_000 + ">" + in_page(""))


@raw("xinclude", "XInclude and XSLT of a file")
def _xinclude(asked: Asked) -> bytes:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'
    return http(f'<?xml-stylesheet href="file:///etc/passwd"?>{in_page(include)}', kind=_XML)
