"""The effective delay of a host, and the moment from which it may be contacted again.

    delay = max(delay of the crawler (AutoThrottle moves it), Crawl-delay of robots.txt, capped)
    ready_at = moment at which the last request was certainly seen by the server + delay

A server has seen a request at the latest when the headers of its answer arrive.  Counting from there,
and not from the moment at which a request was sent, makes two requests arrive at least the delay apart
however long either was on its way.
"""

from __future__ import annotations

import math

#: Upper limit of a Crawl-delay that counts (a guess).
CRAWL_DELAY_MAX_SECONDS = 60.0


class HostDelays:
    """Crawl-delays that hosts have asked for; grows with the hosts that ask for one."""

    def __init__(self, crawl_delay_max: float = CRAWL_DELAY_MAX_SECONDS) -> None:
        """A longer Crawl-delay than *crawl_delay_max* seconds counts as that; 0 ignores them all."""
        self._max = crawl_delay_max
        self._asked: dict[str, float] = {}

    def ask(self, host: str, crawl_delay: float | None) -> bool:
        """Note what a robots.txt of *host* asks for; whether it asks for a delay that counts.

        A host with several robots.txt (ports, http and https) gets the longest of its delays.
        Values that are no delays (negative, not a number) do not count.
        """
        if crawl_delay is None or math.isnan(crawl_delay) or min(crawl_delay, self._max) <= 0:
            return False
        self._asked[host] = max(self.asked(host), min(crawl_delay, self._max))
        return True

    def asked(self, host: str) -> float:
        """Return the Crawl-delay of *host* in seconds; 0 if it asked for none."""
        return self._asked.get(host, 0.0)

    def effective(self, host: str, delay: float) -> float:
        """Return the seconds between two requests to *host* where the crawler's own delay is *delay*."""
        return max(delay, self.asked(host))


def ready_at(now: float, seen_ago: float, delay: float) -> float:
    """Return when a host may be contacted again whose last request was seen *seen_ago* seconds ago.

    On the clock of *now*; >= *now*.  *seen_ago* is a difference of monotonic times: the clock that
    workers share may be another machine's.
    """
    return max(now, now - max(0.0, seen_ago) + delay)
