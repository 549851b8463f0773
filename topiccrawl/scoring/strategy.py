"""The interface of crawl strategies: what they receive for a page and what they return.

A strategy gives every link a score.  The frontier fetches the highest score first and, among equal
scores, the link that was queued first.  Hosts, politeness and leases are the frontier's business.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.arrays import BoolArray, FeatureIdArray, FloatArray, IdArray
from topiccrawl.scoring.config import StrategyConfig

if TYPE_CHECKING:
    from topiccrawl.scoring.meaning import TopicMeaning

__all__ = [
    "ANCHOR_CHARACTERS",
    "LEAD_CHARACTERS",
    "N_FEATURES",
    "LinkBatch",
    "LinkScores",
    "PageView",
    "Parts",
    "Strategy",
    "StrategyConfig",
]

TextArray = NDArray[np.object_]

#: Named components of a score; arrays of shape (n,) like the score.
Parts = dict[str, FloatArray]

#: Hashed features are numbers below this.  With the 100,000 different words and URLs of a large crawl, a
#: third of them collide (a choice: the smallest size considered).
N_FEATURES = 1 << 18

#: Most characters of ``PageView.lead`` (a choice: with fewer the meaning is worth less, more cost too much).
LEAD_CHARACTERS = 122


def _no_feature_ids() -> FeatureIdArray:
    return np.empty(0, dtype=np.int32)


def _no_values() -> FloatArray:
    return np.empty(0)


#: Most characters of an anchor in ``LinkBatch.anchors`` (a choice: longer ones are teasers, whose first words
#: say enough).
ANCHOR_CHARACTERS = 80

#: Fields of :class:`LinkBatch` of shape (n, k).
_TABLES = ("features", "semantic", "places", "anchors", "fronts", "channels", "menus")

#: Values of ``LinkBatch.channels``: the link leads to the front page of a channel, lies in a channel that a keyword
#: names on the page, or leads to the front page of one.
OTHER_FRONT, IN_CHANNEL, NAMED_FRONT = 1, 2, 3


@dataclass(frozen=True, slots=True)
class LinkBatch:
    """The links of one fetched page in page order, each target once.

    All arrays have shape (n,), except that ``features``, ``semantic``, ``places``, ``anchors``, ``fronts``,
    ``channels`` and ``menus`` have shape (n, k), with k = 0 if nobody wants them or there is nothing to tell.

    Raises
    ------
    ValueError
        The shapes differ.
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
    features: FeatureIdArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))
    """Feature ids of each link, in [0, N_FEATURES), rows filled up with -1.  Computed only if the
    strategy wants "features"; see :mod:`topiccrawl.analysis.features`."""
    semantic: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    """M_k of each link's anchor and title, and of its URL, in [0, 1], nan without any word; k = 2.
    Computed only if the strategy wants "semantic"; see :mod:`topiccrawl.analysis.semantic`."""
    places: FeatureIdArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))
    """Where each link lies: hashes of registered domain, host and directory, and the number of segments
    of its path; k = 4.  Computed like ``features``; see :mod:`topiccrawl.analysis.places`."""
    anchors: TextArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.object_))
    """The text of each link, up to :data:`ANCHOR_CHARACTERS`, "" for none; k = 1.  Included only if the strategy
    wants "anchors" and meanings are compared."""
    fronts: IdArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int64))
    """Where the channel lies to whose front page each link leads, if a keyword names the channel: as
    ``PageView.folders``, plus N_FEATURES times the registered domain of ``PageView.place``; 0 for other links.  k = 1,
    or 0 if there are none."""
    channels: FeatureIdArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))
    """:data:`OTHER_FRONT`, :data:`IN_CHANNEL` or :data:`NAMED_FRONT`, 0 for other links; k = 1, or 0 if there are
    none.  Computed like ``features``."""
    menus: IdArray = field(default_factory=lambda: np.empty((0, 0), dtype=np.int64))
    """Where a channel lies to whose front page each link may lead, whatever its name, as ``fronts``, and the feature id
    of the name as in ``PageView.channels``; both 0 for other links.  k = 2, or 0 if there are none."""

    def __post_init__(self) -> None:
        shape = (len(self.targets),)
        for name in _TABLES:
            table = getattr(self, name)
            if not table.size and table.shape[:1] != shape:
                table = np.empty((*shape, 0), dtype=table.dtype)
                object.__setattr__(self, name, table)
            if table.ndim != 2 or len(table) != len(self.targets):
                raise ValueError(
                    f"LinkBatch.{name} must have shape ({shape[0]}, k), got {table.shape}"
                )
        for name in self.__slots__:
            if name in _TABLES:
                continue
            if getattr(self, name).shape != shape:
                raise ValueError(
                    f"LinkBatch.{name} must have shape {shape}, got {getattr(self, name).shape}"
                )

    def __len__(self) -> int:
        return len(self.targets)


