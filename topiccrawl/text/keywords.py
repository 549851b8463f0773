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
from itertools import pairwise
from typing import TYPE_CHECKING

from topiccrawl.text.normalize import normalize
from topiccrawl.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from topiccrawl.text.analyzer import TextAnalyzer

TITLE_BONUS = 2.0
"""Factor for terms of the title (a guess)."""

LEAD_BONUS = 1.3
"""Factor for terms of the first ``LEAD_SENTENCES`` sentences (a guess)."""

LEAD_SENTENCES = 3
MAX_SENTENCES = 120
"""Sentences looked at, the first ones: bounds the time of a book-length page."""

_CANDIDATES = 4  # terms per keyword wanted that are looked at for phrases
_TOGETHER = 0.6  # share of the rarer term's places at which a phrase must stand (a guess)
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_MAX_PHRASE = 12  # characters


def term_weights(
    sentences: Sequence[Sequence[str]], title: Sequence[str], idf: Callable[[str], float]
) -> dict[str, float]:
    """Weight of each term of a page from its sentences' and its title's terms."""
    counts = Counter(term for terms in sentences for term in terms)
    counts.update(title)
    in_title = set(title)
    lead = {term for terms in sentences[:LEAD_SENTENCES] for term in terms}
    return {
        term: (1.0 + math.log(count))
        * idf(term)
        * (TITLE_BONUS if term in in_title else 1.0)
        * (LEAD_BONUS if term in lead else 1.0)
        for term, count in counts.items()
    }


def keywords(
    title: str,
    body: str,
    analyzer: TextAnalyzer,
    idf: Callable[[str], float],
    limit: int = 8,
) -> list[str]:
    """At most ``limit`` keywords, best first, in normal form (simplified, lower case).

    English words are given as they stand most often, not as stems. Deterministic: equal weights go
    by the term.
    """
    sentences = split_sentences(body)[:MAX_SENTENCES]
    terms = analyzer.terms_all([title, *sentences])
    weights = term_weights(terms[1:], terms[0], idf)
    return best_keywords(title, sentences, terms[1:], terms[0], weights, analyzer, limit)


def best_keywords(
    title: str,
    sentences: Sequence[str],
    terms: Sequence[Sequence[str]],
    title_terms: Sequence[str],
    weights: dict[str, float],
    analyzer: TextAnalyzer,
    limit: int,
) -> list[str]:
    """The keywords of analysed sentences; see :func:`keywords`."""
    ranked = sorted(weights, key=lambda term: (-weights[term], term))[: _CANDIDATES * limit]
    counts = Counter(term for one in (title_terms, *terms) for term in one)
    phrases = _phrases(title, sentences, terms, title_terms, set(ranked), counts)
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
        words = analyzer.surfaces(" ".join(_LATIN.findall(" ".join([title, *sentences]))))
    return [words.get(name, name) if len(parts) == 1 else name for name, parts in found]


def _phrases(
    title: str,
    sentences: Sequence[str],
    terms: Sequence[Sequence[str]],
    title_terms: Sequence[str],
    wanted: set[str],
    counts: Counter[str],
) -> dict[str, tuple[str, str]]:
    """For terms that belong to a phrase of two Chinese terms: the phrase, by its best one."""
    pairs: Counter[tuple[str, str]] = Counter()
    for one in (title_terms, *terms):
        for left, right in pairwise(one):
            if left in wanted and right in wanted and left != right and not left.isascii():
                pairs[left, right] += 1
    if not pairs:
        return {}
    normal = normalize("\n".join([title, *sentences]))
    in_title = normal.partition("\n")[0]
    out: dict[str, tuple[str, str]] = {}
    for (left, right), _ in sorted(pairs.items(), key=lambda item: (-item[1], item[0])):
        name = left + right
        if right.isascii() or len(name) > _MAX_PHRASE or left in out or right in out:
            continue
        # Terms in line may have had a word or a comma between them, which the text shows.
        count = normal.count(name)
        if count < _TOGETHER * min(counts[left], counts[right]):
            continue
        if count >= (2 if name in in_title else 3):
            out[left] = out[right] = (left, right)
    return out
