"""The page as a whole: read once, and never raising."""

from __future__ import annotations

import gc
import random
import zlib
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.extraction_pages import own
from topiccrawl.page import page as page_module
from topiccrawl.page import parsed as parsed_module
from topiccrawl.page import tree as tree_module
from topiccrawl.page.byline import Byline
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.outline import RawLink
from topiccrawl.page.page import Page

URL = "http://www.example.cn/2023/0401/1.html"
NOW = datetime(2023, 4, 2, 12, 0, tzinfo=CHINA_TIME)
PARAGRAPH = "来自各地的侨商代表昨日抵达江门，参加为期三天的交流会，并参观了新落成的侨史馆。"
ARTICLE = f"""<!DOCTYPE html><html><head>
<meta http-equiv="Content-Type" content="text/html; charset=gb2312">
<meta name="Keywords" content="侨商,江门"><meta name="keywords" content="第二个">
<link rel="canonical" href="/2023/0401/1.html?from=list#x">
<title>侨商代表参观江门侨史馆_侨界要闻_五邑侨网</title></head>
<body><div id="nav"><ul>
<li class="item"><a href="/news/index.html" target="_blank">要闻</a></li>
<li class="item"><a href="/photo/index.html" target="_blank">图片</a></li>
</ul></div>
<h1>侨商代表参观江门侨史馆</h1>
<div class="info"><span>发布时间：2023年4月1日 10:05</span> <span>来源：五邑侨网</span></div>
<div class="content">
<p>{PARAGRAPH}</p>
<p>{PARAGRAPH}</p>
<p>{PARAGRAPH}<a href="../0331/9.html">昨日报道</a></p>
</div>
<div class="footer"><a href="http://beian.example.org/">版权所有 2010</a></div>
</body></html>"""


def page(html: str, url: str = URL, **more: object) -> Page:
    return Page(url, html.encode(), "utf-8", now=NOW, **more)  # type: ignore[arg-type]


def test_everything_about_an_article_with_a_false_header() -> None:
    article = Page(URL, ARTICLE.encode("gbk"), "utf-8", "text/html; charset=utf-8", now=NOW)
    assert article.text == ARTICLE
    assert article.encoding == "gb18030"
    assert article.looks_like_html
    assert article.title == "侨商代表参观江门侨史馆"
    assert article.body.split("\n")[-3:] == [PARAGRAPH, PARAGRAPH, PARAGRAPH + "昨日报道"]
    assert article.published == datetime(2023, 4, 1, 10, 5, tzinfo=CHINA_TIME)
    assert [(link.url, link.anchor, link.region) for link in article.links] == [
        ("http://www.example.cn/news/index.html", "要闻", "nav"),
        ("http://www.example.cn/photo/index.html", "图片", "nav"),
        ("http://www.example.cn/2023/0331/9.html", "昨日报道", "body"),
        ("http://beian.example.org/", "版权所有 2010", "footer"),
    ]
    assert article.meta["keywords"] == "侨商,江门"
    assert article.canonical_url == URL + "?from=list"
    assert article.visible_text.startswith("要闻\n图片\n侨商代表参观江门侨史馆\n发布时间")
    assert not article.nofollow
    assert not article.noindex


def test_the_html_is_decoded_parsed_and_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    functions = [(tree_module, "_parse"), (parsed_module, "walk"), (parsed_module, "decode")]
    functions += [(page_module, name) for name in ("title_of", "find_published", "build_links")]
    for module, name in functions:
        original = getattr(module, name)

        def counted(
            *args: object, _name: str = name, _original: object = original, **more: object
        ) -> object:
            calls.append(_name)
            return _original(*args, **more)  # type: ignore[operator]

        monkeypatch.setattr(module, name, counted)
    article = page(ARTICLE)
    assert calls == []
    for _ in range(2):
        for name in ("published", "title", "body", "links", "visible_text", "meta", "text"):
            getattr(article, name)
    assert sorted(calls) == [
        "_parse",
        "build_links",
        "decode",
        "find_published",
        "title_of",
        "walk",
    ]


