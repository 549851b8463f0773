"""Texts of spreadsheets that are no .xlsx: the binary formats, by python-calamine, and XML of 2003."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from topiccrawl.documents.cells import cell_text
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines
from topiccrawl.documents.xmlstream import parse


def read_excel(body: bytes) -> DocumentText:
    """Return the text of a .xls or .xlsb."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    found = DocumentText()
    lines: list[str] = []
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(body))
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name)
            for row in sheet.iter_rows():
                cells = [" ".join(cell_text(value).split()) for value in row]
                if any(cells):
                    lines.append("\t".join(cell for cell in cells if cell))
            found.pages += 1
    except PasswordError as error:
        raise UnreadableDocumentError("encrypted", str(error)) from error
    except CalamineError as error:
        text = str(error)
        if "password" in text.lower() or "encrypt" in text.lower():
            raise UnreadableDocumentError("encrypted", text) from error
        if not lines:
            raise UnreadableDocumentError("damaged", text) from error
        found.reason, found.detail = "damaged", text
    except BaseException as error:
        # A panic of the library is not an Exception.
        if type(error).__name__ != "PanicException":
            raise
        if not lines:
            raise UnreadableDocumentError("damaged", str(error)[:300]) from error
        found.reason = "damaged"
    found.lines = clean_lines("\n".join(lines))
    return found


class _FlatSheets:
    """The rows of XML Spreadsheet 2003."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.sheets = 0
        self._row: list[str] = []
        self._data: list[str] | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if name == "Worksheet":
            self.sheets += 1
        elif name == "Row":
            self._row = []
        elif name == "Data":
            self._data = []

    def end(self, name: str) -> None:
        """End an element."""
        if name == "Data" and self._data is not None:
            if text := " ".join("".join(self._data).split()):
                self._row.append(text)
            self._data = None
        elif name == "Row" and self._row:
            self.lines.append("\t".join(self._row))

    def data(self, text: str) -> None:
        """Receive text."""
        if self._data is not None:
            self._data.append(text)


def read_excel_xml(body: bytes) -> DocumentText:
    """Return the text of XML Spreadsheet 2003, which web systems write with the name of a .xls."""
    handler = _FlatSheets()
    complete = parse([body], handler)
    lines = clean_lines("\n".join(handler.lines))
    found = DocumentText(lines=lines, pages=handler.sheets)
    if not complete:
        found.mark_damaged("no well-formed XML")
    return found
