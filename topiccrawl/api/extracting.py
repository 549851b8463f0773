"""``extract``: title, body, time and more of one page."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.api.commands import run_command, scrapy_words, settings_words
from topiccrawl.language import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from topiccrawl.analysis.extraction import PageExtractor

__all__ = ["ExtractedPage", "ExtractionError", "extract"]

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

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by name, as ``scrapy extract`` writes them."""
        return {**asdict(self), "keywords": list(self.keywords)}


def extract(
    page: str | bytes | os.PathLike[str],
    *,
    url: str = "",
    settings: Mapping[str, object] | None = None,
) -> ExtractedPage:
    """Extract title, body, time, author and more of one page.

    Parameters
    ----------
    page
        A URL, which is fetched; the path of a file; HTML as text or bytes; or the bytes of a document.
    url
        Address of a page that is not fetched; otherwise the one that the page states.
    settings
        Scrapy settings of the request for a URL: ``{"DOWNLOAD_TIMEOUT": 10}``.

    Raises
    ------
    ExtractionError
        If a URL cannot be fetched, or a document cannot be read.
    OSError
        If a file cannot be read.
    """
    if isinstance(page, bytes):
        return _read(page, url or "page", url)
    if isinstance(page, str):
        if _WEB.match(page.strip()):
            return _fetch(page.strip(), settings or {})
        if _TAG.search(page):
            return _read(page.encode("utf-8", "replace"), url or "page", url, charset="utf-8")
    path = Path(page).expanduser()
    return _read(path.read_bytes(), path.stem, url, file_name=path.name)


def _read(
    body: bytes, name: str, url: str, *, charset: str | None = None, file_name: str = ""
) -> ExtractedPage:
    from topiccrawl.documents.text import UnreadableDocumentError

    try:
        record = _extractor().extract(body, name, url, charset=charset, file_name=file_name)
    except UnreadableDocumentError as error:
        raise ExtractionError(
            _("{page}: no text can be read: {reason}").format(page=name, reason=error.reason)
        ) from None
    return _page(record)


def _fetch(url: str, settings: Mapping[str, object]) -> ExtractedPage:
    done = run_command(scrapy_words("extract", url, "--jsonl", "-", *settings_words(settings)))
    if done.returncode or not done.stdout.strip():
        lines = [line.removeprefix("topiccrawl: ") for line in done.stderr.splitlines() if line]
        raise ExtractionError(lines[0] if lines else _("{url}: not fetched").format(url=url))
    return _page(json.loads(done.stdout.splitlines()[0]))


def _page(record: Mapping[str, Any]) -> ExtractedPage:
    return ExtractedPage(**{**record, "keywords": tuple(record["keywords"])})


@cache
def _extractor() -> PageExtractor:
    # Not at module level: its tables take a second.
    from topiccrawl.analysis.extraction import PageExtractor

    return PageExtractor()
