"""The tables of links of the SQLite frontier, and how a link moves from one state to the next.

Every step is part of a transaction of the frontier.  It takes a link out of the table of its state (an
:class:`~topiccrawl.frontier.sqlite.openlink.OpenLink`), puts it into another one, and keeps the counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.frontier.sqlite.codec import (
    LINK,
    as_bytes,
    packed_depth,
    packed_evidence,
    packed_request,
    unpacked_link,
)
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.hosts import SQLiteHosts
from topiccrawl.frontier.sqlite.openlink import KnownLink, OpenLink, RowKey
from topiccrawl.frontier.sqlite.schema import (
    BACK,
    DONE,
    GIVEN_UP,
    MOVING,
    STARTED,
    WAS_DONE,
    WAS_GIVEN_UP,
)

_COUNTED: Final = ("queued", "delayed", "leased", "done", "given_up", "hosts", "forgotten", "exact")
_COUNT: Final = "UPDATE counts SET " + ", ".join(f"{name} = {name} + ?" for name in _COUNTED)


class SQLiteLinks:
    """Reads and writes the tables ``links``, ``waiting`` and ``leases``."""

    def __init__(self, file: FrontierFile, hosts: SQLiteHosts) -> None:
        self._file = file
        self._hosts = hosts
        self._counts: Counter[str] = Counter()
        # New links of this transaction; writing them together takes half the time.
        self._new: list[tuple[object, ...]] = []
        self._next = 0

    def count(self, what: str, by: int = 1) -> None:
        """Add *by* to the count *what* when the transaction ends."""
        self._counts[what] += by

    def settle(self) -> None:
        """Write new links, counts and the hosts' best links; the last step of a transaction."""
        self._write_new()
        self._next = 0
        self._counts["hosts"] += self._hosts.settle()
        if any(self._counts.values()):
            self._file.execute(_COUNT, [self._counts[name] for name in _COUNTED])
        self._counts.clear()

    def rolled_back(self) -> None:
        """Discard what this transaction has collected."""
        self._new.clear()
        self._next = 0
        self._counts.clear()
        self._hosts.rolled_back()

    def find(self, ids: Iterable[int]) -> dict[int, RowKey]:
        """Return the row keys of the ids that have a row."""
        rows = self._file.execute(
            "SELECT id, ord, host FROM links INDEXED BY ids "
            "WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {id: (ord, host) for id, ord, host in rows}

    def find_offered(self, ids: Iterable[int]) -> dict[int, KnownLink]:
        """Return what :meth:`merge` needs of the ids that have a row."""
        rows = self._file.execute(
            "SELECT l.id, l.ord, l.host, w.score, iif(w.score IS NULL, NULL, l.depth) "
            "FROM links l INDEXED BY ids LEFT JOIN waiting w ON w.host = l.host AND w.ord = l.ord "
            "WHERE l.id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {id: KnownLink(*rest) for id, *rest in rows}

    def load(self, link: OpenLink, host: str | None) -> QueuedLink:
        """Return an open link in the form in which it is handed out; *host* avoids a look-up of its name."""
        found = self.read(link, host)
        if found is None:
            raise self._file.damage("a link that waits has no row")
        return found

    def read(self, link: OpenLink, host: str | None = None) -> QueuedLink | None:
        """Return a link like :meth:`load`; ``None`` for one that another worker has dropped."""
        row = self._file.row(f"SELECT {LINK} FROM links WHERE ord = ?", (link.ord,))
        if row is None:
            return None
        url, request, depth, why = row
        host = host or self._hosts.name(link.host)
        return unpacked_link(host, link.score, url, request, depth, why)

    # -- offered links --------------------------------------------------------------------------------

    def add(self, id: int, link: QueuedLink, flags: int = 0) -> KnownLink:
        """Queue a link that has no row."""
        if not self._next:
            self._next = self._file.row("SELECT coalesce(max(ord), 0) + 1 FROM links")[0]
        ord, self._next = self._next, self._next + 1
        evidence, host = link.evidence, self._hosts.number(link.host)
        added = KnownLink(ord, host, evidence.score, packed_depth(evidence))
        texts = (as_bytes(link.url), packed_evidence(evidence), packed_request(link.request))
        self._new.append((ord, id, host, added.score, added.depth, *texts, flags))
        self.count("queued")
        self._hosts.changed(host)
        return added

    def _write_new(self) -> None:
        if self._new:
            self._file.executemany(
                "INSERT INTO links (ord, id, host, score, depth, url, why, request) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [row[:-1] for row in self._new],
            )
            self._file.executemany(
                f"INSERT INTO waiting ({MOVING}) VALUES (?, ?, ?, ?, 0, 0, ?)",
                [(host, ord, id, score, flags) for ord, id, host, score, *_, flags in self._new],
            )
            self._new.clear()

    def merge(self, found: KnownLink, new: QueuedLink, *, again: bool) -> bool:
        """Merge *new* into a waiting link; return ``False``, changing nothing, when it does not wait."""
        if found.score is None or found.depth is None:
            return False
        self._write_new()
        ord, evidence = found.ord, new.evidence
        if evidence.score > found.score:
            found.score = evidence.score
            self._file.execute(
                "UPDATE waiting SET score = ? WHERE host = ? AND ord = ?",
                (evidence.score, found.host, ord),
            )
            self._file.execute(
                "UPDATE links SET why = ? WHERE ord = ?", (packed_evidence(evidence), ord)
            )
            self._hosts.changed(found.host)
        if (depth := packed_depth(evidence)) < found.depth:
            found.depth = depth
            self._file.execute("UPDATE links SET depth = ? WHERE ord = ?", (depth, ord))
        if again:
            self._file.execute(
                "UPDATE links SET request = ? WHERE ord = ?", (packed_request(new.request), ord)
            )
        return True

    def rewrite(self, old: OpenLink, new: QueuedLink) -> OpenLink:
        """Give a link that was taken out a new request and evidence."""
        evidence, host = new.evidence, self._hosts.number(new.host)
        values = (
            host,
            packed_depth(evidence),
            packed_evidence(evidence),
            packed_request(new.request),
        )
        self._file.execute(
            "UPDATE links SET host = ?, depth = ?, why = ?, request = ? WHERE ord = ?",
            (*values, old.ord),
        )
        return replace(old, host=host, score=evidence.score)

    def is_leased(self, key: RowKey) -> bool:
        """Return whether a worker holds the link."""
        return self._file.row("SELECT 1 FROM leases WHERE ord = ?", key[:1]) is not None

    def drop_closed(self, key: RowKey) -> None:
        """Delete the row of a link that is done or given up, because it is queued again."""
        (closed,) = self._file.row("DELETE FROM links WHERE ord = ? RETURNING closed", key[:1])
        self.count("given_up" if closed == GIVEN_UP else "done", -1)
        self.count("exact", -1)

    # -- taking out ----------------------------------------------------------------------------

    def take_waiting(self, key: RowKey, *, only_back: bool = False) -> OpenLink | None:
        """Take out a queued or delayed link; with *only_back* only one that came back from a lease."""
        self._write_new()
        flag = BACK if only_back else 0
        row = self._file.row(
            f"DELETE FROM waiting WHERE ord = ? AND host = ? AND flags & ? = ? "
            f"RETURNING {MOVING}, until",
            (*key, flag, flag),
        )
        if row is None:
            return None
        self.count("queued" if row[-1] is None else "delayed", -1)
        self._hosts.changed(row[0])
        return OpenLink(*row[:-1])

    def take_leased(self, key: RowKey, worker: int | None = None) -> OpenLink | None:
        """Take out a leased link, only of *worker* if that is given, and end its transfer."""
        row = self._file.row(
            f"DELETE FROM leases WHERE ord = ?1 AND worker = coalesce(?2, worker) "
            f"RETURNING {MOVING}, landed",
            (key[0], worker),
        )
        if row is None:
            return None
        self.count("leased", -1)
        if not row[-1]:
            self._hosts.end_transfers([row[0]])
        return OpenLink(*row[:-1])

    # -- putting in ----------------------------------------------------------------------------

    def enqueue(self, link: OpenLink, until: float | None = None) -> None:
        """Queue a link, or delay it *until* a moment."""
        self._file.execute(
            f"INSERT INTO waiting ({MOVING}, until) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*link.row(), until),
        )
        self.count("queued" if until is None else "delayed")
        self._hosts.changed(link.host)

    def lease(self, link: OpenLink, until: float, worker: int) -> None:
        """Lease a link to *worker*."""
        link = replace(link, flags=STARTED | link.flags & (WAS_DONE | WAS_GIVEN_UP))
        self._file.execute(
            f"INSERT INTO leases ({MOVING}, until, worker, landed) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            (*link.row(), until, worker),
        )
        self.count("leased")

    def close(self, link: OpenLink, reason: str | None = None) -> None:
        """End a link: given up with a *reason*, done without."""
        kind = DONE if reason is None else GIVEN_UP
        self._file.execute(
            "UPDATE links SET closed = ?, score = ?, request = NULL, reason = coalesce(?, reason) "
            "WHERE ord = ?",
            (kind, link.score, None if reason is None else as_bytes(reason), link.ord),
        )
        self.count("done" if reason is None else "given_up")
        self.count("exact")

    def forget(self, link: OpenLink) -> None:
        """Delete a link; it is only counted, as ended if a filter contains it."""
        self._file.execute("DELETE FROM links WHERE ord = ?", (link.ord,))
        if link.flags & WAS_DONE:
            self.count("done")
        else:
            self.count("given_up" if link.flags & WAS_GIVEN_UP else "forgotten")

    def set_reason(self, link: OpenLink, reason: str) -> None:
        """Record why a link failed."""
        self._file.execute(
            "UPDATE links SET reason = ? WHERE ord = ?", (as_bytes(reason), link.ord)
        )

    # -- many at once --------------------------------------------------------------------------

    def any_due(self, now: float) -> bool:
        """Return whether the retry time of a delayed link has come."""
        (due,) = self._file.row(
            "SELECT EXISTS (SELECT 1 FROM waiting INDEXED BY due "
            "WHERE until IS NOT NULL AND until <= ?)",
            (now,),
        )
        return bool(due)

    def wake(self, now: float, most: int) -> int:
        """Queue delayed links that are due, at most *most*; return how many."""
        due = self._file.execute(
            "SELECT host, ord FROM waiting INDEXED BY due "
            "WHERE until IS NOT NULL AND until <= ? LIMIT ?",
            (now, most),
        ).fetchall()
        woken = self._file.executemany(
            "UPDATE waiting SET until = NULL WHERE host = ? AND ord = ?", due
        ).rowcount
        for host, _ in due:
            self._hosts.changed(host)
        self.count("delayed", -woken)
        self.count("queued", woken)
        return woken

    def rescore(self, rows: Sequence[tuple[float, int, int]]) -> int:
        """Set the scores of waiting links, given as score, host and ord; return how many changed."""
        changed = self._file.executemany(
            "UPDATE waiting SET score = ?1 WHERE host = ?2 AND ord = ?3 AND score <> ?1", rows
        ).rowcount
        for host in {host for _, host, _ in rows}:
            self._hosts.changed(host)
        return changed

    def end_expired_transfers(self, now: float) -> None:
        """End the transfers of expired leases, whether or not these were reaped."""
        ended = self._file.execute(
            "SELECT ord, host FROM leases INDEXED BY transfers WHERE landed = 0 AND until <= ?",
            (now,),
        ).fetchall()
        if ended:
            self._file.executemany(
                "UPDATE leases SET landed = 1 WHERE ord = ?", [(ord,) for ord, _ in ended]
            )
            self._hosts.end_transfers([host for _, host in ended])

    def worst(self) -> tuple[RowKey, float]:
        """Return the link to forget first, and its score; needs the index ``schema.CREATE_WORST``."""
        self._write_new()
        ord, host, score = self._file.row(
            "SELECT ord, host, score FROM waiting INDEXED BY worst ORDER BY score, ord DESC LIMIT 1"
        )
        return (ord, host), score

    def never_started(self, host: int, most: int) -> list[RowKey]:
        """Return waiting links of *host* that were never handed out, at most *most*."""
        return self._file.execute(
            "SELECT ord, host FROM waiting WHERE host = ? AND flags & ? = 0 LIMIT ?",
            (host, STARTED, most),
        ).fetchall()

    def waiting_count(self) -> int:
        """Return how many links are queued or delayed."""
        (kept,) = self._file.row("SELECT queued + delayed FROM counts")
        return int(kept) + self._counts["queued"] + self._counts["delayed"]
