"""Keys of stored webs."""

from __future__ import annotations

import pytest
from scrapy import Request

from topiccrawl.evaluation.webs.urls import web_key


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://Example.CN:443", "http://example.cn/"),
        ("http://example.cn:80/a#b", "http://example.cn/a"),
        ("http://example.cn:8080/a", "http://example.cn:8080/a"),
        (" http://example.cn./a?b=c d ", "http://example.cn/a?b=c%20d"),
        ("http://example.cn/侨?词=侨", "http://example.cn/%E4%BE%A8?%E8%AF%8D=%E4%BE%A8"),
        ("http://example.cn/%e4%Be?a=b?c", "http://example.cn/%e4%Be?a=b?c"),
        ("http://user:word@example.cn/", "http://example.cn/"),
        ("http://example.cn/a?", "http://example.cn/a"),
        ("http://example.cn/a?b%5b%5D=c", "http://example.cn/a?b[]=c"),
        ("http://[::1]:81/", "http://[::1]:81/"),
        ("http://侨.cn/", "http://xn--8sq.cn/"),
    ],
)
def test_urls_that_a_stored_web_does_not_distinguish_have_one_key(url: str, key: str) -> None:
    assert web_key(url) == key
    assert web_key(key) == key


@pytest.mark.parametrize(
    "url", ["", "/a", "ftp://a/b", "mailto:a@b", "http://", "http://[", "http://a:x/", "http://."]
)
def test_what_is_not_a_web_url_has_no_key(url: str) -> None:
    assert web_key(url) is None


@pytest.mark.parametrize(
    "url",
    [
        'http://example.cn/a b|c\\d"e<f>^`{g}?q=侨 情|[x]',
        "http://example.cn/%侨'()*;,@~!$&+=:?a=%zz&b=c+d",
        "http://侨情.example.cn/x",
        "https://EXAMPLE.cn/侨情",
    ],
)
def test_a_url_has_the_same_key_as_scrapys_request_for_it(url: str) -> None:
    assert web_key(Request(url).url) == web_key(url)
