"""Reads of an SQLite frontier that change nothing: queued links, the best ones, single links, counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from heapq import heapify, heappop, heappush
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import FrontierSize, QueuedLink
from topiccrawl.frontier.records import UnreadableRecordError
from topiccrawl.frontier.sqlite.codec import EVIDENCE, as_text, unpacked_evidence
from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.hosts import SQLiteHosts
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.openlink import OpenLink
from topiccrawl.frontier.sqlite.seen import SeenLinks
from topiccrawl.scoring.evidence import LinkEvidence


class SQLiteViews:
    """Reads a frontier outside its transactions."""

    def __init__(
        self, file: FrontierFile, hosts: SQLiteHosts, links: SQLiteLinks, seen: SeenLinks
    ) -> None:
        self._file = file
        self._hosts = hosts
        self._links = links
        self._seen = seen

    def queued(self, piece: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Return ids and scores of waiting links, ordered by host as they are in the file."""
        (last,) = self._file.row("SELECT coalesce(max(ord), 0) FROM links")
        return self._queued(piece, last)

    def _queued(
        self, piece: int, last: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        at: tuple[int, int] = (0, 0)
        while rows := self._file.execute(
            "SELECT id, score, host, ord FROM waiting "
            "WHERE (host, ord) > (?, ?) AND ord <= ? ORDER BY host, ord LIMIT ?",
            (*at, last, piece),
        ).fetchall():
            if not at < rows[-1][2:]:
                raise self._file.damage("its queue is out of order")
            at = rows[-1][2:]
            ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            scores = np.fromiter((row[1] for row in rows), np.float64, len(rows))
            if not np.isfinite(scores).all():
                raise self._file.damage("scores that are not finite")
            yield ids, scores

    def best(self, n: int) -> Iterator[QueuedLink]:
        """Yield the *n* best queued links, best first, each one read when it is its turn.

        Other workers may change the queue meanwhile.
        """
        # The n best links are among those of the n best hosts.
        rows = self._file.execute(
            "SELECT -best_score, best_ord, n FROM hosts INDEXED BY moments "
            "WHERE best_ord IS NOT NULL ORDER BY best_score DESC, best_ord LIMIT ?",
            (n,),
        )
        heads: list[tuple[float, int, int]] = list(rows)
        heapify(heads)
        while heads and n > 0:
            minus_score, ord, host = heappop(heads)
            found = None
            with suppress(UnreadableRecordError):  # given up when it is its turn
                found = self._links.read(OpenLink(host, ord, 0, -minus_score, 0, 0, 0))
            if found is not None:
                n -= 1
                yield found
            following = self._file.row(
                "SELECT -score, ord, host FROM waiting INDEXED BY best WHERE host = ?1 "
                "AND until IS NULL AND score <= ?2 AND (score < ?2 OR ord > ?3) "
                "ORDER BY score DESC, ord LIMIT 1",
                (host, -minus_score, ord),
            )
            if following is not None:
                heappush(heads, following)

    def evidence(self, id: int) -> LinkEvidence | None:
        """Return the evidence of a link that has a row."""
        row = self._file.row(
            "SELECT coalesce((SELECT score FROM waiting w WHERE w.host = l.host AND w.ord = l.ord), "
            "(SELECT score FROM leases e WHERE e.ord = l.ord), score), "
            f"{EVIDENCE} FROM links l INDEXED BY ids WHERE id = ?",
            (id,),
        )
        try:
            return None if row is None else unpacked_evidence(*row)
        except UnreadableRecordError:
            return None

    def reason(self, id: int) -> str | None:
        """Return why a link last failed."""
        row = self._file.row("SELECT reason FROM links INDEXED BY ids WHERE id = ?", (id,))
        return None if row is None or row[0] is None else as_text(row[0])

    def next_ready(self, now: float) -> float | None:
        """Return the first moment after *now* at which a delayed link is due or a host opens."""
        (due,) = self._file.row(
            "SELECT min(until) FROM waiting INDEXED BY due WHERE until IS NOT NULL AND until > ?",
            (now,),
        )
        moments = [due, self._hosts.next_ready(now)]
        return min((float(moment) for moment in moments if moment is not None), default=None)

    def known(self, ids: Sequence[int]) -> list[bool]:
        """Return for each id whether it has a row or is in a filter."""
        found = self._links.find(ids)
        # After the rows: a link is in a filter before its row is deleted.
        self._seen.refresh()
        return [id in found or id in self._seen for id in ids]

    def size(self, worker: int) -> FrontierSize:
        """Return the counts, as *worker* sees them."""
        return _size(self._file, worker)


def read_size(path: Path) -> FrontierSize:
    """Return the counts of the frontier at *path*, which is only read; links of killed workers are leased.

    Raises :class:`~topiccrawl.frontier.errors.FrontierFileError` if it cannot be read.
    """
    file = FrontierFile(path, read_only=True)
    try:
        with file.reading():
            return _size(file, 0)
    finally:
        file.close()


def _size(file: FrontierFile, worker: int) -> FrontierSize:
    row = file.row(
        # Leases are few; their number distinguishes a working crawl from one that waits for nothing.
        "SELECT queued, delayed, (SELECT count(*) FROM leases), done, given_up, hosts, forgotten, "
        "(SELECT count(*) FROM leases WHERE worker <> ?) FROM counts",
        (worker,),
    )
    if not all(isinstance(count, int) and count >= 0 for count in row):
        raise file.damage("its counts are wrong")
    return FrontierSize(*row)
