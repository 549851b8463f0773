"""What the workers of one topic tell each other through the frontier's journal.

Scored pages with their links (one link graph for all), titles of kept pages (one collection without
reprints), and that the crawl came to its end.  A worker that joins late, and a run that goes on where
an earlier one stopped, reads everything from the beginning and knows what the others know.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from topiccrawl.scoring.packing import pack_page, unpack_page

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.frontier.contract import Journal
    from topiccrawl.scoring.strategy import PageView

logger = logging.getLogger(__name__)

# The first byte of an entry tells its kind.
_PAGE = b"P"
_TITLE = b"T"
_FINISHED = b"F"

#: Entries read at once: with the strategy's own work some 20 ms.
_PIECE = 50


@dataclass(frozen=True, slots=True)
class KeptTitle:
    """A page that passed de-duplication."""

    url: str
    title: str
    content_hash: str


@dataclass(slots=True)
class CrawlJournal:
    """One worker's end of the journal."""

    journal: Journal
    on_page: Callable[[PageView], object] = lambda page: None
    """Called for every page that another worker, or an earlier run, has scored."""
    on_title: Callable[[KeptTitle], object] = lambda title: None
    """Called for every page that another worker has kept.  Titles that are read before the
    de-duplication listens are not lost: the store has them."""
    on_page_stored: Callable[[str], object] = lambda url: None
    """Called with the canonical URL of every page that anybody has kept, this worker included."""
    pages: int = 0
    """Pages scored so far by all workers and earlier runs, as far as read here."""
    finished: bool = False
    """The last thing in the journal is that the crawl came to its end: nothing was left to fetch."""
    _unreadable: int = field(default=0)

    def publish_page(self, page: PageView) -> None:
        """A page was scored here."""
        self.pages += 1
        self.finished = False
        self.journal.append([_PAGE + pack_page(page)])

    def publish_title(self, kept: KeptTitle) -> None:
        """A page was kept here."""
        words = [kept.url, kept.title, kept.content_hash]
        self.journal.append([_TITLE + json.dumps(words).encode()])
        self.on_page_stored(kept.url)

    def publish_finished(self) -> None:
        """Nothing is left to fetch."""
        if not self.finished:
            self.finished = True
            self.journal.append([_FINISHED])

    def replay(self) -> bool:
        """Take in a piece of the news; whether there may be more."""
        news = self.journal.read_new(_PIECE)
        for entry in news:
            try:
                self._take(entry[:1], entry[1:])
            except (ValueError, TypeError) as error:
                # Written by a version that knows more, or damaged: the crawl can do without.
                self._unreadable += 1
                if self._unreadable == 1:
                    logger.warning("An entry of the journal cannot be read: %(e)s", {"e": error})
        return len(news) == _PIECE

    def _take(self, kind: bytes, data: bytes) -> None:
        if kind == _PAGE:
            page = unpack_page(data)
            self.pages += 1
            self.finished = False
            self.on_page(page)
        elif kind == _TITLE:
            kept = KeptTitle(*json.loads(data))
            self.on_title(kept)
            self.on_page_stored(kept.url)
        elif kind == _FINISHED:
            self.finished = True
        else:
            raise ValueError(f"unknown kind {kind!r}")
