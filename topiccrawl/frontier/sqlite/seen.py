"""Links that ended long ago: moved from rows into Bloom filters, a few at a time.

Rows of links that are done or given up are kept up to a number.  Beyond it, the older half of them moves
into one :class:`~topiccrawl.frontier.bloom.BloomSet` that is never changed again.  One worker does this,
in small steps during the calls that end links, so that no call takes long:

1. *gather*: ids are read in the order of first pushes into a filter in memory (a worker that dies here
   has changed nothing);
2. *store*: the filter is written into the file, in one transaction;
3. *clear*: rows whose ids the filter contains are deleted.

A link is known at every moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from topiccrawl.frontier.bloom import BloomSet
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.schema import DONE, GIVEN_UP, OPEN

#: Rows read for each link that ends.  More than one, so that moving is faster than ending; few, so that
#: the calls stay short: an ack took 187 µs on average while links moved all the time, 163 without, and
#: 458 µs at most in 99 of 100 calls (2026-11, 60,000 links, 20,000 of them exact).  Writing the filter of
#: 2,500,000 links (9 MB) took 35 ms, reading it 6 ms.
GATHERED_PER_LINK: Final = 64
#: Rows deleted for each link that ends; see above.
CLEARED_PER_LINK: Final = 16
#: Most rows in one call, however many links end in it: some hundredths of a second.
MOST_PER_CALL: Final = 4_096


@dataclass(slots=True)
class _Gathering:
    seen: BloomSet
    left: int
    last: int = 0


class SeenLinks:
    """The filters of a frontier; every method is part of a transaction."""

    def __init__(self, file: FrontierFile, worker: int, exact_links: int) -> None:
        self._file = file
        self._worker = worker
        self._exact_links = exact_links
        self._filters: list[BloomSet] = []
        self._newest = 0
        self._gathering: _Gathering | None = None

    def refresh(self) -> None:
        """Read the filters that any worker has stored since the last call."""
        (newest,) = self._file.row("SELECT filters FROM counts")
        if newest > self._newest:
            rows = self._file.execute(
                "SELECT data FROM filters WHERE n > ? ORDER BY n", (self._newest,)
            )
            try:
                self._filters += [BloomSet.from_bytes(data) for (data,) in rows]
            except (ValueError, TypeError) as error:
                raise self._file.damage(f"filter of fetched links: {error}") from error
            self._newest = newest

    def __contains__(self, id: int) -> bool:
        return any(id in seen for seen in self._filters)

    def count_of(self, id: int) -> str | None:
        """Return the count that includes an id, ``done`` or ``given_up``; ``None`` if it is unknown.

        For links that are queued again.  The id stays in its filter, as nothing can be removed.
        """
        for seen in reversed(self._filters):
            if id in seen:
                return "given_up" if seen.given_up(id) else "done"
        return None

    def step(self, ended: int) -> int:
        """Move some links, because *ended* links have just ended; return how many rows were deleted."""
        exact, builder = self._file.row("SELECT exact, builder FROM counts")
        if builder != self._worker:
            if exact <= self._exact_links if builder is None else self._is_registered(builder):
                return 0
            self._gathering = None
            self._file.execute("UPDATE counts SET builder = ?", (self._worker,))
        if self._unfinished() is not None:
            return self._clear(min(ended * CLEARED_PER_LINK, MOST_PER_CALL))
        if self._gathering is None:
            if exact <= self._exact_links:
                self._file.execute("UPDATE counts SET builder = NULL")
                return 0
            self._gathering = self._begin(exact)
        self._gather(self._gathering, min(ended * GATHERED_PER_LINK, MOST_PER_CALL))
        return 0

    def rolled_back(self) -> None:
        """Begin to gather again: what this transaction read may be wrong."""
        self._gathering = None

    def _begin(self, exact: int) -> _Gathering:
        moving = exact - self._exact_links // 2
        given_up, rows = self._file.row("SELECT given_up, (SELECT max(ord) FROM links) FROM counts")
        # A damaged count could ask for more memory than there is.
        if not (0 < moving <= rows and given_up >= 0):
            raise self._file.damage("its counts are wrong")
        return _Gathering(BloomSet(moving + min(moving, given_up)), moving)

    def _gather(self, gathering: _Gathering, window: int) -> None:
        start = gathering.last
        rows = self._file.execute(
            "SELECT ord, id, closed FROM links WHERE ord > ? ORDER BY ord LIMIT ?", (start, window)
        ).fetchall()
        closed = [row for row in rows if row[2] != OPEN][: gathering.left]
        gathering.left -= len(closed)
        gathering.seen.add(id for _, id, kind in closed if kind == DONE)
        gathering.seen.add((id for _, id, kind in closed if kind == GIVEN_UP), given_up=True)
        if gathering.left and len(rows) == window:
            gathering.last = rows[-1][0]
            return
        last = rows[-1][0] if rows else start
        self._file.execute(
            "INSERT INTO filters (n, upto, cleared, data) SELECT filters + 1, ?, 0, ? FROM counts",
            (last, gathering.seen.to_bytes()),
        )
        self._file.execute("UPDATE counts SET filters = filters + 1")
        self._gathering = None

    def _clear(self, window: int) -> int:
        """Delete rows that the newest filter contains."""
        unfinished = self._unfinished()
        assert unfinished is not None
        n, upto, cleared = unfinished
        self.refresh()
        seen = self._filters[-1]
        rows = self._file.execute(
            "SELECT ord, id, closed FROM links WHERE ord > ? AND ord <= ? ORDER BY ord LIMIT ?",
            (cleared, upto, window),
        ).fetchall()
        gone = [
            (ord,)
            for ord, id, closed in rows
            if closed != OPEN and id in seen and seen.given_up(id) == (closed == GIVEN_UP)
        ]
        self._file.executemany("DELETE FROM links WHERE ord = ?", gone)
        reached = rows[-1][0] if len(rows) == window else upto
        self._file.execute("UPDATE filters SET cleared = ? WHERE n = ?", (reached, n))
        return len(gone)

    def _unfinished(self) -> tuple[int, int, int] | None:
        """Return number, end and progress of the filter whose rows are not all deleted."""
        found: tuple[int, int, int] | None = self._file.row(
            "SELECT n, upto, cleared FROM filters WHERE cleared < upto ORDER BY n DESC LIMIT 1"
        )
        return found

    def _is_registered(self, worker: int) -> bool:
        return self._file.row("SELECT 1 FROM workers WHERE n = ?", (worker,)) is not None