@pytest.mark.parametrize(
    ("body", "content_type", "is_html", "why"),
    [
        (b"%PDF-1.4\n1 0 obj", "text/html", False, "PDF called HTML"),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "text/html", False, "image called HTML"),
        (b"PK\x03\x04" + bytes(60), "", False, "archive"),
        (b"GIF89a<html>", "text/html", False, "image that contains HTML"),
        (random.Random(1).randbytes(5000), "text/html", False, "noise"),
        (zlib.compress(b"<html>" * 9000 + random.Random(2).randbytes(3000)), "text/html", False, "compressed"),
        (b"<p>x</p>", "image/png", False, "the header names an image"),
        (b"<p>x</p>", "application/xhtml+xml; charset=utf-8", True, "XHTML"),
        ("<p>侨</p>".encode("utf-16"), "text/html", True, "UTF-16 with mark"),
        ("<p>侨乡</p>".encode("utf-16-le"), "text/html", True, "UTF-16 without mark"),
        ("<p>侨</p>".encode("gbk"), "", True, "no header"),
        (b"~{VPND~}\x1b$B", "text/html", True, "seven-bit encodings use escape"),
        (b"<p>a\0b</p>" + b" " * 500, "text/html", True, "a stray zero byte"),
        (b"", "text/html", True, "an empty page is a page"),
    ],
)  # fmt: skip
def test_binary_data_served_as_html_is_an_empty_page(
    body: bytes, content_type: str, is_html: bool, why: str
) -> None:
    found = Page(URL, body, None, content_type)
    assert found.looks_like_html is is_html, why
    if not is_html:
        assert (found.text, found.links, found.body, found.title) == ("", [], "", "")


@pytest.mark.parametrize(
    ("href", "canonical", "why"),
    [
        ("/a.html", "http://www.example.cn/a.html", "same host"),
        ("https://m.example.cn/a", "https://m.example.cn/a", "other host of the same site"),
        ("http://other.cn/a", None, "another site"),
        ("http://example.com.cn/a", None, "another site of similar name"),
        ("/", None, "an article is not the front page"),
        ("javascript:0", None, "no URL"),
        ("", None, "empty"),
    ],
)
def test_canonical_urls_must_be_credible(href: str, canonical: str | None, why: str) -> None:
    assert page(f'<link rel="canonical" href="{href}">').canonical_url == canonical, why


def test_the_front_page_may_be_its_own_canonical_url() -> None:
    found = page('<link rel=canonical href="http://example.cn/">', url="http://www.example.cn/")
    assert found.canonical_url == "http://example.cn/"


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://cdn.example.cn/x/", "http://cdn.example.cn/x/a"),
        ("/y/", "http://www.example.cn/y/a"),
        ("javascript:0", "http://www.example.cn/2023/0401/a"),
        ("", "http://www.example.cn/2023/0401/a"),
    ],
)
def test_base_href(base: str, url: str) -> None:
    assert page(f'<base href="{base}"><a href="a">x</a>').links[0].url == url


@pytest.mark.parametrize(
    ("content", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("NoFollow", False, True),
        ("none", True, True),
        ("all", False, False),
    ],
)
def test_meta_robots(content: str, noindex: bool, nofollow: bool) -> None:
    found = page(f'<meta name="robots" content="{content}"><a href=/a>x</a>')
    assert (found.noindex, found.nofollow) == (noindex, nofollow)
    assert found.links[0].nofollow is nofollow


def test_the_anchor_that_led_here_names_a_page_without_title() -> None:
    found = page("<p>短</p>", anchor_hint="侨乡 旧影")
    assert found.title == "侨乡 旧影"
    assert found.used_anchor_hint


def test_a_page_with_a_title_does_not_use_the_anchor_that_led_to_it() -> None:
    assert not page(ARTICLE, anchor_hint="侨乡 旧影").used_anchor_hint
    assert not page("<title>侨乡网</title>", "http://www.a.cn/", anchor_hint="x").used_anchor_hint


