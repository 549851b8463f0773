"""An index of the responses in a WARC file, and the responses themselves.  Needs warcio."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urljoin

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeadersParserException

from topiccrawl.errors import ConfigurationError, printable
from topiccrawl.imports.entries import REDIRECT_STATUSES
from topiccrawl.language import _

if TYPE_CHECKING:
    from warcio.recordloader import ArcWarcRecord

__all__ = ["WarcIndex", "WarcPlace", "WarcResponse", "index_responses", "read_response"]

logger = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class WarcResponse:
    """One response, its content encoding removed."""

    url: str
    body: bytes
    content_type: str
    date: str
    """``WARC-Date``, as it is written."""


def index_responses(path: Path, key: Callable[[str], str | None]) -> WarcIndex:
    """Read a WARC file and return the offsets of its responses.

    Of several responses with the same key, the last page (status 200) is used; if there is none, the
    last redirect; otherwise the last response.  An incomplete record at the end (after kill -9) is
    ignored.

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
    places: dict[str, WarcPlace] = {}
    whole = responses = 0
    try:
        with path.open("rb") as file:
            records = ArchiveIterator(file)
            try:
                for record in records:
                    found = _answer(record, key)
                    offset = records.get_record_offset()
                    if not _is_whole(record):
                        raise EOFError
                    whole = offset + records.get_record_length()
                    if found is not None:
                        responses += 1
                        url, status, location = found
                        _keep(places, url, WarcPlace(offset, status, location))
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
    return WarcIndex(places, whole, responses)


def read_response(file: BinaryIO, place: WarcPlace, most: int | None = None) -> WarcResponse:
    """Return the response at *place* of an open WARC file; of its body *most* bytes, if given."""
    file.seek(place.offset)
    record = next(iter(ArchiveIterator(file)))
    stream = record.content_stream()
    body = stream.read() if most is None else _read_up_to(stream, most)
    return WarcResponse(
        str(record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> "),
        body,
        _header(record, "Content-Type"),
        str(record.rec_headers.get_header("WARC-Date") or ""),
    )


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
