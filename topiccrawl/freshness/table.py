"""The pages of a planner as growing arrays."""

from __future__ import annotations

import numpy as np

from topiccrawl.freshness.rates import RATES

#: Rows at the start; the arrays double.
_FIRST_ROWS = 256
_COLUMNS: dict[str, tuple[type, float]] = {
    "last": (np.float64, 0.0),
    "directory": (np.int32, 0),
    "owner": (np.int32, 0),
    "list": (np.bool_, 0),
    "alive": (np.bool_, 0),
    "handed": (np.bool_, 0),
    "known_rate": (np.float32, np.nan),
    "interval": (np.float32, 0.0),
    "visits": (np.int32, 0),
    "signals": (np.float32, 0.0),
    "signal_days": (np.float64, 0.0),
    "seen_signal": (np.float64, 0.0),
}


class PageTable:
    """One row for each page; rows of removed pages are used again.

    Attributes
    ----------
    last : time of the last fetch, in days
    directory : number of the directory (:class:`Groups`)
    owner : number of the owner of its site
    list, alive, handed : list page; row in use; handed out and not yet visited
    known_rate : rate that is known rather than learned, or nan
    interval : interval of Nutch's rule, days
    visits : number of fetches
    signals, signal_days : signals since the last visit, and the sum of their times
    seen_signal : time of the latest signal, days
    evidence : log-likelihood of each rate of ``RATES``, float32, shape (rows, rates)
    """

    last: np.ndarray
    directory: np.ndarray
    owner: np.ndarray
    list: np.ndarray
    alive: np.ndarray
    handed: np.ndarray
    known_rate: np.ndarray
    interval: np.ndarray
    visits: np.ndarray
    signals: np.ndarray
    signal_days: np.ndarray
    seen_signal: np.ndarray
    evidence: np.ndarray

    def __init__(self) -> None:
        self.names: list[str] = []
        self.rows: dict[str, int] = {}
        self._free: list[int] = []
        for column, (kind, _value) in _COLUMNS.items():
            setattr(self, column, np.zeros(_FIRST_ROWS, dtype=kind))
        self.evidence = np.zeros((_FIRST_ROWS, len(RATES)), dtype=np.float32)

    @property
    def used(self) -> int:
        """Number of rows that were ever used."""
        return len(self.names)

    def take(self, page: str) -> int:
        """Return the row of a page, a new one with default values if there is none."""
        row = self.rows.get(page)
        if row is None:
            if self._free:
                row = self._free.pop()
                self.names[row] = page
            else:
                row = len(self.names)
                self.names.append(page)
                if row >= len(self.last):
                    self._grow()
            self.rows[page] = row
        for column, (_kind, value) in _COLUMNS.items():
            getattr(self, column)[row] = value
        self.evidence[row] = 0.0
        self.alive[row] = True
        return row

    def drop(self, page: str) -> None:
        """Free the row of a page."""
        row = self.rows.pop(page, None)
        if row is not None:
            self.alive[row] = False
            self._free.append(row)

    def _grow(self) -> None:
        for column in _COLUMNS:
            old = getattr(self, column)
            setattr(self, column, np.concatenate([old, np.zeros_like(old)]))
        self.evidence = np.concatenate([self.evidence, np.zeros_like(self.evidence)])


class Groups:
    """Numbers of directories and of their sites."""

    def __init__(self) -> None:
        self._sites: dict[str, int] = {}
        self._directories: dict[tuple[str, str], int] = {}
        self._site_of: list[int] = []

    def number(self, site: str, directory: str) -> int:
        """Return the number of a directory of a site."""
        key = (site, directory)
        if key not in self._directories:
            self._directories[key] = len(self._site_of)
            self._site_of.append(self._sites.setdefault(site, len(self._sites)))
        return self._directories[key]

    def site(self, directory: int) -> int:
        """Return the number of the site of a directory."""
        return self._site_of[directory]

    @property
    def site_of(self) -> np.ndarray:
        """Number of the site of each directory."""
        return np.array(self._site_of, dtype=np.int64)
