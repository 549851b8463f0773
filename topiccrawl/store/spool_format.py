"""Records as checksummed lines of text, for the spool.

A line is ``CRC32 SPACE JSON NEWLINE``, all ASCII, and the JSON is ``[kind, document]``.  A write that
kill -9 or a power cut has torn has no newline or a wrong checksum, by which it is recognized.

Documents of older formats are read with defaults for the fields that they lack.  A field that this
version does not have, from a newer one, makes the line unreadable instead of losing the field.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from topiccrawl.store.fields import RecordType
from topiccrawl.store.records import RECORD_TYPES, Record, record_type
from topiccrawl.store.values import from_milliseconds, to_milliseconds

_TYPES: Final[Mapping[str, RecordType[Any]]] = {type_.singular: type_ for type_ in RECORD_TYPES}


class DamagedFrame(ValueError):  # noqa: N818 - a finding about a line, handled where it is read
    """A line that is not a whole frame."""


def to_json(record: Record) -> str:
    """Return *record* as JSON: times in milliseconds since 1970 UTC, bytes in Base64."""
    type_ = record_type(record)
    document = type_.document(record)
    for field in type_.fields:
        value = document[field.key]
        if value is not None and field.codec.storage == "time":
            document[field.key] = to_milliseconds(value)
        elif value is not None and field.codec.storage == "bytes":
            document[field.key] = base64.b64encode(value).decode("ascii")
    return json.dumps([type_.singular, document], separators=(",", ":"), allow_nan=False)


def from_json(text: str | bytes) -> Record:
    """Return the record that :func:`to_json` converted to *text*."""
    kind, document = json.loads(text)
    type_ = _TYPES[kind]
    for field in type_.fields:
        value = document.get(field.key)
        if value is not None and field.codec.storage == "time":
            document[field.key] = from_milliseconds(value)
        elif value is not None and field.codec.storage == "bytes":
            document[field.key] = base64.b64decode(value)
    record: Record = type_.record(document)
    return record


def frame(record: Record) -> bytes:
    """Return *record* as one line; raise ValueError if it cannot be stored anywhere."""
    payload = to_json(record).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(payload), payload)


def unframe(line: bytes) -> Record:
    """Return the record in *line*; raise DamagedFrame if the line is torn or was changed."""
    checksum, _, payload = line.partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(payload.removesuffix(b"\n")):
        raise DamagedFrame(f"not a whole frame: {line[:60]!r}")
    return from_json(payload)
