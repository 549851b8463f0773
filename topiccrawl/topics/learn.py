"""Learning a topic's term vector from graded keywords and sample texts ([thesis] 9.2, step 0).

1. Keywords: a term gets value · idf / √m from a keyword of m terms, and the maximum over all keywords.
2. Samples: each becomes a tf-idf vector of norm 1; their mean, cut to its 250 heaviest terms, is the
   centroid.
3. Both, each of norm 1, are averaged (Rocchio, J. J. Rocchio 1971, with the keywords in place of the
   query), cut to 300 terms and normalized.  Negative terms get no weight.
4. How much the keywords alone count beside this vector is learned from what they find in the samples, and from
   what the samples say of each other.
"""

from __future__ import annotations

import math
import re
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.scoring.vsm import TermVector
from topiccrawl.text.words import stop_words
from topiccrawl.topics.relevance import model_threshold, relevance_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from topiccrawl.text.idf import IdfTable

#: Terms of the centroid, and of the whole vector: 300 as in the Best-First baseline of [doc002].
SAMPLE_TERMS = 250
VECTOR_TERMS = 300
#: Weight of the keywords against the samples if there are both (source not recorded).
KEYWORD_SHARE = 0.5
#: rel of a part of a bare word (文化 of 茶文化).  Below c = 0.5, so that no link is followed for a part
#: alone.
PART_VALUE = 0.4
#: rel of a narrower word of a bare word that names a class (足球 of 体育).  On the encyclopedia (2026-11), whose
#: table of subjects was written knowing the topics' names but not their pages, such words change the area
#: under the curve of bare words by +.028 (mean over groups of topics; +.019 to +.030 without any one
#: group), none of 14 topics for the worse, and the best F1 by +.035 (+.027 to +.044), 3 for the worse
#: (art -.14).  0.1 and 0.3 did about as much.
NARROWER_VALUE = 0.2
#: A single character is a part only if it is a specific word (idf of 茶 5.9, 大 3.3, 的 0.9).
MIN_PART_IDF = 5.0
#: A common word (文化 5.1, 语言 6.2), after which a single character is taken for a word of its own (a guess).
COMMON_IDF = 8.0
#: Words of the idf table that occur once or twice are often none (据库 13.9; a guess).
RARE_IDF = 13.0
#: The LEARNED_RELS heaviest learned terms are graded terms of a topic that has samples and fewer than
#: FEW_KEYWORDS keywords.  Their values are at most LEARNED_REL_MAX, below the user's own terms (source not
#: recorded).
FEW_KEYWORDS = 8
LEARNED_RELS = 30
LEARNED_REL_MAX = 0.9
#: A page must reach this share of the lower quartile of the samples' leave-one-out scores.  Measured: .6
#: to .8 were about equally good on the webs named in relevance.py.
QUARTILE_SHARE = 0.7
#: A few samples do not show the spread of a topic.  Their threshold is shrunk toward a usual one, as
#: if there were three more samples with 0.25.  Measured with five samples on the same webs: the best
#: thresholds were between .15 and .37, those without shrinking between .16 and .41.
PRIOR_THRESHOLD = 0.25
PRIOR_SAMPLES = 3
#: The share for one or two samples, which are cut into halves: halves of one text are more similar to each
#: other than two texts are.
HALVES_SHARE = 0.5
#: The most that the relevance to the keywords alone counts beside that to the whole vector: as much.  F1 of the whole
#: web after 1,000 and 2,000 pages without it and with it: English .726 and .751, .693 and .731 (31 topics), Chinese
#: .874 and .882, .855 and .879 (13 topics).  See docs/laboratory/judge.md (2026-11).
MOST_KEYWORD_SHARE = 0.5
#: v, before the threshold is shrunk, from which samples agree; with half of it or less they do not: five articles of a
#: portal's channel share hardly more with each other than with any others.  v is .003 to .074 on three portals put
#: together from real pages (8 topics each) and .108 to .35 on manuals and encyclopedia (44 topics, one of them .027).
#: See docs/laboratory/judge.md (2026-11-28).
AGREEMENT = 0.1
#: Bounds of a learned threshold (source not recorded).
THRESHOLD_RANGE = (0.05, 0.5)

_SCRIPT_RUN = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+")
_LONGEST_PART = 6


