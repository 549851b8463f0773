"""The frontier in one SQLite file: nothing to install, several processes, nothing lost by kill -9.

The file is the truth: nothing of the queue is kept in memory, so that a worker's memory does not grow
with it, and every call is one transaction (long ones several), so that a process may die at any moment.
"""

from __future__ import annotations

import math
import os
import socket
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.contract import FrontierSize, Lease, PushResult, QueuedLink, return_delay
from topiccrawl.frontier.options import EXACT_LINKS, FrontierLimits
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.file import FrontierFile, erase_file, refusal
from topiccrawl.frontier.sqlite.hosts import Hosts, OpenHost
from topiccrawl.frontier.sqlite.journal import SQLiteJournal
from topiccrawl.frontier.sqlite.links import Links, OpenLink, Place
from topiccrawl.frontier.sqlite.rows import WHY, as_text, evidence
from topiccrawl.frontier.sqlite.schema import BACK, CREATE_WORST
from topiccrawl.frontier.sqlite.seen import SeenLinks
from topiccrawl.frontier.sqlite.workers import Workers
from topiccrawl.scoring.evidence import LinkEvidence

#: Links written in one transaction at most: some hundredths of a second for which others wait.
PIECE: Final = 1_000
#: Links whose places a rescoring looks up and sorts at once; some 20 MB.
_SORTED: Final = 100_000


