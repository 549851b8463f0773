"""Texts of RTF files, by striprtf."""

from __future__ import annotations

import re
from typing import Final

from topiccrawl.documents.text import DocumentText, UnreadableDocumentError, clean_lines

_CODE_PAGE: Final = re.compile(rb"\\ansicpg(\d+)")
#: Font charsets of Chinese text, where a file does not state its code page (RTF 1.9.1, \fcharset).
_CHARSETS: Final = ((rb"\fcharset134", "gb18030"), (rb"\fcharset136", "big5"))
#: Groups that are not text and that striprtf does not leave out: headers, footers, deleted text.
_LEFT_OUT: Final = re.compile(rb"\{\\(?:header|footer)[lrf]?\b")
#: Escapes, and the beginnings and ends of groups.
_MARK: Final = re.compile(rb"\\.|[{}]", re.DOTALL)


def read_rtf(body: bytes) -> DocumentText:
    """Return the text of an RTF file."""
    from striprtf import striprtf

    encoding = _encoding(body)
    source = _without_groups(body).decode("latin-1")
    try:
        text: str = striprtf.rtf_to_text(  # type: ignore[no-untyped-call]
            source, encoding=encoding, errors="replace"
        )
    except (LookupError, ValueError, IndexError, OverflowError) as error:
        raise UnreadableDocumentError("damaged", str(error)) from error
    lines = [
        line.strip("|").replace("|", "\t") if "|" in line else line for line in text.split("\n")
    ]
    return DocumentText(lines=clean_lines("\n".join(lines)))


def _encoding(body: bytes) -> str:
    stated = _CODE_PAGE.search(body)
    page = int(stated[1]) if stated else 0
    if page in (936, 54936):
        return "gb18030"
    if page in (950, 65001):
        return {950: "big5", 65001: "utf-8"}[page]
    for mark, encoding in _CHARSETS:
        if mark in body:
            return encoding
    return f"cp{page}" if page else "gb18030"


def _without_groups(body: bytes) -> bytes:
    """Return *body* without headers and footers, which may contain other groups."""
    kept, at = [], 0
    while found := _LEFT_OUT.search(body, at):
        kept.append(body[at : found.start()])
        depth, at = 1, found.end()
        for mark in _MARK.finditer(body, at):
            depth += {b"{": 1, b"}": -1}.get(mark[0], 0)
            if not depth:
                at = mark.end()
                break
        else:
            at = len(body)
    return b"".join([*kept, body[at:]])