def keyword_vector(graded: Mapping[tuple[str, ...], float], idf: IdfTable) -> dict[str, float]:
    """Return the vector of the keywords (step 1), not normalized.

    Parameters
    ----------
    graded
        rel in (0, 1] by the terms of a keyword.

    Returns
    -------
    dict
        ``max value · idf(t) / √m`` over the keywords that contain t, by term.

    Notes
    -----
    Acronyms that are stop words in lower case (US in "US president") have no weight beside other terms and
    are not counted in m: they are on too many pages.  On the encyclopedia (2026-11) "US president"
    reaches an area under the curve of .991 without the weight, .979 with it.
    """
    vector: dict[str, float] = {}
    for terms, value in graded.items():
        weighed = [term for term in terms if term == term.lower()] or terms
        for term in weighed:
            # The maximum, not the sum: "wind energy", "solar energy" and ten more must not
            # make "energy" the topic.
            weight = value * idf.idf(term) / math.sqrt(len(weighed))
            vector[term] = max(vector.get(term, 0.0), weight)
    return vector


def centroid(samples: Sequence[TermVector]) -> dict[str, float]:
    """Return the 250 heaviest terms of the mean of *samples*, each normalized (step 2)."""
    total: dict[str, float] = {}
    for sample in samples:
        for term, weight in sample.items():
            total[term] = total.get(term, 0.0) + weight / sample.norm / len(samples)
    return _heaviest(total, SAMPLE_TERMS)


def combine(
    keywords: Mapping[str, float], samples: Mapping[str, float], barred: Collection[str]
) -> TermVector:
    """Return the vector of a topic (step 3).

    Parameters
    ----------
    keywords, samples
        The vectors of steps 1 and 2, non-negative, of any norm; one may be empty.
    barred
        Negative terms, which get no weight.

    Returns
    -------
    TermVector
        At most 300 terms, of norm 1; empty if both vectors are.
    """
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
    """Return the minimum score of a page that is kept, in :data:`THRESHOLD_RANGE`.

    With n samples it is ``(n·v + 3·0.25) / (n + 3)``.  If n >= 3, v is 0.7 of the lower quartile of the
    scores that the samples get from a vector learned without them; if n is 1 or 2, v is 0.5 of the
    same over halves of samples.  Without samples it is
    :func:`~topiccrawl.topics.relevance.model_threshold`.

    Parameters
    ----------
    keywords
        The vector of step 1.
    samples
        tf-idf vectors of the n samples.
    halves
        tf-idf vectors of the halves of the samples.
    barred
        Negative terms, which get no weight.
    """
    texts, share = (samples, QUARTILE_SHARE) if len(samples) > 2 else (halves, HALVES_SHARE)
    if len(texts) < 2:
        value = model_threshold(max(1, len(combine(keywords, {}, barred))))
    else:
        value = share * _left_out(keywords, texts, barred)
        prior = PRIOR_SAMPLES * PRIOR_THRESHOLD
        value = (len(samples) * value + prior) / (len(samples) + PRIOR_SAMPLES)
    low, high = THRESHOLD_RANGE
    return min(high, max(low, value))


def agreement(
    keywords: Mapping[str, float], samples: Sequence[TermVector], barred: Collection[str]
) -> float:
    """Return how far samples say what other pages of the topic are like, in [0, 1].

    It rises from 0 to 1 with v of :func:`learn_threshold`, between half of :data:`AGREEMENT` and the whole, and is 1
    where less than three samples leave that unknown.
    """
    if len(samples) <= 2:
        return 1.0
    value = QUARTILE_SHARE * _left_out(keywords, samples, barred)
    return min(1.0, max(0.0, 2 * value / AGREEMENT - 1))


def _left_out(
    keywords: Mapping[str, float], texts: Sequence[TermVector], barred: Collection[str]
) -> float:
    """Return the lower quartile of the scores that texts get from a vector learned without them."""
    scores = []
    for i, text in enumerate(texts):
        rest = [*texts[:i], *texts[i + 1 :]]
        vector = combine(keywords, centroid(rest), barred)
        scores.append(sum(relevance_parts(text, vector).values()))
    return statistics.quantiles(scores, n=4, method="inclusive")[0]


