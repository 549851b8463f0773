"""Texts of PDF files, by pdfium."""

from __future__ import annotations

import ctypes
import re
import time
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from statistics import median
from typing import Any, Final

from topiccrawl.documents.fonts import characters_of_glyphs, replace_system_fonts
from topiccrawl.documents.layout.lines import Line, PageLines
from topiccrawl.documents.layout.paragraphs import paragraphs
from topiccrawl.documents.layout.titles import title_of_page
from topiccrawl.documents.text import (
    MAX_CHARACTERS,
    MAX_PAGES,
    MOST_UNKNOWN,
    DocumentText,
    UnreadableDocumentError,
    clean_lines,
    unknown_share,
)

#: Characters per page below which a document of pictures has no text layer: stamps and page numbers (a
#: guess).
_LEAST_PER_PAGE: Final = 20
#: Share of a page from which a picture is the page (a guess).
_SCAN: Final = 0.5
#: Horizontal gap after which a line is another piece, in characters: cells and columns (a guess).
_APART: Final = 1.6
#: pdfium's character for a hyphen at the end of a line.
_HYPHEN: Final = "\x02"
_CATALOG: Final = re.compile(
    rb"(?<!\d)(\d{1,10}) 0 obj\s*<<(?:(?!endobj|0 obj).){0,2000}?/Type\s*/Catalog\b", re.DOTALL
)
_DATE: Final = re.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+\-Z])(\d\d)?'?(\d\d)?)?"
)
#: Radicals that fonts without a table of characters are read as (CJK Radicals Supplement, and the Kangxi
#: Radicals by their compatibility decomposition).
_RADICALS: Final = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in range(0x2F00, 0x2FD6)
} | {
    ord(radical): plain
    for radical, plain in zip(
        "⺁⺠⺟⻓⻔⻘⻚⻛⻜⻝⻢⻥⻦⻨⻩⻬⻮⻰⻳⺼⻄⻅⻆⻉⺮⺌⻋⻒⻙⻞⺀",
        "厂民母长门青页风飞食马鱼鸟麦黄齐齿龙龟月西见角贝竹小车阝韦饣冫",
        strict=True,
    )
}


def read_pdf(body: bytes, until: float) -> DocumentText:
    """Return the text of a PDF; what is not read until the process time *until* is left out.

    Raises ``UnreadableDocumentError`` if the document is encrypted, damaged or empty, or its fonts do not
    state their characters.
    """
    import pypdfium2.raw as raw

    replace_system_fonts()
    document, cut_off = _opened(body)
    found = DocumentText(pages=len(document))
    if cut_off:
        found.reason, found.detail = "damaged", "the file ends early"
    _read_metadata(found, document)
    pages, pictures = _read_pages(found, document, raw, until)
    found.lines = clean_lines("\n".join(paragraphs(pages)))
    text = found.text
    if found.reason == "damaged" and not text:
        raise UnreadableDocumentError("damaged", found.detail)
    if pages and (not text or pictures > 0.5 * len(pages)):
        if not pictures and not found.pages:
            raise UnreadableDocumentError("empty")
        return DocumentText(
            "pdf", stated_title=found.stated_title, author=found.author, created=found.created,
            modified=found.modified, pages=found.pages, reason="no-text-layer",
        )  # fmt: skip
    if unknown_share(text) > MOST_UNKNOWN:
        raise UnreadableDocumentError(
            "unknown-characters", "the fonts do not state their characters"
        )
    if not found.pages:
        raise UnreadableDocumentError("damaged", "no pages")
    if pages:
        found.title = title_of_page(*pages[:5])
    return found


