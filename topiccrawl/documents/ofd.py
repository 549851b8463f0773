"""Texts of OFD files, the Chinese format of fixed layout (GB/T 33190-2016): a zip of XML."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from topiccrawl.documents.fonts import characters_of_glyphs
from topiccrawl.documents.layout.lines import Line, PageLines
from topiccrawl.documents.layout.paragraphs import paragraphs
from topiccrawl.documents.layout.titles import title_of_page
from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import (
    MAX_CHARACTERS,
    MAX_PAGES,
    MOST_UNKNOWN,
    DocumentText,
    UnreadableDocumentError,
    clean_lines,
    unknown_share,
)
from topiccrawl.documents.xmlstream import Collector, collected, parse, xml_time

#: Points in a millimeter, the unit of OFD.
_POINTS: Final = 72 / 25.4
#: A page without a size of its own: A4, in mm.
_PAGE: Final = (0.0, 0.0, 210.0, 297.0)
#: Gap between two pieces that are one line, in characters (a guess).
_APART: Final = 1.6
#: What programs write for a character that they only have as a glyph.
_PLACEHOLDERS: Final = frozenset("\u00a4\ufffd\u25a1 ")
#: Pictures on a page without text make it a scan (a choice).
_PICTURES: Final = frozenset({"ImageObject"})


@dataclass(slots=True)
class _Code:
    """A ``TextCode``: a piece of text with the place of its first character and the steps to the others."""

    x: float | None
    y: float | None
    dx: list[float]
    dy: list[float]
    text: list[str] = field(default_factory=list)


class _Fonts:
    """Characters of glyphs by the id of a font, from the fonts that the file embeds."""

    def __init__(self, archive: Archive, document: str) -> None:
        self._archive = archive
        self._document = document
        self._files: dict[str, str] | None = None
        self._known: dict[str, dict[int, str]] = {}

    def character(self, font: str, glyph: int) -> str:
        """Return the character of a glyph, the replacement character if the font does not state it."""
        if self._files is None:
            self._files = dict(self._listed())
        if font not in self._known:
            data = self._archive.read(self._files.get(font, ""))
            self._known[font] = characters_of_glyphs(data)
        return self._known[font].get(glyph, "\ufffd")

    def _listed(self) -> Iterator[tuple[str, str]]:
        base = posixpath.dirname(self._document)
        for name, _, text in collected(self._archive.pieces(self._document)).elements:
            if name not in ("PublicRes", "DocumentRes"):
                continue
            part = _resolve(self._archive, base, "".join(text))
            folder, font = posixpath.dirname(part), ""
            for inner, attributes, content in collected(self._archive.pieces(part)).elements:
                if inner == "Res":
                    folder = posixpath.join(folder, attributes.get("BaseLoc", ""))
                elif inner == "Font":
                    font = attributes.get("ID", "")
                elif inner == "FontFile":
                    yield font, _resolve(self._archive, folder, "".join(content))


class _PageHandler:
    """Collects the lines of a page, in points from its lower left corner."""

    def __init__(self, height: float, fonts: _Fonts) -> None:
        self.lines: list[Line] = []
        self.templates: list[tuple[str, str]] = []
        """Id and z-order of the templates that the page shows."""
        self.box: tuple[float, ...] = ()
        self.pictures = 0
        self._height = height
        self._text: list[str] = []
        self._object: Mapping[str, str] = {}
        self._codes: list[_Code] = []
        self._fonts = fonts
        self._transform: Mapping[str, str] = {}
        self._glyphs: dict[int, int] = {}
        """Glyphs of the text object by the position of their character."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        self._text = []
        if name == "TextObject":
            self._object, self._codes, self._glyphs = dict(attributes), [], {}
        elif name == "CGTransform":
            self._transform = dict(attributes)
        elif name == "TextCode":
            previous = self._codes[-1] if self._codes else None
            self._codes.append(
                _Code(
                    _float(attributes.get("X"), previous.x if previous else None),
                    _float(attributes.get("Y"), previous.y if previous else None),
                    deltas(attributes.get("DeltaX", "")),
                    deltas(attributes.get("DeltaY", "")),
                )
            )
        elif name == "Template":
            self.templates.append((attributes.get("TemplateID", ""), attributes.get("ZOrder", "")))
        elif name in _PICTURES:
            self.pictures += 1

    def end(self, name: str) -> None:
        """End an element."""
        if name == "TextCode" and self._codes:
            self._codes[-1].text = self._text
        elif name == "Glyphs":
            self._add_glyphs("".join(self._text))
        elif name == "TextObject":
            self._end_object()
        elif name == "PhysicalBox":
            self.box = _floats("".join(self._text))
            if len(self.box) == 4:
                self._height = self.box[3]
        self._text = []

    def data(self, text: str) -> None:
        """Receive text."""
        self._text.append(text)

    def _add_glyphs(self, text: str) -> None:
        about = self._transform
        glyphs = [int(word) for word in text.split() if word.isdecimal()]
        count, at = about.get("CodeCount", "1"), about.get("CodePosition", "0")
        if count == str(len(glyphs)) and at.isdecimal():
            self._glyphs.update(enumerate(glyphs, start=int(at)))

    def _explained(self, text: str, position: int) -> str:
        """Return *text* with characters for glyphs in place of placeholders."""
        font = self._object.get("Font", "")
        return "".join(
            self._fonts.character(font, self._glyphs[at])
            if at in self._glyphs and (c in _PLACEHOLDERS or "\ue000" <= c <= "\uf8ff")
            else c
            for at, c in enumerate(text, start=position)
        )

    def _end_object(self) -> None:
        about = self._object
        if about.get("Visible", "").lower() == "false":
            return
        boundary = _floats(about.get("Boundary", "")) or (0.0, 0.0, 0.0, 0.0)
        size = _float(about.get("Size"), 3.5) or 3.5
        matrix = _floats(about.get("CTM", ""))
        if len(matrix) != 6:
            matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        scale = math.hypot(matrix[2], matrix[3]) or 1.0
        position = 0
        for code in self._codes:
            text = "".join(code.text)
            if self._glyphs:
                text, position = self._explained(text, position), position + len(text)
            if not text.strip():
                continue
            x, y = code.x or 0.0, code.y or 0.0
            for piece, px, py, width in _runs(text, x, y, code.dx, code.dy, size):
                left = boundary[0] + matrix[0] * px + matrix[2] * py + matrix[4]
                base = boundary[1] + matrix[1] * px + matrix[3] * py + matrix[5]
                tall = size * scale
                self.lines.append(
                    Line(
                        piece,
                        left * _POINTS,
                        (left + width * abs(matrix[0] or 1.0)) * _POINTS,
                        (self._height - base - 0.12 * tall) * _POINTS,
                        (self._height - base + 0.88 * tall) * _POINTS,
                        tall * _POINTS,
                    )
                )


