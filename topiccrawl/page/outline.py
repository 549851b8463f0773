"""What one walk over a page finds: its text, links, headings and metadata, as records."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RawLink:
    """A link as it stands in the page; ``start``, ``end``: its text in :attr:`Outline.text`."""

    kind: str
    href: str
    attributes: dict[str, str]
    region: str
    tag_path: str
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
class Outline:
    """What one walk found. Positions are offsets in ``text``."""

    text: str = ""
    hidden: list[tuple[int, int]] = field(default_factory=list)
    links: list[RawLink] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    title: str = ""
    base_href: str = ""
    canonical_href: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    times: list[str] = field(default_factory=list)
    json_ld: list[str] = field(default_factory=list)


def visible(outline: Outline) -> str:
    """Text of the page without its hidden parts: one line a block, no empty lines."""
    text, parts, done = outline.text, [], 0
    for start, end in sorted(outline.hidden):
        if start > done:
            parts.append(text[done:start])
        done = max(done, end)
    parts.append(text[done:])
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
