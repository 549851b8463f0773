"""Days on which a directory's pages change more, or less, than their rates predict.

Pages are edited together: on most days nothing in a directory changes, on some much of it does.  The changes of a
page come with hazard ``λ·m(u)`` on day ``u``; the activity ``m`` of its directory has mean 1 and is estimated from
what the visits to its siblings found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topiccrawl.freshness.types import BoolArray, FloatArray, IntArray

#: Days that are estimated (a guess: three months; older visits are no evidence of changes not yet seen).
DAYS = 96
#: Visits kept, the latest ones (40 MB at most).
_MOST_VISITS = 200_000
#: Share of the directory's mean rate in a page's part in a burst; the rest is its own (benchmarks/freshness).
SHARED = 0.2
#: Expected changes that weigh as much as the prior of a day's activity, in the directory and in the site.
_SHAPE = 0.2
#: Decay a day of past activity in the prediction of a day's, and the expected changes its prior weighs.
_PERSISTENCE, _CALM = 0.8, 1.0
_GAPS = np.arange(DAYS)[None, :] - np.arange(DAYS)[:, None]
_MEMORY = np.where(_GAPS > 0, _PERSISTENCE ** np.maximum(_GAPS, 0), 0.0)
#: The models of a day's activity: always 1, independent of the days before, predicted from them.
_MODELS = ("steady", "independent", "persistent")
_EPSILON = 1e-9


class Elapsed(NamedTuple):
    """Operational time since the last visit of each page, in days.

    ``quiet`` is the integral of ``min(m, 1)``, ``excess`` that of ``max(m - 1, 0)``; the areas are their integrals
    over the time since the visit.
    """

    quiet: FloatArray
    quiet_area: FloatArray
    excess: FloatArray
    excess_area: FloatArray


class Bursts:
    """The activity of all directories over the last ``DAYS`` days."""

    def __init__(self) -> None:
        self._first: float | None = None
        self._activity: FloatArray = np.ones((len(_MODELS), 0, DAYS))
        self._time: FloatArray = np.zeros((len(_MODELS), 0, DAYS + 1))
        self._row: IntArray = np.zeros(0, dtype=np.int64)
        self._start: FloatArray = np.zeros(0)
        self._end: FloatArray = np.zeros(0)
        self._changed: BoolArray = np.zeros(0, dtype=np.bool_)
        self._new: list[tuple[int, float, float, bool]] = []
        self.mean_rate: FloatArray = np.zeros(0)
        """Mean rate of the pages of each directory."""

    def observe(self, row: int, start: float, end: float, changed: bool) -> None:
        """Record a visit at ``end`` to a page that was last visited at ``start`` (days)."""
        self._new.append((row, start, end, changed))

    def forget(self, row: int) -> None:
        """Drop the visits of a row that is used for another page from now on."""
        self._new = [visit for visit in self._new if visit[0] != row]
        self._keep(self._row != row)

    def estimate(
        self,
        now: float,
        rates: FloatArray,
        directory: IntArray,
        site_of: IntArray,
        weights: FloatArray,
    ) -> None:
        """Estimate the activity up to ``now`` by expectation maximization.

        Parameters
        ----------
        now : days
        rates, directory : of each page
        site_of : site of each directory
        weights : share of each model in each site, shape (models, sites)
        """
        groups = len(site_of)
        self._advance(now, groups)
        pages = np.bincount(directory, minlength=groups)
        self.mean_rate = np.bincount(directory, rates, groups) / np.maximum(pages, 1)
        group = directory[self._row]
        part = (1 - SHARED) * rates[self._row] + SHARED * self.mean_rate[group]
        start = np.maximum(self._start - self._base, 0.0)
        end = self._end - self._base
        before = np.maximum(self._base - self._start, 0.0) * part
        expected = _spread(group, start, end, part, groups)
        for model in range(1, len(_MODELS)):
            for _step in range(2):
                activity = self._activity[model]
                time = _cumulate(activity)
                hazard = before + part * (_at(time, group, end) - _at(time, group, start))
                found = np.where(
                    self._changed, part / -np.expm1(-np.maximum(hazard, _EPSILON)), 0.0
                )
                changes = activity * _spread(group, start, end, found, groups)
                persistent = _MODELS[model] == "persistent"
                self._activity[model] = _activities(changes, expected, site_of, persistent)
        self._time = np.array([_cumulate(activity) for activity in self._activity])
        mixed = np.einsum("kg,kgd->gd", weights[:, site_of], self._activity)
        self._quiet = _cumulate(np.minimum(mixed, 1.0))
        self._excess = _cumulate(np.maximum(mixed - 1.0, 0.0))
        self._quiet_area, self._excess_area = _areas(self._quiet), _areas(self._excess)

    def times(self, directory: int, start: float, end: float) -> FloatArray:
        """Return the operational time between two times under each model, for a directory that was estimated."""
        first = max(start - self._base, 0.0)
        last = min(end - self._base, float(DAYS))
        time = self._time[:, directory]
        inside = _at_one(time, last) - _at_one(time, first) if last > first else np.zeros(len(time))
        return np.asarray(inside + (end - start) - max(last - first, 0.0))

    def elapsed(self, directory: IntArray, since: FloatArray, now: float) -> Elapsed:
        """Return the operational time of pages since their last visits."""
        since = since - self._base
        end = np.full(len(since), now - self._base)
        before = np.maximum(-since, 0.0)
        since = np.maximum(since, 0.0)
        length = end - since
        quiet_then = _at(self._quiet, directory, since)
        quiet = _at(self._quiet, directory, end) - quiet_then + before
        area = _at(self._quiet_area, directory, end) - _at(self._quiet_area, directory, since)
        quiet_area = area - quiet_then * length + before * (before / 2 + length)
        excess_then = _at(self._excess, directory, since)
        excess = _at(self._excess, directory, end) - excess_then
        area = _at(self._excess_area, directory, end) - _at(self._excess_area, directory, since)
        excess_area = area - excess_then * length
        return Elapsed(*(np.maximum(x, 0.0) for x in (quiet, quiet_area, excess, excess_area)))

    @property
    def _base(self) -> float:
        return self._first or 0.0

    def _keep(self, kept: BoolArray) -> None:
        if not kept.all():
            self._row, self._start = self._row[kept], self._start[kept]
            self._end, self._changed = self._end[kept], self._changed[kept]

    def _advance(self, now: float, groups: int) -> None:
        """Move the window to ``now``, add directories and visits, and drop visits before the window."""
        first = float(np.floor(now)) + 1 - DAYS
        step = min(int(first - self._first), DAYS) if self._first is not None else 0
        if step > 0:
            self._activity = np.concatenate(
                [self._activity[:, :, step:], np.ones((*self._activity.shape[:2], step))], axis=2
            )
        self._first = first if self._first is None else max(first, self._first)
        if (more := groups - self._activity.shape[1]) > 0:
            added = np.ones((len(_MODELS), more, DAYS))
            self._activity = np.concatenate([self._activity, added], axis=1)
        if self._new:
            rows, starts, ends, changed = zip(*self._new, strict=True)
            self._row = np.concatenate([self._row, np.array(rows, dtype=np.int64)])
            self._start = np.concatenate([self._start, starts])
            self._end = np.concatenate([self._end, ends])
            self._changed = np.concatenate([self._changed, np.array(changed, dtype=np.bool_)])
            self._new = []
        self._keep(self._end > self._base)
        if len(self._row) > _MOST_VISITS:
            self._keep(np.arange(len(self._row)) >= len(self._row) - _MOST_VISITS)


def _activities(
    changes: FloatArray, expected: FloatArray, site_of: IntArray, persistent: bool
) -> FloatArray:
    """Return the mean of the gamma posterior of each day's activity, shrunk to that of the site."""
    sites = int(site_of.max()) + 1
    of_site, expected_of_site = np.zeros((sites, DAYS)), np.zeros((sites, DAYS))
    np.add.at(of_site, site_of, changes)
    np.add.at(expected_of_site, site_of, expected)
    predicted = _predicted(of_site, expected_of_site) if persistent else 1.0
    site = (_SHAPE * predicted + of_site) / (_SHAPE + expected_of_site)
    prior = site[site_of]
    if persistent:
        prior = prior * _predicted(changes, expected * prior)
    return np.asarray((_SHAPE * prior + changes) / (_SHAPE + expected))


