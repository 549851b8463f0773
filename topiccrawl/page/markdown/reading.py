"""Read the events of a page into nodes, with its lines numbered as in the outline.

The text is split into lines by the same rules as in :mod:`topiccrawl.page.walk`, so that a line of the
outline that an extractor selected is found again by its number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.bounds import MAX_TEXT
from topiccrawl.page.markdown.code import CodeText, is_gutter, is_prose, language_of
from topiccrawl.page.markdown.nodes import Line, Node, Picture, Piece
from topiccrawl.page.markdown.pictures import address_of, largest, picture_of
from topiccrawl.page.regions import is_edit_link
from topiccrawl.page.tags import BLOCK_TAGS, SILENT_TAGS
from topiccrawl.page.tree import MAX_DEPTH as MAX_TREE_DEPTH
from topiccrawl.page.tree import TooDeepError
from topiccrawl.page.tree import read as read_events

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Nodes that contain each other, at most: the content of deeper ones belongs to this one (a choice; real pages
#: nest some 30 elements, and Markdown much less).
MAX_DEPTH = 100
#: Most columns or rows that a cell covers: HTML's own limit is 1,000 columns; more is an error.
_MAX_SPAN = 100
_NO_NODE = frozenset(("br", "hr", "frame", "iframe", "html", "body", "option", "select", "map"))
# AMP and MIP have elements of their own.
_IMAGES = frozenset(("img", "amp-img", "mip-img"))
_CODE_TAGS = frozenset(("code", "kbd", "samp", "tt"))
_GUTTER_TAGS = frozenset(("td", "th", "ul", "ol", "div"))
_CODE_NAMES = re.compile(
    r"(?<![\w-])(?:syntaxhighlighter|dp-highlighter|blockcode)(?![\w-])", re.IGNORECASE
)
_TABLE_TAGS = frozenset(("table", "tbody", "tr", "td"))
# Marks that are the whole text of a link to a heading, beside it.
_MARKS = frozenset("¶§#🔗")
_LEVEL = re.compile(r"[1-6]")


# An open element: its tag; whether it ends a line, whether its text is not shown, hidden, program text; the address
# of the link around its text; the node that its content belongs to, and how deep that is.
_Open = tuple[str, bool, bool, bool, bool, str, Node, int]


class _Reading:
    """Builds the nodes from the events of the parser, with the number of the current line."""

    def __init__(self) -> None:
        self.root = Node("body")
        # Around the root element.
        self.stack: list[_Open] = [("", False, False, False, False, "", self.root, 0)]
        self.line = 0
        self.position = 0
        self.at_border = True  # no text since the last border, or since the beginning
        self.breaks = 0
        self.last: Line | None = None
        self.sources: list[str] = []  # of the last ``picture``
        # The content of an open element of code, its node, and the open elements around it.
        self.code: tuple[CodeText, Node, int] | None = None
        self.pieces: list[str] = []
        self.data = self.pieces.append
        self.is_open = self.is_bounded = self.is_done = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        if self.position >= MAX_TEXT:
            self.finish()
            return
        stack = self.stack
        if len(stack) > MAX_TREE_DEPTH:
            raise TooDeepError
        around, _, silent, hidden, code, href, node, depth = stack[-1]
        block = tag in BLOCK_TAGS
        if block:
            self.border()
        if tag in SILENT_TAGS:
            silent = True
        elif tag == "noscript":
            hidden = True
        if attributes:
            if is_edit_link(attributes.get("class", "")):
                silent = True
            style = attributes.get("style", "")
            if "hidden" in attributes or (
                style and "display:none" in style.replace(" ", "").lower()
            ):
                hidden = True
        if self.code is not None:
            self.code[0].start(tag, attributes)
        if tag == "a":
            href = attributes.get("href", "").strip()
        elif tag == "br":
            self.breaks += 1
        elif tag in _IMAGES:
            self.image(attributes, around, node, href)
        elif tag in _CODE_TAGS:
            code = True
        elif block and tag not in _NO_NODE:
            self.breaks = 0
            if depth < MAX_DEPTH:
                node = _node(tag, attributes, node, in_code=self.code is not None)
                depth += 1
                if node.tag == "pre" and self.code is None:
                    self.code = CodeText(), node, len(stack)
        elif tag == "picture":
            self.sources = []
        elif tag == "source":
            self.sources.append(attributes.get("srcset", ""))
        stack.append((tag, block, silent, hidden, code, href, node, depth))
        self.is_open, self.is_bounded = True, False

    def end(self, tag: str) -> None:
        """Close the innermost element."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        stack = self.stack
        closed = stack.pop()
        if closed[1]:
            self.border()
        if self.code is not None:
            text, node, level = self.code
            if len(stack) == level:
                _take_code(node, text)
                self.code = None
            else:
                text.end(closed[0])
        self.is_bounded = not self.is_open
        self.is_open = False
        self.is_done = len(stack) == 1

    def close(self) -> tuple[Node, int]:
        """Return the body and the number of its lines."""
        self.finish()
        return self.root, self.line + 1

    def finish(self) -> None:
        """Close all elements; what follows is not read."""
        self.pieces.clear()
        while len(self.stack) > 1:
            self.end("")
        self.is_done = True

    def border(self) -> None:
        """Begin a new line, unless nothing was written since the last border."""
        if not self.at_border:
            self.line += 1
            self.position += 1
            self.at_border = True

    def write(self) -> None:
        """Add the text since the last tag to the current line."""
        pieces = self.pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        if self.code is not None:
            self.code[0].data(text)
        tag, _, silent, hidden, code, href, node, _ = self.stack[-1]
        if silent or len(self.stack) == 1 or (self.is_bounded and self.position >= MAX_TEXT):
            return
        if len(text) > MAX_TEXT:
            text = text[:MAX_TEXT]
        if "\n" in text:
            text = "  " if text.isspace() else f" {' '.join(text.split())} "
        self.position += len(text)
        self.at_border = False
        shown = text.strip()
        if tag == "a" and shown in _MARKS:
            return
        last = self.last
        if last is None or last.number != self.line:
            if not shown:
                return
            last = self.last = Line(self.line, breaks=self.breaks, hidden=hidden)
            node.children.append(last)
            self.breaks = 0
        last.pieces.append(Piece(text, code, href))
        last.size += len(shown)
        if href:
            last.linked += len(shown)

    def image(self, attributes: Mapping[str, str], around: str, node: Node, href: str) -> None:
        """Add an image; one without address takes it from the element that replaces it without scripts."""
        found = picture_of(attributes, self.line, href)
        if around == "picture" and not found.address:
            addresses = (address_of({"src": largest(it)}) for it in self.sources[:20])
            found.address = next((address for address in addresses if address), "")
        previous = node.children[-1] if node.children else None
        if isinstance(previous, Picture) and any(x[0] == "noscript" for x in self.stack):
            previous.address = previous.address or found.address
            return
        node.children.append(found)


