"""The short fields of all pages as arrays, for conditions, facets and orders of the search.

Read once, 5 µs a page, and then brought up to date with what was changed since.  It takes some 70 bytes
a page.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from topiccrawl.store.headlines import MARGIN
from topiccrawl.store.search import most_frequent
from topiccrawl.text.searching import ZONE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Mask = npt.NDArray[np.bool_]

#: Fields whose values are numbered.
CODED: Final = ("topic", "site", "source", "author", "kind", "language")

#: Milliseconds from UTC to the zone in which years are counted.
_OFFSET: Final = ZONE.utcoffset(None) // timedelta(milliseconds=1)

#: Rows read at a time.
_CHUNK: Final = 10_000

#: Earlier than any time, in milliseconds.
_EVER: Final = -(2**62)

_SEEN: Final = "ifnull(first_seen, fetched_at)"
_SELECT: Final = (
    f"SELECT n, ifnull(published_at, {_SEEN}), {_SEEN}, withdrawn_at IS NULL, copy_of <> '', "
    f"substr(_id, 1, 15), touched, {', '.join(CODED)} FROM headlines WHERE touched >= ? ORDER BY n"
)


class Catalog:
    """The pages in the order of their numbers in the index."""

    def __init__(self) -> None:
        self.numbers: Ints = np.zeros(0, np.int64)
        self.moments: Ints = np.zeros(0, np.int64)
        """Time of publication in milliseconds; of undated pages, of the first fetch."""
        self.seen: Ints = np.zeros(0, np.int64)
        """Time of the first fetch in milliseconds."""
        self.ids: Ints = np.zeros(0, np.int64)
        """First 60 bits of the pages' ids, to break ties."""
        self.kept: Mask = np.zeros(0, np.bool_)
        self.copies: Mask = np.zeros(0, np.bool_)
        self.codes: dict[str, Ints] = {name: np.zeros(0, np.int64) for name in CODED}
        self.values: dict[str, dict[str, int]] = {name: {} for name in CODED}
        self._version: int | None = None
        self._touched = _EVER
        self._clocks = 0.0, 0.0
        """The machine's clock, and one that is never set, at the last reading, in seconds."""

    def refresh(self, db: sqlite3.Connection) -> None:
        """Bring the arrays up to date; takes no time if nothing was written since."""
        (version,) = db.execute("PRAGMA data_version").fetchone()
        if version == self._version:
            return
        self._read(db, self._since())
        (count,) = db.execute("SELECT count(*) FROM headlines").fetchone()
        if count != len(self.numbers):
            # Pages were deleted, or have new numbers since their texts changed.
            listed = db.execute("SELECT n FROM headlines").fetchall()
            there = np.fromiter((it for (it,) in listed), np.int64, len(listed))
            self._select(np.isin(self.numbers, there))
        if count != len(self.numbers):
            # The clock of another machine went back: what is new seems to be older than what is known.
            self._read(db, _EVER)
        self._version = version

    def positions(self, numbers: Sequence[tuple[Any, ...]]) -> Ints:
        """Return where the pages of the sorted *numbers*, rows of one column, are in the arrays."""
        found = np.fromiter((it[0] for it in numbers), np.int64, len(numbers))
        at = np.searchsorted(self.numbers, found)
        at = at[at < len(self.numbers)] if len(at) and at[-1] >= len(self.numbers) else at
        known: Ints = at[self.numbers[at] == found[: len(at)]] if len(at) else at
        return known

    def fulfilling(self, name: str, condition: Callable[[str], bool]) -> Mask:
        """Return which pages have a value of the field *name* that fulfills *condition*."""
        table = np.fromiter(map(condition, self.values[name]), np.bool_, len(self.values[name]))
        return table[self.codes[name]] if len(table) else np.zeros(0, np.bool_)

    def counts(self, name: str, positions: Ints) -> list[tuple[str, int]]:
        """Return the most frequent values of the facet *name* among the pages at *positions*."""
        if name == "year":
            local = self.moments[positions] + _OFFSET
            years = local.astype("datetime64[ms]").astype("datetime64[Y]")
            found, numbers = np.unique(years.astype(np.int64) + 1970, return_counts=True)
            named = dict(zip(map(str, found.tolist()), numbers.tolist(), strict=True))
            return most_frequent(named)
        table = np.bincount(self.codes[name][positions], minlength=len(self.values[name])).tolist()
        return most_frequent(dict(zip(self.values[name], table, strict=True)))

    def _since(self) -> int:
        """Return from when on changes are to be read; all if the clock was set back since the last reading."""
        (before, began), self._clocks = self._clocks, (time.time(), time.monotonic())
        now, steady = self._clocks
        margin = MARGIN.total_seconds()
        if steady - began - (now - before) > margin / 2:
            return _EVER
        # Later ones are of before it was set back.
        return round(min(self._touched, 1000 * before) - 1000 * margin)

    def _read(self, db: sqlite3.Connection, since: int) -> None:
        cursor = db.execute(_SELECT, (since,))
        while rows := cursor.fetchmany(_CHUNK):
            numbers, moments, seen, kept, copies, ids, touched, *fields = zip(*rows, strict=True)
            self._touched = max(self._touched, *map(_integer, touched))
            new = np.fromiter(map(_integer, numbers), np.int64, len(rows))
            self._select(~np.isin(self.numbers, new))
            at = np.searchsorted(self.numbers, new)
            self.numbers = np.insert(self.numbers, at, new)
            self.moments = np.insert(self.moments, at, list(map(_integer, moments)))
            self.seen = np.insert(self.seen, at, list(map(_integer, seen)))
            self.ids = np.insert(self.ids, at, [int(str(it) or "0", 16) for it in ids])
            self.kept = np.insert(self.kept, at, list(map(bool, kept)))
            self.copies = np.insert(self.copies, at, list(map(bool, copies)))
            for name, values in zip(CODED, fields, strict=True):
                known = self.values[name]
                codes = [known.setdefault(str(value), len(known)) for value in values]
                self.codes[name] = np.insert(self.codes[name], at, codes)

    def _select(self, mask: Mask) -> None:
        if mask.all():
            return
        self.numbers, self.ids = self.numbers[mask], self.ids[mask]
        self.moments, self.seen = self.moments[mask], self.seen[mask]
        self.kept, self.copies = self.kept[mask], self.copies[mask]
        self.codes = {name: codes[mask] for name, codes in self.codes.items()}


def _integer(value: object) -> int:
    """Return *value*; 0 where the file is damaged."""
    return value if isinstance(value, int) else 0
