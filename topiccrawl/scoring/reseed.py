"""New seeds for a crawl that has run dry: the folders and sites above the relevant pages found.

Sites keep similar pages together: the folder of a relevant page often lists others that no link has led
to.  There is no source; which folders are worth fetching is a guess.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence

#: Folders that are counted; beyond this number the half with fewer relevant pages is forgotten (a guess: a
#: megabyte or less).
MOST_FOLDERS = 5_000
#: Levels of a path that are counted from the site's root on: deeper paths are traps (docs/urls.md).
MOST_LEVELS = 16
#: Candidates that one call checks, so that it never blocks an event loop for long (a guess).
MOST_CANDIDATES = 500


def ancestors(url: str) -> Iterator[str]:
    """Yield the folders that contain an absolute http(s) URL, the site's root first.

    A folder does not contain itself, but it contains URLs that differ from it in their query.  Nothing
    is yielded for anything but an absolute http(s) URL.

    Examples
    --------
    >>> list(ancestors("http://host/a/b/c.html?p=1"))
    ['http://host/', 'http://host/a/', 'http://host/a/b/']
    """
    address = url.partition("#")[0].partition("?")[0]
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    if scheme not in ("http", "https") or not host:
        return
    folder = f"{scheme}://{host}/"
    if url != folder and (slash or url != address):
        yield folder
    for name in path.split("/")[:-1][: MOST_LEVELS - 1]:
        folder = f"{folder}{name}/"
        if folder != url:
            yield folder


class SeedProposals:
    """Count relevant pages below each folder and propose folders that were never proposed before.

    Raises
    ------
    ValueError
        *most_folders* < 2.
    """

    def __init__(self, most_folders: int = MOST_FOLDERS) -> None:
        if most_folders < 2:
            raise ValueError(f"most_folders must be >= 2, got {most_folders}")
        self._most = most_folders
        self._below: dict[str, int] = {}
        self._useless: set[str] = set()
        self._proposed: set[str] = set()

    def __len__(self) -> int:
        """Number of folders counted, at most *most_folders*."""
        return len(self._below)

    def add(self, url: str) -> None:
        """Count the relevant page *url*, once for each folder above it."""
        for folder in ancestors(url):
            self._below[folder] = self._below.get(folder, 0) + 1
        if len(self._below) > self._most:
            kept = heapq.nsmallest(self._most // 2, self._below, key=self._rank)
            self._below = {folder: self._below[folder] for folder in kept}
            self._useless &= self._below.keys()

    def propose(
        self,
        most: int,
        usable: Callable[[Sequence[str]], Sequence[bool]] = lambda urls: [True] * len(urls),
    ) -> list[str]:
        """Return up to *most* folders: most relevant pages below first, deeper ones among equals.

        Parameters
        ----------
        most
            Largest number of folders, >= 0.
        usable
            Returns for each folder whether it is worth fetching (one that was fetched is not).  A
            refused folder is not checked again while it is counted.

        Raises
        ------
        ValueError
            *most* < 0.

        Notes
        -----
        Returned folders are remembered without bound: the caller limits the number of calls.
        """
        if most < 0:
            raise ValueError(f"most must be >= 0, got {most}")
        waiting = (f for f in self._below if f not in self._useless and f not in self._proposed)
        candidates = heapq.nsmallest(MOST_CANDIDATES, waiting, key=self._rank)
        good = usable(candidates)
        self._useless.update(f for f, ok in zip(candidates, good, strict=True) if not ok)
        proposed = [f for f, ok in zip(candidates, good, strict=True) if ok][:most]
        self._proposed.update(proposed)
        return proposed

    def _rank(self, folder: str) -> tuple[int, int, str]:
        return -self._below[folder], -folder.count("/"), folder
