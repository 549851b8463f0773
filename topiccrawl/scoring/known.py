"""Scores of links by id, where some of the ids may be unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from topiccrawl.scoring.arrays import FloatArray, IdArray
from topiccrawl.scoring.strategy import LinkScores, Parts


def places_in(index: Mapping[int, int], ids: IdArray) -> IdArray:
    """The places of *ids* in *index*, shape (n,); -1 for those it does not have."""
    get = index.get
    return np.fromiter((get(i, -1) for i in ids.tolist()), np.int64, count=len(ids))


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
