"""Learn which lines of their bodies the pages of a host have in common."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from topiccrawl.bounded import BoundedDict
from topiccrawl.page.body.host_lines import EDGE
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

__all__ = ["BodyEdges", "HostLines", "pack_edges", "unpack_edges"]

#: Hosts that are remembered, those with the newest pages (a choice: 10 MB).
HOSTS: Final = 2_000
#: Newest pages of a host that are remembered. With 24, what one folder of Chinese manuals repeats was left out
#: twice as often, with 64 half as often; a site that changes its template has the new one sooner (2026-11).
PAGES: Final = 32
#: Fewest pages with a line of the template (a guess: two may be versions of one page).
LEAST_PAGES: Final = 3
#: Share of the pages of the host from which a line is the template's. With a quarter, 47 lines of 3,677 pages of
#: Chinese manuals were left out in the order of their folders, and half of them were text (2026-11).
SHARE: Final = 1 / 3
#: Share of the lines of two pages, of those that either has, from which one is a copy of the other and is not
#: counted (a guess).
_COPY: Final = 0.8
_IDS: Final = struct.Struct("<qq")
_LINE: Final = 4


class BodyEdges(NamedTuple):
    """The lines at the ends of the body of one page, as the journal keeps them."""

    host: int
    """Identity of the host's name."""
    page: int
    """Identity of the canonical URL."""
    lines: tuple[int, ...]
    """Hashes of :func:`~topiccrawl.page.body.host_lines.edge_lines`."""


@dataclass(slots=True)
class _Host:
    pages: BoundedDict[int, bytes]
    """Packed lines of the newest pages."""
    template: frozenset[int] | None = None
    """``None``: to be computed."""


class HostLines:
    """Lines that hosts repeat; a function of the pages and their order alone.

    Parameters
    ----------
    hosts
        Hosts that are remembered.
    pages
        Newest pages of a host that are remembered.
    """

    def __init__(self, *, hosts: int = HOSTS, pages: int = PAGES) -> None:
        self._most_pages = pages
        self._hosts: BoundedDict[int, _Host] = BoundedDict(hosts)

    def __len__(self) -> int:
        """Number of hosts that are remembered."""
        return len(self._hosts)

    def of(self, url: str) -> frozenset[int]:
        """Return the lines that the host of *url* repeats. Nothing is learned from the question."""
        host = self._hosts.get(_host_id(url))
        if host is None:
            return frozenset()
        if host.template is None:
            host.template = _template(host.pages.values())
        return host.template

    def learn(self, url: str, canonical: str, lines: Sequence[int]) -> BodyEdges | None:
        """Learn from a page.

        Parameters
        ----------
        url
            Its address, of which the host counts.
        canonical
            Its canonical URL; a page counts once.
        lines
            Its :func:`~topiccrawl.page.body.host_lines.edge_lines`.

        Returns
        -------
        BodyEdges or None
            What others have to learn; ``None`` if the page has no such line, or is known or a copy of one.
        """
        edges = BodyEdges(_host_id(url), link_id(canonical), tuple(lines))
        return edges if self.receive(edges) else None

    def receive(self, edges: BodyEdges) -> bool:
        """Learn what another worker, or an earlier run, has seen; return whether it is new."""
        host = self._hosts.get(edges.host)
        if not edges.lines or (host is not None and _known(host, edges)):
            return False
        host = self._hosts.use(edges.host, lambda: _Host(BoundedDict(self._most_pages)))
        host.pages[edges.page] = _packed(edges.lines)
        host.template = None
        return True


def pack_edges(edges: BodyEdges) -> bytes:
    """Return *edges* as bytes: 16, and four for each line."""
    return _IDS.pack(edges.host, edges.page) + _packed(edges.lines[: 2 * EDGE])


def unpack_edges(data: bytes) -> BodyEdges:
    """Return the edges in *data*; raise ``ValueError`` or ``struct.error`` for anything else."""
    lines = data[_IDS.size :]
    if len(lines) % _LINE or len(lines) > 2 * EDGE * _LINE:
        raise ValueError(f"a body has at most {2 * EDGE} lines at its ends")
    host, page = _IDS.unpack(data[: _IDS.size])
    return BodyEdges(host, page, _unpacked(lines))


def _host_id(url: str) -> int:
    return link_id(host_of(url))


def _packed(lines: Sequence[int]) -> bytes:
    return struct.pack(f"<{len(lines)}I", *lines)


def _unpacked(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // _LINE}I", data)


def _known(host: _Host, edges: BodyEdges) -> bool:
    """Whether the page was counted, or one with nearly the same lines."""
    if edges.page in host.pages:
        return True
    own = set(edges.lines)
    for packed in host.pages.values():
        other = set(_unpacked(packed))
        if len(own & other) >= _COPY * len(own | other):
            return True
    return False


def _template(pages: Collection[bytes]) -> frozenset[int]:
    """Return the lines that enough of *pages* have."""
    least = max(LEAST_PAGES, SHARE * len(pages))
    found = Counter(line for packed in pages for line in _unpacked(packed))
    return frozenset(line for line, number in found.items() if number >= least)
