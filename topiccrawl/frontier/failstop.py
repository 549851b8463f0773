"""A frontier that stops the crawl when its backend fails, instead of raising from every call.

A crawl cannot wait until a full disk or a damaged file has been repaired.  After the first failure
the frontier hands out nothing and accepts nothing, so that the engine runs out of work and the crawl
ends.  What was written before the failure is there for the next run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import Frontier, FrontierSize, Journal, PushResult
from topiccrawl.language import _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topiccrawl.frontier.contract import Lease, QueuedLink
    from topiccrawl.scoring.evidence import LinkEvidence

P = ParamSpec("P")
T = TypeVar("T")

#: A frontier in which links wait, but none is handed out and nothing is expected to change that, counts
#: as damaged after this long.  A guess: long compared to any race between workers.
STUCK_SECONDS: Final = 60.0

Errors = type[Exception] | tuple[type[Exception], ...]


class FailStop:
    """Runs calls until one of them fails.

    A failure is one of *errors*, and any other exception but ``ValueError``, which means wrong
    arguments and is raised as it is: a damaged backend may raise anything, and a call that raises
    again and again would keep the crawl from ending.  The first failure is passed to *on_failure*;
    later calls are not executed.
    """

    def __init__(self, errors: Errors, on_failure: Callable[[Exception], None]) -> None:
        self.errors = errors
        self._on_failure = on_failure
        self._lost = False

    def call(
        self, fallback: T, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return what *function* returns, or *fallback* once a call has failed."""
        if self._lost:
            return fallback
        return self.attempt(fallback, function, *args, **kwargs)

    def attempt(
        self, fallback: T, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Like :meth:`call`, but also make the call after a failure."""
        try:
            return function(*args, **kwargs)
        except Exception as error:
            self._fail_or_raise(error)
            return fallback

    def iterate(
        self, function: Callable[P, Iterator[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Iterator[T]:
        """Return the iterator that *function* returns; it ends at a failure."""
        empty: Iterator[T] = iter(())
        return self._until_failure(self.call(empty, function, *args, **kwargs))

    def _until_failure(self, items: Iterator[T]) -> Iterator[T]:
        while not self._lost:
            try:
                item = next(items)
            except StopIteration:
                return
            except Exception as error:
                self._fail_or_raise(error)
                return
            yield item

    def fail(self, error: Exception) -> None:
        """Take *error* for the failure, if there was none before."""
        if not self._lost:
            self._lost = True
            self._on_failure(error)

    def _fail_or_raise(self, error: Exception) -> None:
        # Two kinds of ValueError have nothing to do with arguments: the backend is unusable, or holds
        # bytes that are not text.
        content = (ConfigurationError, UnicodeError)
        wrong_arguments = isinstance(error, ValueError) and not isinstance(error, content)
        if wrong_arguments and not isinstance(error, self.errors):
            raise error
        self.fail(error)


class FrontierStuckError(Exception):
    """Links wait, but none is handed out, and no call is expected to change that: counts are wrong."""


class FailStopFrontier(Frontier):
    """A :class:`~topiccrawl.frontier.contract.Frontier` that raises nothing but ``ValueError``.

    *errors* are failures even if they are ``ValueError``.  The first failure, of the frontier or of
    its journal, is passed to *on_failure*.  From then on the frontier is empty and refuses everything;
    only :meth:`close` still reaches the backend.
    """

    def __init__(
        self,
        frontier: Frontier,
        errors: Errors,
        on_failure: Callable[[Exception], None],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._monotonic = monotonic
        self._stuck_since: float | None = None
        self._frontier = frontier
        self._guard = FailStop(errors, on_failure)
        self._journal = FailStopJournal(frontier.journal, self._guard)
        self._final_size: FrontierSize | None = None

    def go_on_with(self, frontier: Frontier, errors: Errors) -> None:
        """Replace the frontier by *frontier*, which receives the links that wait in the former one.

        Nothing may have been popped from that one.
        """
        waiting = list(self.best(self.size().queued))
        self._frontier = frontier
        self._guard.errors = errors
        self._journal.go_on_with(frontier.journal)
        self.push(waiting)

    @property
    def shared(self) -> bool:
        return self._frontier.shared

    @property
    def journal(self) -> Journal:
        return self._journal

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract; every link is refused once the frontier is lost."""
        refused = [PushResult.REFUSED] * len(links)
        return self._guard.call(refused, self._frontier.push, links, again=again)

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract.

        A frontier that counts waiting links, and that hands out none although no host is busy,
        no link is leased and nothing is due later, is damaged.  Its crawl would wait for ever.
        """
        lease = self._guard.call(None, self._frontier.pop, busy, now)
        if lease is not None or busy or not self._waits_for_nothing(now):
            self._stuck_since = None
        elif self._stuck_since is None:
            self._stuck_since = self._monotonic()
        elif self._monotonic() - self._stuck_since > STUCK_SECONDS:
            self._guard.fail(
                FrontierStuckError(_("links wait in the queue, but none of them can be handed out"))
            )
        return lease

    def _waits_for_nothing(self, now: float) -> bool:
        size = self.size()
        waiting = size.queued + size.delayed > 0 and not size.leased
        return waiting and self.next_ready(now) is None

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        self._guard.call(None, self._frontier.transfer_finished, id, ready_at, delay)

    def hold_host(self, host: str, until: float) -> None:
        self._guard.call(None, self._frontier.hold_host, host, until)

    def extend_budget(self, host: str, links: int) -> None:
        self._guard.call(None, self._frontier.extend_budget, host, links)

    def ack(self, ids: Sequence[int]) -> int:
        return self._guard.call(0, self._frontier.ack, ids)

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        return self._guard.call(None, self._frontier.fail, id, reason, retry_at)

    def put_back(self, link: QueuedLink) -> bool:
        return self._guard.call(False, self._frontier.put_back, link)

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        return self._guard.call(0, self._frontier.rescore, ids, scores)

    def forget(self, ids: Sequence[int]) -> int:
        return self._guard.call(0, self._frontier.forget, ids)

    def mark_ended(self, links: Sequence[QueuedLink], *, given_up: bool = False) -> int:
        return self._guard.call(0, self._frontier.mark_ended, links, given_up=given_up)

    def heartbeat(self, now: float) -> None:
        self._guard.call(None, self._frontier.heartbeat, now)

    def reap(self, now: float) -> int:
        return self._guard.call(0, self._frontier.reap, now)

    def others(self, now: float) -> int:
        return self._guard.call(0, self._frontier.others, now)

    def try_lead(self, now: float) -> bool:
        return self._guard.call(False, self._frontier.try_lead, now)

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; ends early when the frontier fails in between."""
        return self._guard.iterate(self._frontier.queued, piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract; ends early when the frontier fails in between."""
        return self._guard.iterate(self._frontier.best, n)

    def evidence(self, id: int) -> LinkEvidence | None:
        return self._guard.call(None, self._frontier.evidence, id)

    def reason(self, id: int) -> str | None:
        return self._guard.call(None, self._frontier.reason, id)

    def next_ready(self, now: float) -> float | None:
        return self._guard.call(None, self._frontier.next_ready, now)

    def known(self, ids: Sequence[int]) -> list[bool]:
        return self._guard.call([False] * len(ids), self._frontier.known, ids)

    def size(self) -> FrontierSize:
        """See the contract; after :meth:`close`, the counts at that time."""
        if self._final_size is not None:
            return self._final_size
        return self._guard.call(FrontierSize(0, 0, 0, 0, 0, 0), self._frontier.size)

    def close(self) -> None:
        """See the contract; a second call does nothing.

        The backend is closed even after a failure, so that its file and locks are released.
        """
        if self._final_size is None:
            self._final_size = self.size()
            self._guard.attempt(None, self._frontier.close)


class FailStopJournal(Journal):
    """The journal of a :class:`FailStopFrontier`; the two are lost together."""

    def __init__(self, journal: Journal, guard: FailStop) -> None:
        self._journal = journal
        self._guard = guard

    def go_on_with(self, journal: Journal) -> None:
        """Replace the journal by *journal*."""
        self._journal = journal

    def append(self, entries: Sequence[bytes]) -> None:
        self._guard.call(None, self._journal.append, entries)

    def read_new(self, limit: int = 500, *, before_own: bool = False) -> list[bytes]:
        return self._guard.call([], self._journal.read_new, limit, before_own=before_own)
