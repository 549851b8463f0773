"""Texts of .xlsx: a line for each row, its cells separated by tabs.

Read as a stream: a cell in the last of 1,048,576 rows makes a table of gigabytes in libraries that allocate
what is between.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from topiccrawl.documents.cells import format_kind, moment_text, number_text
from topiccrawl.documents.ooxml import read_core_properties, targets
from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines
from topiccrawl.documents.xmlstream import Collector, collected, parse

#: Most cells with content (a guess: two million characters are fewer).
MAX_CELLS: Final = 1_000_000
#: The row of a cell, or of the first one of a range: B2, B2:B5.
_CELL: Final = re.compile(r"[A-Z]{1,3}([0-9]{1,7})\b")
#: A formula that makes a link of a cell: its address, and the text if it is not computed from others.
_LINK: Final = re.compile(r'\s*HYPERLINK\(\s*"([^"]+)"\s*(?:,\s*"([^"]*)")?', re.IGNORECASE)
_EMPTY_CELL: Final = re.compile(rb"<c\b[^<>]*/>|<c\b[^<>]*></c>")
_EMPTY_ROW: Final = re.compile(rb"<row\b[^<>]*/>|<row\b[^<>]*>\s*</row>")
#: Longest row that is kept back to see whether it is empty, in bytes (a guess).
_MAX_ROW: Final = 1_000_000


class _FullError(Exception):
    """Enough is read."""


class _Strings:
    """The shared strings, without the readings of characters."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self._pieces: list[str] = []
        self._in_text = False
        self._reading = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if name == "si":
            self._pieces = []
        elif name == "rPh":
            self._reading += 1
        self._in_text = name == "t" and not self._reading

    def end(self, name: str) -> None:
        """End an element."""
        self._in_text = False
        if name == "si":
            self.values.append("".join(self._pieces))
        elif name == "rPh":
            self._reading -= 1

    def data(self, text: str) -> None:
        """Receive text."""
        if self._in_text:
            self._pieces.append(text)


class _Sheet:
    """The rows of a sheet that have content."""

    def __init__(self, strings: list[str], styles: list[str], day_zero: datetime) -> None:
        self.lines: list[str] = []
        self.cells = 0
        #: Numbers of the rows that have a line, and of those with a link, with its id or address.
        self._numbers: list[int] = []
        self._links: list[tuple[int, str]] = []
        self._number = 0
        self._strings = strings
        self._styles = styles
        self._day_zero = day_zero
        self._row: list[str] = []
        self._type = self._style = ""
        self._value: list[str] = []
        self._formula: list[str] = []
        self._in_value = self._in_formula = False
        self._reading = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if name == "row":
            self._row = []
            number = attributes.get("r", "")
            self._number = int(number) if number.isdecimal() else self._number + 1
        elif name == "hyperlink" and (cell := _CELL.match(attributes.get("ref", ""))):
            self._links.append((int(cell[1]), attributes.get("id", "")))
        elif name == "c":
            self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._value, self._formula = [], []
        elif name == "rPh":
            self._reading += 1
        self._in_value = name in ("v", "t") and not self._reading
        self._in_formula = name == "f"

    def end(self, name: str) -> None:
        """End an element."""
        self._in_value = self._in_formula = False
        if name == "c":
            text = self._text("".join(self._value))
            if link := _LINK.match("".join(self._formula)):
                self._links.append((self._number, link[1]))
                # Programs that write tables do not compute what the cell shows.
                text = text if self._value else link[2] or link[1]
            if text:
                self._row.append(" ".join(text.split()))
                self.cells += 1
                if self.cells > MAX_CELLS:
                    raise _FullError
        elif name == "rPh":
            self._reading -= 1
        elif name == "row" and self._row:
            self.lines.append("\t".join(self._row))
            self._numbers.append(self._number)

    def add_addresses(self, targets: Mapping[str, str]) -> None:
        """Add the addresses of web pages that a row links to behind its cells; *targets* by the ids of links."""
        line_of = {number: at for at, number in enumerate(self._numbers)}
        for number, link in self._links:
            target = targets.get(link, link)
            if number in line_of and target.lower().startswith(("http://", "https://")):
                self.lines[line_of[number]] += f"\t{target}"

    def data(self, text: str) -> None:
        """Receive text."""
        if self._in_value:
            self._value.append(text)
        elif self._in_formula:
            self._formula.append(text)

    def _text(self, value: str) -> str:
        if not value:
            return ""
        if self._type == "s":
            at = int(value) if value.strip().isdecimal() else -1
            return self._strings[at] if 0 <= at < len(self._strings) else ""
        if self._type == "b":
            return "TRUE" if value.strip() == "1" else "FALSE"
        if self._type != "n":
            return value
        try:
            number = float(value)
        except ValueError:
            return value
        style = int(self._style) if self._style.isdecimal() else -1
        kind = self._styles[style] if 0 <= style < len(self._styles) else ""
        if kind:
            return moment_text(self._day_zero, number, kind) or number_text(number)
        return number_text(number)


