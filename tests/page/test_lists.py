"""Further pages of lists that no ordinary link leads to, and the recognition of lists."""

from __future__ import annotations

import time

import pytest

from topiccrawl.page.lists import find_list, further_pages
from topiccrawl.page.page import Page
from topiccrawl.urls.canonical import canonical_url

A = "http://www.qiao.example"


def further(html: str, url: str = f"{A}/xw/") -> list[str]:
    return [it.removeprefix(A) for it in further_pages(Page(url, html.encode()))]


def numbered(before: str, after: str, numbers: range) -> list[str]:
    return [f"{before}{n}{after}" for n in numbers]


PAGERS = {
    "TRS counts from 0": (
        '<script>createPageHTML(4, 0, "index", "html");</script>',
        numbered("/xw/index_", ".html", range(1, 4)),
    ),
    "TRS with spaces and shtml": (
        "<script language=javascript>createPageHTML( 3,1 , 'list','shtml' );</script>",
        numbered("/xw/list_", ".shtml", range(1, 3)),
    ),
    "TRS with numbers in quotation marks": (
        '<script>createPageHTML("3", "0", "index_qw", "html", "45");</script>',
        numbered("/xw/index_qw_", ".html", range(1, 3)),
    ),
    "an object": (
        "<script>Pager({size:4, current:0, prefix:'index',suffix:'html'});</script>",
        numbered("/xw/index_", ".html", range(1, 4)),
    ),
    "the next group of Hanweb": (
        "<script type='text/xml'><datastore><nextgroup><![CDATA[<a href="
        '"/module/web/jpage/dataproxy.jsp?page=1&amp;col=7"></a>]]></nextgroup></datastore></script>',
        ["/module/web/jpage/dataproxy.jsp?page=1&col=7"],
    ),
    "with the id of an element, from 1": (
        "<script>createPageHTML('page_div',4, 1,'index','shtml',70);</script>",
        numbered("/xw/index_", ".shtml", range(2, 5)),
    ),
    "TRS with variables": (
        "<script>var currentPage = 0;\nvar countPage = 3//共多少页\n"
        'document.write("<a href=\\"index"+"_" + nextPage + "."+"htm\\">");</script>',
        numbered("/xw/index_", ".html", range(1, 3)),
    ),
    "a function of the page": (
        "<script>function goPage(n){ window.location.href = 'list.jsp?ch=7&page=' + n; }</script>"
        '<a href="javascript:goPage(2)">2</a><a href="javascript:goPage(3)">末页</a>',
        numbered("/xw/list.jsp?ch=7&page=", "", range(2, 4)),
    ),
    "a function with an ending": (
        '<script>function toPage(p){location.href="/xw/list_"+p+".html";}</script>'
        "<span>共 4 页</span><a onclick=\"toPage('2')\">下一页</a>",
        numbered("/xw/list_", ".html", range(1, 5)),
    ),
    "laypage": (
        "<script>laypage.render({elem:'p',count:45,limit:20,jump:function(o,first){"
        "if(!first){location.href='?pageNo='+o.curr}}})</script>",
        numbered("/xw/?pageNo=", "", range(1, 4)),
    ),
    "a template literal": (
        "<script>let totalPages = 3; fetch(`/xw/page/${n}/`)</script>",
        numbered("/xw/page/", "/", range(1, 4)),
    ),
    "a choice": (
        '<select onchange="location.href=this.value"><option value="/xw/">1</option>'
        '<option value="index_2.html">2</option><option value="index_3.html">3</option></select>',
        numbered("/xw/index_", ".html", range(2, 4)),
    ),
    "a form": (
        '<form action="list.php" method="get"><input type=hidden name="cid" value="9">'
        '<input name="page" size=3></form>第1/3页',
        numbered("/xw/list.php?cid=9&page=", "", range(1, 4)),
    ),
    "a button that loads more": (
        '<div class="load-more" data-url="/xw/more_2.html">加载更多</div>',
        ["/xw/more_2.html"],
    ),
    "a button with a template": (
        '<a class=more data-next-url="/xw/list?page={page}" data-total-pages="3">加载更多</a>',
        numbered("/xw/list?page=", "", range(1, 4)),
    ),
    "entries that a click opens": (
        "<li onclick=\"window.open('./t20240301_55.html')\">侨乡的一天</li>",
        ["/xw/t20240301_55.html"],
    ),
    "the pages between": (
        '<a href="index_2.html">2</a><a href="index_3.html">3</a>…<a href="index_6.html">末页</a>',
        numbered("/xw/index_", ".html", range(4, 6)),
    ),
    "the pages up to the stated number": (
        '<a href="list.asp?id=3&page=2">2</a><a href="list.asp?id=3&page=3">3</a>共5页',
        numbered("/xw/list.asp?id=3&page=", "", range(4, 6)),
    ),
}


@pytest.mark.parametrize("name", PAGERS)
def test_the_pages_of_a_list_are_found_without_links(name: str) -> None:
    html, pages = PAGERS[name]
    assert set(pages) <= set(further(html))