def _runs(
    text: str, x: float, y: float, dx: list[float], dy: list[float], size: float
) -> Iterator[tuple[str, float, float, float]]:
    """Yield the pieces of a text that are on one line: text, place, width."""
    text = text.strip("\r\n")
    start, at_x, at_y = 0, x, y
    left = x
    for number in range(1, len(text) + 1):
        step_x = (
            dx[number - 1]
            if number - 1 < len(dx)
            else (0.0 if dy else _width(text[number - 1], size))
        )
        step_y = dy[number - 1] if number - 1 < len(dy) else 0.0
        last = number == len(text)
        wide = step_x > (1 + _APART) * size or step_x < 0
        if last or abs(step_y) > 0.3 * size or wide:
            yield text[start:number], left, at_y, at_x - left + _width(text[number - 1], size)
            start, left = number, at_x + step_x
        at_x += step_x
        at_y += step_y


def _width(character: str, size: float) -> float:
    return size if ord(character) > 0x2E7F or character in "“”‘’—…" else 0.5 * size


def deltas(text: str) -> list[float]:
    """Return the steps of ``DeltaX``; ``g 5 3.2`` means five times 3.2.

    >>> deltas("3 g 2 1.5 4")
    [3.0, 1.5, 1.5, 4.0]
    """
    words = text.split()
    found: list[float] = []
    at = 0
    while at < len(words) and len(found) < 100_000:
        if words[at].lower() == "g" and at + 2 < len(words):
            count = int(_float(words[at + 1], 0.0) or 0)
            found += [_float(words[at + 2], 0.0) or 0.0] * min(max(count, 0), 100_000)
            at += 3
        else:
            found.append(_float(words[at], 0.0) or 0.0)
            at += 1
    return found


