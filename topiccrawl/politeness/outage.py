"""Detection of a lost network connection, from the hosts that still answer.

One host that does not answer is down.  When several requests in a row got no answer, and hosts that did
answer are among them, the network is *in doubt*: hosts that answered lately are asked, and if none of
them does, it is *lost*.  In a crawl that never got an answer there is no such host: the network is missing
when every host that the crawl knows of was tried.
"""

from __future__ import annotations

from typing import Final

from topiccrawl.backoff import exponential_delay
from topiccrawl.bounded import BoundedDict
from topiccrawl.politeness.backoff import FIRST_PAUSE_SECONDS

#: Hosts that answered before and fail in a row, with no answer between, before others are asked.  A
#: guess: one or two may be on the same server.
SILENT_HOSTS: Final = 3
#: Failures in a row before others are asked (a guess: the tries of RetryMiddleware for one page).
FAILURES_IN_A_ROW: Final = 3
#: Hosts that are asked whether there is a network, and for how long an answer settles that (guesses).
WITNESSES: Final = 3
SETTLED_SECONDS: Final = 60.0
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
        self.patience = patience
        self._first_pause = first_pause
        #: Site (scheme, host and port) of each host that answered, the latest last.
        self._answered: BoundedDict[str, str] = BoundedDict(_HOSTS)
        self._silent: set[str] = set()
        self._failures = 0
        self._tried: set[str] = set()
        self._doubted = False
        self._settled_until = float("-inf")
        self._lost_at: float | None = None
        self._pauses = 0

    @property
    def reached(self) -> bool:
        """Whether any host has answered since the start."""
        return bool(self._answered)

    @property
    def in_doubt(self) -> bool:
        """Whether hosts have to be asked, or did not answer."""
        return self._doubted

    @property
    def lost(self) -> bool:
        """Whether hosts that answered before were asked and do not answer."""
        return self._lost_at is not None

    @property
    def witnesses(self) -> list[str]:
        """Sites of the hosts that answered last, those first that have not failed since."""
        latest = list(reversed(self._answered))
        order = sorted(latest, key=lambda host: host in self._silent)
        return [self._answered[host] for host in order[:WITNESSES]]

    def answered(self, host: str, site: str, now: float) -> bool:
        """Record an answer of *host* at *site*; return whether the network was lost until now."""
        self._answered[host] = site
        if self._doubted:
            self._settled_until = now + SETTLED_SECONDS
        self._silent.clear()
        self._tried.clear()
        self._failures = 0
        was_lost, self._lost_at, self._pauses, self._doubted = self.lost, None, 0, False
        return was_lost

    def failed(self, host: str, now: float) -> bool:
        """Record a request without an answer; return whether the witnesses should be asked now."""
        self._failures += 1
        if host in self._answered:
            self._silent.add(host)
        if self._doubted or not self._answered or now < self._settled_until:
            return False
        enough = len(self._silent) >= min(SILENT_HOSTS, len(self._answered))
        self._doubted = enough and self._failures >= FAILURES_IN_A_ROW
        return self._doubted

    def no_answer(self, now: float) -> float:
        """Record that no witness has answered; return the seconds until they should be asked again."""
        if self._lost_at is None:
            self._lost_at = now
        self._pauses += 1
        pause = exponential_delay(self._pauses, base=self._first_pause, cap=LONGEST_PAUSE_SECONDS)
        return max(pause, 0.1)

    def given_up(self, now: float) -> bool:
        """Return whether the network has been lost for longer than the crawl waits for it."""
        return self._lost_at is not None and now - self._lost_at >= self.patience

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
