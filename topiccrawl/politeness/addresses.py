"""The pace of requests to one address that serves many host names.

Delays and budgets belong to host names, and one server may have any number of them (wildcard DNS, a
hosting company).  An address therefore has a pace of its own, as in Heritrix and BUbiNG: at most *n*
requests under way, and *n* in the time of one delay.  Whoever comes too early gets a time to come back,
each one later than the one before, so that many hosts of one address wait in a row.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.bounded import BoundedDict

#: Requests to one address at a time, and in the time of one delay.  A guess: half of the crawl's 16
#: connections, so that no address can take them all, and eight times what one host is asked.
REQUESTS_PER_ADDRESS: Final = 8
#: Shortest time after which a request that came too early may come again (a guess).
SHORTEST_WAIT_SECONDS: Final = 0.25
#: Addresses that are remembered; beyond, the one asked longest ago is forgotten (a guess).
_ADDRESSES: Final = 10_000
#: Hosts with a time to come back that one address remembers; beyond, the oldest comes in turn again.
_HOSTS: Final = 10_000


@dataclass
class _Address:
    under_way: int = 0
    free_at: float = 0.0
    """When the next request may begin that has no time of its own yet."""
    promised: BoundedDict[str, float] = field(default_factory=lambda: BoundedDict(_HOSTS))
    """Times at which hosts may come back."""


class AddressPaces:
    """Requests under way and promised, by address; times are monotonic seconds."""

    def __init__(self, most: int, delay: float) -> None:
        """At most *most* requests at a time and in *delay* seconds; 0: no limit."""
        self._most = most
        self._interval = delay / most if most else 0.0
        self._addresses: OrderedDict[str, _Address] = OrderedDict()

    def begin(self, address: str, host: str, now: float) -> float:
        """Return 0 if a request of *host* may begin, which counts as under way then.

        Otherwise return the seconds after which it may come again.
        """
        if not self._most:
            return 0.0
        state = self._state(address)
        mine = state.promised.pop(host, None)
        in_turn = now >= (state.free_at if mine is None else mine)
        if in_turn and state.under_way < self._most:
            state.under_way += 1
            if mine is None:
                state.free_at = now + self._interval
            return 0.0
        if mine is None or now >= mine:
            step = max(self._interval, SHORTEST_WAIT_SECONDS / self._most)
            mine = max(now + SHORTEST_WAIT_SECONDS, state.free_at)
            state.free_at = mine + step
        state.promised[host] = mine
        return mine - now

    def end(self, address: str) -> None:
        """End a request that began."""
        state = self._addresses.get(address)
        if state is not None and state.under_way:
            state.under_way -= 1

    def _state(self, address: str) -> _Address:
        state = self._addresses.get(address)
        if state is None:
            state = self._addresses[address] = _Address()
            if len(self._addresses) > _ADDRESSES:
                self._forget_idle()
        self._addresses.move_to_end(address)
        return state

    def _forget_idle(self) -> None:
        for address, state in self._addresses.items():
            if not state.under_way:
                del self._addresses[address]
                return
