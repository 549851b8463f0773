"""A call that repeats: this worker is alive, and looks after the leases of those that are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.scheduling.alarm import Cancellable

#: Beats in the time after which a silent worker counts as dead: two may be late and nothing happens.
BEATS_PER_DEADLINE = 4


class Heartbeat:
    """Calls *beat* at once and then every *seconds*, until it is stopped."""

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
        """Beat now and from now on."""
        self._call = self._call_later(self._seconds, self.start)
        self._beat()

    def stop(self) -> None:
        """Do not beat any more."""
        if self._call is not None:
            self._call.cancel()
            self._call = None
