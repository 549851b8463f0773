"""Families of URLs whose links lead to no page, again and again.

The expected success of a link is a Beta posterior: after *n* links of a family in a row that were dead,
``1 / (n + 2)``, the mean of Beta(1, 1 + n).  It counts from *links* dead ones in a row on, twice as many for a
folder, a script or a host, which contain more kinds of pages, so that single dead links on an ordinary site
change nothing; a page of the family ends the row.  A link belongs to several families (its pattern, its
folders, its host): their expectations are multiplied, so that another folder of the same host comes first.

Links of one host to others are a family, too: a page may list a thousand hosts, none of which answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from topiccrawl.bounded import BoundedDict
from topiccrawl.urls.families import families
from topiccrawl.urls.hosts import host_of

#: Dead links in a row after which a family falls behind.  A choice: where every second link is dead, a row of
#: so many is expected once in two million links.
DEAD_IN_A_ROW: Final = 20
#: Families that are remembered; beyond, the one whose last dead link is oldest is forgotten (a choice: some MB).
_REMEMBERED: Final = 50_000


class DeadLinks:
    """Counts dead links in a row for each family."""

    def __init__(self, links: int = DEAD_IN_A_ROW) -> None:
        self._links = links
        self._rows: BoundedDict[str, int] = BoundedDict(_REMEMBERED)
        self._fallen = 0

    def __bool__(self) -> bool:
        """Whether any family has ever fallen behind."""
        return self._fallen > 0

    def dead(self, url: str, source: str = "") -> None:
        """Count a link of the host *source* to canonical *url*, where there is no page."""
        for family, patience in _families(url, source):
            row = self._rows[family] = self._rows.get(family, 0) + 1
            self._fallen += row == self._links * patience

    def answered(self, url: str, source: str = "") -> bool:
        """End the rows of the families of a link of *source* to canonical *url*, where there is a page.

        Return whether a row of the links of *source* ended, which only a worker that knows the link can see.
        """
        for family, _ in families(url):
            self._rows.pop(family, None)
        return _leaves(url, source) and self.answers(source)

    def answers(self, source: str) -> bool:
        """End the row of the links of the host *source* to others; return whether there was one."""
        return self._rows.pop(_links_of(source), None) is not None

    def expected(self, url: str, source: str = "") -> float:
        """Return the expected success of a link of *source* to canonical *url*, in (0, 1].

        1 if nothing speaks against it.
        """
        expected = 1.0
        for family, patience in _families(url, source):
            row = self._rows.get(family, 0)
            if row >= self._links * patience:
                expected /= row + 2
        return expected


def _families(url: str, source: str) -> Iterator[tuple[str, int]]:
    yield from families(url)
    if _leaves(url, source):
        yield _links_of(source), 1


def _leaves(url: str, source: str) -> bool:
    return source not in ("", host_of(url))


def _links_of(source: str) -> str:
    return f"links of {source}"
