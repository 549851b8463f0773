"""Which names of channels belong to the topic, by the words on the pages of these channels.

::

    m(p) = min(e(p), 1)
    a_f = the smaller of (Σ m + 5·μ⁻) / (n + 5) over the pages of f, and over those outside its best domain
    f belongs to the topic if a_f >= max(.1, 2·μ⁻, (μ⁻ + μ⁺) / 2)

μ⁺ and μ⁻ are the means of m over the pages that have a name which belongs to the topic, and over the others that have
any name.  So names are divided into two groups, from those on with at least half of the largest a_f (with μ⁻ = 0).  The
best domain of a name is the registered domain with the largest Σ m: without it the name must hold, too, so that no site
alone can give a channel to the topic.  A general name (新闻, 首页) has the share of topical pages that the crawl has,
and one that more than half of the pages have is never the topic's.

e is the evidence of the words (:mod:`~topiccrawl.scoring.classifier.start`), without that of channels: what a name
adds to pages does not raise the name in the next round.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from topiccrawl.scoring.arrays import BoolArray, FloatArray, IdArray, ranges
from topiccrawl.scoring.classifier.rows import Places, distinct
from topiccrawl.scoring.classifier.start import SURE
from topiccrawl.scoring.strategy import N_FEATURES

#: Pages with the evidence μ⁻ that a name is assumed to have before any is seen.  3 and 10 are alike; see
#: docs/laboratory/judge.md (2026-11-28), as for all constants of this module.
PRIOR_PAGES: Final = 5.0
#: Fewest pages of a name, and of those outside its best domain (guesses).
LEAST_PAGES: Final = 5
LEAST_ELSEWHERE: Final = 2
#: Least a_f over μ⁻.  With 1.5 topics that are narrower than a channel lose more; 3 gains less.
TIMES: Final = 2.0
#: Least a_f: below it the words are there by chance (a guess; changes nothing there).
LEAST_EVIDENCE: Final = 0.1
#: Most links of a site that count as menus (a guess: a portal has some hundred channels).
MENUS: Final = 1_000
#: Most times that the names are divided (a guess: three are enough mostly).
MOST_DIVISIONS: Final = 10


class Menus:
    """What sites call their channels in the links of their pages."""

    def __init__(self) -> None:
        # Of each registered domain, folder or host times N_FEATURES plus name, sorted; up to 8 KB.
        self._of: dict[int, IdArray] = {}

    def add(self, domain: int, menus: IdArray) -> None:
        """Add the links of a page of *domain*, as ``LinkBatch.menus``; those of other domains do not count."""
        own = menus[menus[:, 0] // N_FEATURES == domain] if menus.size and domain else menus[:0]
        if not len(own):
            return
        pairs = own[:, 0] % N_FEATURES * N_FEATURES + own[:, 1]
        known = self._of.get(domain)
        # The smallest, so that they do not depend on the order of the pages.
        self._of[domain] = np.union1d(pairs if known is None else known, pairs)[:MENUS]

    def keep(self, domains: Collection[int]) -> None:
        """Forget what all other domains call their channels."""
        self._of = {domain: pairs for domain, pairs in self._of.items() if domain in domains}

    def table(self) -> tuple[IdArray, IdArray]:
        """Return fronts, as ``LinkBatch.fronts``, sorted, and the ids of their names; shapes (k,)."""
        none = np.empty(0, dtype=np.int64)
        fronts, names = [none], [none]
        for domain, pairs in sorted(self._of.items()):
            fronts.append(domain * N_FEATURES + pairs // N_FEATURES)
            names.append(pairs % N_FEATURES)
        return np.concatenate(fronts), np.concatenate(names)


def channels_of_topic(
    places: Places, ids: IdArray, menus: Menus, own: FloatArray, domain: IdArray
) -> frozenset[int]:
    """Return the channels of the topic: names that belong to it, and the fronts that menus call so.

    Parameters
    ----------
    places, ids
        Folders and channels of n pages, and their ``channel_ids``.
    menus
        What the sites call their channels.
    own, domain
        e of the pages, and their registered domains as numbers, shape (n,).
    """
    front, called = menus.table()
    stated, (row, folder) = places.is_name, (it[~places.is_name] for it in (places.row, ids))
    first, last = np.searchsorted(front, folder), np.searchsorted(front, folder, side="right")
    times = last - first
    row = np.concatenate([places.row[stated], np.repeat(row, times)])
    name = np.concatenate([ids[stated], called[ranges(first, times)]])
    found = names_of_topic(*distinct(row, name), own, domain)
    if not found:
        return found
    return found.union(front[np.isin(called, sorted(found))].tolist())


def names_of_topic(
    row: IdArray, names: IdArray, own: FloatArray, domain: IdArray
) -> frozenset[int]:
    """Return the names of channels that belong to the topic.

    Parameters
    ----------
    row, names
        Pages, as indices into *own*, and the names of their channels as numbers, each pair once; shapes (k,).
    own, domain
        e of the pages, and their registered domains as numbers; shapes (n,).
    """
    if not len(row):
        return frozenset()
    evidence = np.minimum(own, SURE)
    found, name = np.unique(names, return_inverse=True)
    of, inside, pages = _by_domain(name, domain[row], evidence[row])
    total, size = np.bincount(of, inside), np.bincount(of, pages)
    # The last of each name has its largest sum.
    order = np.lexsort((pages, inside, of))
    best = order[np.append(of[order][1:] != of[order][:-1], [True])]
    elsewhere, size_elsewhere = total - inside[best], size - pages[best]
    usable = (size >= LEAST_PAGES) & (size_elsewhere >= LEAST_ELSEWHERE) & (size <= len(own) / 2)

    def level(low: float) -> FloatArray:
        added = PRIOR_PAGES * low
        whole = (total + added) / (size + PRIOR_PAGES)
        return np.asarray(np.minimum(whole, (elsewhere + added) / (size_elsewhere + PRIOR_PAGES)))

    first = np.where(usable, level(0.0), 0.0)
    chosen = (first > 0) & (first >= first.max() / 2)
    for _ in range(MOST_DIVISIONS):
        having = _having(row, chosen[name], len(own))
        others = _having(row, ~having[row], len(own))
        if not (having.any() and others.any()):
            return frozenset()
        high, low = float(evidence[having].mean()), float(evidence[others].mean())
        before = chosen
        chosen = usable & (level(low) >= max(LEAST_EVIDENCE, TIMES * low, (low + high) / 2))
        if np.array_equal(chosen, before):
            break
    return frozenset(found[chosen].tolist())


def _by_domain(
    name: IdArray, domain: IdArray, evidence: FloatArray
) -> tuple[IdArray, FloatArray, IdArray]:
    """Return the name of each pair of name and domain, and the evidence and number of its pages."""
    _, site = np.unique(domain, return_inverse=True)
    sites = int(site.max()) + 1
    pairs, pair = np.unique(name * sites + site, return_inverse=True)
    pages = np.bincount(pair).astype(np.int64)
    return np.asarray(pairs // sites), np.bincount(pair, evidence).astype(np.float64), pages


def _having(row: IdArray, which: BoolArray, pages: int) -> BoolArray:
    """Return which of *pages* have an entry of *row* for which *which* is true."""
    having = np.zeros(pages, dtype=np.bool_)
    having[row[which]] = True
    return having
