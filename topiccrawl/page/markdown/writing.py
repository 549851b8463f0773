"""Write the kept part of a page as Markdown (CommonMark with the tables of GitHub)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby, pairwise

from topiccrawl.page.markdown.escaping import (
    address,
    code_block,
    code_span,
    escape,
    escape_label,
    escape_start,
)
from topiccrawl.page.markdown.nodes import HEADINGS, Child, Line, Node, Picture
from topiccrawl.page.markdown.tables import grid_of, is_data, is_list

#: Longest lines between which a single ``br`` is a break in a verse or an address and not the end of a paragraph
#: (a guess).
_SHORT_LINE = 40
#: Most quotations and lists inside each other that are written as such (a choice).
_MAX_NESTING = 8
_INDENT = re.compile(r"^(?:[\u3000\u00a0]{2}|[\u00a0 ]{4})")
_NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)
_INVISIBLE = re.compile("[\u200b\u200c\u2060\ufeff\u00ad]")
# Marks of links to a heading, at its end.
_PERMALINKS = "¶§🔗"
# Alternative texts that programs write: names of files, and words for "image".
_FILE_NAME = re.compile(
    r"[\w .()-]*\.(?:jpe?g|png|gif|webp|bmp)|(?:img|image|dsc|screenshot|图片"
    r"|微信图片|在这里插入图片描述|截图)[\w ()-]*"
    r"|[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){2,}",
    re.IGNORECASE,
)
_QUOTE_NAMES = re.compile(r"(?<![a-z])(?:block)?quote(?![\w-])", re.IGNORECASE)
_CAPTION_NAMES = re.compile(
    r"caption|(?<![a-z])(?:pic|img|image|photo)[-_]?(?:desc|text|info|title|intro|note)|tushuo|tuzhu",
    re.IGNORECASE,
)

Resolve = Callable[[str], str | None]


class Writer:
    """Writes nodes as blocks of Markdown.

    Parameters
    ----------
    resolve : callable
        Returns the absolute URL of an address in the page, ``None`` if it has none.
    title : str
        Title of the page; it is not repeated as the text of images.
    links : bool
        Whether to write links as links; otherwise as their text.
    """

    def __init__(self, resolve: Resolve, title: str, *, links: bool) -> None:
        self._resolve = resolve
        self._links = links
        self._alts = {title}

    def blocks(self, node: Node, nesting: int = 0) -> list[str]:
        """Return the blocks of the content of a node."""
        found: list[str] = []
        children = node.children
        at = 0
        while at < len(children):
            child = children[at]
            at += 1
            if isinstance(child, Picture):
                if child.kept:
                    caption = _caption_after(children, at)
                    found.append(self.picture(child, caption))
            elif isinstance(child, Line):
                if child.kept and child.pieces:
                    lines = [child]
                    # A single br in a verse.
                    while (
                        at < len(children)
                        and isinstance(following := children[at], Line)
                        and following.kept
                        and _same_paragraph(lines[-1], following)
                    ):
                        lines.append(following)
                        at += 1
                    found.append("\\\n".join(escape_start(self.line(x)) for x in lines))
            elif child.tag == "li" and node.tag not in ("ul", "ol") and nesting < _MAX_NESTING:
                items = [child]
                while (
                    at < len(children) and isinstance(one := children[at], Node) and one.tag == "li"
                ):
                    items.append(one)
                    at += 1
                found += self.items(items, None, nesting)
            else:
                found += self.node(child, nesting)
        return _separate([block for block in found if block])

    def node(self, node: Node, nesting: int) -> list[str]:
        """Return the blocks of a node."""
        tag = node.tag
        if tag == "gutter" or (not node.kept and not _has_picture(node)):
            return []
        if tag in HEADINGS:
            return self.heading(node)
        if tag == "pre":
            return [code_block(node.code, node.language)] if node.code else []
        if tag == "verse":
            return _verse(node.code)
        if tag in ("ul", "ol") and nesting < _MAX_NESTING and is_list(node):
            return self.listing(node, nesting)
        if tag == "table" and is_data(node):
            return self.table(node, nesting)
        if tag == "dl" and (pairs := self.definitions(node)):
            return pairs
        if tag == "figure" or _is_captioned(node):
            return self.figure(node, nesting)
        if (
            (tag == "blockquote" or (_QUOTE_NAMES.search(node.names) and tag in ("div", "section")))
            and nesting < _MAX_NESTING
            and node.kept
        ):
            only = node.children[0] if len(node.children) == 1 else None
            if isinstance(only, Node) and only.tag == "blockquote":
                node = only
            inner = self.blocks(node, nesting + 1)
            return (
                ["\n".join(_quoted(line) for line in "\n\n".join(inner).split("\n"))]
                if inner
                else []
            )
        return self.blocks(node, nesting)

    def line(self, line: Line) -> str:
        """Return the text of a line with its code and links."""
        found: list[tuple[str, str]] = []
        for (code, href), pieces in groupby(
            line.pieces, key=lambda piece: (piece.code, piece.href if self._links else "")
        ):
            text = _INVISIBLE.sub("", "".join([piece.text for piece in pieces]))
            inner = " ".join(text.split())
            if not inner:
                found.append((" " if text else "", ""))
                continue
            before = " " if text[0].isspace() else ""
            after = " " if text[-1].isspace() else ""
            url = self._resolve(href) if href and not href.startswith("#") else None
            written = code_span(inner) if code else (escape_label if url else escape)(inner)
            if url:
                written = f"[{written}]({address(url)})"
            found.append((f"{before}{written}{after}", ""))
        return " ".join("".join([text for text, _ in found]).split())

    def heading(self, node: Node) -> list[str]:
        """Return a heading; its lines become one."""
        text = " ".join(self.line(line) for line in _kept_lines(node))
        text = text.rstrip().rstrip(_PERMALINKS).rstrip()
        text = text.removesuffix(" #")
        found = [self.picture(x, "") for x in pictures_of(node)]
        return [*([f"{'#' * int(node.tag[1])} {text}"] if text else []), *found]

    def picture(self, picture: Picture, caption: str) -> str:
        """Return an image with its caption, else its alternative text."""
        url = self._resolve(picture.address) or ""
        if not url:
            return escape_start(escape(caption))
        text = caption
        if not caption and picture.alt not in self._alts and not _is_file_name(picture.alt):
            self._alts.add(picture.alt)
            text = picture.alt
        return f"![{escape_label(text)}]({address(url)})"

    def figure(self, node: Node, nesting: int) -> list[str]:
        """Return images with their caption; a figure of something else as that."""
        pictures = list(pictures_of(node))
        captions = [
            x for x in _boxes(node) if x.tag == "figcaption" or _CAPTION_NAMES.search(x.names)
        ]
        lines = list(_lines(captions[0])) if captions else list(_lines(node))
        if (
            not pictures
            or any(_is_structure(x) for x in _boxes(node))
            or (not captions and len(lines) > 1)
        ):
            return self.blocks(node, nesting)
        caption = " ".join(" ".join(line.text.split()) for line in lines)
        found = [self.picture(picture, "") for picture in pictures[:-1]]
        return [*found, self.picture(pictures[-1], caption)]

    def listing(self, node: Node, nesting: int) -> list[str]:
        """Return a list with its items; what else is between them stands for itself."""
        found: list[str] = []
        number = node.start if node.tag == "ol" else None
        for is_item, run in groupby(
            node.children, key=lambda x: isinstance(x, Node) and x.tag in ("li", "ul", "ol")
        ):
            if is_item:
                items = [x for x in run if isinstance(x, Node)]
                found += self.items(items, number, nesting)
                number = None if number is None else number + sum(x.tag == "li" for x in items)
            else:
                found += self.blocks(Node("div", children=list(run)), nesting)
        return found

    def definitions(self, node: Node) -> list[str]:
        """Return names with their values, a line each, as a list; empty if it is anything else."""
        boxes = [x for x in node.children if isinstance(x, Node) and (x.kept or _has_picture(x))]
        names, values = boxes[::2], boxes[1::2]
        if len(boxes) < len(node.children) and any(isinstance(x, Line) for x in node.children):
            return []
        if {x.tag for x in names} != {"dt"} or {x.tag for x in values} != {"dd"}:
            return []
        leaves = [_leaves(box) for box in boxes]
        if len(names) != len(values) or any(
            len(found) != 1 or not isinstance(found[0], Line) for found in leaves
        ):
            return []
        lines = [self.line(found[0]) for found in leaves if isinstance(found[0], Line)]
        pairs = zip(lines[::2], lines[1::2], strict=True)
        return ["\n".join(f"- {name.rstrip('：:')}: {value}" for name, value in pairs)]

    def items(self, items: list[Node], number: int | None, nesting: int) -> list[str]:
        """Return a list of items, numbered from *number* unless that is ``None``."""
        written: list[str] = []
        for item in items:
            # A list directly in a list belongs to the item before.
            write = self.blocks if item.tag == "li" else self.listing
            blocks = write(item, nesting + 1)
            if not blocks:
                continue
            if item.tag != "li" and written:
                written[-1] += "".join(f"\n{_indented(block)}" for block in blocks)
                continue
            marker = "-" if number is None else f"{number}."
            if number is not None:
                number += 1
            width = " " * (len(marker) + 1)
            text = blocks[0]
            for before, block in pairwise(blocks):
                gap = "\n" if block.startswith(("- ", "1. ")) and "\n" not in before else "\n\n"
                text += gap + block
            body = "\n".join(f"{width}{line}" if line else "" for line in text.split("\n"))
            written.append(f"{marker} {body[len(width) :]}")
        return ["\n".join(written)] if written else []

    def table(self, node: Node, nesting: int) -> list[str]:
        """Return a table with all its cells, the first row is the head; one with a single column as its content."""
        rows = [
            [self.cell(cell) if cell is not None else "" for cell in row] for row in grid_of(node)
        ]
        rows = [row for row in rows if any(row)]
        used = [i for i in range(len(rows[0]) if rows else 0) if any(row[i] for row in rows)]
        rows = [[row[i] for i in used] for row in rows]
        if len(used) == 1:  # of a post in a table, the text without its author
            return self.blocks(node, nesting)
        caption = [
            escape_start(self.line(line))
            for box in _boxes(node)
            if box.tag == "caption"
            for line in _kept_lines(box)
        ]
        if not rows:
            return caption
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, f"|{' --- |' * len(rows[0])}")
        return [*caption, "\n".join(lines)]

    def cell(self, cell: Node) -> str:
        """Return the content of a cell on one line."""
        parts = []
        for child in _leaves(cell):
            if isinstance(child, Line):
                if child.kept:
                    parts.append(self.line(child))
            elif child.kept:
                parts.append(self.picture(child, ""))
        return " ".join(part for part in parts if part).replace("|", "\\|")


def _separate(blocks: list[str]) -> list[str]:
    """Give a list after a list of the same sort other markers: they would be read as one."""
    for i in range(1, len(blocks)):
        if blocks[i].startswith("- ") and blocks[i - 1].startswith("- "):
            blocks[i] = re.sub(r"^- ", "* ", blocks[i], flags=re.M)
        elif _NUMBERED.match(blocks[i]) and _NUMBERED.match(blocks[i - 1]):
            blocks[i] = _NUMBERED.sub(r"\1) ", blocks[i])
    return blocks


def _quoted(line: str) -> str:
    return f"> {line}" if line else ">"


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in block.split("\n"))


def _verse(text: str) -> list[str]:
    """Return running text of a ``pre``: its paragraphs, with the line ends that it has."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [" ".join(line.split()) for line in paragraph.split("\n")]
        found.append("\\\n".join(escape_start(escape(line)) for line in lines if line))
    return found


