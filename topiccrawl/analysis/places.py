"""Where a page lies: its registered domain, host, directory and the depth of its path, as numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit
from zlib import crc32

from topiccrawl.analysis.features import feature_id
from topiccrawl.page.hrefs import registered_host
from topiccrawl.scoring.strategy import N_FEATURES


class Place(NamedTuple):
    """A row of ``LinkBatch.places``; hashes of 31 bits, different for all places of a crawl but a few."""

    domain: int
    host: int
    """``www.`` is left out: both names of a site are one place."""
    directory: int
    depth: int
    """Segments of the path; 0 for the front page of a host."""


#: Names of front pages of a folder.
_INDEX = re.compile(r"(?:index|default|home)\.", re.IGNORECASE)
#: Longest directory in the cache, in characters, which then takes 3 MB at most (a choice).
_CACHED_CHARACTERS = 150
#: Folders of a URL that count, from the root on.  F1 of the whole web after 1,000 pages (manuals, 13 topics,
#: 2026-11) with 4, 6 and 9: .62, .76, .76 from keywords, .45, .55, .54 from a bare word.  The registered domain,
#: which nearly all pages of a site share, is left out: with it .72 and .51.
FOLDERS = 6


@dataclass(frozen=True, slots=True)
class Location:
    """Where one page lies."""

    place: Place
    folders: tuple[int, ...]
    """Feature ids of the host and of up to :data:`FOLDERS` folders, each once."""

    @property
    def fronts(self) -> list[int]:
        """The channels that the page may lie in, as :func:`front_of` numbers them."""
        return [self.place.domain * N_FEATURES + folder for folder in self.folders]


#: Location of a URL without one.
NOWHERE = Location(Place(0, 0, 0, 0), ())


def location_of(url: str) -> Location:
    """Return place and folders of a canonical URL.

    >>> location_of("http://www.a.example/x/1.html").place[:2] == location_of("http://a.example/").place[:2]
    True
    """
    try:
        parts = urlsplit(url)
        return _located(parts, parts.hostname or "")
    except ValueError:
        return NOWHERE


def front_of(url: str) -> int:
    """Return where the channel lies whose front page a canonical URL may be, as ``LinkBatch.fronts``.

    That is a folder, or a host other than that of the site itself; 0 for all other pages.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return 0
    folder, _, name = parts.path.rpartition("/")
    if parts.query or ("." in name and not _INDEX.match(name)):
        return 0
    path = folder if "." in name else f"{folder}/{name}"
    site = host.removeprefix("www.")
    names = [part for part in path.split("/") if part]
    if len(names) > FOLDERS or (not names and site == registered_host(site)):
        return 0
    return _located(parts, host).place.domain * N_FEATURES + _folder_id(site, names)


def _located(parts: SplitResult, host: str) -> Location:
    directory, _, name = parts.path.rpartition("/")
    described = _described if len(directory) <= _CACHED_CHARACTERS else _described.__wrapped__
    hashes, folders = described(host, directory)
    depth = directory.count("/") + bool(name or parts.query)
    return Location(Place(*hashes, depth), folders)


# The links of one page and of the next mostly lead to the same directories.
@lru_cache(maxsize=4_096)
def _described(host: str, directory: str) -> tuple[tuple[int, int, int], tuple[int, ...]]:
    """Return the hashes of a place, and the folders of a :class:`Location`."""
    site, names = host.removeprefix("www."), directory.split("/")[1:][:FOLDERS]
    hashed = (registered_host(site), f"/{site}", f"{site}{directory}/")
    domain, own, folder = (crc32(name.encode("utf-8", "replace")) >> 1 for name in hashed)
    ids = dict.fromkeys(_folder_id(site, names[:depth]) for depth in range(len(names) + 1))
    return (domain, own, folder), tuple(ids)


def _folder_id(site: str, names: Sequence[str]) -> int:
    """Return the feature id of a folder by the names that lead to it; without any, that of the host."""
    return feature_id("place", "/".join((site, *names, "")))
