"""From the outcome of a fetched link to the end of its lease."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from topiccrawl.backoff import exponential_delay
from topiccrawl.errors import ConfigurationError
from topiccrawl.frontier.contract import Frontier
from topiccrawl.language import _


@dataclass(frozen=True, slots=True)
class RetryDelays:
    """Growing delays: ``min(base · factor^(attempt-1), longest)`` seconds.

    The defaults are guesses: half a minute outlives a restarting server, factor 4 reaches half an
    hour at the fourth attempt, and no site is left alone for more than six hours.
    """

    base_seconds: float = 30.0
    factor: float = 4.0
    longest_seconds: float = 6 * 3600.0

    def __post_init__(self) -> None:
        if self.base_seconds < 0 or self.longest_seconds < 0:
            raise ConfigurationError(_("retry delays must be >= 0 seconds"))
        if self.factor < 1:
            raise ConfigurationError(
                _("the retry factor must be >= 1, got {factor!r}").format(factor=self.factor)
            )

    def after(self, attempt: int) -> float:
        """Return the delay after the failure of *attempt* (1, 2, …), in seconds.

        >>> [RetryDelays().after(attempt) for attempt in (1, 2, 3, 10)]
        [30.0, 120.0, 480.0, 21600.0]
        """
        return exponential_delay(
            attempt, base=self.base_seconds, factor=self.factor, cap=self.longest_seconds
        )


class Settlement(Enum):
    """Result of settling a lease."""

    DONE = "done"
    DELAYED = "delayed"
    """Failed; it will be tried again later."""
    GIVEN_UP = "given_up"
    """Failed for good: the failure is permanent, or it was the last attempt."""
    STALE = "stale"
    """Not leased any more (settled before, put back, or expired): nothing changed."""


class LeaseKeeper:
    """Settles leases with the frontier: done, later again, or given up."""

    def __init__(
        self,
        frontier: Frontier,
        clock: Callable[[], float],
        delays: RetryDelays | None = None,
        flush: Callable[[], None] = lambda: None,
        on_settled: Callable[[int], object] = lambda lease_id: None,
    ) -> None:
        """*clock* must be the one the frontier's scheduler uses (wall-clock seconds).

        *flush* pushes waiting links: if a page is marked done before its links are queued, a crash
        in between loses them.  *on_settled* receives the id of each lease that ends.
        """
        self._on_settled = on_settled
        self._frontier = frontier
        self._clock = clock
        self._delays = delays or RetryDelays()
        self._flush = flush

    def settle(
        self,
        lease_id: int,
        *,
        ok: bool = True,
        reason: str = "",
        retryable: bool = False,
        attempt: int = 1,
        retry_at: float | None = None,
    ) -> Settlement:
        """Record the outcome of one lease; call it after the outcome has been stored.

        A dropped item is an outcome too: ``ok`` with no retry.  *retryable* failures (time-outs,
        5xx, a database that is away) come back after a delay that grows with *attempt*
        (``request.meta["topic_attempt"]``), or at *retry_at*.
        """
        self._flush()
        self._on_settled(lease_id)
        if ok:
            return Settlement.DONE if self._frontier.ack([lease_id]) else Settlement.STALE
        again_at = None
        if retry_at is not None:
            again_at = retry_at
        elif retryable:
            again_at = self._clock() + self._delays.after(attempt)
        again = self._frontier.fail(lease_id, reason, again_at)
        if again is None:
            return Settlement.STALE
        return Settlement.DELAYED if again else Settlement.GIVEN_UP
