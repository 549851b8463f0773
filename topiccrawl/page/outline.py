"""The outline of a page: text, links, headings and metadata gathered in one walk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Most characters of a link whose text is read as a title or a name, white space included (a guess). Without
# it 2,000 unclosed links before a text of megabytes would read all of it 2,000 times.
_MAX_LINK_TEXT = 5_000


@dataclass(slots=True)
class RawLink:
    """A link as written in the page."""

    kind: str
    """See :class:`topiccrawl.page.links.Link`."""
    href: str
    attributes: Mapping[str, str]
    region: str
    tag: str
    box: int
    """Index in :attr:`Outline.boxes` of the box around it."""
    start: int
    """Span of its text in :attr:`Outline.text`."""
    end: int
    alts: tuple[str, ...] = ()
    """Alternative texts of its images."""


def link_text(text: str, link: RawLink) -> str:
    """Return the text of a link, empty if it is too long to be a title or a name."""
    return text[link.start : link.end] if link.end - link.start <= _MAX_LINK_TEXT else ""


@dataclass(slots=True)
class Heading:
    """A heading, or an element whose class or id names a title."""

    level: int
    """1 to 3, or 4 for an element named a title."""
    text: str
    start: int
    """Offset in :attr:`Outline.text`."""


@dataclass(slots=True)
class Boxes:
    """The non-inline elements of a page (div, td, p, li ...) in document order.

    The lists are parallel, because a page has hundreds of boxes. Box 0 represents the page.
    """

    parents: list[int] = field(default_factory=lambda: [-1])
    """Index of the parent, which precedes the box; -1 for box 0."""
    tags: list[str] = field(default_factory=lambda: [""])
    names: list[str] = field(default_factory=lambda: [""])
    """Class and id, separated by a space."""
    starts: list[int] = field(default_factory=lambda: [0])
    """Spans of :attr:`Outline.text`."""
    ends: list[int] = field(default_factory=lambda: [0])

    def __len__(self) -> int:
        return len(self.parents)

    def open(self, parent: int, tag: str, names: str, start: int) -> int:
        """Add a box and return its index; its end is set when it closes."""
        ends = self.ends
        self.parents.append(parent)
        self.tags.append(tag)
        self.names.append(names)
        self.starts.append(start)
        ends.append(start)
        return len(ends) - 1


@dataclass(slots=True)
class Outline:
    """Everything that one walk over the element tree gathers. Positions are offsets in ``text``."""

    text: str = ""
    """Text of the page with a line end at each block border."""
    hidden: list[tuple[int, int]] = field(default_factory=list)
    """Spans of hidden elements; they may nest."""
    boxes: Boxes = field(default_factory=Boxes)
    anchors: list[tuple[int, int]] = field(default_factory=list)
    """Spans of ``a`` elements."""
    links: list[RawLink] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    emphasized: list[tuple[int, int]] = field(default_factory=list)
    """Spans of emphasized elements, in the order of their ends: bold, large, centered."""
    title: str = ""
    """Content of ``<title>``."""
    base_href: str = ""
    canonical_href: str = ""
    version_hrefs: list[str] = field(default_factory=list)
    """Versions of the page that ``link`` elements state: for phones, AMP."""
    feed_hrefs: list[str] = field(default_factory=list)
    """Feeds that ``link`` elements state."""
    meta: dict[str, str] = field(default_factory=dict)
    """Meta tags by name or property in lower case; the first one counts."""
    times: list[str] = field(default_factory=list)
    """``datetime`` attributes of ``<time>`` elements, and what ``<abbr class="published">`` of Blogger states."""
    json_ld: list[str] = field(default_factory=list)
    """Texts of JSON-LD scripts."""
    item_types: set[str] = field(default_factory=set)
    """Names of the types of its microdata (``QAPage``)."""


#: If a page hides more than this share of its text, a script reveals it, and nothing counts as hidden (a
#: choice: menus and dialogs that open on a click are less, pages revealed after loading are more).
MOSTLY_HIDDEN = 0.8


def hidden_spans(outline: Outline) -> list[tuple[int, int]]:
    """Return the spans of the text that a reader does not see, in order and disjoint."""
    spans: list[tuple[int, int]] = []
    size = done = 0
    for start, end in sorted(outline.hidden):
        start = max(start, done)
        if end > start:
            spans.append((start, end))
            size += end - start
            done = end
    return spans if size <= MOSTLY_HIDDEN * len(outline.text) else []


def visible_text(outline: Outline) -> str:
    """Return the text of the page without hidden parts: one line per block, no empty lines."""
    text, parts, done = outline.text, [], 0
    for start, end in hidden_spans(outline):
        parts.append(text[done:start])
        done = end
    parts.append(text[done:])
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