def _opened(body: bytes) -> tuple[Any, bool]:
    """Return the document, and whether the file ends early."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    try:
        try:
            return pdfium.PdfDocument(body), False
        except pdfium.PdfiumError:
            repaired = with_trailer(body)
            if not repaired:
                raise
            return pdfium.PdfDocument(repaired), True
    except pdfium.PdfiumError as error:
        code = raw.FPDF_GetLastError()
        if code == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise UnreadableDocumentError("encrypted", str(error)) from error
        if code == raw.FPDF_ERR_SECURITY:
            raise UnreadableDocumentError("encrypted", "unsupported security") from error
        raise UnreadableDocumentError("damaged", str(error)) from error


def _read_pages(
    found: DocumentText, document: Any, raw: Any, until: float
) -> tuple[list[PageLines], int]:
    """Return the lines of the pages, and how many pages are pictures; note in *found* what is left out."""
    import pypdfium2 as pdfium

    pages: list[PageLines] = []
    characters = pictures = 0
    fonts = _Fonts(raw)
    for number in range(len(document)):
        if number == MAX_PAGES or characters > MAX_CHARACTERS or time.process_time() > until:
            found.reason, found.detail = "too-large", f"{number} of {len(document)} pages"
            break
        try:
            page = document[number]
        except pdfium.PdfiumError as error:
            found.reason, found.detail = "damaged", str(error)
            continue
        lines = list(_lines(page, raw, fonts))
        count = sum(len(line.text) for line in lines)
        characters += count
        width, height = page.get_size()
        pages.append(PageLines(width, height, lines))
        if count < _LEAST_PER_PAGE:
            pictures += _is_picture(page, raw)
        page.close()
    return pages, pictures


def with_trailer(body: bytes) -> bytes:
    """Return a file that ends early with a trailer that names its catalog; empty if it has none."""
    catalogs = list(_CATALOG.finditer(body))
    if not catalogs or b"/Encrypt" in body[-4_096:]:
        return b""
    return body + b"\nendobj\ntrailer << /Root %s 0 R >>\nstartxref\n0\n%%%%EOF\n" % catalogs[-1][1]


def _characters(text_page: Any, raw: Any, fonts: _Fonts) -> Iterator[tuple[int, str | None]]:
    """Yield the position and the text of each character: empty for a blank, ``None`` for a line break."""
    handle = text_page.raw
    unmapped, unicode_of = raw.FPDFText_HasUnicodeMapError, raw.FPDFText_GetUnicode
    count = text_page.count_chars()
    for at in range(count):
        code = unicode_of(handle, at)
        if unmapped(handle, at) == 1:
            yield at, fonts.character(handle, at, code)
        elif code in (0x0A, 0x0D):
            yield at, None
        elif code in (0x20, 0xA0, 0x09):
            yield at, ""
        elif 0xD800 <= code < 0xDC00 and at + 1 < count:
            low = unicode_of(handle, at + 1)
            yield at, chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00 & 0x3FF))
        elif code not in (0, 0xFFFE, 0xFEFF) and not 0xDC00 <= code < 0xE000:
            yield at, _RADICALS.get(code) or chr(code)


def _lines(page: Any, raw: Any, fonts: _Fonts) -> Iterator[Line]:
    """Yield the pieces of lines of a page: a wide gap or another height ends one."""
    text_page = page.get_textpage()
    box = raw.FS_RECTF()
    reference = ctypes.byref(box)
    handle, box_of = text_page.raw, raw.FPDFText_GetLooseCharBox
    text: list[str] = []
    blanks = ""
    x0 = x1 = y0 = y1 = 0.0
    sizes: list[float] = []
    for at, character in _characters(text_page, raw, fonts):
        if character is None:
            if text:
                yield Line("".join(text), x0, x1, y0, y1, median(sizes) if sizes else 1.0)
            text, sizes, blanks = [], [], ""
            continue
        if not character:
            blanks = " "
            continue
        if character == _HYPHEN or not box_of(handle, at, reference):
            text.append(character)
            continue
        left, right, bottom, top = box.left, box.right, box.bottom, box.top
        if top < bottom:
            bottom, top = top, bottom
        height = max(top - bottom, 0.1)
        if sizes:
            usual = sizes[-1]
            beside = abs((bottom + top) / 2 - (y0 + y1) / 2) < 0.6 * max(usual, height)
            small = left - x1 <= _APART * max(usual, height)
            if not beside or not small or left < x1 - 1.5 * max(usual, height):
                yield Line("".join(text), x0, x1, y0, y1, median(sizes) if sizes else 1.0)
                text, sizes, blanks = [], [], ""
        if not sizes:
            x0, x1, y0, y1 = left, right, bottom, top
        else:
            x1, y0, y1 = max(x1, right), min(y0, bottom), max(y1, top)
            text.append(blanks)
        blanks = ""
        text.append(character)
        sizes.append(height)
    if text:
        yield Line("".join(text), x0, x1, y0, y1, median(sizes) if sizes else 1.0)
    text_page.close()


class _Fonts:
    """Characters of glyphs whose codes the document does not explain, by the embedded fonts."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._known: dict[int, dict[int, str]] = {}

    def character(self, text_page: Any, at: int, code: int) -> str:
        """Return the character, the replacement character if nothing states it."""
        raw = self._raw
        font = raw.FPDFTextObj_GetFont(raw.FPDFText_GetTextObject(text_page, at))
        key = ctypes.cast(font, ctypes.c_void_p).value or 0
        if key not in self._known:
            self._known[key] = characters_of_glyphs(self._data(font)) if key else {}
        # Without a table pdfium returns the code, which is the glyph with Identity-H.
        return self._known[key].get(code, "\ufffd")

    def _data(self, font: Any) -> bytes:
        raw = self._raw
        size = ctypes.c_size_t()
        if not raw.FPDFFont_GetFontData(font, None, 0, ctypes.byref(size)) or not size.value:
            return b""
        buffer = (ctypes.c_uint8 * size.value)()
        raw.FPDFFont_GetFontData(font, buffer, size.value, ctypes.byref(size))
        return bytes(buffer)


def _is_picture(page: Any, raw: Any) -> bool:
    """Whether a picture covers the page, or paths do (text that was turned into curves)."""
    width, height = page.get_size()
    area = paths = 0.0
    for item in page.get_objects(max_depth=3):
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = (
                item.get_bounds() if hasattr(item, "get_bounds") else item.get_pos()
            )
            area += abs((right - left) * (top - bottom))
        elif item.type == raw.FPDF_PAGEOBJ_PATH:
            paths += 1
    return area > _SCAN * width * height or paths > 200


def _read_metadata(found: DocumentText, document: Any) -> None:
    stated = document.get_metadata_dict()
    found.stated_title = stated.get("Title", "").strip("\0 ")
    found.author = stated.get("Author", "").strip("\0 ")
    found.created = pdf_time(stated.get("CreationDate", ""))
    found.modified = pdf_time(stated.get("ModDate", ""))


def pdf_time(text: str) -> datetime | None:
    """Return a time of the metadata, ``D:20240305101500+08'00'``; ``None`` if it is none."""
    match = _DATE.match(text.strip())
    if match is None:
        return None
    numbers = [int(group) if group else None for group in match.groups()[:6]]
    year, month, day, hour, minute, second = numbers
    sign, hours, minutes = match[7], int(match[8] or 0), int(match[9] or 0)
    zone = timedelta(hours=hours, minutes=minutes) * (-1 if sign == "-" else 1)
    try:
        return datetime(
            year or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0,
            tzinfo=timezone(zone) if sign else UTC,
        )  # fmt: skip
    except ValueError:
        return None
