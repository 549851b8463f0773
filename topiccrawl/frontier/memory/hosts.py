"""What the memory frontier remembers of hosts: when each may be contacted, and what it has used up."""

from __future__ import annotations

import math

from topiccrawl.frontier.options import FrontierLimits


class _Host:
    __slots__ = ("delay", "earned", "ready_at", "started", "transfers")

    def __init__(self, delay: float) -> None:
        self.ready_at = -math.inf
        self.delay = delay
        self.transfers = 0
        self.started = 0
        """Different links that were handed out."""
        self.earned = 0
        """Links added to the budget."""


class Hosts:
    """Hosts by name; one of which nothing was said is ready, has no transfers and its whole budget.

    A host that was once contacted is kept for good, in some 150 bytes.
    """

    def __init__(self, limits: FrontierLimits) -> None:
        self._limits = limits
        self._hosts: dict[str, _Host] = {}

    def ready_at(self, name: str) -> float:
        """The moment from which the host may be contacted, ``-inf`` when nothing was said."""
        host = self._hosts.get(name)
        return -math.inf if host is None else host.ready_at

    def full(self, name: str) -> bool:
        """Whether the host has as many transfers as its concurrency."""
        most = self._limits.concurrency(name)
        return most > 0 and (host := self._hosts.get(name)) is not None and host.transfers >= most

    def begin(self, name: str, now: float) -> None:
        """A transfer of a host that is ready begins; the next one may after the host's delay."""
        host = self._known(name)
        host.transfers += 1
        host.ready_at = now + host.delay

    def end(self, name: str) -> bool:
        """A transfer is over; returns whether there was no room for another one."""
        was_full = self.full(name)
        self._known(name).transfers -= 1
        return was_full

    def hold(self, name: str, until: float) -> bool:
        """The host may be contacted from *until* on; ``False`` when it has to wait longer already."""
        host = self._known(name)
        if until <= host.ready_at:
            return False
        host.ready_at = until
        return True

    def set_delay(self, name: str, delay: float) -> None:
        """Seconds between the beginnings of two transfers, from the next one on."""
        self._known(name).delay = delay

    def charge(self, name: str) -> None:
        """A link of the host is handed out that never was before."""
        self._known(name).started += 1

    def extend_budget(self, name: str, links: int) -> None:
        """Add *links* to the host's budget."""
        self._known(name).earned += links

    def used_up(self, name: str) -> bool:
        """Whether the host's budget has no link left."""
        budget = self._limits.host_budget
        host = self._hosts.get(name)
        return budget > 0 and host is not None and host.started >= budget + host.earned

    def _known(self, name: str) -> _Host:
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host(self._limits.host_delay)
        return host
