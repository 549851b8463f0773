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

    def as_dict(self) -> dict[str, Any]:
        """Return the evidence as JSON-compatible data, as ``meta["topic_evidence"]`` carries it."""
        return {
            "score": self.score,
            "parts": dict(self.parts),
            "parent": self.parent,
            "anchor": self.anchor,
            "depth": self.depth,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Evidence:
        """Rebuild what :meth:`as_dict` returned; absent keys take their defaults, score 0."""
        parent = data.get("parent")
        return cls(
            score=float(data.get("score", 0.0)),
            parts={str(name): float(value) for name, value in data.get("parts", {}).items()},
            parent=None if parent is None else str(parent),
            anchor=str(data.get("anchor", "")),
            depth=int(data.get("depth", 0)),
        )


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
        """The link's identity, :func:`link_id` of its URL."""
        return link_id(self.url)


@dataclass(frozen=True, slots=True)
class Lease:
    """A link handed out to one worker; it comes back unless acknowledged before *expires_at*."""

    id: int
    """The link's id."""
    link: QueuedLink
    attempt: int
    """1 for the first try; grows with failures and expired leases, not with :meth:`Frontier.requeue`."""
    expires_at: float
    """Seconds on the frontier's clock."""


class PushResult(Enum):
    """What became of an offered link."""

    NEW = "new"
    """Queued for the first time."""
    MERGED = "merged"
    """Already queued: evidence merged, score raised if the new one is higher."""
    SEEN = "seen"
    """Leased, done or given up: nothing to fetch again."""
    REFUSED = "refused"
    """Over the frontier's size limit and not better than the worst in it, or the host's budget is
    used up; nothing about the link is kept."""


@dataclass(frozen=True, slots=True)
class FrontierSize:
    """Counts of links by state."""

    queued: int
    """Links that can be popped once their host is ready."""
    delayed: int
    """Failed links waiting for their retry time."""
    leased: int
    done: int
    given_up: int
    hosts: int
    """Hosts with at least one queued link."""
    forgotten: int = 0
    """Links pushed out by the size limit or by their host's budget, so far; none of the above."""


class Frontier(Protocol):
    """One frontier holds one topic of one run.

    Not thread-safe; methods do not block on network waits.

    Invariants, checked by the contract suite:

    * every link that was accepted is in exactly one state: queued, delayed, leased, done, given up,
      or forgotten (pushed out by a limit and counted);
    * ``pop`` returns the highest score among hosts not in *busy*; equal scores leave in the order in
      which they were first pushed;
    * a link is never in two unexpired leases;
    * the sequence of pops is a function of the sequence of calls and the clock alone.

    Limits are given to the backend's constructor (:class:`topiccrawl.frontier.options.FrontierLimits`):
    queued and delayed links together stay within ``max_links`` (the worst is forgotten, the later
    pushed one among equals; links that come back from a lease may exceed it for a while), and once
    ``host_budget`` different links of a host have been handed out, the rest of the host is forgotten.
    """

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """Offer links, in bulk; one result per link.

        Merging keeps the evidence with the higher score (the older one among equals) and the
        smaller depth of the two; the request stays the first one's.

        With *again*, links that are done or given up are queued afresh (``NEW``: a new place among
        equals, attempts from 1), and a queued link takes over the request that is offered.  Leased
        links stay ``SEEN``.

        Raises ``ValueError`` for a score that is not finite; nothing is pushed then.
        """

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """Hand out the best link among hosts that are not in *busy*, or ``None``.

        *busy* names the hosts that may not be contacted now.  (The complement of the ready hosts:
        busy ones are bounded by the number of connections, ready ones are not.)  Delayed links whose
        retry time has come take part.
        """

    def ack(self, ids: Sequence[int]) -> int:
        """The outcomes of these leased links are recorded: they are done for good.

        Idempotent; ids that are not leased are skipped.  Returns how many were leased.
        """

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """A leased link failed: try again at *retry_at*, or give it up with its reason (``None``).

        A link that had its last attempt is given up in any case.  Returns whether it will be tried
        again.  An id that is not leased is skipped (``None``).  Raises ``ValueError`` for a retry
        time that is not finite.
        """

    def requeue(self, link: QueuedLink) -> bool:
        """Put a leased link back at once, with a new request and evidence.

        For retries that are not failures of the link yet (Scrapy's RetryMiddleware, a redirect to the
        same canonical URL).  The link keeps its place among equals and its attempt number.  Returns
        ``False``, changing nothing, when it is not leased.  Raises ``ValueError`` for a score that is
        not finite.
        """

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """Set the scores of queued and delayed links in place; ids in other states are skipped.

        Returns how many changed.  When an id occurs twice the last score counts.  Raises
        ``ValueError`` for shapes that differ or scores that are not finite.
        """

    def reap(self, now: float) -> int:
        """End the leases with ``expires_at <= now``; return how many.

        Their links return to the queue with their scores; those that had their last attempt are
        given up (a page that kills its worker must not come back for ever).
        """

    def queued_ids(self, piece: int = 5_000) -> Iterator[NDArray[np.int64]]:
        """Ids of all queued and delayed links, in arrays of at most *piece*, none empty.

        Cooperative: each piece is little work, and the frontier may change between two of them.
        Links that were queued at the call and still are when their piece is made are in it; the
        order is the same for the same calls.
        """

    def best(self, n: int) -> Iterator[QueuedLink]:
        """The *n* best queued links, best first, hosts' readiness ignored; evidence as merged."""

    def evidence(self, id: int) -> Evidence | None:
        """The merged evidence of a link in any state, with its present score; ``None`` if unknown."""

    def reason(self, id: int) -> str | None:
        """Why a link last failed or was given up; ``None`` when it never failed or is unknown."""

    def next_ready(self) -> float | None:
        """Earliest retry time among delayed links, ``None`` when there are none."""

    def known(self, ids: Sequence[int]) -> list[bool]:
        """For each id whether it was ever accepted and not forgotten."""

    def size(self) -> FrontierSize:
        """Counts by state."""

    def close(self) -> None:
        """Release what is held; a persistent backend keeps everything."""