def _predicted(changes: FloatArray, expected: FloatArray) -> FloatArray:
    """Return the activity that the days before predict."""
    return np.asarray((_CALM + changes @ _MEMORY) / (_CALM + expected @ _MEMORY))


def _spread(
    group: IntArray, start: FloatArray, end: FloatArray, amount: FloatArray, groups: int
) -> FloatArray:
    """Return the sums over visits of a daily amount between start and end, shape (groups, days)."""
    wide = DAYS + 2
    flat = np.zeros(groups * wide)
    for at, signed in ((start, amount), (end, -amount)):
        day, rest = _split(at)
        cell = group * wide + day
        flat += np.bincount(cell, (1 - rest) * signed, len(flat))
        flat += np.bincount(cell + 1, rest * signed, len(flat))
    return np.asarray(np.cumsum(flat.reshape(groups, wide), axis=1)[:, :DAYS])


def _split(at: FloatArray) -> tuple[IntArray, FloatArray]:
    at = np.clip(at, 0.0, DAYS - _EPSILON)
    day = at.astype(np.int64)
    return day, at - day


def _cumulate(daily: FloatArray) -> FloatArray:
    result = np.zeros((len(daily), DAYS + 1))
    np.cumsum(daily, axis=1, out=result[:, 1:])
    return result


def _areas(time: FloatArray) -> FloatArray:
    return _cumulate((time[:, 1:] + time[:, :-1]) / 2)


def _at(values: FloatArray, group: IntArray, at: FloatArray) -> FloatArray:
    """Interpolate the values of each group at a time in days from the start of the window."""
    day, rest = _split(at)
    return np.asarray(values[group, day] * (1 - rest) + values[group, day + 1] * rest)


def _at_one(values: FloatArray, at: float) -> FloatArray:
    at = min(max(at, 0.0), DAYS - _EPSILON)
    day = int(at)
    return np.asarray(values[:, day] * (1 - (at - day)) + values[:, day + 1] * (at - day))


#: Number of models of activity.
MODELS = len(_MODELS)