def _same_paragraph(line: Line, following: Line) -> bool:
    return (
        following.breaks == 1
        and not _INDENT.match(following.text)
        and len(line.text.strip()) <= _SHORT_LINE
        and len(following.text.strip()) <= _SHORT_LINE
    )


def _caption_after(children: list[Child], at: int) -> str:
    """Return the caption of an image in the element after it, and have it not written again."""
    following = children[at] if at < len(children) else None
    if not isinstance(following, Node) or not (
        following.tag == "figcaption" or _CAPTION_NAMES.search(following.names)
    ):
        return ""
    lines = [line for line in _lines(following) if not line.hidden]
    for line in lines:
        line.kept = False
    following.kept = 0
    return " ".join(" ".join(line.text.split()) for line in lines)


def _is_captioned(node: Node) -> bool:
    """Whether a box holds one image and, in a box of its own, its caption."""
    boxes = [x for x in node.children if isinstance(x, Node)]
    return (
        node.tag == "div"
        and len(boxes) == len(node.children)
        and len(boxes) == 2
        and _CAPTION_NAMES.search(boxes[1].names) is not None
        and _has_picture(boxes[0])
        and not boxes[0].size
    )


def _is_file_name(text: str) -> bool:
    return _FILE_NAME.fullmatch(text) is not None


def _is_structure(node: Node) -> bool:
    return node.tag in ("table", "pre", "ul", "ol", "verse")


def _has_picture(node: Node) -> bool:
    return any(True for _ in pictures_of(node))


def _leaves(node: Node) -> list[Line | Picture]:
    found: list[Line | Picture] = []
    for child in node.children:
        found += _leaves(child) if isinstance(child, Node) else [child]
    return found


def _lines(node: Node) -> list[Line]:
    return [x for x in _leaves(node) if isinstance(x, Line)]


def _kept_lines(node: Node) -> list[Line]:
    return [line for line in _lines(node) if line.kept]


def pictures_of(node: Node) -> list[Picture]:
    """Return the images of a node that are kept."""
    return [x for x in _leaves(node) if isinstance(x, Picture) and x.kept]


def _boxes(node: Node) -> list[Node]:
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, Node):
            found += [child, *_boxes(child)]
    return found
