"""Semantic similarity of words and texts to a topic: the M_k of [doc002].

::

    s(w)   = max_{t∈T} rel(t)·sim(w, t)          sim of WordNet or of word vectors; 1 for w = t
    M_k(X) = mean of the k largest s(w), w∈X     X: the different words of a text

T is the topic's graded vocabulary.  With all rel(t) = 1 and WordNet this is the form in [doc002];
without WordNet and vectors, s(w) > 0 only for the words of the vocabulary.
"""

from __future__ import annotations

import heapq
import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from topiccrawl.analysis import vectors
from topiccrawl.analysis.wordnet import load_wordnet
from topiccrawl.language import _

if TYPE_CHECKING:
    from topiccrawl.topics.topic import Topic

logger = logging.getLogger(__name__)


class WordSimilarity:
    """s(w) of every term that is similar to the topic, computed once, and M_k of texts.

    Raises ``ConfigurationError`` if one of the files cannot be read; the message names the setting.

    Parameters
    ----------
    top
        k of M_k, >= 1.
    wordnet
        Path of WordNet, ``""`` for none; see :func:`~topiccrawl.analysis.wordnet.load_wordnet`.
    vectors_file
        Path of word vectors, see :func:`~topiccrawl.analysis.vectors.read_vectors`.  With ``""``,
        vectors are learned from the topic's samples if these are long enough.
    """

    def __init__(
        self, topic: Topic, *, top: int, wordnet: str = "", vectors_file: str = ""
    ) -> None:
        self._topic = topic
        self._top = top
        self._near: dict[str, float] = {}
        if wordnet:
            self._add_wordnet(wordnet)
        self._add_vectors(vectors_file)
        if not self._near:
            logger.info(
                _(
                    "Strategy semantic has neither WordNet (TOPICCRAWL_SEMANTIC_WORDNET) nor word "
                    "vectors (TOPICCRAWL_SEMANTIC_VECTORS): it uses the %(words)d graded words of "
                    "the topic only"
                ),
                {"words": len(topic.vocabulary)},
            )

    def mean_top(self, terms: Sequence[str]) -> float:
        """Return M_k(X) of the terms of a text, in [0, 1]; nan for a text without terms.

        A graded phrase of several terms (tropical cyclone) counts as one word.
        """
        values: dict[str, float] = {}
        spans = self._topic.vocabulary.spans(terms)
        graded: set[int] = set()
        for start, end, name, value in spans:
            graded.update(range(start, end))
            values[f"\x1f{name}"] = value
        near = self._near.get
        for i, term in enumerate(terms):
            if i not in graded:
                values[term] = near(term, 0.0)
        k = min(self._top, len(values))
        return math.fsum(heapq.nlargest(k, values.values())) / k if k else math.nan

    def _add_wordnet(self, path: str) -> None:
        keywords = self._topic.definition.keywords
        words = {k.term.lower().replace(" ", "_"): k.value for k in keywords}
        for lemma, value in load_wordnet(path).similarities(words).items():
            # The similarity of "tropical_cyclone" to the topic is no evidence for its parts.
            if "_" not in lemma:
                self._add(self._term_of(lemma), value)

    def _add_vectors(self, path: str) -> None:
        definition, analyzer = self._topic.definition, self._topic.analyzer
        words: dict[str, float] = {}
        for keyword in definition.keywords:
            term = self._term_of(keyword.term)
            words[term] = max(words.get(term, 0.0), keyword.value)
        words.pop("", None)
        if path:
            found: vectors.Vectors | None = vectors.read_vectors(path)
        else:
            lines = (analyzer.lines(sample.text)[1] for sample in definition.samples)
            found = vectors.learn_vectors([line for text in lines for line in text if line])
        if found is None:
            return
        # Learned vectors belong to terms already.
        term_of = self._term_of if path else str
        for term, value in vectors.similarities(found, words, term_of).items():
            self._add(term, value)

    def _term_of(self, word: str) -> str:
        """Return the term of a word, "" if it has none or several."""
        terms = self._topic.analyzer.terms(word)
        return terms[0] if len(terms) == 1 else ""

    def _add(self, term: str, value: float) -> None:
        if term and value > self._near.get(term, 0.0):
            self._near[term] = value
