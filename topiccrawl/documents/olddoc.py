"""Texts of Word 97 to 2003 files (.doc, .wps), by the piece table of [MS-DOC]."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines

#: Flags of FibBase ([MS-DOC] 2.5.2): the file is encrypted; its piece table is in the stream ``1Table``.
_ENCRYPTED: Final = 0x0100
_TABLE_1: Final = 0x0200
#: Offset of fcClx and lcbClx ([MS-DOC] 2.5.6) in files of Word 97 and later.
_CLX: Final = 0x01A2
#: First version with a piece table of this form (2.5.1: nFib of Word 97 is 0x00C1; betas have less).
_WORD_97: Final = 0x00C0
#: Code pages of text that is not Unicode, by the language of the file ([MS-LCID]).
_PAGES: Final = {0x0804: "gb18030", 0x1004: "gb18030", 0x0404: "big5", 0x0C04: "big5"}
#: Marks in the text: of cells, pages, objects, notes.  A field has its code between 0x13 and 0x14.
_MARKS: Final = {
    0x07: "\t", 0x0B: "\n", 0x0C: "\n", 0x0D: "\n", 0x0E: "\n", 0x1E: "-", 0x1F: "", 0x01: "", 0x02: "",
    0x03: "", 0x04: "", 0x05: "", 0x08: "", 0x28: "(", 0x00: "",
}  # fmt: skip
_ROW_END: Final = re.compile("\x07\x07")
#: A field: its code, then its result.  Innermost first.
_FIELD: Final = re.compile("\x13[^\x13\x14\x15]*(?:\x14([^\x13\x15]*))?\x15")
_FIELDS_DEPTH: Final = 10


def read_doc(body: bytes) -> DocumentText:
    """Return the text of an old Word file: body, notes and text boxes; no headers, no comments."""
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(body)) as file:
            if not file.exists("WordDocument"):
                raise UnreadableDocumentError("unsupported", "no text of Word in the file")
            main = file.openstream("WordDocument").read()
            flags = _number(main, 0x0A, 2)
            table_name = "1Table" if flags & _TABLE_1 else "0Table"
            table = b""
            for name in (table_name, "1Table", "0Table"):
                if file.exists(name):
                    table = file.openstream(name).read()
                    break
            found = DocumentText()
            _read_summary(found, file.get_metadata())
    except OSError as error:
        raise UnreadableDocumentError("damaged", str(error)) from error
    if flags & _ENCRYPTED:
        raise UnreadableDocumentError("encrypted")
    if len(main) < 0x60:
        raise UnreadableDocumentError("damaged", "the file ends early")
    if _number(main, 0x02, 2) >= _WORD_97:
        text = _piece_text(main, table)
        parts = _parts(main, text)
    else:
        encoding = _PAGES.get(_number(main, 0x06, 2), "gb18030")
        raw = main[_number(main, 0x18, 4) : _number(main, 0x1C, 4)]
        parts = [raw.decode(encoding, "replace")]
    found.lines = clean_lines("\n".join(plain(part) for part in parts))
    return found


def plain(text: str) -> str:
    """Return the text of a part without its marks; the end of a row ends a line."""
    for _ in range(_FIELDS_DEPTH):
        text, count = _FIELD.subn(lambda field: field[1] or "", text)
        if not count:
            break
    text = re.sub("\x13[^\x14\x15]{0,500}\x14", "", text)
    text = _ROW_END.sub("\n", text)
    # A cell of several paragraphs stays in the line of its row.
    lines = [row.replace("\r\x07", "\t") if "\x07" in row else row for row in text.split("\n")]
    return "\n".join(lines).translate(_MARKS)


def _parts(main: bytes, text: str) -> list[str]:
    """Return body, footnotes, endnotes and text boxes: the text has them one after the other."""
    sizes = [_number(main, at, 4) for at in range(0x4C, 0x6C, 4)]
    names = (
        "body",
        "footnotes",
        "headers",
        "macros",
        "comments",
        "endnotes",
        "boxes",
        "header boxes",
    )
    kept: dict[str, str] = {}
    at = 0
    for name, size in zip(names, sizes, strict=True):
        if size < 0 or size > len(text):
            break
        kept[name] = text[at : at + size]
        at += size
    if "body" not in kept or not kept["body"]:
        return [text]
    return [kept.get(name, "") for name in ("body", "boxes", "footnotes", "endnotes")]


def _piece_text(main: bytes, table: bytes) -> str:
    """Return the whole text by the piece table ([MS-DOC] 2.4.1)."""
    start, size = _number(main, _CLX, 4), _number(main, _CLX + 4, 4)
    clx = table[start : start + size]
    at = 0
    while at < len(clx) and clx[at] == 0x01:
        at += 3 + _number(clx, at + 1, 2)
    if at >= len(clx) or clx[at] != 0x02:
        return _contiguous(main)
    plc = clx[at + 5 : at + 5 + _number(clx, at + 1, 4)]
    return "".join(_pieces(main, plc))


def _pieces(main: bytes, plc: bytes) -> Iterator[str]:
    count = (len(plc) - 4) // 12
    try:
        ends = struct.unpack_from(f"<{count + 1}I", plc)
    except struct.error:
        return
    for number in range(count):
        length = ends[number + 1] - ends[number]
        if length <= 0 or length > len(main):
            continue
        place = _number(plc, 4 * (count + 1) + 8 * number + 2, 4)
        if place & 0x40000000:  # one byte for each character
            start = (place & 0x3FFFFFFF) // 2
            yield main[start : start + length].decode("cp1252", "replace")
        else:
            yield main[place : place + 2 * length].decode("utf-16-le", "replace")


def _contiguous(main: bytes) -> str:
    """Return the text of a file without a piece table, as some programs write it."""
    start, end = _number(main, 0x18, 4), _number(main, 0x1C, 4)
    raw = main[start:end]
    wide = raw[1::2].count(0) + sum(1 for byte in raw[1::2] if 0x4E <= byte <= 0x9F)
    if wide > 0.4 * len(raw) / 2:
        return raw.decode("utf-16-le", "replace")
    return raw.decode("gb18030", "replace")


def _read_summary(found: DocumentText, summary: Any) -> None:
    """Fill title, author and times from the summary of the file."""
    page = summary.codepage or 0
    encoding = {936: "gb18030", 950: "big5", 65001: "utf-8"}.get(page % 65536, "gb18030")

    def text(value: object) -> str:
        if isinstance(value, bytes):
            value = value.decode(encoding, "replace")
        return str(value or "").strip("\0 ")

    found.stated_title, found.author = text(summary.title), text(summary.author)
    for name, value in (("created", summary.create_time), ("modified", summary.last_saved_time)):
        if isinstance(value, datetime) and value.year > 1990:
            setattr(found, name, value if value.tzinfo else value.replace(tzinfo=UTC))


def _number(data: bytes, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little")
