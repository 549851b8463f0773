"""Reading a response before a middleware looks at its page: elsewhere, so that the event loop goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.crawl.requests.meta import DOWNLOAD_SLOT
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.crawl.pages.trials import Turns
    from topiccrawl.crawl.session.session import CrawlSession


async def read_elsewhere(
    session: CrawlSession, request: Request, response: Response
) -> Request | None:
    """Have the page of *response* analyzed in a process of its own, if there are such processes.

    Returns the request of a large page that goes back to the queue, because the crawl ends or too many others
    wait; else ``None``. Raises ``AnalysisTimeout`` or ``AnalysisCrash`` if the analysis does not come to an end.
    """
    pages, trials = session.pages, session.trials
    if not pages.elsewhere or pages.is_prepared(response):
        return None
    page = pages.analysis(response).page
    if page.media_type or not page.looks_like_html:
        return None
    if not trials.wanted(page):
        await pages.prepare(response)
        return None
    if trials.turns.crowded:
        return put_back(session, request, trials.turns)
    if await trials.analyze(lambda ended: pages.prepare(response, ended)):
        return None
    return request.replace(dont_filter=True)


def put_back(session: CrawlSession, request: Request, turns: Turns) -> Request:
    """Return the request of a page that is fetched again when it has its turn."""
    session.control.count("pages/put_back")
    host = request.meta.get(DOWNLOAD_SLOT) or host_of(request.url)
    session.frontier.hold_host(host, session.clock() + turns.turn())
    return request.replace(dont_filter=True)
