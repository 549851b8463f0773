"""The seam for crawl strategies: what they see of a page, and what they answer.

A strategy gives every link a score; the frontier fetches the highest first and, among equal scores,
the one that was queued first.  Everything else (hosts, politeness, leases) is the frontier's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray, SlotArray
from topiccrawl.scoring.config import StrategyConfig

__all__ = [
    "FEATURE_SLOTS",
    "LinkBatch",
    "LinkScores",
    "PageView",
    "Parts",
    "Strategy",
    "StrategyConfig",
    "wants",
]

Parts = dict[str, FloatArray]
"""What a score is made of, by name; arrays of shape (n,) like the score."""


def _no_slots() -> SlotArray:
    return np.empty(0, dtype=np.int32)


def _no_values() -> FloatArray:
    return np.empty(0)


FEATURE_SLOTS = 1 << 18
"""Hashed features are numbers under this.  With the 100,000 different words and addresses of a large
crawl, a third share theirs with another: the smallest table that algorithms.md 2.2 names."""


@dataclass(frozen=True, slots=True)
class LinkBatch:
    """The links of one fetched page in page order, no target twice; all arrays of shape (n,).

    Only ``features`` and ``semantic`` are of shape (n, k), with k = 0 where nobody wants them.  Raises
    ``ValueError`` where the shapes differ.
    """

    targets: IdArray
    """Link ids."""
    rw_relevance: FloatArray
    """R(url): largest rel(t) in the link's extended metadata, before the threshold; in [0, 1]."""
    url_hit: BoolArray
    text_hit: BoolArray
    title_hit: BoolArray
    anchor_similarity: FloatArray
    """Cosine of the anchor's and title's terms with the topic."""
    context_similarity: FloatArray
    """Cosine of the surrounding text's terms with the topic."""
    features: SlotArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))
    """Hashed features of each link, in [0, FEATURE_SLOTS); -1 fills the rest of a row.  Only made if the
    strategy wants them: see :func:`wants` and :mod:`topiccrawl.analysis.features`."""
    semantic: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    """M_k of each link's anchor and title, and of its URL, in [0, 1], nan where there is no word; k = 2.
    Only made if the strategy wants it: see :mod:`topiccrawl.analysis.semantic`."""

    def __post_init__(self) -> None:
        shape = (len(self.targets),)
        for name in ("features", "semantic"):
            table = getattr(self, name)
            if not table.size and table.shape[:1] != shape:
                table = np.empty((*shape, 0), dtype=table.dtype)
                object.__setattr__(self, name, table)
            if table.ndim != 2 or len(table) != len(self.targets):
                raise ValueError(
                    f"LinkBatch.{name} must have shape ({shape[0]}, k), got {table.shape}"
                )
        for name in self.__slots__:
            if name in ("features", "semantic"):
                continue
            if getattr(self, name).shape != shape:
                raise ValueError(
                    f"LinkBatch.{name} must have shape {shape}, got {getattr(self, name).shape}"
                )

    def __len__(self) -> int:
        return len(self.targets)


@dataclass(frozen=True, slots=True)
class PageView:
    """One fetched page as a strategy sees it."""

    id: int
    """Link id of the page."""
    relevance: float
    """Similarity of the page to the topic, in [0, 1]."""
    background: float
    """B(url): see :func:`topiccrawl.scoring.metadata.background`."""
    relevant: bool
    depth: int
    """Links from a seed; 0 for a seed."""
    order: int
    """Place in the sequence of fetches, from 1."""
    inherited: float
    """The part "inherited" of the evidence that led here, 0 for a seed (Shark-Search)."""
    links: LinkBatch
    term_slots: SlotArray = field(default_factory=_no_slots)
    """The page's heaviest terms, each as the feature it is in an anchor, none twice, shape (m,); only
    made if the strategy wants "terms"."""
    term_weights: FloatArray = field(default_factory=_no_values)
    """Their tf-idf weights, >= 0, of Euclidean norm 1, shape (m,)."""
    semantic: FloatArray = field(default_factory=_no_values)
    """M_k of the title and of the text, in [0, 1], nan where there is no word, shape (2,); only made if
    the strategy wants "semantic"."""


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The scores of a batch, and what they are made of."""

    score: FloatArray
    """Shape (n,), finite, the higher the earlier; the range is the strategy's own."""
    parts: Parts


class Strategy(Protocol):
    """How links are ordered.  Deterministic: a function of the calls so far and the configuration."""

    name: str

    def score(self, page: PageView) -> LinkScores:
        """Score the links of a page, once per fetched page, and remember what ranking needs.

        The score is the *link's* as known now: what earlier pages said of it is merged in.
        """

    def rank(self) -> Iterator[None]:
        """One ranking round in cooperative steps; over at once where a strategy has none.

        Pages may be scored between the steps; a second round must not begin before the first ends.
        """

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        """The scores of links as known now, shape (n,); nan for a link never scored (a seed)."""


def wants(strategy: Strategy, what: str) -> bool:
    """Whether *strategy* reads *what*, which costs time to make.

    "features" (hashed, of links), "terms" (hashed, of pages) or "semantic" (of both).  A strategy says
    so in its attribute ``wants``, a set of such names; without one it wants nothing.
    """
    return what in getattr(strategy, "wants", ())
