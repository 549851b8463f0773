"""Records as checksummed lines of text: what the spool keeps.

A line is ``CRC32 SPACE JSON NEWLINE``, all ASCII, and the JSON is ``[kind, document]``.  A write that
kill -9 or a power cut has torn has no newline or a wrong checksum, and is told from a whole one.
"""

from __future__ import annotations

import base64
import json
import zlib
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.store.contract import OutcomeRecord, PageRecord
from topiccrawl.store.documents import (
    from_milliseconds,
    outcome_document,
    outcome_record,
    page_document,
    page_record,
    run_document,
    run_record,
    to_milliseconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.store.documents import Document, Record

_MOMENTS: Final = frozenset({"fetched_at", "published_at", "at", "started_at", "finished_at"})

_READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Record]]] = {
    "page": page_record,
    "outcome": outcome_record,
    "run": run_record,
}


class DamagedFrame(ValueError):  # noqa: N818 - a finding about a line, handled where it is read
    """A line that is not a whole frame."""


def kind_of(record: Record) -> str:
    """Return ``"page"``, ``"outcome"`` or ``"run"``."""
    if isinstance(record, PageRecord):
        return "page"
    return "outcome" if isinstance(record, OutcomeRecord) else "run"


def to_json(record: Record) -> str:
    """Return *record* as JSON: times in milliseconds since 1970 UTC, HTML in Base64."""
    document: Document
    if isinstance(record, PageRecord):
        document = page_document(record)
    elif isinstance(record, OutcomeRecord):
        document = outcome_document(record)
    else:
        document = run_document(record)
    for name, value in document.items():
        if isinstance(value, datetime):
            document[name] = to_milliseconds(value)
        elif isinstance(value, bytes):
            document[name] = base64.b64encode(value).decode("ascii")
    return json.dumps([kind_of(record), document], separators=(",", ":"), allow_nan=False)


def from_json(text: str | bytes) -> Record:
    """Return the record that :func:`to_json` made *text* of."""
    kind, document = json.loads(text)
    for name in document.keys() & _MOMENTS:
        if document[name] is not None:
            document[name] = from_milliseconds(document[name])
    if document.get("html") is not None:
        document["html"] = base64.b64decode(document["html"])
    return _READERS[kind](document)


def frame(record: Record) -> bytes:
    """Return *record* as one line; raise ValueError if it cannot be stored anywhere."""
    payload = to_json(record).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(payload), payload)


def unframe(line: bytes) -> Record:
    """Return the record in *line*; raise DamagedFrame if it is torn or was changed."""
    checksum, _, payload = line.partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(payload.removesuffix(b"\n")):
        raise DamagedFrame(f"not a whole frame: {line[:60]!r}")
    return from_json(payload)
