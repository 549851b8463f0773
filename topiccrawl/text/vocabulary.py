"""Match graded terms in a sequence of terms, longest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def join_terms(terms: Sequence[str]) -> str:
    """Join terms to a name, with a space between two ASCII words and nothing between Han words."""
    name = ""
    for term in terms:
        if name and name[-1].isascii() and term[:1].isascii():
            name += " "
        name += term
    return name


class Vocabulary:
    """Terms of one or several words with a value each: the ``rel(t)`` of [thesis] 4.5.

    Parameters
    ----------
    entries
        Value of each sequence of terms of ``TextAnalyzer.terms``.  Negative terms are entries with a low
        value: as they are longer than the term they contain (华侨城, 华侨), they match instead of it.
    names
        Names that are reported for sequences; by default their joined terms.

    Raises
    ------
    ValueError
        A sequence is empty.
    """

    def __init__(
        self,
        entries: Mapping[tuple[str, ...], float],
        names: Mapping[tuple[str, ...], str] | None = None,
    ) -> None:
        names = names or {}
        # First term -> [(remaining terms, name, value)], longest first: for nearly all terms of a page a
        # single lookup shows that nothing starts there.
        self._by_first: dict[str, list[tuple[tuple[str, ...], str, float]]] = {}
        for key, value in entries.items():
            if not key:
                raise ValueError("a vocabulary entry must have at least one term")
            name = names.get(key) or join_terms(key)
            self._by_first.setdefault(key[0], []).append((key[1:], name, value))
        for tails in self._by_first.values():
            tails.sort(key=lambda tail: (-len(tail[0]), tail[0]))
        self._size = len(entries)

    def __len__(self) -> int:
        return self._size

    def match(self, terms: Sequence[str]) -> list[tuple[str, float]]:
        """Return (name, value) of every match, left to right, longest first.

        Matches do not overlap: the search continues after each.  A term that occurs twice is reported
        twice.
        """
        return [(name, value) for _, _, name, value in self.spans(terms)]

    def spans(self, terms: Sequence[str]) -> list[tuple[int, int, str, float]]:
        """Return (start, end, name, value) of every match, which covers ``terms[start:end]``.

        O(len(terms)) for a vocabulary with few entries per first term.
        """
        found: list[tuple[int, int, str, float]] = []
        by_first = self._by_first
        end = 0
        for i, term in enumerate(terms):
            if term not in by_first or i < end:
                continue
            for tail, name, value in by_first[term]:
                if not tail or tuple(terms[i + 1 : i + 1 + len(tail)]) == tail:
                    end = i + 1 + len(tail)
                    found.append((i, end, name, value))
                    break
        return found
