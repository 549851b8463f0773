"""Recall of the search against LIKE, and its latency, on queries drawn from the stored pages."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import quantiles

from topiccrawl.store.contract import Store
from topiccrawl.store.search import SearchQuery
from topiccrawl.text.searching import SearchTerm


@dataclass(frozen=True, slots=True)
class Found:
    """What one query found, compared with LIKE."""

    query: str
    like: int
    """Pages that LIKE finds in title or body."""
    common: int
    """Those of them that the search finds."""
    total: int
    """Pages that the search finds."""
    seconds: float
    """Of the first part of the results, with facets and pieces of texts."""
    processor: float
    """Seconds of processor time for the same."""

    @property
    def recall(self) -> float:
        """Share of LIKE's pages that the search finds."""
        return self.common / self.like if self.like else 1.0


async def texts_of(store: Store, topics: Sequence[str]) -> dict[str, str]:
    """Return title and body of all kept pages by URL, lower case in ASCII as LIKE has it."""
    found = {}
    for topic in topics:
        async for page in store.pages(topic, copies=True):
            found[page.url] = _lower(f"{page.title}\x00{page.body}")
    return found


def drawn_queries(texts: Sequence[str], count: int, longest: int, random: Random) -> list[str]:
    """Return pieces of *texts* of 1 to *longest* characters, the lengths in turn."""
    found: list[str] = []
    while len(found) < count:
        length = len(found) % longest + 1
        text = random.choice(texts)
        start = random.randrange(max(1, len(text) - length))
        piece = text[start : start + length]
        if len(piece) == length and piece == piece.strip() and "\x00" not in piece:
            found.append(piece)
    return found


async def compare(store: Store, texts: dict[str, str], queries: Sequence[str]) -> list[Found]:
    """Return what the search and LIKE find for each of *queries*."""
    results = []
    # The first search of a process reads the headlines.
    started = time.perf_counter()
    await store.search([], SearchQuery(limit=1))
    sys.stdout.write(f"first search {time.perf_counter() - started:.2f} s\n")
    for piece in queries:
        query = SearchQuery(terms=[SearchTerm((piece,))], copies=True)
        started, worked = time.perf_counter(), time.process_time()
        first = await store.search([], query)
        seconds, processor = time.perf_counter() - started, time.process_time() - worked
        bare = SearchQuery(
            terms=query.terms,
            copies=True,
            order="newest",
            limit=first.total,
            texts=False,
            facets=False,
        )
        every = {hit.headline.url for hit in (await store.search([], bare)).hits}
        lowered = _lower(piece)
        like = {url for url, text in texts.items() if lowered in text}
        results.append(Found(piece, len(like), len(like & every), first.total, seconds, processor))
    return results


def summary(results: Sequence[Found]) -> str:
    """Return the figures of *results* as lines of text."""
    missed = [it.query for it in results if it.recall < 1]
    like, total = sum(it.like for it in results), sum(it.total for it in results)
    lines = [
        f"{len(results)} queries, recall {sum(it.recall for it in results) / len(results):.4f}"
        f" (least {min(it.recall for it in results):.4f}), {len(missed)} with missing pages",
        f"found {total:,} pages, LIKE {like:,}",
        f"ms: {_spread([it.seconds for it in results])}",
        f"ms of the processor: {_spread([it.processor for it in results])}",
    ]
    slow = sorted(results, key=lambda it: -it.seconds)[:5]
    lines += [f"slow: {it.query!r} {it.total:,} pages {1000 * it.seconds:.0f} ms" for it in slow]
    lines += [f"missed: {it!r}" for it in missed[:10]]
    return "\n".join(lines)


def _spread(seconds: Sequence[float]) -> str:
    times = sorted(1000 * it for it in seconds)
    parts = quantiles(times, n=100)
    return (
        f"median {parts[49]:.1f}, 95 % {parts[94]:.1f}, 99 % {parts[98]:.1f}, max {times[-1]:.1f}"
    )


def _lower(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)
