"""The topic spider: yields seeds, then the links and the item of each page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request, Spider
from scrapy.http import Response, TextResponse

from topiccrawl.crawl.requests.failures import has_no_page
from topiccrawl.crawl.requests.meta import (
    DEPTH,
    EVIDENCE,
    NOT_ELSEWHERE,
    WRITTEN,
    YIELDED,
    lease_of,
)
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.endings import NO_SOURCES
from topiccrawl.errors import ConfigurationError, check_text
from topiccrawl.language import _, labeled, listed
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.signals import request_failed
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id
from topiccrawl.urls.routes import shown_url
from topiccrawl.urls.scope import checked_patterns, split_patterns

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure

    from topiccrawl.crawl.session.session import CrawlSession
    from topiccrawl.items import PageItem
    from topiccrawl.sources.results import Source

logger = logging.getLogger(__name__)

#: Seconds between two looks at whether another worker has found sources (a choice: a query takes some).
_LOOK_SECONDS = 1.0
#: Values of -a fresh=, -a whole=, -a search= and -a browser=, by what they mean.
_MEANINGS = {
    **dict.fromkeys(("", "0", "no", "false", "off"), False),
    **dict.fromkeys(("1", "yes", "true", "on"), True),
}


def is_yes(argument: str, value: str) -> bool:
    """Whether the value of a spider argument such as ``-a fresh=`` means yes."""
    try:
        return _MEANINGS[value.strip().lower()]
    except KeyError:
        raise ConfigurationError(
            _("-a {argument} must be 1 or 0, got {value!r}").format(
                argument=argument, value=value[:200]
            )
        ) from None


def _pages(value: str) -> int:
    text = value.strip()
    if not text:
        return 0
    if not (text.isdecimal() and len(text) < 19 and int(text) > 0):
        raise ConfigurationError(
            _("-a pages must be a whole number >= 1, got {value!r}").format(value=value[:200])
        )
    return int(text)


def _patterns(argument: str, value: str) -> list[str]:
    def fail(position: int, message: str) -> None:
        raise ConfigurationError(labeled(f"-a {argument}", message))

    return list(checked_patterns(split_patterns(value), fail))


class TopicSpider(Spider):
    """``scrapy crawl topic -a topic=侨情 [-a seeds=URL,URL] [-a pages=1000] [-a allow=…] [-a deny=…]``.

    *topic* is a name, an alias, a path to a topic folder, or any word together with *seeds*.  The same
    command again continues where the last run stopped; *fresh* erases the queue and the list of
    fetched pages (the collection stays, and so does what the classifier has learned); *record* writes
    all responses into a file for ``scrapy evaluate`` (docs/webs.md).

    *seeds* are URLs, separated by commas or blanks, or the file of a list (docs/import.md); *allow*
    (also *allowed_domains*) and *deny* are patterns of URLs, separated by commas
    (:mod:`topiccrawl.urls.scope`); *search* asks search engines for pages to start from
    (docs/search.md); *browser* loads pages without content in a browser where that shows some
    (docs/browser.md); *whole* crawls the whole sites of all seeds (docs/sites.md); *pages* is the
    number of pages after which the run ends.
    """

    name = "topic"
    #: The session of this spider's crawl.
    session: CrawlSession
    #: The add-on serves this spider, whose topic is an argument.
    uses_topiccrawl = True
    #: Each page's lease ends with its item, when the page is stored or dropped.
    makes_page_items = True
    #: Whether the topic must have seeds, unless its queue has links.
    needs_seeds = True
    #: The methods that a record of the queue may name (topiccrawl.scheduling.rules).
    queued_callbacks = ("parse", "failed")

    def __init__(
        self,
        topic: str = "",
        seeds: str = "",
        fresh: str = "",
        record: str = "",
        pages: str = "",
        allow: str = "",
        deny: str = "",
        allowed_domains: str = "",
        whole: str = "",
        search: str = "",
        browser: str = "",
        **kwargs: Any,
    ) -> None:
        given = {
            **{"topic": topic, "seeds": seeds, "fresh": fresh, "record": record, "pages": pages},
            **{"allow": allow, "deny": deny, "allowed_domains": allowed_domains},
            **{"whole": whole, "search": search, "browser": browser},
        }
        unknown = sorted(name for name in kwargs if not name.startswith("_"))
        if unknown:
            raise ConfigurationError(
                _(
                    "unknown spider argument -a {unknown}=…; known: {known} (arguments that start "
                    "with _ are passed on by schedulers)"
                ).format(unknown=unknown[0], known=listed(given))
            )
        for argument, value in given.items():
            check_text(f"-a {argument}", value)
        if not topic.strip():
            raise ConfigurationError(
                _("-a topic=… is missing; `scrapy topics` lists the known topics")
            )
        self.settings_given = {
            "TOPICCRAWL_MAX_PAGES": _pages(pages),
            "TOPICCRAWL_ALLOW": " ".join(
                [*_patterns("allow", allow), *_patterns("allowed_domains", allowed_domains)]
            ),
            "TOPICCRAWL_DENY": " ".join(_patterns("deny", deny)),
            "TOPICCRAWL_SEARCH": is_yes("search", search),
            "TOPICCRAWL_BROWSER": "auto" if is_yes("browser", browser) else "",
        }
        super().__init__(**kwargs)
        self.topic_name = topic.strip()
        self.fresh = is_yes("fresh", fresh)
        self.whole = is_yes("whole", whole)
        self.record = record.strip()
        #: URLs, or the file of a list of them.
        self.seeds = seeds

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Load the topic, and apply its limits where the user has set none."""
        # Not at module level: Scrapy imports the modules of all spiders for ``scrapy list``.
        from topiccrawl.commandline.url_lists import read_seeds
        from topiccrawl.crawl.session.starting import start_topic

        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.session = start_topic(
            crawler,
            spider.topic_name,
            read_seeds(spider.seeds),
            spider.settings_given,
            fresh=spider.fresh,
            whole=spider.whole,
            needs_seeds=cls.needs_seeds,
        )
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yield the topic's seeds, and the pages that the user judged relevant and that are not stored.

        Seeds that were fetched before are not fetched again, unless an earlier run had nothing left
        to fetch: then new links can only be found there.  Nor are they missing in a recorded web.  Seeds
        that gave no page are tried again by each run: a setting may have kept them away.
        """
        if self.record and self.session.resumed:
            logger.warning(
                _(
                    "The record holds the seeds and what is fetched from now on, not the pages of "
                    "earlier runs; for a complete web, record from the first run on or start with "
                    "-a fresh=yes"
                )
            )
        async for request in self.seed_requests(
            again=self.session.journal.finished or bool(self.record)
        ):
            yield request
        if self.session.search is not None:
            searches = True
            while searches:
                # A query of another worker whose answer was not read yet would count as asked in vain.
                await self.session.replay()
                async for sources in self.session.search.first_round():
                    for request in self.source_requests(sources):
                        yield request
                # Another worker searches; if it ends before it has found anything, this one does.
                if searches := self.session.awaits_sources:
                    await asyncio.sleep(_LOOK_SECONDS)
            if self.session.without_sources:
                self.session.control.stop(NO_SOURCES)
            self.session.control.wake()  # links may have waited for it

    async def seed_requests(self, *, again: bool) -> AsyncIterator[Request]:
        """Yield what a queue begins with; with *again* also what was fetched before."""
        scope = self.session.scope
        for seed in self.session.topic.definition.seeds:
            if scope.exclusion(seed.url) is None:
                anew = again or await self._gave_no_page(canonical_url(seed.url))
                yield Request(seed.url, callback=self.parse, errback=self.failed, dont_filter=anew)
        for url, meta in self.session.sites.start(again=again):
            if scope.exclusion(url) is None:
                yield Request(
                    url, callback=self.parse, errback=self.failed, meta=meta, dont_filter=again
                )
        for request in self.wanted_requests():
            yield request

    def wanted_requests(self) -> Iterator[Request]:
        """Yield the pages that the user judged relevant and that are not stored."""
        session = self.session
        for url in session.judging.judgments.wanted:
            if url in session.deleted or session.scope.exclusion(url) is not None:
                continue
            if not url.startswith("http"):
                continue  # a page that was imported is not fetched
            # Also one that was fetched and dropped before the user judged it.
            yield Request(url, callback=self.parse, errback=self.failed, dont_filter=True)

    async def _gave_no_page(self, seed: str) -> bool:
        """Whether an earlier run, or another worker, has tried *seed* in vain."""
        session = self.session
        if not session.resumed or session.frontier.reason(link_id(seed)) is None:
            return False
        if session.store is None:
            return True
        from topiccrawl.store.contract import StoreUnavailable  # see from_crawler

        # The queue may also hold why a link failed that was fetched later.
        try:
            outcome = await session.store.store.outcome(session.topic.name, seed)
        except StoreUnavailable:
            return True
        return outcome is None or outcome.verdict == "failed"

    def source_requests(self, sources: Iterable[Source]) -> list[Request]:
        """Return the requests for pages that search engines have found."""
        # See from_crawler.
        from topiccrawl.crawl.search.searching import source_request

        return [
            source_request(it).replace(callback=self.parse, errback=self.failed) for it in sources
        ]

    def parse(self, response: Response) -> Iterator[PageItem | Request]:
        """Yield a request for each link that is new to the frontier, then the page.

        In this order: the page is done when its item has been through the pipelines, and by then its
        links must be in the queue.
        """
        pages = self.session.pages
        try:
            for scored in pages.links(response):
                link = scored.link
                if may_be_page(link.url) or self.session.documents.may_follow(link.url):
                    meta: dict[str, Any] = {WRITTEN: link.written} if link.written else {}
                    if link.again:
                        meta[NOT_ELSEWHERE] = True
                    yield Request(
                        link.url,
                        callback=self.parse,
                        errback=self.failed,
                        meta=meta,
                        dont_filter=link.again,
                    )
            yield self._item(response)
        finally:
            pages.release(response)

    async def failed(self, failure: Failure) -> AsyncIterator[Request]:
        """Send :data:`~topiccrawl.signals.request_failed`.

        If the request was for a preferred mirror that does not have the page, yield a request for the
        address that the page with the link had written.
        """
        request: Request = failure.request  # type: ignore[attr-defined]
        written = request.meta.get(WRITTEN)
        error = failure.value
        if error is not None:
            self.session.sites.failed(request, error)
        if isinstance(written, str) and error is not None and has_no_page(error):
            self.session.order.gone(canonical_url(request.url))
            meta = {NOT_ELSEWHERE: True, DEPTH: request.meta.get(DEPTH, 1)}
            yield Request(written, callback=self.parse, errback=self.failed, meta=meta)
        await self.crawler.signals.send_catch_log_async(
            request_failed, request=request, error=error
        )

    def _item(self, response: Response) -> PageItem:
        # See from_crawler.
        from topiccrawl.crawl.pages.in_flight import fetched_at
        from topiccrawl.crawl.refreshing.answers import validators_of
        from topiccrawl.items import PageItem

        session, meta = self.session, response.meta
        analysis = session.pages.analysis(response)
        canonical = canonical_url(response.url)
        link = meta.get(EVIDENCE) or LinkEvidence()
        media_type = analysis.page.media_type
        meta[YIELDED] = True
        return PageItem(
            url=canonical,
            final_url=shown_url(response.url),
            topic=session.topic.name,
            site=host_of(canonical),
            charset=analysis.page.encoding if isinstance(response, TextResponse) else "",
            fetched_at=fetched_at(response, session.clock),
            link=link,
            found_by=link.found_by,
            media_type=media_type,
            attached_to=(link.parent or "") if media_type else "",
            run_id=session.id,
            analysis=analysis,
            lease=lease_of(meta),
            site_file=session.sites.outcome(response),
            validators=validators_of(response),
            revisit=session.visits.of(response) if session.visits is not None else None,
        )
