"""The effective delay of a host, and the moment from which it may be contacted again.

    delay = max(delay of the crawler (AutoThrottle changes it), Crawl-delay of robots.txt, capped)
    ready_at = moment at which the server has certainly received the last request + delay

A server has received a request at the latest when the headers of its answer arrive.  Counting from that
moment, and not from sending, makes two requests arrive at least the delay apart, however long either
of them was under way.
"""

from __future__ import annotations

import math

#: Upper limit of a Crawl-delay that counts (a guess).
CRAWL_DELAY_MAX_SECONDS = 60.0


class HostDelays:
    """Crawl-delays by host; memory grows with the hosts that request one."""

    def __init__(self, crawl_delay_max: float = CRAWL_DELAY_MAX_SECONDS) -> None:
        """Longer Crawl-delays are cut to *crawl_delay_max* seconds; 0 ignores all of them."""
        self._max = crawl_delay_max
        self._asked: dict[str, float] = {}

    def ask(self, host: str, crawl_delay: float | None) -> bool:
        """Record the Crawl-delay in a robots.txt of *host*; return whether it is a valid delay.

        A host with several robots.txt (ports, http and https) gets the longest of its delays.
        Negative values and NaN are not valid.
        """
        if crawl_delay is None or math.isnan(crawl_delay) or min(crawl_delay, self._max) <= 0:
            return False
        self._asked[host] = max(self.asked(host), min(crawl_delay, self._max))
        return True

    def asked(self, host: str) -> float:
        """Return the Crawl-delay of *host* in seconds, 0 without one."""
        return self._asked.get(host, 0.0)

    def effective(self, host: str, delay: float) -> float:
        """Return the seconds between two requests to *host* if the crawler's own delay is *delay*."""
        return max(delay, self.asked(host))


def ready_at(now: float, seen_ago: float, delay: float) -> float:
    """Return when a host may be contacted again that received its last request *seen_ago* seconds ago.

    The result is on the clock of *now*, and >= *now*.  *seen_ago* is a difference of monotonic times,
    because the clock that workers share may be another machine's.
    """
    return max(now, now - max(0.0, seen_ago) + delay)
