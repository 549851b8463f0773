"""Excel workbooks: a heading that stays in view and filters, links, dates, and never a formula."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Final

from topiccrawl.errors import needs_extra
from topiccrawl.export.cells import table_value
from topiccrawl.export.fields import Headings, heading, shown_value
from topiccrawl.export.guard import looks_like_formula
from topiccrawl.language import _
from topiccrawl.store.columns import Column, Value

# The limits are those of Microsoft, "Excel specifications and limits".
#: Rows of one sheet, including its heading.
SHEET_ROWS: Final = 1_048_576
#: Links of one sheet; further URLs are text.
SHEET_LINKS: Final = 65_530
#: Characters of a cell, in UTF-16 code units.
CELL_UNITS: Final = 32_767

#: Characters of a URL that becomes a link.  Excel takes 2,079, in which one that must be escaped counts
#: three times.
LINK_CHARS: Final = 690

#: End of a cell that was cut.
CUT_MARK: Final = "…[截断 cut]"

#: Widths of columns, in characters; the others have DEFAULT_WIDTH.
WIDTHS: Final = {
    "title": 50,
    "url": 45,
    "site": 24,
    "published_at": 19,
    "fetched_at": 19,
    "withdrawn_at": 19,
    "summary": 60,
    "keywords": 36,
    "main_terms": 36,
    "body": 60,
    "anchor": 30,
    "parent": 45,
    "final_url": 45,
}
DEFAULT_WIDTH: Final = 13

# A carriage return would be shown, as _x000D_.
_LINE_END: Final = re.compile("\r\n?")

#: Formats of cells, as XlsxWriter names their properties.
_FORMATS: Final[dict[str, dict[str, object]]] = {
    "heading": {"bold": True, "bg_color": "#D8EBE7", "bottom": 1, "valign": "vcenter"},
    "time": {"num_format": "yyyy-mm-dd hh:mm"},
    "number": {"num_format": "0.000"},
    "link": {"font_color": "#0A5A8A", "underline": 1},
    # Excel's own apostrophe, which is not part of the text: editing the cell makes no formula of it.
    "text": {"quote_prefix": True},
}


class XlsxWriter:
    """A workbook, written row by row, with a new sheet when one is full."""

    def __init__(
        self,
        stream: BinaryIO,
        columns: Sequence[Column],
        headings: Headings = "en",
        sheet_rows: int = SHEET_ROWS,
        sheet_links: int = SHEET_LINKS,
    ) -> None:
        with needs_extra("excel", _("An .xlsx file")):  # optional dependency
            from xlsxwriter import Workbook

        self._columns = columns
        self._headings: Headings = headings
        self._limits = sheet_rows, sheet_links
        # Rows wait in a file, which is removed even if the export breaks off.
        self._folder = TemporaryDirectory(prefix="topiccrawl-export-")
        # So does the workbook: of a stream that fails, zipfile would print a traceback of its own.
        self._stream, self._file = stream, Path(self._folder.name, "book.xlsx")
        options = {"constant_memory": True, "tmpdir": self._folder.name}
        self._book = Workbook(str(self._file), options)
        self._formats = {name: self._book.add_format(it) for name, it in _FORMATS.items()}
        self._sheets = 0
        self._sheet = self._new_sheet()

    def _new_sheet(self) -> Any:
        self._sheets += 1
        name = "页面" if self._headings == "zh" else "Pages"
        sheet = self._book.add_worksheet(f"{name} {self._sheets}" if self._sheets > 1 else name)
        sheet.freeze_panes(1, 0)
        for n, column in enumerate(self._columns):
            sheet.set_column(n, n, WIDTHS.get(column.name, DEFAULT_WIDTH))
            sheet.write_string(0, n, heading(column, self._headings), self._formats["heading"])
        self._rows, self._links = 1, 0
        return sheet

    def row(self, values: Sequence[Value]) -> None:
        """Write one row, on a new sheet if this one is full."""
        if self._rows >= self._limits[0]:
            self._end_sheet()
            self._sheet = self._new_sheet()
        for n, (column, value) in enumerate(zip(self._columns, values, strict=True)):
            self._cell(n, column, table_value(shown_value(column, value, self._headings)))
        self._rows += 1

    def _cell(self, n: int, column: Column, value: str | int | float | datetime | None) -> None:
        at = self._rows, n
        if isinstance(value, datetime):
            if value.year >= 1900:  # Excel has no earlier dates
                self._sheet.write_datetime(*at, value, self._formats["time"])
                return
            value = value.isoformat(" ")
        if isinstance(value, str):
            self._text(at, column, value)
        elif isinstance(value, bool):
            self._sheet.write_boolean(*at, value)
        elif isinstance(value, float):
            self._sheet.write_number(*at, value, self._formats["number"])
        elif value is not None:
            self._sheet.write_number(*at, value)

    def _text(self, at: tuple[int, int], column: Column, text: str) -> None:
        if not text:
            return
        if text.startswith("<r>") and text.endswith("</r>"):
            text += " "  # XlsxWriter would take it for formatted text and not escape it
        text = cut(_LINE_END.sub("\n", text))
        if column.name == "url" and self._links < self._limits[1] and _can_be_link(text):
            self._links += 1
            self._sheet.write_url(*at, text, self._formats["link"], text)
        else:
            format_ = self._formats["text"] if looks_like_formula(text) else None
            self._sheet.write_string(*at, text, format_)

    def _end_sheet(self) -> None:
        self._sheet.autofilter(0, 0, self._rows - 1, len(self._columns) - 1)

    def finish(self) -> None:
        """Write the workbook to the stream."""
        self._end_sheet()
        self._book.close()
        with self._file.open("rb") as book:
            shutil.copyfileobj(book, self._stream)
        self._folder.cleanup()


def cut(text: str, units: int = CELL_UNITS) -> str:
    """Return *text* shortened, with a mark, to at most *units* UTF-16 code units."""
    if len(text) <= units // 2 or len(data := text.encode("utf-16-le")) <= 2 * units:
        return text
    # A surrogate pair that was cut in the middle is dropped.
    kept = data[: 2 * (units - len(CUT_MARK))].decode("utf-16-le", "ignore")
    return kept + CUT_MARK


def _can_be_link(url: str) -> bool:
    """Return whether Excel takes *url* as a link: http(s), short enough, without a fragment."""
    return url.startswith(("http://", "https://")) and len(url) <= LINK_CHARS and "#" not in url
