"""The one way from a string to terms, for topics, pages, anchors and titles alike."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from topiccrawl.text.normalize import normalize, normalize_all
from topiccrawl.text.segment import Engine, make_segmenter
from topiccrawl.text.stem import stem
from topiccrawl.text.words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_WORD = 40
"""Longer tokens are hashes, base64 and the like (a guess; the longest English words have < 30)."""

_KEPT_WORDS = 200_000
"""Words whose term is remembered; about 30 MB when full, then it starts over."""

_KEPT_STRINGS = 20_000
"""Short strings whose terms are remembered: navigation anchors repeat on every page of a site."""

_SHORT = 64
"""Longest string, in characters, that `terms_all` remembers: anchors and titles, not bodies."""


_COUNTED = "年月日号个名位家项种次条件届岁元"
"""Measure words: a numeral with one of them (三月, 一名) is a number, not a word."""


class TextAnalyzer:
    """Normalise, segment, drop what says nothing, stem English.

    Dropped: stop words, punctuation, pure numbers (Arabic or Chinese, with or without a measure
    word), single characters, tokens over 40 characters. `words` are the topic's: the segmenter
    keeps them whole, and none of them is dropped, not even a single character (茶) or a stop word.
    """

    def __init__(self, words: Iterable[str] = (), engine: Engine = "auto") -> None:
        normal = normalize_all(list(words))
        self._segmenter = make_segmenter(normal, engine)
        self._kept = frozenset(word for word in normal if word)
        self._term_of: dict[str, str] = {}
        self._terms_of: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def terms(self, text: str) -> list[str]:
        """Return the terms of one text, in order, with repetitions."""
        return self._terms(normalize(text))

    def terms_all(self, texts: Sequence[str]) -> list[list[str]]:
        """Return ``[terms(t) for t in texts]``, fast for many short strings.

        New strings are normalised in one call; the terms of strings up to 64 characters are
        remembered, least recently used forgotten first.
        """
        memory = self._terms_of
        new = [text for text in dict.fromkeys(texts) if text not in memory]
        found = dict(zip(new, map(self._terms, normalize_all(new)), strict=True))
        result: list[list[str]] = []
        for text in texts:
            known = found.get(text)
            if known is None:
                memory.move_to_end(text)
                result.append(list(memory[text]))
            else:
                result.append(list(known))
        memory.update((t, tuple(terms)) for t, terms in found.items() if len(t) <= _SHORT)
        while len(memory) > _KEPT_STRINGS:
            memory.popitem(last=False)
        return result

    def lines(self, text: str) -> tuple[str, list[list[str]]]:
        """Return the normal form of ``text`` and the terms of each of its lines.

        As many lists as ``text`` has lines. Nothing is remembered: sentences hardly ever repeat,
        and would push the anchors that do out of the memory of :meth:`terms_all`.
        """
        normal = normalize(text)
        return normal, list(map(self._terms, normal.split("\n")))

    def surfaces(self, text: str) -> dict[str, str]:
        """Return for each term of `text` the word it most often stands for (cyclon: cyclone)."""
        counts: dict[str, Counter[str]] = {}
        for word in self._segmenter.cut(normalize(text)):
            if term := self._term(word):
                counts.setdefault(term, Counter())[word] += 1
        # Of equally frequent words the shortest, then the first of the alphabet.
        return {
            term: min(words, key=lambda word: (-words[word], len(word), word))
            for term, words in counts.items()
        }

    def _terms(self, normal: str) -> list[str]:
        term_of = self._term_of
        if len(term_of) > _KEPT_WORDS:
            term_of.clear()
        terms: list[str] = []
        for word in self._segmenter.cut(normal):
            term = term_of.get(word)
            if term is None:
                term = term_of[word] = self._term(word)
            if term:
                terms.append(term)
        return terms

    def _term(self, word: str) -> str:
        """Return the term of one normalised word, or an empty string for one that is dropped."""
        if word not in self._kept and (
            len(word) == 1
            or len(word) > _LONGEST_WORD
            or word in stop_words()
            or word.rstrip(_COUNTED).isnumeric()
        ):  # fmt: skip
            return ""
        return stem(word) if word.isascii() else word
