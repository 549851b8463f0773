"""The element tree of a page reduced to what Markdown can express."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


class Piece(NamedTuple):
    """A run of text in one line."""

    text: str
    code: bool = False
    """Whether it is program text."""
    href: str = ""
    """Address as written in the page, empty outside links."""


@dataclass(slots=True, eq=False)
class Line:
    """The text between two block borders, the unit that a body extractor selects."""

    number: int
    """Line of :attr:`topiccrawl.page.outline.Outline.text` that contains it."""
    pieces: list[Piece] = field(default_factory=list)
    breaks: int = 0
    """Number of ``br`` between it and the line before it in the same element."""
    hidden: bool = False
    size: int = 0
    """Characters of its pieces, without the white space around them."""
    linked: int = 0
    """Those in links."""
    kept: bool = False

    @property
    def text(self) -> str:
        """The text as in the page, with its white space."""
        return "".join([piece.text for piece in self.pieces])


@dataclass(slots=True, eq=False)
class Picture:
    """An image of the page."""

    address: str
    """As written in the page; empty if only a script knows it."""
    alt: str = ""
    width: int = 0
    """Stated width in pixels, 0 if none is stated."""
    height: int = 0
    names: str = ""
    """Class and id."""
    href: str = ""
    """Target of the link around it, as written in the page."""
    after: int = 0
    """Line of the page's text that it stands in, or before which."""
    kept: bool = False


@dataclass(slots=True, eq=False)
class Node:
    """An element: a box, or something that Markdown has a form for."""

    tag: str
    names: str = ""
    """Class and id."""
    parent: Node | None = None
    children: list[Node | Line | Picture] = field(default_factory=list)
    code: str = ""
    """Text of a ``pre`` with its white space."""
    language: str = ""
    """Programming language of a ``pre``."""
    span: tuple[int, int] = (1, 1)
    """Columns and rows that a table cell covers."""
    start: int = 1
    """Number of the first item of an ordered list."""
    whole: bool = False
    """Whether all of it is written, whatever the extractor selected of it."""
    size: int = 0
    """Characters of its visible text."""
    kept: int = 0
    """Those that the extractor selected."""
    linked: int = 0
    """Those in links."""


Child = Node | Line | Picture
