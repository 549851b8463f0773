"""Keywords of a page: its most specific terms, joined into phrases if they occur together.

The weight of a term is ``(1 + ln tf) · idf``, times ``TITLE_BONUS`` if it occurs in the title and times
``LEAD_BONUS`` if it occurs in the first sentences, where news states its subject.  Two terms form a phrase
(侨批 档案 → 侨批档案) if they are adjacent three times, or in the title and once more, and in most
occurrences of the rarer one.

TF-IDF is used instead of TextRank: on a single page, a graph of neighboring words again ranks by frequency,
without regard to which words are rare elsewhere (Mihalcea and Tarau 2004 have no other corpus; jieba's is
available here).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from topiccrawl.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

#: Factor for terms of the title (a guess).
TITLE_BONUS = 2.0
#: Factor for terms of the first ``LEAD_SENTENCES`` sentences (a guess).
LEAD_BONUS = 1.3
#: A guess.
LEAD_SENTENCES = 3
#: Number of sentences read, from the beginning: bounds the time of a book-length page (a choice).
MAX_SENTENCES = 120
#: Number of characters of a body read, from the beginning: bounds the time of text without sentence ends (120
#: English sentences of ordinary length).
MAX_CHARACTERS = 15_000
#: Number of characters of a title read (a choice).
MAX_TITLE_CHARACTERS = 300
#: Default number of keywords of a page (a guess).
MAX_KEYWORDS = 10

#: Terms per keyword that are considered for phrases (a guess).
_CANDIDATES = 4
#: Share of the rarer term's occurrences that must be part of a phrase (a guess).
_TOGETHER = 0.6
_LATIN = re.compile(r"[a-z][a-z0-9]*")
#: Longest phrase in characters (a guess).
_MAX_PHRASE = 12


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page's title and first sentences, normalized and segmented once."""

    sentences: list[str]
    """Sentences as written."""
    normal: str
    """Normal form: the title, then one sentence per line."""
    title_terms: list[str]
    terms: list[list[str]]
    """Terms of each sentence."""
    weights: dict[str, float]
    """Weight of each term on this page."""

    @classmethod
    def of(
        cls, title: str, body: str, analyzer: TextAnalyzer, idf: Callable[[str], float]
    ) -> Prepared:
        """Prepare as much of title and body as the bounds of this module allow."""
        sentences = split_sentences(body[:MAX_CHARACTERS])[:MAX_SENTENCES]
        line = " ".join(title[:MAX_TITLE_CHARACTERS].split())
        normal, (title_terms, *terms) = analyzer.lines("\n".join([line, *sentences]))
        return cls(sentences, normal, title_terms, terms, term_weights(terms, title_terms, idf))


def term_weights(
    sentences: Sequence[Sequence[str]], title: Sequence[str], idf: Callable[[str], float]
) -> dict[str, float]:
    """Return the weight of each term of a page.

    Parameters
    ----------
    sentences
        Terms of each sentence.
    title
        Terms of the title.
    idf
        Returns the inverse document frequency of a term.
    """
    counts = Counter(chain(title, chain.from_iterable(sentences)))
    weights = {term: (1.0 + math.log(n)) * idf(term) for term, n in counts.items()}
    for term in set(title):
        weights[term] *= TITLE_BONUS
    for term in set(chain.from_iterable(sentences[:LEAD_SENTENCES])):
        weights[term] *= LEAD_BONUS
    return weights


def best_keywords(page: Prepared, analyzer: TextAnalyzer, limit: int) -> list[str]:
    """Return at most *limit* keywords, best first, in normal form (simplified, lower case).

    English keywords are the words that occur most often, not stems.  Terms of equal weight are ordered by
    the term.
    """
    if limit <= 0:
        return []
    weights = page.weights
    wanted = _CANDIDATES * limit
    ranked = sorted(weights, key=lambda term: (-weights[term], term))[:wanted]
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
    """Return the phrase of each term that belongs to a phrase of two Chinese terms."""
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
    # A phrase occurs at least twice, and so do its adjacent terms.
    often = [(-count, pair) for pair, count in pairs.items() if count > 1]
    for _, (left, right) in sorted(often):
        name = left + right
        if right.isascii() or len(name) > _MAX_PHRASE or left in out or right in out:
            continue
        # Adjacent terms may have a dropped word or a comma between them in the text.
        count = page.normal.count(name)
        if count < _TOGETHER * min(counts[left], counts[right]):
            continue
        if count >= (2 if name in in_title else 3):
            out[left] = out[right] = (left, right)
    return out
