"""Analysis of pages in worker processes, so that the event loop does not wait for it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from topiccrawl import details
from topiccrawl.analysis.asyncpool import AsyncWorkPool
from topiccrawl.analysis.prepared import PackedAnalysis, PageTask, pack
from topiccrawl.analysis.summarized import SummaryLimits
from topiccrawl.crawl.requests.refused import AnalysisCrash, AnalysisTimeout
from topiccrawl.crawl.settings.processes import number_of_processes
from topiccrawl.language import _
from topiccrawl.page.hrefs import registered_host
from topiccrawl.page.page import Page
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.settings import CrawlSettings

logger = logging.getLogger(__name__)

#: Memory that a process may take beyond what it has when it starts: the worst pages take 200 MB (2026-11).
MEGABYTES: Final = 400
#: A page that needs all tables of the analysis.
_FIRST_PAGE: Final = (
    "<title>侨批档案馆开放</title><h1>侨批档案馆开放</h1>"
    "<p>侨批档案馆（archive of letters）昨日开放，展出侨批三千余封。</p>"
)


class AnalysisProcesses:
    """Processes that analyze pages; they are forks of the crawl and share its topic and models.

    *analyze* returns the analysis of a page without a URL filter; *routes*: links to routes of scripts are links to
    pages; *count* receives the name of a statistic for each event.
    """

    def __init__(
        self,
        jobs: int,
        settings: CrawlSettings,
        analyze: Callable[[Page], PageAnalysis],
        *,
        routes: bool,
        count: Callable[[str], object],
    ) -> None:
        self._settings = settings
        self._analyze = analyze
        self._limits = SummaryLimits(settings.summary_sentences, settings.keywords)
        self._routes = routes
        self.pool: AsyncWorkPool[PageTask, PackedAnalysis] = AsyncWorkPool(
            self._work,
            jobs,
            settings.page_cpu_seconds,
            megabytes=MEGABYTES,
            replaced=lambda: count("analysis/processes_replaced"),
        )
        self.on = True
        """Whether pages are analyzed in processes: not if none can be started."""

    def start(self) -> None:
        """Load what the analysis needs, and start the processes."""
        # The crawl's own process needs these tables, too.
        registered_host("warm.example")
        registered_domain("warm.example")
        extractor = self._settings.body_extractor
        page = Page("http://warm.example/", _FIRST_PAGE.encode(), extractor=extractor)
        analysis = self._analyze(page)
        pack(analysis, 200, self._limits)
        analysis.summarized(page.title, page.body, self._limits)
        try:
            self.pool.start()
        except OSError as error:
            self._give_up(error)

    async def run(self, task: PageTask, unwanted: Callable[[], bool]) -> PackedAnalysis | None:
        """Return the analysis of a page; ``None`` if it is *unwanted*, or if it must be made here.

        Raises ``AnalysisTimeout`` if it takes longer than allowed. Raises ``AnalysisCrash`` if the process
        ends for another reason, and so does a second one.
        """
        try:
            result = await self.pool.run(task, unwanted)
        except OSError as error:
            self._give_up(error)
            return None
        if result.fate == "timeout":
            raise AnalysisTimeout(details.COSTLY(seconds=f"{self._settings.page_cpu_seconds:g} s"))
        if result.fate == "crash":
            raise AnalysisCrash(details.CRASHED(status=result.detail))
        if result.fate == "failed":
            # An error of a project's own extractor: it is raised where the crawl expects it.
            logger.debug("Analysis of %s: %s", task.url, result.detail)
        return result.value

    def close(self) -> None:
        """End the processes."""
        self.pool.close()

    def _give_up(self, error: OSError) -> None:
        self.on = False
        logger.warning(
            _("Pages are analyzed in the crawl's own process: %(error)s"), {"error": error}
        )

    def _work(self, task: PageTask) -> PackedAnalysis:
        """Analyze a page, in one of the processes."""
        page = Page(
            task.url,
            task.body,
            declared_charset=task.declared_charset,
            content_type=task.content_type,
            anchor_hint=task.anchor_hint,
            extractor=self._settings.body_extractor,
            now=task.now,
            routes=self._routes,
            host_lines=task.host_lines,
        )
        return pack(
            self._analyze(page),
            task.status,
            self._limits,
            shells=self._settings.browser.mode != "off",
            markdown=self._settings.store_markdown,
        )


def analysis_processes(
    settings: CrawlSettings,
    analyze: Callable[[Page], PageAnalysis],
    *,
    routes: bool,
    count: Callable[[str], object],
) -> AnalysisProcesses | None:
    """Return the processes that analyze the pages of a crawl; ``None`` if its own process does."""
    jobs = number_of_processes(settings.analysis_processes)
    if not jobs:
        return None
    return AnalysisProcesses(jobs, settings, analyze, routes=routes, count=count)
