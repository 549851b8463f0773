"""The hosts that a worker has contacted lately: what the server may lose of them in a crash."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Contact:
    """From when on a host may be contacted again, and its delay (empty if this worker has not set it)."""

    ready_at: float
    delay: float | str = ""


class RecentContacts:
    """Hosts that were contacted or held since the last heartbeat but one."""

    def __init__(self) -> None:
        self._older: dict[str, Contact] = {}
        self._newer: dict[str, Contact] = {}

    def note(self, host: str, ready_at: float, delay: float | str = "") -> None:
        """Note that *host* may be contacted again from then on."""
        contact = self._newer.setdefault(host, Contact(ready_at))
        contact.ready_at = max(contact.ready_at, ready_at)
        contact.delay = delay if delay != "" else contact.delay

    def heartbeat_received(self) -> None:
        """Forget what was noted before the last heartbeat that the server has received."""
        self._older, self._newer = self._newer, {}

    def by_host(self) -> dict[str, Contact]:
        """Return the contacts that the server may have lost."""
        return {**self._older, **self._newer}
