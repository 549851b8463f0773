"""Pauses of hosts that refuse requests or do not answer.

* 429 or 503 with Retry-After: the pause that the server asks for, at most *longest* seconds.
* 429 or 503 without: ``max(delay, base)·2^(n-1)`` for the n-th refusal in a row, at most *longest*.
* No answer at all (no connection, no name, time-out): no pause for the first two in a row, which may be
  due to the pages; ``max(delay, base)·2^min(n-3, 5)`` from the third on, five minutes by default.  A
  dead host then takes a connection every few minutes instead of all the time.

Any answer ends a series of failures; an answer below 500 other than 429 also ends a series of refusals.
Other server errors (500, 502, 504) concern a single page: they neither count nor end a series.
"""

from __future__ import annotations

from datetime import UTC
from email.utils import parsedate_to_datetime

from topiccrawl.backoff import exponential_delay
from topiccrawl.bounded import BoundedDict

#: First pause of a host that refuses without asking for one (a guess).
FIRST_PAUSE_SECONDS = 10.0
#: Longest pause that a host is given (a guess).
LONGEST_PAUSE_SECONDS = 3600.0
#: Statuses of a server that refuses requests for now (RFC 6585 section 4, RFC 9110 section 15.6.4).
REFUSALS = frozenset({429, 503})
#: Failures in a row before a host gets pauses: the tries of RetryMiddleware for one page by default.
FAILURES_IN_A_ROW = 3
#: Most doublings of the pause after failures.  A guess: 10 s double to 320 s.  A server that was
#: restarted is noticed soon, a dead host takes a sixth of a connection (DOWNLOAD_TIMEOUT 60 s), and the
#: crawl still gets through the host's pages eventually.
FAILURE_DOUBLINGS = 5
#: Failures in a row after which a host counts as gone.  A guess: with the pauses above that is after
#: 20 minutes, which outlives a restart, and a dead host's links do not keep a crawl open for days.
GONE_AFTER = 10
#: Hosts with failures or refusals that are remembered; beyond it, the one whose last trouble is oldest
#: is forgotten.  A guess.
HOSTS_REMEMBERED = 100_000


def parse_retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, ``None`` if it cannot be read.

    RFC 9110 section 10.2.3: a number of seconds, or an HTTP date, which is compared with *now*
    (seconds since the epoch); a date in the past asks for 0 seconds.
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        # Too many digits make an infinite float.
        return float(text)
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - now)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


class HostBackoff:
    """Counts refusals and failures in a row for each host."""

    def __init__(
        self, base: float = FIRST_PAUSE_SECONDS, longest: float = LONGEST_PAUSE_SECONDS
    ) -> None:
        """*base* and *longest* are the first and the longest pause in seconds."""
        self._base = base
        self._longest = longest
        self._refusals: BoundedDict[str, int] = BoundedDict(HOSTS_REMEMBERED)
        self._failures: BoundedDict[str, int] = BoundedDict(HOSTS_REMEMBERED)

    def answered(
        self, host: str, status: int, retry_after: float | None, delay: float
    ) -> float | None:
        """Return the pause in seconds after this answer of *host*, ``None`` for no pause.

        *retry_after* is what :func:`parse_retry_after` read, *delay* the host's delay in seconds.
        """
        self._failures.pop(host, None)
        if status not in REFUSALS:
            if status < 500:
                self._refusals.pop(host, None)
            return None
        times = self._refusals[host] = self._refusals.get(host, 0) + 1
        if retry_after is not None:
            return min(retry_after, self._longest)
        return self._growing(times, delay)

    def failed(self, host: str, delay: float) -> float | None:
        """Return the pause in seconds after a request that got no answer, ``None`` for no pause."""
        in_a_row = self._failures[host] = self._failures.get(host, 0) + 1
        times = in_a_row - FAILURES_IN_A_ROW + 1
        if times < 1:
            return None
        return self._growing(min(times, FAILURE_DOUBLINGS + 1), delay)

    def is_down(self, host: str) -> bool:
        """Return whether so many requests to *host* in a row got no answer that it has pauses."""
        return self._failures.get(host, 0) >= FAILURES_IN_A_ROW

    def is_gone(self, host: str) -> bool:
        """Return whether *host* has not answered for so long that its links may be given up."""
        return self._failures.get(host, 0) >= GONE_AFTER

    def _growing(self, times: int, delay: float) -> float:
        return exponential_delay(times, base=max(delay, self._base), cap=self._longest)
