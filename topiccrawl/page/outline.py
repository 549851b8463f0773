"""What one walk over a page finds: its text, links, headings and metadata, as records."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RawLink:
    """A link as it stands in the page.

    ``start``, ``end``: its text in :attr:`Outline.text`; ``box``: where it stands in
    :attr:`Outline.boxes`.
    """

    kind: str
    href: str
    attributes: dict[str, str]
    region: str
    tag: str
    box: int
    start: int
    end: int
    alts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Heading:
    """A heading or an element whose class speaks of a title; ``level`` 1-3, or 4 for the latter."""

    level: int
    text: str
    start: int


@dataclass(slots=True)
class Boxes:
    """The elements that hold more than running text: div, td, p, li ... in document order.

    Parallel lists, because a page has hundreds. Box 0 stands for the page and has the parent -1; the
    parent of any other comes before it. ``names`` holds class and id; ``starts`` and ``ends`` are
    spans of :attr:`Outline.text`.
    """

    parents: list[int] = field(default_factory=lambda: [-1])
    tags: list[str] = field(default_factory=lambda: [""])
    names: list[str] = field(default_factory=lambda: [""])
    starts: list[int] = field(default_factory=lambda: [0])
    ends: list[int] = field(default_factory=lambda: [0])

    def __len__(self) -> int:
        return len(self.parents)

    def open(self, parent: int, tag: str, names: str, start: int) -> int:
        """Add a box and return its number; its end is set when it closes."""
        self.parents.append(parent)
        self.tags.append(tag)
        self.names.append(names)
        self.starts.append(start)
        self.ends.append(start)
        return len(self.parents) - 1


@dataclass(slots=True)
class Outline:
    """What one walk found. Positions are offsets in ``text``."""

    text: str = ""
    hidden: list[tuple[int, int]] = field(default_factory=list)
    boxes: Boxes = field(default_factory=Boxes)
    anchors: list[tuple[int, int]] = field(default_factory=list)
    links: list[RawLink] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    title: str = ""
    base_href: str = ""
    canonical_href: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    times: list[str] = field(default_factory=list)
    json_ld: list[str] = field(default_factory=list)


MOSTLY_HIDDEN = 0.8
"""A page that hides more of its text than this share is shown by a script: nothing counts as hidden
(a choice: menus and dialogues that wait for a click are less, pages made visible at the end more)."""


def hidden_spans(outline: Outline) -> list[tuple[int, int]]:
    """Spans of the text that a reader does not see, in order, none overlapping."""
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
    """Text of the page without its hidden parts: one line a block, no empty lines."""
    text, parts, done = outline.text, [], 0
    for start, end in hidden_spans(outline):
        parts.append(text[done:start])
        done = end
    parts.append(text[done:])
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
