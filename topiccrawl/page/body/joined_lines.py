"""Search the lines of a page all at once: one search of the joined text takes less than one of each line."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

#: A character that no page contains, and that is neither a letter nor white space.
SEPARATOR: Final = "\0"


class JoinedLines:
    """Lines that are searched as one text.

    Parameters
    ----------
    lines : sequence of str
        Lines without the separator.
    separator : str
        One character that no match contains.
    """

    def __init__(self, lines: Sequence[str], separator: str = SEPARATOR) -> None:
        self.text = separator.join(lines)
        self._ends = list(accumulate([len(line) + 1 for line in lines]))

    def __len__(self) -> int:
        return len(self._ends)

    def containing(self, term: str) -> list[int]:
        """Return the numbers of the lines that contain a text without the separator, ascending."""
        rows = []
        at = self.text.find(term)
        while at >= 0:
            row = bisect_right(self._ends, at)
            rows.append(row)
            at = self.text.find(term, self._ends[row])
        return rows

    def containing_any(self, words: Iterable[str]) -> set[int]:
        """Return the numbers of the lines that contain any of these texts, which are not empty."""
        text = self.text
        # A character is found several times faster than a word.
        return {row for word in words if word[0] in text for row in self.containing(word)}

    def matching(self, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
        """Return whether a pattern is found in each line; it must not look for the ends of lines."""
        found = np.zeros(len(self._ends), np.bool_)
        match = pattern.search(self.text)
        while match is not None:
            row = bisect_right(self._ends, match.start())
            found[row] = True
            match = pattern.search(self.text, self._ends[row])
        return found
