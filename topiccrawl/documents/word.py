"""Texts of Word files (.docx, Word 2003 XML): ECMA-376 WordprocessingML as a stream.

python-docx and others read paragraphs and tables only; Chinese offices also use text boxes, tables in
tables and tracked changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from topiccrawl.documents.layout.titles import title_of
from topiccrawl.documents.ooxml import read_core_properties
from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import (
    MAX_CHARACTERS,
    DocumentText,
    UnreadableDocumentError,
    clean_lines,
)
from topiccrawl.documents.xmlstream import collected, parse
from topiccrawl.page.superscripts import superscript

#: Elements whose content a reader does not see: what tracked changes deleted or moved away, the second
#: form of a text box, the reading above a character, properties of former versions.
_SKIPPED: Final = frozenset({
    "del", "moveFrom", "Fallback", "rt", "delText", "instrText", "rPrChange", "pPrChange", "tblPrChange",
    "binData", "pict-data", "comment",
})  # fmt: skip
#: Parts of a flat file that are not its text.
_PARTS: Final = frozenset({"hdr", "ftr", "header", "footer", "styles", "fonts", "docPr"})
#: Longest text of a cell that is written in one row with its neighbors (a guess: longer ones are layout).
_CELL: Final = 120
#: Paragraphs that are looked at for the title.
_FIRST: Final = 25
#: Half points of text without a size of its own: that of Word's Chinese template, 五号.
_USUAL_SIZE: Final = 21.0


@dataclass(slots=True)
class _Paragraph:
    pieces: list[str] = field(default_factory=list)
    size: float = 0.0
    centered: bool = False
    style: str = ""
    boxes: list[str] = field(default_factory=list)
    """Texts of the boxes that hang on it."""


@dataclass(slots=True)
class _Cell:
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    rows: list[list[_Cell]] = field(default_factory=list)


class WordHandler:
    """Collects the paragraphs of a WordprocessingML part."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.first: list[tuple[str, float, bool]] = []
        """Text, size and whether it is centered, of the first paragraphs."""
        self.styled: list[tuple[str, str]] = []
        """Style and text of the first paragraphs."""
        self.sizes: Counter[float] = Counter()
        self.characters = 0
        self._skipped = 0
        self._paragraphs: list[_Paragraph] = []
        self._tables: list[_Table] = []
        self._sinks: list[list[str]] = [self.lines]
        self._in_run = 0
        self._in_text = False
        self._hidden = self._raised = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if self._skipped or name in _SKIPPED or name in _PARTS:
            self._skipped += 1
            return
        if name == "p":
            self._paragraphs.append(_Paragraph())
        elif name == "r":
            self._in_run += 1
            self._hidden = self._raised = False
        elif name == "t":
            self._in_text = True
        elif name == "txbxContent":
            self._sinks.append(self._paragraphs[-1].boxes if self._paragraphs else self._sinks[-1])
            self._paragraphs.append(_Paragraph())  # its own level: popped at the end
        elif name == "tbl":
            self._tables.append(_Table())
        elif name == "tr" and self._tables:
            self._tables[-1].rows.append([])
        elif name == "tc" and self._tables:
            cell = _Cell()
            if not self._tables[-1].rows:
                self._tables[-1].rows.append([])
            self._tables[-1].rows[-1].append(cell)
            self._sinks.append(cell.lines)
        elif self._paragraphs:
            self._property(name, attributes)

    def _property(self, name: str, attributes: Mapping[str, str]) -> None:
        paragraph = self._paragraphs[-1]
        value = attributes.get("val", "")
        if name == "vanish":
            self._hidden = self._in_run > 0 and value not in ("0", "false", "off")
        elif name == "vertAlign" and self._in_run:
            self._raised = value == "superscript"
        elif name == "sz" and value.isdecimal():
            paragraph.size = max(paragraph.size, float(value))
        elif name == "jc":
            paragraph.centered = value == "center"
        elif name == "pStyle":
            paragraph.style = value
        elif self._in_run and not self._hidden:
            if name == "tab":
                paragraph.pieces.append("\t")
            elif name in ("br", "cr"):
                paragraph.pieces.append("\n")
            elif name == "noBreakHyphen":
                paragraph.pieces.append("-")

    def end(self, name: str) -> None:
        """End an element."""
        if self._skipped:
            self._skipped -= 1
            return
        if name == "p" and self._paragraphs:
            self._end_paragraph(self._paragraphs.pop())
        elif name == "r":
            self._in_run = max(0, self._in_run - 1)
            self._hidden = self._raised = False
        elif name == "t":
            self._in_text = False
        elif name == "txbxContent":
            self._sinks.pop()
            self._paragraphs.pop()
        elif name == "tc" and self._tables and len(self._sinks) > 1:
            self._sinks.pop()
        elif name == "tbl" and self._tables:
            self._sinks[-1].extend(table_lines(self._tables.pop()))

    def data(self, text: str) -> None:
        """Receive text."""
        if self._in_text and not self._skipped and not self._hidden and self._paragraphs:
            self._paragraphs[-1].pieces.append(superscript(text) if self._raised else text)
            self.characters += len(text)

    def full(self) -> bool:
        """Whether enough is read."""
        return self.characters > MAX_CHARACTERS

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.pieces)
        plain = " ".join(text.split())
        if plain:
            size = paragraph.size or _USUAL_SIZE
            self.sizes[size] += len(plain)
            if len(self.first) < _FIRST and not self._tables:
                self.first.append((plain, size, paragraph.centered))
                self.styled.append((paragraph.style, plain))
            self._sinks[-1].extend(text.split("\n"))
        self._sinks[-1].extend(paragraph.boxes)


