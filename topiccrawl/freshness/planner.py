"""Which pages to visit again, best first."""

from __future__ import annotations

from collections.abc import Iterable

from topiccrawl.freshness.config import FreshnessConfig, Policy
from topiccrawl.freshness.history import PageHistory


class RevisitPlanner:
    """The pages of a collection and the order in which they are visited again.

    The request rate is the caller's: :meth:`due` returns the best pages whenever it is asked.  Equal calls
    give equal answers.  Times are POSIX timestamps in seconds.
    """

    def __init__(
        self, policy: Policy = "age-index", config: FreshnessConfig | None = None, seed: int = 0
    ) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        """Return the number of pages."""
        raise NotImplementedError

    def __contains__(self, page: object) -> bool:
        """Whether the page is known."""
        raise NotImplementedError

    def add(self, page: str, history: PageHistory, rate: float | None = None) -> None:
        """Add a page, or replace what is known about it.

        ``rate`` (changes a day) is known rather than learned; the policy ``optimal`` is meant for it.
        """
        raise NotImplementedError

    def add_all(self, pages: Iterable[tuple[str, PageHistory]]) -> None:
        """Add many pages; the same as :meth:`add` of each."""
        raise NotImplementedError

    def remove(self, page: str) -> None:
        """Forget a page (it is gone for good, or no longer wanted); unknown ones are ignored."""
        raise NotImplementedError

    def visited(
        self, page: str, at: float, changed: bool, new_links: int = 0, listed: int = 0
    ) -> None:
        """Record a visit; of a list page also its new links, and how many links it lists at a time.

        Unknown pages are ignored.
        """
        raise NotImplementedError

    def signaled(self, page: str, at: float, source: str) -> None:
        """Record a source's claim (``"sitemap"``, ``"feed"``, …) that a page changed at a time.

        Unknown pages, and claims that are already known, are ignored.
        """
        raise NotImplementedError

    def release(self, page: str) -> None:
        """Let :meth:`due` return a page again that was handed out and could not be visited."""
        raise NotImplementedError

    def due(self, now: float, most: int) -> list[str]:
        """Return at most ``most`` pages to visit now, best first.

        They are handed out: they are not returned again until :meth:`visited` or :meth:`release`.  List
        pages whose poll is due come first.
        """
        raise NotImplementedError

    def next_due(self, now: float) -> float | None:
        """Return when :meth:`due` has something to return, ``now`` at the earliest; ``None``: never."""
        raise NotImplementedError
