"""Which keywords of a topic a text contains, matched as the user gave them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from topiccrawl.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """The keywords found in a text: a title, a body or an anchor."""

    distinct: int = 0
    """Number of different keywords found."""
    max_rel: float = 0.0
    """Largest value among them, in [0, 1]; 0 if there are none."""


NO_HITS = KeywordHits()


class KeywordMatcher:
    """Finds keywords by their full sequences of terms, longest first.

    Parameters
    ----------
    keywords
        Value in (0, 1] by the terms of a keyword.
    negatives
        Sequences that hide the keywords in them (华侨城, 华侨) and are not counted themselves.
    """

    def __init__(
        self,
        keywords: Mapping[tuple[str, ...], float],
        negatives: Iterable[tuple[str, ...]] = (),
    ) -> None:
        self._rels = dict(keywords)
        self._vocabulary = Vocabulary({**dict.fromkeys(negatives, 0.0), **self._rels})
        self._first = frozenset(key[0] for key in self._rels)

    def hits(self, terms: Sequence[str]) -> KeywordHits:
        """Return the keywords in a text; O(len(terms))."""
        if self._first.isdisjoint(terms):  # nearly every anchor and title
            return NO_HITS
        spans = self._vocabulary.spans(terms)
        found = {key for s, e, _, _ in spans if (key := tuple(terms[s:e])) in self._rels}
        return KeywordHits(len(found), max(self._rels[key] for key in found)) if found else NO_HITS

    def value_of(self, terms: Sequence[str]) -> float:
        """Return the value of the keyword with exactly these terms; 0 if there is none."""
        return self._rels.get(tuple(terms), 0.0)
