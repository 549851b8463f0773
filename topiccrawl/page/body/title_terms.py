"""Terms of the title in the blocks: a text says what its title says, a feed of other pages below it hardly does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from topiccrawl.page.body.blocks import Floats
    from topiccrawl.page.body.joined_lines import JoinedLines

_HAN: Final = re.compile("[\u3400-\u9fff]{2,}")
_WORD: Final = re.compile(r"[^\W\d_\u3400-\u9fff]{4,}")
#: Most terms of a title that are searched (a guess: a title has about 25 characters).
_MOST_TERMS: Final = 40


def terms_of(title: str) -> list[str]:
    """Return the pairs of Han characters and the longer words of a title in lower case.

    >>> terms_of("侨批 of the archive")
    ['侨批', 'archive']
    """
    pairs = [run[i : i + 2] for run in _HAN.findall(title) for i in range(len(run) - 1)]
    return list(dict.fromkeys(pairs + _WORD.findall(title)))[:_MOST_TERMS]


def title_terms(title: str, lines: JoinedLines) -> Floats:
    """Return how many terms of the title each line has, each weighted by its rarity; shape (lines,).

    Parameters
    ----------
    title : str
        The page's title in lower case.
    lines : JoinedLines
        Lines of the page in lower case.
    """
    found = [0.0] * len(lines)
    for term in terms_of(title):
        rows = lines.containing(term)
        for row in rows:
            found[row] += 1 / len(rows) ** 0.5
    return np.asarray(found)
