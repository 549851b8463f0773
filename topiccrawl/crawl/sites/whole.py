"""Whole sites in a crawl: read their files, follow their lists and archives, remember both."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from scrapy.spidermiddlewares.httperror import HttpError

from topiccrawl import details
from topiccrawl.crawl.journal.kinds import LIST, SITE_FILE, FileRead
from topiccrawl.crawl.requests.failures import has_no_page
from topiccrawl.crawl.requests.pages import content_type
from topiccrawl.crawl.sites.issues import Archives
from topiccrawl.crawl.sites.marks import SITE_ISSUE, FileMark
from topiccrawl.crawl.sites.offers import Address, SiteOffers
from topiccrawl.details import translated
from topiccrawl.frontier.contract import PushResult
from topiccrawl.language import _, user_language
from topiccrawl.page.decoding import charset_of_header
from topiccrawl.page.lists import find_list, further_pages
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.sites.dates import recency
from topiccrawl.sites.files import Entry, SiteFile, Sort
from topiccrawl.sites.site import Site, site_host
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.domains import registered_domain

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.page.page import Page
    from topiccrawl.topics.definition import Seed

logger = logging.getLogger(__name__)

#: Levels of files: an index of indexes of sitemaps, and its sitemaps.  The protocol allows two levels; some
#: sites have three.
MOST_LEVELS: Final = 3
#: Pages of one feed (RFC 5005); a guess.
MOST_FEED_PAGES: Final = 20
#: Addresses of further pages that are remembered, so that each list does not offer all of them again (10 MB).
_MOST_OFFERED: Final = 50_000
#: Files of one site.  A guess: at 50,000 addresses each they list more pages than any budget allows.
MOST_FILES: Final = 500
#: New pages of one site that its files may add to the queue in a run, 100 bytes each there.  A guess: a hundred times
#: the pages of a whole site by default, so that there is a choice; 500 full files would list 25 million.
MOST_NEW: Final = 1_000_000
#: Files on hosts of other owners that a robots.txt may name (a guess: one index at a service for delivery is usual).
MOST_ELSEWHERE: Final = 10


class WholeSites:
    """The whole sites of one crawl.

    Files are ordinary links of the queue with a mark in the meta of their requests: they are leased, tried again,
    shared by workers and not asked for again by a run that goes on.  How many were read is in the journal.

    *budget* are the pages of a whole site, *host_budget* those of any host (0: no limit).
    """

    def __init__(
        self,
        seeds: Sequence[Seed],
        offers: SiteOffers,
        queue: CrawlQueue,
        *,
        budget: int,
        host_budget: int,
        count: Callable[[str, int], object],
    ) -> None:
        sites = [Site.of_seed(seed.url) for seed in seeds if seed.whole]
        self._sites = {site.host: site for site in reversed(sites)}
        self._offers = offers
        self._queue = queue
        self._frontier = queue.frontier
        self._journal = queue.journal
        self._more = max(0, budget - host_budget) if host_budget else 0
        self._clock = queue.clock
        self._count = count
        self._files: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        self._new: Counter[str] = Counter()
        self._granted: set[str] = set()
        self._offered: set[str] = set()
        self._archives = Archives(offers, queue.clock, count)
        self._read: WeakKeyDictionary[Response, str] = WeakKeyDictionary()
        self._new_in: WeakKeyDictionary[Response, int] = WeakKeyDictionary()
        self.feeds: dict[str, str] = {}
        """The files that list pages, by URL: the host of their site."""
        self.on_signal: Callable[[str, str, str], object] = lambda url, modified, source: None
        """Receives the URL of each page that a file lists with a time, that time and the sort of the file."""
        self.lists: dict[str, None] = {}
        """Canonical URLs of the pages that list others, in the order in which they were found."""

    def __bool__(self) -> bool:
        """Whether any site is crawled as a whole."""
        return bool(self._sites)

    def receive_file(self, record: FileRead) -> None:
        """Take note of what another worker, or an earlier run, has read."""
        if record.url:
            self._files[record.site] += record.files
            self._remember_file(record)
        else:
            self._granted.add(record.site)

    def receive_list(self, url: str) -> None:
        """Take note of a list that another worker, or an earlier run, has seen."""
        self.lists[url] = None

    # -- pages ---------------------------------------------------------------------------------

    def page(
        self,
        request: Request,
        url: str,
        analysis: PageAnalysis,
        depth: int,
        scores: Iterable[float],
    ) -> None:
        """Queue what a page leads to beside its links: pages of its list, issues, feeds.

        *url* is canonical, *depth* the distance from a seed; *scores* are those of the page's new links.
        """
        site = self._sites.get(site_host(url))
        if site is None:
            mark = request.meta.get(SITE_ISSUE)
            if mark and (asked := self._sites.get(site_host(request.url))) is not None:
                self._archives.missing(asked.host, request.meta)
            return
        page = analysis.page
        self._offers.observe(site.host, scores)
        self._offer_further(site, url, page, depth)
        listed = find_list(page, canonical_url)
        if listed is not None and url not in self.lists:
            self._count("sites/lists", 1)
            self.lists[url] = None
            self._journal.publish(LIST, url)
        if page.kind != "article":
            for feed in page.feeds:
                if site_host(feed) == site.host and self._files[site.host] < MOST_FILES:
                    self._queue_file(FileMark(site.host), feed, url)
        self._archives.fetched(
            site.host,
            url,
            [it.canonical for it in analysis.links.links],
            request.meta,
            depth,
            article=page.kind == "article" and listed is None,
        )

    def _offer_further(self, site: Site, url: str, page: Page, depth: int) -> None:
        """Queue the other pages of the list or article that *page* is a page of."""
        further = [it for it in further_pages(page) if it not in self._offered]
        if len(self._offered) > _MOST_OFFERED:
            self._offered.clear()
        self._offered.update(further)
        results = self._offers.pages(
            site.host,
            [Address(it) for it in further],
            parent=url,
            found_by=details.BY_PAGER(url=url),
            part="pager",
            depth=depth + 1,
        )
        self._count("sites/further", sum(result is PushResult.NEW for result in results))

    def redirected(self, request: Request) -> None:
        """Go on with an archive if a redirect leads away from an issue: sites answer so for missing pages."""
        base = request.meta["redirect_urls"][-1]
        site = self._sites.get(site_host(base))
        if site is not None:
            self._archives.redirected(site.host, base, canonical_url(request.url), request.meta)

    # -- files ---------------------------------------------------------------------------------

    def start(self, *, again: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        """Grant the sites their budgets; yield URL and meta of the first file of each, its robots.txt.

        With *again*, the crawl was finished before and all files are read anew.
        """
        for site in self._sites.values():
            if self._more and site.host not in self._granted and self._queue.leads():
                host = site.root.partition("://")[2].strip("/").rpartition("@")[2]
                for name in {site.host, f"www.{site.host}", host.partition(":")[0]}:
                    self._frontier.extend_budget(name, self._more)
                self._granted.add(site.host)
                self._journal.publish(SITE_FILE, FileRead(site.host, "", "", 0, 0))
            yield site.robots, FileMark(site.host, robots=True, again=again).meta()

    async def read(self, request: Request, response: Response) -> Response | None:
        """Queue what a file lists; return the response without its body, ``None`` if it is a page."""
        mark = FileMark.of(request.meta)
        site = None if mark is None else self._sites.get(mark.site)
        if mark is None or site is None:
            return None
        header = content_type(response)
        file = SiteFile(
            response.url,
            response.body,
            charset=charset_of_header(header) or "",
            robots=mark.robots,
        )
        pages = new = files = 0
        stopped = ""
        for batch in file:
            if self._new[site.host] >= MOST_NEW:
                stopped = "pages"
                break
            entries = [it for it in batch.entries if site_host(it.url) == site.host]
            found = self._offer(site, response.url, file.sort, entries)
            self._new[site.host] += found
            new += found
            pages += len(entries)
            for url in batch.files:
                why, queued = self._next_file(mark, file.sort, url, response.url)
                files += queued
                stopped = stopped or why
            await asyncio.sleep(0)
        if not (file.sort or mark.usual or mark.robots or file.stopped):
            return None
        if mark.robots:
            self._usual(site, mark, response.url, stated=files > 0)
        stopped = file.stopped or stopped
        self._note(FileRead(site.host, response.url, file.sort, pages, files, stopped), new)
        empty = response.replace(body=b"")
        self._new_in[empty] = new
        self._read[empty] = _detail(file.sort, pages, new, files, stopped)
        return empty

    def outcome(self, response: Response) -> str:
        """Return what was found in a file, for its outcome; empty for a page."""
        return self._read.get(response, "")

    def new_in(self, response: Response) -> int:
        """Return how many new pages a file has led to."""
        return self._new_in.get(response, 0)

    def _remember_file(self, record: FileRead) -> None:
        if record.sort in ("sitemap", "feed", "text", "index"):
            self.feeds[record.url] = record.site

    def failed(self, request: Request, error: BaseException) -> None:
        """Go on without a file that could not be fetched."""
        if (site := self._sites.get(site_host(request.url))) is not None and has_no_page(error):
            self._archives.missing(site.host, request.meta)
        mark = FileMark.of(request.meta)
        site = None if mark is None else self._sites.get(mark.site)
        if mark is None or site is None:
            return
        if mark.robots:
            self._usual(site, mark, request.url, stated=False)
        elif not (mark.usual and has_no_page(error)):
            why = str(error)
            if isinstance(error, HttpError):
                why = details.STATUS(status=error.response.status)
            logger.warning(
                _("%(url)s, which lists pages of a whole site, cannot be read: %(why)s"),
                {"url": request.url, "why": translated(why, user_language())[:300]},
            )

    def _offer(self, site: Site, url: str, sort: Sort, entries: Sequence[Entry]) -> int:
        now = datetime.fromtimestamp(self._clock(), UTC)
        for it in entries:
            if it.modified:
                self.on_signal(it.url, it.modified, "feed" if sort == "feed" else "sitemap")
        addresses = [Address(it.url, it.title, recency(it.modified, now)) for it in entries]
        feed = sort == "feed"
        found_by = details.IN_FEED(url=url) if feed else details.IN_SITEMAP(url=url)
        part = "feed" if feed else "sitemap"
        results = self._offers.pages(site.host, addresses, parent=url, found_by=found_by, part=part)
        return sum(result is PushResult.NEW for result in results)

    def _next_file(self, mark: FileMark, sort: Sort, url: str, parent: str) -> tuple[str, int]:
        """Queue a further file; return why it is not queued, and whether it is new."""
        if mark.level >= (MOST_FEED_PAGES if sort == "feed" else MOST_LEVELS):
            return "levels", 0
        if self._files[mark.site] >= MOST_FILES:
            return "files", 0
        if self._new[mark.site] >= MOST_NEW:
            return "pages", 0
        if not _one_owner(url, mark.site, site_host(parent)):
            # Files go before all pages: no index may have any number of addresses of others fetched first.
            if not mark.robots or self._elsewhere[mark.site] >= MOST_ELSEWHERE:
                return "", 0
            self._elsewhere[mark.site] += 1
        level = mark.level if mark.robots else mark.level + 1
        further = FileMark(mark.site, level=level, again=mark.again)
        return "", self._queue_file(further, url, parent)

    def _queue_file(self, mark: FileMark, url: str, parent: str) -> int:
        evidence = LinkEvidence(SEED_SCORE, {"seed": 1.0}, parent, depth=1)
        result = self._offers.file(url, mark.meta(), evidence, again=mark.again)
        new = result is PushResult.NEW
        self._files[mark.site] += new
        return int(new)

    def _usual(self, site: Site, mark: FileMark, parent: str, *, stated: bool) -> None:
        """Queue the files that a site usually has; sitemaps only if it states none."""
        usual = FileMark(site.host, usual=True, again=mark.again)
        for url in [*([] if stated else site.sitemaps), *site.feeds]:
            self._queue_file(usual, url, parent)

    def _note(self, record: FileRead, new: int) -> None:
        self._journal.publish(SITE_FILE, record)
        self._remember_file(record)
        self._count("sites/files", 1)
        self._count("sites/addresses", record.addresses)
        self._count("sites/new", new)
        if record.stopped:
            self._count(f"sites/stopped/{record.stopped}", 1)
            logger.warning(
                _("%(url)s is read in part only: %(why)s"),
                {
                    "url": record.url,
                    "why": translated(details.STOPPED[record.stopped], user_language()),
                },
            )


def _one_owner(url: str, *hosts: str) -> bool:
    return registered_domain(site_host(url)) in map(registered_domain, hosts)


def _detail(sort: Sort, pages: int, new: int, files: int, stopped: str) -> str:
    found = details.SITE_FILE(sort=sort or "other", n=pages, new=new, files=files)
    return details.PARTLY(detail=found, why=details.STOPPED[stopped]) if stopped else found
