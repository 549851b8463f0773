"""Terms of the title in the blocks: a text says what its title says, a feed of other pages below it hardly does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.body.blocks import Floats

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


def title_terms(title: str, lines: Sequence[str]) -> Floats:
    """Return how many terms of the title each line has, each weighted by its rarity; shape (lines,).

    Parameters
    ----------
    title : str
        The page's title in lower case.
    lines : sequence of str
        Lines of the page in lower case, without line ends. Those that are the title have none.
    """
    text = "\n".join(lines)
    ends = np.cumsum([len(line) + 1 for line in lines])
    found = np.zeros(len(lines))
    for term in terms_of(title):
        at, places = text.find(term), []
        while at >= 0:
            places.append(at)
            at = text.find(term, at + len(term))
        if places:
            rows = np.unique(np.searchsorted(ends, places, "right"))
            found[rows] += 1 / len(rows) ** 0.5
    found[[line == title for line in lines]] = 0
    return found
