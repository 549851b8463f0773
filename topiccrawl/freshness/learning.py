from __future__ import annotations

import os

import numpy as np

from topiccrawl.freshness.bursts import Bursts, P as BP
from topiccrawl.freshness.formulas import _mean_lag, age_index, expected_age, index_at_age
from topiccrawl.freshness.rates import RATES, RatePrior, log_likelihood

P = dict(T=1e9, B=1)
P.update(eval(os.environ.get("FP", "{}")))


class Learner:
    def __init__(self, table, groups, config):
        self.t, self.g, self.config = table, groups, config
        self.prior = RatePrior()
        self.bursts = Bursts()
        self.post = None
        self.visits_a_day = 1.0

    def observe(self, row, now, changed):
        t = self.t
        tau = now - t.last[row]
        ev = t.evidence[row]
        H = RATES * tau
        if P["B"]:
            d = t.directory[row]
            b = self.bursts
            ops = b.hazards(d, t.last[row], now)  # [K]
            if b.cum is not None and row < len(self.post):
                site = self.g._site_of[d]
                v = (1 - BP["beta"]) * RATES + BP["beta"] * b.mean[d]
                hk = np.maximum(RATES * np.minimum(ops, tau)[:, None] + v * np.maximum(ops - tau, 0)[:, None], 1e-12)
                p0 = (self.post[row] * np.exp(-hk)).sum(axis=1)
                b.score[:, site] *= P.get("fs", .999)
                b.score[:, site] += np.log(np.maximum(1 - p0, 1e-9) if changed else p0)
                H = b.weights[:, site] @ hk
            b.observe(row, t.last[row], now, changed)
        if P["T"] < 1e8:
            ev *= np.exp(-tau / P["T"])
        ev += log_likelihood(H, changed)

    def signaled(self, row, at):
        pass

    def refresh(self, now):
        t = self.t
        n = t.used
        site_of = self.g.site_of
        self.prior.grow(site_of)
        d = t.directory[:n]
        self.post = self.prior.posterior(t.evidence[:n], d)
        v = t.visits[:n] > 0
        if v.any():
            self.prior.fit(self.post[v], d[v], site_of)
        if P["B"]:
            self.bursts.refresh(now, self.post @ RATES, d, site_of)

    def mean_rates(self):
        known = self.t.known_rate[:self.t.used]
        return np.where(np.isnan(known), self.post @ RATES, known)

    def index(self, days):
        n = self.t.used
        last = self.t.last[:n]
        tau = days - last
        if not P["B"]:
            return (self.post * age_index(RATES[None, :], tau[:, None])).sum(axis=1)
        d = self.t.directory[:n]
        q, aq, x, ax = (a[:, None] for a in self.bursts.between(d, last, days))
        L = RATES[None, :]
        H = L * q
        c = np.minimum(2 * aq / np.maximum(q, 1e-9), tau[:, None]) * _mean_lag(H)
        v = (1 - BP["beta"]) * L + BP["beta"] * self.bursts.mean[d][:, None]
        lag = ax / np.maximum(x, 1e-9)
        c = c + lag * -np.expm1(-v * x) * np.exp(-H)
        c = np.minimum(c, tau[:, None])
        return (self.post * index_at_age(L, c)).sum(axis=1)
