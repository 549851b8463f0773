"""Words that may belong to a topic, with the evidence for each in the texts of the topic."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix, diags

from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.topics.subjects import narrower_words
from topiccrawl.vocabulary.contrast import TermCounts, log_odds
from topiccrawl.vocabulary.dictionary import load_dictionary
from topiccrawl.vocabulary.new_words import new_words
from topiccrawl.vocabulary.vectors import WordVectors, learn_vectors

if TYPE_CHECKING:
    from topiccrawl.scoring.arrays import FloatArray
    from topiccrawl.topics.topic import Topic

#: Texts of each sort that are looked at (a choice: enough to tell subjects apart, a few MB).
MOST_TEXTS: Final = 1_000


def text_vectors(terms: Sequence[str], texts: Sequence[AbstractSet[str]]) -> csr_matrix:
    """Return rows of norm 1 with the positive pointwise mutual information of each term and text.

    Shape (len(terms), len(texts)); a term in none of the texts has a row of zeros.
    """
    index = {term: i for i, term in enumerate(terms)}
    pairs = [(index[term], j) for j, text in enumerate(texts) for term in text if term in index]
    shape = (len(terms), max(1, len(texts)))
    if not pairs:
        return csr_matrix(shape)
    rows, columns = np.array(pairs).T
    of_term = np.bincount(rows, minlength=shape[0])
    of_text = np.bincount(columns, minlength=shape[1])
    values = np.log(len(pairs) / (of_term[rows] * of_text[columns].astype(np.float64)))
    matrix = csr_matrix((np.maximum(values, 0.0), (rows, columns)), shape=shape)
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    return csr_matrix(diags(1.0 / np.maximum(norms, 1e-9)) @ matrix)


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
    "new", "narrower", "length", "burst", "frequency",
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
    """Shape (n, len(FEATURES)), each about -1 to 1."""
    vectors: WordVectors
    in_texts: csr_matrix
    """In which texts each occurs: rows of norm 1, see :func:`text_vectors`."""


#: Returns the counts of terms in the pages of a crawl that are about the topic, and in all others.
CrawledCounts: TypeAlias = "Callable[[Sequence[str]], tuple[TermCounts, TermCounts]]"


def find_candidates(
    topic: Topic,
    texts: Sequence[str],
    against: Iterable[str] = (),
    crawled: CrawledCounts | None = None,
) -> Candidates:
    """Return the words of *texts* that may belong to *topic*.

    Parameters
    ----------
    topic
        The topic as far as it is known.
    texts
        Texts about it.
    against
        Texts about other things, if there are any, from the same places.
    crawled
        Counts of the terms of all pages of a crawl, in place of *against*.
    """
    given = [k.term for k in (*topic.definition.keywords, *topic.definition.negatives)]
    fresh = [
        it.word
        for it in new_words(texts, NEW_WORDS)
        if it.whole >= NEW_WORD_PROBABILITY and it.count >= LEAST_TEXTS
    ]
    analyzer = TextAnalyzer([*given, *fresh])
    read = _read(analyzer, texts, against)
    known = {term for key in given for term in analyzer.terms(key)}
    new = set(fresh)
    terms = [
        term
        for term, count in read.inside.documents.items()
        if count >= LEAST_TEXTS and term not in known and (term in new or _is_content(term))
    ]
    delta, z = _contrast(terms, read.inside, read.outside, new, crawled)
    order = np.argsort(-z, kind="stable")[:MOST]
    terms, delta, z = [terms[i] for i in order.tolist()], delta[order], z[order]
    core = {term for key in (topic.name, *_core(topic)) for term in analyzer.terms(key)} or known
    vectors = learn_vectors(read.lines)
    columns = [
        np.clip(z, -1.0, 2.0),
        np.clip(delta / 5.0, -1.0, 2.0),
        *_counted_columns(terms, read, core, vectors),
        *_word_columns(terms, core, new, set(narrower_words(topic.name))),
    ]
    by_name = dict(zip(_COMPUTED, columns, strict=True))
    return Candidates(
        _surfaces(terms, read.lines, analyzer),
        terms,
        np.array([read.inside.documents[term] for term in terms], dtype=np.float64),
        np.column_stack([by_name[name] for name in FEATURES]),
        vectors,
        text_vectors(terms, read.sets),
    )


@dataclass(slots=True)
class _Read:
    """What is counted in the texts."""

    inside: TermCounts = field(default_factory=TermCounts)
    outside: TermCounts = field(default_factory=TermCounts)
    occurrences: Counter[str] = field(default_factory=Counter)
    """Of each term in the texts of the topic."""
    lines: list[list[str]] = field(default_factory=list)
    """Terms of each of their lines."""
    sets: list[set[str]] = field(default_factory=list)
    """Different terms of each text, at most :data:`MOST_TEXTS` of each sort."""


def _read(analyzer: TextAnalyzer, texts: Sequence[str], against: Iterable[str]) -> _Read:
    read = _Read()
    for text in texts:
        found = [line for line in analyzer.lines(text)[1] if line]
        read.lines += found
        read.inside.add(term for line in found for term in line)
        read.occurrences.update(term for line in found for term in line)
        if read.inside.texts <= MOST_TEXTS:
            read.sets.append({term for line in found for term in line})
    for text in against:
        others = set(analyzer.terms(text))
        read.outside.add(others)
        if read.outside.texts <= MOST_TEXTS:
            read.sets.append(others)
    return read


def _contrast(
    terms: Sequence[str],
    inside: TermCounts,
    outside: TermCounts,
    new: set[str],
    crawled: CrawledCounts | None,
) -> tuple[FloatArray, FloatArray]:
    """Return δ and z / √n of the log-odds; a crawl's pages are no evidence about words that are new to it."""
    idf = IdfTable().idf
    delta, z = log_odds(terms, inside, outside, idf)
    z = z / math.sqrt(max(1.0, inside.texts))
    if crawled is None:
        return delta, z
    here, there = crawled(terms)
    its_delta, its_z = log_odds(terms, here, there, idf)
    seen = np.array([term not in new and here.documents[term] > 0 for term in terms], dtype=bool)
    its_z = its_z / math.sqrt(max(1.0, here.texts))
    return np.where(seen, its_delta, delta), np.where(seen, its_z, z)


