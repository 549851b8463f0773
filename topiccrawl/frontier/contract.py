"""The frontier's contract: what to fetch next, and who is working on it.

Conflicting goals, stated: the *best* link should go first, but only hosts that may be contacted now
count, so the order is best-first among ready hosts.  A link in the queue is not final: more evidence
for it arrives, and its score changes in place.  A popped link is not done: it belongs to its worker
under a lease until its outcome is recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


def link_id(url: str) -> int:
    """Return the identity of a canonical URL: 64 bits of BLAKE2b as a signed integer.

    Signed, because SQLite and numpy int64 are.  Among 10^7 URLs the chance of any collision is
    about 3e-6.
    """
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a link deserves its place: the best in-link seen so far, part by part."""

    score: float
    """The link's score as this in-link sees it, the higher the earlier; finite."""
    parts: Mapping[str, float] = field(default_factory=dict)
    parent: str | None = None
    anchor: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class QueuedLink:
    """One link offered to the frontier."""

    url: str
    """Canonical URL: equal strings are the same link."""
    host: str
    """Politeness key: links with the same key share delay and concurrency."""
    evidence: Evidence
    request: Mapping[str, Any] = field(default_factory=dict)
    """What is needed to rebuild the request beyond its URL; JSON-compatible."""

    @property
    def id(self) -> int:
        return link_id(self.url)


@dataclass(frozen=True, slots=True)
class Lease:
    """A link handed out to one worker; it comes back unless acknowledged before *expires_at*."""

    id: int
    """The link's id."""
    link: QueuedLink
    attempt: int
    """1 for the first try."""
    expires_at: float
    """Seconds on the frontier's clock."""


class PushResult(Enum):
    NEW = "new"
    """Queued for the first time."""
    MERGED = "merged"
    """Already queued: evidence merged, score raised if the new one is higher."""
    SEEN = "seen"
    """Leased, done or given up: nothing to fetch again."""
    REFUSED = "refused"
    """Over the frontier's size limit and worse than everything in it, or over the host's budget."""


@dataclass(frozen=True, slots=True)
class FrontierSize:
    queued: int
    """Links that can be popped once their host is ready."""
    delayed: int
    """Failed links waiting for their retry time."""
    leased: int
    done: int
    given_up: int
    hosts: int
    """Hosts with at least one queued link."""


class Frontier(Protocol):
    """One frontier holds one topic of one run.  Not thread-safe; methods do not block on network waits.

    Invariants, checked by the contract suite:

    * every pushed link is in exactly one state: queued, delayed, leased, done, given up, or forgotten
      (pushed out by the size limit and counted);
    * ``pop`` returns the highest score among hosts not in *busy*; equal scores leave in the order in
      which they were first pushed;
    * a link is never in two unexpired leases;
    * the sequence of pops is a function of the sequence of calls and the clock alone.
    """

    def push(self, links: Sequence[QueuedLink]) -> list[PushResult]:
        """Offer links, in bulk; one result per link.

        Merging keeps the evidence with the higher score, and the smaller depth of the two.
        Raises ``ValueError`` for a score that is not finite.
        """

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """Hand out the best link among hosts that are not in *busy*, or ``None``.

        *busy* names the hosts that may not be contacted now.  (The complement of the ready hosts:
        busy ones are bounded by the number of connections, ready ones are not.)
        """

    def ack(self, ids: Sequence[int]) -> None:
        """The outcomes of these leased links are recorded: they are done for good.  Idempotent."""

    def fail(self, id: int, reason: str, retry_at: float | None) -> None:
        """A leased link failed: try again at *retry_at*, or give it up with its reason (``None``)."""

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """Set the scores of queued and delayed links in place; ids in other states are skipped.

        Returns how many changed.  Raises ``ValueError`` for shapes that differ or scores that are not finite.
        """

    def reap(self, now: float) -> int:
        """Return expired leases to the queue with their scores; how many."""

    def queued_ids(self) -> NDArray[np.int64]:
        """Ids of all queued and delayed links, sorted ascending."""

    def best(self, n: int) -> Iterator[QueuedLink]:
        """The *n* best queued links, best first, hosts' readiness ignored; evidence as merged."""

    def evidence(self, id: int) -> Evidence | None:
        """The merged evidence of a link in any state, ``None`` when unknown."""

    def next_ready(self) -> float | None:
        """Earliest retry time among delayed links, ``None`` when there are none."""

    def known(self, ids: Sequence[int]) -> list[bool]:
        """For each id whether it was ever pushed and not forgotten."""

    def size(self) -> FrontierSize:
        """Counts by state."""

    def close(self) -> None:
        """Release what is held; a persistent backend keeps everything."""
