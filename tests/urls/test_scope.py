"""Patterns of URLs: which URLs they match, how lists are split, and what is no pattern."""

from __future__ import annotations

import pytest

from topiccrawl.urls.scope import Scope, compile_pattern, split_patterns


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("w3.org", "http://www.w3.org/TR/", True),
        ("w3.org", "https://w3.org:8443/", True),
        ("w3.org", "http://aw3.org/", False),
        ("w3.org", "http://w3.org.cn/", False),
        ("W3.Org.", "http://WWW.W3.ORG./", True),
        (".gov.cn", "http://www.gqb.gov.cn/", True),
        ("*.gov.cn", "http://gov.cn/", False),
        ("*.gov.cn", "http://www.gqb.gov.cn/", True),
        ("news*.example.cn", "http://news3.example.cn/", True),
        ("news*.example.cn", "http://a.cn/news1.example.cn/", False),
        ("example.cn:8080", "http://example.cn:8080/a", True),
        ("example.cn:8080", "http://example.cn/a", False),
        ("example.cn:80", "http://example.cn/a", True),
        ("example.cn:80", "http://example.cn:8080/a", False),
        ("example.cn:80", "http://example.cn.evil.example/a", False),
        ("https://example.cn:443/a/", "https://www.example.cn/a/b", True),
        ("https://example.cn/x", "http://example.cn/x/y", True),
        ("example.cn/hr/", "http://news.example.cn/hr/1.html", True),
        ("example.cn/hr/", "http://example.cn/chr/1.html", False),
        ("example.cn/hr", "http://example.cn/hrx", True),
        ("/video/", "http://a.cn/video/1", True),
        ("/video/", "http://a.cn/x/video/1", False),
        ("/*/video/", "http://a.cn/x/video/1", True),
        ("/*.pdf$", "http://a.cn/b/c.pdf", True),
        ("/*.pdf$", "http://a.cn/b/c.pdf?x=1", False),
        ("/*sid=", "http://a.cn/x?page=2&sid=3", True),
        ("a.cn?page=", "http://a.cn/?page=2", True),
        ("a.cn/x/index.html", "http://a.cn/x/index.html", True),
        ("a.cn/x/index.html", "http://a.cn/x/index.html?y=1", True),
        ("a.cn/x/index.html", "http://a.cn/x/", True),
        ("a.cn/x/index.html", "http://a.cn/x/1.html", False),
        ("/*/index.html$", "http://a.cn/x/index.html", True),
        ("侨网.中国", "http://www.xn--8sqv57i.xn--fiqs8s/", True),
        ("a.cn/新闻/", "http://a.cn/%e6%96%b0%e9%97%bb/1", True),
        ("a.cn/%e6%96%b0", "http://a.cn/新闻/1", True),
        ("192.0.2.1", "http://192.0.2.1:81/", True),
        ("[2001:db8::1]", "http://[2001:DB8::1]:81/", True),
        ("a.cn/(x)+", "http://a.cn/(x)+1", True),
        ("re:/[0-9]{4,6}$", "http://a.cn/12345", True),
        ("re:^www[.]a[.]cn", "http://b.www.a.cn/", False),
    ],
)
def test_a_pattern_matches_hosts_paths_and_wildcards(pattern: str, url: str, matches: bool) -> None:
    assert (Scope(deny=[pattern]).exclusion(url) is not None) == matches
    assert (Scope(allow=[pattern]).exclusion(url) is None) == matches


def test_what_is_denied_outweighs_what_is_allowed_and_the_pattern_is_named() -> None:
    scope = Scope(allow=["a.cn", "b.cn"], deny=["/x/", "a.cn/old/"])
    reasons = {
        url: str(scope.exclusion(url))
        for url in ("http://a.cn/", "http://a.cn/old/1", "http://b.cn/x/", "http://c.cn/")
    }
    assert reasons == {
        "http://a.cn/": "None",
        "http://a.cn/old/1": "is excluded by deny=a.cn/old/",
        "http://b.cn/x/": "is excluded by deny=/x/",
        "http://c.cn/": "matches no pattern of allow",
    }


def test_without_patterns_every_url_is_inside() -> None:
    assert not Scope()
    assert Scope().exclusion("mailto:x") is None


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("", ()),
        ("a.cn", ("a.cn",)),
        ("a.cn, b.cn  c.cn,,/x", ("a.cn", "b.cn", "c.cn", "/x")),
        ("a.cn，b.cn、c.cn", ("a.cn", "b.cn", "c.cn")),
        ("a.cn,re:[0-9]{4,6} b.cn", ("a.cn", "re:[0-9]{4,6}", "b.cn")),
        ("more:x", ("more:x",)),
    ],
)
def test_lists_are_split_at_commas_and_blanks_but_not_inside_a_regular_expression(
    text: str, patterns: tuple[str, ...]
) -> None:
    assert split_patterns(text) == patterns


@pytest.mark.parametrize(
    "pattern",
    [
        "", "*", "/", "re:", "re:(", "re:a{99999999999}", "ftp://a.cn", "mailto:x", "a b", "a.cn:",
        "a.cn:99999", "a.cn:x", "a..cn", "!.cn", "a.cn#x", "u@a.cn", "日*本.cn", "\x00", "\udcff.cn",
        "[::1", "a.cn:²",
    ],
)  # fmt: skip
def test_what_is_no_pattern_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"^'") as caught:
        compile_pattern(pattern)
    assert str(caught.value).startswith(repr(pattern)[:-1])