#: :data:`FEATURES` in the order in which they are computed.
_COMPUTED: Final = (
    "log_odds", "lift", "specificity", "share", "together", "near_topic", "burst", "frequency",
    "shared_characters", "noun", "verb", "new", "narrower", "length",
)  # fmt: skip


def _counted_columns(
    terms: Sequence[str], read: _Read, core: set[str], vectors: WordVectors
) -> list[FloatArray]:
    """Return the features of how often terms occur, and beside which others."""
    idf, documents, total = IdfTable(), read.inside.documents, read.inside.texts
    return [
        np.array([idf.idf(term) for term in terms]) / 12.0,
        np.array([documents[term] for term in terms]) / max(1.0, total),
        together(terms, read.lines, core),
        vectors.similarity(terms, sorted(core)),
        np.log([read.occurrences[term] / documents[term] for term in terms]),
        np.log([documents[term] / total for term in terms]) / 5.0,
    ]


def _word_columns(
    terms: Sequence[str], core: set[str], new: set[str], narrower: set[str]
) -> list[FloatArray]:
    """Return the features of the terms themselves."""
    tags = load_dictionary().tags
    letters = {c for term in core if not term.isascii() for c in term}
    return [
        np.array([bool(letters & set(term)) for term in terms], dtype=float),
        np.array([tags.get(term, "n").startswith("n") for term in terms], dtype=float),
        np.array([tags.get(term, "").startswith("v") for term in terms], dtype=float),
        np.array([term in new for term in terms], dtype=float),
        np.array([term in narrower for term in terms], dtype=float),
        np.array([min(len(term), 6) for term in terms]) / 6.0,
    ]


def _surfaces(
    terms: Sequence[str], lines: Iterable[Sequence[str]], analyzer: TextAnalyzer
) -> list[str]:
    """Return the words that *terms* most often stand for."""
    wanted = {term for term in terms if term.isascii()}
    surfaces: dict[str, str] = {}
    if wanted:
        surfaces = analyzer.surfaces(" ".join(w for line in lines for w in line if w in wanted))
    return [surfaces.get(term, term) for term in terms]


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
