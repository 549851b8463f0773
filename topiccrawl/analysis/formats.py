"""Formats in which ``extract`` writes pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.analysis.extraction import PageExtractor
    from topiccrawl.page.page import Page

#: Keys of a record, in order.
FIELDS: Final = (
    "id", "url", "title", "body", "time", "author", "source", "kind", "lang", "keywords", "summary",
)  # fmt: skip

#: Further keys of a record with the structure of the page, in order: the body as Markdown, the URL of the picture
#: that stands for the page, the URLs of the images in the body, and the readers' comments, each with
#: ``author``, ``time`` and ``text``.
STRUCTURE_FIELDS: Final = ("markdown", "main_image", "images", "comments")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of the output."""

    suffix: str
    """Suffix of a file that holds one page."""
    between: bytes
    """Separates the pages of one file."""
    render: Callable[[PageExtractor, Page, str, bool], str]
    """Return the text of a page with a name, with or without links; it ends with a line break."""
    has_links: bool = False
    """Whether it can write links."""
    has_structure: bool = False
    """Whether it can write the structure of a page."""


def _jsonl(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    return json.dumps(extractor.record(page, name), ensure_ascii=False) + "\n"


def _text(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    """Return the title, an empty line and the body."""
    body = _without_title(page.body, page.title)
    return "\n\n".join(filter(None, (page.title, body))) + "\n"


def _markdown(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    """Return the title as a heading, and the body."""
    # Not at module level: other modules show the formats and never write them.
    from topiccrawl.page.markdown.escaping import escape

    title = escape(page.title)
    heading = f"# {title}" if title else ""
    body = _without_title(page.to_markdown(links=links), title)
    return "\n\n".join(filter(None, (heading, body))) + "\n"


def _without_title(body: str, title: str) -> str:
    """Return *body* without its first line if that is the *title*, as in threads."""
    first, __, rest = body.partition("\n")
    line = first.lstrip("#")
    return rest.lstrip("\n") if title and line.split() == title.split() else body


#: The formats by their names.
FORMATS: Final[dict[str, Format]] = {
    "jsonl": Format(".json", b"", _jsonl, has_structure=True),
    # A form feed between pages, as pdftotext writes it: no page contains one.
    "text": Format(".txt", b"\f\n", _text),
    # A thematic break between pages.
    "markdown": Format(".md", b"\n---\n\n", _markdown, has_links=True),
}
#: Name of the format that is written if none is named.
DEFAULT_FORMAT: Final = "jsonl"
