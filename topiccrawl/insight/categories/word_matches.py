"""Which pages have a word in the title or among the keywords."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.insight.columns import TermLists
from topiccrawl.insight.overview import Overview
from topiccrawl.text.normalize import normalize
from topiccrawl.text.stem import stem

_HAN: Final = re.compile("[\u3400-\u9fff]")

#: Words of a normalized title and the signs between them; blanks and hyphens join the words of a phrase.
_TOKEN: Final = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+|[^\w\s-]|_")

#: Keys of titles, and of stemmed titles and keywords, among the results of an overview.
_TITLES: Final = "word matches: titles"
_TITLE_STEMS: Final = "word matches: stems of titles"
_STEMS: Final = "word matches: stems"


@dataclass(frozen=True, slots=True)
class WordRows:
    """Masks of rows."""

    in_title: NDArray[np.bool_]
    in_keywords: NDArray[np.bool_]


def matched_rows(overview: Overview, word: str) -> WordRows:
    """Return the pages with *word*: a Chinese one as a part of a title or keyword, another one whole.

    Traditional and simplified characters, and forms of English words, are equal.
    """
    normal = normalize(word).strip()
    if _HAN.search(normal):
        return WordRows(_in_titles(overview, normal), _in_terms(overview, normal))
    stems = [stem(part) for part in normal.split()]
    return WordRows(_in_stemmed_titles(overview, normal), _with_stems(overview, stems))


def _titles(overview: Overview) -> tuple[str, NDArray[np.int64]]:
    """Return all titles in normal form as lines of one text, and where each line begins."""
    found: tuple[str, NDArray[np.int64]] | None = overview.results.get(_TITLES)
    if found is None:
        traditional = overview.books.language.code("zh-Hant")
        lines = []
        for title, language in zip(overview.columns.title, overview.columns.language, strict=True):
            plain = normalize(title) if language == traditional or not title.isascii() else title
            lines.append(" ".join(plain.lower().split()))
        starts = np.zeros(len(lines) + 1, dtype=np.int64)
        np.cumsum([len(line) + 1 for line in lines], out=starts[1:])
        # Kept as a local value, too: another thread may forget results at any time.
        found = overview.results[_TITLES] = ("\n".join(lines), starts)
    return found


def _in_titles(overview: Overview, word: str) -> NDArray[np.bool_]:
    """Return the rows with *word*, which has a Han character, in the title."""
    text, starts = _titles(overview)
    at = np.array([match.start() for match in re.finditer(re.escape(word), text)], dtype=np.int64)
    mask = np.zeros(len(overview), dtype=np.bool_)
    mask[np.searchsorted(starts, at, side="right") - 1] = True
    return mask


def _in_stemmed_titles(overview: Overview, words: str) -> NDArray[np.bool_]:
    """Return the rows in whose titles the stems of *words* follow each other.

    A stem is often no beginning of its word (city, citi; leaves, leaf), so that titles are stemmed, too.
    """
    found: list[str] | None = overview.results.get(_TITLE_STEMS)
    if found is None:
        lines = _titles(overview)[0].split("\n")[: len(overview)]
        found = overview.results[_TITLE_STEMS] = [_stemmed(line) for line in lines]
    wanted = _stemmed(words)
    return np.array([wanted in line for line in found], dtype=np.bool_)


def _stemmed(text: str) -> str:
    """Return the stems of a normalized text between spaces."""
    return f" {' '.join(stem(token) for token in _TOKEN.findall(text))} "


def _in_terms(overview: Overview, word: str) -> NDArray[np.bool_]:
    """Return the rows with a keyword that contains *word*."""
    names = overview.books.term.names
    return _with_codes(overview, np.array([word in name for name in list(names)], dtype=np.bool_))


def _with_stems(overview: Overview, stems: list[str]) -> NDArray[np.bool_]:
    """Return the rows with a keyword whose words have *stems*, perhaps beside other words."""
    found: list[str] | None = overview.results.get(_STEMS)
    if found is None:
        names = list(overview.books.term.names)
        found = overview.results[_STEMS] = [
            f" {' '.join(stem(word) for word in name.split())} " if name.isascii() else ""
            for name in names
        ]
    wanted = f" {' '.join(stems)} "
    return _with_codes(overview, np.array([wanted in it for it in found], dtype=np.bool_))


def _with_codes(overview: Overview, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    lists: TermLists = overview.columns.terms
    mask = np.zeros(len(overview), dtype=np.bool_)
    at = np.flatnonzero(wanted[lists.terms]) if len(wanted) else np.zeros(0, dtype=np.int64)
    mask[np.searchsorted(lists.starts, at, side="right") - 1] = True
    return mask
