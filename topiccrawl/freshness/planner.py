"""Which pages to visit again, best first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from topiccrawl.freshness.config import FreshnessConfig, Policy
from topiccrawl.freshness.history import PageHistory
from topiccrawl.freshness.learning import Learner
from topiccrawl.freshness.policies import (
    NUTCH_CHANGED,
    NUTCH_LEAST,
    NUTCH_MOST,
    NUTCH_START,
    NUTCH_UNCHANGED,
    POLICY_URGENCY,
)
from topiccrawl.freshness.table import Groups, PageTable
from topiccrawl.freshness.types import FloatArray, IntArray

#: Links that a list shows at a time, until they have been counted (a guess).
_LISTED = 20
#: Share of the list that new links may fill until the next visit: entries come in spells (a guess).
_FILL = 0.25
#: Days after which new links count half, and the days that the first visit's guess weighs (guesses).
_HALF_LIFE, _PRIOR_DAYS = 7.0, 0.1


@dataclass(slots=True)
class ListPage:
    """New links a day of one list page."""

    days: float = 0.0
    links: float = 0.0
    listed: int = 0

    def visited(self, days: float, new_links: int, listed: int) -> None:
        """Record a visit some days after the one before."""
        decay = 0.5 ** (days / _HALF_LIFE)
        self.days = self.days * decay + days
        self.links = self.links * decay + new_links
        self.listed = listed or self.listed

    def interval(self, least: float, most: float) -> float:
        """Return the days until the next visit, between two limits.

        One link more than were seen is expected: a new list is visited at the least interval.
        """
        rate = (self.links + 1) / (self.days + _PRIOR_DAYS)
        return min(max(_FILL * (self.listed or _LISTED) / rate, least), most)


_DAY = 86_400.0
#: Policies that use learned rates.
_LEARNING: tuple[Policy, ...] = ("age-index", "proportional", "optimal")
#: The order is computed anew after this many days, or after visits, signals and new pages of this share of all
#: pages (choices: 1,000,000 pages take seconds).
_ORDER_DAYS, _ORDER_SHARE = 0.05, 0.03
#: Fewest events, and fewest pages ordered at a time.
_ORDER_EVENTS, _ORDERED = 8, 256
#: Days after which pages that have rested are looked for, if the order has too few (a minute).
_IDLE_DAYS = 1 / 1440
#: Clocks of callers are not exact to the second (tolerance in days).
_TOLERANCE = 1e-6
#: A stored visit is the one that was recorded here if it is at most this much later, in days (a guess: a minute,
#: the time of a slow answer and its store).
_SAME_VISIT = 1 / 1440


class RevisitPlanner:
    """The pages of a collection and the order in which they are visited again.

    The request rate is the caller's: :meth:`due` returns the best pages whenever it is asked.  Equal calls
    give equal answers.  Times are POSIX timestamps in seconds.

    Parameters
    ----------
    policy : one of ``topiccrawl.freshness.config.POLICIES``
    config : limits of the intervals
    seed : orders pages of equal urgency
    owner : returns who owns a site, of the histories' ``site``
    """

    def __init__(
        self,
        policy: Policy = "age-index",
        config: FreshnessConfig | None = None,
        seed: int = 0,
        *,
        owner: Callable[[str], str] = str,
    ) -> None:
        self._config = config or FreshnessConfig()
        self._urgency = POLICY_URGENCY[policy]
        self._learns = policy in _LEARNING
        self._table, self._groups = PageTable(), Groups()
        self._learner = Learner(self._table, self._groups)
        self._lists: dict[str, ListPage] = {}
        self._owner, self._owners = owner, dict[str, int]()
        #: Pages of each owner that are handed out.
        self._out: Counter[int] = Counter()
        #: Last visits, in days, of pages that were removed: what their sources stated before has been learned.
        self._learned_until: dict[str, float] = {}
        self._random = np.random.default_rng(seed)
        self._ties = np.zeros(0)
        self._order: list[int] = []
        self._ordered_at = -np.inf
        self._events = 0
        #: Whether an article may be ready that is not in the order.
        self._others = False
        self._visits, self._started = 0, np.inf

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._table.rows)

    def __contains__(self, page: object) -> bool:
        """Whether the page is known."""
        return page in self._table.rows

    def add(self, page: str, history: PageHistory, rate: float | None = None) -> None:
        """Add a page, or replace what is known about it.

        ``rate`` (changes a day) is known rather than learned; the policy ``optimal`` is meant for it.
        """
        self.remove(page)
        table = self._table
        row = table.take(page)
        table.directory[row] = self._groups.number(history.site, history.directory)
        owner = self._owner(history.site)
        table.owner[row] = self._owners.setdefault(owner, len(self._owners))
        table.list[row] = history.kind == "list"
        table.interval[row] = NUTCH_START
        table.known_rate[row] = np.nan if rate is None else rate
        table.visits[row] = history.earlier_visits + len(history.visits)
        table.last[row] = history.last_visit / _DAY
        # Visits that are only counted come before those that are kept.
        since = max(history.first_seen, history.earlier_until)
        if history.kind == "list":
            self._lists[page] = ListPage()
        for visit in history.visits:
            self._count(page, row, (visit.at - since) / _DAY, visit.changed, visit.new_links, 0)
            since = visit.at
        if self._learns and rate is None and history.kind == "article":
            until = self._learned_until.pop(page, -np.inf)
            self._learner.absorb(row, history, until + _SAME_VISIT)
        self._events += 1
        self._others = True

    def remove(self, page: str) -> None:
        """Forget a page (it is gone for good, or no longer wanted); unknown ones are ignored."""
        row = self._table.rows.get(page)
        if row is not None:
            self._take_back(row)
            if self._learns and not self._table.list[row]:
                self._learned_until[page] = float(self._table.last[row])
            self._table.drop(page)
            self._lists.pop(page, None)
            self._learner.forget(row)

    def visited(
        self, page: str, at: float, changed: bool, new_links: int = 0, listed: int = 0
    ) -> None:
        """Record a visit; of a list page also its new links, and how many links it lists at a time.

        Unknown pages are ignored.
        """
        table = self._table
        row = table.rows.get(page)
        if row is None:
            return
        now = max(at / _DAY, float(table.last[row]))
        days = now - float(table.last[row])
        if self._learns and np.isnan(table.known_rate[row]) and not table.list[row]:
            self._learner.visited(row, now, changed)
        self._count(page, row, days, changed, new_links, listed)
        table.visits[row] += 1
        table.last[row] = now
        table.signals[row] = table.signal_days[row] = 0.0
        self._take_back(row)
        self._started = min(self._started, now)
        self._visits += 1
        self._events += 1

    def signaled(self, page: str, at: float) -> None:
        """Record the claim of a sitemap or a feed that a page changed at a time.

        Unknown pages, claims that are already known, and times before the last visit are ignored.
        """
        row = self._table.rows.get(page)
        if row is not None:
            self._learner.signaled(row, at / _DAY)
            self._events += 1

    def release(self, page: str) -> None:
        """Let :meth:`due` return a page again that was handed out and could not be visited."""
        row = self._table.rows.get(page)
        if row is not None:
            self._take_back(row)
            self._events += 1
            self._others = True

    def due(
        self,
        now: float,
        most: int,
        most_of_owner: int | None = None,
        others: Mapping[str, int] = MappingProxyType({}),
    ) -> list[str]:
        """Return at most ``most`` pages to visit now, best first.

        They are handed out: they are not returned again until :meth:`visited` or :meth:`release`.  List
        pages whose poll is due come first.  Of one owner, at most ``most_of_owner`` pages are handed out at a
        time, those of ``others`` included (pages by owner that are not planned here); others take their turn.
        """
        if most <= 0 or not self._table.rows:
            return []
        days = now / _DAY
        outside = {self._owners[it]: count for it, count in others.items() if it in self._owners}
        self._out.update(outside)
        rows = self._hand_out(self._due_lists(days), most, most_of_owner)
        rows += self._due_articles(days, most - len(rows), most_of_owner)
        self._out.subtract(outside)
        return [self._table.names[row] for row in rows]

    def next_due(self, now: float) -> float | None:
        """Return when :meth:`due` has something to return, ``now`` at the earliest; ``None``: never."""
        table, used = self._table, self._table.used
        articles = table.alive[:used] & ~table.handed[:used] & ~table.list[:used]
        times = [self._list_due(page) for page in self._waiting_lists()]
        if articles.any():
            times.append(float(table.last[:used][articles].min()) + self._config.min_hours / 24)
        return max(min(times) * _DAY, now) if times else None

    def learn(self, now: float) -> None:
        """Bring what is learned from visits up to date, as :meth:`due` does now and then."""
        if self._learns and self._table.rows:
            self._learner.refresh(now / _DAY)

    def place(self, page: str, now: float) -> tuple[int, int]:
        """Return the place of an article in the order of visits, from 1, and the number of articles.

        Articles that still rest have a place, too: that of their urgency now.
        """
        table = self._table
        urgency = self._urgencies(now / _DAY, 1)
        rows = np.flatnonzero(table.alive[: table.used] & ~table.list[: table.used])
        order = self._sorted(rows, urgency)
        return order.index(table.rows[page]) + 1, len(order)

    def rate(self, page: str) -> float:
        """Return the learned (or known) changes a day of an article; 0 as long as nothing was ordered."""
        return float(self._learner.rates()[self._table.rows[page]])

    def _count(
        self, page: str, row: int, days: float, changed: bool, new_links: int, listed: int
    ) -> None:
        """Update the rules that need no learning."""
        factor = NUTCH_CHANGED if changed else NUTCH_UNCHANGED
        interval = min(max(self._table.interval[row] * factor, NUTCH_LEAST), NUTCH_MOST)
        self._table.interval[row] = interval
        if page in self._lists:
            self._lists[page].visited(days, new_links, listed)

    def _waiting_lists(self) -> list[str]:
        return [page for page in self._lists if not self._table.handed[self._table.rows[page]]]

    def _list_due(self, page: str) -> float:
        """Return when a list page is due, in days."""
        least, most = 1 / self._config.list_polls, self._config.list_max_hours / 24
        last = float(self._table.last[self._table.rows[page]])
        return last + self._lists[page].interval(least, max(least, most))

    def _due_lists(self, now: float) -> list[int]:
        times = sorted((self._list_due(page), page) for page in self._waiting_lists())
        return [self._table.rows[page] for at, page in times if at <= now + _TOLERANCE]

    def _hand_out(self, rows: Iterable[int], most: int, of_owner: int | None) -> list[int]:
        """Hand out at most ``most`` of ``rows``, and no more of an owner than it may have; return them."""
        handed, owner = [], self._table.owner
        for row in rows if most > 0 else ():
            if of_owner is None or self._out[int(owner[row])] < of_owner:
                self._table.handed[row] = True
                self._out[int(owner[row])] += 1
                handed.append(row)
                if len(handed) == most:
                    break
        return handed

    def _take_back(self, row: int) -> None:
        if self._table.handed[row]:
            self._table.handed[row] = False
            self._out[int(self._table.owner[row])] -= 1

    def _due_articles(self, now: float, most: int, of_owner: int | None) -> list[int]:
        if most <= 0:
            return []
        events = max(_ORDER_EVENTS, _ORDER_SHARE * len(self._table.rows))
        if now - self._ordered_at >= _ORDER_DAYS or self._events >= events:
            self._reorder(now, most, of_owner)
        rows = self._hand_out(self._ready(now), most, of_owner)
        # A visit makes no page ready.
        if (
            len(rows) < most
            and (self._others or now - self._ordered_at >= _IDLE_DAYS)
            and (of_owner is None or self._has_room(now, of_owner))
        ):
            self._reorder(now, most, of_owner)
            rows += self._hand_out(self._ready(now), most - len(rows), of_owner)
        return rows

    def _has_room(self, now: float, of_owner: int) -> bool:
        """Return whether an article may be handed out, in the order or not."""
        rows = self._ready_rows(now)
        full = np.array([owner for owner, out in self._out.items() if out >= of_owner], np.int32)
        return not np.isin(self._table.owner[rows], full).all()

    def _ready(self, now: float) -> Iterable[int]:
        """Yield the rows of the order that may be visited now."""
        table = self._table
        least = self._config.min_hours / 24 - _TOLERANCE
        for row in self._order:
            if table.alive[row] and not table.handed[row] and now - table.last[row] >= least:
                yield row

    def _ready_rows(self, now: float) -> IntArray:
        """Return the rows of all articles that may be visited now."""
        table, used = self._table, self._table.used
        ready = table.alive[:used] & ~table.handed[:used] & ~table.list[:used]
        ready &= now - table.last[:used] >= self._config.min_hours / 24 - _TOLERANCE
        return np.flatnonzero(ready)

    def _reorder(self, now: float, most: int, of_owner: int | None) -> None:
        """Order the most urgent articles, and the most urgent ones of each owner."""
        urgency = self._urgencies(now, most)
        rows = self._ready_rows(now)
        wanted = max(4 * most, _ORDERED, len(rows) // 20)
        self._others = len(rows) > wanted
        if self._others:
            chosen = rows[np.argpartition(-urgency[rows], wanted)[:wanted]]
            if of_owner is not None:
                best = _best_of_each(self._table.owner[rows], urgency[rows], of_owner)
                chosen = np.union1d(chosen, rows[best])
            rows = chosen
        self._order = self._sorted(rows, urgency)
        self._ordered_at, self._events = now, 0

    def _urgencies(self, now: float, most: int) -> FloatArray:
        """Bring what is learned up to date, and return the urgency of each row."""
        used = self._table.used
        if used > len(self._ties):
            more = self._random.random(max(used, 2 * len(self._ties)) - len(self._ties))
            self._ties = np.concatenate([self._ties, more])
        if self._learns:
            self._learner.refresh(now)
        a_day = self._visits / max(now - self._started, 1.0) if self._visits else float(most)
        return self._urgency(self._table, self._learner, now, max(a_day, 1e-9))

    def _sorted(self, rows: IntArray, urgency: FloatArray) -> list[int]:
        """Return rows in the order of visits: the most urgent first."""
        order = np.lexsort((self._ties[rows], self._table.last[rows], -urgency[rows]))
        sorted_rows: list[int] = rows[order].tolist()
        return sorted_rows


def _best_of_each(group: IntArray, value: FloatArray, most: int) -> IntArray:
    """Return the positions of the ``most`` largest values of each group."""
    order = np.lexsort((-value, group))
    ordered = group[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    return np.asarray(order[rank < most])
