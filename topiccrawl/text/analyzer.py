"""Split strings into terms, in the same way for topics, pages, anchors and titles."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Sequence

from topiccrawl.text.acronyms import Acronyms
from topiccrawl.text.normalize import normalize, normalize_all, normalize_text
from topiccrawl.text.segment import Engine, make_segmenter
from topiccrawl.text.stem import stem
from topiccrawl.text.words import stop_words

#: Longer tokens are hashes, base64 and the like (a guess; the longest English words have < 30 characters).
_LONGEST_WORD = 40
#: Words whose term is cached; about 10 MB when full, then the cache is emptied (a choice).
_KEPT_WORDS = 65_536
#: Short strings whose terms are cached: navigation anchors repeat on every page of a site (a choice).
_KEPT_STRINGS = 8_192
#: Longest string, in characters, that ``terms_all`` caches: anchors and titles, not bodies (a choice).
_SHORT = 64
#: Characters of a text that are segmented: texts of pages have up to 150,000, but the normal form of one
#: character can have 18 (U+FDFA).
_LONGEST_TEXT = 200_000
#: Measure words: a numeral with one of them (三月, 一名) is a number, not a word.
_COUNTED = "年月日号个名位家项种次条件届岁元"


class _Terms(dict[str, str]):
    """Terms of words, each computed once."""

    def __init__(self, term: Callable[[str], str]) -> None:
        super().__init__()
        self._term = term

    def __missing__(self, word: str) -> str:
        term = self._term(word)
        if len(word) <= _LONGEST_WORD:  # a page can be one word of megabytes
            self[word] = term
        return term


class TextAnalyzer:
    """Normalize and segment text, drop tokens without meaning, stem English words.

    Dropped are stop words, punctuation, pure numbers (Arabic or Chinese, with or without a measure
    word), single characters and tokens of more than 40 characters.

    Parameters
    ----------
    words
        Words of the topic.  The segmenter keeps them whole, and none of them is dropped, not even a
        single character (茶) or a stop word.  Of one in capitals (WHO) only the same capitals are kept.
    engine
        Segmentation engine, see :func:`~topiccrawl.text.segment.make_segmenter`.
    """

    def __init__(self, words: Iterable[str] = (), engine: Engine = "auto") -> None:
        words = list(words)
        self._acronyms = Acronyms(words)
        normal = normalize_all(words)
        self._segmenter = make_segmenter(normal, engine)
        capitals = {name.lower() for name in self._acronyms.names.values()}
        self._kept = frozenset(word for word in normal if word and word not in capitals)
        self._term_of = _Terms(self._term)
        self._terms_of: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def terms(self, text: str) -> list[str]:
        """Return the terms of one text, in order, with repetitions."""
        return self._terms(normalize_text(self._acronyms.mark(text)))

    def terms_all(self, texts: Sequence[str]) -> list[list[str]]:
        """Return ``[terms(t) for t in texts]``, fast for many short strings.

        New strings are normalized in one call.  The terms of strings of up to 64 characters are kept in
        an LRU cache.
        """
        memory = self._terms_of
        new = [text for text in dict.fromkeys(texts) if text not in memory]
        marked = list(map(self._acronyms.mark, new))
        found = dict(zip(new, map(self._terms, normalize_all(marked)), strict=True))
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
        """Return the normal form of *text* and the terms of each of its lines.

        Nothing is cached: sentences hardly ever repeat, and would evict the anchors that do from the cache
        of :meth:`terms_all`.
        """
        normal = normalize(text)
        marked = normalize(self._acronyms.mark(text)) if self._acronyms.names else normal
        return normal, list(map(self._terms, marked.split("\n")))

    def surfaces(self, text: str) -> dict[str, str]:
        """Return for each term of *text* the word it most often stands for (cyclon: cyclone)."""
        counts: dict[str, Counter[str]] = {}
        for word in self._segmenter.cut(normalize(self._acronyms.mark(text))):
            if term := self._term(word):
                counts.setdefault(term, Counter())[self._acronyms.names.get(word, word)] += 1
        # Among equally frequent words the shortest, then the first alphabetically.
        return {
            term: min(words, key=lambda word: (-words[word], len(word), word))
            for term, words in counts.items()
        }

    def _terms(self, normal: str) -> list[str]:
        if len(self._term_of) > _KEPT_WORDS:
            self._term_of.clear()
        words = self._segmenter.cut(normal[:_LONGEST_TEXT])
        return list(filter(None, map(self._term_of.__getitem__, words)))

    def _term(self, word: str) -> str:
        """Return the term of a normalized word, or an empty string if it is dropped."""
        if word in self._acronyms.names:
            return self._acronyms.names[word]
        if word not in self._kept and (
            len(word) == 1
            or len(word) > _LONGEST_WORD
            or word in stop_words()
            or word.rstrip(_COUNTED).isnumeric()
        ):  # fmt: skip
            return ""
        return stem(word) if word.isascii() else word
