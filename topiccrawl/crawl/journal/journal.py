"""The crawl journal: what the workers of one topic share through their frontier.

Each entry is of one :class:`~topiccrawl.crawl.journal.kinds.Kind`; parts of the crawl subscribe to those that they
need.  A worker that joins late, and a run that continues an earlier one, replays the journal from the beginning.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from topiccrawl.crawl.journal.kinds import EARLIER, EDGES, FINISHED, LESSON, PAGE, Kind, kind_of
from topiccrawl.errors import described
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.frontier.contract import Journal
    from topiccrawl.page.body.host_learning import BodyEdges
    from topiccrawl.scoring.strategy import PageView
    from topiccrawl.urls.lessons import Lesson

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Entries read at once: some 20 ms with the strategy's own work.
_PIECE = 50


class CrawlJournal:
    """One worker's end of the journal, *journal* is the frontier's."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._receivers: dict[Kind[Any], list[Callable[[Any], object]]] = {}
        self._own: dict[Kind[Any], list[Callable[[Any], object]]] = {}
        self._pages = 0
        self._finished = False
        self._unreadable = 0

    @property
    def pages(self) -> int:
        """Pages scored so far by all workers and earlier runs, as far as read here."""
        return self._pages

    @property
    def finished(self) -> bool:
        """Whether the last entry is the end of a crawl: nothing was left to fetch."""
        return self._finished

    def subscribe(
        self, kind: Kind[T], receiver: Callable[[T], object], *, own: bool = False
    ) -> None:
        """Have *receiver* called with what other workers and earlier runs have published.

        With *own*, also with what is published here.
        """
        for receivers in (self._receivers, self._own) if own else (self._receivers,):
            receivers.setdefault(kind, []).append(receiver)

    def publish(self, kind: Kind[T], value: T) -> None:
        """Append an entry of this worker."""
        self._journal.append([kind.entry(value)])
        self._give(self._own, kind, value)

    def publish_page(
        self, page: PageView, lesson: Lesson | None = None, edges: BodyEdges | None = None
    ) -> None:
        """Append a page that was scored here, and what was learned from it: by the URL filter, and
        about the lines that its host repeats.
        """
        self._pages += 1
        self._finished = False
        entries = [PAGE.entry(page)]
        if lesson is not None:
            entries.append(LESSON.entry(lesson))
        if edges is not None:
            entries.append(EDGES.entry(edges))
        self._journal.append(entries)

    def publish_earlier(self, pages: Iterable[bytes]) -> None:
        """Append what :func:`packed_pages` found in the journal of an earlier crawl."""
        for page in pages:
            try:
                self._give(self._own, EARLIER, EARLIER.unpack(page))
            except Exception:
                continue  # Damaged, or of another version: this crawl can do without.
            self._journal.append([EARLIER.byte + page])

    def publish_finished(self) -> None:
        """Append that nothing is left to fetch."""
        if not self._finished:
            self._finished = True
            self.publish(FINISHED, None)

    def replay(self) -> bool:
        """Read a piece of what is new; return whether there may be more."""
        return self._receive(self._journal.read_new(_PIECE))

    def read_before_own(self) -> None:
        """Read all that other workers have appended before the last entries of this worker.

        A page that is published, and scored only after this, is scored in the order of the journal, which
        is the same for all workers.
        """
        while self._receive(self._journal.read_new(_PIECE, before_own=True)):
            pass

    def _receive(self, entries: Sequence[bytes]) -> bool:
        for entry in entries:
            try:
                self._read(entry)
            except Exception as error:
                # Written by a newer version, damaged, or poisoned: the crawl can do without, whatever
                # reading it raises here or in a strategy.
                self._unreadable += 1
                if self._unreadable == 1:
                    logger.warning(
                        _(
                            "An entry of the journal cannot be read, nor may others be: %(error).200s"
                        ),
                        {"error": described(error)},
                    )
        return len(entries) == _PIECE

    def _read(self, entry: bytes) -> None:
        kind = kind_of(entry)
        value = kind.unpack(entry[1:])
        if kind is PAGE:
            self._pages += 1
            self._finished = False
        elif kind is FINISHED:
            self._finished = True
        self._give(self._receivers, kind, value)

    def _give(
        self, to: dict[Kind[Any], list[Callable[[Any], object]]], kind: Kind[T], value: T
    ) -> None:
        receivers: Sequence[Callable[[T], object]] = to.get(kind, ())
        for receive in receivers:
            receive(value)


def packed_pages(journal: Journal, most: int) -> list[bytes]:
    """Return the newest pages of a whole *journal*, at most *most*, as it holds them."""
    newest: deque[bytes] = deque(maxlen=most)
    while entries := journal.read_new(_PIECE):
        newest.extend(
            entry[1:]
            for entry in entries
            if isinstance(entry, bytes) and entry[:1] in (PAGE.byte, EARLIER.byte)
        )
    return list(newest)
