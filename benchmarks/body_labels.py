"""Label the blocks of a page by its true body, which is a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.extraction_score import normalized

# Characters of a shingle by which a block is found in the true body.
_GRAM = 8
# Share of a block's shingles that must be in the true body.
_FOUND = 0.5
# Blocks of fewer characters are found as a whole, near blocks that were found.
_SHORT = 12
# Distance of blocks that are near.
_NEAR = 4


def labels(body: str, texts: Sequence[str]) -> list[float]:
    """Return 1 for each text that is part of the true body, 0 for the others."""
    true = normalized(body)
    left = Counter(true[i : i + _GRAM] for i in range(len(true) - _GRAM + 1))
    plain = [normalized(text) for text in texts]
    found: list[float | None] = []
    for text in plain:
        if len(text) < _SHORT:
            found.append(None if text else 0.0)
            continue
        grams = Counter(text[i : i + _GRAM] for i in range(len(text) - _GRAM + 1))
        hit = (grams & left).total() >= _FOUND * grams.total()
        if hit:
            left -= grams
        found.append(float(hit))
    _find_runs(plain, true, found)
    result: list[float] = []
    for i, value in enumerate(found):
        if value is None:
            before = any(found[max(0, i - _NEAR) : i])
            after = any(found[i + 1 : i + 1 + _NEAR])
            fits = (before and after) or (len(plain[i]) >= 4 and (before or after))
            value = float(plain[i] in true and (fits or len(true) < 40))
        result.append(value)
    return result


def _find_runs(plain: Sequence[str], true: str, found: list[float | None]) -> None:
    """Find short blocks that follow each other in the true body, such as lines of verse and cells."""
    first = 0
    while first < len(plain):
        end, run = first, ""
        while end < len(plain) and found[end] is None and run + plain[end] in true:
            run += plain[end]
            end += 1
        if len(run) >= _SHORT:
            found[first:end] = [1.0] * (end - first)
        first = max(end if len(run) >= _SHORT else first, first + 1)
