"""Whether the network is there, judged by which hosts answer.

One host that does not answer is down; when hosts that did answer all stop at the same time, the network is
down.  In a crawl that never got an answer nothing can be compared: it is over when every host it knows of
was tried.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from topiccrawl.backoff import exponential_delay
from topiccrawl.politeness.backoff import FIRST_PAUSE_SECONDS

#: Hosts that answered and then all failed, with no answer between, before the network counts as lost.  A
#: guess: one or two may be on the same server.
SILENT_HOSTS: Final = 3
#: Failures in a row before the network counts as lost, for crawls of fewer hosts (a guess).
FAILURES_IN_A_ROW: Final = 3
#: Hosts tried without any answer since the start before the network counts as missing.  A guess: a
#: topic's seeds and a queue's best links are not that many dead hosts.
UNREACHED_HOSTS: Final = 20
#: Longest pause before the network is tried again (a guess).
LONGEST_PAUSE_SECONDS: Final = 60.0
#: Hosts that are remembered for having answered (a guess).
_HOSTS: Final = 10_000


class NetworkState:
    """Answers and failures of hosts, and what follows for the network; times are monotonic seconds."""

    def __init__(self, patience: float, first_pause: float = FIRST_PAUSE_SECONDS) -> None:
        """A network that was lost is waited for during *patience* seconds.

        It is tried again after *first_pause* seconds, then after twice as many, up to a minute.
        """
        self._patience = patience
        self._first_pause = first_pause
        self._answered: OrderedDict[str, None] = OrderedDict()
        self._silent: set[str] = set()
        self._failures = 0
        self._tried: set[str] = set()
        self._lost_at: float | None = None
        self._pauses = 0
        self._next_try = 0.0

    @property
    def reached(self) -> bool:
        """Whether any host has answered since the start."""
        return bool(self._answered)

    @property
    def lost(self) -> bool:
        """Whether hosts answered before and none does now."""
        return self._lost_at is not None

    def answered(self, host: str) -> bool:
        """Record an answer; return whether the network was lost until now."""
        self._answered[host] = None
        self._answered.move_to_end(host)
        if len(self._answered) > _HOSTS:
            self._answered.popitem(last=False)
        self._silent.clear()
        self._tried.clear()
        self._failures = 0
        was_lost, self._lost_at, self._pauses = self.lost, None, 0
        return was_lost

    def failed(self, host: str, now: float) -> bool:
        """Record a request without an answer; return whether the network counts as lost from now on."""
        self._failures += 1
        if host in self._answered:
            self._silent.add(host)
        if self.lost:
            if now >= self._next_try:
                self._pause(now)
            return False
        silent = len(self._silent) >= min(SILENT_HOSTS, len(self._answered))
        if not self._answered or not silent or self._failures < FAILURES_IN_A_ROW:
            return False
        self._lost_at = now
        self._pause(now)
        return True

    def paused(self, now: float) -> bool:
        """Return whether nothing should be requested now."""
        return self.lost and now < self._next_try

    def given_up(self, now: float) -> bool:
        """Return whether the network has been lost for longer than the crawl waits for it."""
        return self._lost_at is not None and now - self._lost_at >= self._patience

    def tried(self, host: str) -> int:
        """Record that a link of *host* failed for good; return how many hosts did, without an answer."""
        self._tried.add(host)
        return len(self._tried)

    def missing(self, hosts_left: int, under_way: int) -> bool:
        """Return whether there was no network from the start.

        No host has answered, and all of the *hosts_left* with queued links were tried, with nothing
        *under_way*, or very many hosts.
        """
        tried = len(self._tried)
        if self.reached or not tried:
            return False
        return tried >= UNREACHED_HOSTS or (not under_way and hosts_left <= tried)

    def _pause(self, now: float) -> None:
        self._pauses += 1
        self._next_try = now + exponential_delay(
            self._pauses, base=self._first_pause, cap=LONGEST_PAUSE_SECONDS
        )
