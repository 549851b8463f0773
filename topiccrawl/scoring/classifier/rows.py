"""Feature rows of pages: text, links and place, hashed.

Three groups of features, each with ids of its own:

- text: the page's heaviest terms with their tf-idf weights, norm 1;
- links: the pages that it links to and the fetched pages that link to it, with weights
  ln(N / number of pages that have the neighbor), norm :data:`LINK_NORM`.  Pages of one topic have the
  same neighbors (co-citation and bibliographic coupling: Small 1973, Kessler 1963; as features: Lu and
  Getoor, "Link-based classification", ICML 2003);
- place: host, registered domain and the folders of its URL, :data:`PLACE_WEIGHT` each.

So the text teaches which neighbors and folders belong to the topic, and these say it of pages that have
little text or other words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray, IdArray
from topiccrawl.scoring.strategy import N_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.scoring.strategy import PageView

#: Terms of a page that count.  The measurements were made with 150 (2026-11); fewer save memory.
TERMS: Final = 100
#: Links of a page that count, in page order (a choice: menus of a thousand links say nothing).
LINKS: Final = 150
#: Norm of the links and weight of each place.  Measured by the ranking of all pages, both with .3 to 1 on
#: two webs (2026-11): links .7 to 1 alike; places .6 better than .15 by .1 on the web whose folders are
#: topics, and without effect on the other.
LINK_NORM: Final = 0.7
PLACE_WEIGHT: Final = 0.6

#: First ids of links and of places; there are three times N_FEATURES ids.
LINK_IDS: Final = N_FEATURES
PLACE_IDS: Final = 2 * N_FEATURES
ALL_IDS: Final = 3 * N_FEATURES


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """What the classifier keeps of a page: about 1.5 KB."""

    id: int
    evidence: float
    """e of :mod:`~topiccrawl.scoring.classifier.start`."""
    terms: FeatureIdArray
    weights: FloatArray
    """Of norm 1, 32 bits."""
    targets: IdArray
    """Ids of the pages it links to."""
    places: FeatureIdArray


def page_features(page: PageView, evidence: float) -> PageFeatures:
    """Return the features of *page* that do not depend on other pages."""
    weights = page.term_weights[:TERMS]
    norm = float(np.linalg.norm(weights)) or 1.0
    return PageFeatures(
        page.id,
        evidence,
        page.term_ids[:TERMS],
        (weights / norm).astype(np.float32),
        page.links.targets[:LINKS],
        page.folders,
    )


@dataclass(slots=True)
class RowMaker:
    """Makes rows of pages with the neighbors of a fixed set of fetched pages.

    Parameters
    ----------
    pages
        The fetched pages.
    """

    pages: Sequence[PageFeatures]
    _targets: IdArray = field(init=False)
    _sources: IdArray = field(init=False)
    _neighbor_weight: FloatArray = field(init=False)
    source: IdArray = field(init=False)
    """With :attr:`target`: the links between the pages, as indices into *pages*."""
    target: IdArray = field(init=False)

    def __post_init__(self) -> None:
        pages = self.pages
        ids = np.array([page.id for page in pages], dtype=np.int64)
        counts = [len(page.targets) for page in pages]
        targets = np.concatenate([page.targets for page in pages] or [ids])
        sources = np.repeat(np.arange(len(pages)), counts)
        order = np.argsort(targets, kind="stable")
        self._targets, self._sources = targets[order], ids[sources[order]]
        by_id = np.argsort(ids, kind="stable")
        place = np.minimum(np.searchsorted(ids[by_id], targets), max(0, len(ids) - 1))
        inside = ids[by_id][place] == targets if len(ids) else np.zeros(0, dtype=bool)
        self.source, self.target = sources[inside], by_id[place[inside]]
        # Pages that have a neighbor: its sources, and the fetched pages among its targets.
        having = np.bincount(buckets(targets), minlength=N_FEATURES)
        having += np.bincount(buckets(ids[self.source]), minlength=N_FEATURES)
        weight = np.log(max(2, len(pages)) / np.maximum(having, 1))
        self._neighbor_weight = np.where(having >= 2, np.maximum(weight, 0.0), 0.0)

    def row(self, page: PageFeatures) -> tuple[FeatureIdArray, FloatArray]:
        """Return ids and values of the features of *page*, which need not be among the pages."""
        first, last = np.searchsorted(self._targets, [page.id, page.id + 1])
        neighbors = np.unique(
            buckets(np.concatenate([page.targets, self._sources[first:last][:LINKS]]))
        )
        weights = self._neighbor_weight[neighbors]
        neighbors, weights = neighbors[weights > 0], weights[weights > 0]
        norm = float(np.linalg.norm(weights))
        if norm:
            weights = LINK_NORM / norm * weights
        ids = np.concatenate([page.terms, LINK_IDS + neighbors, PLACE_IDS + page.places])
        places = np.full(len(page.places), PLACE_WEIGHT)
        return ids.astype(np.int32), np.concatenate([page.weights, weights, places])


def buckets(ids: IdArray) -> IdArray:
    """Return page ids hashed into [0, N_FEATURES)."""
    return ids & (N_FEATURES - 1)


def matrix(rows: Iterable[tuple[FeatureIdArray, FloatArray]]) -> sparse.csr_matrix:
    """Return *rows* as a matrix with :data:`ALL_IDS` columns."""
    made = list(rows)
    ends = np.concatenate([[0], np.cumsum([len(ids) for ids, _ in made])]).astype(np.int64)
    ids = np.concatenate([ids for ids, _ in made] or [np.zeros(0, np.int32)])
    values = np.concatenate([values for _, values in made] or [np.zeros(0)])
    return sparse.csr_matrix((values, ids, ends), shape=(len(made), ALL_IDS))


def shared_columns(rows: sparse.csr_matrix) -> tuple[sparse.csr_matrix, IdArray]:
    """Return *rows* with the columns only that at least two rows have, and the ids of these."""
    counts = np.bincount(rows.indices, minlength=ALL_IDS)
    used = np.flatnonzero(counts >= 2)
    column = np.full(ALL_IDS, -1, dtype=np.int32)
    column[used] = np.arange(len(used), dtype=np.int32)
    columns = column[rows.indices]
    kept = columns >= 0
    before = np.concatenate([[0], np.cumsum(kept)])
    ends = before[rows.indptr]
    small = (rows.data[kept], columns[kept], ends)
    return sparse.csr_matrix(small, shape=(rows.shape[0], len(used))), used
