"""Links of a page with their metadata.

[thesis], chapter 4, ranks a link by the words around it: the URL, the anchor, alternative texts of
images, map areas and frames, the attributes title, name and onmouseover, and the surrounding text. This
module collects the metadata; it does not score it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from topiccrawl.page.hrefs import Resolver
    from topiccrawl.page.outline import Boxes, Outline, RawLink

#: Longer anchors are cut: a longer one is a whole article in a link (a guess).
MAX_ANCHOR_CHARACTERS = 300
#: Longer attributes are cut (a guess).
MAX_ATTRIBUTE_CHARACTERS = 200
#: Surrounding text on each side of a link, within its block (a guess).
CONTEXT_CHARACTERS = 40

# Innermost boxes in a tag path, and how many of them have their class.
_PATH_BOXES = 11
_PATH_CLASSES = 3
_CLASS_CHARACTERS = 24
_TAG_CHARACTERS = 24
_NOT_FOLLOWED = frozenset({"nofollow", "ugc", "sponsored"})


class Link(NamedTuple):
    """A link and its metadata. White space is collapsed, lengths are bounded."""

    url: str
    """Absolute http(s) URL without fragment."""
    anchor: str = ""
    title: str = ""
    name: str = ""
    onmouseover: str = ""
    alt: str = ""
    """Alternative texts of the images in the link, or of the map area."""
    kind: str = "a"
    """``a``, ``area``, ``frame``, ``iframe``, ``next``, ``prev`` or ``refresh``."""
    context: str = ""
    """Text of the same block before and after the link."""
    region: str = ""
    """One of :data:`topiccrawl.page.regions.REGIONS`, or empty."""
    tag_path: str = ""
    """Innermost eleven boxes and the tag, the innermost three boxes with their class:
    ``html/body/div.list/ul/li/a``."""
    nofollow: bool = False
    """Whether the link or the page forbids following it."""


def robots_directives(meta: dict[str, str]) -> frozenset[str]:
    """Return the words of the meta robots tag in lower case, with ``none`` expanded."""
    words = frozenset(meta.get("robots", "").lower().replace(",", " ").split())
    return words | {"noindex", "nofollow"} if "none" in words else words


def build_links(outline: Outline, resolver: Resolver) -> list[Link]:
    """Return the links of a walked page in document order, including repeated ones.

    Parameters
    ----------
    outline : Outline
        The walked page.
    resolver : Resolver
        Resolves its hrefs; links that do not lead to an http(s) URL are left out.
    """
    page_nofollow = "nofollow" in robots_directives(outline.meta)
    links = []
    paths = BoxPaths(outline.boxes)
    for raw in outline.links:
        url = resolver.resolve(raw.href)
        if url is not None:
            links.append(_link(url, raw, outline.text, paths.of(raw.box), page_nofollow))
    return links


class BoxPaths:
    """Paths of boxes, outermost first: ``html/body/div.list/ul/li``. Boxes of one list share their outer part."""

    def __init__(self, boxes: Boxes) -> None:
        self.boxes = boxes
        self.paths: dict[int, str] = {}
        self.steps: dict[int, str] = {}
        self.outer: dict[int, str] = {}

    def of(self, box: int) -> str:
        """Return the path of a box."""
        path = self.paths.get(box)
        if path is None:
            path = self.paths[box] = self.make(box)
        return path

    def make(self, box: int) -> str:
        """Put a path together."""
        steps: list[str] = []
        while box > 0 and len(steps) < _PATH_CLASSES:
            steps.append(self.steps.get(box) or self._step(box))
            box = self.boxes.parents[box]
        if box > 0:
            steps.append(self.outer.get(box) or self._outer(box))
        return "/".join(reversed(steps))

    def _step(self, box: int) -> str:
        """Return the tag of a box and its first class."""
        step = self.boxes.tags[box][:_TAG_CHARACTERS]
        if self.boxes.names[box]:
            # Class and id are in one string, the class first; it begins with a space without a class.
            first = self.boxes.names[box].split(" ", 1)[0]
            step = f"{step}.{first[:_CLASS_CHARACTERS]}" if first else step
        self.steps[box] = step
        return step

    def _outer(self, box: int) -> str:
        """Return the tags of a box and those around it, as many as a path has without classes."""
        start = box
        tags: list[str] = []
        while box > 0 and len(tags) < _PATH_BOXES - _PATH_CLASSES:
            tags.append(self.boxes.tags[box][:_TAG_CHARACTERS])
            box = self.boxes.parents[box]
        path = self.outer[start] = "/".join(reversed(tags))
        return path


def _link(url: str, raw: RawLink, text: str, path: str, page_nofollow: bool) -> Link:
    attributes = raw.attributes
    alts: Iterable[str] = raw.alts
    if raw.kind == "area":
        alts = (attributes.get("alt", ""),)
    relations = attributes.get("rel", "")
    followed = not page_nofollow and not (
        relations and _NOT_FOLLOWED.intersection(relations.lower().replace(",", " ").split())
    )
    start, end = raw.start, raw.end
    anchor = text[start : min(end, start + 4 * MAX_ANCHOR_CHARACTERS)].split()
    # By position: there are hundreds of links, and names take time.
    return Link(
        url,
        " ".join(anchor)[:MAX_ANCHOR_CHARACTERS],
        _short(attributes["title"]) if "title" in attributes else "",
        _short(attributes["name"]) if "name" in attributes else "",
        _short(attributes["onmouseover"]) if "onmouseover" in attributes else "",
        _short(" ".join(alts)) if alts else "",
        raw.kind,
        _context(text, start, end) if raw.kind == "a" else "",
        raw.region,
        f"{path}/{raw.tag}" if path else raw.tag,
        not followed,
    )


def _short(text: str) -> str:
    return " ".join(text[: 4 * MAX_ATTRIBUTE_CHARACTERS].split())[:MAX_ATTRIBUTE_CHARACTERS]


def _context(text: str, start: int, end: int) -> str:
    """Return the text of the block before and after a link."""
    before = text[max(0, start - 2 * CONTEXT_CHARACTERS) : start].rpartition("\n")[2]
    after = text[end : end + 2 * CONTEXT_CHARACTERS].partition("\n")[0]
    # Most links of menus have a block of their own.
    before = " ".join(before.split())[-CONTEXT_CHARACTERS:] if before else ""
    after = " ".join(after.split())[:CONTEXT_CHARACTERS] if after else ""
    return f"{before} {after}".strip()
