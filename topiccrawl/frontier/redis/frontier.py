"""The frontier on a Redis server: many machines, one queue per topic.

The layout of its keys is in ``lua/keys.lua``.  Every operation is one Lua script in one round trip.
Large batches are cut so that no script holds the server for more than some milliseconds, and all
pieces are sent before the first answer is read.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np
import redis
from numpy.typing import NDArray

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.checks import check_links, check_retry_at, check_scores
from topiccrawl.frontier.clock import (
    CLOCK_STEP_SECONDS,
    LONGEST_WAIT_SECONDS,
    LatestMoment,
    SteadyClock,
)
from topiccrawl.frontier.contract import Frontier, FrontierSize, Lease, PushResult, QueuedLink
from topiccrawl.frontier.options import DEFAULT_PREFIX, EXACT_LINKS, FrontierLimits
from topiccrawl.frontier.records import UnreadableLinks, UnreadableRecordError
from topiccrawl.frontier.redis.codec import (
    as_bytes,
    offered,
    packed_concurrencies,
    packed_hosts,
    packed_id,
    packed_ids,
    packed_limits,
    packed_scores,
    stored,
    unpacked_id,
)
from topiccrawl.frontier.redis.connection import (
    RETRY_SECONDS,
    Argument,
    RedisAwayError,
    RedisConnection,
)
from topiccrawl.frontier.redis.contacts import RecentContacts
from topiccrawl.frontier.redis.journal import RedisJournal
from topiccrawl.frontier.redis.keys import key_base
from topiccrawl.frontier.redis.living import new_name
from topiccrawl.frontier.redis.scripts import LARGEST_BLOOM_LINKS
from topiccrawl.frontier.redis.server import ServerClock, refuse_text_answers
from topiccrawl.frontier.redis.views import LINKS_PER_SCRIPT, RedisViews, id_pieces
from topiccrawl.frontier.redis.worker import HeldLease, RedisWorker
from topiccrawl.language import _
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.steps import pieces

#: Links pushed by one script, at some 15 µs each (5 µs when they are re-scored or acknowledged).
_PUSHED_PER_SCRIPT: Final = 100
#: Share of ``worker_seconds`` after which other calls send a heartbeat (a guess: as often as the scheduler's timer).
_BEAT_SHARE: Final = 0.25
#: After a crash of the server, seconds in which nothing is handed out while there are other workers: each has to
#: report first what it is fetching.  A choice: an idle engine looks every five seconds, and tries again a second later.
RESUME_SECONDS: Final = 10.0
_RESULTS = {ord(result.value[0]): result for result in PushResult}


class RedisFrontier(Frontier):
    """A frontier on a Redis server.

    While the server is away, writes wait in memory: ``push`` returns ``NEW``, ``pop`` hands out
    nothing, ``known`` returns ``False``, and ``size`` returns the last counts with at least one
    queued link, so that the crawl does not count as finished.  The server is tried again every
    second.

    Links that are done or given up keep no evidence.  The last *exact_links* of them are remembered
    exactly (some 25 bytes each), older ones in bitmaps (3.6 bytes, error rate 1e-6 for each bitmap of
    *exact_links*, at least 100,000 links).
    """

    shared = True

    def __init__(
        self,
        client: redis.Redis,
        topic: str,
        limits: FrontierLimits | None = None,
        *,
        worker: str | None = None,
        prefix: str = DEFAULT_PREFIX,
        exact_links: int = EXACT_LINKS,
        journal_entries: int | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """*clock* is the machine's own, in seconds; :attr:`clock` the one on which workers agree.

        An earlier worker of the same name *worker* counts as dead: its leases are returned.  About
        *journal_entries* of the journal are kept, all of them with ``None``.

        Raises :class:`ConfigurationError` when the server cannot be reached, keeps a frontier of
        another format, or evicts keys when its memory is full.
        """
        if not 0 < exact_links <= LARGEST_BLOOM_LINKS:
            raise ConfigurationError(
                _("exact_links must be in 1..{most:,}, got {value!r}").format(
                    most=LARGEST_BLOOM_LINKS, value=exact_links
                )
            )
        refuse_text_answers(client)
        self._limits = limits or FrontierLimits()
        clock = clock or SteadyClock()
        self._local = clock
        self._latest = LatestMoment()
        self._held: dict[int, HeldLease] = {}
        self._contacts = RecentContacts()
        self._void: set[int] = set()
        self._beaten: tuple[float, float] | None = (
            None  # by the machine's clock, and by the caller's
        )
        self._unsent = 0
        self._unreadable = UnreadableLinks()
        self._losses = 0
        self._back_at = self._hand_out_at = -math.inf
        self._last_size = FrontierSize(0, 0, 0, 0, 0, 0)
        self.worker = worker or new_name(os.getpid())
        base = key_base(topic, prefix)
        arguments = (packed_limits(self._limits, exact_links), packed_concurrencies(self._limits))
        self._connection = RedisConnection(
            client,
            base,
            arguments,
            clock=clock,
            on_restart=self._restart,
            on_return=self._resume,
            on_loss=self._begin_anew,
            on_gap=self._go_back,
        )
        self.clock = ServerClock(self._connection, clock)
        """Seconds on the server's clock."""
        self._views = RedisViews(self._connection, base)
        self._worker = RedisWorker(self._connection, base, self.worker, self.clock)
        joined = self._worker.join()
        self._journal = RedisJournal(self._connection, base + b"journal", journal_entries)
        with suppress(RedisAwayError):
            self._connection.call("shift", self.clock(), "", CLOCK_STEP_SECONDS)
        if joined.earlier:
            self._worker.return_leases_of(joined.earlier)
        if joined.unordered:
            for ids, __ in self._views.waiting(LINKS_PER_SCRIPT):
                self._connection.call("worst", packed_ids(ids.tolist()))

    @property
    def journal(self) -> RedisJournal:
        return self._journal

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        check_links(links)
        self._stay_alive()
        flag = "1" if again else ""
        calls: list[list[Argument]] = [
            [flag, *map(offered, piece)] for piece in pieces(links, _PUSHED_PER_SCRIPT)
        ]
        answers = self._connection.write_all("push", calls)
        if answers is None or None in answers:
            self._unsent += len(links)
            return [PushResult.NEW] * len(links)
        return [_RESULTS[letter] for answer in answers for letter in answer]

    def put_back(self, link: QueuedLink) -> bool:
        check_links([link])
        if self._held.pop(link.id, None) is None:
            return False
        return bool(self._connection.write("put_back", offered(link)) != 0)

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract; 0 while the server is away."""
        check_scores(ids, scores)
        return self._changed("rescore", packed_scores(ids, scores, LINKS_PER_SCRIPT))

    def forget(self, ids: Sequence[int]) -> int:
        """See the contract; 0 while the server is away."""
        return self._changed("forget", [(piece,) for piece in id_pieces(ids)])

    # -- handing out and settling --------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        hosts = packed_hosts(busy)
        self._notice(now)
        self._stay_alive()
        while True:
            try:
                self._connection.reconnect()
                if self._local() < self._hand_out_at:
                    return None
                while (answer := self._connection.call("pop", float(now), hosts)) == b"more":
                    pass
            except RedisAwayError:
                return None
            if answer is None:
                return None
            packed, record, overdrawn = answer
            id = unpacked_id(packed)
            self._held[id] = HeldLease(1)
            self._void.discard(id)
            if overdrawn:
                self._sweep(overdrawn)
            try:
                found = stored(record)
            except UnreadableRecordError as error:
                self.fail(id, self._unreadable.reason(error), None)
                continue
            lease = Lease(id, found.link, found.failures + 1, now + self._limits.lease_seconds)
            self._held[id] = HeldLease(lease.attempt, found.link.host)
            return lease

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        self._stay_alive()
        held = self._held.get(id)
        if held is not None:
            held.in_transfer = False
            new_delay = "" if delay is None else float(delay)
            self._contacts.note(held.host, ready_at, new_delay)
            self._connection.write("transfer_finished", packed_id(id), float(ready_at), new_delay)

    def hold_host(self, host: str, until: float) -> None:
        self._contacts.note(host, until)
        self._connection.write("hold_host", as_bytes(host), float(until))

    def extend_budget(self, host: str, links: int) -> None:
        if self._limits.host_budget:
            self._connection.write("extend_budget", as_bytes(host), links)

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract; while the server is away, how many of them this worker holds.

        Pages whose links the server may have lost in a crash return to the queue instead.
        """
        self._stay_alive()
        void = self._void.intersection(ids)
        held = sum(self._held.pop(id, None) is not None for id in ids if id not in void)
        if void:
            self._return(void)
            ids = [id for id in ids if id not in void]
        answers = self._connection.write_all("ack", [(piece,) for piece in id_pieces(ids)])
        return held if answers is None or None in answers else sum(answers)

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        check_retry_at(retry_at)
        held = self._held.pop(id, None)
        if held is None:
            return None
        when = "" if retry_at is None else float(retry_at)
        answer = self._connection.write("fail", packed_id(id), as_bytes(reason), when)
        if answer is None:
            return retry_at is not None and held.attempt < self._limits.max_attempts
        return None if answer == -1 else answer == 1

    def mark_ended(self, links: Sequence[QueuedLink], *, given_up: bool = False) -> int:
        """See the contract; 0 while the server is away."""
        kind = "G" if given_up else "D"
        ids = [link.id for link in links]
        return self._changed("mark_ended", [(piece, kind) for piece in id_pieces(ids)])

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        """See the contract; also compares the clocks, and tries again a server that is away.

        Other calls send a heartbeat, too, when the last one is long ago: a worker whose calls take
        seconds each is alive.
        """
        self._notice(now)
        self._note_beat(now)
        with suppress(RedisAwayError):
            self._worker.heartbeat(now)
            if not self._connection.waiting:
                self._contacts.heartbeat_received()

    def reap(self, now: float) -> int:
        """See the contract.

        For ``worker_seconds`` after the server was away, or this worker was, no worker counts as dead: the
        others could not report that they were alive either.
        """
        self._notice(now)
        returned, more = 0, 1
        try:
            self._connection.call("cut", float(now), float(now) + LONGEST_WAIT_SECONDS)
            self._connection.reconnect()
            away_lately = self._local() - self._back_at < self._limits.worker_seconds
            flag = "" if away_lately else "1"
            while more:
                count, more, overdrawn = self._connection.call("reap", float(now), flag)
                returned += count
                if overdrawn:
                    self._sweep(overdrawn)
        except RedisAwayError:
            pass
        return returned

    def others(self, now: float) -> int:
        """See the contract; all that are not known to be dead, 0 while the server is away."""
        try:
            return self._worker.others(now, self._limits.worker_seconds)
        except RedisAwayError:
            return 0

    def try_lead(self, now: float) -> bool:
        """See the contract; no worker leads while the server is away."""
        try:
            return self._worker.try_lead(now)
        except RedisAwayError:
            return False

    # -- reading -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; host by host, best first in each."""
        return self._views.waiting(piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        return self._views.best(n)

    def evidence(self, id: int) -> LinkEvidence | None:
        """See the contract; ``None`` also for links that are done or given up."""
        return self._views.evidence(id)

    def reason(self, id: int) -> str | None:
        """See the contract; forgotten when the link is done."""
        return self._views.reason(id)

    def next_ready(self, now: float) -> float | None:
        """See the contract; while the server is away, when it is tried again."""
        try:
            answer = self._connection.call("next_ready", float(now))
        except RedisAwayError:
            return now + RETRY_SECONDS
        return None if answer is None else float(answer)

    def known(self, ids: Sequence[int]) -> list[bool]:
        return self._views.known(ids)

    def size(self) -> FrontierSize:
        try:
            *counts, mine = self._connection.call("size")
        except RedisAwayError:
            last = self._last_size
            queued = max(1, last.queued + self._unsent)
            return replace(last, queued=queued, away=True, losses=self._losses)
        size = FrontierSize(*counts)
        self._last_size = replace(size, elsewhere=size.leased - mine, losses=self._losses)
        return self._last_size

    def close(self) -> None:
        """See the contract; a server that is away is tried once more."""
        self._held.clear()
        self._worker.leave()
        self._connection.client.close()

    # -- inside --------------------------------------------------------------------------------

    def _changed(self, name: str, calls: Sequence[Sequence[Argument]]) -> int:
        """Run a script for each of *calls*; return the sum of the answers, 0 while the server is away."""
        return sum(answer or 0 for answer in self._connection.write_all(name, calls) or ())

    def _notice(self, now: float) -> None:
        """Take note of the time; a clock that was set back takes all moments with it."""
        back = self._latest.step_back(now)
        if back:
            with suppress(RedisAwayError):
                self._connection.call("shift", float(now), back, CLOCK_STEP_SECONDS)

    def _stay_alive(self) -> None:
        """Send a heartbeat if the caller's own is overdue, which calls that take long hold up."""
        if self._beaten is None:
            return
        at, now = self._beaten
        passed = self._local() - at
        if passed > _BEAT_SHARE * self._limits.worker_seconds:
            self._note_beat(now + passed)
            with suppress(RedisAwayError):
                self._connection.call("heartbeat", now + passed)

    def _note_beat(self, now: float) -> None:
        """Note a heartbeat; after a late one, this worker may have been stopped with the others."""
        before, self._beaten = self._beaten, (self._local(), now)
        if before and self._beaten[0] - before[0] > self._limits.worker_seconds / 2:
            self._back_at = self._local()

    def _resume(self) -> None:
        """The server is back and has received every write that was waiting."""
        self._worker.rejoin(self._held, self._contacts.by_host())
        self._back_at = self._local()
        self._unsent = 0

    def _restart(self) -> bool:
        """The server was started again, and may have lost its last moments; return whether to wait."""
        if not self._worker.knows_frontier():
            return False  # the next script is refused
        forgotten = self._worker.keep_number()
        if forgotten:
            self._go_back()
        self._worker.report(self._held, self._contacts.by_host())
        others = self._worker.others(self.clock(), self._limits.worker_seconds)
        if others:
            self._hand_out_at = self._local() + RESUME_SECONDS
        return forgotten or others > 0

    def _begin_anew(self) -> None:
        """The server has lost the frontier; the leases of this worker are gone with it."""
        self._worker.join_anew()
        self._losses += 1
        self._void.clear()

    def _go_back(self) -> None:
        """The server has lost the last writes of this worker, links of the pages that it holds among them."""
        self._void = set(self._held)
        self._worker.return_after_gap(self._held)

    def _return(self, ids: Collection[int]) -> None:
        """Return leases without an outcome; when the server is away, as soon as it is back."""
        self._void.difference_update(ids)
        for id in ids:
            self._held.pop(id, None)
        with suppress(RedisAwayError):
            self._worker.return_all_but(self._held)

    def _sweep(self, host: bytes) -> None:
        """Drop the links that exceed a host's budget; another worker continues if this one fails."""
        kept = 0
        try:
            while kept >= 0:
                kept = self._connection.call("sweep", host, kept)
        except RedisAwayError:
            pass
