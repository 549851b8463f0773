"""``extract``: title, body, time and more of one page."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.analysis.formats import FIELDS, STRUCTURE_FIELDS
from topiccrawl.api.commands import run_command, scrapy_words, settings_words
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.analysis.extraction import PageExtractor

_WEB: Final = re.compile(r"https?://", re.IGNORECASE)
_TAG: Final = re.compile(r"<[a-zA-Z!/?]")


class ExtractionError(ValueError):
    """The page could not be fetched or read; the message is for the user."""


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """What was extracted from a page or a document; the fields of ``scrapy extract``."""

    id: str
    """URL or file name."""
    url: str | None
    title: str | None
    body: str
    """Main text, a line for each paragraph."""
    time: str | None
    """When it was published, in ISO 8601; only the day if the page states no more."""
    author: str | None
    source: str | None
    kind: str
    """``article``, ``list``, ``thread`` or ``other``."""
    lang: str
    keywords: tuple[str, ...]
    summary: str
    markdown: str | None = None
    """The body with headings, lists, tables and images; this and the following only with *structure*."""
    main_image: str | None = None
    """URL of the picture that stands for the page."""
    images: tuple[str, ...] = ()
    """URLs of the images in the body."""
    comments: tuple[dict[str, str | None], ...] = ()
    """Readers' comments, each with ``author``, ``time`` and ``text``."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, as ``scrapy extract`` writes them."""
        record = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }
        wanted = FIELDS if self.markdown is None else (*FIELDS, *STRUCTURE_FIELDS)
        return {name: record[name] for name in wanted}


def extract(
    page: str | bytes | os.PathLike[str],
    *,
    url: str = "",
    structure: bool = False,
    settings: Mapping[str, object] | None = None,
) -> ExtractedPage:
    """Extract title, body, time, author and more of one page.

    Raises ``ExtractionError`` if a URL cannot be fetched, a document cannot be read, or *page* is an empty
    text. Raises ``OSError`` if a file cannot be read.

    Parameters
    ----------
    page
        A URL, which is fetched; the path of a file; HTML as text or bytes; or the bytes of a document.
    url
        Address of a page that is not fetched; otherwise the one that the page states.
    structure
        Also return Markdown, images and readers' comments, which takes a second pass over the page.
    settings
        Scrapy settings of the request for a URL: ``{"DOWNLOAD_TIMEOUT": 10}``.
    """
    if isinstance(page, bytes):
        return _read(page, url or "page", url, structure)
    if isinstance(page, str):
        if not page.strip():
            raise ExtractionError(_("nothing to extract: the text is empty"))
        if _WEB.match(page.strip()):
            return _fetch(page.strip(), settings or {}, structure)
        if _TAG.search(page):
            body = page.encode("utf-8", "replace")
            return _read(body, url or "page", url, structure, charset="utf-8")
    path = Path(page).expanduser()
    return _read(path.read_bytes(), path.stem, url, structure, file_name=path.name)


def _read(
    body: bytes,
    name: str,
    url: str,
    structure: bool,
    *,
    charset: str | None = None,
    file_name: str = "",
) -> ExtractedPage:
    from topiccrawl.documents.text import UnreadableDocumentError

    try:
        extractor = _extractor(structure)
        record = extractor.extract(body, name, url, charset=charset, file_name=file_name)
    except UnreadableDocumentError as error:
        raise ExtractionError(
            _("{page}: no text can be read: {reason}").format(page=name, reason=error.reason)
        ) from None
    return _page(record)


def _fetch(url: str, settings: Mapping[str, object], structure: bool) -> ExtractedPage:
    options = ["--structure"] if structure else []
    words = scrapy_words("extract", url, "--jsonl", "-", *options, *settings_words(settings))
    done = run_command(words)
    if done.returncode or not done.stdout.strip():
        lines = [line.removeprefix("topiccrawl: ") for line in done.stderr.splitlines() if line]
        raise ExtractionError(lines[0] if lines else _("{url}: not fetched").format(url=url))
    return _page(json.loads(done.stdout.splitlines()[0]))


def _page(record: Mapping[str, Any]) -> ExtractedPage:
    fields: dict[str, Any] = {
        name: tuple(it) if isinstance(it, list) else it for name, it in record.items()
    }
    return ExtractedPage(**fields)


@cache
def _extractor(structure: bool) -> PageExtractor:
    # Not at module level: its tables take a second.
    from topiccrawl.analysis.extraction import PageExtractor

    return PageExtractor(structure=structure)
