"""Two spellings of one page's URL have one canonical form; two pages never do."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.url_shapes import ORDINARY
from topiccrawl.urls import canonical as urls
from topiccrawl.urls.canonical import canonical_url

A = "http://a.example"


@pytest.mark.parametrize(
    ("url", "expected", "why"),
    [
        (f"{A}/?b=1&%61=2", f"{A}/?a=2&b=1", "an escaped name is sorted by what it means"),
        # Hosts.
        ("http://A.example", f"{A}/", "host is case-insensitive, empty path is /"),
        (f"{A}:80/x", f"{A}/x", "default port of http"),
        ("https://a.example:443/x", "https://a.example/x", "default port of https"),
        (f"{A}:443/x", f"{A}:443/x", "443 is not the default of http"),
        (f"{A}:8080/x", f"{A}:8080/x", "another port is another server"),
        (f"{A}:/x", f"{A}/x", "an empty port is the default one"),
        (f"{A}:0080/x", f"{A}/x", "a port is a number"),
        (f"{A}./x", f"{A}/x", "the root dot of DNS"),
        (
            "http://www。侨情。中国。/",
            "http://www.xn--8sq003b.xn--fiqs8s/",
            "IDNA, ideographic dots",
        ),
        (
            "http://侨情.中国..",
            "http://xn--8sq003b.xn--fiqs8s/",
            "dots that keep IDNA from working",
        ),
        ("http://a.example。./x", f"{A}/x", "the root dot, after an ideographic one"),
        ("http://u:p@a.example/x", f"{A}/x", "a password names no page"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x", "IPv6 literal keeps its brackets"),
        ("http://[0::0:1]:80/", "http://[::1]/", "IPv6, shortest"),
        ("https://a.example/x", "https://a.example/x", "https is not http"),
        ("http://www.a.example/x", "http://www.a.example/x", "www. may be another site"),
        # Paths.
        (f"{A}/a/./b/../c", f"{A}/a/c", "dot segments"),
        (f"{A}/a/%2e%2E/c", f"{A}/c", "dot segments in disguise"),
        (f"{A}/../c", f"{A}/c", "nothing above the root"),
        (f"{A}//a///b", f"{A}/a/b", "servers take doubled slashes for one"),
        (f"{A}/侨情", f"{A}/%E4%BE%A8%E6%83%85", "percent-encoding in UTF-8"),
        (f"{A}/%e4%be%a8%7euser", f"{A}/%E4%BE%A8~user", "capitals; unreserved not escaped"),
        (f"{A}/%%%3333", f"{A}/3", "broken escapes that hide others are read to the end"),
        (f"{A}/a%2Fb", f"{A}/a%2Fb", "an escaped slash divides nothing"),
        (f"{A}/%C7%C8", f"{A}/%C7%C8", "GBK bytes in a path stay"),
        (f"{A}/news/index.html", f"{A}/news/", "the file a server sends for a folder"),
        (f"{A}/index.htm?utm_source=wx", f"{A}/", "nothing is left of the query"),
        (f"{A}/index.shtml#top", f"{A}/", "with a fragment"),
        (f"{A}/index.html?id=3", f"{A}/index.html?id=3", "a query may make it another page"),
        (f"{A}/index_1.html", f"{A}/index_1.html", "second page of a list"),
        (f"{A}/index.html/x", f"{A}/index.html/x", "a folder of that name"),
        (f"{A}/index.php", f"{A}/index.php", "may stand behind index.htm with a picture"),
        # Sessions.
        (f"{A}/x?PHPSESSID=9f&id=3", f"{A}/x?id=3", "PHP"),
        (f"{A}/x;jsessionid=AB12?id=3", f"{A}/x?id=3", "Java, in the path"),
        (f"{A}/x;JSESSIONID=AB12!-12!34;v=1", f"{A}/x;v=1", "other path parameters stay"),
        (f"{A}/x%3Bjsessionid%3DAB12", f"{A}/x", "Java, escaped"),
        (f"{A}/a;jsessionid=1/..;jsessionid=2/b", f"{A}/b", "what is left is made uniform again"),
        (f"{A}/(S(zq0vlj45nozqfm55vzkrzd55))/x.aspx", f"{A}/x.aspx", "ASP.NET"),
        (f"{A}/app/(A(9aBcDeFgHi)S(zq0vlj45nozqfm55))/x", f"{A}/app/x", "ASP.NET, several"),
        (f"{A}/(zq0vlj45nozqfm55vzkrzd55)/x.aspx", f"{A}/x.aspx", "ASP.NET 1.1"),
        (f"{A}/%28S%28zq0vlj45nozqfm55vzkrzd55%29%29/x", f"{A}/x", "ASP.NET, escaped"),
        (f"{A}/a_(S(b))/x", f"{A}/a_(S(b))/x", "brackets in a name"),
        (f"{A}/x?ASPSESSIONIDQQ=AB&CFID=1&CFTOKEN=2", f"{A}/x", "ASP, ColdFusion"),
        (f"{A}/x?sid=a1B2c3&tid=5", f"{A}/x?tid=5", "Discuz session"),
        (f"{A}/x?sid=0123456789abcdef0123456789abcdef", f"{A}/x", "phpBB session"),
        (f"{A}/x?sid=123456", f"{A}/x?sid=123456", "a number is a section"),
        # Tracking.
        (f"{A}/x?utm_source=wx&utm_any=1&spm=1.2", f"{A}/x", "tracking only"),
        (f"{A}/x?from=timeline&isappinstalled=0", f"{A}/x", "shared in WeChat"),
        (f"{A}/x?from=beijing", f"{A}/x?from=beijing", "`from` may be content"),
        (f"{A}/x?_=1578901234567", f"{A}/x", "jQuery against caches"),
        (f"{A}/x?_=7", f"{A}/x?_=7", "not a clock"),
        (f"{A}/x?t=0.8412345678901", f"{A}/x", "Math.random()"),
        (f"{A}/x?id=3&type=2", f"{A}/x?id=3&type=2", "ids and types are content"),
        # Queries.
        (f"{A}/x?b=2&a=1&a=0", f"{A}/x?a=0&a=1&b=2", "order"),
        (f"{A}/x?a-b=1&a=2", f"{A}/x?a=2&a-b=1", "order by name, not by text"),
        (f"{A}/x?", f"{A}/x", "empty query"),
        (f"{A}/x?&a=1&&b=", f"{A}/x?a=1&b=", "empty parts; an empty value is a value"),
        (f"{A}/x?5468", f"{A}/x?5468=", "a name without value"),
        (f"{A}/x?q=%c7%c8%C7%e9", f"{A}/x?q=%C7%C8%C7%E9", "GBK: the same bytes"),
        (f"{A}/x?q=%C7%C8&a=%B0%A1", f"{A}/x?a=%B0%A1&q=%C7%C8", "GBK, two of them"),
        (f"{A}/x?q=%C7&q=b", f"{A}/x?q=b&q=%C7", "bytes are ordered, not their escapes"),
        (f"{A}/x?q=%B0%5C", f"{A}/x?q=%B0%5C", "a GBK character whose second byte is ASCII"),
        (f"{A}/x?q=%41%2d%20", f"{A}/x?q=A-+", "unreserved not escaped, blank as +"),
        (f"{A}/x?q=a%2Bb%26", f"{A}/x?q=a%2Bb%26", "an escaped + or & is a character"),
        # Fragments.
        (f"{A}/x#top", f"{A}/x", "a fragment is a place in the page"),
        (f"{A}/#!/news/3", f"{A}/", "a route of a script: the server sends the same page"),
        ("javascript:void(0)", "javascript:void(0)", "other schemes are left alone"),
    ],
)
def test_canonical_form(url: str, expected: str, why: str) -> None:
    assert canonical_url(url) == expected, why
    assert canonical_url(expected) == expected


@pytest.mark.parametrize(("url", "whose"), ORDINARY)
def test_ordinary_urls_are_unchanged(url: str, whose: str) -> None:
    expected = url.removesuffix("index.html") if url.endswith("/index.html") else url
    assert canonical_url(url) == expected, whose


def test_ordinary_urls_stay_different() -> None:
    assert len({canonical_url(url) for url, _ in ORDINARY}) == len(ORDINARY)


@pytest.mark.parametrize(
    "url",
    ["http://a.example:99999/x", "http://a.example:abc/x", "http://[bad", "http://", "\ud800"],
)
def test_a_malformed_url_is_its_own_key(url: str) -> None:
    assert canonical_url(f" {url}#x ") == url


#: What breaks parsers, in any order.
ODD = (
    "/ // /. /.. %2e %2F % %% %41 %4 %25 %C7%c8 %3B %28 ; ;jsessionid = sid ? & && a=1 b=2 # !/ + ' [ ]"
    " (S(abcdefgh1234)) index.html 侨 | ~ %7E : @ \\ _ - . .. :80 :8080 http:// utm_x forum.php extra 3 f"
)
PIECES = st.sampled_from([*ODD.split(" "), "\ud800", "\x00", " ", "\n"])
TAILS = st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join)
STARTS = st.sampled_from(["http://a.example/", "http://a.example", "https://侨.cn", "HTTP://A", ""])


@given(STARTS, TAILS)
@example("http://a.example/", "%%%34%31")
def test_canonical_url_is_idempotent_and_never_raises(start: str, tail: str) -> None:
    once = canonical_url(start + tail)
    assert canonical_url(once) == once
    assert "#" not in once


@given(st.text(alphabet="/ab.-_~!$&'()*+,:=@?&&=19%4fAB", max_size=40))
def test_the_shortcut_agrees_with_the_general_code(tail: str) -> None:
    url = f"http://a.example/{tail}"
    assert canonical_url(url) == urls._normalized(url)
