"""Keywords of a page: its most telling terms, glued to phrases where they stand together.

The weight of a term is ``(1 + ln tf) · idf``, times ``TITLE_BONUS`` if the title has it and times
``LEAD_BONUS`` if the first sentences have it: news tell the matter first. Two terms that stand side
by side three times, or in the title and once more, and mostly when the rarer one occurs, are one
phrase (侨批 档案 → 侨批档案). TF-IDF and not TextRank: on one page a graph of neighbouring words ranks
by frequency again, without knowing which words are rare elsewhere (Mihalcea and Tarau 2004 have no
other corpus; we have jieba's).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from topiccrawl.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

TITLE_BONUS = 2.0
"""Factor for terms of the title (a guess)."""

LEAD_BONUS = 1.3
"""Factor for terms of the first ``LEAD_SENTENCES`` sentences (a guess)."""

LEAD_SENTENCES = 3
MAX_SENTENCES = 120
"""Sentences looked at, the first ones: bounds the time of a book-length page."""

MAX_CHARACTERS = 15_000
"""Characters of a body looked at, the first ones: bounds the time where sentences have no end
(120 English sentences of ordinary length)."""

MAX_TITLE_CHARACTERS = 300
MAX_KEYWORDS = 10
"""Keywords of a page unless another number is asked for (a guess)."""

_CANDIDATES = 4  # terms per keyword wanted that are looked at for phrases
_TOGETHER = 0.6  # share of the rarer term's places at which a phrase must stand (a guess)
_LATIN = re.compile(r"[a-z][a-z0-9]*")
_MAX_PHRASE = 12  # characters


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page's title and first sentences, normalised and segmented once for everything."""

    sentences: list[str]
    """As they stand."""
    normal: str
    """Normal form: the title, then a line a sentence."""
    title_terms: list[str]
    terms: list[list[str]]
    """Terms of each sentence."""
    weights: dict[str, float]
    """Weight of each term on this page."""

    @classmethod
    def of(
        cls, title: str, body: str, analyzer: TextAnalyzer, idf: Callable[[str], float]
    ) -> Prepared:
        """Read what the bounds of this module allow of title and body."""
        sentences = split_sentences(body[:MAX_CHARACTERS])[:MAX_SENTENCES]
        line = " ".join(title[:MAX_TITLE_CHARACTERS].split())
        normal, (title_terms, *terms) = analyzer.lines("\n".join([line, *sentences]))
        return cls(sentences, normal, title_terms, terms, term_weights(terms, title_terms, idf))


def term_weights(
    sentences: Sequence[Sequence[str]], title: Sequence[str], idf: Callable[[str], float]
) -> dict[str, float]:
    """Weight of each term of a page from its sentences' and its title's terms."""
    counts = Counter(chain(title, chain.from_iterable(sentences)))
    weights = {term: (1.0 + math.log(n)) * idf(term) for term, n in counts.items()}
    for term in set(title):
        weights[term] *= TITLE_BONUS
    for term in set(chain.from_iterable(sentences[:LEAD_SENTENCES])):
        weights[term] *= LEAD_BONUS
    return weights


def best_keywords(page: Prepared, analyzer: TextAnalyzer, limit: int) -> list[str]:
    """The keywords of a prepared page; see :func:`keywords`."""
    if limit <= 0:
        return []
    weights = page.weights
    wanted = _CANDIDATES * limit
    ranked = nsmallest(wanted, weights, key=lambda term: (-weights[term], term))
    phrases = _phrases(page, set(ranked))
    taken: set[str] = set()
    found: list[tuple[str, tuple[str, ...]]] = []
    for term in ranked:
        if len(found) >= limit:
            break
        if term in taken:
            continue
        phrase = phrases.get(term)
        if phrase is not None and not taken & set(phrase):
            taken.update(phrase)
            found.append(("".join(phrase), phrase))
        else:
            taken.add(term)
            found.append((term, (term,)))
    words: dict[str, str] = {}
    if any(name.isascii() for name, _ in found):
        words = analyzer.surfaces(" ".join(_LATIN.findall(page.normal)))
    return [words.get(name, name) if len(parts) == 1 else name for name, parts in found]


def _phrases(page: Prepared, wanted: set[str]) -> dict[str, tuple[str, str]]:
    """For terms that belong to a phrase of two Chinese terms: the phrase, by its best one."""
    counts: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    lines: Iterable[Sequence[str]] = (page.title_terms, *page.terms)
    for line in lines:
        counts.update(wanted.intersection(line) and [term for term in line if term in wanted])
        for left, right in pairwise(line):
            if left in wanted and right in wanted and left != right and not left.isascii():
                pairs[left, right] += 1
    in_title = page.normal.partition("\n")[0]
    out: dict[str, tuple[str, str]] = {}
    # A phrase stands twice at least, and so do its terms side by side.
    often = [(-count, pair) for pair, count in pairs.items() if count > 1]
    for _, (left, right) in sorted(often):
        name = left + right
        if right.isascii() or len(name) > _MAX_PHRASE or left in out or right in out:
            continue
        # Terms in line may have had a word or a comma between them, which the text shows.
        count = page.normal.count(name)
        if count < _TOGETHER * min(counts[left], counts[right]):
            continue
        if count >= (2 if name in in_title else 3):
            out[left] = out[right] = (left, right)
    return out
