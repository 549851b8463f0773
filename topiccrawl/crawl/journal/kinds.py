"""The kinds of entries of the crawl journal, each declared once, with its packing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from topiccrawl.crawl.copies.rule import KeptPage
from topiccrawl.crawl.journal.basis import CrawlBasis
from topiccrawl.crawl.journal.queries import SearchEntry, pack_entry, unpack_entry
from topiccrawl.crawl.pages.browsing import Learned
from topiccrawl.page.body.host_learning import BodyEdges, pack_edges, unpack_edges
from topiccrawl.scoring.packing import check_page, pack_page, unpack_page
from topiccrawl.topics.definition import Judgment
from topiccrawl.urls.lessons import Lesson, pack_lesson, unpack_lesson

if TYPE_CHECKING:
    from topiccrawl.scoring.strategy import PageView

T = TypeVar("T")

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


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file of a whole site that a worker has read, or (without URL) the budget that it has granted."""

    site: str
    url: str
    sort: str
    """See :class:`~topiccrawl.sites.files.SiteFile`."""
    addresses: int
    """Pages of the site that it lists."""
    files: int
    """Further files that were queued."""
    stopped: str = ""
    """Why it was read in part only; empty if it was not."""


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


def _pack_file(record: FileRead) -> bytes:
    return json.dumps([getattr(record, it.name) for it in fields(record)]).encode()


def _file(data: bytes) -> FileRead:
    site, url, sort, addresses, files, stopped = json.loads(data)
    return FileRead(str(site), str(url), str(sort), int(addresses), int(files), str(stopped))


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
SITE_FILE: Final[Kind[FileRead]] = Kind(b"S", _pack_file, _file)
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


def kind_of(entry: bytes) -> Kind[Any]:
    """Return the kind of *entry*; raises ``ValueError`` if there is no such kind."""
    kind = _KINDS.get(entry[:1])
    if kind is None:
        raise ValueError(f"unknown kind {entry[:1]!r}")
    return kind
