"""Titles that stream through a store are compared with all similar ones, as by brute force."""

from __future__ import annotations

import random
from contextlib import closing
from itertools import combinations
from pathlib import Path

from benchmarks.duplicates_scale import BATCH, Page, TitleStream, TokenStore
from topiccrawl.dedup.title_vectors import TitleVectors, cosine
from topiccrawl.dedup.titles import THRESHOLD
from topiccrawl.dedup.tokens import WINDOW_DAYS

#: Titles of a day, so that the stream is twice as long as the window.
_PER_DAY = 5
_WORDS = [
    "华侨",
    "归侨",
    "侨领",
    "茶话会",
    "代表团",
    "举行",
    "访问",
    "北京",
    "福建",
    "新加坡",
    "报告",
]


def test_a_stream_of_titles_finds_the_pairs_that_brute_force_finds(tmp_path: Path) -> None:
    draw = random.Random(1)
    pages = [
        Page(number, "".join(draw.sample(_WORDS, draw.randrange(2, 8))), number // _PER_DAY)
        for number in range(_PER_DAY * WINDOW_DAYS * 2)
    ]
    with closing(TokenStore(tmp_path / "titles.sqlite")) as store:
        stream = TitleStream(store, lambda key: pages[int(key)].day)
        for first in range(0, len(pages), BATCH):
            batch = pages[first : first + BATCH]
            store.write_records(batch)
            stream.add(batch)
    reader = TitleVectors()
    vectors = [reader.vector(page.title) for page in pages]
    expected = {
        (b.number, a.number)
        for a, b in combinations(pages, 2)
        if b.day - a.day <= WINDOW_DAYS
        and cosine(vectors[a.number], vectors[b.number]) >= THRESHOLD
    }
    assert sorted(stream.pairs) == sorted(expected)
    assert len(expected) > 20
