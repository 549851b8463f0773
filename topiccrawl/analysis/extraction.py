"""From a page's bytes to the record that ``scrapy extract`` writes, and from arguments to files."""

from __future__ import annotations

import glob
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR
from topiccrawl.page.dates.publication import CHINA_TIME
from topiccrawl.page.page import Page
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.keywords import MAX_KEYWORDS
from topiccrawl.text.language import detect_language
from topiccrawl.text.summary import SENTENCES, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

SUFFIXES = frozenset({".html", ".htm", ".shtml", ".xhtml", ".asp", ".aspx", ".php", ".jsp"})
"""Endings of files that are taken from a folder; a file named itself may have any."""

FIELDS = (
    "id", "url", "title", "body", "time", "author", "source", "kind", "lang", "keywords", "summary",
)  # fmt: skip
"""Keys of a record, in order."""

_WEB = re.compile(r"https?://", re.IGNORECASE)
# Browsers write where a saved page came from into its first lines.
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(https?://[^\s<>]+)")
_HEAD_CHARACTERS = 2_000


class PageExtractor:
    """Makes records; holds what they share, so that a page costs only itself.

    ``sentences`` and ``keywords`` are the most that summary and keywords may have, 0 for none.
    ValueError if ``extractor`` is the name of no body extractor.
    """

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        sentences: int = SENTENCES,
        keywords: int = MAX_KEYWORDS,
    ) -> None:
        self._extractor = extractor
        self._analyzer = TextAnalyzer()
        self._idf = IdfTable().idf
        self._sentences = sentences
        self._keywords = keywords
        Page("", b"", extractor=extractor)

    def record(
        self,
        body: bytes,
        name: str,
        url: str = "",
        *,
        charset: str | None = None,
        content_type: str = "",
    ) -> dict[str, object]:
        """The record of one page; without ``url`` the one is taken that the page states."""
        page = Page(
            url,
            body,
            charset,
            content_type,
            extractor=self._extractor,
            now=datetime.now(CHINA_TIME),
        )
        if not url:
            page.url = stated_url(page)
        text, published, byline = page.body, page.published, page.byline
        about = digest(
            page.title,
            text,
            self._analyzer,
            self._idf,
            max_keywords=self._keywords,
            max_sentences=self._sentences,
        )
        values = (
            name,
            page.url or None,
            page.title or None,
            text,
            None if published is None else iso(published),
            byline.author,
            byline.source,
            page.kind,
            detect_language(text or page.visible_text),
            about.keywords,
            about.summary,
        )
        return dict(zip(FIELDS, values, strict=True))


def iso(moment: datetime) -> str:
    """ISO 8601; the day alone when the clock time is not known.

    >>> iso(datetime(2023, 4, 1)), iso(datetime(2023, 4, 1, 10, 5))
    ('2023-04-01', '2023-04-01T10:05:00')
    """
    if not (moment.hour or moment.minute or moment.second):
        return moment.date().isoformat()
    return moment.isoformat()


def stated_url(page: Page) -> str:
    """The URL that a saved page states: canonical, og:url, or the browser's own remark; or ""."""
    outline = page.outline
    for url in (outline.canonical_href, outline.meta.get("og:url", "")):
        if _WEB.match(url):
            return url.strip()
    match = _SAVED_FROM.search(page.text[:_HEAD_CHARACTERS])
    return match.group(1) if match is not None else ""


@dataclass(slots=True)
class Inputs:
    """What the arguments mean: files in order, URLs, and arguments that mean nothing."""

    files: list[Path] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def find_inputs(arguments: Sequence[str]) -> Inputs:
    """Sort arguments into URLs, files, folders (their pages, in order, at any depth) and globs."""
    found = Inputs()
    for argument in arguments:
        path = Path(argument)
        if _WEB.match(argument):
            found.urls.append(argument)
        elif path.is_dir():
            pages = sorted(
                file
                for file in path.rglob("*")
                if file.suffix.lower() in SUFFIXES and file.is_file()
            )
            found.files += pages
            if not pages:
                found.missing.append(f"{argument}: no pages in this folder")
        elif path.exists() or not glob.has_magic(argument):
            found.files.append(path)  # one that is not there is named when it is read
        else:
            matches = sorted(map(Path, glob.glob(argument, recursive=True)))  # noqa: PTH207
            found.files += [file for file in matches if file.is_file()]
            if not matches:
                found.missing.append(f"{argument}: nothing matches")
    return found
