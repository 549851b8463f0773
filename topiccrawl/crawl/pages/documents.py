"""Documents among the responses of a crawl: attachments such as PDF and Word files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from topiccrawl.crawl.pages.in_flight import fetched_at
from topiccrawl.crawl.pages.trials import Turns
from topiccrawl.crawl.requests.meta import EVIDENCE
from topiccrawl.crawl.requests.pages import content_type
from topiccrawl.documents.kinds import kind_of_name, may_be_document
from topiccrawl.documents.names import file_name
from topiccrawl.documents.page import DocumentPage
from topiccrawl.documents.reader import DocumentReader
from topiccrawl.scoring.evidence import LinkEvidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.crawl.settings import CrawlSettings

#: Keys of ``request.meta`` by which Scrapy limits a response.
_MAX_SIZE: Final = "download_maxsize"
_WARN_SIZE: Final = "download_warnsize"


class CrawlDocuments:
    """Recognizes documents, and reads them in a child process, which is started when it is needed.

    *stopping* returns whether the crawl ends: nothing waits for a document then.  *concurrency* is the number of
    requests of the crawl at a time.
    """

    def __init__(
        self, settings: CrawlSettings, stopping: Callable[[], bool], concurrency: int
    ) -> None:
        self._on = settings.documents
        self._max_bytes = settings.document_max_bytes
        self._keep_raw = settings.store_html
        self._stopping = stopping
        self._closed = False
        self._wanted: WeakKeyDictionary[Response, bool] = WeakKeyDictionary()
        self._reader = DocumentReader(settings.document_cpu_seconds, unwanted=self._ended)
        self.turns = Turns(concurrency)

    def may_follow(self, url: str) -> bool:
        """Whether a link leads to a document by its name."""
        return self._on and bool(kind_of_name(url))

    def allow_size(self, request: Request) -> None:
        """Allow a request for a document the size of documents: its URL or link names one."""
        evidence = request.meta.get(EVIDENCE)
        anchor = evidence.anchor if isinstance(evidence, LinkEvidence) else ""
        if self._on and (kind_of_name(request.url) or kind_of_name(anchor)):
            request.meta.setdefault(_MAX_SIZE, self._max_bytes)
            request.meta.setdefault(_WARN_SIZE, 0)

    def wanted(self, response: Response) -> bool:
        """Whether *response* is read as a document."""
        if not self._on:
            return False
        known = self._wanted.get(response)
        if known is None:
            known = may_be_document(response.body, *_about(response))
            self._wanted[response] = known
        return known

    async def read(self, response: Response) -> DocumentPage | None:
        """Return the page of a document, without text if it has none; ``None`` if the crawl ends.

        Data that are not a document, such as archives, have a page without a kind.
        """
        header, name = _about(response)
        found = await self.turns.run(
            lambda: self._reader.read(response.body, header, name), self._ended
        )
        if found is None or self._stopping():
            return None
        evidence = response.request.meta.get(EVIDENCE) if response.request else None
        return DocumentPage(
            response.url,
            found,
            response.body if self._keep_raw else b"",
            name=name,
            anchor_hint=evidence.anchor if isinstance(evidence, LinkEvidence) else "",
            now=fetched_at(response),
        )

    def close(self) -> None:
        """End the child process."""
        self._closed = True
        self._reader.close()

    def _ended(self) -> bool:
        return self._closed or self._stopping()


def _about(response: Response) -> tuple[str, str]:
    """Return the Content-Type header and the file name of a response."""
    header = content_type(response)
    disposition: Any = response.headers.get(b"Content-Disposition") or b""
    return header, file_name(disposition, response.url)
