"""The frontier's contract: what to fetch next, and which worker is working on it.

The goals conflict: the best link should go first, but only hosts that may be contacted now count.  The
order is therefore best-first among ready hosts.  A link in the queue is not final: more evidence for
it arrives, and its score changes in place.  A popped link is not done: it belongs to its worker under a
lease until its outcome is recorded.

Several workers may share one frontier (processes on one file, machines on one server).  What must hold
for all of them together is kept here and not in the crawler: leases of dead workers, the number of
transfers from a host at a time, and the moment from which a host may be contacted again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from topiccrawl.backoff import exponential_delay
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.identity import link_id

#: First delay of a link that has come back from leases twice.  A guess: long enough that a worker that
#: was killed by a page is up again and has fetched other pages.
RETURN_DELAY_SECONDS = 10.0


def return_delay(id: int, returns: int) -> float:
    """Return the seconds for which a link waits after it came back from a lease.

    0 after the first of its *returns*, then ``10·2^(returns-2)`` times a factor in [1, 2) that is
    derived from the id, so that links that died together are not tried together again and again.
    """
    if returns < 2:
        return 0.0
    spread = 1.0 + (id % 65_536) / 65_536
    return exponential_delay(returns - 1, base=RETURN_DELAY_SECONDS) * spread


@dataclass(frozen=True, slots=True)
class QueuedLink:
    """A link offered to the frontier."""

    url: str
    """Canonical URL; equal strings are the same link."""
    host: str
    """Politeness key; links with the same key share delay and concurrency."""
    evidence: LinkEvidence
    request: Mapping[str, Any] = field(default_factory=dict)
    """What is needed beside the URL to rebuild the request; JSON-compatible."""

    @property
    def id(self) -> int:
        """Identity of the link, :func:`link_id` of its URL."""
        return link_id(self.url)


@dataclass(frozen=True, slots=True)
class Lease:
    """A link handed out to one worker; it returns unless acknowledged before *expires_at*."""

    id: int
    """The link's id."""
    link: QueuedLink
    attempt: int
    """1 for the first try; grows with failures, not with returns (:meth:`Frontier.reap`) nor with
    :meth:`Frontier.put_back`."""
    expires_at: float
    """Seconds on the frontier's clock."""


class PushResult(Enum):
    """The result of offering a link."""

    NEW = "new"
    """Queued for the first time."""
    MERGED = "merged"
    """Queued already: the evidence is merged, the score raised if the new one is higher."""
    SEEN = "seen"
    """Leased, done or given up: not fetched again."""
    REFUSED = "refused"
    """The frontier is full of better links, or the host's budget is used up; nothing is kept."""


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
    """Links dropped so far: size limit, host budget, :meth:`Frontier.forget`; in none of the above."""
    elsewhere: int = 0
    """Those of *leased* that other workers hold; 0 in a frontier that is not shared."""
    away: bool = False
    """Whether the server of the frontier does not answer: the counts are the last known ones."""
    losses: int = 0
    """How often the server has lost everything since this worker has joined: the seeds are needed again."""


