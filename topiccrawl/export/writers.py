"""Writers of the three formats, chosen by file name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from topiccrawl.errors import ConfigurationError, needs_extra
from topiccrawl.export.cells import as_text, cut, encodable, legal, neutral
from topiccrawl.language import _

if TYPE_CHECKING:
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

    from topiccrawl.store.columns import Value

#: Rows of one Excel sheet, including its header (Microsoft, "Excel specifications and limits").
XLSX_SHEET_ROWS = 1_048_576


class PageWriter(Protocol):
    """Writes rows to a binary stream that it does not own."""

    def row(self, values: Sequence[Value]) -> None:
        """Write one page."""

    def finish(self) -> None:
        """Write what is still buffered; no row may follow."""


class CsvWriter:
    """CSV in UTF-8 with a byte order mark for Excel; text that looks like a formula is neutralized."""

    def __init__(self, stream: BinaryIO, names: Sequence[str]) -> None:
        # utf-8-sig writes its mark once, with the first characters.
        self._text = io.TextIOWrapper(stream, "utf-8-sig", newline="", write_through=True)
        self._csv = csv.writer(self._text)
        self._csv.writerow(names)

    def row(self, values: Sequence[Value]) -> None:
        """Write one line."""
        cells = (as_text(value) for value in values)
        self._csv.writerow([neutral(legal(c)) if isinstance(c, str) else c for c in cells])

    def finish(self) -> None:
        """Release the stream without closing it."""
        self._text.flush()
        self._text.detach()


class JsonLinesWriter:
    """One JSON object per line in UTF-8; the only format that does not change text."""

    def __init__(self, stream: BinaryIO, names: Sequence[str]) -> None:
        self._stream = stream
        self._names = names

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
    return [pair if isinstance(pair, str) else [pair[0], _finite(pair[1])] for pair in value]


def _finite(number: float) -> float | None:
    """Return *number*, or ``None`` if JSON cannot represent it (NaN, infinity)."""
    return number if number - number == 0 else None


class XlsxWriter:
    """An Excel workbook, written row by row, with a new sheet when one is full.

    Times become Excel dates, which have no zone: ``fetched_at`` in UTC, ``published_at`` in China
    time.
    """

    def __init__(
        self, stream: BinaryIO, names: Sequence[str], sheet_rows: int = XLSX_SHEET_ROWS
    ) -> None:
        with needs_extra("excel", _("An .xlsx file")):  # optional dependency
            from openpyxl import Workbook
            from openpyxl.cell import WriteOnlyCell

        self._stream = stream
        self._names = names
        self._sheet_rows = sheet_rows
        self._new_cell = WriteOnlyCell
        self._book = Workbook(write_only=True)
        self._sheets = 0
        self._sheet = self._new_sheet()

    def _new_sheet(self) -> WriteOnlyWorksheet:
        self._sheets += 1
        sheet: WriteOnlyWorksheet = self._book.create_sheet(
            f"pages {self._sheets}" if self._sheets > 1 else "pages"
        )
        sheet.freeze_panes = "A2"
        sheet.append(list(self._names))
        self._rows = 1
        return sheet

    def row(self, values: Sequence[Value]) -> None:
        """Write one row, on a new sheet if this one is full."""
        if self._rows >= self._sheet_rows:
            self._sheet = self._new_sheet()
        self._sheet.append([self._cell(value) for value in values])
        self._rows += 1

    def _cell(self, value: Value) -> object:
        if isinstance(value, datetime) and value.year >= 1900:  # Excel has no earlier dates
            return value.replace(tzinfo=None, microsecond=0)
        text = as_text(value)
        if isinstance(text, float) and _finite(text) is None:
            return None
        if not isinstance(text, str):
            return text
        text = cut(legal(text))
        if not text.startswith("="):
            return text
        cell = self._new_cell(self._sheet, value=text)
        cell.data_type = "s"  # openpyxl would make it a formula
        return cell

    def finish(self) -> None:
        """Write the workbook to the stream."""
        self._book.save(self._stream)


#: Writers by the name of the format, which is also the file's extension.
WRITERS: dict[str, Callable[[BinaryIO, Sequence[str]], PageWriter]] = {
    "csv": CsvWriter,
    "jsonl": JsonLinesWriter,
    "xlsx": XlsxWriter,
}

#: Formats that can be streamed to a pipe.
STREAMED = ("csv", "jsonl")


def choose_format(out: str, format_: str | None) -> str:
    """Return the format for the file *out*, or for standard output (``-``).

    An explicit *format_* wins over the extension.  Raises :class:`ConfigurationError` that lists
    the choices.
    """
    choices = STREAMED if out == "-" else tuple(WRITERS)
    if format_ is None and out == "-":
        raise ConfigurationError(
            _("--out - needs --format: one of {choices}").format(choices=", ".join(choices))
        )
    name = format_ if format_ is not None else Path(out).suffix.lstrip(".").lower()
    if name not in choices:
        what = "--format" if format_ is not None else "--out: extension"
        raise ConfigurationError(
            _("{what} must be one of {choices}, got {name!r}").format(
                what=what, choices=", ".join(choices), name=name
            )
        )
    return name
