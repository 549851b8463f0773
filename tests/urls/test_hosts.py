"""One answer to "which host": the downloader's, and the canonical URL's."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.utils.httpobj import urlparse_cached

from tests.support.url_shapes import ORDINARY
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of


@pytest.mark.parametrize(
    ("url", "host", "why"),
    [
        ("http://a.example/x", "a.example", "ordinary"),
        ("http://a.example:81/x", "a.example", "no port"),
        ("http://a.example:/x", "a.example", "an empty port"),
        ("http://a.example:port/x", "a.example", "a port that is no number"),
        ("http://user:pass@a.example/x", "a.example", "no user"),
        ("http://user@a@b.example/x", "b.example", "the last @ ends the user"),
        ("HTTP://A.Example/X", "a.example", "lower case"),
        ("http://a.example./x", "a.example.", "the dot stays: the downloader's slot has it"),
        ("http://侨情.中国/x", "侨情.中国", "an internationalized name as written"),
        ("http://xn--8sq003b.xn--fiqs8s/", "xn--8sq003b.xn--fiqs8s", "and as sent"),
        ("http://ÜBER.example/", "über.example", "lower case beyond ASCII"),
        ("http://[2001:DB8::1]:81/x", "2001:db8::1", "IPv6 without brackets"),
        ("http://127.0.0.1:81/x", "127.0.0.1", "IPv4"),
        ("//a.example/x", "a.example", "no scheme"),
        ("http://a.example?x=/y", "a.example", "no path"),
        ("http://a.example#@b.example", "a.example", "a fragment"),
        ("http://a.example\\@b.example/", "b.example", "a backslash is no slash"),
        ("http:///x", "", "missing"),
        ("http://:81/x", "", "a port only"),
        ("http:a.example", "", "no slashes"),
        ("/x", "", "a path"),
        ("", "", "empty"),
        ("mailto:a@b.example", "", "another scheme"),
        ("javascript:void(0)", "", "a script"),
        ("http://[bad", "", "malformed IPv6"),
        ("http://a]b/", "", "a bracket"),
        ("http://a\u2100b.example/", "", "NFKC would make it another host"),
        ("http://\ud800.example/", "\ud800.example", "a lone surrogate"),
    ],
)
def test_host_of_odd_urls(url: str, host: str, why: str) -> None:
    assert host_of(url) == host, why


@pytest.mark.parametrize(("url", "whose"), ORDINARY)
def test_the_host_of_a_canonical_url_needs_no_normalizing(url: str, whose: str) -> None:
    host = host_of(canonical_url(url))
    assert host == host_of(url) != "", whose
    assert host == host.lower().rstrip("."), whose


@given(
    st.sampled_from(["http://", "https://", "HTTP://", "//", "ftp://", ""]),
    st.text(alphabet="aZ侨ß。.-_:@[]0189%/?#\\ \u2100", max_size=15),
)
def test_the_host_of_a_request_is_the_name_of_its_downloader_slot(scheme: str, rest: str) -> None:
    try:
        request = Request(f"{scheme}{rest}")
    except ValueError:
        assume(False)
        raise
    assert host_of(request.url) == (urlparse_cached(request).hostname or "")


@given(st.text(max_size=30))
def test_host_of_never_raises(text: str) -> None:
    assert isinstance(host_of(f"http://{text}"), str)
