"""Scores of links by id, if some of the ids may be unknown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.strategy import LinkScores, Parts


def scores_at(rows: IdArray, score: Callable[[IdArray], LinkScores]) -> tuple[FloatArray, Parts]:
    """Score the known rows (>= 0) by *score*; the others get nan.

    Parameters
    ----------
    rows
        Row of each link, -1 for unknown ones, shape (n,).
    score
        Returns the scores of known rows.

    Returns
    -------
    tuple
        Scores and parts, all of shape (n,).
    """
    known = rows >= 0
    if known.all():
        found = score(rows)
        return found.score, found.parts
    found = score(rows[known])
    scores = np.full(len(rows), np.nan)
    scores[known] = found.score
    parts = {name: np.full(len(rows), np.nan) for name in found.parts}
    for name, values in found.parts.items():
        parts[name][known] = values
    return scores, parts
