"""Texts of OpenDocument files (.odt, .ods, .odp), which WPS and LibreOffice save."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from topiccrawl.documents.packed import Archive
from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines
from topiccrawl.documents.xmlstream import collected, parse, xml_time

_SKIPPED: Final = frozenset({"tracked-changes", "annotation", "ruby-text", "styles", "forms"})
_PARAGRAPHS: Final = frozenset({"p", "h"})


class _Handler:
    """Collects paragraphs; the cells of a row are one line."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._skipped = self._paragraphs = self._rows = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
        elif name in _PARAGRAPHS:
            self._paragraphs += 1
        elif name == "table-row":
            self._rows += 1
        elif name == "s":
            self.pieces.append(" ")
        elif name == "tab":
            self.pieces.append("\t")
        elif name == "line-break":
            self.pieces.append("\n")

    def end(self, name: str) -> None:
        """End an element."""
        if self._skipped:
            self._skipped -= 1
        elif name in _PARAGRAPHS:
            self._paragraphs -= 1
            self.pieces.append(" " if self._rows else "\n")
        elif name == "table-cell":
            self.pieces.append("\t")
        elif name == "table-row":
            self._rows -= 1
            self.pieces.append("\n")

    def data(self, text: str) -> None:
        """Receive text."""
        if self._paragraphs and not self._skipped:
            self.pieces.append(" ".join(f"|{text}|".split())[1:-1])


def read_odf(body: bytes) -> DocumentText:
    """Return the text of an OpenDocument file."""
    archive = Archive(body)
    if b"encryption-data" in archive.read("META-INF/manifest.xml"):
        raise UnreadableDocumentError("encrypted")
    handler = _Handler()
    complete = parse(archive.pieces("content.xml"), handler)
    found = DocumentText(lines=clean_lines("".join(handler.pieces)))
    texts = collected(archive.pieces("meta.xml")).texts()
    found.stated_title = texts.get("title", "")
    found.author = texts.get("creator", "") or texts.get("initial-creator", "")
    found.created = xml_time(texts.get("creation-date", ""))
    found.modified = xml_time(texts.get("date", ""))
    if not complete or archive.damaged:
        found.mark_damaged("no readable content.xml")
    return found
