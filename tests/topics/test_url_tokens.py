from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.topics.urltokens import UrlTokens

TOKENS = UrlTokens(
    {"qiaowu": 1.0, "qiao": 0.7, "/hr/": 0.6, "/news/hwjy/": 0.5, "gqb": 0.9, "侨乡": 0.4}
)


@pytest.mark.parametrize(
    ("url", "found", "why"),
    [
        ("http://a.cn/qiaowu/1.html", ["qiaowu"], "a long token in the path"),
        ("http://www.myqiaowu.cn/", ["qiaowu"], "in the host"),
        ("http://a.cn/?c=QiaoWu", ["qiaowu"], "in the query, in any case"),
        ("http://a.cn/qiao/1.html", ["qiao"], "a short token as a segment"),
        ("http://a.cn/qiao.shtml", ["qiao"], "as a segment with an extension"),
        ("http://qiao.a.cn/", ["qiao"], "as a label of the host"),
        ("http://a.cn/heqiao/", [], "not inside a segment"),
        ("http://a.cn/?x=qiao", [], "not in the query"),
        ("http://www.gqb.gov.cn/", ["gqb"], "an authority's host"),
        ("http://a.cn/hr/2.html", ["hr"], "slashes: a whole segment"),
        ("http://a.cn/hrm/2.html", [], "not a part of one"),
        ("http://a.cn/x/news/hwjy/", ["hwjy"], "two segments in a row"),
        ("http://a.cn/news/x/hwjy/", [], "not with another between"),
        ("http://a.cn/%E4%BE%A8%E4%B9%A1", ["侨乡"], "percent escapes"),
        ("http://a.cn/僑鄉/", ["侨乡"], "traditional characters"),
        ("http://[a/qiaowu", [], "no URL"),
        ("", [], "nothing"),
    ],
)
def test_tokens_of_a_url(url: str, found: list[str], why: str) -> None:
    assert [token.strip("/").split("/")[-1] for token, _ in TOKENS.match(url)] == found, why


def test_the_best_token_comes_first_and_each_once() -> None:
    found = TOKENS.match("http://gqb.cn/qiaowu/qiao/qiaowu/")
    assert found == [("qiaowu", 1.0), ("gqb", 0.9), ("qiao", 0.7)]


def test_runs_of_segments_that_begin_alike_are_each_found() -> None:
    tokens = UrlTokens({"/a/b/": 0.2, "/a/c/d/": 0.4, "/c/d/": 0.3, "/a/": 0.1, "/a/e/": 1.0})
    found = tokens.match("http://x.cn/a/a/c/d.html?e")
    assert found == [("/a/c/d/", 0.4), ("/c/d/", 0.3), ("/a/", 0.1)]
    assert tokens.match("http://x.cn/e/a/b") == [("/a/b/", 0.2), ("/a/", 0.1)]


def test_of_two_spellings_of_one_token_one_is_reported() -> None:
    assert len(UrlTokens({"/hr/": 0.5, "hr": 0.7}).match("http://hr.x.cn/hr/hr.html")) == 1


def test_urls_matched_together_give_the_same_as_alone() -> None:
    urls = ["http://a.cn/僑鄉/", "http://[a/qiaowu", "http://a.cn/%E4%BE%A8%E4%B9%A1?Q=QiaoWu", ""]
    urls += ["http://a.cn/a%1Eb/hr/", "http://gqb.cn/hr.html"]
    together = TOKENS.match_all(urls)
    assert together == [TOKENS.match(url) for url in urls]
    assert list(map(len, together)) == [1, 0, 2, 0, 1, 2]
    assert TOKENS.match_all([]) == []


@given(st.text(max_size=60))
def test_never_raises(url: str) -> None:
    TOKENS.match(url)
    TOKENS.match(f"http://{url}")
