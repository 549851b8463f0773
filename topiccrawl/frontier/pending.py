"""New links on their way into a frontier: a page's links are one transaction or one round trip."""

from __future__ import annotations

from collections.abc import Callable

from topiccrawl.frontier.contract import Frontier, PushResult, QueuedLink

#: Links that are pushed together, at most: 2,000 to as many hosts took 90 ms, during which the event loop stood
#: still (SQLite, 2026-11).
_MOST = 250


def statistic(result: PushResult) -> str:
    """Return the name, below ``frontier/``, of the statistic that counts *result*."""
    return "enqueued" if result is PushResult.NEW else result.value


class PendingLinks:
    """Buffer of links before a frontier.

    Call :meth:`flush` before reading the frontier or ending a lease: if a page is marked done before
    its links are queued, a crash in between loses them.
    """

    def __init__(
        self, frontier: Frontier, on_push: Callable[[PushResult], object] = lambda result: None
    ) -> None:
        """*on_push* receives the result of each link that is pushed."""
        self._frontier = frontier
        self.on_push = on_push
        self._links: list[QueuedLink] = []

    def add(self, link: QueuedLink) -> None:
        """Keep *link* until the next :meth:`flush`, which happens here if there are too many."""
        self._links.append(link)
        if len(self._links) >= _MOST:
            self.flush()

    def flush(self) -> None:
        """Push the links that were added, in order."""
        if self._links:
            links, self._links = self._links, []
            for result in self._frontier.push(links):
                self.on_push(result)
