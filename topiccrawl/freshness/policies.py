"""The policies: how urgent a visit to each page is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from topiccrawl.freshness.config import Policy
from topiccrawl.freshness.learning import Learner
from topiccrawl.freshness.table import PageTable
from topiccrawl.freshness.types import FloatArray
from topiccrawl.freshness.waterfilling import optimal_frequencies

#: Interval of Nutch's rule at the start, its factors after a visit without and with a change, and its
#: limits, in days (``AdaptiveFetchSchedule`` of Apache Nutch 1.x with its defaults; least one hour here).
NUTCH_START, NUTCH_UNCHANGED, NUTCH_CHANGED = 30.0, 1.4, 0.8
NUTCH_LEAST, NUTCH_MOST = 1 / 24, 365.0

#: Returns the urgency of every row from the pages, what was learned, the time in days and the visits a day.
Urgency = Callable[[PageTable, Learner, float, float], FloatArray]


def uniform(pages: PageTable, learner: Learner, now: float, visits: float) -> FloatArray:
    """Return the days since the last visit: a rota."""
    return np.asarray(now - pages.last[: pages.used])


def proportional(pages: PageTable, learner: Learner, now: float, visits: float) -> FloatArray:
    """Return the expected changes since the last visit: visits in proportion to the rate."""
    return uniform(pages, learner, now, visits) * learner.rates()


def nutch(pages: PageTable, learner: Learner, now: float, visits: float) -> FloatArray:
    """Return the time since the last visit in intervals of Nutch's rule (x1.4 / x0.8)."""
    since = uniform(pages, learner, now, visits)
    return np.asarray(since / np.maximum(pages.interval[: pages.used], NUTCH_LEAST))


def optimal(pages: PageTable, learner: Learner, now: float, visits: float) -> FloatArray:
    """Return the share of the interval that is optimal for freshness; 0 for pages that are given up."""
    return uniform(pages, learner, now, visits) * optimal_frequencies(learner.rates(), visits)


def age(pages: PageTable, learner: Learner, now: float, visits: float) -> FloatArray:
    """Return the age index."""
    return learner.index(now)


#: The policies by name.
POLICY_URGENCY: dict[Policy, Urgency] = {
    "uniform": uniform,
    "proportional": proportional,
    "nutch": nutch,
    "optimal": optimal,
    "age-index": age,
}