def read_ofd(body: bytes) -> DocumentText:
    """Return the text of an OFD file, all of its documents; attachments are left out."""
    archive = Archive(body)
    roots = [name for name in archive.names if name.lower().rpartition("/")[2] == "ofd.xml"]
    if not roots:
        raise UnreadableDocumentError("damaged", "no OFD.xml")
    root = min(roots, key=len)
    base = posixpath.dirname(root)
    listing = collected(archive.pieces(root))
    if "Encryptions" in {name for name, _, _ in listing.elements}:
        raise UnreadableDocumentError("encrypted")
    found = DocumentText()
    texts = listing.texts()
    found.stated_title, found.author = texts.get("Title", ""), texts.get("Author", "")
    found.created = xml_time(texts.get("CreationDate", ""))
    found.modified = xml_time(texts.get("ModDate", ""))
    documents = ["".join(x[2]).strip() for x in listing.elements if x[0] == "DocRoot"]
    if not documents:
        documents = [name for name in archive.names if name.lower().endswith("/document.xml")]
    lines: list[str] = []
    pictures = 0
    for number, document in enumerate(documents):
        pages = list(islice(_pages(archive, _resolve(archive, base, document)), MAX_PAGES + 1))
        if len(pages) > MAX_PAGES:
            found.reason = "too-large"
            del pages[MAX_PAGES:]
        pictures += sum(count for _, count in pages)
        found.pages += len(pages)
        lines += paragraphs([page for page, _ in pages])
        if not number and pages:
            found.title = title_of_page(pages[0][0])
        if sum(map(len, lines)) > MAX_CHARACTERS:
            found.reason = "too-large"
            break
    if unknown_share("".join(lines)) > MOST_UNKNOWN:
        raise UnreadableDocumentError("unknown-characters", "glyphs without characters")
    found.lines = clean_lines("\n".join(lines))
    if not found.lines and pictures:
        found.reason = "no-text-layer"
    elif archive.damaged or not found.pages:
        found.mark_damaged("no readable page")
    return found


def _pages(archive: Archive, document: str) -> Iterator[tuple[PageLines, int]]:
    """Yield the pages of a document with the number of pictures."""
    base = posixpath.dirname(document)
    fonts = _Fonts(archive, document)
    about = collected(archive.pieces(document))
    usual = _box(about) or _PAGE
    templates = {
        attributes.get("ID", ""): _resolve(archive, base, attributes.get("BaseLoc", ""))
        for name, attributes, _ in about.elements
        if name == "TemplatePage"
    }
    parts = [
        attributes.get("BaseLoc", "") for name, attributes, _ in about.elements if name == "Page"
    ]
    for part in parts:
        page = _PageHandler(usual[3], fonts)
        parse(archive.pieces(_resolve(archive, base, part)), page)
        lines = page.lines
        for template, _ in page.templates:
            if template in templates:
                below = _PageHandler(page.box[3] if len(page.box) == 4 else usual[3], fonts)
                parse(archive.pieces(templates[template]), below)
                lines = [*below.lines, *lines]
                page.pictures += below.pictures
        box = page.box if len(page.box) == 4 else usual
        yield PageLines(box[2] * _POINTS, box[3] * _POINTS, lines), page.pictures


def _box(about: Collector) -> tuple[float, ...]:
    text = about.texts().get("PhysicalBox", "")
    box = _floats(text)
    return box if len(box) == 4 else ()


def _resolve(archive: Archive, base: str, place: str) -> str:
    """Return the member that *place* names: from the root of the archive, or relative to *base*."""
    place = place.strip().replace("\\", "/")
    if place.startswith("/"):
        return place.lstrip("/")
    relative = posixpath.normpath(posixpath.join(base, place))
    return relative if relative in archive else place


def _floats(text: str) -> tuple[float, ...]:
    found = [_float(word, None) for word in text.split()]
    return tuple(it for it in found if it is not None) if None not in found else ()


def _float(text: str | None, default: float | None) -> float | None:
    """Return the number in *text*; *default* for infinity, too, from which no place can be computed."""
    try:
        number = default if text is None else float(text)
    except ValueError:
        return default
    return number if number is None or math.isfinite(number) else default