@dataclass(frozen=True, slots=True)
class PageView:
    """One fetched page, reduced to what strategies use."""

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
    """Position in the sequence of fetches, from 1."""
    inherited: float
    """The part "inherited" of the evidence that led here, 0 for a seed (Shark-Search)."""
    links: LinkBatch
    term_ids: FeatureIdArray = field(default_factory=_no_feature_ids)
    """The page's heaviest terms, heaviest first, each with the feature id it has in an anchor, each once,
    shape (m,)."""
    term_weights: FloatArray = field(default_factory=_no_values)
    """Their tf-idf weights, >= 0, of Euclidean norm 1, shape (m,)."""
    semantic: FloatArray = field(default_factory=_no_values)
    """M_k of the title and of the text, in [0, 1], nan without any word, shape (2,).  Computed only if
    the strategy wants "semantic"."""
    title_hit: bool = False
    """Whether a keyword is in the page's title."""
    probability: float = math.nan
    """Probability that the page is on topic when it was fetched, in [0, 1]; nan if nobody judged it."""
    folders: FeatureIdArray = field(default_factory=_no_feature_ids)
    """Feature ids of host and folders of the page's URL, shape (k,)."""
    channels: FeatureIdArray = field(default_factory=_no_feature_ids)
    """Feature ids of the names of the page's channels (breadcrumbs), shape (k,)."""
    little_text: bool = False
    """Whether the page has so little text that other words count as its own, too."""
    term_norm: float = 0.0
    """Norm of ``term_weights`` before they were scaled, if the page has little text."""
    borrowed_ids: FeatureIdArray = field(default_factory=_no_feature_ids)
    """Terms of its metadata and of the link that led here, if the page has little text: none of
    ``term_ids``, each once, shape (k,)."""
    borrowed_weights: FloatArray = field(default_factory=_no_values)
    """Their tf-idf weights in the units of ``term_weights``, shape (k,)."""
    place: FeatureIdArray = field(default_factory=_no_feature_ids)
    """Where the page lies, shape (4,), as in ``LinkBatch.places``; shape (0,) if unknown."""
    asked: int = 0
    """Id of the link that was followed, if redirects led from its address to the page; 0 without."""
    no_body: bool = False
    """Whether the page has no text of its own and is not about one thing: a list of links, mostly."""
    lead: str = ""
    """Its title and first words, up to :data:`LEAD_CHARACTERS`; only if a classifier compares meanings."""
    channel_hit: bool = False
    """Whether one of its channels is named by a keyword."""


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The scores of a batch and their components."""

    score: FloatArray
    """Shape (n,), finite, the higher the earlier; the range is the strategy's own."""
    parts: Parts


class Strategy(Protocol):
    """The order of links.

    A strategy is deterministic: a function of the calls so far and of its configuration.  A subclass
    inherits the defaults of the optional attributes.
    """

    name: str
    wants: frozenset[str] = frozenset()
    """Inputs that take time to compute and that the strategy reads: "features" (hashed, of links),
    "terms" (hashed, of pages), "semantic" (of both) or "anchors" (texts of links, to compare by meaning)."""
    draws: bool = False
    """Whether the order depends on ``StrategyConfig.run_seed``, so that repeated runs differ."""
    round_growth: float | None = None
    """Share by which the crawl grows until the next ranking round, if that is sooner than the
    settings; ``None`` follows the settings."""
    round_least_growth: float = 0.0
    """Share by which the crawl grows before the next ranking round at least, for costly rounds."""

    @property
    def wants_round(self) -> bool:
        """Whether a ranking round must not wait until it is due by the number of pages."""
        return False

    def compare_meaning(self, topic: TopicMeaning) -> None:
        """Receive what compares texts with the topic's words, before the first page; not called without it."""
        return

    def score(self, page: PageView) -> LinkScores:
        """Score the links of a page, once per fetched page, and remember what ranking needs.

        The score of a link includes what earlier pages have shown of it.
        """

    def add(self, page: PageView) -> object:
        """Remember what :meth:`score` would of a page of another worker or an earlier run, whose links have scores."""
        return self.score(page)

    def rank(self) -> Iterator[None]:
        """Run one ranking round in cooperative steps; without rounds the iterator is empty.

        Pages may be scored between the steps.  A second round must not start before the first ends.
        """

    @property
    def most_in_flight(self) -> int:
        """Most requests that may wait for their answers at a time, >= 1."""
        return sys.maxsize

    def handed_out(self, link: int) -> None:
        """Receive the id of a link that is requested now; its page may come after other pages."""
        return

    def judged_again(self, probability_of: Callable[[int], float | None]) -> None:
        """Receive that fetched pages were judged again, before a ranking round.

        *probability_of* returns the new probability of a page by its link id.
        """
        return

    def rescore(self, ids: IdArray) -> tuple[FloatArray, Parts]:
        """Return the current scores of links, shape (n,); nan for a link never scored (a seed)."""
