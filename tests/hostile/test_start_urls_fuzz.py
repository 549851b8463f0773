"""Start URLs that anybody may write into Redis: each is used or refused, and nothing stops."""

from __future__ import annotations

import json
import os
import random

from scrapy import Request

from topiccrawl.cluster.entries import MAX_ENTRY_BYTES, parse_entry, shown
from topiccrawl.scheduling.requests import link_key, to_mapping
from topiccrawl.scheduling.rules import RecordRules
from topiccrawl.urls.addresses import literal_address
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

#: 10,000 were run once (2026-11-22); the ones of CI are the first of them.
CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "2500"))

RULES = RecordRules.of(None)

GOOD = (
    b"http://www.example.cn/a?b=c#d",
    b"https://user:word@www.example.cn:8443/%E4%BE%A8?x=1&y=2",
    "http://侨务.example.中国/新闻/归侨".encode(),
    b'{"url": "http://www.example.cn/", "again": true}',
    b"http://[2001:db8::1]:80/",
    b"http://127.0.0.1/",
)
PIECES = (
    b"http://", b"https://", b"file://", b"://", b":", b"//", b"@", b"[", b"]", b"{", b"}", b'"',
    b"\\u0000", b"\\ud800", b"\\udfff", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\r\n", b" ", b"\t",
    b"%", b"%00", b"%zz", b"..", b".", b":99999", b":-1", b":0", b"a" * 70, b"." * 70, b"[" * 3000,
    b'{"url":' * 3000, b"9" * 5000, b'"again": ', b'"url": ', b"null", b"1e999", b"NaN", b"#", b"?",
    "１２７。０。０。１".encode(), "\u202e".encode(), "ß".encode(), "\u3000".encode(), "㍿".encode(),
    b"xn--", b"xn--a", b"-", b"_", b"\\", b"'", b"$", b"*", b"javascript:", b"data:,", b"0x7f.1",
)  # fmt: skip


def mutated(source: random.Random) -> bytes:
    """A good entry with one to six pieces put in, cut out, doubled or replaced."""
    data = source.choice(GOOD)
    for _ in range(source.randint(1, 6)):
        at, to = sorted(source.randint(0, len(data)) for _ in range(2))
        data = source.choice(
            (
                data[:at] + source.choice(PIECES) + data[at:],
                data[:at] + data[to:],
                data[:at] + source.choice(PIECES) + data[to:],
                data[:to] + data[at:to] * source.randint(1, 3) + data[to:],
                data[:at] + source.randbytes(3) + data[at:],
            )
        )[:MAX_ENTRY_BYTES]
    return data


def test_an_entry_becomes_a_request_that_can_be_queued_or_is_refused() -> None:
    source = random.Random(12)
    used = refused = 0
    for _ in range(CASES):
        data = mutated(source)
        text = shown(data)
        assert len(text) <= 200
        assert text.isprintable()
        try:
            url, again = parse_entry(data)
        except ValueError:
            refused += 1
            continue
        used += 1
        request = Request(url, dont_filter=again)
        assert request.url.startswith(("http://", "https://")), data
        host = host_of(request.url)
        assert host, data
        literal_address(host)
        key = link_key(request, canonical_url)
        link_id(key)
        json.dumps(to_mapping(request, key=key, rules=RULES)).encode()
    assert used > CASES / 50
    assert refused > CASES / 4
