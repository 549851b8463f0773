"""Two spellings of one page become one string; two pages never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.dedup.urls import canonical_url, host_of, ignored_parameters


@pytest.mark.parametrize(
    ("url", "expected", "why"),
    [
        ("http://A.example", "http://a.example/", "host is case-insensitive, empty path is /"),
        ("http://a.example:80/x", "http://a.example/x", "default port of http"),
        ("https://a.example:443/x", "https://a.example/x", "default port of https"),
        ("http://a.example:8080/x", "http://a.example:8080/x", "another port is another server"),
        ("http://a.example./x", "http://a.example/x", "the root dot of DNS"),
        ("http://a.example/x#top", "http://a.example/x", "a fragment is a place in the page"),
        ("http://a.example/x?b=2&a=1", "http://a.example/x?a=1&b=2", "order of the query"),
        ("http://a.example/x?PHPSESSID=9f&id=3", "http://a.example/x?id=3", "session id"),
        ("http://a.example/x;jsessionid=AB12?id=3", "http://a.example/x?id=3", "session in path"),
        ("http://a.example/x?utm_source=wx&spm=1.2", "http://a.example/x", "tracking only"),
        ("http://a.example/侨情", "http://a.example/%E4%BE%A8%E6%83%85", "percent-encoding"),
        ("http://a.example/x?id=3", "http://a.example/x?id=3", "an id is content"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x", "IPv6 literal keeps its brackets"),
    ],
)
def test_canonical_form(url: str, expected: str, why: str) -> None:
    assert canonical_url(url) == expected, why


@pytest.mark.parametrize("port", ["99999", "abc"])
def test_a_broken_port_never_raises(port: str) -> None:
    assert canonical_url(f"http://a.example:{port}/x")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_canonical_url_is_idempotent(tail: str) -> None:
    once = canonical_url(f"http://a.example/{tail}")
    assert canonical_url(once) == once


def test_rules_are_data_in_lower_case() -> None:
    assert {"phpsessid", "utm_source"} <= ignored_parameters()
    assert all(name == name.lower() for name in ignored_parameters())


@pytest.mark.parametrize(
    ("url", "host"), [("http://A.example:81/x", "a.example"), ("nonsense", ""), ("http://[bad", "")]
)
def test_host_of(url: str, host: str) -> None:
    assert host_of(url) == host
