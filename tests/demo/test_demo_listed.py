"""Pages of the demonstration web that only a sitemap, a feed, a pager or an archive leads to."""

from __future__ import annotations

import gzip

import pytest

from topiccrawl.demo import DemoWeb
from topiccrawl.demo.listed import NOTICES


@pytest.mark.parametrize("group", NOTICES)
def test_notices_are_pages_with_a_truth_that_no_ordinary_page_links_to(group: str) -> None:
    web = DemoWeb(seed=7, size=300)
    urls = web.listed(group)
    assert len(urls) == NOTICES[group]
    for url in urls:
        truth = web.truth(url)
        html = web.html(url)
        assert truth is not None
        assert html is not None
        assert truth.paragraphs[0] in html
    linked = "".join(web.html(url) or "" for url in web.pages())
    assert "/notice/" not in linked
    assert "/bulletin/" not in linked


def test_each_group_is_listed_in_its_own_way() -> None:
    web = DemoWeb(seed=7, size=300)
    root = web.listed("map")[0].partition("notice/")[0]

    def body(path: str) -> str:
        answer = web.answer(f"{root}{path}")
        assert answer is not None
        assert answer.status == 200
        packed = path.endswith(".gz")
        return (gzip.decompress(answer.body) if packed else answer.body).decode("gb18030")

    assert f"Sitemap: {root}maps/index.xml" in body("robots.txt")
    maps = body("maps/1.xml.gz") + body("maps/2.xml")
    assert all(url in maps for url in web.listed("map"))
    assert all(url in body("feed.xml") for url in web.listed("flash"))
    assert 'createPageHTML(5, 4, "index", "html")' in body("bulletin/index_4.html")
    # The newest article is of Friday, 2024-06-28; there is no issue at the weekend.
    assert "/notice/paper/0.html" in body("paper/2024-06/28/node_1.htm")
    assert web.answer(f"{root}paper/2024-06/23/node_1.htm").status == 404  # type: ignore[union-attr]
