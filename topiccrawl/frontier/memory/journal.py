"""The journal of a frontier that has one worker."""

from __future__ import annotations

from collections.abc import Sequence


class MemoryJournal:
    """See :class:`topiccrawl.frontier.contract.Journal`: there is nobody to tell, nobody tells."""

    def append(self, entries: Sequence[bytes]) -> None:
        """Keep nothing: a worker does not hear its own words."""

    def read_new(self, limit: int = 500) -> list[bytes]:
        """Return no entries: there are no others who could have appended any."""
        return []
