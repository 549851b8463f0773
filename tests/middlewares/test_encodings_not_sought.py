"""Unpacking a page and looking for a refresh read no more of it than they need."""

from __future__ import annotations

import gzip

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, TextResponse
from scrapy.utils.test import get_crawler

from topiccrawl.middlewares.compression import BoundedCompressionMiddleware
from topiccrawl.middlewares.redirects import SafeMetaRefreshMiddleware

URL = "http://www.qiao.example/"
PAGE = "<html><body><p>侨联座谈会</p></body></html>"


def _never(response: TextResponse) -> str:
    raise AssertionError("the encoding was sought")


def test_the_encoding_of_a_packed_body_is_not_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextResponse, "_body_inferred_encoding", _never)
    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    response = HtmlResponse(URL, headers=headers, body=gzip.compress(PAGE.encode()))
    unpacked = BoundedCompressionMiddleware.from_crawler(get_crawler()).process_response(
        Request(URL), response
    )
    assert isinstance(unpacked, HtmlResponse)
    assert unpacked.body == PAGE.encode()
    assert "Content-Encoding" not in unpacked.headers


def test_a_page_that_is_not_packed_stays_the_same_response() -> None:
    response = HtmlResponse(URL, body=PAGE.encode())
    middleware = BoundedCompressionMiddleware.from_crawler(get_crawler())
    assert middleware.process_response(Request(URL), response) is response


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "utf-16-le", "iso-2022-jp"])
def test_a_refresh_is_followed_in_every_encoding(encoding: str) -> None:
    body = (
        f"<meta http-equiv=ReFresh content='0; url=/侨批'>{PAGE}"
        if encoding != "iso-2022-jp"
        else ("<meta http-equiv=ReFresh content='0; url=/a'><p>日本</p>")
    )
    response = HtmlResponse(
        URL,
        headers={"Content-Type": f"text/html; charset={encoding}"},
        body=body.encode(encoding),
    )
    middleware = SafeMetaRefreshMiddleware.from_crawler(get_crawler())
    followed = middleware.process_response(Request(URL), response)
    assert isinstance(followed, Request)
    assert followed.url.startswith(URL)
    assert followed.url != URL


def test_a_page_without_a_refresh_is_returned_as_it_is() -> None:
    response = HtmlResponse(URL, body=PAGE.encode())
    middleware = SafeMetaRefreshMiddleware.from_crawler(get_crawler())
    assert middleware.process_response(Request(URL), response) is response
