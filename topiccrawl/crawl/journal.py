"""The crawl journal: what the workers of one topic share through their frontier.

Entries are scored pages with their links (one link graph for all workers), the pages that are kept, what
the URL filter has learned (one allowance for a trap), the lines that hosts repeat, pages that were
withdrawn, judgments of the user, pages of an earlier crawl, queries to search engines, entries that were
imported, templates of pages that need a browser, links that led to no page, what the crawl is based on,
and its end. A worker that joins late, and a run that continues an earlier one, replays the journal from the beginning.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

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
    from collections.abc import Iterable

    from topiccrawl.frontier.contract import Journal
    from topiccrawl.scoring.strategy import PageView

logger = logging.getLogger(__name__)

# The first byte of an entry is its kind.
_PAGE = b"P"
_KEPT = b"T"
_FINISHED = b"F"
_JUDGMENT = b"J"
_FORGOTTEN = b"D"
_WITHDRAWN = b"W"
_EARLIER = b"E"
_LESSON = b"U"
_CONTACT = b"H"
_SITE_FILE = b"S"
_LIST = b"L"
_IMPORTED = b"I"
_SEARCH = b"Q"
_VALIDATORS = b"V"
_BROWSER = b"B"
_EDGES = b"R"
_BASIS = b"A"
_DEAD = b"X"
_ANSWERS = b"Y"

#: Entries read at once: some 20 ms with the strategy's own work.
_PIECE = 50


def _ignore(*entry: object) -> None:
    """Receive an entry that nobody needs."""


@dataclass(slots=True, eq=False)
class CrawlJournal:
    """One worker's end of the journal, with the receivers of its entries."""

    journal: Journal
    """The frontier's journal."""
    on_page: Callable[[PageView], object] = _ignore
    """Receives every page that another worker, or an earlier run, has scored."""
    on_kept: Callable[[KeptPage], object] = _ignore
    """Receives every page that another worker, or an earlier run, has kept."""
    on_page_stored: Callable[[str], object] = _ignore
    """Receives the canonical URL of every page that any worker has kept, this one included."""
    on_judgment: Callable[[Judgment], object] = _ignore
    """Receives every judgment of the user, those published here included."""
    on_withdrawn: Callable[[str], object] = _ignore
    """Receives the canonical URL of every page that any worker has withdrawn from the collection, this one
    included."""
    on_judgment_forgotten: Callable[[str], object] = _ignore
    """Receives the canonical URL of every judgment that the user has deleted from its file."""
    on_earlier: Callable[[PageView], object] = _ignore
    """Receives every page of an earlier crawl whose queue was erased, published here included."""
    on_lesson: Callable[[Lesson], object] = _ignore
    """Receives what another worker's, or an earlier run's, URL filter has learned from each page."""
    on_contact: Callable[[str], object] = _ignore
    """Receives the name of every host that another worker, or an earlier run, has contacted."""
    on_site_file: Callable[[FileRead], object] = _ignore
    """Receives every file of a whole site that another worker, or an earlier run, has read."""
    on_list: Callable[[str], object] = _ignore
    """Receives the canonical URL of every list page that another worker, or an earlier run, has seen on a
    whole site."""
    on_imported: Callable[[str, str], object] = _ignore
    """Receives key and canonical URL of every entry whose import is complete, this worker's included."""
    on_search: Callable[[SearchEntry], object] = _ignore
    """Receives every query to a search engine, and every answer, of any worker and run."""
    on_wrong_validators: Callable[[str], object] = _ignore
    """Receives every host whose ETag or Last-Modified another worker, or an earlier run, found wrong."""
    on_browser: Callable[[Learned], object] = _ignore
    """Receives what another worker, or an earlier run, has learned about a template of pages."""
    on_edges: Callable[[BodyEdges], object] = _ignore
    """Receives the lines at the ends of the body of every page that another worker, or an earlier run, has
    learned from."""
    on_basis: Callable[[CrawlBasis], object] = _ignore
    """Receives what another worker, or an earlier run, is based on, when that is new."""
    on_dead: Callable[[str, str], object] = _ignore
    """Receives the canonical URL of every link that has led another worker, or an earlier run, to no page, and
    the host whose link it was."""
    on_answers: Callable[[str], object] = _ignore
    """Receives every host one of whose links to others has led to a page after many that had not."""
    _pages: int = field(default=0, init=False)
    _finished: bool = field(default=False, init=False)
    _unreadable: int = field(default=0, init=False)

    @property
    def pages(self) -> int:
        """Pages scored so far by all workers and earlier runs, as far as read here."""
        return self._pages

    @property
    def finished(self) -> bool:
        """Whether the last entry is the end of a crawl: nothing was left to fetch."""
        return self._finished

    def publish_page(
        self, page: PageView, lesson: Lesson | None = None, edges: BodyEdges | None = None
    ) -> None:
        """Append a page that was scored here, and what was learned from it: by the URL filter, and
        about the lines that its host repeats.
        """
        self._pages += 1
        self._finished = False
        entries = [_PAGE + pack_page(page)]
        if lesson is not None:
            entries.append(_LESSON + pack_lesson(lesson))
        if edges is not None:
            entries.append(_EDGES + pack_edges(edges))
        self.journal.append(entries)

    def publish_lesson(self, lesson: Lesson) -> None:
        """Append what the URL filter has learned without a page."""
        self.journal.append([_LESSON + pack_lesson(lesson)])

    def publish_kept(self, kept: KeptPage) -> None:
        """Append a page that was kept here."""
        words = [kept.url, kept.title, kept.content_hash]
        self.journal.append([_KEPT + json.dumps(words).encode()])
        self.on_page_stored(kept.url)

    def publish_withdrawn(self, url: str) -> None:
        """Append that the page with this canonical URL is not kept any longer."""
        self.journal.append([_WITHDRAWN + json.dumps(url).encode()])
        self.on_withdrawn(url)

    def publish_judgment(self, judgment: Judgment) -> None:
        """Append a judgment of the user."""
        at = None if judgment.at is None else judgment.at.isoformat()
        words = [judgment.url, judgment.relevant, at, judgment.file]
        self.journal.append([_JUDGMENT + json.dumps(words).encode()])
        self.on_judgment(judgment)

    def publish_judgment_forgotten(self, url: str) -> None:
        """Append that the user has deleted the judgment of this canonical URL."""
        self.journal.append([_FORGOTTEN + json.dumps(url).encode()])
        self.on_judgment_forgotten(url)

    def publish_earlier(self, pages: Iterable[bytes]) -> None:
        """Append what :func:`packed_pages` found in the journal of an earlier crawl."""
        for page in pages:
            try:
                self.on_earlier(check_page(unpack_page(page)))
            except Exception:
                continue  # Damaged, or of another version: this crawl can do without.
            self.journal.append([_EARLIER + page])

    def publish_contact(self, host: str) -> None:
        """Append the name of a host that is contacted for the first time."""
        self.journal.append([_CONTACT + json.dumps(host).encode()])

    def publish_site_file(self, record: FileRead) -> None:
        """Append a file of a whole site that was read here."""
        self.journal.append([_SITE_FILE + packed(record)])

    def publish_list(self, url: str) -> None:
        """Append the canonical URL of a list page of a whole site that was seen here."""
        self.journal.append([_LIST + json.dumps(url).encode()])

    def publish_imported(self, key: str, url: str) -> None:
        """Append that the entry *key* of an import is in the store, as the page *url*, or dropped."""
        self.journal.append([_IMPORTED + json.dumps([key, url]).encode()])
        self.on_imported(key, url)

    def publish_search(self, entry: SearchEntry) -> None:
        """Append a query to a search engine, or its answer."""
        self.journal.append([_SEARCH + pack_entry(entry)])
        self.on_search(entry)

    def publish_wrong_validators(self, host: str) -> None:
        """Append a host whose ETag or Last-Modified do not change with its pages."""
        self.journal.append([_VALIDATORS + json.dumps(host).encode()])

    def publish_browser(self, learned: Learned) -> None:
        """Append whether a browser shows more of the pages of a template than plain HTTP."""
        self.journal.append([_BROWSER + json.dumps(list(learned)).encode()])

    def publish_basis(self, basis: CrawlBasis) -> None:
        """Append the basis of this worker."""
        self.journal.append([_BASIS + basis.packed()])

    def publish_dead(self, url: str, source: str = "") -> None:
        """Append the canonical URL of a link that has led to no page, and the host whose link it was."""
        self.journal.append([_DEAD + json.dumps([url, source]).encode()])

    def publish_answers(self, source: str) -> None:
        """Append a host one of whose links to others has led to a page after many that had not."""
        self.journal.append([_ANSWERS + json.dumps(source).encode()])

    def publish_finished(self) -> None:
        """Append that nothing is left to fetch."""
        if not self._finished:
            self._finished = True
            self.journal.append([_FINISHED])

    def replay(self) -> bool:
        """Read a piece of what is new; return whether there may be more."""
        entries = self.journal.read_new(_PIECE)
        for entry in entries:
            try:
                self._read(entry[:1], entry[1:])
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

    def _read(self, kind: bytes, data: bytes) -> None:
        read = _READERS.get(kind)
        if read is None:
            raise ValueError(f"unknown kind {kind!r}")
        read(self, data)

    def _read_page(self, data: bytes) -> None:
        page = check_page(unpack_page(data))
        self._pages += 1
        self._finished = False
        self.on_page(page)

    def _read_kept(self, data: bytes) -> None:
        kept = KeptPage(*_texts(data, 3))
        self.on_kept(kept)
        self.on_page_stored(kept.url)

    def _read_finished(self, data: bytes) -> None:
        self._finished = True


