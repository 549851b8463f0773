"""Read a stored web from a WARC file; responses are located by an index of offsets.

The topics are in the same folder (topics.json, relevant/*.txt), as for a SQLite file.  See
docs/webs.md.  Needs warcio.
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

from topiccrawl.errors import ConfigurationError, printable
from topiccrawl.evaluation.webs.topics_file import read_topics
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import REDIRECT_STATUSES, StoredPage, WebTopic
from topiccrawl.language import _

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

__all__ = ["WarcIndex", "WarcWeb", "index_warc"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class WarcIndex:
    """Offsets of the responses in a WARC file."""

    places: dict[str, _Place]
    whole: int
    """Bytes of the file up to the end of its last complete record."""


class WarcWeb:
    """The web in the WARC file *path*; several threads may read it at once.

    Opening reads the whole file once.  Of several responses with the same key, the last page (status
    200) is used; if there is none, the last redirect; otherwise the last response.

    Raises:
        ConfigurationError: the file is not a WARC file, or is compressed as a whole.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.name = path.name.removesuffix(".gz").removesuffix(".warc")
        self._index = index_warc(path)
        self._places = self._index.places
        if not self._places:
            raise ConfigurationError(
                _("{path} must contain responses, found none").format(path=path)
            )
        described = read_topics(path.parent, self._places.__contains__)
        self.language = described.language
        self.topics: Sequence[WebTopic] = described.topics
        self._lock = threading.Lock()
        self._file = path.open("rb")

    def __len__(self) -> int:
        """Number of stored pages."""
        return len(self._places)

    def urls(self) -> Iterator[str]:
        """Return the keys of all pages in the order of the file."""
        return iter(self._places)

    def get(self, url: str) -> StoredPage | None:
        """Return the response with the key *url*, its content encoding removed."""
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
        """Close the file."""
        with self._lock:
            self._file.close()


def index_warc(path: Path) -> WarcIndex:
    """Read a WARC file and return the offsets of its responses.

    An incomplete record at the end (after kill -9) is ignored.
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
            # The exception that warcio raises depends on where in a record's header the file ends.
            except (EOFError, AttributeError, ValueError, StatusAndHeadersParserException):
                logger.warning(_("%s ends within a record; the complete records are used"), path)
            file.seek(whole)
            # warcio counts the end of an uncompressed record as part of the next one.
            whole += 4 if file.read(4) == b"\r\n\r\n" else 0
    except ArchiveLoadFailed as error:
        raise ConfigurationError(
            _(
                "{path} must be a WARC file, each record compressed by itself or none (`warcio "
                "recompress` makes such a file): {error}"
            ).format(path=path, error=printable(str(error))[:300])
        ) from error
    except OSError as error:
        raise ConfigurationError(
            _("{path} must be a WARC file: {error}").format(path=path, error=error)
        ) from error
    return WarcIndex(places, whole)


def _is_whole(record: ArcWarcRecord) -> bool:
    """Read the record to its end and return whether it has its full length."""
    while record.raw_stream.read(1 << 20):
        pass
    return int(getattr(record.raw_stream, "limit", 0)) == 0


def _answer(record: ArcWarcRecord) -> tuple[str, int, str] | None:
    """Return key, status and target of a response; ``None`` for other records."""
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
    location = _header(record, "Location") if status in REDIRECT_STATUSES else ""
    location = _joined(target, location) if location else ""
    if location and web_key(location) == url:
        return None  # redirect from http to https: both have the same key
    return url, status, location


def _keep(places: dict[str, _Place], url: str, new: _Place) -> None:
    old = places.get(url)
    if old is None or _rank(new.status) >= _rank(old.status):
        places[url] = new


def _rank(status: int) -> int:
    return 2 if status == 200 else 1 if status in REDIRECT_STATUSES else 0


def _header(record: ArcWarcRecord, name: str) -> str:
    headers: Any = record.http_headers or record.rec_headers
    return str(headers.get_header(name) or "")


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        return ""
