"""The harvest rate, a measure for comparing crawls."""

from __future__ import annotations


def harvest_rate(relevant: int, fetched: int) -> float:
    """Return *relevant* / *fetched* pages, in [0, 1]; 0 before the first page.

    A page counts as fetched when its content was judged: not a failure, a redirect or a file.  It is
    relevant if it is on the topic, also if it was not kept for another reason (a duplicate, a list).
    """
    return relevant / fetched if fetched else 0.0
