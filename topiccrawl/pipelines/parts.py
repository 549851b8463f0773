"""ArticleParts: the further pages of an article (第 2 页) are fetched and joined to the first one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakValueDictionary

from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse

from topiccrawl import details
from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.pages.parts import SHARE_OF_LEASE, ArticleParts, end_links, queue_again
from topiccrawl.crawl.pages.reading import read_elsewhere
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.dedup.titles import content_hash
from topiccrawl.page.paging import Paging, without_number
from topiccrawl.pipelines.base import PagePipeline
from topiccrawl.pipelines.drops import DeletedByUser, PartOfArticle
from topiccrawl.signals import connected
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.items import PageItem
    from topiccrawl.page.page import Page


#: Parts that were joined last and are remembered: their own requests may be under way (a choice).
_JOINED: Final = 2_000
#: Articles on which a pipeline failed that are remembered (a choice), and how often they are joined all the same:
#: what failed may have passed, and with it the article.
_FAILED: Final = 1_000
_TRIES: Final = 2


@dataclass(slots=True, eq=False)
class _Article:
    """An article on its way into the store."""

    item: PageItem
    key: str
    """Key of its parts."""
    links: list[str]
    """Canonical URLs whose links were ended, as their text is part of it."""
    ended: asyncio.Future[bool]
    """Whether its outcome is durable; a part whose lease ended before could be lost with it."""

    async def is_durable(self, seconds: float) -> bool:
        """Wait until the article is stored or lost; ``False`` also if that takes too long."""
        await asyncio.wait([self.ended], timeout=seconds)
        return self.ended.done() and self.ended.result()

    def end(self, *, durable: bool) -> None:
        if not self.ended.done():
            self.ended.set_result(durable)


class ArticlePartsPipeline(PagePipeline):
    """Joins the parts of articles that are kept."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._joined: BoundedDict[str, _Article] = BoundedDict(_JOINED)
        self._waiting: dict[int, _Article] = {}
        self._failed: BoundedDict[str, int] = BoundedDict(_FAILED)
        self._seconds = SHARE_OF_LEASE * session.settings.lease_seconds
        self._parts = ArticleParts(
            self._download,
            self._page_of,
            self._allows,
            most=session.settings.article_parts,
            seconds=self._seconds,
            clock=session.clock,
            markdown=session.settings.store_markdown,
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect the signals by which the pipeline learns that an article is durable."""
        return connected(super().from_crawler(crawler), crawler)

    @classmethod
    def from_session(cls, session: CrawlSession) -> Self:
        """Share the session; off when no parts are wanted."""
        if session.settings.article_parts < 2:
            raise NotConfigured("TOPICCRAWL_ARTICLE_PARTS: articles stay apart")
        return cls(session)

    async def process_page(self, item: PageItem) -> PageItem:
        """Return the item with the text of all its parts; a near miss as it is.

        Raises :class:`PartOfArticle` for a part that was joined meanwhile, once the article is
        durable: the lease of the part ends then.  Raises :class:`DeletedByUser` for a part of an article that was
        deleted.  Another one becomes the whole article, with the address of the first part.  If that cannot be
        fetched, or a pipeline fails on each try to store the article, it has the title of the article, so that it
        is recognized as a part of the text.
        """
        page = item.analysis.page
        paging = None if item.near_miss else item.analysis.paging
        if paging is None:
            return item
        async with self._locks.setdefault(paging.key, asyncio.Lock()):
            return await self._process_part(item, page, paging)

    async def _process_part(self, item: PageItem, page: Page, paging: Paging) -> PageItem:
        article = self._joined.get(item.url)
        if article is not None and await article.is_durable(self._seconds):
            detail = details.PART(url=article.item.url)
            raise PartOfArticle(detail, recorded=item.url == article.item.url)
        known: dict[str, Page] = {}
        if paging.first in self._session.deleted:
            raise DeletedByUser(details.DELETED())
        apart = self._failed.get(paging.key, 0) >= _TRIES
        if apart and paging.number == 1:
            return item
        if paging.number != 1:
            first = None if apart else await self._parts.first(page, paging)
            if first is None:
                item.title = without_number(item.title)
                return item
            known = {item.url: page}
            self._move(item, *first)
            page, paging = item.analysis.page, first[1]
        joined = await self._parts.join(page, paging, known)
        session = self._session
        item.parts_missing = joined.missing
        if joined.missing:
            session.control.count("parts/missing", joined.missing)
        if joined.parts:
            session.pending.flush()
            ended = [url for url in (item.url, *joined.parts) if known or url != item.url]
            left, recorded = end_links(session.frontier, ended)
            session.progress.parts_left_queue += left
            session.control.count("parts/ended", recorded)
            item.body = joined.body
            item.markdown = joined.markdown
            item.content_hash = content_hash(joined.body)
            item.parts = 1 + len(joined.parts)
            item.parts_digest = joined.digest
            future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            article = _Article(item, paging.key, ended, future)
            self._waiting[id(item)] = article
            self._joined.update(dict.fromkeys({*joined.parts, *ended}, article))
            session.control.count("parts/joined", len(joined.parts))
        return item

    def item_scraped(self, item: Any) -> None:
        """The article is stored."""
        self._end(item, durable=True)

    def item_dropped(self, item: Any, exception: BaseException) -> None:
        """The article is lost, or was dropped with an outcome."""
        self._end(item, durable=not isinstance(exception, PageLostError))

    def item_error(self, item: Any) -> None:
        """A pipeline failed on the article: its parts are tried once more, then each for itself."""
        article = self._end(item, durable=False)
        # Nothing that is imported is queued, and what is visited again stays as it was.
        if article is not None and not (article.item.imported or article.item.revisit):
            self._failed[article.key] = self._failed.get(article.key, 0) + 1
            queue_again(self._session.frontier, article.links, article.item.link)

    def _end(self, item: Any, *, durable: bool) -> _Article | None:
        article = self._waiting.pop(id(item), None)
        if article is not None:
            article.end(durable=durable)
        return article

    def _move(self, item: PageItem, response: TextResponse, paging: Paging) -> None:
        """Make *item* the page of the article's first part."""
        item.analysis = self._session.pages.analysis(response)
        page = item.analysis.page
        item.url, item.final_url = paging.first, response.url
        item.site = host_of(item.url)
        item.charset = page.encoding
        item.title = page.title
        item.published_at = page.published

    async def _download(self, request: Request) -> Response:
        session = self._session
        response = await session.control.download(request)
        # A large page is not used, see below.
        if isinstance(response, TextResponse) and not session.trials.wanted(
            session.pages.analysis(response).page
        ):
            await read_elsewhere(session, request, response)
        return response

    def _page_of(self, response: TextResponse) -> Page | None:
        page = self._session.pages.analysis(response).page
        # Large pages have their trial when their turn comes in the queue.
        return None if self._session.trials.wanted(page) else page

    def _allows(self, url: str) -> bool:
        session = self._session
        if session.control.stopping or session.scope.exclusion(url) is not None:
            return False
        return url not in session.deleted and session.order.refusal(url) is None
