"""Term specificity (IDF) from jieba's table of Chinese and a short list of English words."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from topiccrawl.text.stem import stem
from topiccrawl.text.words import common_english

#: IDF of a word missing from jieba's table: the table's median, as in jieba itself.
UNKNOWN_HAN = 11.9547675029
#: IDF of a Latin term that is not in the list of common words.  A guess between the common words (4 to 6.5)
#: and ``UNKNOWN_HAN``, lower than the latter because the list is short and lacks many ordinary words.
UNKNOWN_OTHER = 9.0
#: Lookups that an instance caches before it starts over: bounds memory on a long crawl (a choice).
_KEPT = 200_000


@cache
def _jieba_table() -> dict[bytes, float]:
    """Read jieba's idf.txt: "word value" lines, 270,000 of them, in about 0.13 seconds.

    The words stay in UTF-8: decoding them takes half as long again, and more memory.
    """
    parts = _jieba_file().split()
    values = parts[1::2]
    # There are a few thousand distinct values: sharing the objects saves 6 MB.
    numbers = {value: float(value) for value in set(values)}
    return dict(zip(parts[0::2], map(numbers.__getitem__, values), strict=True))


def _bytes(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")


def _jieba_file() -> bytes:
    """Return idf.txt without importing jieba, which imports pkg_resources, .3 s."""
    spec = find_spec("jieba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("No module named 'jieba'", name="jieba")
    name = os.path.join(os.path.dirname(spec.origin), "analyse", "idf.txt")  # noqa: PTH118, PTH120 - for loaders
    get_data = getattr(spec.loader, "get_data", None)  # also of a zipped package
    return Path(name).read_bytes() if get_data is None else bytes(get_data(name))


@cache
def _english_table() -> dict[str, float]:
    table: dict[str, float] = {}
    for word, value in common_english().items():
        term = stem(word)
        table[term] = min(value, table.get(term, value))
    return table


class IdfTable:
    """IDF of normalized terms on a natural-log scale: about 0.9 (的) to 13.9 (rare), always > 0.

    Han terms are looked up in jieba's bundled idf.txt (news corpus), others by their stems in the list of
    common English words; unknown terms get ``UNKNOWN_HAN`` or ``UNKNOWN_OTHER``.  The tables are read at the
    first lookup and shared by all instances.
    """

    def __init__(self) -> None:
        self._known: dict[str, float] = {}

    def idf(self, term: str) -> float:
        """Return the IDF of a normalized term."""
        known = self._known.get(term)
        if known is None:
            known = self._look_up(term)
            if len(self._known) > _KEPT:
                self._known.clear()
            self._known[term] = known
        return known

    def contains(self, term: str) -> bool:
        """Return whether a table contains the term, that is, whether it is a word of common use."""
        return term in _english_table() or _bytes(term) in _jieba_table()

    def _look_up(self, term: str) -> float:
        if term.isascii():
            return _english_table().get(term, UNKNOWN_OTHER)
        value = _jieba_table().get(_bytes(term))
        if value is not None:
            return value
        return UNKNOWN_HAN if any(c >= "㐀" for c in term) else UNKNOWN_OTHER
