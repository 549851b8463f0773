"""Texts of slides: .pptx, and the records of .ppt ([MS-PPT])."""

from __future__ import annotations

import posixpath
import re
from io import BytesIO
from typing import Final

from topiccrawl.documents.ooxml import read_core_properties, targets
from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines
from topiccrawl.documents.word import part_lines

_SLIDE: Final = re.compile(r"ppt/slides/slide(\d+)\.xml", re.IGNORECASE)
#: An entry of the presentation's list of slides; its own id has no prefix, that of the relationship has one.
_LISTED: Final = re.compile(
    rb"""<(?:\w{1,20}:)?sldId\s[^<>]*\w:id\s*=\s*["']([^"'<>]{1,255})["']"""
)
#: Records with text: UTF-16, and the low bytes of UTF-16 ([MS-PPT] 2.9.41, 2.9.43).
_TEXT_CHARS, _TEXT_BYTES = 0x0FA0, 0x0FA8
_SLIDE_LIST: Final = 0x0FF0
_HEADER: Final = 8


def read_pptx(body: bytes) -> DocumentText:
    """Return the text of a .pptx, slide by slide."""
    archive = Archive(body)
    found = DocumentText()
    slides = _in_order(archive)
    for name in slides:
        lines = part_lines(archive.pieces(name))
        found.title = found.title or (lines[0][:100] if lines else "")
        found.lines += lines
    found.pages = len(slides)
    read_core_properties(found, archive)
    if archive.damaged:
        found.mark_damaged("no readable slide")
    return found


def _in_order(archive: Archive) -> list[str]:
    """Return the parts of the slides in the order of the presentation; of damaged files, by their numbers."""
    numbered = sorted(
        (int(match[1]), name) for name in archive.names if (match := _SLIDE.fullmatch(name))
    )
    target_of = targets(archive, "ppt/_rels/presentation.xml.rels")
    ids = [
        found.decode("utf-8", "replace")
        for found in _LISTED.findall(archive.read("ppt/presentation.xml"))
    ]
    listed = [target_of.get(one, "") for one in ids]
    parts = [posixpath.join("ppt", x).lstrip("/") for x in listed if x]
    known = list(dict.fromkeys(part for part in parts if part in archive))
    return known or [name for _, name in numbered]


def read_ppt(body: bytes) -> DocumentText:
    """Return the text of a .ppt: that of its list of slides, else all that there is."""
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(body)) as file:
            data = file.openstream("PowerPoint Document").read()
            encrypted = file.exists("EncryptedSummary")
    except OSError as error:
        raise UnreadableDocumentError("damaged", str(error)) from error
    if encrypted:
        raise UnreadableDocumentError("encrypted")
    listed: list[str] = []
    everywhere: list[str] = []
    at = list_end = 0
    while at + _HEADER <= len(data):
        version = int.from_bytes(data[at : at + 2], "little")
        kind = int.from_bytes(data[at + 2 : at + 4], "little")
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        at += _HEADER
        if version & 0xF == 0xF:  # a container: its records follow
            if kind == _SLIDE_LIST and version >> 4 == 0:
                list_end = at + size
            continue
        content = data[at : at + size]
        at += size
        if kind in (_TEXT_CHARS, _TEXT_BYTES):
            text = content.decode("utf-16-le" if kind == _TEXT_CHARS else "latin-1", "replace")
            (listed if at <= list_end else everywhere).append(text)
    lines = clean_lines("\n".join([*listed, *everywhere]).replace("\r", "\n").replace("\v", "\n"))
    return DocumentText(lines=list(dict.fromkeys(lines)))
