"""jieba's dictionary: its words, and statistics of single characters."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from topiccrawl.scoring.arrays import FloatArray
    from topiccrawl.vocabulary.ngrams import CodedText

#: Columns of :meth:`Dictionary.characters`.
BEGIN, MIDDLE, END, SINGLE, SURNAME, GIVEN, PLACE_END, NAME_END = range(8)
#: Number of those columns.
COLUMNS = 8
#: Added to each count of a character, so that one that is in few words is not certain of anything (a guess).
_PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Dictionary:
    """The words of a dictionary with their parts of speech."""

    tags: dict[str, str]
    """Part of speech of each word, in jieba's letters (n noun, v verb, nr person, …)."""
    table: dict[str, FloatArray]
    """The row of each character, see :meth:`characters`."""

    def __contains__(self, word: str) -> bool:
        return word in self.tags

    def characters(self, text: CodedText) -> FloatArray:
        """Return the statistics of each character of an alphabet, shape (size, 8).

        Four columns are the shares of the words in which it is the first, an inner, the last and the only
        character, the words weighted by the logarithm of their frequency, one by its frequency.  Four are
        shares of the words that begin with it (surnames), contain it after the first place (given names), or
        end with it (places; any names) and are of that kind.
        """
        table = np.full((len(text.alphabet), COLUMNS), 0.25)
        table[:, SURNAME:] = 0.0
        for i, point in enumerate(text.alphabet.tolist()):
            row = self.table.get(chr(point))
            if row is not None:
                table[i] = row
        return table


@cache
def load_dictionary() -> Dictionary:
    """Read jieba's dict.txt: "word frequency tag" lines, 350,000 of them, in about a second."""
    text = (files("jieba") / "dict.txt").read_text(encoding="utf-8")
    tags: dict[str, str] = {}
    places: dict[str, list[float]] = defaultdict(lambda: [_PRIOR] * 4)
    names: dict[str, list[float]] = defaultdict(lambda: [0.0] * 7)
    for line in text.splitlines():
        word, frequency, tag = line.split(" ")
        tags[word] = tag
        weight = np.log1p(float(frequency))
        if len(word) == 1:
            places[word][SINGLE] += float(frequency) ** 0.5
            continue
        places[word[0]][BEGIN] += weight
        places[word[-1]][END] += weight
        for character in word[1:-1]:
            places[character][MIDDLE] += weight
        person = tag.startswith("nr")
        names[word[0]][0] += 1
        names[word[0]][1] += person
        for character in word[1:]:
            names[character][2] += 1
            names[character][3] += person
        names[word[-1]][4] += 1
        names[word[-1]][5] += tag.startswith("ns")
        names[word[-1]][6] += tag.startswith(("ns", "nt", "nz"))
    return Dictionary(tags, {c: _row(places[c], names[c]) for c in places})


def _row(places: list[float], names: list[float]) -> FloatArray:
    begins, surname, inside, given, ends, place, name = names
    total = sum(places)
    return np.array(
        [
            *(value / total for value in places),
            surname / (begins + 10),
            given / (inside + 10),
            place / (ends + 10),
            name / (ends + 10),
        ]
    )
