"""What the planner learns: rates, bursts, trust in signals, and the index that follows from them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from topiccrawl.freshness.bursts import SHARED, Bursts, Elapsed
from topiccrawl.freshness.formulas import age_index, index_at_age, mean_lag
from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.models import ModelWeights
from topiccrawl.freshness.rates import RATES, RatePrior, directory_sums, log_likelihood, near
from topiccrawl.freshness.signals import Trust
from topiccrawl.freshness.table import Groups, PageTable
from topiccrawl.freshness.types import FloatArray

#: Pages whose indices are computed together: bounds the memory to some 50 MB.
_BLOCK = 16_384
#: Days between two steps of the prior (a choice: rates are learned over weeks).
_PRIOR_DAYS = 0.25
_SECONDS = 86_400.0


class Learner:
    """Learns from visits and signals; see docs/freshness.md for the model."""

    def __init__(self, table: PageTable, groups: Groups) -> None:
        self._table, self._groups = table, groups
        self._prior, self._bursts = RatePrior(), Bursts()
        self._models, self._trust = ModelWeights(), Trust()
        self._rates: FloatArray = np.zeros(0)
        self._site_rate: FloatArray = np.zeros(0)
        self._fitted = -np.inf

    def absorb(self, row: int, history: PageHistory, trusted_until: float = -np.inf) -> None:
        """Learn from the stored history of a page that was just added.

        Visits up to *trusted_until* (days) have counted for the sources of the site already, which do not
        forget a page that is removed.
        """
        start = history.first_seen / _SECONDS
        if history.earlier_visits:
            until = history.earlier_until / _SECONDS
            each = RATES * ((until - start) / history.earlier_visits)
            changes = history.earlier_changes
            evidence = changes * log_likelihood(each, changed=True)
            evidence -= (history.earlier_visits - changes) * each
            self._table.evidence[row] += evidence
            start = until
        signals = [signal.at / _SECONDS for signal in history.signals]
        for visit in history.visits:
            at = visit.at / _SECONDS
            within = sum(start < signal <= at for signal in signals)
            if within:
                self._trust.appear(self._site(row))
            self._learn(row, start, at, visit.changed, within, trust=at > trusted_until)
            start = at
        for signal in history.signals:
            self.signaled(row, signal.at / _SECONDS)

    def visited(self, row: int, now: float, changed: bool) -> None:
        """Learn from a visit; the row still has the time of the one before."""
        since = float(self._table.last[row])
        directory = int(self._table.directory[row])
        if row < len(self._rates) and directory < len(self._bursts.mean_rate):
            self._compare(row, directory, since, now, changed)
        self._learn(row, since, now, changed, float(self._table.signals[row]))

    def signaled(self, row: int, at: float) -> None:
        """Learn that a source states a change at a time (days)."""
        table = self._table
        if at <= table.last[row] or at <= table.seen_signal[row]:
            return
        table.seen_signal[row] = at
        table.signals[row] += 1
        table.signal_days[row] += at
        self._trust.appear(self._site(row))

    def forget(self, row: int) -> None:
        """Forget the visits of a removed page."""
        self._bursts.forget(row)

    def refresh(self, now: float) -> None:
        """Bring rates and bursts up to date."""
        table, used = self._table, self._table.used
        site_of = self._groups.site_of
        sites = int(site_of.max()) + 1
        self._prior.grow(site_of)
        self._models.grow(sites)
        if now - self._fitted >= _PRIOR_DAYS or used > len(self._rates):
            self._fitted = now
            self._rates = np.zeros(used)
            counts = np.zeros((len(site_of), len(RATES)))
            for block in self._blocks():
                posterior = self._posterior(block)
                self._rates[block] = posterior @ RATES
                visited = (table.visits[block] > 0) & table.alive[block]
                directory = table.directory[block][visited]
                counts += directory_sums(posterior[visited], directory, len(site_of))
            self._prior.fit(counts, site_of)
        site = site_of[table.directory[:used]]
        alive = table.alive[:used]
        total = np.bincount(site, self._rates * alive, sites)
        self._site_rate = total / np.maximum(np.bincount(site, alive, sites), 1)
        self._bursts.estimate(
            now, self._rates, table.directory[:used].astype(np.int64), site_of, self._models.bursts
        )

    def rates(self) -> FloatArray:
        """Return the mean rate of each row: known, or the posterior's mean; 0 before a :meth:`refresh`."""
        known = self._table.known_rate[: self._table.used].astype(np.float64)
        learned = np.zeros(len(known))
        learned[: len(self._rates)] = self._rates
        return np.where(np.isnan(known), learned, known)

    def index(self, now: float) -> FloatArray:
        """Return the age index of each row."""
        table = self._table
        recalls, falses = self._trust.of_sites(len(self._site_rate))
        equal = self._models.equal
        result = np.zeros(table.used)
        for block in self._blocks():
            directory = table.directory[block].astype(np.int64)
            site = self._groups.site_of[directory]
            since = now - table.last[block]
            elapsed = self._bursts.elapsed(directory, table.last[block], now)
            age = self._expected_age(block, now, elapsed, recalls[site], falses[site])
            alike = near(self._site_rate)[site]
            weight = np.where(table.signals[block] > 0, 0.0, equal[site])[:, None]
            posterior = (1 - weight) * self._posterior(block) + weight * alike
            worth = _worth(posterior, self._prior.sites[site], index_at_age(RATES, age))
            known = table.known_rate[block].astype(np.float64)
            unknown = np.isnan(known)
            result[block] = np.where(
                unknown, worth, age_index(np.where(unknown, 0.0, known), since)
            )
        return result

    def _expected_age(
        self, block: slice, now: float, elapsed: Elapsed, recall: FloatArray, false: FloatArray
    ) -> FloatArray:
        """Return the expected age of pages for each rate they may have, shape (pages, rates).

        Changes that no source stated come with the quiet part of the hazard; the excess of bursts and the
        statements make the page change at one time, the mean of theirs.
        """
        table = self._table
        directory = table.directory[block]
        quiet, quiet_area, excess, excess_area = (x[:, None] for x in elapsed)
        since = (now - table.last[block])[:, None]
        unstated = (1 - recall)[:, None]
        hazard = unstated * RATES * quiet
        age = np.minimum(2 * quiet_area / np.maximum(quiet, 1e-9), since) * mean_lag(hazard)
        shared = SHARED * self._bursts.mean_rate[directory][:, None]
        part = unstated * ((1 - SHARED) * RATES + shared)
        odds = np.log1p(RATES * (recall / np.maximum(false, 1e-12))[:, None])
        signals = table.signals[block].astype(np.float64)[:, None]
        waits = signals * now - table.signal_days[block][:, None]
        jump = part * excess + odds * signals
        lag = (part * excess_area + odds * waits) / np.maximum(jump, 1e-12)
        return np.asarray(np.minimum(age - lag * np.expm1(-jump) * np.exp(-hazard), since))

    def _learn(
        self,
        row: int,
        start: float,
        now: float,
        changed: bool,
        signals: float,
        *,
        trust: bool = True,
    ) -> None:
        """Add a visit to the evidence: signals are a process with rate λr + ν, hidden changes one with λ(1 - r)."""
        days = max(now - start, 1e-6)
        site = self._site(row)
        if trust:
            self._trust.visited(site, days, signals, self._changes(row, days) if changed else 0.0)
        self._bursts.observe(row, start, now, changed)
        evidence = self._table.evidence[row]
        recall = self._trust.recall(site)
        if recall:
            false = self._trust.false_rate(site)
            stated = RATES * recall + false
            evidence += signals * np.log(stated) - stated * days
            hazard = RATES * (days * (1 - recall)) + signals * np.log1p(RATES * (recall / false))
            evidence += log_likelihood(hazard, changed)
        else:
            evidence += log_likelihood(RATES * days, changed)

    def _changes(self, row: int, days: float) -> float:
        """Return the expected number of changes in days with at least one."""
        hazard = self._rates[row] * days if row < len(self._rates) else 0.0
        return float(hazard / -np.expm1(-hazard)) if hazard > 0 else 1.0

    def _compare(self, row: int, directory: int, since: float, now: float, changed: bool) -> None:
        """Judge the models by their predictions of a visit."""
        site = self._site(row)
        times = self._bursts.times(directory, since, now)[:, None]
        days = max(now - since, 0.0)
        part = (1 - SHARED) * RATES + SHARED * self._bursts.mean_rate[directory]
        hazard = RATES * np.minimum(times, days) + part * np.maximum(times - days, 0.0)
        posterior = self._posterior(slice(row, row + 1))[0]
        unchanged = np.exp(-hazard) @ posterior
        alike = np.exp(-self._site_rate[site] * days)
        self._models.visited(site, np.concatenate([[alike], unchanged]), changed)

    def _posterior(self, block: slice) -> FloatArray:
        return self._prior.posterior(self._table.evidence[block], self._table.directory[block])

    def _site(self, row: int) -> int:
        return self._groups.site(int(self._table.directory[row]))

    def _blocks(self) -> Iterator[slice]:
        used = self._table.used
        return (slice(at, min(at + _BLOCK, used)) for at in range(0, used, _BLOCK))


def _worth(posterior: FloatArray, site: FloatArray, index: FloatArray) -> FloatArray:
    """Return the expected index of pages; arrays have the shape (pages, rates).

    A page that probably has the highest rate looks changed at every visit: by an advertisement or a counter rather
    than by its text.  It is worth what an ordinary page of its site is, to the degree to which that is more
    probable than not.
    """
    ordinary = site[:, :-1] / site[:, :-1].sum(axis=1, keepdims=True)
    usual = (ordinary * index[:, :-1]).sum(axis=1)
    noisy = np.maximum(2.0 * posterior[:, -1] - 1.0, 0.0)
    return np.asarray((1 - noisy) * (posterior * index).sum(axis=1) + noisy * usual)
