"""The frontier in one SQLite file: nothing to install, several processes, nothing lost by kill -9.

Nothing of the queue is kept in memory, so that a worker's memory does not grow with it.  Every call is
one transaction (long ones are several), so that a process may die at any moment.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.frontier.checks import check_links, check_retry_at, check_scores
from topiccrawl.frontier.clock import LatestMoment, SteadyClock
from topiccrawl.frontier.contract import Frontier, FrontierSize, Lease, PushResult, QueuedLink
from topiccrawl.frontier.errors import FileFault, FrontierFileError
from topiccrawl.frontier.options import EXACT_LINKS, FrontierLimits
from topiccrawl.frontier.sqlite import locks
from topiccrawl.frontier.sqlite.admission import Admission
from topiccrawl.frontier.sqlite.file import FrontierFile, check_own_file, erase_file
from topiccrawl.frontier.sqlite.hosts import SQLiteHosts
from topiccrawl.frontier.sqlite.journal import SQLiteJournal
from topiccrawl.frontier.sqlite.leases import SQLiteLeases
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.moments import SQLiteMoments
from topiccrawl.frontier.sqlite.openlink import OpenLink
from topiccrawl.frontier.sqlite.schema import CREATE_WORST
from topiccrawl.frontier.sqlite.seen import SeenLinks
from topiccrawl.frontier.sqlite.views import SQLiteViews
from topiccrawl.frontier.sqlite.workers import SQLiteWorkers
from topiccrawl.frontier.sqlite.writing import PIECE, Writing
from topiccrawl.language import _
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.steps import pieces

#: Links whose rows a rescoring looks up and sorts at once; some 20 MB.
_SORTED: Final = 100_000


class SQLiteFrontier(Frontier):
    """A frontier in the file *path*, which is created if it does not exist.

    About *exact_links* of the links that are done or given up keep a row with evidence and reason.
    Older ones are kept in Bloom filters, whose error rate is at most
    :data:`topiccrawl.frontier.bloom.FALSE_POSITIVE_RATE` for each filter.  *worker* is a name for
    people; *clock* returns the time, in seconds, at which this worker opens and closes the file (default:
    a :class:`~topiccrawl.frontier.clock.SteadyClock`).

    Raises :class:`~topiccrawl.frontier.errors.FrontierFileError` for a file that is not a
    frontier of this version, or is damaged.
    """

    shared = True

    def __init__(
        self,
        path: Path,
        limits: FrontierLimits | None = None,
        *,
        worker: str | None = None,
        clock: Callable[[], float] | None = None,
        exact_links: int = EXACT_LINKS,
    ) -> None:
        if exact_links < 1:
            raise ValueError(f"exact_links must be >= 1, got {exact_links!r}")
        self._limits = limits or FrontierLimits()
        self._closed = False
        self._file = FrontierFile(path)
        try:
            name = worker or f"{socket.gethostname()}:{os.getpid()}"
            self._moments = SQLiteMoments(self._file)
            with self._file.transaction():
                self._moments.prepare()
            self.clock = clock or SteadyClock()
            """Seconds on the clock of all workers on the file."""
            self._workers = SQLiteWorkers(self._file, name, self.clock, self._limits.worker_seconds)
        except BaseException:
            self._file.close()
            raise
        self._latest = LatestMoment()
        self._hosts = SQLiteHosts(self._file, self._limits)
        self._links = SQLiteLinks(self._file, self._hosts)
        self._seen = SeenLinks(self._file, self._workers.n, exact_links)
        self._admission = Admission(self._hosts, self._links, self._seen, self._limits.max_links)
        self._writing = Writing(self._file, self._links, self._seen)
        self._views = SQLiteViews(self._file, self._hosts, self._links, self._seen)
        self._leases = SQLiteLeases(
            self._file,
            self._writing,
            self._hosts,
            self._links,
            self._views,
            self._workers,
            self._limits,
        )
        self._journal = SQLiteJournal(self._file, self._workers.n)
        try:
            if self._limits.max_links:
                self._file.execute(CREATE_WORST)
            self._agree_on_time()
            self.reap(self.clock())
        except BaseException:
            self._file.close()
            self._workers.release()
            raise

    @staticmethod
    def erase(path: Path) -> None:
        """Delete the frontier at *path*, if there is one.

        Raises :class:`~topiccrawl.frontier.errors.FrontierFileError` when workers are using
        it, and for a file that is not a frontier.
        """
        SQLiteFrontier.check_erasable(path)
        erase_file(path)
        locks.sweep(path)

    @staticmethod
    def check_erasable(path: Path) -> None:
        """Raise what :meth:`erase` would raise for the frontier at *path*; erase nothing."""
        if locks.any_held(path):
            rule = _("it cannot be erased, other workers are using it")
            raise FrontierFileError(path, FileFault.IN_USE, rule)
        check_own_file(path)

    @property
    def journal(self) -> SQLiteJournal:
        return self._journal

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        check_links(links)
        results: list[PushResult] = []
        for piece in pieces(links, PIECE):
            with self._writing():
                self._seen.refresh()
                offered = [(link.id, link) for link in piece]
                found = self._links.find_offered(id for id, _ in offered)
                results += [self._admission.offer(id, link, found, again) for id, link in offered]
        return results

    def put_back(self, link: QueuedLink) -> bool:
        check_links([link])
        with self._writing():
            taken = self._take_own(link.id)
            if taken is None:
                return False
            self._links.enqueue(self._links.rewrite(taken, link))
        return True

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        check_scores(ids, scores)
        # The last of equal ids counts: the first one of the reversed order.
        unique, at = np.unique(ids[::-1], return_index=True)
        if len(unique) < len(ids):
            last = np.sort(len(ids) - 1 - at)
            ids, scores = ids[last], scores[last]
        changed = 0
        for start in range(0, len(ids), _SORTED):
            piece = slice(start, start + _SORTED)
            changed += self._rescore_sorted(ids[piece].tolist(), scores[piece].tolist())
        return changed

    def forget(self, ids: Sequence[int]) -> int:
        forgotten = 0
        for piece in pieces(ids, PIECE):
            dropped = 0
            with self._writing():
                for key in self._links.find(piece).values():
                    taken = self._links.take_waiting(key)
                    if taken is not None:
                        self._links.forget(taken)
                        dropped += 1
            forgotten += dropped
        return forgotten

    # -- handing out and settling --------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        self._notice(now)
        return self._leases.pop(busy, now)

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        with self._writing():
            row = self._file.row(
                "UPDATE leases SET landed = 1 WHERE landed = 0 AND worker = ? "
                "AND ord = (SELECT ord FROM links INDEXED BY ids WHERE id = ?) RETURNING host",
                (self._workers.n, id),
            )
            if row is None:
                return
            self._hosts.end_transfer(row[0], ready_at, delay)

    def hold_host(self, host: str, until: float) -> None:
        with self._writing():
            self._hosts.hold(self._hosts.number(host), until)

    def extend_budget(self, host: str, links: int) -> None:
        with self._writing():
            self._hosts.extend_budget(self._hosts.number(host), links)

    def ack(self, ids: Sequence[int]) -> int:
        done = 0
        for piece in pieces(ids, PIECE):
            ended = 0
            with self._writing():
                for key in self._links.find(piece).values():
                    taken = self._links.take_leased(
                        key, self._workers.n
                    ) or self._links.take_waiting(key, only_back=True)
                    if taken is not None:
                        self._links.close(taken)
                        ended += 1
                self._archive(ended)
            done += ended
        return done

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        check_retry_at(retry_at)
        with self._writing():
            taken = self._take_own(id)
            if taken is None:
                return None
            taken = replace(taken, failures=taken.failures + 1)
            again = retry_at is not None and taken.failures < self._limits.max_attempts
            if again:
                self._links.set_reason(taken, reason)
                self._links.enqueue(taken, retry_at)
            else:
                self._links.close(taken, reason)
                self._archive(1)
        return again

    def mark_ended(self, links: Sequence[QueuedLink], *, given_up: bool = False) -> int:
        check_links(links)
        ended = 0
        for piece in pieces(links, PIECE):
            with self._writing():
                self._seen.refresh()
                found = self._links.find(link.id for link in piece)
                for link in piece:
                    if link.id in found or link.id in self._seen:
                        continue
                    found[link.id] = key = self._links.add(link.id, link).key
                    taken = self._links.take_waiting(key)
                    assert taken is not None
                    self._links.close(taken, "rebuilt" if given_up else None)
                    ended += 1
        return ended

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        self._file.check_place()
        self._notice(now)
        with self._writing():
            self._moments.note(now)
            self._workers.heartbeat(now)
            self._archive(PIECE)

    def reap(self, now: float) -> int:
        self._notice(now)
        with self._writing():
            self._moments.cut(now)
        return self._leases.reap(now)

    def others(self, now: float) -> int:
        with self._file.reading():
            return len(self._workers.living(now)) - 1

    def try_lead(self, now: float) -> bool:
        with self._writing():
            return self._workers.try_lead(now)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self._leases.return_own()
            with self._writing():
                self._moments.note(self.clock())
                self._workers.leave()
        finally:
            self._file.close()
            self._workers.release()

    # -- reading -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; host by host, so that scores come back in the order of the file."""
        with self._file.reading():
            yield from self._views.queued(piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        with self._file.reading():
            yield from self._views.best(n)

    def evidence(self, id: int) -> LinkEvidence | None:
        with self._file.reading():
            return self._views.evidence(id)

    def reason(self, id: int) -> str | None:
        with self._file.reading():
            return self._views.reason(id)

    def next_ready(self, now: float) -> float | None:
        with self._file.reading():
            return self._views.next_ready(now)

    def known(self, ids: Sequence[int]) -> list[bool]:
        with self._file.reading():
            return self._views.known(ids)

    def size(self) -> FrontierSize:
        with self._file.reading():
            return self._views.size(self._workers.n)

    # -- inside --------------------------------------------------------------------------------

    def _notice(self, now: float) -> None:
        """Take note of the time; a clock that was set back takes all moments with it."""
        back = self._latest.step_back(now)
        if back:
            with self._writing():
                self._moments.shift(-back, now)

    def _agree_on_time(self) -> None:
        """Compare the clock with that of earlier workers.

        If it was set back since, the moments go back with it; if some of those workers are still at
        work, whose clocks go on as before, this worker's clock moves on to theirs.
        """
        with self._writing():
            now = self.clock()
            ahead = self._moments.ahead_of(now)
            others = len(self._workers.living(now)) > 1
            if ahead and others and isinstance(self.clock, SteadyClock):
                self.clock.move(ahead)
            elif ahead and not others:
                self._moments.shift(-ahead, now)
            self._moments.note(self.clock())

    def _take_own(self, id: int) -> OpenLink | None:
        """Take out a link that this worker has leased."""
        key = self._links.find([id]).get(id)
        return None if key is None else self._links.take_leased(key, self._workers.n)

    def _archive(self, ended: int) -> None:
        """Move links that ended long ago into filters, some for each of *ended* new ones."""
        if ended:
            self._links.count("exact", -self._seen.step(ended))

    def _rescore_sorted(self, ids: list[int], scores: list[float]) -> int:
        """Rescore links ordered by host, as they are in the file."""
        keys = self._links.find(ids)
        rows = [
            (score, key[1], key[0])
            for id, score in zip(ids, scores, strict=True)
            if (key := keys.get(id)) is not None
        ]
        rows.sort(key=lambda row: row[1:])
        changed = 0
        for piece in pieces(rows, PIECE):
            with self._writing():
                changed += self._links.rescore(piece)
        return changed
