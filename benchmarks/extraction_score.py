"""F1 of an extracted text over character bigrams.

    precision = |true ∩ found| / |found|,   recall = |true ∩ found| / |true|,
    F1 = 2 * precision * recall / (precision + recall)

over multisets of bigrams, after NFKC, in lower case, without spaces, zero-width and control characters, so
that Chinese needs no segmentation and a missing line end does not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_SPACES = re.compile(r"[\s\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff\u00ad\x00-\x1f\x7f-\x9f]+")


def normalized(text: str) -> str:
    """Return a text normalized for comparison.

    >>> normalized("Ａ B\\n中")
    'ab中'
    """
    return _SPACES.sub("", unicodedata.normalize("NFKC", text)).lower()


def bigrams(text: str) -> Counter[str]:
    """Return the bigrams of the normalized text; a single character counts as one."""
    plain = normalized(text)
    if len(plain) < 2:
        return Counter([plain] if plain else [])
    return Counter(plain[i : i + 2] for i in range(len(plain) - 1))


def precision_recall_f1(true: str, found: str) -> tuple[float, float, float]:
    """Return precision, recall and F1, in [0, 1]; 1 for two empty texts."""
    a, b = bigrams(true), bigrams(found)
    if not a and not b:
        return 1.0, 1.0, 1.0
    both = (a & b).total()
    if not both:
        return 0.0, 0.0, 0.0
    precision, recall = both / b.total(), both / a.total()
    return precision, recall, 2 * precision * recall / (precision + recall)


def page_f1(true: str, found: str) -> float:
    """Return the F1 of one page."""
    return precision_recall_f1(true, found)[2]
