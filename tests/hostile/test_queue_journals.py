"""Journal entries that anyone may have written: the crawl does without them, and still ranks and learns.

The number of cases comes from TOPICCRAWL_FUZZ_CASES.
"""

from __future__ import annotations

import json
import os
import random
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest

from tests.support.journal_in_memory import OneJournal
from topiccrawl.crawl.journal.journal import CrawlJournal, packed_pages
from topiccrawl.crawl.journal.kinds import EARLIER, PAGE
from topiccrawl.scoring.classifier import PageClassifier
from topiccrawl.scoring.packing import pack_page
from topiccrawl.scoring.strategies import make_strategy
from topiccrawl.scoring.strategy import N_FEATURES, LinkBatch, PageView

CASES = int(os.environ.get("TOPICCRAWL_FUZZ_CASES", "0")) or 1_500
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 2**70, 1e308, -1e308, float("nan"), float("inf"), "x", "", [], {}),
    *([[]], ["a"] * 3, {"links": 10**12}, [10**9, 10**9], [-1, 5]),
)


def a_page(draw: random.Random, number: int) -> PageView:
    n = draw.randrange(12)
    values = np.array([draw.random() for _ in range(n)])
    hits = values > 0.7
    ids = np.array([draw.randrange(2**40) for _ in range(n)], dtype=np.int64)
    features = np.array(
        [[draw.randrange(-1, N_FEATURES) for _ in range(4)] for _ in range(n)], dtype=np.int32
    ).reshape(n, 4)
    return PageView(
        number,
        draw.random(),
        0.2,
        draw.random() > 0.5,
        1,
        number,
        0.0,
        LinkBatch(ids, values, hits, hits, hits, values, values, features),
        term_ids=np.array(draw.sample(range(N_FEATURES), 5), dtype=np.int32),
        term_weights=np.full(5, 0.447),
        title_hit=draw.random() > 0.5,
    )


def mutated(draw: random.Random, entry: bytes) -> bytes:
    """Damage an entry, or poison it: change what the packed page says of itself."""
    kind = draw.randrange(5)
    if kind == 0:
        return entry[: draw.randrange(len(entry))]
    if kind == 1:
        data = bytearray(entry)
        for _ in range(draw.choice((1, 3))):
            data[draw.randrange(len(data))] = draw.randrange(256)
        return bytes(data)
    if kind == 2:
        letter = draw.choice("PTFJDWEX").encode()
        return letter + json.dumps([draw.choice(ODD) for _ in range(draw.randrange(5))]).encode()
    raw = zlib.decompress(entry[1:])
    size = int.from_bytes(raw[:4], "little")
    head, rest = json.loads(raw[4 : 4 + size]), bytearray(raw[4 + size :])
    if kind == 3:
        for _ in range(draw.choice((1, 1, 4))):
            place = draw.choice(
                [part for part in (head, head.get("page")) if part and isinstance(part, dict)]
            )
            place[draw.choice(sorted(place))] = draw.choice(ODD)
    elif rest:
        for _ in range(draw.choice((1, 8, 64))):
            rest[draw.randrange(len(rest))] = draw.choice((0, 127, 255, draw.randrange(256)))
    first = json.dumps(head).encode()
    packed = zlib.compress(len(first).to_bytes(4, "little") + first + rest)
    return draw.choice((b"P", b"P", b"E")) + packed


@pytest.mark.parametrize("name", ["ipagerank-rwb", "adaptive"])
def test_a_poisoned_journal_is_replayed_and_the_crawl_ranks_and_learns(name: str) -> None:
    draw = random.Random(7)
    for start in range(0, CASES, 500):
        strategy, classifier = make_strategy(name), PageClassifier(0.35, 0.5, [], learns=True)
        journal = OneJournal()
        replayed = CrawlJournal(journal.other_end())
        replayed.subscribe(PAGE, strategy.score)
        replayed.subscribe(PAGE, classifier.add)
        replayed.subscribe(EARLIER, classifier.recall)
        for number in range(start + 1, start + 501):
            entry = b"P" + pack_page(a_page(draw, number))
            journal.append([entry if number % 5 == 0 else mutated(draw, entry)])
        while replayed.replay():
            pass
        assert 100 <= replayed.pages <= 500
        for _ in classifier.learn():
            pass
        strategy.judged_again(classifier.probability_of)
        for _ in strategy.rank():
            pass
        packed_pages(journal.other_end(), 50)


def test_an_entry_that_unpacks_to_gigabytes_is_left_out() -> None:
    bomb = b"P" + zlib.compress(bytes(160 * 1024 * 1024), 1)
    journal = OneJournal()
    journal.append([bomb])
    replayed = CrawlJournal(journal.other_end())
    tracemalloc.start()
    try:
        replayed.replay()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert replayed.pages == 0
    assert peak < 140 * 1024 * 1024
