"""Read the element tree of a page into nodes, with its lines numbered as in the outline.

The text is split into lines by the same rules as in :mod:`topiccrawl.page.walk`, so that a line of the
outline that an extractor selected is found again by its number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from topiccrawl.page.bounds import MAX_TEXT
from topiccrawl.page.markdown.code import code_of, is_gutter, is_prose, language_of
from topiccrawl.page.markdown.nodes import Line, Node, Picture, Piece
from topiccrawl.page.markdown.pictures import address_of, largest, picture_of
from topiccrawl.page.regions import is_edit_link
from topiccrawl.page.tags import BLOCK_TAGS, SILENT_TAGS

if TYPE_CHECKING:
    from lxml import etree

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


class _Open(NamedTuple):
    """An open element and what holds inside it."""

    element: etree._Element
    block: bool
    silent: bool
    hidden: bool
    code: bool
    href: str
    node: Node
    depth: int


class _Reading:
    """State of a reading: the number of the current line, and the open elements."""

    def __init__(self) -> None:
        self.root = Node("body")
        self.stack: list[_Open] = []
        self.line = 0
        self.position = 0
        self.at_border = True  # no text since the last border, or since the beginning
        self.breaks = 0
        self.last: Line | None = None

    def border(self) -> None:
        """Begin a new line, unless nothing was written since the last border."""
        if not self.at_border:
            self.line += 1
            self.position += 1
            self.at_border = True

    def write(self, text: str, inside: _Open) -> None:
        """Add text to the current line."""
        text = text[:MAX_TEXT]
        if "\n" in text:
            text = f" {' '.join(text.split())} "
        self.position += len(text)
        self.at_border = False
        if inside.element.tag == "a" and text.strip() in _MARKS:
            return
        last = self.last
        if last is None or last.number != self.line:
            if not text.strip():
                return
            last = self.last = Line(self.line, breaks=self.breaks, hidden=inside.hidden)
            inside.node.children.append(last)
            self.breaks = 0
        last.pieces.append(Piece(text, inside.code, inside.href))

    def close(self) -> None:
        """Close the innermost element and write the text after it."""
        closed = self.stack.pop()
        if closed.block:
            self.border()
        tail = closed.element.tail
        if tail and self.position < MAX_TEXT and self.stack and not self.stack[-1].silent:
            self.write(tail, self.stack[-1])

    def open(self, element: etree._Element) -> None:
        """Open an element and write its text."""
        tag = str(element.tag)
        around = self.stack[-1] if self.stack else None
        silent, hidden, code, href, node, depth = (
            (around.silent, around.hidden, around.code, around.href, around.node, around.depth)
            if around
            else (False, False, False, "", self.root, 0)
        )
        attributes = cast("dict[str, str]", dict(element.items()))
        block = tag in BLOCK_TAGS
        if block:
            self.border()
        if tag in SILENT_TAGS or is_edit_link(attributes.get("class", "")):
            silent = True
        if (
            tag == "noscript"
            or "hidden" in attributes
            or (
                "style" in attributes
                and "display:none" in attributes["style"].replace(" ", "").lower()
            )
        ):
            hidden = True
        if tag == "br":
            self.breaks += 1
        elif tag in _IMAGES:
            self.image(element, attributes, node, href)
        elif tag == "a":
            href = attributes.get("href", "").strip()
        elif tag in _CODE_TAGS:
            code = True
        elif block and tag not in _NO_NODE:
            self.breaks = 0
            if depth < MAX_DEPTH:
                node = _node(element, tag, attributes, node)
                depth += 1
        self.stack.append(_Open(element, block, silent, hidden, code, href, node, depth))
        if element.text and not silent:
            self.write(element.text, self.stack[-1])

    def image(
        self, element: etree._Element, attributes: dict[str, str], node: Node, href: str
    ) -> None:
        """Add an image; one without address takes it from the element that replaces it without scripts."""
        parent = element.getparent()
        found = picture_of(attributes, self.line, href)
        if parent is not None and parent.tag == "picture" and not found.address:
            sources = [source.get("srcset", "") for source in parent.iterchildren("source")]
            addresses = [address_of({"src": largest(source)}) for source in sources[:20]]
            found.address = next((address for address in addresses if address), "")
        previous = node.children[-1] if node.children else None
        if isinstance(previous, Picture) and any(x.element.tag == "noscript" for x in self.stack):
            previous.address = previous.address or found.address
            return
        node.children.append(found)


def _node(element: etree._Element, tag: str, attributes: dict[str, str], parent: Node) -> Node:
    names = f"{attributes.get('class', '')} {attributes.get('id', '')}".strip()[:200]
    node = Node(tag, names, parent)
    parent.children.append(node)
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
    elif (tag == "pre" or (names and _CODE_NAMES.search(names))) and not _in_code(node):
        _read_code(node, element)
    return node


def _read_code(node: Node, element: etree._Element) -> None:
    """Take the content of an element of code, unless it is running text or line numbers."""
    inner = element.find(".//code")
    names = node.names if inner is None else f"{node.names} {inner.get('class', '')[:200]}"
    around, level = node.parent, 0
    while around is not None and level < 3:
        names = f"{names} {around.names}"
        # Highlighters put line numbers and code into the cells of a table.
        level += around.tag not in _TABLE_TAGS
        around = around.parent
    node.language = language_of(names)
    code = code_of(element)
    if code.replace("\n", "").isdecimal() and node.parent is not None:
        # Line numbers beside the code; the program that is nothing but numbers is rarer.
        code = "" if is_gutter(node.names) else code
    if is_prose(code, marked=inner is not None or bool(node.language)):
        node.tag = "verse"
        node.code = code
    else:
        node.tag = "pre"
        node.code = code


def _in_code(node: Node) -> bool:
    around = node.parent
    while around is not None:
        if around.tag in ("pre", "verse"):
            return True
        around = around.parent
    return False


def _count(value: str | None) -> int:
    value = (value or "1").strip()
    return max(1, min(_MAX_SPAN, int(value))) if value.isdecimal() and len(value) < 10 else 1


def read(root: etree._Element) -> tuple[Node, int]:
    """Return the page as nodes, and the number of its lines.

    Parameters
    ----------
    root : lxml.etree._Element
        Root of the tree, without comments.

    Returns
    -------
    tuple of Node and int
        The body; one more than the number of the last line, equal to the number of lines of
        :attr:`topiccrawl.page.outline.Outline.text`. Linear time, no recursion.
    """
    state = _Reading()
    stack = state.stack
    for element in root.iter():
        if state.position >= MAX_TEXT:
            break
        parent = element.getparent()
        while stack and stack[-1].element is not parent:
            state.close()
        state.open(element)
    while stack:
        state.close()
    return state.root, state.line + 1