class SQLiteFrontier:
    """See :class:`topiccrawl.frontier.contract.Frontier`; *path* is the file, made if there is none.

    About *exact_links* of the links that are done or given up keep a row with evidence and reason;
    older ones are known from Bloom filters, whose errors are at most
    :data:`topiccrawl.frontier.bloom.FALSE_POSITIVE_RATE` for each filter.  *worker* is a name for
    people; *clock* tells the time at which this worker opens the file and closes it, in seconds.

    Raises :class:`~topiccrawl.errors.ConfigurationError` for a file that is not a frontier of this
    version, or is damaged.
    """

    shared = True

    def __init__(
        self,
        path: Path,
        limits: FrontierLimits | None = None,
        *,
        worker: str | None = None,
        clock: Callable[[], float] = time.time,
        exact_links: int = EXACT_LINKS,
    ) -> None:
        if exact_links < 1:
            raise ValueError(f"exact_links must be >= 1, got {exact_links!r}")
        self._limits = limits or FrontierLimits()
        self._clock = clock
        self._closed = False
        self._file = FrontierFile(path)
        try:
            name = worker or f"{socket.gethostname()}:{os.getpid()}"
            self._workers = Workers(self._file, name, clock(), self._limits.worker_seconds)
        except BaseException:
            self._file.close()
            raise
        self._hosts = Hosts(self._file, self._limits)
        self._links = Links(self._file, self._hosts)
        self._seen = SeenLinks(self._file, self._workers.n, exact_links)
        self.journal = SQLiteJournal(self._file, self._workers.n)
        try:
            if self._limits.max_links:
                self._file.execute(CREATE_WORST)
            self.reap(clock())
        except BaseException:
            self._file.close()
            self._workers.release()
            raise

    @staticmethod
    def erase(path: Path) -> None:
        """Delete the frontier at *path*, if there is one.

        Raises :class:`~topiccrawl.errors.ConfigurationError` when workers are using it, and for a file
        that is not a frontier.
        """
        if locks.any_held(path):
            raise refusal(path, "it cannot be erased, other workers are using it")
        erase_file(path)
        locks.sweep(path)

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract."""
        for link in links:
            _check_finite(link)
        results: list[PushResult] = []
        for start in range(0, len(links), PIECE):
            with self._writing():
                self._seen.refresh()
                offered = [(link.id, link) for link in links[start : start + PIECE]]
                found = self._links.find(id for id, _ in offered)
                results += [self._offer(id, link, found, again) for id, link in offered]
        return results

    def put_back(self, link: QueuedLink) -> bool:
        """See the contract."""
        _check_finite(link)
        with self._writing():
            taken = self._take_mine(link.id)
            if taken is None:
                return False
            self._links.enqueue(self._links.rewrite(taken, link))
        return True

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract."""
        if ids.shape != scores.shape or ids.ndim != 1:
            raise ValueError(f"one score for each id: got shapes {ids.shape} and {scores.shape}")
        if not np.isfinite(scores).all():
            raise ValueError("scores must be finite")
        # Of an id that occurs twice the last counts: the first one of the reversed order.
        unique, at = np.unique(ids[::-1], return_index=True)
        if len(unique) < len(ids):
            last = np.sort(len(ids) - 1 - at)
            ids, scores = ids[last], scores[last]
        changed = 0
        for start in range(0, len(ids), _SORTED):
            some, new = (
                ids[start : start + _SORTED].tolist(),
                scores[start : start + _SORTED].tolist(),
            )
            changed += self._rescore_sorted(some, new)
        return changed

    # -- handing out and settling --------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract."""
        self._wake(now)
        while True:
            with self._writing():
                self._links.end_expired_transfers(now)
                host = self._hosts.best_open(busy, now)
                if host is None:
                    return None
                lease, over = self._hand_out(host, now)
            if over:
                self._forget_rest(host.n)
            if lease is not None:
                return lease

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """See the contract."""
        with self._writing():
            row = self._file.row(
                "UPDATE leases SET landed = 1 WHERE landed = 0 AND worker = ? "
                "AND ord = (SELECT ord FROM links INDEXED BY ids WHERE id = ?) RETURNING host",
                (self._workers.n, id),
            )
            if row is None:
                return
            self._hosts.end_transfers([row[0]])
            self._hosts.hold(row[0], ready_at)
            if delay is not None:
                self._hosts.set_delay(row[0], delay)

    def hold_host(self, host: str, until: float) -> None:
        """See the contract."""
        with self._writing():
            self._hosts.hold(self._hosts.number(host), until)

    def extend_budget(self, host: str, links: int) -> None:
        """See the contract."""
        with self._writing():
            self._hosts.extend_budget(self._hosts.number(host), links)

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract."""
        done = 0
        for start in range(0, len(ids), PIECE):
            ended = 0
            with self._writing():
                found = self._links.find(ids[start : start + PIECE])
                for place in found.values():
                    taken = self._links.take_leased(place) or self._links.take_waiting(
                        place, only_back=True
                    )
                    if taken is not None:
                        self._links.close(taken)
                        ended += 1
                self._make_old(ended)
            done += ended
        return done

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """See the contract."""
        if retry_at is not None and not math.isfinite(retry_at):
            raise ValueError(f"retry_at must be finite, got {retry_at!r}")
        with self._writing():
            taken = self._take_mine(id)
            if taken is None:
                return None
            taken = replace(taken, failures=taken.failures + 1)
            again = retry_at is not None and taken.failures < self._limits.max_attempts
            if again:
                self._links.set_reason(taken, reason)
                self._links.enqueue(taken, retry_at)
            else:
                self._links.close(taken, reason)
                self._make_old(1)
        return again

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        """See the contract."""
        with self._writing():
            self._workers.heartbeat(now)
            self._make_old(PIECE)

    def reap(self, now: float) -> int:
        """See the contract."""
        returned = 0
        while True:
            with self._writing():
                living = self._workers.living(now)
                marks = ", ".join("?" * len(living))
                ended = self._file.execute(
                    f"SELECT ord, host FROM leases WHERE until <= ? OR worker NOT IN ({marks}) "
                    "ORDER BY ord LIMIT ?",
                    (now, *living, PIECE),
                ).fetchall()
                for place in ended:
                    self._give_back(place, now)
                if len(ended) < PIECE:
                    self._workers.bury()
            returned += len(ended)
            if len(ended) < PIECE:
                return returned

    def try_lead(self, now: float) -> bool:
        """See the contract."""
        with self._writing():
            return self._workers.try_lead(now)

    def close(self) -> None:
        """See the contract."""
        if self._closed:
            return
        self._closed = True
        try:
            mine = "SELECT ord, host FROM leases WHERE worker = ? LIMIT ?"
            while held := self._file.execute(mine, (self._workers.n, PIECE)).fetchall():
                with self._writing():
                    for place in held:
                        self._give_back(place, None)
            with self._writing():
                self._workers.leave()
        finally:
            self._file.close()
            self._workers.release()

    # -- looking -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; host by host, so that scores come back in the order of the file."""
        (last,) = self._file.row("SELECT coalesce(max(ord), 0) FROM links")
        return self._queued(piece, last)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract."""
        # The n best links are among those of the n best hosts.
        rows = self._file.execute(
            "SELECT -best_score, best_ord, n FROM hosts INDEXED BY moments "
            "WHERE best_ord IS NOT NULL ORDER BY best_score DESC, best_ord LIMIT ?",
            (n,),
        )
        heads: list[tuple[float, int, int]] = list(rows)
        heapify(heads)
        found: list[QueuedLink] = []
        while heads and len(found) < n:
            minus_score, ord, host = heappop(heads)
            found.append(self._links.load(OpenLink(host, ord, 0, -minus_score, 0, 0, 0)))
            following = self._file.row(
                "SELECT -score, ord, host FROM waiting INDEXED BY best WHERE host = ?1 "
                "AND until IS NULL AND score <= ?2 AND (score < ?2 OR ord > ?3) "
                "ORDER BY score DESC, ord LIMIT 1",
                (host, -minus_score, ord),
            )
            if following is not None:
                heappush(heads, following)
        return iter(found)

    def evidence(self, id: int) -> LinkEvidence | None:
        """See the contract."""
        row = self._file.row(
            "SELECT coalesce((SELECT score FROM waiting w WHERE w.host = l.host AND w.ord = l.ord), "
            "(SELECT score FROM leases e WHERE e.ord = l.ord), score), "
            f"{WHY} FROM links l INDEXED BY ids WHERE id = ?",
            (id,),
        )
        return None if row is None else evidence(*row)

    def reason(self, id: int) -> str | None:
        """See the contract."""
        row = self._file.row("SELECT reason FROM links INDEXED BY ids WHERE id = ?", (id,))
        return None if row is None or row[0] is None else as_text(row[0])

    def next_ready(self, now: float) -> float | None:
        """See the contract."""
        (due,) = self._file.row(
            "SELECT min(until) FROM waiting INDEXED BY due WHERE until IS NOT NULL AND until > ?",
            (now,),
        )
        moments = [due, self._hosts.next_ready(now)]
        return min((moment for moment in moments if moment is not None), default=None)

    def known(self, ids: Sequence[int]) -> list[bool]:
        """See the contract."""
        found = self._links.find(ids)
        # After the rows: what leaves them is in a filter before.
        self._seen.refresh()
        return [id in found or id in self._seen for id in ids]

    def size(self) -> FrontierSize:
        """See the contract."""
        row = self._file.row(
            "SELECT queued, delayed, leased, done, given_up, hosts, forgotten, "
            "(SELECT count(*) FROM leases WHERE worker <> ?) FROM counts",
            (self._workers.n,),
        )
        return FrontierSize(*row)

    # -- inside --------------------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction, with counts and best links in step when it ends."""
        try:
            with self._file.transaction():
                yield
                self._links.settle()
        except BaseException:
            self._links.rolled_back()
            self._seen.rolled_back()
            raise

    def _offer(self, id: int, link: QueuedLink, found: dict[int, Place], again: bool) -> PushResult:
        place = found.get(id)
        if place is not None:
            if self._links.merge(place, link, again=again):
                return PushResult.MERGED
            if not again or self._links.is_leased(place):
                return PushResult.SEEN
        elif id in self._seen and not again:
            return PushResult.SEEN
        if self._hosts.used_up(self._hosts.number(link.host)):
            return PushResult.REFUSED
        if not self._make_room(link.evidence.score, found):
            return PushResult.REFUSED
        if place is not None:
            self._links.drop_closed(place)
        elif again and (count := self._seen.take_back(id)) is not None:
            self._links.count(count, -1)
        found[id] = self._links.add(id, link)
        return PushResult.NEW

    def _make_room(self, score: float, found: dict[int, Place]) -> bool:
        """Forget the worst waiting links until one more fits; ``False`` if *score* is no better."""
        limit = self._limits.max_links
        while limit and self._links.waiting_count() >= limit:
            place, least = self._links.worst()
            if score <= least:
                return False
            taken = self._links.take_waiting(place)
            assert taken is not None
            self._links.forget(taken)
            found.pop(taken.id, None)
        return True

    def _wake(self, now: float) -> None:
        """Queue the delayed links whose moment has come."""
        while self._due(now):
            with self._writing():
                self._links.wake(now, PIECE)

    def _due(self, now: float) -> bool:
        (due,) = self._file.row(
            "SELECT EXISTS (SELECT 1 FROM waiting INDEXED BY due "
            "WHERE until IS NOT NULL AND until <= ?)",
            (now,),
        )
        return bool(due)

    def _hand_out(self, host: OpenHost, now: float) -> tuple[Lease | None, bool]:
        """Lease the best link of an open host, and whether the rest of it is to be forgotten.

        No link when its budget is used up already: a worker died before it had forgotten the rest.
        """
        taken = self._links.take_waiting((host.best, host.n))
        assert taken is not None
        first = not taken.started
        if first and host.budget_left <= 0:
            self._links.enqueue(taken)
            return None, True
        expires = now + self._limits.lease_seconds
        self._links.lease(taken, expires, self._workers.n)
        self._hosts.begin_transfer(host, now, first=first)
        link = self._links.load(taken, host.name)
        return Lease(taken.id, link, taken.failures + 1, expires), first and host.budget_left <= 1

    def _forget_rest(self, host: int) -> None:
        """Forget what was never handed out of a host whose budget is used up."""
        while True:
            with self._writing():
                places = self._links.never_started(host, PIECE)
                for place in places:
                    taken = self._links.take_waiting(place)
                    assert taken is not None
                    self._links.forget(taken)
            if len(places) < PIECE:
                return

    def _take_mine(self, id: int) -> OpenLink | None:
        """Take out a link that this worker has leased."""
        place = self._links.find([id]).get(id)
        return None if place is None else self._links.take_leased(place, self._workers.n)

    def _give_back(self, place: Place, now: float | None) -> None:
        """Return a leased link; without *now* its worker gives it back itself, no mark against it."""
        taken = self._links.take_leased(place)
        if taken is None:
            return
        taken = replace(taken, flags=taken.flags | BACK)
        if now is None:
            self._links.enqueue(taken)
            return
        taken = replace(taken, returns=taken.returns + 1)
        if taken.returns > self._limits.max_returns:
            self._links.close(taken, self.reason(taken.id) or "lease expired")
            return
        delay = return_delay(taken.id, taken.returns)
        self._links.enqueue(taken, now + delay if delay else None)

    def _make_old(self, ended: int) -> None:
        """Move links that ended long ago into filters, a few for each one that has just ended."""
        if ended:
            self._links.count("exact", -self._seen.step(ended))

    def _rescore_sorted(self, ids: list[int], scores: list[float]) -> int:
        """Rescore links in the order of hosts, in which they lie in the file."""
        places = self._links.find(ids)
        rows = [
            (score, place[1], place[0])
            for id, score in zip(ids, scores, strict=True)
            if (place := places.get(id)) is not None
        ]
        rows.sort(key=lambda row: row[1:])
        changed = 0
        for start in range(0, len(rows), PIECE):
            piece = rows[start : start + PIECE]
            with self._writing():
                changed += self._file.executemany(
                    "UPDATE waiting SET score = ?1 WHERE host = ?2 AND ord = ?3 AND score <> ?1",
                    piece,
                ).rowcount
                for host in {host for _, host, _ in piece}:
                    self._hosts.changed(host)
        return changed

    def _queued(
        self, piece: int, last: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        at: tuple[int, int] = (0, 0)
        while rows := self._file.execute(
            "SELECT id, score, host, ord FROM waiting "
            "WHERE (host, ord) > (?, ?) AND ord <= ? ORDER BY host, ord LIMIT ?",
            (*at, last, piece),
        ).fetchall():
            at = rows[-1][2:]
            ids = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            yield ids, np.fromiter((row[1] for row in rows), np.float64, len(rows))


def _check_finite(link: QueuedLink) -> None:
    if not math.isfinite(link.evidence.score):
        raise ValueError(f"score of {link.url} must be finite, got {link.evidence.score!r}")