@pytest.mark.parametrize("extractor", ["blocks", "text-density"])
def test_a_page_that_did_not_use_the_anchor_is_the_same_with_any_other(extractor: str) -> None:
    used = []
    for source in own()[::5]:
        without = Page(source.url, source.data, source.charset, extractor=extractor)
        other = Page(
            source.url, source.data, source.charset, extractor=extractor,
            anchor_hint="侨乡旧影图片展昨日开幕",
        )  # fmt: skip
        used.append(without.used_anchor_hint)
        assert other.used_anchor_hint == without.used_anchor_hint
        if not without.used_anchor_hint:
            assert (other.title, other.extraction) == (without.title, without.extraction)
    assert not all(used)


def test_unknown_extractors_are_refused_when_the_page_is_made() -> None:
    with pytest.raises(ValueError, match="body extractor must be one of"):
        page("", extractor="magic")


def test_only_the_first_megabytes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_module, "MAX_PAGE_BYTES", 1000)
    assert len(page("<p>" + "x" * 5000).text) == 1000


def read_all(found: Page) -> None:
    assert isinstance(found.text, str)
    assert isinstance(found.title, str)
    assert isinstance(found.body, str)
    assert isinstance(found.visible_text, str)
    assert found.published is None or found.published.tzinfo is not None
    assert all(link.url.startswith(("http://", "https://")) for link in found.links)
    assert found.canonical_url is None or found.canonical_url.startswith("http")
    assert found.base_url or not found.url


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "gbk", "utf-16", "x"]))
def test_random_bytes_never_raise(body: bytes, charset: str | None) -> None:
    read_all(Page(URL, body, charset, "text/html"))
    read_all(Page("", body, charset))


@given(st.integers(0, 2**32), st.sampled_from(["utf-8", "gbk", "utf-16-le"]))
def test_mutated_pages_never_raise(seed: int, encoding: str) -> None:
    chance = random.Random(seed)
    body = bytearray(ARTICLE.encode(encoding))
    for _ in range(chance.randrange(1, 30)):
        start = chance.randrange(len(body))
        match chance.randrange(4):
            case 0:
                body[start] = chance.randrange(256)
            case 1:
                del body[start : start + chance.randrange(40)]
            case 2:
                body[start:start] = body[start // 2 : start // 2 + chance.randrange(60)]
            case _:
                body[start:start] = chance.choice(
                    [b"<", b">", b'"', b"</html>", b"<!--", b"\0", b"&#99999999;"]
                )
        if not body:
            break
    read_all(Page(URL, bytes(body), None, "text/html", now=NOW))


def test_what_was_read_of_a_page_goes_with_it_without_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        page = Page("http://a.example/", b'<body><a href="/only-here">1</a>')
        assert [link.href for link in page.outline.links] == ["/only-here"]
        del page
        left = [it for it in gc.get_objects() if isinstance(it, RawLink)]
        assert "/only-here" not in [link.href for link in left]
    finally:
        gc.enable()


def test_a_list_has_the_date_of_its_metadata_alone() -> None:
    items = "".join(
        f"<li><a href=/2023/{i}.html>滨河区第{i}次读书活动在图书馆举行</a><span>2023-03-{i:02}</span></li>"
        for i in range(1, 25)
    )
    html = f"<title>文化频道_滨河新闻网</title><h2>文化频道</h2><ul>{items}</ul>"
    meta = "<meta property='article:published_time' content='2023-01-02'>"
    for head, found in (("", None), (meta, datetime(2023, 1, 2, tzinfo=CHINA_TIME))):
        page = Page("http://news.example/culture/", (head + html).encode(), now=NOW)
        assert page.kind == "list"
        assert page.published == found


def test_a_list_has_no_byline() -> None:
    items = "".join(
        f"<li><a href=/2023/{i}.html>滨河区第{i}次读书活动在图书馆举行</a><span>作者：王小明 来源：滨河晚报</span></li>"
        for i in range(1, 25)
    )
    html = f"<title>文化频道_滨河新闻网</title><h2>文化频道</h2><ul>{items}</ul>"
    page = Page("http://news.example/culture/", html.encode(), now=NOW)
    assert page.kind == "list"
    assert page.byline == Byline()
