"""The frontier on a Redis server: many machines, one queue per topic.

The design of its keys stands in ``lua/keys.lua``.  Every operation is one Lua script in one
round trip; large batches are cut so that no script holds the server for more than some milliseconds,
and all their pieces are sent before the first answer is read.
"""

from __future__ import annotations

import json
import logging
import math
import os
import socket
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import redis
from numpy.typing import NDArray
from redis.exceptions import ResponseError

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import FrontierSize, Lease, PushResult, QueuedLink
from topiccrawl.frontier.options import DEFAULT_PREFIX, EXACT_LINKS, FrontierLimits
from topiccrawl.frontier.redis.codec import (
    as_bytes,
    as_text,
    concurrencies,
    offer,
    packed_id,
    packed_ids,
    packed_limits,
    stored,
)
from topiccrawl.frontier.redis.connection import (
    RETRY_SECONDS,
    Argument,
    RedisAwayError,
    RedisConnection,
)
from topiccrawl.frontier.redis.journal import RedisJournal
from topiccrawl.frontier.redis.keys import erase, key_base
from topiccrawl.frontier.redis.scripts import LARGEST_BLOOM_LINKS
from topiccrawl.frontier.redis.server import (
    ServerClock,
    address,
    check_durability,
    refuse_text_answers,
)
from topiccrawl.frontier.redis.views import LINKS, RedisViews, looked_up
from topiccrawl.scoring.evidence import LinkEvidence

logger = logging.getLogger(__name__)

#: Version of what is kept on the server; another one is refused.
FORMAT: Final = "1"
#: Links of one script: some 15 µs each when they are pushed, 5 when re-scored or acknowledged.
_PUSHED: Final = 100
_RESULTS = {ord(result.value[0]): result for result in PushResult}
_TABLE = np.dtype([("id", ">i8"), ("score", ">f8")])


