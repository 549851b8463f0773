"""``python -m benchmarks.bursts [--streams N] [--seed N]``: F1 of planted bursts, by family.

A burst is found if both its first and its last day are within a day of what was planted; each counts once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import numpy as np

from benchmarks.bursts.streams import CHOSEN_ON, FIRST_DAY, LEFT_OUT, draw, draw_shares
from topiccrawl.insight.bursts.terms import share_bursts
from topiccrawl.insight.bursts.volume import volume

#: Resampled sets of streams for the spread.
_RESAMPLED = 1_000


def matched(planted: list[tuple[int, int]], found: list[tuple[int, int]], *, days: int = 1) -> int:
    """Return how many planted bursts have a found one of their own with both edges within *days*."""
    left = list(found)
    hits = 0
    for first, last in planted:
        near = [it for it in left if abs(it[0] - first) <= days and abs(it[1] - last) <= days]
        if near:
            left.remove(near[0])
            hits += 1
    return hits


def judged(family: str, seed: int) -> tuple[int, int, int]:
    """Return hits, found and planted bursts of a stream."""
    stream = draw(family, seed)
    found = [(it.first, it.last) for it in volume(stream.counts, FIRST_DAY).bursts]
    return matched(stream.planted, found), len(found), len(stream.planted)


def f1(table: np.ndarray) -> float:
    """Return F1 of rows of hits, found, planted."""
    hits, found, planted = table.sum(axis=0)
    return float(2 * hits / max(found + planted, 1))


def judged_terms(seed: int) -> tuple[int, int, int]:
    """Return hits, found and planted bursts of the terms of a stream."""
    drawn = draw_shares(seed)
    hits = total = planted = 0
    for bursts, true in zip(share_bursts(drawn.counts, drawn.totals), drawn.planted, strict=True):
        found = [(it.first, it.last) for it in bursts]
        hits += matched(true, found)
        total += len(found)
        planted += len(true)
    return hits, total, planted


def report(name: str, kind: str, rows: Iterable[tuple[int, int, int]]) -> None:
    """Print F1 with its interval over resampled streams."""
    random = np.random.default_rng(0)
    table = np.array(list(rows))
    draws = [f1(table[random.integers(len(table), size=len(table))]) for _ in range(_RESAMPLED)]
    low, high = np.percentile(draws, [2.5, 97.5])
    hits, found, planted = table.sum(axis=0)
    print(
        f"{name:8} {kind:24} F1 {f1(table):.3f} [{low:.3f}, {high:.3f}]  "
        f"{planted} planted, {found} found, {hits} right",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--seed", type=int, default=100_000, help="first seed")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.streams)
    for family in CHOSEN_ON + LEFT_OUT:
        kind = "left out" if family in LEFT_OUT else "chosen on (other seeds)"
        report(family, kind, (judged(family, seed) for seed in seeds))
    report("terms", "left out", (judged_terms(seed) for seed in seeds[: len(seeds) // 4]))


if __name__ == "__main__":
    main()
