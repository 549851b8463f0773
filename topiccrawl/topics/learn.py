"""Learning a topic's term vector from graded keywords and sample texts (thesis 9.2, step 0).

1. Keywords: a term gets value · idf / √m from a keyword of m terms, the largest over keywords.
2. Samples: each becomes a tf-idf vector of length 1; their mean is the centroid, cut to its 250
   heaviest terms.
3. Both, each at length 1, are added half and half (Rocchio, J. J. Rocchio 1971, with the keywords
   in the place of the query), cut to 300 terms, and brought to length 1. Negative terms get no
   weight.
"""

from __future__ import annotations

import math
import re
import statistics
from typing import TYPE_CHECKING

from topiccrawl.scoring.vsm import TermVector
from topiccrawl.topics.relevance import model_threshold, relevance_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from topiccrawl.text.idf import IdfTable

SAMPLE_TERMS = 250
VECTOR_TERMS = 300
"""Terms kept of the centroid and of the whole: as many as document 002's Best-First baseline."""

KEYWORD_SHARE = 0.5
"""Weight of the keywords against the samples when there are both."""

PART_VALUE = 0.4
"""rel of a part of a bare word (文化 of 茶文化): below c = 0.5, so a part alone follows no link."""

MIN_PART_IDF = 5.0
"""A single character is a part only when it is a telling word (茶 5.9, 的 0.9, 大 3.3)."""

FEW_KEYWORDS = 8
LEARNED_RELS = 30
LEARNED_REL_MAX = 0.9
"""A topic with samples and fewer than 8 keywords takes the 30 heaviest learned terms as graded
terms too, up to 0.9: what was only learned stays below what the user said."""

QUARTILE_SHARE = 0.7
"""A page must reach this share of the lower quartile of the samples' own leave-one-out scores
(measured: .6 to .8 were about equally good on the webs named in relevance.py)."""

PRIOR_THRESHOLD = 0.25
PRIOR_SAMPLES = 3
"""A few samples say little about the spread of a topic, so their threshold is drawn towards a
usual one, as if three more samples had asked for 0.25. Measured with five samples on the same
webs: the best thresholds lay between .15 and .37, the unshrunk ones between .16 and .41."""

HALVES_SHARE = 0.5
"""The same for one or two samples, cut into halves: halves of one text are closer to each other
than two texts are."""

THRESHOLD_RANGE = (0.05, 0.5)

_SCRIPT_RUN = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
_LONGEST_PART = 6


def keyword_vector(graded: Mapping[tuple[str, ...], float], idf: IdfTable) -> dict[str, float]:
    """Return the vector of keywords (step 1), not normalised."""
    vector: dict[str, float] = {}
    for terms, value in graded.items():
        for term in terms:
            # The largest, not the sum: "wind energy", "solar energy" and ten more must not
            # make "energy" the topic.
            weight = value * idf.idf(term) / math.sqrt(len(terms))
            vector[term] = max(vector.get(term, 0.0), weight)
    return vector


def centroid(samples: Sequence[TermVector]) -> dict[str, float]:
    """Return the mean of the samples at length 1 (step 2), its heaviest 250 terms."""
    total: dict[str, float] = {}
    for sample in samples:
        for term, weight in sample.items():
            total[term] = total.get(term, 0.0) + weight / sample.norm / len(samples)
    return _heaviest(total, SAMPLE_TERMS)


def combine(
    keywords: Mapping[str, float], samples: Mapping[str, float], barred: Collection[str]
) -> TermVector:
    """Return the topic's vector (step 3): norm 1, at most 300 terms, none of `barred`."""
    parts = [(_unit(keywords), KEYWORD_SHARE), (_unit(samples), 1 - KEYWORD_SHARE)]
    total: dict[str, float] = {}
    for vector, share in parts:
        for term, weight in vector.items():
            if term not in barred and weight > 0:
                total[term] = total.get(term, 0.0) + share * weight
    return TermVector(_unit(_heaviest(total, VECTOR_TERMS)))


def learn_threshold(
    keywords: Mapping[str, float],
    samples: Sequence[TermVector],
    halves: Sequence[TermVector],
    barred: Collection[str],
) -> float:
    """Return the least score of a page worth keeping, in [0.05, 0.5].

    Three samples or more: v = 0.7 of the lower quartile of the scores that each sample gets from
    a vector learned without it. One or two: v = 0.5 of the same over `halves`, the samples cut in
    two. Of n samples the threshold is (n·v + 3·0.25) / (n + 3). None: `model_threshold`.
    """
    texts, share = (samples, QUARTILE_SHARE) if len(samples) > 2 else (halves, HALVES_SHARE)
    if len(texts) < 2:
        value = model_threshold(max(1, len(combine(keywords, {}, barred))))
    else:
        scores = []
        for i, text in enumerate(texts):
            rest = [*texts[:i], *texts[i + 1 :]]
            vector = combine(keywords, centroid(rest), barred)
            scores.append(sum(relevance_parts(text, vector).values()))
        value = share * statistics.quantiles(scores, n=4, method="inclusive")[0]
        prior = PRIOR_SAMPLES * PRIOR_THRESHOLD
        value = (len(samples) * value + prior) / (len(samples) + PRIOR_SAMPLES)
    low, high = THRESHOLD_RANGE
    return min(high, max(low, value))


def learned_rels(
    vector: TermVector, keywords: Mapping[tuple[str, ...], float]
) -> dict[tuple[str, ...], float]:
    """Return rel(t) for learned terms that are no keywords: 0.9 · weight / largest weight."""
    known = {term for terms in keywords for term in terms}
    learned = [(t, w) for t, w in vector.top(len(vector)) if t not in known][:LEARNED_RELS]
    top = learned[0][1] if learned else 1.0
    return {(term,): LEARNED_REL_MAX * weight / top for term, weight in learned}


def word_parts(word: str, idf: IdfTable) -> list[str]:
    """Return the known words that a normalised word is made of: 茶文化 -> 茶, 文化.

    The split with the fewest parts, each a word of the idf table or a single character; of these
    the words, and the characters that are telling ones. Empty when nothing shorter is in it.
    """
    parts: list[str] = []
    for run in _SCRIPT_RUN.findall(word):
        if run.isascii():
            parts += [p for p in re.findall(r"[a-z0-9]+", run) if len(p) > 1 and p != word]
        else:
            parts += [p for p in _fewest(run, idf, whole=run != word) if p != word]
    kept = (p for p in parts if p.isascii() or idf.knows(p))
    return [p for p in dict.fromkeys(kept) if len(p) > 1 or idf.idf(p) >= MIN_PART_IDF]


def _fewest(run: str, idf: IdfTable, *, whole: bool) -> list[str]:
    best: list[list[str]] = [[]]
    for end in range(1, len(run) + 1):
        options = []
        for start in range(max(0, end - _LONGEST_PART), end):
            part = run[start:end]
            if len(part) == 1 or (idf.knows(part) and (whole or part != run)):
                options.append([*best[start], part])
        # Fewest parts; of these the one with the least of single characters.
        best.append(min(options, key=lambda o: (len(o), sum(len(p) == 1 for p in o), o)))
    return best[-1]


def _heaviest(vector: Mapping[str, float], n: int) -> dict[str, float]:
    return dict(sorted(vector.items(), key=lambda item: (-item[1], item[0]))[:n])


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    norm = math.hypot(*vector.values())
    return {t: w / norm for t, w in vector.items()} if norm else {}
