"""Rests of hosts that answer with block pages or captchas.

A block page is an answer with any status, 200 too, hence apart from :mod:`topiccrawl.politeness.backoff`.
The first block of a host slows it: one short pause, and from then on a longer delay. From the third
block in a row on, it rests: ``rest·2^(n-3)`` seconds, at most *longest*. Content ends the series.

Before a host rests, a page that it has given is asked for again. If it gives it, it does not block: it has
pages that it gives to no client, or pages that look like block pages, and is not rested for them.
"""

from __future__ import annotations

from dataclasses import dataclass

from topiccrawl.backoff import exponential_delay
from topiccrawl.bounded import BoundedDict

#: Delay of a host that has blocked, in seconds (a guess: five times the default of well-behaved
#: crawlers).
SLOW_SECONDS = 5.0
#: First rest. A guess: many firewalls forget an address after ten minutes.
REST_SECONDS = 600.0
#: Longest rest (a guess: a quarter of a day).
LONGEST_REST_SECONDS = 6 * 3600.0
#: Blocks in a row before a host rests; before, it gets short pauses (a guess).
BLOCKS_IN_A_ROW = 3
#: Answers with content in a row after which a slowed host has its own delay again (a guess).
GOOD_AGAIN = 50
#: Forbidden pages that are believed before a known page is asked for again (a guess).
FORBIDDEN_IN_A_ROW = 20
#: Hosts that are remembered; beyond, the one whose last block is oldest is forgotten (a guess).
HOSTS_REMEMBERED = 100_000


@dataclass(frozen=True, slots=True)
class Rest:
    """What a block leads to."""

    seconds: float
    """From now on the host is left alone for so long."""
    number: int
    """Blocks in a row, in separate visits."""
    growing: bool
    """False: the block is one of several answers to requests that were sent together."""

    @property
    def rests(self) -> bool:
        """Whether it is a rest, not a short pause."""
        return self.number >= BLOCKS_IN_A_ROW


@dataclass(slots=True)
class _Host:
    blocks: int = 0
    """In a row; several during one pause count once."""
    until: float = 0.0
    refused: int = 0
    """Other refusals since the last content."""
    content: int = 0
    """Answers with content since the last block."""
    slowed: bool = False
    """Whether it has blocked, not only refused."""
    suspect: str = ""
    """URL of the page that was blocked when another was given."""
    forbids: int = 0
    """Forbidden pages since the host was last seen to give others; 0 if it was not."""


class HostRests:
    """Counts block pages in a row for each host."""

    def __init__(
        self, pause: float, rest: float = REST_SECONDS, slow: float = SLOW_SECONDS
    ) -> None:
        """*pause* is the first pause, *rest* the first rest, *slow* the delay after a block; seconds."""
        self._pause = pause
        self._rest = rest
        self._slow = slow
        self._hosts: BoundedDict[str, _Host] = BoundedDict(HOSTS_REMEMBERED)
        self._good: BoundedDict[str, str] = BoundedDict(HOSTS_REMEMBERED)
        #: Pauses that hosts have asked for since their last content, and the end of the last.
        self._pauses: BoundedDict[str, tuple[int, float]] = BoundedDict(HOSTS_REMEMBERED)

    def blocked(self, host: str, now: float) -> Rest:
        """Return the rest after a block page of *host* at *now*."""
        state = self._hosts.use(host, _Host)
        state.content = 0
        state.slowed = True
        if now < state.until:
            return Rest(state.until - now, state.blocks, growing=False)
        state.blocks += 1
        if state.blocks < BLOCKS_IN_A_ROW:
            seconds = exponential_delay(state.blocks, base=self._pause, cap=self._rest)
        else:
            times = state.blocks - BLOCKS_IN_A_ROW + 1
            seconds = exponential_delay(times, base=self._rest, cap=LONGEST_REST_SECONDS)
        state.until = now + seconds
        return Rest(seconds, state.blocks, growing=True)

    def content(self, host: str, url: str) -> None:
        """Record a page with content: the series of blocks ends."""
        self._good[host] = url
        self._pauses.pop(host, None)
        state = self._hosts.get(host)
        if state is not None:
            state.blocks = state.refused = 0
            if state.suspect == url:
                state.suspect = ""
            state.until = 0.0
            state.content += 1

    def refused(self, host: str) -> None:
        """Record a refusal that has a pause of its own (429): see :meth:`blocking`."""
        self._hosts.use(host, _Host).refused += 1

    def paused(self, host: str, now: float, until: float) -> None:
        """Record that *host* asked at *now* for a pause (429, 503) that ends at *until*: see :meth:`ends`."""
        number, before = self._pauses.get(host, (0, 0.0))
        # Answers to requests that were sent together are one.
        self._pauses[host] = number + (now >= before), max(until, before)

    def ends(self) -> list[float]:
        """Return when hosts may be asked again that block, or have asked for three pauses or more in a row."""
        rests = [self.until(host) for host in self.blocking()]
        return rests + [end for number, end in self._pauses.values() if number >= BLOCKS_IN_A_ROW]

    def doubtful(self, host: str, now: float) -> str:
        """Return the page to ask for before *host* rests for its next block, "" if none is needed."""
        state = self._hosts.get(host)
        if state is None or state.blocks + 1 < BLOCKS_IN_A_ROW or now < state.until:
            return ""
        return self._good.get(host, "")

    def suspect(self, host: str, url: str) -> None:
        """Record that *host* gives other pages: if it blocks *url* again at once, it is the page."""
        state = self._hosts.setdefault(host, _Host())
        state.blocks, state.until, state.suspect = 0, 0.0, url

    def confirmed(self, host: str, url: str) -> bool:
        """Return whether a block of *url* concerns the page alone: it is the second, others are given."""
        state = self._hosts.get(host)
        if state is None or state.suspect != url:
            return False
        state.suspect, state.forbids = "", 1
        return True

    def forbidden(self, host: str) -> bool:
        """Return whether a refusal of *host* concerns the page alone, for a number of refusals."""
        state = self._hosts.get(host)
        if state is None or not 0 < state.forbids <= FORBIDDEN_IN_A_ROW:
            return False
        state.forbids += 1
        return True

    def delay(self, host: str) -> float:
        """Return the least delay of *host* in seconds, 0 if it has not blocked for long."""
        state = self._hosts.get(host)
        slowed = state is not None and state.slowed and state.content < GOOD_AGAIN
        return self._slow if slowed else 0.0

    def until(self, host: str) -> float:
        """Return the time until which *host* is left alone."""
        state = self._hosts.get(host)
        return 0.0 if state is None else state.until

    def good(self, host: str) -> str:
        """Return the URL of the last page with content of *host*, "" if it has given none."""
        return self._good.get(host, "")

    def gives_content(self, host: str) -> bool:
        """Return whether *host* has given content since its last block; a mere refusal is none."""
        state = self._hosts.get(host)
        return state is None or not state.slowed or state.content > 0

    def blocking(self) -> list[str]:
        """Return the hosts whose last answers were blocks or refusals, in the order of the last of them.

        A host that has given content blocks from the third refusal in a row on: it asks for a pause, and a run
        may end in it.
        """
        return [
            host
            for host, state in self._hosts.items()
            if state.blocks or state.refused >= (BLOCKS_IN_A_ROW if host in self._good else 1)
        ]

    @property
    def hosts(self) -> int:
        """Number of hosts that have given content or blocked."""
        return len(self._good.keys() | self._hosts.keys())
