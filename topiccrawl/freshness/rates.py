"""Change rates learned from visits that see only whether a page changed since the last one."""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.types import FloatArray, IntArray

#: Rates that a page may have, changes a day: from one in eight years to four a day, each 1.9 times the
#: last.
RATES = np.geomspace(1 / 3000, 4.0, 16)
#: Prior of a site of which nothing is known: all rates up to one a day are equally probable, higher ones
#: are rarer (a guess).
_VAGUE = np.where(RATES <= 1.0, 1.0, 0.3) / np.where(RATES <= 1.0, 1.0, 0.3).sum()
#: Visited pages that weigh as much as the prior: of the site against no knowledge, and of the directory
#: against the site.
SITE_WEIGHT, DIRECTORY_WEIGHT = 10.0, 5.0


def directory_sums(posterior: FloatArray, directory: IntArray, directories: int) -> FloatArray:
    """Return the sums of posteriors over the pages of each directory, shape (directories, rates)."""
    return np.stack([np.bincount(directory, column, directories) for column in posterior.T], axis=1)


def near(rates: FloatArray) -> FloatArray:
    """Return distributions over ``RATES`` with the given means, each on two neighbors."""
    rates = np.clip(rates, RATES[0], RATES[-1])
    upper = np.clip(np.searchsorted(RATES, rates), 1, len(RATES) - 1)
    share = (rates - RATES[upper - 1]) / (RATES[upper] - RATES[upper - 1])
    result = np.zeros((len(rates), len(RATES)))
    rows = np.arange(len(rates))
    result[rows, upper - 1] = 1 - share
    result[rows, upper] = share
    return result


def log_likelihood(hazard: FloatArray, changed: bool) -> FloatArray:
    """Return ``log P(changed or not)`` for expected numbers of changes: ``1 - e^{-H}`` or ``e^{-H}``."""
    return np.log(-np.expm1(-np.maximum(hazard, 1e-12))) if changed else -hazard


class RatePrior:
    """Empirical Bayes: the distribution of rates in each directory and site, learned from its pages.

    A distribution over :data:`RATES` rather than a gamma density: most sites have many pages that never
    change beside a few that change daily.
    """

    def __init__(self) -> None:
        self.directories: FloatArray = np.zeros((0, len(RATES)))
        self.sites: FloatArray = np.zeros((0, len(RATES)))

    def grow(self, site_of: IntArray) -> None:
        """Add directories and sites that are new."""
        sites = int(site_of.max()) + 1 if len(site_of) else 0
        more = sites - len(self.sites)
        if more > 0:
            self.sites = np.concatenate([self.sites, np.tile(_VAGUE, (more, 1))])
        new = site_of[len(self.directories) :]
        self.directories = np.concatenate([self.directories, self.sites[new]])

    def posterior(self, evidence: np.ndarray, directory: IntArray) -> FloatArray:
        """Return the probability of each rate, shape (pages, rates)."""
        logs = evidence + np.log(self.directories)[directory]
        logs -= logs.max(axis=1, keepdims=True)
        weights = np.exp(logs)
        weights /= weights.sum(axis=1, keepdims=True)
        return np.asarray(weights, dtype=np.float64)

    def fit(self, counts: FloatArray, site_of: IntArray) -> None:
        """Do one step of expectation maximization.

        Parameters
        ----------
        counts : array of float, shape (directories, rates)
            Sums of the posteriors of the visited pages of each directory.
        """
        site = np.zeros_like(self.sites)
        np.add.at(site, site_of, counts)
        self.sites = _shrunk(site, np.broadcast_to(_VAGUE, site.shape), SITE_WEIGHT)
        self.directories = _shrunk(counts, self.sites[site_of], DIRECTORY_WEIGHT)


def _shrunk(counts: FloatArray, prior: FloatArray, weight: float) -> FloatArray:
    return np.asarray((counts + weight * prior) / (counts.sum(axis=1, keepdims=True) + weight))
