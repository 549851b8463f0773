"""Pages in flight: analyses and scored links of responses between downloader and spider callback."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary, WeakSet

from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.analysis.prepared import PageTask, PreparedPage, unpack
from topiccrawl.crawl.requests.meta import EVIDENCE, IMPORTED
from topiccrawl.crawl.requests.pages import content_type
from topiccrawl.page.decoding import charset_of_header
from topiccrawl.page.page import Page
from topiccrawl.page.parsed import MAX_PAGE_BYTES
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from scrapy.http import Response

    from topiccrawl.analysis.links import LinkReader
    from topiccrawl.crawl.pages.analyses import AnalysisProcesses
    from topiccrawl.crawl.queue.ordering import ScoredLink
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.imports.entries import Entry
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter

_Page = TypeVar("_Page", bound=Page)


def fetched_at(response: Response, clock: Callable[[], float] = time.time) -> datetime:
    """Return when *response* was fetched: now, or when the page that is imported was saved.

    *clock* is the frontier's.
    """
    now = datetime.fromtimestamp(clock(), UTC)
    entry: Entry | None = response.request.meta.get(IMPORTED) if response.request else None
    saved_at = None if entry is None else entry.origin.saved_at
    return now if saved_at is None else min(saved_at.astimezone(UTC), now)


class PageAnalyzer:
    """Builds the analysis of a response for the topic."""

    def __init__(
        self,
        topic: Topic,
        settings: CrawlSettings,
        reader: LinkReader,
        url_filter: UrlFilter,
        clock: Callable[[], float] = time.time,
        *,
        routes: bool = False,
        host_lines: Callable[[str], frozenset[int]] = lambda url: frozenset(),
    ) -> None:
        """*routes*: whether pages may be loaded in a browser, so that routes of scripts are pages.

        *host_lines* returns the lines that the host of a URL repeats, as far as is known.
        """
        self._clock = clock
        self._host_lines = host_lines
        self._routes = routes
        self._topic = topic
        self._settings = settings
        self._reader = reader
        self._url_filter = url_filter

    def __call__(self, response: Response) -> PageAnalysis:
        """Return a new analysis of *response*; its parts are computed at first use."""
        return self.of_page(self._page(Page, response))

    def prepared(self, response: Response) -> tuple[PageTask, PageAnalysis]:
        """Return the task of analyzing *response* elsewhere, and the analysis that takes over the result."""
        page = self._page(PreparedPage, response)
        assert page.now is not None
        task = PageTask(
            page.url,
            page.raw[:MAX_PAGE_BYTES],
            page.declared_charset,
            page.content_type,
            page.anchor_hint,
            page.now,
            response.status,
            page.host_lines,
        )
        return task, self.of_page(page)

    def of_page(self, page: Page, *, filtered: bool = True) -> PageAnalysis:
        """Return a new analysis of *page*; *filtered*: the URL filter cleans and rejects links."""
        return PageAnalysis(
            page,
            self._topic,
            self._reader,
            canonical_url,
            follow_nofollow=self._settings.follow_nofollow,
            url_filter=self._url_filter if filtered else None,
        )

    def _page(self, kind: type[_Page], response: Response) -> _Page:
        header = content_type(response)
        meta = response.request.meta if response.request else {}
        evidence = meta.get(EVIDENCE)
        # The result of an import does not depend on the order of its entries.
        host_lines = frozenset() if IMPORTED in meta else self._host_lines(response.url)
        return kind(
            response.url,
            response.body,
            declared_charset=charset_of_header(header),
            content_type=header,
            anchor_hint=evidence.anchor if isinstance(evidence, LinkEvidence) else "",
            extractor=self._settings.body_extractor,
            now=fetched_at(response, self._clock),
            routes=self._routes,
            host_lines=host_lines,
        )


class PagesInFlight:
    """Analyses of responses, as long as the responses live, and links that are not queued yet."""

    def __init__(
        self,
        analyze: PageAnalyzer,
        wake: Callable[[], object],
        processes: AnalysisProcesses | None = None,
    ) -> None:
        """*wake* makes the engine ask for the next link once no page is waiting.

        Without *processes*, pages are analyzed in the crawl's own process.
        """
        self._analyze = analyze
        self._wake = wake
        self._processes = processes
        self._prepared: WeakSet[Response] = WeakSet()
        self._analyses: WeakKeyDictionary[Response, PageAnalysis] = WeakKeyDictionary()
        self._links: WeakKeyDictionary[Response, list[ScoredLink]] = WeakKeyDictionary()
        self._unqueued: WeakSet[Response] = WeakSet()

    def __contains__(self, response: Response) -> bool:
        """Whether the links of *response* are scored but not queued yet."""
        return response in self._unqueued

    @property
    def waiting(self) -> bool:
        """Whether any page's links are not queued yet: the best next link may be among them."""
        return bool(self._unqueued)

    def analysis(self, response: Response) -> PageAnalysis:
        """Return the analysis of *response*, computed at the first call."""
        analysis = self._analyses.get(response)
        if analysis is None:
            analysis = self._analyses[response] = self._analyze(response)
        return analysis

    @property
    def elsewhere(self) -> bool:
        """Whether pages are analyzed in processes of their own."""
        return self._processes is not None and self._processes.on

    def is_prepared(self, response: Response) -> bool:
        """Whether *response* was analyzed elsewhere."""
        return response in self._prepared

    async def prepare(
        self, response: Response, unwanted: Callable[[], bool] = lambda: False
    ) -> None:
        """Have *response* analyzed in another process, so that :meth:`analysis` does not take long.

        Nothing happens without processes, and when the analysis becomes *unwanted*. Raises
        ``AnalysisTimeout`` or ``AnalysisCrash`` if the analysis does not come to an end.
        """
        if self._processes is None or response in self._prepared:
            return
        task, analysis = self._analyze.prepared(response)
        packed = await self._processes.run(task, unwanted)
        if packed is None:
            return
        for __ in unpack(packed, analysis):
            await asyncio.sleep(0)
        self._analyses[response] = analysis
        self._prepared.add(response)

    def add_page(self, response: Response, page: Page) -> None:
        """Analyze *response* as *page*, which was read from it: a document."""
        self._analyses[response] = self._analyze.of_page(page)

    def hold(self, response: Response, links: list[ScoredLink]) -> None:
        """Keep the scored links of *response* until its spider callback has queued them."""
        self._links[response] = links
        self._unqueued.add(response)

    def links(self, response: Response) -> list[ScoredLink]:
        """Return the links of *response* that are new to the frontier."""
        return self._links.get(response, [])

    def release(self, response: Response) -> None:
        """Record that the spider has yielded everything that *response* leads to.

        The next link is chosen in the next turn of the event loop: Scrapy takes up to eight requests
        ahead, and its workers, which are due before, still have to schedule them.
        """
        self._links.pop(response, None)
        try:
            asyncio.get_running_loop().call_soon(self._queued, response)
        except RuntimeError:  # no event loop, hence no requests taken ahead
            self._queued(response)

    def _queued(self, response: Response) -> None:
        self._unqueued.discard(response)
        if not self._unqueued:
            self._wake()