class Frontier(Protocol):
    """The queue of one topic.

    Not thread-safe.  A backend whose server can be away for a while does not raise for it: writes are
    kept in memory and sent in the same order when the server is back, and nothing is handed out
    until then.

    Invariants, checked by the contract suite:

    * every link that was accepted is in exactly one state: queued, delayed, leased, done, given up,
      or forgotten (dropped because of a limit or by ``forget``, and counted);
    * ``pop`` returns the highest score among hosts that are open (below) and not in *busy*; equal
      scores leave in the order in which they were first pushed;
    * a link is never in two unexpired leases;
    * the sequence of pops is a function of the sequence of calls and the clock alone.

    **Hosts.**  A *transfer* of a host begins when one of its links is popped and ends with
    ``transfer_finished``, at the latest with the lease.  A host is open at *now* when it has fewer
    transfers than its concurrency and ``ready_at <= now``.  ``pop`` moves ``ready_at`` of the link's
    host to ``now + delay`` unless it is later already; ``transfer_finished`` and ``hold_host`` move it
    on, never back.  The delay of a host is the last one passed to ``transfer_finished``, before that
    ``limits.host_delay``.

    **Clock.**  When ``pop``, ``reap`` or ``heartbeat`` receives a time that lies more than
    :data:`~topiccrawl.frontier.clock.CLOCK_STEP_SECONDS` before an earlier one, the clock was set back:
    the moments of hosts, delayed links and leases go back by the same time.  ``reap`` cuts moments
    that lie more than :data:`~topiccrawl.frontier.clock.LONGEST_WAIT_SECONDS` ahead.

    **Workers.**  Each frontier object is one worker.  A worker that has not called ``heartbeat`` for
    ``limits.worker_seconds`` is dead (a backend may notice it sooner), and ``reap`` of any other
    worker returns its leases.  A worker whose own heartbeat came late by its own clock takes none for dead
    for as long: the others may have been stopped with it, asleep with the machine, or have waited for the
    same file or server.

    **Outcomes** (``ack``, ``fail``, ``put_back``, ``transfer_finished``) end the lease or the transfer of
    the worker that reports them and of no other: one that was taken for dead may report while another
    worker fetches the same link, and that request still counts for its host.  A worker has one lease of a
    link at a time; if it has requested the link twice, the first outcome is that of its present lease.

    **Limits** are passed to the backend's constructor
    (:class:`topiccrawl.frontier.options.FrontierLimits`).  Queued and delayed links together stay
    within ``max_links``: the worst is forgotten, the later pushed one among equals.  Links that come
    back from a lease may exceed it for a while.  Once as many different links of a host have been
    handed out as its budget allows (``host_budget`` plus ``extend_budget``), the rest of the host is
    forgotten.
    """

    @property
    def shared(self) -> bool:
        """Whether other workers may push and pop at any time."""

    @property
    def journal(self) -> Journal:
        """Entries that the workers of this frontier exchange; kept as long as the frontier."""

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """Offer links, and return one result for each.

        Merging keeps the evidence with the higher score (the older one among equals), the smaller
        depth of the two, and the first request.

        With *again*, links that are done or given up are queued as new ones (``NEW``: a new place
        among equals, attempts from 1), and a queued link takes the offered request.  Leased links
        are ``SEEN`` all the same.

        Raises ``ValueError`` for a score that is not finite; nothing is pushed then.
        """

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """Hand out the best link among the hosts that are open and not in *busy*, or ``None``.

        *busy* are the hosts that this worker cannot contact now; unlike the ready hosts, their number
        is bounded by the number of connections.  Delayed links whose retry time has come take part.
        """

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """End the transfer of a leased link; its host may be contacted again from *ready_at* on.

        *delay*, in seconds, becomes the host's; ``None`` leaves it unchanged.  The lease goes on, as
        the page is still being processed.  Ids that are not leased, or whose transfer is over, are
        skipped.
        """

    def hold_host(self, host: str, until: float) -> None:
        """Hand out nothing of *host* before *until* (Retry-After, a time window)."""

    def extend_budget(self, host: str, links: int) -> None:
        """Add *links* to the budget of *host*; without effect if there are no budgets."""

    def ack(self, ids: Sequence[int]) -> int:
        """Mark links that this worker has leased as done, because their outcomes are recorded.

        A link that was returned in the meantime (:meth:`reap`) and waits in the queue becomes done,
        too.  Returns how many became done.  Idempotent; other ids are skipped.
        """

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """Delay a leased link that failed until *retry_at*; with ``None`` give it up.

        A link that had its last attempt is given up in any case.  Returns whether it will be tried
        again, or ``None`` for an id that this worker has not leased, which is skipped.  Raises
        ``ValueError`` for a retry time that is not finite.
        """

    def put_back(self, link: QueuedLink) -> bool:
        """Put a leased link back at once, with a new request and evidence.

        For retries that do not count as failures yet (Scrapy's RetryMiddleware, a redirect to the same
        canonical URL).  The link keeps its place among equals and its attempt number.  Returns
        ``False``, changing nothing, when this worker has not leased it.  Raises ``ValueError`` for a
        score that is not finite.
        """

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """Set the scores of queued and delayed links in place, and return how many changed.

        Ids in other states are skipped.  If an id occurs twice, the last score counts.  Raises
        ``ValueError`` for shapes that differ or scores that are not finite.
        """

    def forget(self, ids: Sequence[int]) -> int:
        """Drop queued and delayed links as if they had never been offered; return how many.

        For links that the crawl does not want any longer; ids in other states are skipped.
        """

    def mark_ended(self, links: Sequence[QueuedLink], *, given_up: bool = False) -> int:
        """Record unknown links as done or, with *given_up*, given up, without handing them out.

        For a queue that is rebuilt from other records.  Known links are skipped; returns how many
        were not.
        """

    def heartbeat(self, now: float) -> None:
        """Report that this worker is alive; to be called several times in ``limits.worker_seconds``."""

    def reap(self, now: float) -> int:
        """Return leases of dead workers and those with ``expires_at <= now`` to the queue; count them.

        The links keep their scores.  They come back at once the first time, and after
        :func:`return_delay` from the second time on, so that a page that kills its worker is not the
        first page of every next worker.  A link that has come back more than ``limits.max_returns``
        times is given up.
        """

    def others(self, now: float) -> int:
        """Return how many other workers are alive, as far as this one can see."""

    def try_lead(self, now: float) -> bool:
        """Try to become or stay the worker that ranks for all; return whether it is this one.

        At most one worker leads.  Its term ends when it has not called this for
        ``limits.worker_seconds`` or is closed; then the next caller leads.  Always ``True`` if the
        frontier is not shared.
        """

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """Iterate over ids and present scores of queued and delayed links, at most *piece* at a time.

        Each piece is little work, none is empty, and the frontier may change between two of them.
        A link that waits at the call and still does when its piece is read occurs exactly once.  The
        order is a function of the calls.
        """

    def best(self, n: int) -> Iterator[QueuedLink]:
        """Iterate over the *n* best queued links, best first, whether or not their hosts are ready."""

    def evidence(self, id: int) -> LinkEvidence | None:
        """Return the merged evidence of a link, with its present score; ``None`` if it is unknown.

        A backend may drop the evidence of links that are done or given up.
        """

    def reason(self, id: int) -> str | None:
        """Return why a link last failed or was given up; ``None`` if it never failed or is unknown."""

    def next_ready(self, now: float) -> float | None:
        """Return the earliest moment after *now* at which a link may become available without any call.

        That is the retry time of a delayed link, or ``ready_at`` of a host with queued links; ``None``
        without either.
        """

    def known(self, ids: Sequence[int]) -> list[bool]:
        """Return for each id whether it was ever accepted and not forgotten.

        A backend that keeps old ids in a Bloom filter may return ``True`` for an unknown id, at the
        rate that it documents, but never ``False`` for a known one.  There, a link that had ended, was
        queued again and is forgotten counts as ended as before.
        """

    def size(self) -> FrontierSize:
        """Return the counts by state."""

    def close(self) -> None:
        """Release all resources; a persistent backend keeps its content.

        Links that this worker has leased return at once, and the return does not count against them.
        """


class Journal(Protocol):
    """An append-only log that distributes pages with their links, and stored titles, to all workers.

    Its order is the same for all workers.  A worker that joins late, or is started again on a
    frontier that it left, reads everything from the beginning.
    """

    def append(self, entries: Sequence[bytes]) -> None:
        """Append entries of this worker, as durable as the frontier."""

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        """Return the next entries of other workers that were not returned before, oldest first.

        At most *limit* entries; an empty list if there are none at the moment.  With *before_own*, only
        those that stand before the first entry of this worker's last :meth:`append`: what others have
        appended since this worker has read; an empty list while its place is unknown.
        """
