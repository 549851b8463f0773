"""Confidence intervals and significance tests of differences between strategies.

The unit is the topic, because repeats and runs of one topic from several seed sets are not
independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

#: Confidence level of all intervals.
CONFIDENCE = 0.95
#: Least number of topics for the bootstrap.  With fewer its intervals are too narrow (three topics
#: have only ten different resampled means), and Student's t is exact for normal means.  A common
#: choice, not measured.
_BOOTSTRAP_FROM = 10
#: Resamples of the bootstrap: SciPy's default.
_RESAMPLES = 9_999
#: Most pairs for which all sign flips (2^16) are tried; above, a random sample of them.
_EXACT_PAIRS = 16


@dataclass(frozen=True, slots=True)
class Comparison:
    """A strategy compared with the baseline on the same topics and seeds."""

    difference: float
    """Mean over topics of the mean of (strategy - baseline), as in the rows of the summary."""
    low: float | None
    high: float | None
    """Bounds of the 95 % interval of the difference, by topic."""
    p: float | None
    """Two-sided sign-flip permutation test over the pairs."""
    pairs: int


def interval(values: Sequence[float], seed: int = 0) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean of *values* (one per topic); ``None`` below two.

    Student's t below ten topics, percentile bootstrap (Efron 1979) from ten on, with random
    generator *seed*.
    """
    data = np.asarray(values, dtype=np.float64)
    if len(data) < 2:
        return None
    mean = float(data.mean())
    if float(np.ptp(data)) == 0.0:
        return mean, mean
    if len(data) < _BOOTSTRAP_FROM:
        found = stats.t.interval(CONFIDENCE, len(data) - 1, loc=mean, scale=stats.sem(data))
        return float(found[0]), float(found[1])
    result = stats.bootstrap(
        (data,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=_RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def sign_flip(differences: Sequence[float], seed: int = 0) -> float | None:
    """Return the two-sided p value of the sign-flip permutation test for a mean difference of 0.

    Exact up to 16 pairs (2^16 flips), above from 100,000 random flips with generator *seed*.
    ``None`` without pairs.  The least p value for n pairs is 2^(1-n), so with fewer than six pairs
    no difference is significant at the 5 % level.
    """
    data = np.asarray(differences, dtype=np.float64)
    if not len(data):
        return None
    if len(data) == 1 or not np.any(data):
        return 1.0
    exact = len(data) <= _EXACT_PAIRS
    result = stats.permutation_test(
        (data,),
        _mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=2 ** len(data) if exact else 100_000,
        alternative="two-sided",
        batch=10_000,
        rng=np.random.default_rng(seed),
    )
    return min(1.0, float(np.asarray(result.pvalue)))


def _mean(data: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    return np.asarray(np.mean(data, axis=axis))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple testing (Holm, Scand. J. Statist. 6, 1979).

    ``p'_(i) = max_{j<=i} min(1, (m - j + 1) p_(j))`` for p_(1) <= … <= p_(m), in the given order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


def compare(pairs: Sequence[tuple[str, float, float]], seed: int = 0) -> Comparison:
    """Compare a strategy with a baseline; *pairs* are (topic, strategy, baseline) per seed set.

    The values must be averaged over repeats.  Raises ``ValueError`` without pairs.
    """
    if not pairs:
        raise ValueError("there are no pairs to compare")
    differences = [ours - theirs for _, ours, theirs in pairs]
    topics = dict.fromkeys(topic for topic, _, _ in pairs)
    by_topic = [
        float(np.mean([a - b for name, a, b in pairs if name == topic])) for topic in topics
    ]
    ends = interval(by_topic, seed) or (None, None)
    return Comparison(
        difference=float(np.mean(by_topic)),
        low=ends[0],
        high=ends[1],
        p=sign_flip(differences, seed),
        pairs=len(pairs),
    )