def read_xlsx(body: bytes, *, addresses: bool = False) -> DocumentText:
    """Return the text of a .xlsx, sheet by sheet; with *addresses* a row ends with those that its cells link to."""
    archive = Archive(body)
    strings = _Strings()
    parse(archive.pieces("xl/sharedStrings.xml"), strings)
    styles = _styles(archive)
    found = DocumentText()
    book = collected(archive.pieces("xl/workbook.xml"))
    sheets = _sheet_parts(archive, book)
    day_zero = datetime(1899, 12, 30)
    if any(x[0] == "workbookPr" and x[1].get("date1904") in ("1", "true") for x in book.elements):
        day_zero = datetime(1904, 1, 1)
    lines: list[str] = []
    complete = bool(sheets)
    for part in sheets:
        sheet = _Sheet(strings.values, styles, day_zero)
        try:
            complete &= parse(without_empty(archive.pieces(part)), sheet)
        except (_FullError, UnreadableDocumentError) as error:
            if isinstance(error, UnreadableDocumentError) and error.reason != "too-large":
                raise
            found.reason, found.detail = "too-large", f"more than {sheet.cells} cells"
        if addresses:
            folder, _, name = part.rpartition("/")
            sheet.add_addresses(targets(archive, f"{folder}/_rels/{name}.rels"))
        lines += sheet.lines
        found.pages += 1
        if found.reason:
            break
    found.lines = clean_lines("\n".join(lines))
    read_core_properties(found, archive)
    if not complete or archive.damaged:
        if not found.lines:
            raise UnreadableDocumentError("damaged", "no readable sheet")
        found.reason = found.reason or "damaged"
    return found


def without_empty(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the XML of a sheet without cells and rows that have no content.

    Programs write a format for each of a million rows; handing them to Python takes ten times as long.
    """
    rest = b""
    for piece in pieces:
        whole = rest + piece
        end = whole.rfind(b"</row>") + 6
        if end < 6:
            if len(whole) <= _MAX_ROW:
                rest = whole
                continue
            end = whole.rfind(b"<")
        rest = whole[end:]
        yield _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", whole[:end]))
    yield _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", rest))


def _sheet_parts(archive: Archive, book: Collector) -> list[str]:
    """Return the parts of the sheets in the order of the workbook."""
    target_of = targets(archive, "xl/_rels/workbook.xml.rels")
    known = []
    for name, attributes, _ in book.elements:
        target = target_of.get(attributes.get("id", "")) if name == "sheet" else None
        if target:
            part = posixpath.join("xl", target).lstrip("/")
            if part in archive and "worksheets" in part:
                known.append(part)
    return known or sorted(
        (name for name in archive.names if re.search(r"worksheets/[^/]+\.xml$", name)),
        key=lambda name: (len(name), name),
    )


def _styles(archive: Archive) -> list[str]:
    """Return what each cell format shows, as :func:`format_kind`."""
    codes: dict[str, str] = {}
    kinds: list[str] = []
    in_formats = False
    for name, attributes, _ in collected(archive.pieces("xl/styles.xml")).elements:
        if name == "numFmt":
            codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            in_formats = True
        elif name in ("cellStyles", "dxfs", "cellStyleXfs"):
            in_formats = False
        elif name == "xf" and in_formats:
            kinds.append(format_kind(attributes.get("numFmtId", "0"), codes))
    return kinds
