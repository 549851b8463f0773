from __future__ import annotations

import numpy as np

from topiccrawl.freshness.formulas import age_index
from topiccrawl.freshness.waterfilling import optimal_frequencies


def uniform(t, learner, days):
    return days - t.last[: t.used]

def proportional(t, learner, days):
    return (days - t.last[: t.used]) * learner.mean_rates()

def nutch(t, learner, days):
    return (days - t.last[: t.used]) / t.interval[: t.used]

def optimal(t, learner, days):
    r = learner.mean_rates()
    return (days - t.last[: t.used]) * optimal_frequencies(r, learner.visits_a_day)

def ageindex(t, learner, days):
    n = t.used
    known = t.known_rate[:n]
    tau = days - t.last[:n]
    if not np.isnan(known).any():
        return age_index(known, tau)
    return learner.index(days)

POLICY_FUNCTIONS = {"uniform": uniform, "proportional": proportional, "nutch": nutch, "optimal": optimal, "age-index": ageindex}
