from __future__ import annotations

import os
import numpy as np

from topiccrawl.freshness.types import FloatArray, IntArray

P = dict(W=96, K=[0.0, 1.0, 0.1, 0.01], KS=1.0, beta=0.5, iters=2, rho=0.0, tc=1.0)
P.update(eval(os.environ.get("FP", "{}")))
KAPPA = np.array(P["K"])
DAYS = P["W"]
_MOST = 200_000


class Bursts:
    def __init__(self) -> None:
        k = len(KAPPA)
        self.m = np.ones((k, 0, DAYS))
        self.ms = np.ones((k, 0, DAYS))
        self.first = None
        self.row = np.zeros(0, dtype=np.int64)
        self.start = np.zeros(0)
        self.end = np.zeros(0)
        self.changed = np.zeros(0, dtype=bool)
        self.new = []
        self.score = np.zeros((k, 0))
        self.cum = None

    def observe(self, row, start, end, changed):
        self.new.append((row, start, end, changed))

    def _move(self, now, groups, sites):
        first = np.floor(now) + 1 - DAYS
        k = len(KAPPA)
        if self.first is None:
            self.first = first
        step = int(first - self.first)
        if step > 0:
            for name in ("m", "ms"):
                a = getattr(self, name)
                fresh = np.ones_like(a)
                if step < DAYS:
                    fresh[:, :, : DAYS - step] = a[:, :, step:]
                setattr(self, name, fresh)
            self.first = first
        if groups > self.m.shape[1]:
            self.m = np.concatenate([self.m, np.ones((k, groups - self.m.shape[1], DAYS))], 1)
        if sites > self.ms.shape[1]:
            self.ms = np.concatenate([self.ms, np.ones((k, sites - self.ms.shape[1], DAYS))], 1)
            self.score = np.concatenate([self.score, np.zeros((k, sites - self.score.shape[1]))], 1)
        if self.new:
            r, s, e, c = zip(*self.new)
            self.row = np.concatenate([self.row, np.array(r, dtype=np.int64)])
            self.start = np.concatenate([self.start, s])
            self.end = np.concatenate([self.end, e])
            self.changed = np.concatenate([self.changed, np.array(c, dtype=bool)])
            self.new = []
        keep = self.end > self.first
        if not keep.all():
            self.row, self.start, self.end, self.changed = (a[keep] for a in (self.row, self.start, self.end, self.changed))

    def refresh(self, now, rates, directory, site_of):
        groups = len(site_of)
        sites = int(site_of.max()) + 1
        self._move(now, groups, sites)
        # sensitivity
        sums = np.bincount(directory, rates, groups)
        counts = np.bincount(directory, minlength=groups)
        mean = sums / np.maximum(counts, 1)
        self.mean = mean
        d = directory[self.row]
        s = (1 - P["beta"]) * rates[self.row] + P["beta"] * mean[d]
        start = np.maximum(self.start - self.first, 0.0)
        end = self.end - self.first
        before = np.maximum(self.first - self.start, 0.0) * s
        y = self.changed
        E = _spread(d, start, end, s, groups)
        Es = np.zeros((sites, DAYS)); np.add.at(Es, site_of, E)
        for _ in range(P["iters"]):
            for k in range(1, len(KAPPA)):
                M = _cumulate(self.m[k])
                h = before + s * (_at(M, d, end) - _at(M, d, start))
                a = np.where(y, s / -np.expm1(-np.maximum(h, 1e-9)), 0.0)
                C = self.m[k] * _spread(d, start, end, a, groups)
                Cs = np.zeros((sites, DAYS)); np.add.at(Cs, site_of, C)
                ks = KAPPA[k] * P["KS"]
                self.ms[k] = (ks + Cs) / (ks + Es)
                self.m[k] = (KAPPA[k] * self.ms[k][site_of] + C) / (KAPPA[k] + E)
        self.cum = np.array([_cumulate(m) for m in self.m])
        w = np.exp(P["tc"]*(self.score - self.score.max(axis=0)))
        self.weights = w / w.sum(axis=0)
        m = np.einsum("kg,kgd->gd", self.weights[:, site_of], self.m)
        self.quiet = _cumulate(np.minimum(m, 1.0))
        self.excess = _cumulate(np.maximum(m - 1.0, 0.0))
        self.quiet_area = _trapezoid(self.quiet)
        self.excess_area = _trapezoid(self.excess)
        self.v = 0

    def hazards(self, d, start, end):
        """[K] operational times of each expert"""
        if self.cum is None or d >= self.cum.shape[1]:
            return np.full(len(KAPPA), end - start)
        s, e = start - self.first, end - self.first
        e = min(e, DAYS)
        out = -min(s, 0.0) + _at1(self.cum[:, d], e) - _at1(self.cum[:, d], max(s, 0.0))
        return out + (end - self.first - e)

    def between(self, d, start, now):
        s, e = start - self.first, np.full(len(start), now - self.first)
        before = np.maximum(-s, 0.0)
        s = np.maximum(s, 0.0)
        q0 = _at(self.quiet, d, s)
        quiet = _at(self.quiet, d, e) - q0
        area_q = _at(self.quiet_area, d, e) - _at(self.quiet_area, d, s) - q0 * (e - s)
        x0 = _at(self.excess, d, s)
        excess = _at(self.excess, d, e) - x0
        area_x = _at(self.excess_area, d, e) - _at(self.excess_area, d, s) - x0 * (e - s)
        # before the window: m = 1
        area_q = area_q + before * before / 2 + before * (e - s)
        return quiet + before, np.maximum(area_q, 0), np.maximum(excess, 0), np.maximum(area_x, 0)


def _spread(d, start, end, amount, groups):
    """per-day integral of amount over (start, end]"""
    flat = np.zeros(groups * (DAYS + 2))
    for at, sign in ((start, 1.0), (end, -1.0)):
        at = np.minimum(at, DAYS - 1e-9)
        b = at.astype(np.int64)
        f = at - b
        flat += np.bincount(d * (DAYS + 2) + b, sign * (1 - f) * amount, len(flat))
        flat += np.bincount(d * (DAYS + 2) + b + 1, sign * f * amount, len(flat))
    return np.cumsum(flat.reshape(groups, DAYS + 2), axis=1)[:, :DAYS]


def _cumulate(m):
    out = np.zeros((len(m), DAYS + 1))
    np.cumsum(m, axis=1, out=out[:, 1:])
    return out

def _trapezoid(M):
    out = np.zeros_like(M)
    np.cumsum((M[:, 1:] + M[:, :-1]) / 2, axis=1, out=out[:, 1:])
    return out

def _at(M, d, at):
    at = np.minimum(at, DAYS - 1e-9)
    b = at.astype(np.int64)
    f = at - b
    return M[d, b] * (1 - f) + M[d, b + 1] * f

def _at1(M, at):
    at = min(at, DAYS - 1e-9)
    b = int(at)
    f = at - b
    return M[:, b] * (1 - f) + M[:, b + 1] * f
