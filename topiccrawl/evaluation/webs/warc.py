"""A WARC file as a stored web: answers by address, read where they lie in the file.

The topics lie beside it (topics.json, relevant/*.txt), as with a SQLite file.  See docs/webs.md.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParserException

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.topics_file import read_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

__all__ = ["WarcIndex", "WarcWeb", "index_warc"]

logger = logging.getLogger(__name__)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class WarcIndex:
    """Where the answers lie in a WARC file."""

    places: dict[str, _Place]
    whole: int
    """Bytes of the file up to the end of its last whole record."""


class WarcWeb:
    """The web in the WARC file *path*; several threads may read it at once.

    Opening reads the whole file once.  Of several answers to one address the last page (status 200)
    counts, then the last redirect, then the last of anything else.

    Raises:
        ConfigurationError: the file is no WARC file, or compressed as a whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.name.removesuffix(".gz").removesuffix(".warc")
        self._index = index_warc(path)
        self._places = self._index.places
        if not self._places:
            raise ConfigurationError(f"{path} must hold answers of web servers, found none")
        described = read_topics(path.parent, self._places.__contains__)
        self.language = described.language
        self.topics: Sequence[WebTopic] = described.topics
        self._lock = threading.Lock()
        self._file = path.open("rb")

    def __len__(self) -> int:
        """Number of stored pages."""
        return len(self._places)

    def urls(self) -> Iterator[str]:
        """Return all canonical addresses in the order of the file."""
        return iter(self._places)

    def get(self, url: str) -> StoredPage | None:
        """Return the answer under a canonical address, its content encoding undone."""
        place = self._places.get(url)
        if place is None:
            return None
        with self._lock:
            self._file.seek(place.offset)
            record = next(iter(ArchiveIterator(self._file)))
            body = record.content_stream().read()
            kind = _header(record, "Content-Type")
        return StoredPage(url, body, kind, place.status, place.location)

    def close(self) -> None:
        """Give the file back."""
        with self._lock:
            self._file.close()


def index_warc(path: Path) -> WarcIndex:
    """Read a WARC file and return where its answers are.

    A record that is cut off at the end, as kill -9 leaves it, is passed over.
    """
    places: dict[str, _Place] = {}
    whole = 0
    try:
        with path.open("rb") as file:
            records = ArchiveIterator(file)
            try:
                for record in records:
                    found = _answer(record)
                    offset = records.get_record_offset()
                    if not _is_whole(record):
                        raise EOFError
                    whole = offset + records.get_record_length()
                    if found is not None:
                        url, status, location = found
                        _keep(places, url, _Place(offset, status, location))
            # What warcio raises depends on where in a record's head the file ends.
            except (EOFError, AttributeError, ValueError, StatusAndHeadersParserException):
                logger.warning("%s ends within a record; what is whole is used", path)
            file.seek(whole)
            # The end of an uncompressed record, which warcio counts to the next one.
            whole += 4 if file.read(4) == b"\r\n\r\n" else 0
    except ArchiveLoadFailed as error:
        raise ConfigurationError(
            f"{path} must be a WARC file, each record compressed by itself or none "
            f"(`warcio recompress` makes such a file): {' '.join(str(error).split())[:300]}"
        ) from error
    except OSError as error:
        raise ConfigurationError(f"{path} must be a WARC file: {error}") from error
    return WarcIndex(places, whole)


def _is_whole(record: ArcWarcRecord) -> bool:
    """Read the record to its end and say whether that is where it should be."""
    while record.raw_stream.read(1 << 20):
        pass
    return int(getattr(record.raw_stream, "limit", 0)) == 0


def _answer(record: ArcWarcRecord) -> tuple[str, int, str] | None:
    """Canonical address, status and target of an answer; None for other records."""
    if record.rec_type not in ("response", "resource"):
        return None
    target = str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> ")
    url = web_key(target)
    if url is None:
        return None
    if record.http_headers is None:
        return (url, 200, "") if record.rec_type == "resource" else None
    try:
        status = int(record.http_headers.get_statuscode())
    except ValueError:
        return None
    location = _header(record, "Location") if status in _REDIRECTS else ""
    location = _joined(target, location) if location else ""
    if location and web_key(location) == url:
        return None  # http to https: in a stored web they are one
    return url, status, location


def _keep(places: dict[str, _Place], url: str, new: _Place) -> None:
    old = places.get(url)
    if old is None or _worth(new.status) >= _worth(old.status):
        places[url] = new


def _worth(status: int) -> int:
    return 2 if status == 200 else 1 if status in _REDIRECTS else 0


def _header(record: ArcWarcRecord, name: str) -> str:
    headers: Any = record.http_headers or record.rec_headers
    return str(headers.get_header(name) or "")


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        return ""
