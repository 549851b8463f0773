"""Hosts of the memory frontier: when each may be contacted, and how much of its budget is used."""

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
        """Different links handed out so far."""
        self.earned = 0
        """Links added to the budget."""


class MemoryHosts:
    """Per-host state.  Unknown hosts are ready, idle and have a full budget.

    A host that was contacted once is kept for good, in some 150 bytes.
    """

    def __init__(self, limits: FrontierLimits) -> None:
        self._limits = limits
        self._hosts: dict[str, _Host] = {}

    def ready_at(self, name: str) -> float:
        """Return the moment from which the host may be contacted, ``-inf`` if it is unknown."""
        host = self._hosts.get(name)
        return -math.inf if host is None else host.ready_at

    def full(self, name: str) -> bool:
        """Return whether the host has as many transfers as its concurrency allows."""
        most = self._limits.concurrency(name)
        return most > 0 and (host := self._hosts.get(name)) is not None and host.transfers >= most

    def begin(self, name: str, now: float) -> None:
        """Begin a transfer of a host that is ready; the next one may begin after the host's delay."""
        host = self._state(name)
        host.transfers += 1
        host.ready_at = now + host.delay

    def end(self, name: str) -> bool:
        """End a transfer; return whether the host was full before."""
        was_full = self.full(name)
        self._state(name).transfers -= 1
        return was_full

    def hold(self, name: str, until: float) -> bool:
        """Hold the host until *until*; return ``False`` if it has to wait longer already."""
        host = self._state(name)
        if until <= host.ready_at:
            return False
        host.ready_at = until
        return True

    def shift(self, by: float) -> None:
        """Move the moments of all hosts by this time."""
        for host in self._hosts.values():
            host.ready_at += by

    def cut(self, longest: float, now: float) -> list[str]:
        """Let hosts be contacted *now* that would wait beyond *longest*; return them."""
        found = [name for name, host in self._hosts.items() if host.ready_at > longest]
        for name in found:
            self._hosts[name].ready_at = now
        return found

    def set_delay(self, name: str, delay: float) -> None:
        """Set the seconds between the beginnings of two transfers, from the next one on."""
        self._state(name).delay = delay

    def charge(self, name: str) -> None:
        """Count a link of the host that is handed out for the first time."""
        self._state(name).started += 1

    def extend_budget(self, name: str, links: int) -> None:
        """Add *links* to the host's budget."""
        self._state(name).earned += links

    def used_up(self, name: str) -> bool:
        """Return whether the host's budget is used up."""
        budget = self._limits.host_budget
        host = self._hosts.get(name)
        return budget > 0 and host is not None and host.started >= budget + host.earned

    def _state(self, name: str) -> _Host:
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = _Host(self._limits.host_delay)
        return host
