"""Texts of HTML that has the name of an office file, alone or in MIME."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from typing import Any, Final

from lxml import etree

from topiccrawl.documents.text import DocumentText, clean_lines
from topiccrawl.page.decoding import decode
from topiccrawl.page.tree import parse

_NOT_TEXT: Final = frozenset({"script", "style", "head", "title", "noscript", "xml", "template"})
_BLOCKS: Final = frozenset({
    "p", "div", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "dd", "dt",
    "br", "section", "article", "blockquote", "pre", "hr", "caption", "center", "tbody", "thead",
})  # fmt: skip
_CELLS: Final = frozenset({"td", "th"})


def read_html(body: bytes) -> DocumentText:
    """Return the text of HTML; a row of a table is a line."""
    found = DocumentText(lines=html_lines(body))
    found.stated_title = _title(body)
    return found


def read_mhtml(body: bytes) -> DocumentText:
    """Return the text of a web archive (RFC 2557), in which Word saves “single file” pages."""
    return DocumentText(lines=mhtml_lines(body))


def html_lines(body: bytes, charset: str | None = None) -> list[str]:
    """Return the lines of HTML; a row of a table is one, its cells separated by tabs."""
    tree = parse(decode(body, charset).text)
    return clean_lines("" if tree is None else "".join(_texts(tree)))


def mhtml_lines(body: bytes) -> list[str]:
    """Return the lines of the first HTML part of a web archive."""
    message = email.message_from_bytes(body, policy=email.policy.default)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                return html_lines(payload, part.get_content_charset())
    return []


def _title(body: bytes) -> str:
    tree = parse(decode(body).text)
    found = None if tree is None else tree.find(".//title")
    return " ".join((found.text or "").split()) if found is not None else ""


def _texts(root: Any) -> Iterator[str]:
    """Yield the texts of a tree, with line ends around blocks and tabs after cells."""
    in_row = 0
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag if isinstance(element.tag, str) else ""
        tag = tag.rpartition("}")[2].rpartition(":")[2].lower()
        is_start, is_text = event == "start", tag and tag not in _NOT_TEXT
        if not is_text:
            walker.skip_subtree()
        elif tag == "tr":
            in_row += 1 if is_start else -1
            yield "\n"
        elif tag in _BLOCKS:
            yield " " if in_row and tag != "table" else "\n"
        elif tag in _CELLS and not is_start:
            yield "\t"
        if is_start and is_text:
            yield _plain(element.text)
        elif not is_start and element is not root:
            yield _plain(element.tail)


def _plain(text: str | None) -> str:
    return " ".join(f"|{text}|".split())[1:-1] if text else ""
