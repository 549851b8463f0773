"""The frontier's contract: what to fetch next, and who is working on it.

Conflicting goals, stated: the *best* link should go first, but only hosts that may be contacted now
count, so the order is best-first among ready hosts.  A link in the queue is not final: more evidence
for it arrives, and its score changes in place.  A popped link is not done: it belongs to its worker
under a lease until its outcome is recorded.

Several workers may share one frontier (processes on one file, machines on one server).  What must
hold for all of them together stands here and not in the crawler: leases of dead workers, the number
of transfers from a host at a time, and the moment from which a host may be contacted again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

#: A guess: long enough that a worker which a page has killed is up again and has done others.
RETURN_DELAY_SECONDS = 10.0


def return_delay(id: int, returns: int) -> float:
    """Seconds for which a link waits that has come back from a lease for the *returns*-th time.

    0 for the first time, then ``10·2^(returns-2)`` times a factor in [1, 2) that is drawn from the
    id: links that died together must not be tried together for ever.
    """
    if returns < 2:
        return 0.0
    spread = 1.0 + (id % 65_536) / 65_536
    return float(RETURN_DELAY_SECONDS * 2 ** (returns - 2) * spread)


@dataclass(frozen=True, slots=True)
class QueuedLink:
    """One link offered to the frontier."""

    url: str
    """Canonical URL: equal strings are the same link."""
    host: str
    """Politeness key: links with the same key share delay and concurrency."""
    evidence: LinkEvidence
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
    """1 for the first try; grows with failures, not with returns (:meth:`Frontier.reap`) nor with
    :meth:`Frontier.requeue`."""
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
    elsewhere: int = 0
    """Those of *leased* that other workers hold; 0 in a frontier that is not shared."""


class Frontier(Protocol):
    """One frontier holds one topic of one run.

    Not thread-safe.  A backend whose server can be away for a while never raises for it: what must
    be written is kept and written in the same order when the server is back, and nothing is handed
    out until then.

    Invariants, checked by the contract suite:

    * every link that was accepted is in exactly one state: queued, delayed, leased, done, given up,
      or forgotten (pushed out by a limit and counted);
    * ``pop`` returns the highest score among hosts that are open (below) and not in *busy*; equal
      scores leave in the order in which they were first pushed;
    * a link is never in two unexpired leases;
    * the sequence of pops is a function of the sequence of calls and the clock alone.

    **Hosts.**  A *transfer* of a host begins when one of its links is popped and ends with ``landed``,
    or at the latest with the lease.  A host is open at *now* when it has fewer transfers than its
    concurrency and ``ready_at <= now``.  ``pop`` moves ``ready_at`` of the link's host to
    ``now + delay`` unless it is later already; ``landed`` and ``hold_host`` move it on, never back.
    The delay of a host is what ``landed`` last told, before that ``limits.host_delay``.

    **Workers.**  Each frontier object is one worker.  A worker that has not called ``beat`` for
    ``limits.worker_seconds`` is dead (a backend may know it sooner), and ``reap`` of any other
    worker returns its leases.

    Limits are given to the backend's constructor (:class:`topiccrawl.frontier.options.FrontierLimits`):
    queued and delayed links together stay within ``max_links`` (the worst is forgotten, the later
    pushed one among equals; links that come back from a lease may exceed it for a while), and once
    as many different links of a host have been handed out as its budget allows (``host_budget`` and
    what ``allow`` added), the rest of the host is forgotten.
    """

    @property
    def shared(self) -> bool:
        """Whether other workers may push and pop at any time."""

    @property
    def journal(self) -> Journal:
        """What the workers of this frontier tell each other, kept as long as the frontier."""

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
        """Hand out the best link among the hosts that are open and not in *busy*, or ``None``.

        *busy* names the hosts that this worker cannot contact now.  (The complement of the ready
        hosts: busy ones are bounded by the number of connections, ready ones are not.)  Delayed
        links whose retry time has come take part.
        """

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """The transfer of a leased link is over; its host may be contacted again from *ready_at* on.

        *delay* in seconds becomes the host's; ``None`` leaves it.  The lease goes on: the page is
        still being worked on.  Ids that are not leased, or have landed, are skipped.
        """

    def hold_host(self, host: str, until: float) -> None:
        """Hand out nothing of *host* before *until* (Retry-After, a time window)."""

    def extend_budget(self, host: str, links: int) -> None:
        """Add *links* to the budget of *host*: it has earned more.  Without a budget, nothing."""

    def ack(self, ids: Sequence[int]) -> int:
        """The outcomes of these leased links are recorded: they are done for good.

        A link that was returned meanwhile (:meth:`reap`) and waits in the queue is done, too: what
        matters is that its outcome is recorded.  Idempotent; other ids are skipped.  Returns how many
        became done.
        """

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """A leased link failed: try again at *retry_at*, or give it up with its reason (``None``).

        A link that had its last attempt is given up in any case.  Returns whether it will be tried
        again.  An id that this worker has not leased is skipped (``None``).  Raises ``ValueError``
        for a retry time that is not finite.
        """

    def put_back(self, link: QueuedLink) -> bool:
        """Put a leased link back at once, with a new request and evidence.

        For retries that are not failures of the link yet (Scrapy's RetryMiddleware, a redirect to the
        same canonical URL).  The link keeps its place among equals and its attempt number.  Returns
        ``False``, changing nothing, when this worker has not leased it.  Raises ``ValueError`` for a
        score that is not finite.
        """

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """Set the scores of queued and delayed links in place; ids in other states are skipped.

        Returns how many changed.  When an id occurs twice the last score counts.  Raises
        ``ValueError`` for shapes that differ or scores that are not finite.
        """

    def heartbeat(self, now: float) -> None:
        """This worker is alive; to be called several times in ``limits.worker_seconds``."""

    def reap(self, now: float) -> int:
        """Return the links of leases with ``expires_at <= now`` and of dead workers; how many.

        They come back with their scores: at once for the first time, and from the second time on
        after :func:`return_delay`, so that a page that kills its worker is not the first that the next
        one meets, over and over.  A link that has come back more than ``limits.max_returns`` times is
        given up.
        """

    def try_lead(self, now: float) -> bool:
        """Whether this worker is the one that ranks for all.

        At most one worker is; it stays until it has not asked for ``limits.worker_seconds`` or is
        closed, then the next that asks follows.  Always true where the frontier is not shared.
        """

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Ids and present scores of all queued and delayed links, at most *piece* at a time.

        Cooperative: each piece is little work, none is empty, and the frontier may change between two
        of them.  Links that were queued at the call and still are when their piece is made are in it,
        once; the order is the same for the same calls.
        """

    def best(self, n: int) -> Iterator[QueuedLink]:
        """The *n* best queued links, best first, hosts' readiness ignored; evidence as merged."""

    def evidence(self, id: int) -> LinkEvidence | None:
        """The merged evidence of a link, with its present score; ``None`` if unknown.

        A backend may drop the evidence of links that are done or given up.
        """

    def reason(self, id: int) -> str | None:
        """Why a link last failed or was given up; ``None`` when it never failed or is unknown."""

    def next_ready(self, now: float) -> float | None:
        """The earliest moment after *now* at which time alone opens something, ``None`` if nothing.

        That is the retry time of a delayed link, or ``ready_at`` of a host with queued links.
        """

    def known(self, ids: Sequence[int]) -> list[bool]:
        """For each id whether it was ever accepted and not forgotten.

        A backend that keeps old ids in a Bloom filter says ``True`` for an unknown one at the rate it
        states; never ``False`` for a known one.
        """

    def size(self) -> FrontierSize:
        """Counts by state."""

    def close(self) -> None:
        """Release what is held; a persistent backend keeps everything.

        Links that this worker still holds are returned at once and without a mark against them.
        """


class Journal(Protocol):
    """An append-only record of what every worker must learn: pages with their links, stored titles.

    One total order for all workers.  A worker that joins late, and one that starts again on a
    frontier it left, reads everything from the beginning.
    """

    def append(self, entries: Sequence[bytes]) -> None:
        """Add entries of this worker, durable as the frontier is."""

    def read_new(self, limit: int = 500) -> list[bytes]:
        """The next entries that this object has not returned and did not append, oldest first.

        At most *limit*; an empty list when there are none at the moment.
        """
