"""Methods that decide whether two pages are copies: each gives a score, higher for copies.

MinHash: [Broder 1997]; SimHash: [Charikar 2002]; fingerprints that are 0 modulo p: [slides].
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import rensa

from benchmarks.copies.pages import SourcePage
from topiccrawl.dedup.prepared import PreparedPage
from topiccrawl.dedup.relation import relate
from topiccrawl.dedup.shingles import Shingles, overlap, shingles, units
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.segment import make_segmenter

#: Permutations of MinHash and bits of SimHash.
PERMUTATIONS: Final = 128
BITS: Final = 64
#: Of the fingerprints of the slides, those that are 0 modulo this are kept.
MODULUS: Final = 16


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what it computes of each page once, and of two pages."""

    name: str
    sign: Callable[[SourcePage], Any]
    score: Callable[[Any, Any], float]
    threshold: float | None = None
    """Score from which pages are copies; None: fitted on the sources that are not reported."""


def _vector(page: SourcePage) -> dict[str, float]:
    table = _idf()
    counts = Counter(make_segmenter().cut(" ".join(units(page.title)).replace(" ", "")))
    weights = {t: n * table.idf(t) for t, n in counts.items()}
    norm = math.sqrt(sum(w * w for w in weights.values()))
    return {t: w / norm for t, w in weights.items()}


@cache
def _idf() -> IdfTable:
    return IdfTable()


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(w * b[t] for t, w in a.items() if t in b)


def _body(page: SourcePage) -> Shingles:
    return shingles(page.body)


def _minhash(page: SourcePage) -> Any:
    signature = rensa.RMinHash(num_perm=PERMUTATIONS, seed=42)
    signature.update([str(shingle) for shingle in _body(page).tolist()])
    return signature


def _simhash(page: SourcePage) -> np.ndarray[Any, np.dtype[np.bool_]]:
    body = _body(page)
    bits = (body[:, None] >> np.arange(BITS, dtype=np.uint64)) & np.uint64(1)
    result: np.ndarray[Any, np.dtype[np.bool_]] = 2 * bits.sum(axis=0) > len(body)
    return result


def _zero_mod_p(page: SourcePage) -> Shingles:
    body = _body(page)
    kept: Shingles = body[body % np.uint64(MODULUS) == 0]
    return kept


def _text(page: SourcePage) -> Hashable:
    return hashlib.sha256("".join(units(page.body)).encode("utf-8", "replace")).digest()


def _prepared(page: SourcePage) -> PreparedPage:
    url = hashlib.sha256(f"{page.key}\n{page.title}\n{page.body}".encode("utf-8", "replace"))
    return PreparedPage(page.compared(url.hexdigest()))


def _copy_probability(a: PreparedPage, b: PreparedPage) -> float:
    """Return the probability that one of the pages is a copy of the other."""
    relation = relate(a, b)
    copy = relation.is_copy or relation.kind == "gathers"
    return relation.confidence if copy else 1 - relation.confidence


METHODS: Final = (
    Method("titles (document 001)", _vector, _cosine, 0.8),
    Method("equal texts", _text, lambda a, b: float(a == b), 1.0),
    Method("SimHash", _simhash, lambda a, b: float((a == b).mean())),
    Method("MinHash", _minhash, lambda a, b: float(a.jaccard(b))),
    Method("MinHash at .8", _minhash, lambda a, b: float(a.jaccard(b)), 0.8),
    Method("0 mod p (slides)", _zero_mod_p, lambda a, b: overlap(a, b).jaccard),
    Method("Jaccard at .8", _body, lambda a, b: overlap(a, b).jaccard, 0.8),
    Method(
        "containment at .9",
        _body,
        lambda a, b: max(overlap(a, b).of_first, overlap(a, b).of_second),
        0.9,
    ),
    Method("containment", _body, lambda a, b: max(overlap(a, b).of_first, overlap(a, b).of_second)),
    Method("topiccrawl", _prepared, _copy_probability, 0.5),
)
