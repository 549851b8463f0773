"""Writers of the three formats, chosen by file name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import BinaryIO, Protocol

from topiccrawl.errors import OptionError
from topiccrawl.export.atomic import format_of
from topiccrawl.export.cells import encodable, table_value
from topiccrawl.export.fields import Headings, heading, shown_value
from topiccrawl.export.guard import neutral
from topiccrawl.export.xlsx import XlsxWriter
from topiccrawl.language import _, listed
from topiccrawl.store.columns import Column, Value


class PageWriter(Protocol):
    """Writes rows to a binary stream that it does not own."""

    def row(self, values: Sequence[Value]) -> None:
        """Write one page."""

    def finish(self) -> None:
        """Write what is still buffered; no row may follow."""


class CsvWriter:
    """CSV in UTF-8 with a byte order mark for Excel; text that looks like a formula is neutralized.

    A stream that continues a file gets no second headings.
    """

    def __init__(
        self, stream: BinaryIO, columns: Sequence[Column], headings: Headings = "en"
    ) -> None:
        # utf-8-sig writes its mark once, with the first characters.
        self._text = io.TextIOWrapper(stream, "utf-8-sig", newline="", write_through=True)
        self._columns, self._headings = columns, headings
        self._csv = csv.writer(self._text, quoting=csv.QUOTE_ALL)
        if not _continued(stream):
            self._csv.writerow([heading(column, headings) for column in columns])

    def row(self, values: Sequence[Value]) -> None:
        """Write one line."""
        cells = [
            table_value(shown_value(column, value, self._headings))
            for column, value in zip(self._columns, values, strict=True)
        ]
        self._csv.writerow([neutral(cell) if isinstance(cell, str) else cell for cell in cells])

    def finish(self) -> None:
        """Release the stream without closing it."""
        self._text.flush()
        self._text.detach()


def _continued(stream: BinaryIO) -> bool:
    """Return whether *stream* is appended to a file that has content, and thus headings, already."""
    try:
        return stream.tell() > 0
    except (OSError, ValueError):  # a pipe
        return False


class JsonLinesWriter:
    """One JSON object per line in UTF-8; the only format that does not change text.

    Its keys are the names of the fields, whatever the *headings* of tables.
    """

    def __init__(
        self, stream: BinaryIO, columns: Sequence[Column], headings: Headings = "fields"
    ) -> None:
        self._stream = stream
        self._names = [column.name for column in columns]

    def row(self, values: Sequence[Value]) -> None:
        """Write one line."""
        record = dict(zip(self._names, map(_as_json, values), strict=True))
        line = json.dumps(record, ensure_ascii=False, allow_nan=False)
        self._stream.write(encodable(line).encode() + b"\n")

    def finish(self) -> None:
        """Do nothing: nothing is buffered."""


def _as_json(value: Value) -> object:
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: _finite(number) for name, number in value.items()}
    if value is None or isinstance(value, str | int):
        return value
    return [
        part if isinstance(part, str | Mapping) else [part[0], _finite(part[1])] for part in value
    ]


def _finite(number: float) -> float | None:
    """Return *number*, or ``None`` if JSON cannot represent it (NaN, infinity)."""
    return number if number - number == 0 else None


#: Writers by the name of the format, which is also the file's extension.
WRITERS: dict[str, Callable[[BinaryIO, Sequence[Column], Headings], PageWriter]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "xlsx": XlsxWriter,
}

#: Formats that can be streamed to a pipe.
STREAMED = ("csv", "jsonl")


def choose_format(out: str, format_: str | None) -> str:
    """Return the format for the file *out*, or for standard output (``-``).

    An explicit *format_* wins over the extension.  Raises :class:`OptionError` that lists
    the choices.
    """
    choices = STREAMED if out == "-" else tuple(WRITERS)
    if format_ is None and out == "-":
        raise OptionError(
            _("--out - needs --format: one of {choices}").format(choices=listed(choices))
        )
    return format_of(out, format_, choices)