@pytest.mark.parametrize(
    ("url", "html", "expected"),
    [
        (
            f"{A}/xw/index_2.html",
            '<script>createPageHTML(40, 2, "index", "html");</script>',
            numbered("/xw/index_", ".html", range(3, 8)),
        ),
        (
            f"{A}/xw/",
            '<script>createPageHTML(3, 0, "index", "html");</script>',
            numbered("/xw/index_", ".html", range(1, 3)),
        ),
        (
            f"{A}/list.jsp?page=2",
            '<a href="javascript:gotoPage(1)">1</a><a href="JavaScript:gotoPage(3)">下一页</a>',
            ["/list.jsp?page=3"],
        ),
        (
            f"{A}/xw/a.html",
            "<script>function goPage(n){location.href='l.jsp?page='+n}</script>",
            [],
        ),
        (f"{A}/xw/t1.html", '<script>createPageHTML(1, 0, "t1", "html");</script>', []),
    ],
)
def test_pages_behind_scripts_are_links_of_a_page(url: str, html: str, expected: list[str]) -> None:
    page = Page(url, f"<body>{html}<a href=/1.html>侨务新闻</a>".encode())
    found = [link.url.removeprefix(A) for link in page.links if link.region == "pager"]
    assert found == expected
    assert page.links[0].url == f"{A}/1.html"


def test_the_numbers_of_calls_fill_the_pages_own_address() -> None:
    html = '<a href="javascript:gotoPage(2)">2</a><a href="javascript:gotoPage(3)">3</a>'
    assert further(html, f"{A}/xw/list_1.html") == ["/xw/list_2.html", "/xw/list_3.html"]


@pytest.mark.parametrize(
    "call",
    [
        'createPageHTML(①, 0, "index", "html")',
        'createPageHTML(5, "²", "index", "html")',
        "new Pager({size:'³', current:0, prefix:'index', suffix:'html'})",
    ],
)
def test_characters_that_are_digits_but_no_numbers_do_not_stop_a_page(call: str) -> None:
    page = Page(f"{A}/xw/", f'<a href="1.html">侨乡来信</a><script>{call}</script>'.encode())
    assert f"{A}/xw/1.html" in [link.url for link in page.links]


@pytest.mark.parametrize(
    "html",
    [
        "<p>本书共300页，定价30元</p>",
        "<script>img.src = '/images/' + name + '.gif'; x = '/a_' + i + '.js'</script>共3页",
        '<img data-src="/p/1.jpg"><a href="2.html">侨乡</a><a data-id="3">x</a>',
        '<select name="year"><option value="2023">2023</option></select>',
        "<a onclick=\"location.href='http://elsewhere.example/1.html'\">友情链接</a>",
    ],
)
def test_other_numbers_scripts_and_choices_lead_nowhere(html: str) -> None:
    assert further(html) == []


def entries(count: int) -> str:
    return (
        "<ul>"
        + "".join(
            f'<li><a href="/n/{n}.html">侨务部门走访归侨侨眷第{n}期</a> 2024-03-0{n % 9 + 1}</li>'
            for n in range(count)
        )
        + "</ul>"
    )


def test_a_list_is_recognized_with_its_entries() -> None:
    nav = "".join(f'<a href="/c{n}/">频道{n}</a>' for n in range(3))
    html = f"<div class=nav>{nav}</div>{entries(20)}<a href='index_2.html'>下一页</a>"
    found = find_list(Page(f"{A}/xw/", html.encode()), canonical_url)
    assert found is not None
    assert found.pager
    assert found.entries == tuple(f"{A}/n/{n}.html" for n in range(20))


def test_an_article_with_recommendations_is_no_list() -> None:
    text = "侨务部门走访归侨侨眷，了解华侨华人社团的需要。" * 30
    html = f"<h1>侨乡</h1><div><p>{text}</p></div><div class=related>{entries(8)}</div>"
    assert find_list(Page(f"{A}/n/20240301_7.html", html.encode()), canonical_url) is None


@pytest.mark.parametrize(
    ("before", "piece"),
    [
        *(
            ("", piece)
            for piece in (
                "<select onchange=go()>", "data-url=", "共<b>", "<form>", '"a_"+', 'onclick="', "1/"
            )
        ),
        *((before, " ") for before in ('"a_"+', '"a"+"_"+', '"a_"+n-', "1/", "共", "共1")),
        ("1/", "<p>"), ("1/", "&nbsp;"),
    ],
)  # fmt: skip
def test_hostile_pages_take_time_in_proportion_to_their_size(before: str, piece: str) -> None:
    def seconds(size: int) -> float:
        page = Page(f"{A}/xw/", f"<p>{before}{piece * (size // len(piece))}</p>".encode())
        _ = page.links, page.text
        start = time.process_time()
        further_pages(page)
        return time.process_time() - start

    # Four times the size takes 16 times as long if the time is quadratic.
    assert seconds(800_000) < 9 * max(seconds(200_000), 0.02)


def test_boxes_that_lead_to_their_page_are_no_pages_of_a_list():
    """A script link to a next page, on an article with boxes of other articles."""
    boxes = "".join(f'<div data-url="/details/1306145{n}"><p>另一篇</p></div>' for n in range(3))
    html = (
        f'<a href="javascript:next()">下一页</a>{boxes}<div data-url="/list_2.html">加载更多</div>'
    )
    page = Page("http://a.example.cn/details/99999999", html.encode())
    assert [link.url for link in page.links] == ["http://a.example.cn/list_2.html"]


def test_links_of_scripts_side_by_side_are_page_numbers():
    html = "".join(f'<a href="javascript:goPage({n})">{n}</a>' for n in range(1, 4))
    page = Page("http://a.example.cn/list_1.html", html.encode())
    assert [link.url for link in page.links] == [
        "http://a.example.cn/list_2.html",
        "http://a.example.cn/list_3.html",
    ]
