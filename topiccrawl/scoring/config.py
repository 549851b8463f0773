"""Parameters of the strategies, checked at start-up."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import get_args

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.scoring.ipagerank import ITERATIONS, Teleport
from topiccrawl.scoring.metadata import (
    AMH_WEIGHTS,
    BLOCK_PROBABILITY,
    THRESHOLD,
    AmhWeights,
    RwbMode,
)
from topiccrawl.scoring.pagerank import DAMPING

#: Shares of the link's own metadata and of its parents' relevance in the score of the IPageRank
#: strategies; the rest is the graph's (a choice: evidence near the link counts twice as much as the graph;
#: docs/scoring.md has the measurement).
METADATA_WEIGHT, PARENT_WEIGHT = 0.4, 0.4
#: k of [doc002] (a guess: it does not state one).
SEMANTIC_TOP = 5

_UNIT_FIELDS = (
    "c", "d_rwb", "metadata_weight", "parent_weight", "amh_url", "amh_text", "amh_title",
)  # fmt: skip
_CHOICES = {
    "mode": get_args(RwbMode),
    "teleport": (*get_args(Teleport), None),
}


@dataclass(frozen=True, slots=True)
class StrategyConfig:
    """Parameters of the strategies that have some; each uses its own.

    Raises
    ------
    ConfigurationError
        A value is out of range; the message names the field, its rule and the value.
    """

    run_seed: int = 0
    """Determines the draws P1, P2 of RWB, and the order of ``random`` and ``infospiders``."""
    c: float = THRESHOLD
    """Threshold of RW and of the background B, in [0, 1]."""
    d_rwb: float | None = None
    """Probability that a link under c gets no second chance, in [0, 1]; ``None``: .5 in mode
    "thesis", 0 in mode "capped", where chances are bounded and withholding them only adds noise."""
    mode: RwbMode = "capped"
    """"thesis": RWB literally as in [thesis] 4.6, and the IPageRank strategies score by 9.4/9.5 alone."""
    damping: float = DAMPING
    """Probability of following a link in PageRank and IPageRank, in [0, 1)."""
    iterations: int = ITERATIONS
    """Iterations of a ranking round, >= 1."""
    teleport: Teleport | None = None
    """b of IPageRank; ``None``: "relevance" in mode "capped", "constant" in mode "thesis"."""
    metadata_weight: float = METADATA_WEIGHT
    """Share of R(url) in the score of IPageRank strategies in mode "capped", in [0, 1]."""
    parent_weight: float = PARENT_WEIGHT
    """Share of the parents' mean relevance there, in [0, 1]; the remaining share is IPageRank's."""
    amh_url: float = AMH_WEIGHTS[0]
    amh_text: float = AMH_WEIGHTS[1]
    amh_title: float = AMH_WEIGHTS[2]

    def __post_init__(self) -> None:
        for field in fields(self):
            self._check(field.name, getattr(self, field.name))
        shares = self.metadata_weight + self.parent_weight
        if shares > 1 + 1e-12:
            raise ConfigurationError(
                _("metadata_weight + parent_weight must be at most 1, got {shares}").format(
                    shares=shares
                )
            )
        try:
            AmhWeights(self.amh_url, self.amh_text, self.amh_title)
        except ValueError as error:
            raise ConfigurationError(
                _("amh_url, amh_text, amh_title: {error}").format(error=error)
            ) from None

    def _check(self, name: str, value: object) -> None:
        if name == "d_rwb" and value is None:
            return
        if name in _CHOICES:
            if value not in _CHOICES[name]:
                allowed = listed(repr(choice) for choice in _CHOICES[name])
                raise ConfigurationError(
                    _("{name} must be one of {allowed}, got {value!r}").format(
                        name=name, allowed=allowed, value=value
                    )
                )
            return
        whole = name in ("run_seed", "iterations")
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            kind = _("a whole number") if whole else _("a number")
            raise ConfigurationError(
                _("{name} must be {kind}, got {value!r}").format(name=name, kind=kind, value=value)
            )
        if name in _UNIT_FIELDS and not 0 <= value <= 1:
            raise ConfigurationError(
                _("{name} must be in [0, 1], got {value}").format(name=name, value=value)
            )
        if name == "damping" and not 0 <= value < 1:
            raise ConfigurationError(
                _("{name} must be in [0, 1), got {value}").format(name=name, value=value)
            )
        if name == "iterations" and value < 1:
            raise ConfigurationError(
                _("{name} must be >= 1, got {value}").format(name=name, value=value)
            )

    @property
    def effective_d(self) -> float:
        """The d of RWB after the mode's default."""
        if self.d_rwb is not None:
            return self.d_rwb
        return BLOCK_PROBABILITY if self.mode == "thesis" else 0.0

    @property
    def effective_teleport(self) -> Teleport:
        """The teleport after the mode's default."""
        if self.teleport is not None:
            return self.teleport
        return "constant" if self.mode == "thesis" else "relevance"

    @property
    def amh_weights(self) -> AmhWeights:
        """a, b, c of [thesis] 4.4."""
        return AmhWeights(self.amh_url, self.amh_text, self.amh_title)
