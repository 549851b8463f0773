"""Waking the engine when a host's delay ends.

The engine calls the scheduler when a request finishes or is scheduled, and otherwise at its heartbeat
every 5 seconds.  With nothing in flight and every host in its delay, a crawl with
``DOWNLOAD_DELAY = 1`` would run at the pace of that heartbeat.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

logger = logging.getLogger(__name__)

#: Event-loop timers may fire a clock tick early, when the host is not ready yet.
_MARGIN_SECONDS = 0.001


class Cancellable(Protocol):
    """A scheduled call, as ``call_later`` returns it."""

    def cancel(self) -> None:
        """Cancel the call; harmless if it was made already."""


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


def wake_engine(crawler: Any) -> None:
    """Make the engine ask its scheduler for requests in the next turn of the event loop.

    Scrapy has no public call for this.  ``engine._slot.nextcall.schedule()`` is what the engine itself
    calls at its heartbeat; it does nothing when a call is due already.  Should a Scrapy version name
    it differently, the heartbeat remains: the crawl is slower, not wrong.
    """
    try:
        slot = crawler.engine._slot
        if slot is not None:
            slot.nextcall.schedule()
    except AttributeError:
        logger.debug("The engine cannot be woken; waiting for its heartbeat", exc_info=True)
