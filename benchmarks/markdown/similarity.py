"""The tree of a Markdown text, and how similar two trees are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table").enable("strikethrough")
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class Tree:
    """A node: its kind, its text, its children in order."""

    kind: str
    text: str = ""
    children: list[Tree] = field(default_factory=list)

    def size(self) -> int:
        """Return the number of nodes."""
        return 1 + sum(child.size() for child in self.children)


_KINDS = {
    "bullet_list": "list", "ordered_list": "ordered", "list_item": "item", "blockquote": "quotation",
    "table": "table", "tr": "row", "th": "cell", "td": "cell",
}  # fmt: skip


def plain(text: str) -> str:
    """Return a text without white space, which templates add and remove."""
    return _SPACE.sub("", text.replace("\u3000", "").replace("\u00a0", ""))


def parse(markdown: str) -> Tree:
    """Return the tree of a Markdown text: blocks, with their text and images."""
    root = Tree("document")
    stack = [root]
    for token in _PARSER.parse(markdown):
        kind = _KINDS.get(token.type.removesuffix("_open").removesuffix("_close"))
        if token.type.endswith("_open"):
            if token.type == "heading_open":
                kind = f"heading{token.tag[1]}"
            if kind is not None:
                node = Tree(kind)
                stack[-1].children.append(node)
                stack.append(node)
        elif token.type.endswith("_close"):
            if kind is not None or token.type == "heading_close":
                stack.pop()
        elif token.type == "inline":
            _inline(token, stack[-1])
        elif token.type in ("fence", "code_block"):
            stack[-1].children.append(Tree("code", token.content.strip("\n")))
    return root


def _inline(token: Token, parent: Tree) -> None:
    """Add the text and the images of a block. In a heading, an item or a cell it is the node's own."""
    text, images = [], []
    for child in token.children or ():
        if child.type == "image":
            images.append(
                Tree(
                    "image",
                    plain(child.content),
                    [Tree("address", str(child.attrs.get("src", "")))],
                )
            )
        elif child.type in ("text", "code_inline"):
            text.append(child.content)
    written = plain("".join(text))
    if parent.kind in ("document", "quotation") or (parent.kind == "item" and parent.text):
        if written:
            parent.children.append(Tree("paragraph", written))
    else:
        parent.text = written
    parent.children += images


def distance(one: Tree, other: Tree) -> float:
    """Return the tree edit distance: 1 for a node added or removed, up to 1 for a node changed.

    A changed kind costs 1, a changed text 1 less the similarity of the texts.

    References
    ----------
    K. Zhang and D. Shasha, Simple fast algorithms for the editing distance between trees and related
    problems, SIAM Journal on Computing 18 (6), 1989.
    """
    first, second = _Ordered(one), _Ordered(other)
    costs: dict[tuple[int, int], float] = {}

    def cost(i: int, j: int) -> float:
        if (i, j) not in costs:
            costs[i, j] = _change(first.nodes[i], second.nodes[j])
        return costs[i, j]

    size = len(second.nodes)
    trees = [[0.0] * size for _ in first.nodes]
    for i in first.keyroots:
        for j in second.keyroots:
            left, right = first.leftmost[i], second.leftmost[j]
            rows, columns = i - left + 2, j - right + 2
            table = [[0.0] * columns for _ in range(rows)]
            for x in range(1, rows):
                table[x][0] = x
            table[0] = [float(y) for y in range(columns)]
            for x in range(1, rows):
                a = left + x - 1
                above, here = table[x - 1], table[x]
                whole = first.leftmost[a] == left
                for y in range(1, columns):
                    b = right + y - 1
                    best = min(above[y], here[y - 1]) + 1
                    if whole and second.leftmost[b] == right:
                        here[y] = min(best, above[y - 1] + cost(a, b))
                        trees[a][b] = here[y]
                    else:
                        before = table[first.leftmost[a] - left][second.leftmost[b] - right]
                        here[y] = min(best, before + trees[a][b])
    return trees[-1][-1]


class _Ordered:
    """The nodes of a tree in postorder, with their leftmost leaves and the key roots."""

    def __init__(self, tree: Tree) -> None:
        self.nodes: list[Tree] = []
        self.leftmost: list[int] = []
        self._add(tree)
        last: dict[int, int] = {left: i for i, left in enumerate(self.leftmost)}
        self.keyroots = sorted(last.values())

    def _add(self, tree: Tree) -> int:
        leaves = [self._add(child) for child in tree.children]
        left = leaves[0] if leaves else len(self.nodes)
        self.nodes.append(tree)
        self.leftmost.append(left)
        return left


def _change(one: Tree, other: Tree) -> float:
    if one.kind != other.kind:
        return 1.0
    if one.text == other.text:
        return 0.0
    if not one.text or not other.text:
        return 1.0
    return 1.0 - SequenceMatcher(None, one.text[:2_000], other.text[:2_000], autojunk=False).ratio()


def similarity(found: Tree, truth: Tree) -> float:
    """Return 1 - distance / size of the larger tree, in [0, 1]; the roots do not count."""
    larger = max(found.size(), truth.size()) - 1
    return 1.0 - min(1.0, distance(found, truth) / larger) if larger else 1.0


def only(tree: Tree, kinds: frozenset[str]) -> Tree:
    """Return the parts of a document that are of some kinds, wherever they stand."""
    return Tree("document", children=list(_find(tree, kinds)))


def _find(tree: Tree, kinds: frozenset[str]) -> list[Tree]:
    found: list[Tree] = []
    for child in tree.children:
        found += [child] if child.kind in kinds else _find(child, kinds)
    return found
