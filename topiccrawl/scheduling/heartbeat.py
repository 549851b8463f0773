"""A repeated call: this worker reports that it is alive, and returns the leases of dead ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.scheduling.alarm import Cancellable

#: Heartbeats within the time after which a silent worker counts as dead.  A guess: two may be late.
BEATS_PER_DEADLINE = 4


class Heartbeat:
    """Calls *beat* at once and then every *seconds*, until :meth:`stop`."""

    def __init__(
        self,
        beat: Callable[[], None],
        call_later: Callable[[float, Callable[[], None]], Cancellable],
        seconds: float,
    ) -> None:
        self._beat = beat
        self._call_later = call_later
        self._seconds = seconds
        self._call: Cancellable | None = None

    def start(self) -> None:
        """Call *beat* now and schedule the next call."""
        self._call = self._call_later(self._seconds, self.start)
        self._beat()

    def stop(self) -> None:
        """Cancel the next call."""
        if self._call is not None:
            self._call.cancel()
            self._call = None
