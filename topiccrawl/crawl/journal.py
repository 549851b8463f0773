"""The crawl journal: what the workers of one topic share through their frontier.

Each entry is of one :class:`Kind`, declared below; parts of the crawl subscribe to those that they need.  A
worker that joins late, and a run that continues an earlier one, replays the journal from the beginning.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from topiccrawl.crawl.basis import CrawlBasis
from topiccrawl.crawl.browsing import Learned
from topiccrawl.crawl.copies.rule import KeptPage
from topiccrawl.crawl.search.entries import SearchEntry, pack_entry, unpack_entry
from topiccrawl.crawl.sites.marks import FileRead, packed, unpacked_file
from topiccrawl.errors import described
from topiccrawl.language import _
from topiccrawl.page.body.host_learning import BodyEdges, pack_edges, unpack_edges
from topiccrawl.scoring.packing import check_page, pack_page, unpack_page
from topiccrawl.topics.definition import Judgment
from topiccrawl.urls.lessons import Lesson, pack_lesson, unpack_lesson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from topiccrawl.frontier.contract import Journal
    from topiccrawl.scoring.strategy import PageView

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Entries read at once: some 20 ms with the strategy's own work.
_PIECE = 50
_KINDS: Final[dict[bytes, Kind[Any]]] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Kind(Generic[T]):
    """One kind of entries."""

    byte: bytes
    """The first byte of each, which no other kind has."""
    pack: Callable[[T], bytes]
    unpack: Callable[[bytes], T]
    """Raises an exception for what :attr:`pack` has not made."""

    def __post_init__(self) -> None:
        if _KINDS.setdefault(self.byte, self) is not self:
            raise ValueError(f"{self.byte!r} is another kind of entries")

    def entry(self, value: T) -> bytes:
        """Return the entry that contains *value*."""
        return self.byte + self.pack(value)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def _text(data: bytes) -> str:
    value = json.loads(data)
    if not isinstance(value, str):
        raise ValueError(f"text was expected, got a {type(value).__name__}")
    return value


def _texts(data: bytes, count: int) -> list[str]:
    values = json.loads(data)
    if not isinstance(values, list) or [type(value) for value in values] != [str] * count:
        raise ValueError(f"{count} texts were expected")
    return values


def _page(data: bytes) -> PageView:
    return check_page(unpack_page(data))


def _pack_judgment(judgment: Judgment) -> bytes:
    at = None if judgment.at is None else judgment.at.isoformat()
    return _json([judgment.url, judgment.relevant, at, judgment.file])


def _judgment(data: bytes) -> Judgment:
    # Entries of older versions have no file.
    url, relevant, at, file = (*json.loads(data), "")[:4]
    moment = None if at is None else datetime.fromisoformat(at)
    return Judgment(str(url), bool(relevant), moment, file=str(file))


def _list(data: bytes) -> str:
    # In entries of older versions, what the page lists stands beside its URL.
    return _text(data) if data[:1] == b'"' else str(json.loads(data)[0])


def _learned(data: bytes) -> Learned:
    host, template, gains = json.loads(data)
    return Learned(str(host), str(template), bool(gains))


def _dead(data: bytes) -> tuple[str, str]:
    # Entries of older versions are the URL alone.
    url, source = _texts(data, 2) if data[:1] == b"[" else (_text(data), "")
    return url, source


def _imported(data: bytes) -> tuple[str, str]:
    key, url = _texts(data, 2)
    return key, url


#: A page that was scored.  Published with :meth:`CrawlJournal.publish_page`.
PAGE: Final[Kind[PageView]] = Kind(b"P", pack_page, _page)
#: A page of an earlier crawl whose queue was erased.  Published with :meth:`CrawlJournal.publish_earlier`.
EARLIER: Final[Kind[PageView]] = Kind(b"E", pack_page, _page)
#: A page that was kept.
KEPT: Final[Kind[KeptPage]] = Kind(
    b"T", lambda kept: _json(astuple(kept)), lambda data: KeptPage(*_texts(data, 3))
)
#: Canonical URL of a page that is not kept any longer.
WITHDRAWN: Final[Kind[str]] = Kind(b"W", _json, _text)
#: A judgment of the user.
JUDGMENT: Final[Kind[Judgment]] = Kind(b"J", _pack_judgment, _judgment)
#: Canonical URL of a judgment that the user has deleted from its file.
JUDGMENT_FORGOTTEN: Final[Kind[str]] = Kind(b"D", _json, _text)
#: What the URL filter has learned, from a page or without one.
LESSON: Final[Kind[Lesson]] = Kind(b"U", pack_lesson, unpack_lesson)
#: Name of a host that is contacted for the first time.
CONTACT: Final[Kind[str]] = Kind(b"H", _json, _text)
#: A file of a whole site that was read.
SITE_FILE: Final[Kind[FileRead]] = Kind(b"S", packed, unpacked_file)
#: Canonical URL of a list page of a whole site.
LIST: Final[Kind[str]] = Kind(b"L", _json, _list)
#: Key of an entry of an import that is in the store or dropped, and canonical URL of its page.
IMPORTED: Final[Kind[tuple[str, str]]] = Kind(b"I", _json, _imported)
#: A query to a search engine, or its answer.
SEARCH: Final[Kind[SearchEntry]] = Kind(b"Q", pack_entry, unpack_entry)
#: Name of a host whose ETag or Last-Modified do not change with its pages.
WRONG_VALIDATORS: Final[Kind[str]] = Kind(b"V", _json, _text)
#: Whether a browser shows more of the pages of a template than plain HTTP.
BROWSER: Final[Kind[Learned]] = Kind(b"B", _json, _learned)
#: The lines at the ends of the body of a page.
EDGES: Final[Kind[BodyEdges]] = Kind(b"R", pack_edges, unpack_edges)
#: What a worker is based on, when that is new.
BASIS: Final[Kind[CrawlBasis]] = Kind(b"A", CrawlBasis.packed, CrawlBasis.unpacked)
#: Canonical URL of a link that has led to no page, and the host whose link it was.
DEAD: Final[Kind[tuple[str, str]]] = Kind(b"X", _json, _dead)
#: Name of a host one of whose links to others has led to a page after many that had not.
ANSWERS: Final[Kind[str]] = Kind(b"Y", _json, _text)
#: Nothing is left to fetch.  Published with :meth:`CrawlJournal.publish_finished`.
FINISHED: Final[Kind[None]] = Kind(b"F", lambda nothing: b"", lambda data: None)


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
        kind = _KINDS.get(entry[:1])
        if kind is None:
            raise ValueError(f"unknown kind {entry[:1]!r}")
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
