"""Compose the Markdown of a page from the lines that its body extractor selected."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topiccrawl.page.markdown.escaping import escape, escape_start
from topiccrawl.page.markdown.keeping import keep
from topiccrawl.page.markdown.reading import read
from topiccrawl.page.markdown.writing import Writer, pictures_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topiccrawl.page.markdown.writing import Resolve


@dataclass(frozen=True, slots=True)
class Composition:
    """The Markdown of a page and the images in it."""

    markdown: str
    images: tuple[str, ...] = ()
    """Absolute URLs, in order."""


def compose(
    html: str,
    text: str,
    body: str,
    offsets: Sequence[int] | None,
    title: str,
    resolve: Resolve,
    *,
    links: bool = False,
    complete: bool = True,
) -> Composition:
    """Return the main text of a page as Markdown.

    The page is parsed a second time, because few pages are written as Markdown: the walk gathers nothing for it.

    Parameters
    ----------
    html : str
        The decoded HTML.
    text : str
        :attr:`topiccrawl.page.outline.Outline.text` of the same page.
    body : str
        The main text, one line per paragraph.
    offsets : sequence of int or None
        Offset in *text* of each line of *body*; ``None`` to look for the lines.
    title : str
        Title of the page, which the Markdown leaves out.
    resolve : callable
        Returns the absolute URL of an address in the page, ``None`` if it has none.
    links : bool
        Whether to write links as links.
    complete : bool
        Whether tables, lists and the like of which a part is selected are written whole.

    Returns
    -------
    Composition
        The paragraphs of *body* alone if the page's text is not the source of it (a document, a
        description in the metadata). Linear time.
    """
    paragraphs = body.split("\n") if body else []
    if not paragraphs:
        return Composition("")
    lines = text.split("\n")
    numbers = line_numbers(lines, offsets) if offsets is not None else find_lines(lines, paragraphs)
    root, count = read(html) if html else (None, 0)
    if root is None or not numbers or count < max(numbers):
        return plain(paragraphs)
    keep(root, frozenset(numbers), title, complete=complete)
    written = "\n\n".join(Writer(resolve, title, links=links).blocks(root))
    if not written:
        return plain(paragraphs)
    urls = (resolve(picture.address) for picture in pictures_of(root))
    return Composition(written, tuple(dict.fromkeys(url for url in urls if url)))


def plain(paragraphs: Sequence[str]) -> Composition:
    """Return paragraphs as Markdown."""
    return Composition("\n\n".join(escape_start(escape(x)) for x in paragraphs if x))


def line_numbers(lines: Sequence[str], offsets: Sequence[int]) -> list[int]:
    """Return the numbers of the lines at offsets of the text that they are joined to by line ends."""
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return [bisect_right(starts, offset) - 1 for offset in offsets]


def find_lines(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the numbers of the lines with the wanted texts, in order.

    Each text is looked for after the one before it; one that is not found is left out. White space does
    not count.
    """
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault("".join(line.split()), []).append(number)
    found = []
    last = -1
    for text in wanted:
        known = places.get("".join(text.split()), [])
        at = bisect_right(known, last)
        if text and at < len(known):
            last = known[at]
            found.append(last)
    return found
