"""The journal of a frontier that has one worker."""

from __future__ import annotations

from collections.abc import Sequence


class MemoryJournal:
    """See :class:`topiccrawl.frontier.contract.Journal`; with one worker there is nothing to exchange."""

    def append(self, entries: Sequence[bytes]) -> None:
        """Keep nothing: a worker does not read its own entries."""

    def read_new(self, limit: int = 500) -> list[bytes]:
        """Return no entries: there is no other worker to append any."""
        return []