def _node(tag: str, attributes: Mapping[str, str], parent: Node, *, in_code: bool) -> Node:
    node = Node(tag, "", parent)
    parent.children.append(node)
    if not attributes:
        return node
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".strip()[:200]
    node.names = names
    if attributes.get("role") == "heading":
        level = _LEVEL.fullmatch(attributes.get("aria-level", "2").strip())
        node.tag = f"h{level.group()}" if level is not None else "h2"
    elif tag in ("td", "th") and not is_gutter(names):
        node.span = (_count(attributes.get("colspan")), _count(attributes.get("rowspan")))
    elif tag == "ol":
        start = attributes.get("start", "1").strip()
        node.start = int(start) if start.isdecimal() and len(start) < 10 else 1
    elif tag in _GUTTER_TAGS and is_gutter(names):
        node.tag = "gutter"
    elif names and not in_code and _CODE_NAMES.search(names):
        node.tag = "pre"
    return node


def _take_code(node: Node, found: CodeText) -> None:
    """Take the content of an element of code, unless it is running text or line numbers."""
    names = f"{node.names} {found.names}"
    around, level = node.parent, 0
    while around is not None and level < 3:
        names = f"{names} {around.names}"
        # Highlighters put line numbers and code into the cells of a table.
        level += around.tag not in _TABLE_TAGS
        around = around.parent
    node.language = language_of(names)
    code = found.text()
    if code.replace("\n", "").isdecimal() and node.parent is not None:
        # Line numbers beside the code; the program that is nothing but numbers is rarer.
        code = "" if is_gutter(node.names) else code
    if is_prose(code, marked=found.has_code or bool(node.language)):
        node.tag = "verse"
    node.code = code


def _count(value: str | None) -> int:
    value = (value or "1").strip()
    return max(1, min(_MAX_SPAN, int(value))) if value.isdecimal() and len(value) < 10 else 1


def read(html: str) -> tuple[Node, int]:
    """Return the page as nodes, and the number of its lines.

    Parameters
    ----------
    html : str
        The decoded HTML.

    Returns
    -------
    tuple of Node and int
        The body; one more than the number of the last line, equal to the number of lines of
        :attr:`topiccrawl.page.outline.Outline.text`. Linear time, no recursion.
    """
    return read_events(html, _Reading)
