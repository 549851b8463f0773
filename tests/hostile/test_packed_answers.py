"""Compression in many layers and parts, and redirects to nowhere, in crawls of small webs."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable

import pytest
from scrapy import Request
from scrapy.http import Response

from tests.support.small_web import ON_TOPIC, SmallWeb, crawl_small, page, response
from topiccrawl.page.decoding.codings import MAX_CODINGS, MAX_MEMBERS

HOME = "http://www.qiao.example/"
GOOD = page("侨批", ON_TOPIC)
#: The first bytes of a Zstandard frame of one raw block of a byte (RFC 8878).
ZSTD = b"\x28\xb5\x2f\xfd\x00\x68\x09\x00\x00x"
#: CPU seconds of a crawl of one page; over 4 without the bound on frames.
LIMIT = 3.0


def layers(count: int, size: int = 0) -> bytes:
    body = GOOD + b" " * size
    for _ in range(count):
        body = gzip.compress(body, 0)
    return body


def packed(body: bytes, coding: str) -> Callable[[Request], Response]:
    return lambda request: response(request.url, body, **{"Content-Encoding": coding})


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (layers(200, 1_000_000), ",".join(["gzip"] * 200)),
        (layers(MAX_CODINGS + 1), ",".join(["gzip"] * (MAX_CODINGS + 1))),
        (ZSTD * 400_000, "zstd"),
        (b"\x50\x2a\x4d\x18\x00\x00\x00\x00" * 500_000, "zstd"),
        (gzip.compress(gzip.compress(b"") * (MAX_MEMBERS + 1)), "gzip, gzip"),
    ],
    ids=["200 layers", "6 layers", "zstd frames", "skippable frames", "members within"],
)
def test_too_many_layers_or_parts_are_refused_at_once(body: bytes, coding: str) -> None:
    web = SmallWeb({HOME: packed(body, coding)})
    start = time.process_time()
    crawl = crawl_small(web, [HOME])
    assert time.process_time() - start < LIMIT
    assert crawl.stats["topiccrawl/failed/packing"] == 1
    assert web.asked == [HOME]


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (layers(MAX_CODINGS), ",".join(["gzip"] * MAX_CODINGS)),
        (gzip.compress(GOOD) + gzip.compress(b" ") * 100, "gzip"),
    ],
    ids=["5 layers", "101 members"],
)
def test_a_few_layers_and_parts_are_unpacked(body: bytes, coding: str) -> None:
    crawl = crawl_small(SmallWeb({HOME: packed(body, coding)}), [HOME])
    assert len(crawl.items) == 1


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "mailto:a@b.example", "http://[::1", "http://ａ。ｅｘａｍｐｌｅ：80/",
     "http://user:geheim@www.qiao.example/there"],
)  # fmt: skip
def test_a_page_that_refreshes_to_nowhere_is_a_page(target: str) -> None:
    refresh = f'<meta http-equiv="refresh" content="0; url={target}">'
    web = SmallWeb({HOME: page("侨批", ON_TOPIC, head=refresh)})
    crawl = crawl_small(web, [HOME])
    assert [item.url for item in crawl.items] == [HOME]
    assert web.asked == [HOME]


@pytest.mark.parametrize(
    "target", ["mailto:a@b.example", "http://[::1", "http://user:geheim@www.qiao.example/there"]
)
def test_a_redirect_to_nowhere_is_an_answer_with_its_status(target: str) -> None:
    web = SmallWeb({HOME: lambda it: response(it.url, status=302, Location=target)})
    crawl = crawl_small(web, [HOME])
    assert crawl.stats["topiccrawl/failed/http-302"] == 1
    assert web.asked == [HOME]
    assert "geheim" not in repr(crawl.stats)
