"""Pages of the documents in all templates, with the trees that their Markdown should have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.corpus.site import Site
from benchmarks.markdown.documents import KINDS, Document, Part, document
from benchmarks.markdown.similarity import Tree, plain
from benchmarks.markdown.templates import Template


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    """A page with its accepted trees."""

    template: str
    kind: str
    url: str
    html: str
    title: str
    truths: tuple[Tree, ...]
    """With captions as the text of images, and with captions as paragraphs below them."""


def pages(templates: Sequence[Template], seed: int, sites: int) -> Iterator[MarkdownPage]:
    """Yield a page of each kind of document on some sites of each template."""
    for template in templates:
        for number in range(sites):
            site = Site(seed, f"markdown_{template.name}", number)
            for kind in KINDS:
                draw = Random(f"{site.seed}/{kind}")
                made = document(draw, kind)
                body = "".join(template.part(site, part) for part in made.parts)
                yield MarkdownPage(
                    template.name,
                    kind,
                    f"http://{site.host}/a/{draw.randrange(10**6)}.html",
                    template.frame(site, draw, made, body),
                    made.title,
                    (truth_of(made, below=False), truth_of(made, below=True)),
                )


def truth_of(made: Document, *, below: bool) -> Tree:
    """Return the tree of a document; with *below*, captions are paragraphs below their images."""
    root = Tree("document")
    for part in made.parts:
        root.children += _trees(part, below=below)
    return root


def _trees(part: Part, *, below: bool) -> list[Tree]:
    if part.kind == "heading":
        return [Tree(f"heading{part.level}", plain(part.text))]
    if part.kind == "list":
        items = [
            Tree(
                "item",
                plain(item.text),
                [Tree("list", "", [Tree("item", plain(x)) for x in item.inner])],
            )
            if item.inner
            else Tree("item", plain(item.text))
            for item in part.items
        ]
        return [Tree("ordered" if part.ordered else "list", "", items)]
    if part.kind == "table":
        return [
            Tree(
                "table",
                "",
                [Tree("row", "", [Tree("cell", plain(x)) for x in row]) for row in part.rows],
            )
        ]
    if part.kind == "quotation":
        return [Tree("quotation", "", [Tree("paragraph", plain(line)) for line in part.lines])]
    if part.kind == "code":
        return [Tree("code", part.text)]
    if part.kind == "figure":
        image = Tree("image", "" if below else plain(part.text), [Tree("address", part.source)])
        return [image, Tree("paragraph", plain(part.text))] if below else [image]
    return [Tree("paragraph", plain(part.text))]


def compared(tree: Tree, title: str) -> Tree:
    """Return a tree as it is compared: without the title, headings by rank, addresses as paths."""
    children = list(tree.children)
    for i, child in enumerate(children[:3]):
        if child.text == plain(title):
            del children[i]
            break
    levels = sorted({child.kind for child in children if child.kind.startswith("heading")})
    for child in children:
        if child.kind in levels:
            child.kind = f"heading{levels.index(child.kind) + 1}"
    root = Tree("document", children=children)
    _shorten(root)
    return root


def _shorten(tree: Tree) -> None:
    if tree.kind == "address" and "://" in tree.text:
        tree.text = "/" + tree.text.partition("://")[2].partition("/")[2]
    for child in tree.children:
        _shorten(child)