#: How an entry of each kind is read, and who receives it.
_READERS: Final[Mapping[bytes, Callable[[CrawlJournal, bytes], object]]] = {
    _PAGE: CrawlJournal._read_page,
    _KEPT: CrawlJournal._read_kept,
    _FINISHED: CrawlJournal._read_finished,
    _JUDGMENT: lambda to, data: to.on_judgment(_judgment(data)),
    _FORGOTTEN: lambda to, data: to.on_judgment_forgotten(_text(data)),
    _WITHDRAWN: lambda to, data: to.on_withdrawn(_text(data)),
    _EARLIER: lambda to, data: to.on_earlier(check_page(unpack_page(data))),
    _LESSON: lambda to, data: to.on_lesson(unpack_lesson(data)),
    _CONTACT: lambda to, data: to.on_contact(_text(data)),
    _SITE_FILE: lambda to, data: to.on_site_file(unpacked_file(data)),
    _LIST: lambda to, data: to.on_list(_list(data)),
    _IMPORTED: lambda to, data: to.on_imported(*_texts(data, 2)),
    _SEARCH: lambda to, data: to.on_search(unpack_entry(data)),
    _VALIDATORS: lambda to, data: to.on_wrong_validators(_text(data)),
    _BROWSER: lambda to, data: to.on_browser(_learned(data)),
    _EDGES: lambda to, data: to.on_edges(unpack_edges(data)),
    _BASIS: lambda to, data: to.on_basis(CrawlBasis.unpacked(data)),
    _DEAD: lambda to, data: to.on_dead(*_dead(data)),
    _ANSWERS: lambda to, data: to.on_answers(_text(data)),
}


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


def _dead(data: bytes) -> list[str]:
    # Entries of older versions are the URL alone.
    return _texts(data, 2) if data[:1] == b"[" else [_text(data), ""]


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


def packed_pages(journal: Journal, most: int) -> list[bytes]:
    """Return the newest pages of a whole *journal*, at most *most*, as it holds them."""
    newest: deque[bytes] = deque(maxlen=most)
    while entries := journal.read_new(_PIECE):
        newest.extend(
            entry[1:]
            for entry in entries
            if isinstance(entry, bytes) and entry[:1] in (_PAGE, _EARLIER)
        )
    return list(newest)