def table_lines(table: _Table) -> list[str]:
    """Return a line for each row; the paragraphs of long cells are lines of their own."""
    lines: list[str] = []
    for row in table.rows:
        cells = [[line.strip() for line in cell.lines if line.strip()] for cell in row]
        if all(sum(map(len, cell)) <= _CELL for cell in cells):
            lines.append("\t".join(" ".join(cell) for cell in cells).strip("\t"))
            continue
        for cell in cells:
            lines += cell
    return lines


def read_docx(body: bytes) -> DocumentText:
    """Return the text of a .docx: body, then notes.  Headers and footers are left out."""
    archive = Archive(body)
    main = _main_part(archive)
    handler = WordHandler()
    complete = parse(archive.pieces(main), handler, handler.full)
    title, usual = "", _USUAL_SIZE
    if handler.sizes:
        usual = handler.sizes.most_common(1)[0][0]
        names = _title_styles(archive) if any(style for style, _ in handler.styled) else set()
        title = next((text for style, text in handler.styled if style in names), "")
        title = title or title_of(handler.first, usual)
    for part in ("word/footnotes.xml", "word/endnotes.xml"):
        if part in archive:
            notes = WordHandler()
            parse(archive.pieces(part), notes)
            handler.lines += notes.lines
    found = DocumentText(title=title, lines=clean_lines("\n".join(handler.lines)))
    if not found.lines:
        found.lines = _alternative_text(archive)
    if handler.full():
        found.reason, found.detail = "too-large", f"more than {MAX_CHARACTERS} characters"
    elif not found.lines and any(name.startswith("word/media/") for name in archive.names):
        found.reason = "no-text-layer"
    read_core_properties(found, archive)
    if not complete or archive.damaged:
        found.mark_damaged("no readable word/document.xml", "the file ends early")
    return found


def read_word_xml(body: bytes) -> DocumentText:
    """Return the text of Word 2003 XML, or of a package in one XML file."""
    handler = WordHandler()
    complete = parse([body], handler)
    usual = handler.sizes.most_common(1)[0][0] if handler.sizes else _USUAL_SIZE
    found = DocumentText(lines=clean_lines("\n".join(handler.lines)))
    found.title = title_of(handler.first, usual)
    if not complete:
        found.mark_damaged("no well-formed XML")
    return found


def _main_part(archive: Archive) -> str:
    """Return the name of the part with the text; usually ``word/document.xml``."""
    if "word/document.xml" in archive:
        return "word/document.xml"
    for _, attributes, _ in collected(archive.pieces("_rels/.rels")).elements:
        if attributes.get("Type", "").endswith("/officeDocument"):
            return attributes.get("Target", "").lstrip("/")
    found = [name for name in archive.names if name.lower().startswith("word/document")]
    if not found:
        raise UnreadableDocumentError("damaged", "no word/document.xml")
    return found[0]


def _title_styles(archive: Archive) -> set[str]:
    """Return the ids of the styles for titles, which Word and WPS call Title or 标题."""
    found, current = {"Title"}, ""
    for name, attributes, _ in collected(archive.pieces("word/styles.xml")).elements:
        if name == "style":
            current = attributes.get("styleId", "")
        elif name == "name" and attributes.get("val", "").lower() in ("title", "标题"):
            found.add(current)
    return found


def _alternative_text(archive: Archive) -> list[str]:
    """Return the text of embedded HTML, from which some programs make Word files (``altChunk``)."""
    from topiccrawl.documents.markup import html_lines, mhtml_lines

    lines: list[str] = []
    for name in archive.names:
        lower = name.lower()
        if lower.startswith("word/") and lower.endswith((".mht", ".mhtml")):
            lines += mhtml_lines(archive.read(name))
        elif lower.startswith("word/") and lower.endswith((".htm", ".html")):
            lines += html_lines(archive.read(name))
    return lines


def part_lines(pieces: Iterable[bytes]) -> list[str]:
    """Return the paragraphs of a part, ``w:p`` or ``a:p``."""
    handler = WordHandler()
    parse(pieces, handler)
    return clean_lines("\n".join(handler.lines))
