"""Scores of links by id, where some of the ids may be unknown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.strategy import LinkScores, Parts


def scores_at(places: IdArray, score: Callable[[IdArray], LinkScores]) -> tuple[FloatArray, Parts]:
    """What *score* says of the places that are known (>= 0), shape (n,); nan for the others."""
    known = places >= 0
    found = score(places[known])
    scores = np.full(len(places), np.nan)
    scores[known] = found.score
    parts = {name: np.full(len(places), np.nan) for name in found.parts}
    for name, values in found.parts.items():
        parts[name][known] = values
    return scores, parts
