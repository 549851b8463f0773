"""Formats in which ``extract`` writes pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from topiccrawl.analysis.extraction import PageExtractor
    from topiccrawl.page.page import Page

__all__ = ["DEFAULT_FORMAT", "FIELDS", "FORMATS", "Format"]

#: Keys of a record, in order.
FIELDS: Final = (
    "id", "url", "title", "body", "time", "author", "source", "kind", "lang", "keywords", "summary",
)  # fmt: skip


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


def _jsonl(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    return json.dumps(extractor.record(page, name), ensure_ascii=False) + "\n"


def _text(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    """Return the title, an empty line and the body."""
    return "\n\n".join(filter(None, (page.title, page.body))) + "\n"


def _markdown(extractor: PageExtractor, page: Page, name: str, links: bool) -> str:
    """Return the title as a heading, and the body."""
    # Not at module level: other modules show the formats and never write them.
    from topiccrawl.page.markdown.escaping import escape

    heading = f"# {escape(page.title)}" if page.title else ""
    return "\n\n".join(filter(None, (heading, page.to_markdown(links=links)))) + "\n"


#: The formats by their names.
FORMATS: Final[dict[str, Format]] = {
    "jsonl": Format(".json", b"", _jsonl),
    # A form feed between pages, as pdftotext writes it: no page contains one.
    "text": Format(".txt", b"\f\n", _text),
    # A thematic break between pages.
    "markdown": Format(".md", b"\n---\n\n", _markdown, has_links=True),
}
#: Name of the format that is written if none is named.
DEFAULT_FORMAT: Final = "jsonl"
