"""An ordinary crawl follows the pagers of lists that only a script of the page numbers."""

from __future__ import annotations

from tests.support.small_web import SmallWeb, crawl_small, link, page
from tests.support.trap_web import article

A = "http://www.qiao.example"


def listing(number: int, pages: int) -> bytes:
    entries = "".join(
        link(f"{A}/xw/{number}{n}.html", f"侨务新闻：侨联工作{number}{n}") for n in range(6)
    )
    script = f'<script>createPageHTML({pages}, {number}, "index", "html");</script>'
    return page("侨务新闻", "", f"{entries}<div class=page>{script}</div>")


def test_the_pages_of_a_list_behind_a_script_are_crawled_to_the_last() -> None:
    names = ["index.html", *(f"index_{n}.html" for n in range(1, 9))]
    lists = {f"{A}/xw/{name}": listing(number, 9) for number, name in enumerate(names)}
    entries = {
        f"{A}/xw/{number}{n}.html": page(f"侨联工作{number}{n}", article(10 * number + n))
        for number in range(9)
        for n in range(6)
    }
    done = crawl_small(SmallWeb({**lists, **entries}), [f"{A}/xw/index.html"])
    asked = {request.url for request in done.scheduled}
    assert set(lists) <= asked
    assert set(entries) <= asked
    assert f"{A}/xw/index_9.html" not in asked
