"""The effective delay of a host, and the moment from which it may be contacted again.

    delay = max(delay of the crawler (AutoThrottle changes it), Crawl-delay of robots.txt, capped)
    ready_at = moment at which the server has certainly received the last request + delay

A server has received a request at the latest when the headers of its answer arrive.  Counting from that
moment, and not from sending, makes two requests arrive at least the delay apart, however long either
of them was under way.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from topiccrawl.bounded import BoundedDict

#: Upper limit of a Crawl-delay that counts (a guess).
CRAWL_DELAY_MAX_SECONDS = 60.0


#: Hosts whose raised delays are remembered.  A choice: more than have slots at a time.
_HOSTS = 10_000


class DelaySlot(Protocol):
    """What is used of Scrapy's downloader slot of a host."""

    delay: float
    """Seconds between the beginnings of two transfers."""


@dataclass(slots=True)
class _Raised:
    slot: DelaySlot
    own: float
    """The delay that the slot would have."""
    delay: float
    """The one that it was given."""


class HostDelays:
    """Crawl-delays by host; memory grows with the hosts that request one."""

    def __init__(self, crawl_delay_max: float = CRAWL_DELAY_MAX_SECONDS) -> None:
        """Longer Crawl-delays are cut to *crawl_delay_max* seconds; 0 ignores all of them."""
        self._max = crawl_delay_max
        self._asked: dict[str, dict[str, float]] = {}
        self._raised: BoundedDict[str, _Raised] = BoundedDict(_HOSTS)

    def ask(self, host: str, crawl_delay: float | None, site: str = "") -> bool:
        """Record the Crawl-delay in the robots.txt of a *site*; return whether it is a valid delay.

        It replaces the one that the same robots.txt had before.  A host with several (one for each
        port) gets the longest of their delays.  Negative values and NaN are not valid.
        """
        if crawl_delay is None or math.isnan(crawl_delay) or min(crawl_delay, self._max) <= 0:
            self._asked.get(host, {}).pop(site, None)
            return False
        self._asked.setdefault(host, {})[site] = min(crawl_delay, self._max)
        return True

    def asked(self, host: str) -> float:
        """Return the Crawl-delay of *host* in seconds, 0 without one."""
        return max(self._asked.get(host, {}).values(), default=0.0)

    def effective(self, host: str, slot: DelaySlot | None, least: float = 0.0) -> float:
        """Return the seconds between two requests to *host*, at least *least*; no slot: no contact yet.

        The delay that :meth:`raise_slot` gave the slot is not its own.
        """
        return max(self._own(host, slot), self.asked(host), least)

    def raise_slot(self, host: str, slot: DelaySlot, least: float = 0.0) -> None:
        """Give the slot of *host* its :meth:`effective` delay, which falls when the reason to raise it ends."""
        own = self._own(host, slot)
        slot.delay = self.effective(host, slot, least)
        self._raised[host] = _Raised(slot, own, slot.delay)

    def _own(self, host: str, slot: DelaySlot | None) -> float:
        if slot is None:
            return 0.0
        raised = self._raised.get(host)
        # Scrapy forgets the slots of idle hosts, and AutoThrottle changes the delay of one.
        if raised is None or raised.slot is not slot or raised.delay != slot.delay:
            return slot.delay
        return raised.own


def ready_at(
    clock: Callable[[], float],
    seen_at: float,
    delay: float,
    elapsed: Callable[[], float] = time.monotonic,
) -> float:
    """Return when a host may be contacted again that received its last request at *seen_at*.

    The result is on *clock*, and not past.  *seen_at* is on the clock *elapsed* of this process, because
    the one that workers share may be another machine's, and be set.
    """
    # In this order: a process that has to wait between the two calls asks later, never sooner.
    seen_ago = max(0.0, elapsed() - seen_at)
    now = clock()
    return max(now, now - seen_ago + delay)
