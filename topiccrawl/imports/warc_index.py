"""An index of the responses in a WARC file, and the responses themselves.  Needs warcio."""

from __future__ import annotations

import logging
import mmap
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from urllib.parse import urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import ChunkedDataReader
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParserException

from topiccrawl.errors import ConfigurationError, printable
from topiccrawl.imports.content_codings import DamagedBody, decoded
from topiccrawl.imports.entries import REDIRECT_STATUSES
from topiccrawl.language import _

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

__all__ = ["WarcIndex", "WarcPlace", "WarcResponse", "index_responses", "read_response"]

logger = logging.getLogger(__name__)

#: How a record begins, packed or not.
_BEGINNING: Final = re.compile(rb"\x1f\x8b\x08|WARC/[01]\.\d+\r\n")
#: Damaged places after which the rest of a file is not read (a guess).
_MOST_DAMAGES: Final = 100
#: Bytes of a body if no limit is given.
_MOST_BYTES: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class WarcPlace:
    """Where a response is, and what is known of it without its body."""

    offset: int
    status: int
    location: str
    """Absolute URL of a redirect's target; empty for other responses."""


@dataclass(frozen=True, slots=True)
class WarcIndex:
    """Offsets of the responses in a WARC file."""

    places: dict[str, WarcPlace]
    whole: int
    """Bytes of the file up to the end of its last complete record."""
    responses: int = 0
    """Complete responses, those without a place of their own included."""
    damages: int = 0
    """Places where records could not be read."""


@dataclass(frozen=True, slots=True)
class WarcResponse:
    """One response, its content encoding removed."""

    url: str
    body: bytes
    content_type: str
    date: str
    """``WARC-Date``, as it is written."""
    damaged: bool = False
    """Whether the content encoding could not be removed, or only from the beginning of the body."""


def index_responses(path: Path, key: Callable[[str], str | None]) -> WarcIndex:
    """Read a WARC file and return the offsets of its responses.

    Of several responses with the same key, the last page (status 200) is used; if there is none, the
    last redirect; otherwise the last response.  Damaged records, and an incomplete one at the end (after
    kill -9), are left out.

    Parameters
    ----------
    path
        The file.
    key
        Returns the key of a URL; ``None`` for one that is not wanted.

    Raises
    ------
    ConfigurationError
        The file is not a WARC file, or is compressed as a whole.
    """
    index = _Indexing(key)
    try:
        with path.open("rb") as file:
            for start in _beginnings(file, index):
                file.seek(start)
                try:
                    index.read(ArchiveIterator(file))
                    break
                except ArchiveLoadFailed as error:
                    if not index.whole or _is_packed_as_a_whole(error):
                        raise
                # The exception that warcio raises depends on where in a record's header the file ends.
                except (EOFError, AttributeError, ValueError, StatusAndHeadersParserException):
                    pass
                if index.damages == 0:
                    logger.warning(
                        _(
                            "%(path)s is damaged or cut off at byte %(offset)d; the complete records are used"
                        ),
                        {"path": path, "offset": index.whole},
                    )
                index.damages += 1
            whole = index.whole
            if whole:
                with _mapped(file) as content:
                    whole = _end(content, whole)
    except ArchiveLoadFailed as error:
        if _is_packed_as_a_whole(error):
            raise ConfigurationError(
                _(
                    "{path} is compressed as a whole, not record by record; `warcio recompress {path} "
                    "new.warc.gz` makes a file that can be read"
                ).format(path=path)
            ) from error
        raise ConfigurationError(_not_warc(path, printable(str(error))[:200])) from error
    except OSError as error:
        raise ConfigurationError(_not_warc(path, error)) from error
    return WarcIndex(index.places, whole, index.responses, index.damages)


def _not_warc(path: Path, error: object) -> str:
    return _("{path} must be a WARC file: {error}").format(path=path, error=error)


class _Indexing:
    """What was found of a file so far."""

    def __init__(self, key: Callable[[str], str | None]) -> None:
        self._key = key
        self.places: dict[str, WarcPlace] = {}
        self.whole = self.responses = self.damages = 0

    def read(self, records: ArchiveIterator) -> None:
        """Add records; raises what warcio raises, or ``EOFError``, at one that is damaged."""
        for record in records:
            found = _answer(record, self._key)
            offset = records.get_record_offset()
            if not _is_whole(record):
                raise EOFError
            self.whole = offset + records.get_record_length()
            if found is not None:
                self.responses += 1
                url, status, location = found
                _keep(self.places, url, WarcPlace(offset, status, location))


def _beginnings(file: BinaryIO, index: _Indexing) -> Iterator[int]:
    """Yield where to begin to read *file*: at its begin, and after each damage at the next record."""
    yield (start := 0)
    with _mapped(file) as content:
        while index.damages < _MOST_DAMAGES:
            # The first record after the last complete one has been tried.
            tried = _end(content, index.whole) if index.whole else 0
            found = _BEGINNING.search(content, max(tried, start) + 1)
            if found is None:
                return
            start = found.start()
            del found  # it keeps the file mapped
            yield start


def _mapped(file: BinaryIO) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _end(content: mmap.mmap, end: int) -> int:
    """Return the end of a record: warcio counts that of an uncompressed one as part of the next."""
    return end + (4 if content[end : end + 4] == b"\r\n\r\n" else 0)


def _is_packed_as_a_whole(error: ArchiveLoadFailed) -> bool:
    return "non-chunked gzip" in str(error)


def read_response(file: BinaryIO, place: WarcPlace, most: int = _MOST_BYTES) -> WarcResponse:
    """Return the response at *place* of an open WARC file, about *most* bytes of its body."""
    file.seek(place.offset)
    record = next(iter(ArchiveIterator(file)))
    body, damaged = _read_up_to(_transferred(record), most), False
    try:
        body = decoded(body, _header(record, "Content-Encoding"), most)
    except DamagedBody as error:
        body, damaged = error.partial, True
    return WarcResponse(
        str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> "),
        body,
        _header(record, "Content-Type"),
        str(record.rec_headers.get_header("WARC-Date") or ""),
        damaged,
    )


def _transferred(record: ArcWarcRecord) -> Any:
    """Return the stream of a body as it was before its transfer in chunks."""
    chunked = "chunked" in _header(record, "Transfer-Encoding").lower()
    return ChunkedDataReader(record.raw_stream) if chunked else record.raw_stream


def _read_up_to(stream: Any, most: int) -> bytes:
    pieces, left = [], most
    while left > 0 and (piece := stream.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _is_whole(record: ArcWarcRecord) -> bool:
    """Read the record to its end and return whether it has its full length."""
    while record.raw_stream.read(1 << 20):
        pass
    return int(getattr(record.raw_stream, "limit", 0)) == 0


def _answer(record: ArcWarcRecord, key: Callable[[str], str | None]) -> tuple[str, int, str] | None:
    """Return key, status and target of a response; ``None`` for other records."""
    if record.rec_type not in ("response", "resource"):
        return None
    target = str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> ")
    url = key(target)
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
    if location and key(location) == url:
        return None  # redirect from http to https: both have the same key
    return url, status, location


def _keep(places: dict[str, WarcPlace], url: str, new: WarcPlace) -> None:
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
