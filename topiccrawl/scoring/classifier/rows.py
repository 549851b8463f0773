"""Feature rows of pages: text, links and place, hashed.

Three groups of features, each with ids of its own:

- text: the page's heaviest terms with their tf-idf weights, norm 1; of a page of little text also the terms
  of its metadata and of the link that led to it (:mod:`topiccrawl.analysis.borrowed`);
- links: the pages that it links to and the fetched pages that link to it, with weights
  ln(N / number of pages that have the neighbor), norm :data:`LINK_NORM`.  Pages of one topic have the
  same neighbors (co-citation and bibliographic coupling: Small 1973, Kessler 1963; as features: Lu and
  Getoor, "Link-based classification", ICML 2003);
- place: host and folders of its URL, :data:`PLACE_WEIGHT` each, and the names of its channels
  (breadcrumbs), :data:`CHANNEL_WEIGHT` each; less where places say little of the topic
  (:mod:`~topiccrawl.scoring.classifier.places`).

So the text teaches which neighbors and folders belong to the topic, and these say it of pages that have
little text or other words.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from topiccrawl.scoring.arrays import BoolArray, FeatureIdArray, FloatArray, IdArray, ranges
from topiccrawl.scoring.strategy import N_FEATURES, PageView

Float32Array = NDArray[np.float32]

_Scalar = TypeVar("_Scalar", bound=np.generic)

#: Terms of a page that count.  The measurements were made with 150 (2026-11); fewer save memory.
TERMS: Final = 100
#: Links of a page that count, in page order (a choice: menus of a thousand links say nothing).
LINKS: Final = 150
#: Norm of the links and weight of each place.  Measured by the ranking of all pages, both with .3 to 1 on
#: two webs (2026-11): links .7 to 1 alike; places .6 better than .15 by .1 on the web whose folders are
#: topics, and without effect on the other.
LINK_NORM: Final = 0.7
PLACE_WEIGHT: Final = 0.6
#: Weight of each channel.  A modest guess: neither of the two webs has breadcrumbs, and .3 to .6 change nothing
#: there; of 122 Chinese pages of some 60 sites 98 name their channels or their site (2026-11).
CHANNEL_WEIGHT: Final = 0.3

#: First ids of links and of places; there are three times N_FEATURES ids.
LINK_IDS: Final = N_FEATURES
PLACE_IDS: Final = 2 * N_FEATURES
ALL_IDS: Final = 3 * N_FEATURES

#: A link in 63 bits: lower bits of the target's id, and the index of the source.  With 10^6 links, no
#: two targets of 43 bits are equal with a probability of .95.
_INDEX_BITS: Final = 20
_INDEX: Final = (1 << _INDEX_BITS) - 1
_LOWER: Final = (1 << 43) - 1
#: Pages in a cooperative step.
_PIECE: Final = 1_000


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """What the classifier keeps of a page: 2 KB for 100 terms and 60 links."""

    id: int
    asked: int
    """As :attr:`~topiccrawl.scoring.strategy.PageView.asked`."""
    evidence: float
    """e of :mod:`~topiccrawl.scoring.classifier.start`."""
    in_channel: bool
    """Whether one of its channels is named by a keyword."""
    fronts: tuple[int, ...]
    """Channels of its site that are named by a keyword, where it links to them; as ``LinkBatch.fronts``."""
    domain: int
    """Its registered domain as a number; 0 if unknown."""
    targets: IdArray
    """Ids of the pages it links to."""
    terms: FeatureIdArray
    """Feature ids of its terms, sorted."""
    weights: Float32Array
    """Weights of its terms, of norm 1."""
    folders: FeatureIdArray
    """Feature ids of its host and folders."""
    names: FeatureIdArray
    """Feature ids of the names of its channels."""

    @property
    def channel_ids(self) -> list[int]:
        """As :meth:`Places.channel_ids`."""
        return [*self.names.tolist(), *self.own_fronts]

    @property
    def own_fronts(self) -> list[int]:
        """Its host and folders as ``LinkBatch.fronts``, from the root on; none if its domain is unknown."""
        site = self.domain * N_FEATURES
        return [site + folder for folder in self.folders.tolist()] if site else []

    @property
    def words(self) -> tuple[float, bool]:
        """All that the user's words say of it."""
        return self.evidence, self.in_channel


