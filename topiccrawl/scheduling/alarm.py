"""Waking the engine when a host's delay ends.

The engine calls the scheduler when a request finishes or is scheduled, and otherwise at its heartbeat
every 5 seconds.  With nothing in flight and every host in its delay, a crawl with
``DOWNLOAD_DELAY = 1`` would run at the pace of that heartbeat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

#: Event-loop timers may fire a clock tick early, when the host is not ready yet.
_MARGIN_SECONDS = 0.001


class Cancellable(Protocol):
    """A scheduled call, as ``call_later`` returns it."""

    def cancel(self) -> None:
        """Cancel the call; harmless if it has already run."""


class Alarm:
    """At most one pending call, the earliest that was requested."""

    def __init__(
        self,
        wake: Callable[[], None],
        call_later: Callable[[float, Callable[[], None]], Cancellable],
        monotonic: Callable[[], float],
    ) -> None:
        self._wake = wake
        self._call_later = call_later
        self._monotonic = monotonic
        self._call: Cancellable | None = None
        self._due = 0.0

    def ring_in(self, seconds: float) -> None:
        """Wake the engine in *seconds* at the latest."""
        due = self._monotonic() + max(seconds, 0.0) + _MARGIN_SECONDS
        if self._call is not None:
            if self._due <= due:
                return
            self._call.cancel()
        self._due = due
        self._call = self._call_later(max(seconds, 0.0) + _MARGIN_SECONDS, self._ring)

    def cancel(self) -> None:
        """Cancel the pending call."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    def _ring(self) -> None:
        self._call = None
        self._wake()
