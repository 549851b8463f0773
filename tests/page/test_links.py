"""Links and their metadata."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from topiccrawl.page.hrefs import Resolver, clean, registered_host
from topiccrawl.page.links import MAX_ANCHOR_CHARACTERS, BoxPaths, Link, build_links
from topiccrawl.page.outline import visible_text
from topiccrawl.page.special_tags import refresh_target
from topiccrawl.page.tree import limit_depth, parse
from topiccrawl.page.walk import MAX_LINKS, walk

BASE = "http://www.example.cn/news/2020/list.html?page=2"


def links(html: str, base: str = BASE, encoding: str = "utf-8") -> list[Link]:
    return build_links(walk(html), Resolver(base, encoding))


def only(html: str) -> Link:
    (link,) = links(html)
    return link


@pytest.mark.parametrize(
    ("href", "url", "why"),
    [
        ("a.html", "http://www.example.cn/news/2020/a.html", "relative to the folder"),
        ("../a.html", "http://www.example.cn/news/a.html", "up one folder"),
        ("../../../../a/./b/../c", "http://www.example.cn/a/c", "never above the root"),
        ("/", "http://www.example.cn/", "root"),
        ("..", "http://www.example.cn/news/", "a folder ends in a slash"),
        ("?page=3", "http://www.example.cn/news/2020/list.html?page=3", "only a query"),
        ("//cdn.example.com", "http://cdn.example.com/", "same scheme, empty path"),
        (
            "HTTPS://News.Example.COM?x=1",
            "https://news.example.com/?x=1",
            "case of scheme and host",
        ),
        (
            " \n/a\n b.html\t ",
            "http://www.example.cn/a%20b.html",
            "line ends vanish, blanks are escaped",
        ),
        ("\\news\\a.html", "http://www.example.cn/news/a.html", "backslashes are slashes"),
        ("/a?p=c:\\d", "http://www.example.cn/a?p=c:%5Cd", "but not in a query"),
        ("/a.html#top", "http://www.example.cn/a.html", "fragments are removed"),
        ("/a?x=1&amp;y=2", "http://www.example.cn/a?x=1&y=2", "references are resolved"),
        ("/侨.html", "http://www.example.cn/%E4%BE%A8.html", "paths are UTF-8"),
        ("http:a.html", "http://www.example.cn/news/2020/a.html", "scheme without slashes"),
        ("http://例子.cn/", "http://xn--fsqu00a.cn/", "international host"),
        ("http://a.cn:8080/x", "http://a.cn:8080/x", "port"),
        ("　/wide.html　", "http://www.example.cn/wide.html", "full-width blanks around"),
    ],
)
def test_hrefs_become_absolute_urls(href: str, url: str, why: str) -> None:
    assert only(f'<a href="{href}">x</a>').url == url, why


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#",
        "#top",
        "javascript:void(0)",
        "JavaScript:go('/a')",
        "mailto:a@b.cn",
        "data:text/html,x",
        "tel:123",
        "ftp://a.cn/x",
        "http://",
        "http:///",
        "http://a.cn:99999/",
        "http://u:p@a.cn/",
        "http://[::1",
        "//",
        "http://a b.cn/",
        "/" + "x" * 3000,
    ],
)
def test_hrefs_that_do_not_lead_to_a_page_are_skipped(href: str) -> None:
    assert links(f'<a href="{href}">x</a>') == []


def test_a_query_is_escaped_in_the_encoding_of_the_page() -> None:
    html = '<a href="/s?q=侨">x</a>'
    assert links(html, encoding="gb18030")[0].url == "http://www.example.cn/s?q=%C7%C8"
    assert links(html, encoding="utf-16-le")[0].url == "http://www.example.cn/s?q=%E4%BE%A8"


def test_a_character_the_encoding_lacks_is_escaped_as_utf8() -> None:
    assert links('<a href="/s?q=侨">x</a>', encoding="cp1252")[0].url.endswith("?q=%E4%BE%A8")


def test_all_the_metadata_of_an_anchor_is_gathered() -> None:
    html = (
        '<div class="news-list"><ul><li>2020-01-02 <a href="/a" title="侨 乡" name="n1"'
        ' onmouseover="show(\'图\')">侨乡 <b>新貌</b><img src="x" alt="开平碉楼"></a> 来源：本网</li></ul></div>'
    )
    assert only(html) == Link(
        url="http://www.example.cn/a",
        anchor="侨乡 新貌",
        title="侨 乡",
        name="n1",
        onmouseover="show('图')",
        alt="开平碉楼",
        kind="a",
        context="2020-01-02 来源：本网",
        region="list",
        tag_path="html/body/div.news-list/ul/li/a",
        nofollow=False,
    )


@pytest.mark.parametrize(
    ("html", "kind", "alt"),
    [
        ('<map name="m"><area href="/x" alt="广东"></map>', "area", "广东"),
        ('<frameset><frame src="/x" name="main"></frameset>', "frame", ""),
        ('<iframe src="/x"></iframe>', "iframe", ""),
        ('<head><link rel="next" href="/x"></head>', "next", ""),
        ('<head><link rel="Prev" href="/x"></head>', "prev", ""),
        ('<head><meta http-equiv="Refresh" content="3; URL=\'/x\'"></head>', "refresh", ""),
    ],
)
def test_links_of_every_kind_are_found(html: str, kind: str, alt: str) -> None:
    link = only(html)
    assert (link.url, link.kind, link.alt) == ("http://www.example.cn/x", kind, alt)


@pytest.mark.parametrize("rel", ["stylesheet", "icon", "alternate", "canonical", "dns-prefetch"])
def test_other_link_elements_are_not_links(rel: str) -> None:
    assert links(f'<link rel="{rel}" href="/x">') == []


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/a", "/a"),
        ("5 ; URL = /a b", "/a b"),
        ('0;url="/a"x', "/a"),
        ("0,/a", "/a"),
        ("5", ""),
        ("", ""),
    ],
)
def test_refresh_targets(content: str, target: str) -> None:
    assert refresh_target(content) == target


def test_order_and_repetition_are_kept() -> None:
    found = links('<a href="/b">1</a><a href="/a">2</a><a href="/b">3</a>')
    assert [(link.url[-1], link.anchor) for link in found] == [("b", "1"), ("a", "2"), ("b", "3")]


def test_base_href_moves_relative_links() -> None:
    outline = walk('<base href="/z/"><base href="/y/"><a href="a">x</a>')
    assert outline.base_href == "/z/"


@pytest.mark.parametrize("rel", ["nofollow", "external NOFOLLOW", "ugc", "noopener,sponsored"])
def test_rel_marks_links_not_to_follow(rel: str) -> None:
    assert only(f'<a href="/a" rel="{rel}">x</a>').nofollow
    assert not only('<a href="/a" rel="noopener">x</a>').nofollow


@pytest.mark.parametrize("content", ["nofollow", "NOINDEX, NoFollow", "none"])
def test_meta_robots_marks_all_links(content: str) -> None:
    assert only(f'<meta name="ROBOTS" content="{content}"><a href="/a">x</a>').nofollow


def test_context_ends_at_the_border_of_the_block() -> None:
    found = links("<p>前面一段</p><p>这里有<a href=/a>链接</a>在句中。</p><p>后面一段</p>")
    assert found[0].context == "这里有 在句中。"


def test_context_is_bounded() -> None:
    found = links(f"<p>{'前' * 500}<a href=/a>x</a>{'后' * 500}</p>")
    assert found[0].context == "前" * 40 + " " + "后" * 40


def test_scripts_are_not_context_and_long_anchors_are_cut() -> None:
    found = links(f"<p><script>var a='b'</script><a href=/a>{'长' * 999}</a></p>")
    assert found[0].context == ""
    assert len(found[0].anchor) == MAX_ANCHOR_CHARACTERS


@pytest.mark.parametrize(
    ("html", "region"),
    [
        ("<nav>{}</nav>", "nav"),
        ("<nav><ul><li>{}</ul></nav>", "nav"),
        ('<div id="topNav"><ul>{}</ul></div>', "nav"),
        ("<footer><p>{}</footer>", "footer"),
        ('<div class="copyright">{}</div>', "footer"),
        ('<div class="sidebar"><ul>{}</ul></div>', "aside"),
        ("<ul><li>{}</ul>", "list"),
        ('<div class="xgList">{}</div>', "list"),
        ('<div class="related-news"><ul>{}</ul></div>', "related"),
        ('<div class="page-bar">{}</div>', "pager"),
        ("<main>{}</main>", "main"),
        ("<article><p>{}</article>", "body"),
        ('<nav></nav><div id="zhengwen">{}</div>', "body"),
        ('<div class="footer"><div class="article">{}</div></div>', "body"),
        ('<div class="navy-blue">{}</div>', ""),
    ],
)
def test_the_nearest_named_ancestor_determines_the_region(html: str, region: str) -> None:
    assert only(html.format('<a href="/a">x</a>')).region == region


def test_the_number_of_links_is_bounded_and_the_rest_of_the_page_still_read() -> None:
    html = "<a href=/a>x</a>" * (MAX_LINKS + 50) + "<p>结尾</p>"
    outline = walk(html)
    assert len(outline.links) == MAX_LINKS
    assert outline.text.rstrip().endswith("结尾")
    assert len(walk(html, max_links=3).links) == 3


@pytest.mark.parametrize("tag", ["div", "b", "font", "ul", "table", "span"])
def test_links_after_very_deep_nesting_are_found(tag: str) -> None:
    deep = f"<{tag}>" * 12_000  # within the tags of a page that are read
    found = links(
        f"<html><body>{deep}<a href=/in>内</a>{f'</{tag}>' * 12_000}<p>文<a href=/out>外</a></p>"
    )
    assert [link.anchor for link in found] == ["内", "外"]


def test_limiting_depth_leaves_shallow_pages_alone() -> None:
    html = "<div><p>一<p>二<br><table><tr><td>三</table></div>"
    assert limit_depth(html) == html
    assert limit_depth("<b><i><u>x</u></i></b>", depth=2) == "<b><i> x </i></b>"


def test_the_tag_path_of_a_box_is_made_once_for_all_its_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []
    original = BoxPaths.make

    def counting(self: BoxPaths, box: int) -> str:
        made.append(box)
        return original(self, box)

    monkeypatch.setattr(BoxPaths, "make", counting)
    found = links('<div class="c">' * 400 + '<a class="k" href=/a>x</a>' * 1000)
    assert len(found) == 1000
    assert len(made) == 1
    assert found[0].tag_path == f"{'div/' * 8}{'div.c/' * 3}a"


def test_hidden_parts_are_not_visible_but_their_links_are_found() -> None:
    outline = walk(
        "<p>可见</p><div style='color:red; DISPLAY: none'>藏<a href=/m>菜单</a></div>"
        "<p hidden>隐</p><noscript>无脚本</noscript><style>a{}</style><textarea>填</textarea>"
        "<div style='visibility: hidden' id='js_content'>微信正文</div>再见"
    )
    assert visible_text(outline) == "可见\n微信正文\n再见"
    assert [link.href for link in outline.links] == ["/m"]


def test_visible_text_agrees_with_the_tree() -> None:
    """An independent oracle: all text nodes outside silent elements, white space removed."""
    html = "<div>一 <b>二</b>三<ul><li>四<li>五</ul>六<script>x</script>七</div>八"
    nodes = parse(html).xpath("//text()[not(ancestor::script)]")
    assert "".join(visible_text(walk(html)).split()) == "".join("".join(nodes).split())


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("news.sina.com.cn", "sina.com.cn"),
        ("a.b.example.org", "example.org"),
        ("gov.cn", "gov.cn"),
        ("www.gqb.gov.cn", "gqb.gov.cn"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("", ""),
    ],
)
def test_registered_hosts(host: str, registered: str) -> None:
    assert registered_host(host) == registered


@given(st.text(max_size=80))
def test_a_resolved_url_is_clean_and_resolves_to_itself(href: str) -> None:
    url = Resolver(BASE).resolve(href)
    if url is not None:
        assert url.isascii()
        assert "#" not in url
        assert url.startswith(("http://", "https://"))
        assert clean(url) == url
        assert Resolver("http://other.org/").resolve(url) == url


@given(
    st.lists(
        st.sampled_from(
            [
                "<a href=/x>",
                "</a>",
                "<div class=nav>",
                "</div>",
                "<li>",
                "<b>",
                "文",
                "</html>",
                "<script>",
                "</script>",
                "<!--",
                "-->",
                "<h1>",
                "<title>",
                "\0",
                "<td>",
                "<a href='",
                "&#x0;",
                "<iframe src=y>",
            ]
        ),
        max_size=60,
    )
)
def test_no_soup_of_tags_raises(parts: list[str]) -> None:
    html = "".join(parts)
    assert isinstance(parse(html), etree._Element)
    assert all(link.url.startswith("http") for link in links(html))