def page_features(page: PageView, evidence: float) -> PageFeatures:
    """Return the features of *page* that do not depend on other pages."""
    domain = int(page.place[0]) if len(page.place) else 0
    terms, weights = _terms(page)
    return PageFeatures(
        page.id,
        page.asked,
        evidence,
        page.channel_hit,
        _own_fronts(page, domain),
        domain,
        # Copies: what a page is made of is large, and mostly not kept.
        page.links.targets[:LINKS].astype(np.int64),
        terms.astype(np.int32),
        normalized(weights),
        page.folders.astype(np.int32),
        page.channels.astype(np.int32),
    )


def _own_fronts(page: PageView, domain: int) -> tuple[int, ...]:
    if not page.links.fronts.size:
        return ()
    fronts = np.unique(page.links.fronts)
    return tuple(fronts[(fronts > 0) & (fronts // N_FEATURES == domain)].tolist())


def _terms(page: PageView) -> tuple[FeatureIdArray, FloatArray]:
    """Return the heaviest of the page's own terms and the borrowed ones, sorted, and their weights."""
    terms, weights = page.term_ids, page.term_weights
    if len(page.borrowed_ids):
        terms = np.concatenate([terms, page.borrowed_ids])
        weights = np.concatenate([weights, page.borrowed_weights])
        heaviest = np.argsort(-weights, kind="stable")[:TERMS]
        terms, weights = terms[heaviest], weights[heaviest]
    order = np.argsort(terms[:TERMS], kind="stable")
    return terms[order], weights[order]


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Features of *size* pages; arrays of shape (k,), one entry for each feature of a page."""

    size: int
    row: IdArray
    ids: IdArray
    """In [0, ALL_IDS)."""
    values: FloatArray

    def parts(self, weights: Float32Array) -> FloatArray:
        """Return what text, links and place add to the log-odds, shape (size, 3).

        Parameters
        ----------
        weights
            Of all features, shape (ALL_IDS,).
        """
        group = self.ids // N_FEATURES * self.size + self.row
        added = np.bincount(group, weights[self.ids] * self.values, minlength=3 * self.size)
        return np.ascontiguousarray(added.reshape(3, self.size).T)

    def matrix(self) -> sparse.csr_matrix:
        """Return the rows as a matrix of shape (size, ALL_IDS)."""
        shape = (self.size, ALL_IDS)
        return sparse.csr_matrix((self.values, (self.row, self.ids)), shape=shape)


@dataclass(frozen=True, slots=True)
class RowMaker:
    """Makes rows of pages with the neighbors of a fixed set of fetched pages (:func:`make_rows`)."""

    ids: IdArray
    """Ids of the fetched pages, or of the links from which redirects led to them."""
    _links: IdArray
    """All links of these pages, sorted: bits of the target, and the index of the source."""
    _neighbor_weight: Float32Array
    place_worth: float = 1.0
    """Factor of the weights of places, in [0, 1]; see :mod:`topiccrawl.scoring.classifier.places`."""

    def block(self, pages: Sequence[PageFeatures]) -> RowBlock:
        """Return the rows of *pages*, which need not be among the fetched pages."""
        n = len(pages)
        every = np.arange(n)
        targets = [page.targets for page in pages]
        addresses, of = _addresses(pages)
        into, at = _linking(self._links, addresses, LINKS)
        row = np.concatenate([np.repeat(every, _sizes(targets)), of[into]])
        neighbors = buckets(_joined([*targets, self.ids[self._links[at] & _INDEX]], np.int64))
        row, neighbors = distinct(row, neighbors)
        weights = self._neighbor_weight[neighbors].astype(np.float64)
        known = weights > 0
        row, neighbors, weights = row[known], neighbors[known], weights[known]
        norm = np.sqrt(np.bincount(row, weights**2, minlength=n))
        weights *= LINK_NORM / norm[row]
        terms = [page.terms for page in pages]
        text, of_text = _joined(terms, np.int64), np.repeat(every, _sizes(terms))
        places = Places.of(pages)
        worth = self.place_worth * np.where(places.is_name, CHANNEL_WEIGHT, PLACE_WEIGHT)
        return RowBlock(
            n,
            np.concatenate([of_text, row, places.row]),
            np.concatenate([text, LINK_IDS + neighbors, PLACE_IDS + places.ids]),
            np.concatenate(
                [
                    _joined([page.weights for page in pages], np.float64),
                    weights,
                    worth,
                ]
            ),
        )


def make_rows(
    pages: Sequence[PageFeatures],
) -> Generator[None, None, tuple[RowMaker, FeatureIdArray, FeatureIdArray]]:
    """Return a row maker for these fetched pages and the links between them, in cooperative steps.

    Parameters
    ----------
    pages
        Each once, less than 2^20.

    Returns
    -------
    tuple
        The row maker; sources and targets of the links as indices into *pages*, shapes (m,).
    """
    # Where redirects led to a page, the other pages name it by the link.
    ids = np.array([page.asked or page.id for page in pages], dtype=np.int64)
    having = np.zeros(N_FEATURES, dtype=np.int64)
    pieces = [np.empty(0, dtype=np.int64)]
    for first in range(0, len(pages), _PIECE):
        targets = [page.targets for page in pages[first : first + _PIECE]]
        joined = _joined(targets, np.int64)
        having += np.bincount(buckets(joined), minlength=N_FEATURES)
        source = np.repeat(np.arange(first, first + len(targets)), _sizes(targets))
        pieces.append(np.sort(_target_bits(joined) | source))
        yield
    # A merge of sorted pieces.
    links = np.concatenate(pieces)
    del pieces
    links.sort(kind="stable")
    yield
    # Pages that have a neighbor: its sources, and the fetched pages among its targets.
    inside = []
    for first in range(0, len(pages), _PIECE):
        addresses, of = _addresses(pages[first : first + _PIECE])
        target, at = _linking(links, addresses, len(ids))
        source = links[at] & _INDEX
        having += np.bincount(buckets(ids[source]), minlength=N_FEATURES)
        inside.append((source.astype(np.int32), (of[target] + first).astype(np.int32)))
        yield
    weight = np.zeros(N_FEATURES, dtype=np.float32)
    shared = np.flatnonzero(having >= 2)  # few of all ids
    weight[shared] = np.maximum(np.log(max(2, len(pages)) / having[shared]), 0.0)
    sources, targets_inside = ([pair[i] for pair in inside] for i in (0, 1))
    return (
        RowMaker(ids, links, weight),
        _joined(sources, np.int32),
        _joined(targets_inside, np.int32),
    )


def _addresses(pages: Sequence[PageFeatures]) -> tuple[IdArray, IdArray]:
    """Return the ids under which links lead to *pages*, and whose they are as indices, shapes (k,)."""
    asked = [(page.asked, i) for i, page in enumerate(pages) if page.asked]
    ids = [page.id for page in pages] + [it for it, _ in asked]
    of = [*range(len(pages)), *(i for _, i in asked)]
    return np.array(ids, dtype=np.int64), np.array(of, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Places:
    """Folders and channels of pages; arrays of shape (k,), one entry for each of a page."""

    row: IdArray
    """The page, as an index."""
    ids: IdArray
    """Feature ids."""
    is_name: BoolArray
    """Whether it is the name of a channel, not a host or folder."""

    @classmethod
    def of(cls, pages: Sequence[PageFeatures]) -> Places:
        """Return those of *pages*, in their order."""
        arrays = [array for page in pages for array in (page.folders, page.names)]
        each = np.repeat(np.arange(len(arrays)), _sizes(arrays))
        return cls(each // 2, _joined(arrays, np.int64), each % 2 == 1)

    def channel_ids(self, domain: IdArray) -> IdArray:
        """Return as what each place may be a channel of the topic, shape (k,).

        Names are their ids, folders as ``LinkBatch.fronts``, -1 if *domain*, the registered one of the pages, is 0.
        """
        site = domain[self.row]
        fronts = np.where(site > 0, site * N_FEATURES + self.ids, -1)
        return np.where(self.is_name, self.ids, fronts)


def text_rows(pages: Sequence[PageFeatures]) -> sparse.csr_matrix:
    """Return the texts of *pages* without links and place, shape (n, N_FEATURES)."""
    terms = [page.terms for page in pages]
    weights = _joined([page.weights for page in pages], np.float32)
    ends = np.cumsum([0, *_sizes(terms)])
    shape = (len(pages), N_FEATURES)
    return sparse.csr_matrix((weights, _joined(terms, np.int32), ends), shape=shape)


def normalized(weights: FloatArray) -> Float32Array:
    """Return *weights*, shape (n,), scaled to norm 1; zeros stay zeros."""
    return (weights / (float(np.linalg.norm(weights)) or 1.0)).astype(np.float32)


def average_text(blocks: Sequence[sparse.csr_matrix], importance: FloatArray) -> sparse.csr_matrix:
    """Return one row with the average text of the rows of *blocks*, without links and place.

    Parameters
    ----------
    blocks
        Rows of pages.
    importance
        Weight of each row in the average, > 0, shape (n,).
    """
    total, first = np.zeros(N_FEATURES), 0
    for block in blocks:
        last = first + block.shape[0]
        weight = np.repeat(importance[first:last], np.diff(block.indptr))
        text = block.indices < N_FEATURES
        ids, values = block.indices[text], (block.data * weight)[text]
        total += np.bincount(ids, values, minlength=N_FEATURES)
        first = last
    found = np.flatnonzero(total)
    average = total[found] / importance.sum()
    ends = np.array([0, len(found)])
    return sparse.csr_matrix((average, found, ends), shape=(1, ALL_IDS))


def buckets(ids: IdArray) -> IdArray:
    """Return page ids hashed into [0, N_FEATURES)."""
    return ids & (N_FEATURES - 1)


def shared_columns(
    blocks: Sequence[sparse.csr_matrix],
) -> tuple[sparse.csr_matrix, IdArray]:
    """Return the rows of *blocks*, with the columns only that at least two rows have, and their ids."""
    indices = np.concatenate([block.indices for block in blocks])
    # An id is in several rows if one of its entries is not the one that its table names: a count takes twice as much.
    entries = np.arange(len(indices), dtype=np.int32)
    column = np.full(ALL_IDS, -1, dtype=np.int32)
    column[indices] = entries
    shared = np.zeros(ALL_IDS, dtype=np.bool_)
    shared[indices[column[indices] != entries]] = True
    size = int(shared[indices].sum())
    used = np.flatnonzero(shared)
    del indices, entries, shared
    column.fill(-1)
    column[used] = np.arange(len(used), dtype=np.int32)
    values, columns = np.empty(size), np.empty(size, dtype=np.int32)
    ends, first = [np.zeros(1, dtype=np.int64)], 0
    for block in blocks:
        found = column[block.indices]
        kept = found >= 0
        upto = np.concatenate([[0], np.cumsum(kept)])[block.indptr]
        last = first + int(upto[-1])
        values[first:last], columns[first:last] = block.data[kept], found[kept]
        ends.append(first + upto[1:])
        first = last
    rows = np.concatenate(ends)
    return sparse.csr_matrix((values, columns, rows), shape=(len(rows) - 1, len(used))), used


def _target_bits(ids: IdArray) -> IdArray:
    """Return the lower 43 bits of *ids*, which are hashes, above 20 bits for an index."""
    return (ids & _LOWER) << _INDEX_BITS


def _linking(links: IdArray, ids: IdArray, most: int) -> tuple[IdArray, IdArray]:
    """Return up to *most* positions in *links* for each target of *ids*, and whose they are.

    Returns
    -------
    tuple
        Indices into *ids*, rising, and positions, shapes (m,).
    """
    bits = _target_bits(ids)
    first, last = np.searchsorted(links, bits), np.searchsorted(links, bits | _INDEX, side="right")
    count = np.minimum(last - first, most)
    return np.repeat(np.arange(len(ids)), count), ranges(first, count)


def distinct(row: IdArray, ids: IdArray) -> tuple[IdArray, IdArray]:
    """Return the different pairs of pages and feature ids, sorted; shapes (k,) to (m,)."""
    keys = np.sort(row * N_FEATURES + ids)
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys
    return keys // N_FEATURES, keys % N_FEATURES


def _sizes(arrays: Iterable[NDArray[Any]]) -> list[int]:
    return [len(array) for array in arrays]


def _joined(arrays: Sequence[NDArray[Any]], kind: type[_Scalar]) -> NDArray[_Scalar]:
    return np.concatenate([np.empty(0, dtype=kind), *arrays], dtype=kind)
