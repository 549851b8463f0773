"""Which parts of adaptive are in: all by default; an ablation takes one out."""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.scoring.adaptive.model import SLOT_PENALTY
from topiccrawl.scoring.adaptive.observations import NUMBERS
from topiccrawl.scoring.adaptive.value import LEAST_SCALE, SMOOTHING

ROUND_GROWTH = 0.1
"""A ranking round is due when the crawl has grown by a tenth, until rounds are as far apart as the
settings say: what the first hundred pages teach is worth most (docs/adaptive.md)."""


@dataclass(frozen=True, slots=True)
class AdaptiveSettings:
    """Parts and numbers of adaptive.  Raises ``ValueError`` for an unknown number in *without*."""

    smoothing: float = SMOOTHING
    """λ of :mod:`value`, in [0, 1); 0 takes the smoothing out."""
    least_scale: float = LEAST_SCALE
    """Relevance, > 0, that always counts as full."""
    learning: bool = True
    """Without, the prior orders for ever."""
    hashed: bool = True
    """Whether hashed features are read; without, only the weights of the numbers are learned."""
    slot_penalty: float = SLOT_PENALTY
    """s of :mod:`model`, > 0."""
    without: frozenset[str] = frozenset()
    """Numbers (of NUMBERS) that are always 0."""
    round_growth: float | None = ROUND_GROWTH
    """``None``: rounds only as often as the settings say."""

    def __post_init__(self) -> None:
        if unknown := self.without - set(NUMBERS):
            raise ValueError(f"without must name some of {NUMBERS}, got {sorted(unknown)}")
