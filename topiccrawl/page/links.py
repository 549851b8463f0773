"""All links of a page with the metadata that speaks about their targets.

The thesis (chapter 4) ranks a link by the words around it: the URL, the anchor, alternative texts
of images, map areas and frames, the attributes title, name and onmouseover, and the surrounding
text. This module gathers them; it does not judge them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topiccrawl.page.hrefs import Resolver
    from topiccrawl.page.outline import Boxes, Outline, RawLink

MAX_ANCHOR_CHARACTERS = 300
"""Anchors are cut here: a longer one is a whole article in a link (a guess)."""
MAX_ATTRIBUTE_CHARACTERS = 200
CONTEXT_CHARACTERS = 40
"""Surrounding text taken from each side of a link, within its block (a guess)."""

_PATH_BOXES = 11  # of a tag path, the nearest
_PATH_CLASSES = 3  # of which so many carry their class
_CLASS_CHARACTERS = 24
_NOT_FOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})


@dataclass(frozen=True, slots=True)
class Link:
    """A link and what the page says about it.

    ``kind`` is ``a``, ``area``, ``frame``, ``iframe``, ``next``, ``prev`` or ``refresh``;
    ``region`` one of :data:`topiccrawl.page.regions.REGIONS` or empty; ``tag_path`` the nearest
    eleven boxes and its tag, the nearest three with their class (``html/body/div.list/ul/li/a``);
    ``context`` the text of the same block before and after; ``alt`` the texts of images in the
    link. White space is collapsed, lengths are bounded.
    """

    url: str
    anchor: str = ""
    title: str = ""
    name: str = ""
    onmouseover: str = ""
    alt: str = ""
    kind: str = "a"
    context: str = ""
    region: str = ""
    tag_path: str = ""
    nofollow: bool = False


def robots_directives(meta: dict[str, str]) -> frozenset[str]:
    """Words of the page's meta robots tag in lower case; ``none`` is spelled out."""
    words = frozenset(meta.get("robots", "").lower().replace(",", " ").split())
    return words | {"noindex", "nofollow"} if "none" in words else words


def build_links(outline: Outline, resolver: Resolver) -> list[Link]:
    """The links of a walked page, in document order, repeated ones included.

    Only links that lead to an http(s) URL; fragments are removed.
    """
    page_nofollow = "nofollow" in robots_directives(outline.meta)
    links = []
    paths: dict[int, str] = {}
    for raw in outline.links:
        url = resolver.resolve(raw.href)
        if url is not None:
            path = paths.get(raw.box)
            if path is None:
                path = paths[raw.box] = box_path(outline.boxes, raw.box)
            links.append(_link(url, raw, outline.text, path, page_nofollow))
    return links


def box_path(boxes: Boxes, box: int) -> str:
    """The boxes around and with *box*, outermost first: ``html/body/div.list/ul/li``."""
    steps: list[str] = []
    while box > 0 and len(steps) < _PATH_BOXES:
        step = boxes.tags[box]
        if len(steps) < _PATH_CLASSES and boxes.names[box]:
            # Class and id stand together, the class first; a box with an id alone has no class.
            first = boxes.names[box].split(" ", 1)[0]
            step = f"{step}.{first[:_CLASS_CHARACTERS]}" if first else step
        steps.append(step)
        box = boxes.parents[box]
    return "/".join(reversed(steps))


def _link(url: str, raw: RawLink, text: str, path: str, page_nofollow: bool) -> Link:
    attributes = raw.attributes
    alts: Iterable[str] = raw.alts
    if raw.kind == "area":
        alts = (attributes.get("alt", ""),)
    relations = attributes.get("rel", "")
    followed = not page_nofollow and not (
        relations and _NOT_FOLLOWED.intersection(relations.lower().replace(",", " ").split())
    )
    return Link(
        url=url,
        anchor=_short(text[raw.start : raw.end], MAX_ANCHOR_CHARACTERS),
        title=_short(attributes["title"]) if "title" in attributes else "",
        name=_short(attributes["name"]) if "name" in attributes else "",
        onmouseover=_short(attributes["onmouseover"]) if "onmouseover" in attributes else "",
        alt=_short(" ".join(alts)) if alts else "",
        kind=raw.kind,
        context=_context(text, raw.start, raw.end) if raw.kind == "a" else "",
        region=raw.region,
        tag_path=f"{path}/{raw.tag}" if path else raw.tag,
        nofollow=not followed,
    )


def _short(text: str, most: int = MAX_ATTRIBUTE_CHARACTERS) -> str:
    return " ".join(text[: 4 * most].split())[:most] if text else ""


def _context(text: str, start: int, end: int) -> str:
    """What stands in the block of a link before and after it."""
    before = text[max(0, start - 2 * CONTEXT_CHARACTERS) : start].rpartition("\n")[2]
    after = text[end : end + 2 * CONTEXT_CHARACTERS].partition("\n")[0]
    before = " ".join(before.split())[-CONTEXT_CHARACTERS:]
    after = " ".join(after.split())[:CONTEXT_CHARACTERS]
    return f"{before} {after}".strip()
