"""Mutated pages through everything that a crawl computes: nothing raises, nothing takes long.

Seeded: pages of the own corpus and of the demonstration, cut, repeated, crossed and damaged.
``TOPICCRAWL_FUZZ_CASES=10000`` for the full number.
"""

from __future__ import annotations

import os
import random
import time
from functools import cache

import pytest

from benchmarks.corpus.build import corpus
from tests.support.hostile_pages import HOSTILE_PAGES
from tests.support.whole_analysis import WholeAnalysis
from topiccrawl.demo.web import DemoWeb

CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "300"))
PARTS = 4
#: CPU seconds of a page of at most 100 KB; the slowest takes a quarter of a second.
LIMIT = 3.0
#: Characters of what a store gets of a page besides its body.
MOST = 2_000

PIECES = [
    b"<", b">", b"\"", b"'", b"=", b"&", b"\0", b"\xff", b"\xa1\xa1", b"\x1b$B", b"~{", b"\xef\xbb\xbf", b"</html>",
    b"<!--",
    b"-->", b"<script>", b"</script>", b"<title>", b"</title>", b"<base href=//>", b"<base href='http://[::1'>",
    b"<a href='http://a:99999/'>", b"<a href='javascript:x'>", b"<meta charset=zlib>", b"<meta charset=utf-16>",
    b"&#xD800;", b"&#0;", b"&#99999999999999999999;", b"<table>", b"<form>", b"<svg><title>", b"<plaintext>",
    b"<template>",
    b"99999999999999999999-99-99 99:99:99", b'{"datePublished":1e999}', b"2023\xe5\xb9\xb499\xe6\x9c\x88",
    b"<meta http-equiv=refresh content='0;url=//'>", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xe2\x80\xae",
    b"\xcc\x81" * 50,
]  # fmt: skip
CHARSETS = ["", "utf-8", "gbk", "big5", "utf-16", "zlib", "hz", "x" * 300]


@cache
def seeds() -> list[bytes]:
    """Pages that look real, and hostile ones of 3 KB."""
    web = DemoWeb(size=100)
    answers = [web.answer(url) for url in web.pages(["article", "list", "home"])]
    demo = [it.body for it in answers if it is not None and it.status == 200 and it.body]
    hostile = [make(3_000) for make in HOSTILE_PAGES.values()]
    return [sample.data for sample in corpus()[::3]] + demo[:60] + hostile


def mutated(chance: random.Random) -> bytes:
    """A page of at most 100 KB."""
    page = bytearray(chance.choice(seeds()))
    for _ in range(chance.choice([1, 3, 10, 40])):
        at = chance.randrange(len(page) + 1)
        end = min(len(page), at + chance.choice([1, 10, 100, 3_000]))
        change = chance.randrange(6)
        if change == 0:
            del page[at:end]
        elif change == 1:
            page[at:at] = chance.choice(PIECES) * chance.choice([1, 1, 2, 300])
        elif change == 2:
            page[at:end] = page[at:end] * chance.choice([2, 5, 50])
        elif change == 3:
            page[at:end] = chance.randbytes(end - at)
        elif change == 4:
            other = chance.choice(seeds())
            start = chance.randrange(len(other) + 1)
            page[at:at] = other[start : start + 2_000]
        elif page[at:end]:
            page[at] = chance.randrange(256)
        if len(page) > 100_000:
            del page[100_000:]
    return bytes(page)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutated_page_raises_or_takes_long(analysis: WholeAnalysis, part: int) -> None:
    for number in range(part, CASES, PARTS):
        chance = random.Random(number)
        data = mutated(chance)
        start = time.process_time()
        try:
            item = analysis(data, f"http://a.example/{number}", chance.choice(CHARSETS))
        except Exception as error:
            raise AssertionError(f"case {number}: {type(error).__name__}: {error}") from error
        assert time.process_time() - start < LIMIT, f"case {number} of {len(data)} bytes"
        said = [item.title, item.author, item.source, item.editor, item.summary, *item.keywords]
        assert all(len(text) <= MOST for text in said), f"case {number}"
        assert not any("\0" in text for text in (*said, item.body)), f"case {number}"
        assert item.published_at is None or 1990 <= item.published_at.year <= 2100
