"""Which texts of a story share edits: similarity by the shingles that not all of them have.

The texts of a story are nearly equal, so that plain overlaps hardly differ.  A shingle counts by its
rarity in the story, ``w(s) = ln(n / df(s))``: what all texts have counts nothing, and what two texts alone
have (a paragraph added in one copy and passed on with it) counts most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from topiccrawl.dedup.shingles import shingles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

#: Characters of a text that are compared (a guess: longer articles are rare).
_MOST_CHARACTERS: Final = 30_000
#: Added to the weight of the union: the similarity of texts without rare shingles stays defined, and
#: one rare shingle is little evidence (a guess: about the shingles of one changed word).
_SMOOTHING: Final = 5.0


@dataclass(frozen=True, slots=True)
class Likeness:
    """Similarities of the distinct texts of a story."""

    text_of: NDArray[np.int64]
    """Number of the text of each member."""
    similarity: NDArray[np.float64]
    """Weighted Jaccard similarity of two texts, in [0, 1]; shape (texts, texts)."""

    def row(self, member: int) -> NDArray[np.float64]:
        """Return the similarity of a member's text to that of each member; 1 for the same text."""
        text = self.text_of[member]
        values: NDArray[np.float64] = self.similarity[text][self.text_of]
        return np.where(self.text_of == text, 1.0, values)

    def between(self, first: int, second: int) -> float:
        """Return the similarity of two members' texts; 1 for the same text."""
        a, b = self.text_of[first], self.text_of[second]
        return 1.0 if a == b else float(self.similarity[a, b])


def likeness(texts: Sequence[str]) -> Likeness:
    """Compare the *texts* of the members of a story with each other."""
    known: dict[bytes, int] = {}
    distinct: list[NDArray[np.uint64]] = []
    text_of = np.empty(len(texts), np.int64)
    for at, text in enumerate(texts):
        found = shingles(text[:_MOST_CHARACTERS])
        key = found.tobytes()
        if key not in known:
            known[key] = len(distinct)
            distinct.append(found)
        text_of[at] = known[key]
    n = len(distinct)
    if not any(len(found) for found in distinct):
        return Likeness(text_of, np.zeros((n, n)))
    _, column, frequency = np.unique(
        np.concatenate(distinct), return_inverse=True, return_counts=True
    )
    weight = np.log(n / frequency)
    starts = np.concatenate(([0], np.cumsum([len(found) for found in distinct])))
    rare = weight[column] > 0
    ends = np.concatenate(([0], np.cumsum(rare)))[starts]
    columns = column[rare]
    matrix = csr_array(
        (np.sqrt(weight[columns]), columns, ends), shape=(n, len(weight)), dtype=np.float64
    )
    shared = (matrix @ matrix.T).toarray()
    own = shared.diagonal()
    union = own[:, None] + own[None, :] - shared
    return Likeness(text_of, shared / (union + _SMOOTHING))
