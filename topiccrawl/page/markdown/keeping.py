"""Decide what of a page its Markdown contains: what the extractor selected, and what belongs to that.

A body extractor selects lines. The Markdown has tables, lists and code whole if a good part of them was
selected or if they stand between selected lines; the heading above a selected line; and the images
between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from topiccrawl.page.markdown.nodes import HEADINGS, Line, Node, Picture
from topiccrawl.page.markdown.pictures import is_content, is_file
from topiccrawl.page.markdown.tables import is_data, is_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: Share of its text that must be selected for a table or list to be written whole (a guess).
SELECTED = 0.4
#: Share of the selected text that the innermost box around it contains (a guess: the rest is a title, or a
#: notice below).
CONTAINED = 0.8
#: Share of links from which a structure that was not selected is a menu (a guess).
LINKED = 0.3
_NOT_WORD = re.compile(r"\W+")


def keep(root: Node, selected: Collection[int], title: str, *, complete: bool) -> None:
    """Mark the lines and images that the Markdown contains.

    Parameters
    ----------
    root : Node
        The page.
    selected : collection of int
        Numbers of the lines that the extractor selected.
    title : str
        Title of the page, which is left out.
    complete : bool
        Whether structures are written whole; not on a thread, whose posts may be a list.
    """
    bare_title = _bare(title)
    for line in lines_of(root):
        line.kept = line.number in selected
    weigh(root)
    if not root.kept:
        return
    box = container(root)
    first, last = min(selected), max(selected)
    if complete:
        _complete(box, first, last)
        _keep_headings(box, bare_title)
    weigh(root)
    _keep_pictures(box, first, last)


def lines_of(node: Node) -> Iterator[Line]:
    """Yield the lines of a node in document order."""
    for child in node.children:
        if isinstance(child, Line):
            yield child
        elif isinstance(child, Node):
            yield from lines_of(child)


def weigh(node: Node) -> None:
    """Set the sizes of a node and of all nodes in it."""
    size = kept = linked = 0
    for child in node.children:
        if isinstance(child, Node):
            weigh(child)
            size, kept, linked = size + child.size, kept + child.kept, linked + child.linked
        elif isinstance(child, Line) and not child.hidden:
            size += child.size
            kept += child.size if child.kept else 0
            linked += child.linked
    node.size, node.kept, node.linked = size, kept, linked


def container(root: Node) -> Node:
    """Return the innermost box that contains nearly all that is kept."""
    box = root
    while True:
        inner = next(
            (
                child
                for child in box.children
                if isinstance(child, Node) and child.kept >= CONTAINED * root.kept
            ),
            None,
        )
        if (
            inner is None
            or inner.tag in ("ul", "ol", "dl", "li", "tr", "pre", "verse")
            or (inner.tag == "table" and is_data(inner))
        ):
            return box
        box = inner


def _complete(node: Node, first: int, last: int) -> None:
    """Keep tables, lists and code whole."""
    for child in node.children:
        if not isinstance(child, Node):
            continue
        if _is_structure(child) and child.size and _belongs(child, first, last):
            for line in lines_of(child):
                line.kept = not line.hidden
            child.whole = True
        else:
            _complete(child, first, last)


def _is_structure(node: Node) -> bool:
    if node.tag == "table":
        return is_data(node)
    if node.tag in ("ul", "ol"):
        return is_list(node)
    return node.tag in ("dl", "pre", "verse", "blockquote")


def _belongs(node: Node, first: int, last: int) -> bool:
    """Whether a structure in the box of the content belongs to it, as a whole."""
    if node.tag in ("pre", "verse") and (node.kept or not node.code):
        return node.kept > 0
    if node.kept >= SELECTED * node.size:
        return True
    if node.linked > LINKED * node.size:
        return False
    numbers = [line.number for line in lines_of(node)]
    if node.tag in ("table", "pre"):
        # Below the text stand other texts and lists of links, but tables and code rarely.
        return first < numbers[0]
    return first < numbers[0] and numbers[-1] < last


def _keep_headings(box: Node, bare_title: str) -> None:
    """Keep headings above kept lines, below the first of them; leave out the title of the page."""
    order: list[tuple[Node | None, Line]] = list(_with_headings(box, None))
    begun = False
    following = False
    wanted = []
    for heading, line in reversed(order):
        if heading is None:
            following = line.kept
        elif following or line.kept:
            wanted.append(line)
    seen = {id(line) for line in wanted}
    for heading, line in order:
        if heading is not None and bare_title and _bare(line.text) == bare_title:
            line.kept = False
        elif heading is not None and begun and id(line) in seen and not line.hidden:
            line.kept = True
        begun = begun or line.kept


def _with_headings(node: Node, heading: Node | None) -> Iterator[tuple[Node | None, Line]]:
    heading = node if node.tag in HEADINGS else heading
    for child in node.children:
        if isinstance(child, Line):
            yield heading, child
        elif isinstance(child, Node):
            yield from _with_headings(child, heading)


def _keep_pictures(box: Node, first: int, last: int) -> None:
    """Keep the images of the content: not in boxes whose text was left out."""
    seen: set[str] = set()
    named = {piece.href for line in lines_of(box) if line.kept for piece in line.pieces}

    def visit(node: Node) -> None:
        if node.size and not node.kept and not _is_caption_box(node, first, last):
            return
        for child in node.children:
            if isinstance(child, Node):
                visit(child)
            elif (
                isinstance(child, Picture)
                and child.address not in seen
                and is_content(child)
                and (child.href in named or not _is_advertisement(child))
            ):
                child.kept = True
                seen.add(child.address)

    visit(box)


def _is_caption_box(node: Node, first: int, last: int) -> bool:
    """Whether a box of text that was left out holds an image and its caption."""
    if node.tag == "figure":
        return True
    lines = list(lines_of(node))
    return len(lines) == 1 and first <= lines[0].number <= last and not node.linked


def _is_advertisement(picture: Picture) -> bool:
    """Whether the link around an image leads to another site and not to the image in full size."""
    href = picture.href
    return (
        href.startswith(("http:", "https:", "//"))
        and not is_file(href)
        and not _same_host(href, picture.address)
    )


def _same_host(one: str, other: str) -> bool:
    """Whether the addresses are of one registered domain, as far as their last two names tell."""
    hosts = [x.partition("//")[2].partition("/")[0].rsplit(".", 2)[-2:] for x in (one, other)]
    return not other.partition("//")[1] or hosts[0] == hosts[1]


def _bare(text: str) -> str:
    return _NOT_WORD.sub("", text)
