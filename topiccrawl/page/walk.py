"""Walk over a page once and gather what all parts of the analysis need.

The walk follows the events of the parser, which builds no tree for it, with a stack of open elements: it is
linear in the size of the page and needs no recursion however deep the page nests. The text is written to
one flat string with a line end at each block border; links, headings and hidden parts are positions in it,
so the text around a link is a slice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.bounds import MAX_TEXT
from topiccrawl.page.outline import Heading, Outline, RawLink
from topiccrawl.page.regions import is_edit_link, region_by_names, region_of
from topiccrawl.page.special_tags import HANDLERS, MAX_LINKS, SpecialTags
from topiccrawl.page.tags import (
    BLOCK,
    FLAGS,
    HEADING,
    HEADING_TAGS,
    NO_BOX,
    REGION,
    SPECIAL,
    STRONG,
    TEXTLESS,
)
from topiccrawl.page.tree import MAX_DEPTH, TooDeepError, read

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MAX_LINKS", "walk"]

_MAX_HEADINGS = 40
# Emphasized parts: menus of old pages have dozens (a guess).
_MAX_EMPHASIZED = 200
_MAX_TITLE_CHARACTERS = 200
# Styles of emphasis.
_STRONG_STYLE = re.compile(r"font-size|bold|center", re.IGNORECASE)


class _OutlineBuilder(SpecialTags):
    """Builds the outline from the events of the parser, which calls the four methods of a target.

    One method does nearly all that an element needs, and one all that its end does: calls for each step would
    double the time.

    Parameters
    ----------
    max_links : int
        Links after which no more are kept.
    """

    def __init__(self, max_links: int = MAX_LINKS) -> None:
        super().__init__(max_links)
        self.open_box, self.ends = self.found.boxes.open, self.found.boxes.ends
        self.known_names: dict[str, tuple[str, bool, bool]] = {}
        self.known_styles: dict[str, tuple[bool, int]] = {}
        self.parts: list[str] = []
        self.pending: list[tuple[int, int, int]] = []  # level, start, end of headings
        # Pieces of the text since the last tag.
        self.pieces: list[str] = []
        self.data = self.pieces.append
        # Whether the last tag opened an element, and whether the text after it may exceed MAX_TEXT.
        self.is_open = self.is_bounded = False
        self.is_done = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        self.keep_text = None
        position = self.position
        if position >= MAX_TEXT:
            self.finish()
            return
        stack = self.stack
        if len(stack) > MAX_DEPTH:
            raise TooDeepError
        _, _, region, inside, silent, _, box = stack[-1]
        names = by_words = ""
        closing: RawLink | tuple[str, int] | None = None
        flags = FLAGS.get(tag, 0)
        if attributes:
            if "class" in attributes:
                names = attributes["class"]
            if "id" in attributes:
                names = f"{names} {attributes['id']}"
            if names:
                known = self.known_names.get(names)
                if known is None:
                    known = *region_by_names(names), is_edit_link(names)
                    self.known_names[names] = known
                by_words, titled, is_edit = known
                silent = silent or is_edit
                if titled and not flags & HEADING:
                    closing = ("title", position)
            if "itemtype" in attributes:
                self.found.item_types.add(attributes["itemtype"].rstrip("/").rpartition("/")[2])
            if "style" in attributes or "hidden" in attributes or "align" in attributes:
                is_hidden, strong = self.looks_of(attributes)
                if is_hidden:
                    closing = ("hidden", position)
                elif closing is None:
                    flags |= strong
        if by_words or flags & REGION:
            region = region_of(tag, by_words, region)
        if flags & BLOCK:
            parts = self.parts
            if parts and parts[-1] != "\n":
                parts.append("\n")
                self.position = position = position + 1
        if flags & TEXTLESS:
            silent = True
        if not flags & NO_BOX:
            box = self.open_box(box, tag, names, position)
        if flags & SPECIAL:
            self.box = box
            if tag == "a":
                href = attributes.get("href")
                link = None if href is None else self.add_link("a", href, attributes, region)
                if link is not None:
                    inside = closing = link
                else:
                    closing = closing or ("anchor", position)
            elif flags & HEADING:
                closing = closing or (tag, position)
            else:
                HANDLERS[tag](self, tag, attributes, region)
                if tag == "noscript":
                    closing = ("hidden", position)
        elif flags & STRONG:
            closing = closing or ("strong", position)
        stack.append((tag, flags, region, inside, silent, closing, box))
        self.is_open, self.is_bounded = True, False

    def looks_of(self, attributes: Mapping[str, str]) -> tuple[bool, int]:
        """Return whether attributes hide an element, and the flag of emphasis if they emphasize it, else 0."""
        style = attributes.get("style", "")
        known = self.known_styles.get(style)
        if known is None:
            is_hidden = "display:none" in style.replace(" ", "").lower()
            known = is_hidden, STRONG if _STRONG_STYLE.search(style) else 0
            self.known_styles[style] = known
        is_hidden, strong = known
        centered = STRONG if attributes.get("align") == "center" else 0
        return is_hidden or "hidden" in attributes, strong or centered

    def end(self, tag: str) -> None:
        """Close the innermost element: record its span, and end its line."""
        if self.is_done:
            return
        if self.pieces:
            self.write()
        self.keep_text = None
        stack = self.stack
        _, flags, _, _, _, closing, box = stack.pop()
        position = self.position
        if closing is not None:
            self.record(closing, position)
        if not flags & NO_BOX:
            self.ends[box] = position
        if flags & BLOCK:
            parts = self.parts
            if parts and parts[-1] != "\n":
                parts.append("\n")
                self.position = position + 1
        # The text after an element without others in it is read whatever its length.
        self.is_bounded = not self.is_open
        self.is_open = False
        self.is_done = len(stack) == 1

    def close(self) -> Outline | None:
        """Return the outline at the end of the page, ``None`` if there was no element."""
        self.finish()
        found = self.found
        if len(found.boxes) == 1:
            return None
        found.text = "".join(self.parts)
        found.boxes.ends[0] = len(found.text)
        for level, start, end in sorted(self.pending, key=lambda span: span[1]):
            if end - start <= 4 * _MAX_TITLE_CHARACTERS:
                text = " ".join(found.text[start:end].split())
                if text and len(text) <= _MAX_TITLE_CHARACTERS:
                    found.headings.append(Heading(level, text, start))
        self.pending.clear()
        return found

    def write(self) -> None:
        """Add the text since the last tag."""
        pieces = self.pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        if self.keep_text is not None:
            self.keep_text(text)
        stack = self.stack
        if stack[-1][4] or len(stack) == 1 or (self.is_bounded and self.position >= MAX_TEXT):
            return
        if len(text) > MAX_TEXT:
            text = text[:MAX_TEXT]
        if "\n" in text:
            text = "  " if text.isspace() else f" {' '.join(text.split())} "
        self.parts.append(text)
        self.position += len(text)

    def finish(self) -> None:
        """Close all elements; what follows is not read."""
        self.pieces.clear()
        while len(self.stack) > 1:
            self.end("")
        self.is_done = True

    def record(self, closing: RawLink | tuple[str, int], position: int) -> None:
        """Record the span of text that ends here."""
        if isinstance(closing, RawLink):
            closing.end = position
            if closing.kind == "a":
                self.found.anchors.append((closing.start, position))
        elif closing[0] == "anchor":
            self.found.anchors.append((closing[1], position))
        elif closing[0] == "hidden":
            self.found.hidden.append((closing[1], position))
        elif closing[0] == "strong":
            if (
                1 < position - closing[1] <= _MAX_TITLE_CHARACTERS
                and len(self.found.emphasized) < _MAX_EMPHASIZED
            ):
                self.found.emphasized.append((closing[1], position))
        elif closing[1] < position and len(self.pending) < _MAX_HEADINGS:
            level = int(closing[0][1]) if closing[0] in HEADING_TAGS else 4
            self.pending.append((level, closing[1], position))


def walk(text: str, max_links: int = MAX_LINKS) -> Outline:
    """Gather text, links, headings and metadata of a page in one linear walk.

    It ends at the element in which the text reaches :data:`~topiccrawl.page.bounds.MAX_TEXT` characters.

    Parameters
    ----------
    text : str
        Decoded HTML.
    max_links : int
        Links after which no more are kept.
    """
    return read(text, lambda: _OutlineBuilder(max_links))