@dataclass(frozen=True, slots=True)
class KeywordsInSamples:
    """How keywords and samples of a topic fit."""

    found: float
    """r: mean over the samples of their score by the keywords over the threshold of keywords, at most 1; 0 without
    samples or keywords."""
    agreement: float
    """c: how far the samples say what other pages are like; 1 where *found* is 0."""

    @property
    def share(self) -> float:
        """What the relevance to the keywords alone counts beside that to the whole vector: ``1 - c·(1 - r²/2)``.

        Keywords that find the samples define the topic as well as these do, and better where the samples do not even
        find each other; what is in none of them (a word for what its pages never name) is no evidence.
        """
        return 1 - self.agreement * (1 - MOST_KEYWORD_SHARE * self.found**2)


def compare_keywords(
    keywords: TermVector, samples: Sequence[TermVector], barred: Collection[str]
) -> KeywordsInSamples:
    """Return how *keywords*, of norm 1 or empty, and *samples* fit."""
    if not keywords or not samples:
        return KeywordsInSamples(0.0, 1.0)
    threshold = model_threshold(len(keywords))
    scores = (sum(relevance_parts(text, keywords).values()) for text in samples)
    found = statistics.fmean(min(1.0, score / threshold) for score in scores)
    return KeywordsInSamples(found, agreement(keywords, samples, barred) if found else 1.0)


def learned_rels(
    vector: TermVector, keywords: Mapping[tuple[str, ...], float]
) -> dict[tuple[str, ...], float]:
    """Return rel of the heaviest learned terms that occur in no keyword: 0.9 · weight / largest weight.

    Parameters
    ----------
    vector
        The vector of the topic.
    keywords
        rel by the terms of a keyword.

    Returns
    -------
    dict
        rel in (0, 0.9] of up to 30 terms, in the form of *keywords*.
    """
    known = {term for terms in keywords for term in terms}
    learned = [(t, w) for t, w in vector.top(len(vector)) if t not in known][:LEARNED_RELS]
    top = learned[0][1] if learned else 1.0
    return {(term,): LEARNED_REL_MAX * weight / top for term, weight in learned}


def word_parts(word: str, idf: IdfTable) -> list[str]:
    """Return the known words that a word consists of: 茶 and 文化 for 茶文化.

    The Chinese characters of the word are split into the fewest parts, each a word of the idf table or a
    single character.  A word of two characters has no parts (安全 is not about 安 and 全).

    Returns
    -------
    list of str
        The parts that are words of at least two characters and no stop words; empty if the word has no
        shorter parts.  A single character is a part only if it is a specific word before a common one
        (茶 in 茶文化).
    """
    parts: list[str] = []
    for run in _SCRIPT_RUN.findall(word):
        if run.isascii():
            parts += [p for p in re.findall(r"[a-z0-9]+", run) if len(p) > 1 and p != word]
        elif len(run) > 2 or run != word:
            found = _fewest(run, idf, whole=run != word)
            if len(found) == 2 and len(found[0]) == 1 and idf.idf(found[1]) <= COMMON_IDF:
                parts += [found[0]] if idf.idf(found[0]) >= MIN_PART_IDF else []
            parts += [p for p in found if len(p) > 1 and idf.idf(p) < RARE_IDF]
    kept = (p for p in parts if p.isascii() or idf.contains(p))
    return [p for p in dict.fromkeys(kept) if p != word and p not in stop_words()]


def _fewest(run: str, idf: IdfTable, *, whole: bool) -> list[str]:
    best: list[list[str]] = [[]]
    for end in range(1, len(run) + 1):
        options = []
        for start in range(max(0, end - _LONGEST_PART), end):
            part = run[start:end]
            if len(part) == 1 or (idf.contains(part) and (whole or part != run)):
                options.append([*best[start], part])
        # The fewest parts, then the fewest single characters.
        best.append(min(options, key=lambda o: (len(o), sum(len(p) == 1 for p in o), o)))
    return best[-1]


def _heaviest(vector: Mapping[str, float], n: int) -> dict[str, float]:
    return dict(sorted(vector.items(), key=lambda item: (-item[1], item[0]))[:n])


def _unit(vector: Mapping[str, float]) -> dict[str, float]:
    norm = math.hypot(*vector.values())
    return {t: w / norm for t, w in vector.items()} if norm else {}
