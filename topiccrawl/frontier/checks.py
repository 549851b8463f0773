"""Checks of the arguments that every backend of the frontier makes before it changes anything."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from topiccrawl.frontier.contract import QueuedLink


def check_links(links: Iterable[QueuedLink]) -> None:
    """Raise ``ValueError`` for a link whose score is not finite."""
    for link in links:
        if not math.isfinite(link.evidence.score):
            raise ValueError(f"score of {link.url} must be finite, got {link.evidence.score!r}")


def check_scores(ids: NDArray[np.int64], scores: NDArray[np.float64]) -> None:
    """Raise ``ValueError`` unless there is one finite score for each id."""
    if ids.shape != scores.shape or ids.ndim != 1:
        raise ValueError(f"one score for each id: got shapes {ids.shape} and {scores.shape}")
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite")


def check_retry_at(retry_at: float | None) -> None:
    """Raise ``ValueError`` for a retry time that is not finite."""
    if retry_at is not None and not math.isfinite(retry_at):
        raise ValueError(f"retry_at must be finite, got {retry_at!r}")
