"""Words that may belong to a topic, with what the texts of the topic say about each."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.topics.subjects import narrower_words
from topiccrawl.vocabulary.contrast import TermCounts, log_odds
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.new_words import new_words
from topiccrawl.vocabulary.vectors import WordVectors, learn_vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.scoring.arrays import FloatArray
    from topiccrawl.topics.topic import Topic

#: Most words that are looked at (a choice): ten screens of a hundred, and twice as many again.
MOST: Final = 3_000
#: Texts in which a word must occur (a choice).
LEAST_TEXTS: Final = 2
#: New words that enter the dictionary: the most, and the least probability that they are words (a guess).
NEW_WORDS: Final = 500
NEW_WORD_PROBABILITY: Final = 0.5
#: First letters of jieba's parts of speech whose words may be words of a topic: nouns, verbs, adjectives,
#: idioms, abbreviations, set phrases; [doc001] drops function words.
_CONTENT: Final = "nvailjsb"
#: Number of columns of :attr:`Candidates.features`, see :func:`find_candidates`.
FEATURES: Final = (
    "log_odds", "lift", "specificity", "share", "together", "near_topic", "shared_characters", "noun", "verb",
    "new", "narrower", "length",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidates:
    """Words with their properties, in the order of their log-odds."""

    words: list[str]
    """As they are read."""
    terms: list[str]
    """As the analyzer returns them."""
    texts: FloatArray
    """Number of texts in which each occurs."""
    features: FloatArray
    """Shape (n, len(FEATURES)), each about 0 to 1."""
    vectors: WordVectors


def find_candidates(topic: Topic, texts: Sequence[str], against: Iterable[str] = ()) -> Candidates:
    """Return the words of *texts* that may belong to *topic*.

    Parameters
    ----------
    topic
        The topic as far as it is known.
    texts
        Texts about it.
    against
        Texts about other things, if there are any, from the same places.
    """
    given = [k.term for k in (*topic.definition.keywords, *topic.definition.negatives)]
    fresh = [
        it.word
        for it in new_words(texts, NEW_WORDS)
        if it.whole >= NEW_WORD_PROBABILITY and it.count >= LEAST_TEXTS
    ]
    analyzer = TextAnalyzer([*given, *fresh])
    inside, outside = TermCounts(), TermCounts()
    lines: list[list[str]] = []
    for text in texts:
        found = [line for line in analyzer.lines(text)[1] if line]
        lines += found
        inside.add(term for line in found for term in line)
    for text in against:
        outside.add(analyzer.terms(text))
    known = {term for key in given for term in analyzer.terms(key)}
    new = set(fresh)
    terms = [
        term
        for term, count in inside.documents.items()
        if count >= LEAST_TEXTS and term not in known and (term in new or _is_content(term))
    ]
    delta, z = log_odds(terms, inside, outside, IdfTable().idf)
    order = np.argsort(-z, kind="stable")[:MOST]
    terms, delta, z = [terms[i] for i in order.tolist()], delta[order], z[order]
    return _described(topic, analyzer, inside, lines, terms, delta, z, new, known)


def _described(
    topic: Topic,
    analyzer: TextAnalyzer,
    inside: TermCounts,
    lines: list[list[str]],
    terms: list[str],
    delta: FloatArray,
    z: FloatArray,
    new: set[str],
    known: set[str],
) -> Candidates:
    idf = IdfTable()
    vectors = learn_vectors(lines)
    tags = load_dictionary().tags
    surfaces: dict[str, str] = {}
    if ascii_terms := [term for term in terms if term.isascii()]:
        wanted = set(ascii_terms)
        surfaces = analyzer.surfaces(" ".join(w for line in lines for w in line if w in wanted))
    core = {term for key in (topic.name, *_core(topic)) for term in analyzer.terms(key)} or known
    narrower = set(narrower_words(topic.name))
    letters = {c for term in core if not term.isascii() for c in term}
    columns = [
        np.clip(z / math.sqrt(max(1.0, inside.texts)), -1.0, 2.0),
        np.clip(delta / 5.0, -1.0, 2.0),
        np.array([idf.idf(term) for term in terms]) / 12.0,
        np.array([inside.documents[term] for term in terms]) / max(1.0, inside.texts),
        together(terms, lines, core),
        vectors.similarity(terms, sorted(core)),
        np.array([bool(letters & set(term)) for term in terms], dtype=float),
        np.array([tags.get(term, "n").startswith("n") for term in terms], dtype=float),
        np.array([tags.get(term, "").startswith("v") for term in terms], dtype=float),
        np.array([term in new for term in terms], dtype=float),
        np.array([term in narrower for term in terms], dtype=float),
        np.array([min(len(term), 6) for term in terms]) / 6.0,
    ]
    texts = np.array([inside.documents[term] for term in terms], dtype=np.float64)
    words = [surfaces.get(term, term) for term in terms]
    return Candidates(words, terms, texts, np.column_stack(columns), vectors)


def together(terms: Sequence[str], lines: Iterable[Sequence[str]], core: set[str]) -> FloatArray:
    """Return how much more often *terms* are in a line with a word of *core*, in [0, 1].

    Normalized pointwise mutual information of a term and the lines that have such a word, below 0 as 0.
    """
    wanted = set(terms)
    total = with_core = 0
    own: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for line in lines:
        words = set(line)
        hits = words & wanted
        total += 1
        own.update(hits)
        if words & core:
            with_core += 1
            both.update(hits)
    if not with_core:
        return np.zeros(len(terms))
    values = []
    for term in terms:
        joint = both[term] / total
        if not joint or joint >= 1.0:
            values.append(0.0)
            continue
        pmi = math.log(joint / (own[term] / total * with_core / total))
        values.append(max(0.0, pmi / -math.log(joint)))
    return np.array(values)


def _core(topic: Topic) -> list[str]:
    return [
        k.term for k in topic.definition.keywords if k.value >= topic.definition.thresholds.link
    ]


def _is_content(term: str) -> bool:
    if term.isascii():
        return term.isalpha() and len(term) > 1
    tag = load_dictionary().tags.get(term)
    return len(term) > 1 and tag is not None and tag[0] in _CONTENT