class RedisFrontier:
    """See :class:`topiccrawl.frontier.contract.Frontier`.

    While the server is away, writes wait in memory: ``push`` says ``NEW``, ``pop`` hands out nothing,
    ``known`` knows nothing, and ``size`` tells the last known counts with at least one queued link, so
    that nobody takes the crawl for finished.  The server is tried again every second.

    Links that are done or given up keep no evidence.  The last *exact_links* of them are remembered
    exactly (some 25 bytes each), older ones in bitmaps (3.6 bytes, error rate 1e-6 for each bitmap of
    *exact_links*, at least 100,000 links).
    """

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
        clock: Callable[[], float] = time.time,
    ) -> None:
        """*clock* is the machine's own, in seconds; :attr:`clock` the one on which workers agree.

        A *worker* of the same name that is gone is taken for this one's earlier life: its leases
        return.  About *journal_entries* of the journal are kept, ``None`` keeps all.

        Raises :class:`ConfigurationError` when the server cannot be reached, keeps a frontier of
        another format, or throws keys away when its memory is full.
        """
        if not 0 < exact_links <= LARGEST_BLOOM_LINKS:
            raise ConfigurationError(
                f"exact_links must be in 1..{LARGEST_BLOOM_LINKS:,}, got {exact_links!r}"
            )
        refuse_text_answers(client)
        self._limits = limits or FrontierLimits()
        self._local = clock
        self._held: dict[int, int] = {}
        self._unsent = 0
        self._back_at = -math.inf
        self._last_size = FrontierSize(0, 0, 0, 0, 0, 0)
        self.worker = worker or f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        base = key_base(topic, prefix)
        self._base = base
        arguments = (packed_limits(self._limits, exact_links), concurrencies(self._limits))
        self._link = RedisConnection(client, base, arguments, clock=clock)
        self.clock = ServerClock(self._link, clock)
        """Seconds on the server's clock."""
        self._views = RedisViews(self._link, base)
        unordered, earlier = self._open()
        self._journal = RedisJournal(self._link, base + b"journal", journal_entries)
        if earlier:
            self._link.ask("keep", b"", self.clock(), earlier)
        if unordered:
            for ids, _ in self._views.waiting(LINKS):
                self._link.ask("worst", packed_ids(ids.tolist()))
        self._link.on_return = self._returned

    @classmethod
    def erase(cls, client: redis.Redis, topic: str, *, prefix: str = DEFAULT_PREFIX) -> None:
        """Remove everything that is kept for *topic*.

        Raises :class:`ConfigurationError` while other workers use it, or the server is away.
        """
        erase(client, topic, prefix)

    @property
    def shared(self) -> bool:
        """Always: others may push and pop at any time."""
        return True

    @property
    def journal(self) -> RedisJournal:
        """See the contract."""
        return self._journal

    # -- offering ------------------------------------------------------------------------------

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract."""
        for link in links:
            _check_finite(link)
        flag = "1" if again else ""
        calls: list[list[Argument]] = [
            [flag, *[offer(link) for link in links[start : start + _PUSHED]]]
            for start in range(0, len(links), _PUSHED)
        ]
        answers = self._link.write_all("push", calls) if calls else []
        if answers is None or None in answers:
            self._unsent += len(links)
            return [PushResult.NEW] * len(links)
        return [_RESULTS[letter] for answer in answers for letter in answer]

    def put_back(self, link: QueuedLink) -> bool:
        """See the contract."""
        _check_finite(link)
        if self._held.pop(link.id, None) is None:
            return False
        return bool(self._link.write("put_back", offer(link)) != 0)

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract; 0 while the server is away."""
        if ids.shape != scores.shape or ids.ndim != 1:
            raise ValueError(f"one score for each id: got shapes {ids.shape} and {scores.shape}")
        if not np.isfinite(scores).all():
            raise ValueError("scores must be finite")
        # The last of equal ids counts; the order stays, for ids of one host come together.
        _, last = np.unique(ids[::-1], return_index=True)
        chosen = np.sort(len(ids) - 1 - last)
        table = np.empty(len(chosen), _TABLE)
        table["id"], table["score"] = ids[chosen], scores[chosen]
        calls = [(table[at : at + LINKS].tobytes(),) for at in range(0, len(table), LINKS)]
        answers = self._link.write_all("rescore", calls) if calls else []
        return sum(answer or 0 for answer in answers or ())

    # -- handing out and settling --------------------------------------------------------------

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract."""
        hosts = as_bytes(json.dumps(list(busy), ensure_ascii=False)) if busy else b""
        try:
            while (answer := self._link.ask("pop", float(now), hosts)) == b"more":
                pass
        except RedisAwayError:
            return None
        if answer is None:
            return None
        key, record, overdrawn = answer
        found = stored(record)
        lease = Lease(
            int.from_bytes(key, "big", signed=True),
            found.link,
            found.failures + 1,
            float(now) + self._limits.lease_seconds,
        )
        self._held[lease.id] = lease.attempt
        if overdrawn:
            self._sweep(overdrawn)
        return lease

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """See the contract."""
        if id in self._held:
            told = "" if delay is None else float(delay)
            self._link.write("transfer_finished", packed_id(id), float(ready_at), told)

    def hold_host(self, host: str, until: float) -> None:
        """See the contract."""
        self._link.write("hold", as_bytes(host), float(until))

    def extend_budget(self, host: str, links: int) -> None:
        """See the contract."""
        if self._limits.host_budget:
            self._link.write("extend_budget", as_bytes(host), links)

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract; while the server is away, how many of them this worker holds."""
        held = sum(self._held.pop(id, None) is not None for id in ids)
        calls = [(packed_ids(ids[at : at + LINKS]),) for at in range(0, len(ids), LINKS)]
        answers = self._link.write_all("ack", calls) if calls else []
        return held if answers is None or None in answers else sum(answers)

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """See the contract."""
        if retry_at is not None and not math.isfinite(retry_at):
            raise ValueError(f"retry_at must be finite, got {retry_at!r}")
        attempt = self._held.pop(id, None)
        if attempt is None:
            return None
        when = "" if retry_at is None else float(retry_at)
        answer = self._link.write("fail", packed_id(id), as_bytes(reason), when)
        if answer is None:
            return retry_at is not None and attempt < self._limits.max_attempts
        return None if answer == -1 else answer == 1

    # -- workers -------------------------------------------------------------------------------

    def heartbeat(self, now: float) -> None:
        """See the contract; also compares the clocks, and tries a server that is away again."""
        try:
            self._link.ask("heartbeat", float(now))
            self.clock.refresh()
        except RedisAwayError:
            pass

    def reap(self, now: float) -> int:
        """See the contract.

        For ``worker_seconds`` after the server was away nobody is taken for dead: the others could
        not beat either.
        """
        returned, more = 0, 1
        try:
            self._link.bring_back()
            judge = self._local() - self._back_at >= self._limits.worker_seconds
            while more:
                count, more, overdrawn = self._link.ask("reap", float(now), "1" if judge else "")
                returned += count
                if overdrawn:
                    self._sweep(overdrawn)
        except RedisAwayError:
            pass
        return returned

    def try_lead(self, now: float) -> bool:
        """See the contract; nobody leads while the server is away."""
        try:
            return bool(self._link.ask("try_lead", float(now)))
        except RedisAwayError:
            return False

    # -- looking -------------------------------------------------------------------------------

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; host by host, best first in each."""
        return self._views.waiting(piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract."""
        return self._views.best(n)

    def evidence(self, id: int) -> LinkEvidence | None:
        """See the contract; ``None`` also for links that are done or given up."""
        try:
            (answer,) = self._link.ask("look", packed_id(id))
        except RedisAwayError:
            return None
        return None if answer is None else looked_up(answer).link.evidence

    def reason(self, id: int) -> str | None:
        """See the contract; forgotten when the link is done."""
        try:
            found = self._link.plain(
                lambda client: client.hget(self._key("reasons"), packed_id(id))
            )
        except RedisAwayError:
            return None
        return None if found is None else as_text(found)

    def next_ready(self, now: float) -> float | None:
        """See the contract; while the server is away, when it is tried again."""
        try:
            answer = self._link.ask("next", float(now))
        except RedisAwayError:
            return now + RETRY_SECONDS
        return None if answer is None else float(answer)

    def known(self, ids: Sequence[int]) -> list[bool]:
        """See the contract."""
        calls = [(packed_ids(ids[at : at + LINKS]),) for at in range(0, len(ids), LINKS)]
        try:
            answers = self._link.ask_all("known", calls) if calls else []
        except RedisAwayError:
            return [False] * len(ids)
        return [letter == ord("1") for answer in answers for letter in answer]

    def size(self) -> FrontierSize:
        """See the contract."""
        try:
            *counts, mine = self._link.ask("size")
        except RedisAwayError:
            last = self._last_size
            return replace(last, queued=max(1, last.queued + self._unsent))
        size = FrontierSize(*counts)
        self._last_size = replace(size, elsewhere=size.leased - mine)
        return self._last_size

    def close(self) -> None:
        """See the contract; a server that is away is tried once more."""
        self._held.clear()
        try:
            self._link.try_now()
            self._link.ask("keep", b"", "", self._link.worker)
            self._link.ask("leave", self.worker)
        except RedisAwayError:
            logger.warning(
                "Redis is away at the end of the run: %(count)d writes are lost; what they are about "
                "is fetched again when the leases of this worker end",
                {"count": self._link.waiting},
            )
        self._link.client.close()

    # -- inside --------------------------------------------------------------------------------

    def _open(self) -> tuple[bool, bytes]:
        """Join; whether a size limit is new to the frontier, and the number of this worker before."""
        place = address(self._link.client)
        try:
            answer = self._link.ask("open", FORMAT, self.worker)
            if answer[0] != FORMAT.encode():
                raise ConfigurationError(
                    f"{place}: field 'format' of key {as_text(self._key('meta'))!r} must be {FORMAT}, "
                    f"got {answer[0].decode(errors='replace')!r}: finish that run with the version that "
                    "wrote it, or erase it with -a fresh=1"
                )
            check_durability(self._link)
            self.clock.refresh()
        except RedisAwayError as error:
            raise ConfigurationError(f"REDIS_URL: {place} cannot be used: {error}") from error
        except ResponseError as error:
            raise ConfigurationError(f"REDIS_URL: {place} refuses: {error}") from error
        self._link.worker = answer[1]
        return bool(answer[3]), answer[4]

    def _returned(self) -> None:
        """The server is back and has what waited: say what is held here, for a pop may have been lost."""
        if not self._link.plain(lambda client: client.hexists(self._base + b"meta", "format")):
            self._link.worker = self._link.ask("open", FORMAT, self.worker)[1]
            logger.error(
                "%(server)s came back without the frontier: what was queued is lost",
                {"server": address(self._link.client)},
            )
        self._link.ask("keep", packed_ids(self._held), "", self._link.worker)
        self.clock.refresh()
        self._link.ask("heartbeat", self.clock())
        self._back_at = self._local()
        self._unsent = 0

    def _sweep(self, host: bytes) -> None:
        """Forget what a host has left over its budget; another worker goes on if this one cannot."""
        kept = 0
        try:
            while kept >= 0:
                kept = self._link.ask("sweep", host, kept)
        except RedisAwayError:
            pass

    def _key(self, name: str) -> bytes:
        return self._base + name.encode()


def _check_finite(link: QueuedLink) -> None:
    if not math.isfinite(link.evidence.score):
        raise ValueError(f"score of {link.url} must be finite, got {link.evidence.score!r}")
