"""Which pages to visit again, best first."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from topiccrawl.freshness.config import FreshnessConfig, Policy
from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.learning import Learner
from topiccrawl.freshness.policies import POLICY_FUNCTIONS
from topiccrawl.freshness.table import Groups, PageTable

_DAY = 86400.0


class RevisitPlanner:
    def __init__(self, policy: Policy = "age-index", config: FreshnessConfig | None = None, seed: int = 0) -> None:
        self._config = config or FreshnessConfig()
        self._table = PageTable()
        self._groups = Groups()
        self._learner = Learner(self._table, self._groups, self._config)
        self._policy = POLICY_FUNCTIONS[policy]
        self._learns = policy in ("age-index", "proportional", "optimal")

    def add(self, page: str, history: PageHistory, rate: float | None = None) -> None:
        table = self._table
        row = table.take(page)
        table.directory[row] = self._groups.number(history.site, history.directory)
        table.last[row] = history.first_seen / _DAY
        table.interval[row] = 30.0
        if rate is not None:
            table.known_rate[row] = rate

    def visited(self, page: str, at: float, changed: bool, new_links: int = 0, listed: int = 0) -> None:
        row = self._table.rows.get(page)
        if row is None:
            return
        t = self._table
        now = at / _DAY
        if self._learns and np.isnan(t.known_rate[row]):
            self._learner.observe(row, now, changed)
        t.visits[row] += 1
        t.changes[row] += changed
        t.observed[row] += now - t.last[row]
        t.interval[row] = min(max(t.interval[row] * (0.8 if changed else 1.4), 1/24), 365)
        t.last[row] = now
        t.signals[row] = 0
        t.signal_days[row] = 0
        t.handed[row] = False

    def signaled(self, page: str, at: float, source: str) -> None:
        row = self._table.rows.get(page)
        if row is None:
            return
        self._learner.signaled(row, at / _DAY)

    def due(self, now: float, most: int) -> list[str]:
        t = self._table
        n = t.used
        days = now / _DAY
        if self._learns:
            self._learner.refresh(days)
        score = self._policy(t, self._learner, days)
        ok = t.alive[:n] & ~t.handed[:n] & (days - t.last[:n] > self._config.min_hours / 24)
        rows = np.flatnonzero(ok)
        tau = days - t.last[rows]
        order = np.lexsort((rows, -tau, -score[rows]))[:most]
        out = rows[order]
        t.handed[out] = True
        return [t.names[i] for i in out]
