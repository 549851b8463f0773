"""Records of extracted pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from topiccrawl.analysis.formats import FIELDS, STRUCTURE_FIELDS
from topiccrawl.documents.kinds import may_be_document
from topiccrawl.documents.page import DocumentPage
from topiccrawl.documents.reader import DocumentReader
from topiccrawl.documents.text import UnreadableDocumentError
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, check_extractor
from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.page.page import Page
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.keywords import MAX_KEYWORDS
from topiccrawl.text.language import detect_language
from topiccrawl.text.summary import SENTENCES, Digest, digest

_WEB = re.compile(r"https?://", re.IGNORECASE)
# Browsers write the URL of a saved page into its first lines.
_SAVED_FROM = re.compile(r"<!--\s*saved from url=\(\d+\)(https?://[^\s<>]+)")
_HEAD_CHARACTERS = 2_000


class PageExtractor:
    """Extracts records from pages.

    Raises ``ValueError`` if there is no such body extractor.

    Parameters
    ----------
    extractor : str
        Name or dotted path of the body extractor.
    sentences : int
        Most sentences of a summary, 0 for none.
    keywords : int
        Most keywords, 0 for none.
    structure : bool
        Whether records have :data:`STRUCTURE_FIELDS`, too. Costs a second pass over each page.
    """

    def __init__(
        self,
        extractor: str = DEFAULT_EXTRACTOR,
        sentences: int = SENTENCES,
        keywords: int = MAX_KEYWORDS,
        *,
        structure: bool = False,
    ) -> None:
        self._extractor = check_extractor(extractor)
        self._sentences = sentences
        self._keywords = keywords
        self._structure = structure
        self._reader = DocumentReader()

    @cached_property
    def _analyzer(self) -> TextAnalyzer:
        # Made when it is needed: its dictionary takes longer to load than a page to read.
        return TextAnalyzer()

    @cached_property
    def _idf(self) -> Callable[[str], float]:
        return IdfTable().idf

    def extract(
        self,
        body: bytes,
        name: str,
        url: str = "",
        *,
        charset: str | None = None,
        content_type: str = "",
        file_name: str = "",
    ) -> dict[str, object]:
        """Return the record of one page or document: :meth:`record` of :meth:`read`.

        *name* is the value of the field ``id``.
        """
        page = self.read(body, url, charset=charset, content_type=content_type, file_name=file_name)
        return self.record(page, name)

    def read(
        self,
        body: bytes,
        url: str = "",
        *,
        charset: str | None = None,
        content_type: str = "",
        file_name: str = "",
    ) -> Page:
        """Return one page or document.

        Raises ``UnreadableDocumentError`` if it is a document from which no text can be read.

        Parameters
        ----------
        body : bytes
            The page.
        url : str
            URL of the page; if empty, the one that the page states.
        charset : str, optional
            Charset of the Content-Type header.
        file_name : str
            Name of the file, or URL: one source of the format of a document.

        Returns
        -------
        dict
            The keys are :data:`FIELDS`, and :data:`STRUCTURE_FIELDS` if they are wanted.
        """
        page = self._document(body, url, content_type, file_name) or Page(
            url,
            body,
            charset,
            content_type,
            extractor=self._extractor,
            now=datetime.now(CHINA_TIME),
        )
        if not url and not page.media_type:
            page.url = stated_url(page)
        return page

    def record(self, page: Page, name: str) -> dict[str, object]:
        """Return the fields of a page; the keys are :data:`~topiccrawl.analysis.formats.FIELDS`."""
        text, published, byline = page.body, page.published, page.byline
        # Without both, the dictionary is not loaded either.
        described = Digest([], "")
        if self._keywords or self._sentences:
            described = digest(
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
            described.keywords,
            described.summary,
        )
        record: dict[str, object] = dict(zip(FIELDS, values, strict=True))
        return record | structure_of(page) if self._structure else record

    def close(self) -> None:
        """End the process that reads documents."""
        self._reader.close()

    def _document(
        self, body: bytes, url: str, content_type: str, file_name: str
    ) -> DocumentPage | None:
        """Return the page of a document, ``None`` if it is none."""
        if not may_be_document(body, content_type, file_name):
            return None
        found = self._reader.read(body, content_type, file_name)
        if not found.lines:
            raise UnreadableDocumentError(found.reason, found.detail)
        return DocumentPage(url, found, name=file_name, now=datetime.now(CHINA_TIME))


def structure_of(page: Page) -> dict[str, object]:
    """Return the structure of a page; the keys are :data:`STRUCTURE_FIELDS`."""
    values = (
        page.markdown,
        page.main_image or None,
        list(page.images),
        [comment._asdict() for comment in page.comment_records],
    )
    return dict(zip(STRUCTURE_FIELDS, values, strict=True))


def iso(moment: datetime) -> str:
    """Return a time in ISO 8601; only the day if the clock time is not known.

    >>> iso(datetime(2023, 4, 1)), iso(datetime(2023, 4, 1, 10, 5))
    ('2023-04-01', '2023-04-01T10:05:00')
    """
    if not (moment.hour or moment.minute or moment.second):
        return moment.date().isoformat()
    return moment.isoformat()


def stated_url(page: Page) -> str:
    """Return the URL that a saved page states, or the empty string.

    It may be the canonical URL, ``og:url`` or the comment of the browser that saved the page.
    """
    outline = page.outline
    for url in (outline.canonical_href, outline.meta.get("og:url", "")):
        if _WEB.match(url):
            return url.strip()
    match = _SAVED_FROM.search(page.text[:_HEAD_CHARACTERS])
    return match.group(1) if match is not None else ""
