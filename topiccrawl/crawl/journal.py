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
from datetime import datetime
from typing import TYPE_CHECKING

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
    from collections.abc import Callable, Iterable

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


class CrawlJournal:
    """One worker's end of the journal."""

    def __init__(
        self,
        journal: Journal,
        on_page: Callable[[PageView], object] = lambda page: None,
        on_kept: Callable[[KeptPage], object] = lambda kept: None,
        on_page_stored: Callable[[str], object] = lambda url: None,
        on_judgment: Callable[[Judgment], object] = lambda judgment: None,
        on_withdrawn: Callable[[str], object] = lambda url: None,
        on_judgment_forgotten: Callable[[str], object] = lambda url: None,
        on_earlier: Callable[[PageView], object] = lambda page: None,
        on_lesson: Callable[[Lesson], object] = lambda lesson: None,
        on_contact: Callable[[str], object] = lambda host: None,
        on_site_file: Callable[[FileRead], object] = lambda record: None,
        on_list: Callable[[str], object] = lambda url: None,
        on_imported: Callable[[str, str], object] = lambda key, url: None,
        on_search: Callable[[SearchEntry], object] = lambda entry: None,
        on_wrong_validators: Callable[[str], object] = lambda host: None,
        on_browser: Callable[[Learned], object] = lambda learned: None,
        on_edges: Callable[[BodyEdges], object] = lambda edges: None,
        on_basis: Callable[[CrawlBasis], object] = lambda basis: None,
        on_dead: Callable[[str, str], object] = lambda url, source: None,
        on_answers: Callable[[str], object] = lambda source: None,
    ) -> None:
        """Connect the receivers of entries.

        Parameters
        ----------
        journal
            The frontier's journal.
        on_page
            Receives every page that another worker, or an earlier run, has scored.
        on_kept
            Receives every page that another worker, or an earlier run, has kept.
        on_page_stored
            Receives the canonical URL of every page that any worker has kept, this one included.
        on_judgment
            Receives every judgment of the user, those published here included.
        on_withdrawn
            Receives the canonical URL of every page that any worker has withdrawn from the
            collection, this one included.
        on_judgment_forgotten
            Receives the canonical URL of every judgment that the user has deleted from its file.
        on_earlier
            Receives every page of an earlier crawl whose queue was erased, published here included.
        on_lesson
            Receives what another worker's, or an earlier run's, URL filter has learned from each page.
        on_contact
            Receives the name of every host that another worker, or an earlier run, has contacted.
        on_site_file
            Receives every file of a whole site that another worker, or an earlier run, has read.
        on_list
            Receives the canonical URL of every list page that another worker, or an earlier run, has seen on a whole site.
        on_imported
            Receives key and canonical URL of every entry whose import is complete, this worker's
            included.
        on_search
            Receives every query to a search engine, and every answer, of any worker and run.
        on_wrong_validators
            Receives every host whose ETag or Last-Modified another worker, or an earlier run, found wrong.
        on_browser
            Receives what another worker, or an earlier run, has learned about a template of pages.
        on_edges
            Receives the lines at the ends of the body of every page that another worker, or an earlier
            run, has learned from.
        on_basis
            Receives what another worker, or an earlier run, is based on, when that is new.
        on_dead
            Receives the canonical URL of every link that has led another worker, or an earlier run, to no page.
        """
        self._journal = journal
        self._on_page = on_page
        self._on_kept = on_kept
        self._on_page_stored = on_page_stored
        self._on_judgment = on_judgment
        self._on_withdrawn = on_withdrawn
        self._on_judgment_forgotten = on_judgment_forgotten
        self._on_earlier = on_earlier
        self._on_lesson = on_lesson
        self._on_contact = on_contact
        self._on_site_file = on_site_file
        self._on_list = on_list
        self._on_imported = on_imported
        self._on_search = on_search
        self._on_wrong_validators = on_wrong_validators
        self._on_browser = on_browser
        self._on_edges = on_edges
        self._on_basis = on_basis
        self._on_dead = on_dead
        self._on_answers = on_answers
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
        self._journal.append(entries)

    def publish_lesson(self, lesson: Lesson) -> None:
        """Append what the URL filter has learned without a page."""
        self._journal.append([_LESSON + pack_lesson(lesson)])

    def publish_kept(self, kept: KeptPage) -> None:
        """Append a page that was kept here."""
        words = [kept.url, kept.title, kept.content_hash]
        self._journal.append([_KEPT + json.dumps(words).encode()])
        self._on_page_stored(kept.url)

    def publish_withdrawn(self, url: str) -> None:
        """Append that the page with this canonical URL is not kept any longer."""
        self._journal.append([_WITHDRAWN + json.dumps(url).encode()])
        self._on_withdrawn(url)

    def publish_judgment(self, judgment: Judgment) -> None:
        """Append a judgment of the user."""
        at = None if judgment.at is None else judgment.at.isoformat()
        words = [judgment.url, judgment.relevant, at, judgment.file]
        self._journal.append([_JUDGMENT + json.dumps(words).encode()])
        self._on_judgment(judgment)

    def publish_judgment_forgotten(self, url: str) -> None:
        """Append that the user has deleted the judgment of this canonical URL."""
        self._journal.append([_FORGOTTEN + json.dumps(url).encode()])
        self._on_judgment_forgotten(url)

    def publish_earlier(self, pages: Iterable[bytes]) -> None:
        """Append what :func:`packed_pages` found in the journal of an earlier crawl."""
        for page in pages:
            try:
                self._on_earlier(check_page(unpack_page(page)))
            except Exception:
                continue  # Damaged, or of another version: this crawl can do without.
            self._journal.append([_EARLIER + page])

    def publish_contact(self, host: str) -> None:
        """Append the name of a host that is contacted for the first time."""
        self._journal.append([_CONTACT + json.dumps(host).encode()])

    def publish_site_file(self, record: FileRead) -> None:
        """Append a file of a whole site that was read here."""
        self._journal.append([_SITE_FILE + packed(record)])

    def publish_list(self, url: str) -> None:
        """Append the canonical URL of a list page of a whole site that was seen here."""
        self._journal.append([_LIST + json.dumps(url).encode()])

    def publish_imported(self, key: str, url: str) -> None:
        """Append that the entry *key* of an import is in the store, as the page *url*, or dropped."""
        self._journal.append([_IMPORTED + json.dumps([key, url]).encode()])
        self._on_imported(key, url)

    def publish_search(self, entry: SearchEntry) -> None:
        """Append a query to a search engine, or its answer."""
        self._journal.append([_SEARCH + pack_entry(entry)])
        self._on_search(entry)

    def publish_wrong_validators(self, host: str) -> None:
        """Append a host whose ETag or Last-Modified do not change with its pages."""
        self._journal.append([_VALIDATORS + json.dumps(host).encode()])

    def publish_browser(self, learned: Learned) -> None:
        """Append whether a browser shows more of the pages of a template than plain HTTP."""
        self._journal.append([_BROWSER + json.dumps(list(learned)).encode()])

    def publish_basis(self, basis: CrawlBasis) -> None:
        """Append the basis of this worker."""
        self._journal.append([_BASIS + basis.packed()])

    def publish_dead(self, url: str, source: str = "") -> None:
        """Append the canonical URL of a link that has led to no page, and the host whose link it was."""
        self._journal.append([_DEAD + json.dumps([url, source]).encode()])

    def publish_answers(self, source: str) -> None:
        """Append a host one of whose links to others has led to a page after many that had not."""
        self._journal.append([_ANSWERS + json.dumps(source).encode()])

    def publish_finished(self) -> None:
        """Append that nothing is left to fetch."""
        if not self._finished:
            self._finished = True
            self._journal.append([_FINISHED])

    def replay(self) -> bool:
        """Read a piece of what is new; return whether there may be more."""
        entries = self._journal.read_new(_PIECE)
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
        if kind == _PAGE:
            page = check_page(unpack_page(data))
            self._pages += 1
            self._finished = False
            self._on_page(page)
        elif kind == _KEPT:
            kept = KeptPage(*_texts(data, 3))
            self._on_kept(kept)
            self._on_page_stored(kept.url)
        elif kind == _JUDGMENT:
            # Entries of older versions have no file.
            url, relevant, at, file = (*json.loads(data), "")[:4]
            moment = None if at is None else datetime.fromisoformat(at)
            self._on_judgment(Judgment(str(url), bool(relevant), moment, file=str(file)))
        elif kind == _FORGOTTEN:
            self._on_judgment_forgotten(_text(data))
        elif kind == _EARLIER:
            self._on_earlier(check_page(unpack_page(data)))
        elif kind == _WITHDRAWN:
            self._on_withdrawn(_text(data))
        elif kind == _LESSON:
            self._on_lesson(unpack_lesson(data))
        elif kind == _CONTACT:
            self._on_contact(_text(data))
        elif kind == _SITE_FILE:
            self._on_site_file(unpacked_file(data))
        elif kind == _LIST:
            # In entries of older versions, what the page lists stands beside its URL.
            self._on_list(_text(data) if data[:1] == b'"' else str(json.loads(data)[0]))
        elif kind == _IMPORTED:
            self._on_imported(*_texts(data, 2))
        elif kind == _SEARCH:
            self._on_search(unpack_entry(data))
        elif kind == _VALIDATORS:
            self._on_wrong_validators(_text(data))
        elif kind == _BROWSER:
            host, template, gains = json.loads(data)
            self._on_browser(Learned(str(host), str(template), bool(gains)))
        elif kind == _EDGES:
            self._on_edges(unpack_edges(data))
        elif kind == _BASIS:
            self._on_basis(CrawlBasis.unpacked(data))
        elif kind == _DEAD:
            # Entries of older versions are the URL alone.
            self._on_dead(*(_texts(data, 2) if data[:1] == b"[" else (_text(data), "")))
        elif kind == _ANSWERS:
            self._on_answers(_text(data))
        elif kind == _FINISHED:
            self._finished = True
        else:
            raise ValueError(f"unknown kind {kind!r}")


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
