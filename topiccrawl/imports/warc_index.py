"""An index of the responses in a WARC file, and the responses themselves.  Needs warcio."""

from __future__ import annotations

import logging
import mmap
import re
from collections.abc import Callable, Iterator, Sequence
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
from topiccrawl.language import _
from topiccrawl.urls.redirects import REDIRECT_STATUSES

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

logger = logging.getLogger(__name__)

#: How a record begins, packed or not.
_BEGINNING: Final = re.compile(rb"\x1f\x8b\x08|WARC/[01]\.\d+\r\n")
#: Damaged places after which the rest of a file is not read (a guess).
_MOST_DAMAGES: Final = 100
#: Status of a page, and of an answer without one because that has not changed.
_PAGE: Final = 200
_NOT_MODIFIED: Final = 304
#: Bytes of a body if no limit is given.
_MOST_BYTES: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class WarcPlace:
    """Where a response is, and what is known of it without its body."""

    offset: int
    status: int
    location: str
    """Absolute URL of a redirect's target; empty for other responses."""
    original: int | None = None
    """Offset of the response whose body a ``revisit`` record has, which states URL and time only."""


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
    unresolved: Sequence[str] = ()
    """URLs of ``revisit`` records whose original is not in the file."""


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
    last redirect; otherwise the last response.  A ``revisit`` record counts as a response with the body of
    the page that it refers to, by digest, by URL and time, or as the one before of its URL (WARC 1.1, 6.7),
    if that comes before it in the file.  Damaged records, and an incomplete one at the end (after
    kill -9), are left out.  Raises ``ConfigurationError`` if the file is not a WARC file, or is compressed as
    a whole.

    Parameters
    ----------
    path
        The file.
    key
        Returns the key of a URL; ``None`` for one that is not wanted.
    """
    index = _Indexing(key)
    damaged_at, failure = -1, None
    try:
        with path.open("rb") as file:
            for start in _beginnings(file, index):
                file.seek(start)
                try:
                    index.read(ArchiveIterator(file))
                    # warcio takes a packed record that is cut off early for the end of the file.
                    if not _has_more(file, index.whole):
                        break
                except ArchiveLoadFailed as error:
                    if _is_packed_as_a_whole(error):
                        raise
                    failure = failure or error
                # The exception that warcio raises depends on where in a record's header the file ends.
                except (EOFError, AttributeError, ValueError, StatusAndHeadersParserException):
                    pass
                if index.damages == 0:
                    damaged_at = index.whole
                index.damages += 1
            if failure is not None and not index.whole:
                raise failure
            if index.damages:
                logger.warning(
                    _(
                        "%(path)s is damaged or cut off at byte %(offset)d; the complete records are used"
                    ),
                    {"path": path, "offset": damaged_at},
                )
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
    return WarcIndex(index.places, whole, index.responses, index.damages, tuple(index.unresolved))


def _not_warc(path: Path, error: object) -> str:
    return _("{path} must be a WARC file: {error}").format(path=path, error=error)


class _Indexing:
    """What was found of a file so far."""

    def __init__(self, key: Callable[[str], str | None]) -> None:
        self._key = key
        self.places: dict[str, WarcPlace] = {}
        self.whole = self.responses = self.damages = 0
        self.unresolved: list[str] = []
        # Offsets of the pages that revisits may refer to, by what refers to them.
        self._originals: dict[tuple[str, ...], int] = {}

    def read(self, records: ArchiveIterator) -> None:
        """Add records; raises what warcio raises, or ``EOFError``, at one that is damaged."""
        for record in records:
            # warcio takes a line of at least five words for a record of the older ARC format, so also
            # what it finds in damaged packed data.
            if record.format != "warc":
                raise ArchiveLoadFailed("not a WARC record")
            found = _answer(record, self._key)
            offset = records.get_record_offset()
            if not _is_whole(record):
                raise EOFError
            self.whole = offset + records.get_record_length()
            if found is None:
                continue
            url, status, location = found
            original = None
            if record.rec_type == "revisit" and status == _PAGE:
                original = self._original(record, url)
                if original is None:
                    self.unresolved.append(_target(record))
                    continue
            elif status == _PAGE:
                names = (_digest(record), (_target(record), _warc(record, "Date")))
                self._originals.update((name, offset) for name in names if all(name))
            self.responses += 1
            _keep(self.places, url, WarcPlace(offset, status, location, original))

    def _original(self, record: ArcWarcRecord, url: str) -> int | None:
        """Return the offset of the page whose body a ``revisit`` record of the key *url* has."""
        referred = (
            _warc(record, "Refers-To-Target-URI").strip("<> ") or _target(record),
            _warc(record, "Refers-To-Date"),
        )
        for name in (_digest(record), referred):
            if name in self._originals:
                return self._originals[name]
        if any(_digest(record)) or referred[1]:
            return None
        before = self.places.get(url)
        if before is None or before.status != _PAGE:
            return None
        return before.offset if before.original is None else before.original


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


def _has_more(file: BinaryIO, whole: int) -> bool:
    """Return whether anything but blanks follows the last complete record, which ends at *whole*."""
    file.seek(whole)
    return any(piece.strip(b"\0\r\n ") for piece in iter(lambda: file.read(1 << 20), b""))


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
    stating = record = next(iter(ArchiveIterator(file)))
    if place.original is not None:
        file.seek(place.original)
        record = next(iter(ArchiveIterator(file)))
    body, damaged = _read_up_to(_transferred(record), most), False
    try:
        body = decoded(body, _header(record, "Content-Encoding"), most)
    except DamagedBody as error:
        body, damaged = error.partial, True
    return WarcResponse(
        _target(stating),
        body,
        _header(record, "Content-Type"),
        _warc(stating, "Date"),
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
    if record.rec_type not in ("response", "resource", "revisit"):
        return None
    target = _target(record)
    url = key(target)
    if url is None:
        return None
    if record.http_headers is None:
        return None if record.rec_type == "response" else (url, _PAGE, "")
    try:
        status = int(record.http_headers.get_statuscode())
    except ValueError:
        return None
    if record.rec_type == "revisit" and status == _NOT_MODIFIED:
        status = _PAGE
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
    return 2 if status == _PAGE else 1 if status in REDIRECT_STATUSES else 0


def _target(record: ArcWarcRecord) -> str:
    return _warc(record, "Target-URI").strip("<> ")


def _digest(record: ArcWarcRecord) -> tuple[str]:
    return (_warc(record, "Payload-Digest"),)


def _warc(record: ArcWarcRecord, name: str) -> str:
    return str(record.rec_headers.get_header(f"WARC-{name}") or "")


def _header(record: ArcWarcRecord, name: str) -> str:
    headers: Any = record.http_headers or record.rec_headers
    return str(headers.get_header(name) or "")


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        return ""
