"""A frontier that stops the crawl when its backend fails, instead of raising from every call.

A crawl cannot wait until a full disk or a damaged file has been repaired.  After the first failure
the frontier hands out nothing and accepts nothing, so that the engine runs out of work and the crawl
ends.  What was written before the failure is there for the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from topiccrawl.frontier.contract import FrontierSize, PushResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from topiccrawl.frontier.contract import Frontier, Journal, Lease, QueuedLink
    from topiccrawl.scoring.evidence import LinkEvidence

P = ParamSpec("P")
T = TypeVar("T")

Errors = type[Exception] | tuple[type[Exception], ...]


class FailStop:
    """Runs calls until one of them raises one of *errors*.

    That failure is passed to *on_failure*, once; later calls are not executed.  Other exceptions, such
    as ``ValueError`` for wrong arguments, are raised as they are.
    """

    def __init__(self, errors: Errors, on_failure: Callable[[Exception], None]) -> None:
        self._errors = errors
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
        except self._errors as error:
            self._fail(error)
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
            except self._errors as error:
                self._fail(error)
                return
            yield item

    def _fail(self, error: Exception) -> None:
        if not self._lost:
            self._lost = True
            self._on_failure(error)


class FailStopFrontier:
    """A :class:`~topiccrawl.frontier.contract.Frontier` that never raises one of *errors*.

    The first failure, of the frontier or of its journal, is passed to *on_failure*.  From then on
    the frontier is empty and refuses everything; only :meth:`close` still reaches the backend.
    """

    def __init__(
        self, frontier: Frontier, errors: Errors, on_failure: Callable[[Exception], None]
    ) -> None:
        self._frontier = frontier
        self._guard = FailStop(errors, on_failure)
        self._journal = FailStopJournal(frontier.journal, self._guard)
        self._final_size: FrontierSize | None = None

    @property
    def shared(self) -> bool:
        """See the contract."""
        return self._frontier.shared

    @property
    def journal(self) -> Journal:
        """See the contract."""
        return self._journal

    def push(self, links: Sequence[QueuedLink], *, again: bool = False) -> list[PushResult]:
        """See the contract; every link is refused once the frontier is lost."""
        refused = [PushResult.REFUSED] * len(links)
        return self._guard.call(refused, self._frontier.push, links, again=again)

    def pop(self, busy: Collection[str], now: float) -> Lease | None:
        """See the contract."""
        return self._guard.call(None, self._frontier.pop, busy, now)

    def transfer_finished(self, id: int, ready_at: float, delay: float | None = None) -> None:
        """See the contract."""
        self._guard.call(None, self._frontier.transfer_finished, id, ready_at, delay)

    def hold_host(self, host: str, until: float) -> None:
        """See the contract."""
        self._guard.call(None, self._frontier.hold_host, host, until)

    def extend_budget(self, host: str, links: int) -> None:
        """See the contract."""
        self._guard.call(None, self._frontier.extend_budget, host, links)

    def ack(self, ids: Sequence[int]) -> int:
        """See the contract."""
        return self._guard.call(0, self._frontier.ack, ids)

    def fail(self, id: int, reason: str, retry_at: float | None) -> bool | None:
        """See the contract."""
        return self._guard.call(None, self._frontier.fail, id, reason, retry_at)

    def put_back(self, link: QueuedLink) -> bool:
        """See the contract."""
        return self._guard.call(False, self._frontier.put_back, link)

    def rescore(self, ids: NDArray[np.int64], scores: NDArray[np.float64]) -> int:
        """See the contract."""
        return self._guard.call(0, self._frontier.rescore, ids, scores)

    def forget(self, ids: Sequence[int]) -> int:
        """See the contract."""
        return self._guard.call(0, self._frontier.forget, ids)

    def heartbeat(self, now: float) -> None:
        """See the contract."""
        self._guard.call(None, self._frontier.heartbeat, now)

    def reap(self, now: float) -> int:
        """See the contract."""
        return self._guard.call(0, self._frontier.reap, now)

    def try_lead(self, now: float) -> bool:
        """See the contract."""
        return self._guard.call(False, self._frontier.try_lead, now)

    def queued(self, piece: int = 5_000) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """See the contract; ends early when the frontier fails in between."""
        return self._guard.iterate(self._frontier.queued, piece)

    def best(self, n: int) -> Iterator[QueuedLink]:
        """See the contract; ends early when the frontier fails in between."""
        return self._guard.iterate(self._frontier.best, n)

    def evidence(self, id: int) -> LinkEvidence | None:
        """See the contract."""
        return self._guard.call(None, self._frontier.evidence, id)

    def reason(self, id: int) -> str | None:
        """See the contract."""
        return self._guard.call(None, self._frontier.reason, id)

    def next_ready(self, now: float) -> float | None:
        """See the contract."""
        return self._guard.call(None, self._frontier.next_ready, now)

    def known(self, ids: Sequence[int]) -> list[bool]:
        """See the contract."""
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


class FailStopJournal:
    """The journal of a :class:`FailStopFrontier`; the two are lost together."""

    def __init__(self, journal: Journal, guard: FailStop) -> None:
        self._journal = journal
        self._guard = guard

    def append(self, entries: Sequence[bytes]) -> None:
        """See the contract."""
        self._guard.call(None, self._journal.append, entries)

    def read_new(self, limit: int = 500) -> list[bytes]:
        """See the contract."""
        return self._guard.call([], self._journal.read_new, limit)
