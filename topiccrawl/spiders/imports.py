"""The import spider: pages out of folders, archives and saved files, through the steps of a crawl."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from topiccrawl.crawl.requests.meta import EVIDENCE, IMPORTED, SCORE
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.endings import IMPORT_COMPLETE
from topiccrawl.errors import ConfigurationError, StoreUnavailable
from topiccrawl.language import _
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.spiders.topic import TopicSpider, is_yes
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    from topiccrawl.crawl.importing import HeldEntries, ImportCounts
    from topiccrawl.imports.entries import Entry, Found
    from topiccrawl.items import PageItem

logger = logging.getLogger(__name__)

#: Entries between start and callback at a time: half of the pages that may wait for their trial.
_AT_ONCE: Final = 4
#: Above ``-s``: no option of the command line makes an import fetch something.
_PRIORITY: Final = 50
_HANDLER: Final = "topiccrawl.network.local.LocalHandler"
#: Components of a crawl that an import has no use for.
_OFF: Final = {
    "DOWNLOADER_MIDDLEWARES": (
        "topiccrawl.middlewares.scope.ScopeMiddleware",
        "topiccrawl.middlewares.addresses.AddressMiddleware",
        "topiccrawl.middlewares.politeness.PolitenessMiddleware",
        "topiccrawl.middlewares.pace.AddressPaceMiddleware",
    ),
    "EXTENSIONS": ("topiccrawl.extensions.stagnation.StagnationWatcher",),
}


class ImportSpider(TopicSpider):
    """The spider of ``scrapy import PATH [TOPIC]``; *path*, *again* and *links* are its arguments.

    Nothing is fetched.  The same import again goes on where it was stopped, and leaves out what was
    imported before; *again* imports it once more.  *links* adds the links of the pages to the topic's
    queue, for a later crawl.  A file with a list of URLs is added to the queue.
    """

    #: Without a name here, ``scrapy list`` and ``scrapy crawl`` do not offer it: it has a command.
    name = ""
    needs_seeds = False
    fetches = False
    #: What an import replaces: everything that could use the network.
    settings_of_import: ClassVar[dict[str, Any]] = {
        "DOWNLOAD_HANDLERS": {
            **dict.fromkeys(("http", "https", "file"), _HANDLER),
            **dict.fromkeys(("ftp", "s3", "data"), None),
        },
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "JOBDIR": None,
        "TOPICCRAWL_LOGINS": "none",
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_SLOTS": {},
        "CONCURRENT_REQUESTS": 4 * _AT_ONCE,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 4 * _AT_ONCE,
        **dict.fromkeys(
            (
                "ROBOTSTXT_OBEY",
                "AUTOTHROTTLE_ENABLED",
                "HTTPCACHE_ENABLED",
                "COMPRESSION_ENABLED",
                "REDIRECT_ENABLED",
                "METAREFRESH_ENABLED",
                "RETRY_ENABLED",
                "COOKIES_ENABLED",
                "TOPICCRAWL_SEARCH",
            ),
            False,
        ),
    }

    def __init__(
        self, topic: str = "", path: str = "", again: str = "", links: str = "", **kwargs: Any
    ) -> None:
        unknown = sorted(name for name in kwargs if not name.startswith("_"))
        if unknown:
            raise ConfigurationError(
                _("unknown spider argument -a {unknown}=…; known: {known}").format(
                    unknown=unknown[0], known="topic, path, again, links"
                )
            )
        self.name = "import"
        super().__init__(topic=topic, **kwargs)
        self.path = _checked_path(path)
        self.again = is_yes("again", again)
        self.adds_links = is_yes("links", links)
        self._room = asyncio.Semaphore(_AT_ONCE)
        #: What the import has brought so far.
        self.counts: ImportCounts
        #: Parts of articles that wait for the end of what is read.
        self.held: HeldEntries
        #: The lines of the path, if it is a list of URLs.
        self.url_list: list[str] | None = None
        #: A sentence if this import begins a topic of which only the name is known, else ``""``.
        self.new_topic = ""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Take out everything that could use the network."""
        super().update_settings(settings)
        for name, value in cls.settings_of_import.items():
            settings.set(name, value, _PRIORITY)
        for name, components in _OFF.items():
            given = settings.getdict(name)
            settings.set(name, {**given, **dict.fromkeys(components, None)}, _PRIORITY)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Load the topic; the run ends when everything is imported."""
        # Not at module level: see TopicSpider.from_crawler.
        from topiccrawl.commandline.url_lists import read_url_list
        from topiccrawl.crawl.importing import HeldEntries, ImportCounts
        from topiccrawl.frontier.factory import frontier_backend

        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.counts = ImportCounts()
        spider.held = HeldEntries()
        spider.url_list = read_url_list(spider.path)
        adds_links = spider.adds_links or spider.url_list is not None
        if adds_links and not frontier_backend(spider.session.settings).keeps_queue():
            spider.session.frontier.close()
            raise ConfigurationError(
                _(
                    "URLs are added to the queue of the next crawl, which is kept in memory only: set "
                    "TOPICCRAWL_FRONTIER_BACKEND=sqlite and a store"
                )
            )
        crawler.signals.connect(spider._complete, signals.spider_idle)
        return spider

    def closed(self, reason: str) -> None:
        """Delete what was held."""
        self.held.close()

    def _complete(self) -> None:
        raise CloseSpider(IMPORT_COMPLETE)

    async def start(self) -> AsyncIterator[Request]:
        """Yield a request for each entry, a few at a time."""
        # See from_crawler.
        from topiccrawl.crawl.importing import Addresses, outcome_ids
        from topiccrawl.imports.entries import LeftOut
        from topiccrawl.imports.reasons import NEWER
        from topiccrawl.imports.walk import Walk

        session = self.session
        self.new_topic = await self._new_topic()
        if self.new_topic:
            logger.warning("%s", self.new_topic)
        if self.url_list is not None:
            self._queue_list(self.url_list)
            return
        store = None if session.store is None else session.store.store
        name = session.topic.name
        known: frozenset[str] = frozenset()
        if session.imported and store is not None and not self.again:
            known = session.imported.in_store(await outcome_ids(store, name))
        addresses = Addresses(store, name)
        found = Walk(self.path, known.__contains__).found()
        while (it := await self._next(found)) is not None:
            if isinstance(it, LeftOut):
                self._leave_out(it.reason, it.name)
            elif it.kind == "document" and not session.settings.documents:
                self._leave_out("no-reader", it.name)
            elif (url := await addresses.url_of(it)) is None:
                self._leave_out(NEWER, it.name)
            else:
                self.counts.entries += 1
                await self._room.acquire()
                yield self._request(url, it)
        for __ in range(_AT_ONCE):
            await self._room.acquire()  # until the last entry was read
        for __ in range(_AT_ONCE):
            self._room.release()
        for url in self.held.urls():
            entry = self.held.get(url)
            assert entry is not None
            await self._room.acquire()
            yield self._request(url, entry)

    async def _new_topic(self) -> str:
        # See from_crawler.
        from topiccrawl.topics.load import BARE_WORD, near_topics

        session = self.session
        name = session.topic.name
        if session.topic.definition.source != BARE_WORD or session.resumed or session.store is None:
            return ""
        try:
            if any(run.id != session.id for run in await session.store.store.runs(name)):
                return ""
            near = near_topics(name, set(await session.store.store.topics()) - {name})
        except StoreUnavailable:
            return ""
        text = _(
            "{topic} is a new topic: there is no folder of this name, and nothing was collected for it yet"
        ).format(topic=name)
        return text + near

    async def _next(self, found: Iterator[Found]) -> Found | None:
        """Return what is found next; a path that cannot be imported at all ends the run."""
        try:
            # Archives are unpacked meanwhile, and the event loop goes on.
            return await asyncio.to_thread(next, found, None)
        except ConfigurationError as error:
            raise self.session.control.cannot_start(error) from error

    def _queue_list(self, listed: list[str]) -> None:
        """Add the URLs of a list to the queue, as seeds of a later crawl."""
        # See from_crawler.
        from topiccrawl import details
        from topiccrawl.imports.folder import file_url
        from topiccrawl.imports.lists import listed_urls
        from topiccrawl.scoring.evidence import SEED_SCORE

        session = self.session
        before = session.frontier.size()
        file = file_url(self.path.resolve())
        for line in listed_urls(listed):
            self.counts.urls += bool(line.url)
            if not line.url:
                self._leave_out("not-a-url", f"{self.path.name}:{line.line}: {line.text}")
            elif session.scope.exclusion(line.url) is not None:
                self._leave_out("out-of-scope", line.url)
            else:
                found_by = details.LISTED(n=line.line, file=file)
                self._queue(line.url, LinkEvidence(SEED_SCORE, {"seed": 1.0}, found_by=found_by))
        session.pending.flush()
        after = session.frontier.size()
        self.counts.queued = after.queued - before.queued

    def _request(self, url: str, entry: Entry) -> Request:
        # See from_crawler.
        from topiccrawl import details

        evidence = LinkEvidence(found_by=details.IMPORTED(file=entry.url))
        meta = {IMPORTED: entry, EVIDENCE: evidence, SCORE: evidence.score}
        return Request(url, callback=self.parse, errback=self.failed, meta=meta, dont_filter=True)

    def _leave_out(self, reason: str, name: str) -> None:
        self.counts.leave_out(reason, name)
        self.session.control.count(f"imports/left_out/{reason}")
        logger.debug("Left out: %(name)s (%(reason)s)", {"name": name, "reason": reason})

    def parse(self, response: Response) -> Iterator[PageItem | Request]:
        """Yield the page's item; its links wait in the queue for a crawl, if they are wanted."""
        self._room.release()
        session, pages = self.session, self.session.pages
        entry: Entry = response.meta[IMPORTED]
        try:
            if self.adds_links and not entry.held:
                for scored in pages.links(response):
                    if may_be_page(url := scored.link.url) or session.documents.may_follow(url):
                        self._queue(url, scored.evidence)
                        self.counts.links += 1
                session.pending.flush()
            if not entry.held and self._hold(response, entry):
                return
            item = self._item(response)
            item.imported = entry.key
            item.published_at = entry.origin.published_at
            item.source = entry.origin.publisher
            yield item
        finally:
            pages.release(response)

    def _hold(self, response: Response, entry: Entry) -> bool:
        """Hold a part of an article on several pages; return whether it is one."""
        session = self.session
        if entry.kind != "page" or session.settings.article_parts < 2:
            return False
        paging = session.pages.analysis(response).paging
        if paging is not None:
            self.held.add(response.url, paging, entry)
        return paging is not None

    async def failed(self, failure: Failure) -> AsyncIterator[Request]:
        """Record an entry that gave no page."""
        self._room.release()
        async for request in super().failed(failure):
            yield request

    def _queue(self, url: str, evidence: LinkEvidence) -> None:
        """Add a link to the queue, as the topic spider would."""
        # See from_crawler.
        from topiccrawl.frontier.contract import QueuedLink
        from topiccrawl.scheduling.requests import to_mapping
        from topiccrawl.scheduling.rules import RecordRules

        canonical = canonical_url(url)
        request = Request(url, callback=self.parse, errback=self.failed)
        data = to_mapping(request, key=canonical, rules=RecordRules.of(self))
        self.session.pending.add(QueuedLink(canonical, host_of(canonical), evidence, data))


def _checked_path(path: str) -> Path:
    if not path.strip():
        raise ConfigurationError(_("-a path=… is missing: the folder or file to import"))
    found = Path(path).expanduser()
    if not found.exists():
        raise ConfigurationError(
            _("the path to import must exist, got {path!r}: no such file or folder").format(
                path=path
            )
        )
    return found
