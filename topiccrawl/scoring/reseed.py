"""New seeds for a crawl that has run dry: the folders and sites above the relevant pages found.

Sites keep similar pages together: the folder of a relevant page often lists others that no link has led
to.  But many sites answer no request for a folder: of the 128 folders above the pages of two stored webs,
an encyclopedia and a collection of manuals, not one is a page.  So a folder is proposed only if

- it is the root of its site,
- a fetched page links to it, or
- folders of the same shape have answered on this host, and more of them than have failed.

There is no source for these rules.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum

#: Folders that are counted; beyond this number the half with fewer relevant pages is forgotten (a guess: a
#: megabyte or less).
MOST_FOLDERS = 5_000
#: Levels of a path that are counted from the site's root on: deeper paths are traps (docs/urls.md).
MOST_LEVELS = 16
#: Candidates that one call checks, so that it never blocks an event loop for long (a guess).
MOST_CANDIDATES = 500

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


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


class FolderState(Enum):
    """The state of a folder's URL in the crawl."""

    UNKNOWN = "unknown"
    """No fetched page links to it."""
    WAITING = "waiting"
    """A fetched page links to it; it was not fetched yet."""
    ANSWERED = "answered"
    """It was fetched."""
    FAILED = "failed"
    """It could not be fetched: there is no such page, robots.txt forbids it."""
    BARRED = "barred"
    """It must not be fetched: the address looks like a trap."""


def shape(folder: str) -> str:
    """Return the host of a folder with the kinds of characters in its path.

    Runs of letters become ``a``, runs of digits ``0``.

    Examples
    --------
    >>> shape("http://host/news/2024-05/")
    'http://host/a/0-0/'
    """
    scheme, _, rest = folder.partition("://")
    host, _, path = rest.partition("/")
    return f"{scheme}://{host}/{_LETTERS.sub('a', _DIGITS.sub('0', path))}"


def is_root(folder: str) -> bool:
    """Return whether a folder is the root of its site: ``http://host/``."""
    return folder.count("/") == 3


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
        self._unlinked: set[str] = set()
        self._settled: set[str] = set()
        self._proposed: set[str] = set()
        #: By shape: folders that answered, less those that failed.
        self._answers: Counter[str] = Counter()

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
            self._unlinked &= self._below.keys()
            self._settled &= self._below.keys()

    def remove(self, url: str) -> None:
        """Take back one count of *url*: the page left the collection."""
        for folder in ancestors(url):
            left = self._below.get(folder, 0) - 1
            if left > 0:
                self._below[folder] = left
            elif left == 0:
                del self._below[folder]
                self._unlinked.discard(folder)
                self._settled.discard(folder)

    def propose(
        self, most: int, states: Callable[[Sequence[str]], Sequence[FolderState]]
    ) -> list[str]:
        """Return up to *most* folders: most relevant pages below first, deeper ones among equals.

        Parameters
        ----------
        most
            Largest number of folders, >= 0.
        states
            Returns the state of each folder.  One that was fetched, or must not be, is not checked
            again while it is counted.

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
        # Folders that were checked before come last, so that in time each is checked.
        open_ones = (
            (f in self._unlinked, *self._rank(f)) for f in self._below.keys() - self._settled
        )
        checked = sorted(rank[1:] for rank in heapq.nsmallest(MOST_CANDIDATES, open_ones))
        folders = [folder for _, _, folder in checked]
        found = dict(zip(folders, states(folders), strict=True))
        self._learn(found)
        guesses = self._answers.copy()
        proposed: list[str] = []
        for folder, state in found.items():
            if folder in self._proposed or len(proposed) == most:
                continue
            if state is FolderState.UNKNOWN and not is_root(folder):
                kind = shape(folder)
                if guesses[kind] <= 0:
                    continue
                guesses[kind] -= 1
            elif state not in (FolderState.UNKNOWN, FolderState.WAITING):
                continue
            proposed.append(folder)
        self._proposed.update(proposed)
        return proposed

    def _learn(self, found: Mapping[str, FolderState]) -> None:
        for folder, state in found.items():
            if state is FolderState.UNKNOWN:
                self._unlinked.add(folder)
            elif state is not FolderState.WAITING:
                self._settled.add(folder)
                if state is not FolderState.BARRED:
                    self._answers[shape(folder)] += 1 if state is FolderState.ANSWERED else -1

    def _rank(self, folder: str) -> tuple[int, int, str]:
        return -self._below[folder], -folder.count("/"), folder
