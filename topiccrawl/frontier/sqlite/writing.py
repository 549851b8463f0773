"""Transactions of the SQLite frontier that change links."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from topiccrawl.frontier.sqlite.file import FrontierFile
from topiccrawl.frontier.sqlite.links import SQLiteLinks
from topiccrawl.frontier.sqlite.seen import SeenLinks

#: Most links written in one transaction: some hundredths of a second for which others wait.
PIECE: Final = 1_000


class Writing:
    """Runs transactions, each of which ends with counts and best links up to date."""

    def __init__(self, file: FrontierFile, links: SQLiteLinks, seen: SeenLinks) -> None:
        self._file = file
        self._links = links
        self._seen = seen

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Run one transaction."""
        try:
            with self._file.transaction():
                yield
                self._links.settle()
        except BaseException:
            self._links.rolled_back()
            self._seen.rolled_back()
            raise
