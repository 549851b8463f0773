"""Numbers for repeated texts, so that a column of texts becomes an array of integers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: A column of codes.
Codes = NDArray[np.int32]

#: Code of a text that is not in the book.
_ABSENT: Final = -1


class Codebook:
    """Texts and their codes, 0, 1, 2 … in the order in which they were added.

    Texts are only ever added, so that columns made earlier stay valid; one thread may add while others
    read.
    """

    __slots__ = ("_codes", "names")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.names: list[str] = []
        self._codes: dict[str, int] = {}
        for name in names:
            self.add(name)

    def __len__(self) -> int:
        return len(self.names)

    def add(self, name: str) -> int:
        """Return the code of *name*, which is added if it is new."""
        code = self._codes.get(name)
        if code is None:
            code = len(self.names)
            self.names.append(name)
            self._codes[name] = code
        return code

    def code(self, name: str) -> int:
        """Return the code of *name*, -1 if it is not in the book."""
        return self._codes.get(name, _ABSENT)

    def encode(self, names: Iterable[str]) -> Codes:
        """Return the codes of *names*; new ones are added."""
        return np.fromiter((self.add(name) for name in names), dtype=np.int32)

    def counts(self, codes: Codes) -> NDArray[np.int64]:
        """Return how often each code of the book occurs in *codes*; shape (len(self),)."""
        return np.bincount(codes[codes >= 0], minlength=len(self.names))
