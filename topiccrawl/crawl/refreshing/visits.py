"""What a visit changes in the store: the page, its former version, and the record of the visit."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from topiccrawl.crawl.refreshing.answers import (
    article_digest,
    first_digest,
    page_digest,
    validators_of,
)
from topiccrawl.crawl.refreshing.links import content_links
from topiccrawl.crawl.refreshing.marks import KNOWN_VISIT, RevisitMark, VisitKind
from topiccrawl.crawl.refreshing.records import (
    first_visit,
    missed_visit,
    next_visit,
    was_visited,
)
from topiccrawl.crawl.refreshing.validators import Validators
from topiccrawl.crawl.refreshing.visit import (
    Found,
    Revisit,
    VisitCount,
    VisitCounts,
    Visited,
    Written,
)
from topiccrawl.crawl.requests.refused import VisitedBefore
from topiccrawl.crawl.storing.outcomes import PageLostError
from topiccrawl.freshness.texts import body_digest, links_digest
from topiccrawl.store.contract import PageRecord, StoreUnavailable, VisitRecord
from topiccrawl.store.reasons import OFF_TOPIC
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.control import CrawlControl
    from topiccrawl.crawl.storing.versions import PageVersions
    from topiccrawl.items import PageItem
    from topiccrawl.store.writer import StoreWriter


#: Status of an answer to a conditional request: the page is as it was (RFC 9110, 15.4.5).
NOT_MODIFIED: Final = 304
#: Reason word of a page that was visited and is as it was.
UNCHANGED: Final = "unchanged"
#: Reason of an error page with status 200.
SOFT_404: Final = "soft-404"


class Visits:
    """Reads and writes the visit records of a crawl; every worker records the visits that it makes.

    *writer* is open; *control* receives statistics, and the loss of the store; *soon* does work in the background.
    """

    def __init__(
        self,
        writer: StoreWriter,
        clock: Callable[[], float],
        control: CrawlControl,
        validators: Validators,
        versions: PageVersions,
        soon: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._topic = writer.topic
        self._writer = writer
        self._clock = clock
        self._control = control
        self._validators = validators
        self._versions = versions
        self._soon = soon
        self._revisits: WeakKeyDictionary[Response, Revisit] = WeakKeyDictionary()
        self._pages_before = False
        self.counts = VisitCounts()
        self.on_visited: Callable[[Visited], object] = lambda visited: None
        """Receives each visit whose record is durable."""
        self.on_failed: Callable[[str], object] = lambda url: None
        """Receives the URL of each revisit that gave no answer."""

    async def open(self) -> None:
        """Find out whether the store has pages: only then can a page that is fetched be known."""
        try:
            found = self._writer.store.standings(self._topic)
            async with aclosing(found) as standings:  # type: ignore[type-var]
                async for __ in standings:
                    self._pages_before = True
                    break
        except StoreUnavailable:
            self._pages_before = True

    # -- on the way to the site ----------------------------------------------------------------

    async def prepare(self, request: Request) -> None:
        """Make the request of a revisit conditional, where that is truthful.

        Raises :class:`~topiccrawl.crawl.requests.refused.VisitedBefore` for a visit that is recorded: its worker died
        before it could end the lease.
        """
        mark = RevisitMark.of_url(request.meta, request.url)
        if mark is None:
            return
        request.meta["handle_httpstatus_list"] = [NOT_MODIFIED]
        known = await self._known(mark.url)
        if known is not None:
            if was_visited(known, mark.offered, self._clock()):
                self._count("refresh/made_before")
                self.on_visited(Visited(known, changed=False, replanned=True))
                raise VisitedBefore
            request.meta[KNOWN_VISIT] = known
            request.headers.update(self._validators.headers(known))

    async def _known(self, url: str) -> VisitRecord | None:
        try:
            return await self._writer.store.visit(self._topic, url)
        except StoreUnavailable:
            return None  # asked for unconditionally; written when the store is back

    # -- on the way back -----------------------------------------------------------------------

    def read(
        self, request: Request, response: Response, analysis: PageAnalysis | None
    ) -> Revisit | None:
        """Compare what was fetched with what is known; ``None`` for a page that is not a revisit.

        *analysis* is ``None`` for an answer without a page: not modified, or a feed.
        """
        mark = RevisitMark.of_url(request.meta, request.url)
        if mark is None:
            return None
        known = request.meta.get(KNOWN_VISIT)
        known = known if isinstance(known, VisitRecord) else None
        revisit = Revisit(mark, known)
        self._revisits[response] = revisit
        if analysis is None:
            revisit.not_modified = response.status == NOT_MODIFIED
            return revisit
        revisit.etag, revisit.last_modified = validators_of(response)
        if mark.kind == "article":
            revisit.digest = page_digest(analysis)
            paging = analysis.paging
            if paging is not None and paging.number == 1:
                # Whether the article has changed is known when its other pages were read.
                revisit.changed = True
                revisit.same_first = (
                    known is not None and first_digest(known.body_digest) == revisit.digest
                )
                return revisit
            revisit.changed = known is None or known.body_digest != revisit.digest
            if known is not None:
                self._validators.compare(
                    known, revisit.etag, revisit.last_modified, revisit.changed
                )
        else:
            links = content_links(analysis.page)
            revisit.listed, revisit.digest = len(links), links_digest(links)
        return revisit

    def of(self, response: Response) -> Revisit | None:
        """Return the visit that *response* ends; ``None`` for a page that is not a revisit."""
        return self._revisits.get(response)

    # -- into the store ------------------------------------------------------------------------

    async def unchanged(self, item: PageItem) -> None:
        """Write the visit of a page that is as it was, or that is visited for its links."""
        revisit = item.revisit
        assert revisit is not None
        if revisit.not_modified:
            self._count("refresh/not_modified")
        await self._record(revisit, changed=revisit.changed)

    async def written(self, item: PageItem) -> Written:
        """Return what is to be written with *item*, which has passed all pipelines.

        Raises :class:`~topiccrawl.crawl.storing.outcomes.PageLostError` for a revisit while the store is away: without
        its former text a change would be lost.
        """
        revisit = item.revisit
        known, stored = await self._before(item.url, revisit)
        kind: VisitKind = "list" if item.kind == "list" else "article"
        if revisit is not None:
            kind = revisit.mark.kind
        found = self._found(item, revisit)
        if known is None and stored is not None:
            # A page that was stored without a record.
            at = stored.fetched_at.timestamp()
            known = first_visit(self._topic, item.url, kind, Found(at, changed=False))
        if stored is None:
            if known is None:
                return Written(
                    first_visit(self._topic, item.url, kind, replace(found, changed=False))
                )
            return Written(next_visit(known, found), changed=found.changed)
        # Lines that the host repeats may have been left out of one of the two texts.
        as_before = known is not None and found.digest != "" and known.body_digest == found.digest
        same = as_before or body_digest(stored.body) == body_digest(item.body)
        found = replace(found, changed=(found.new_links > 0) if kind != "article" else not same)
        assert known is not None
        if revisit is not None and revisit.same_first and _lacks_parts(item, stored):
            return Written(next_visit(known, replace(found, changed=False, digest="")), same=True)
        visit = next_visit(known, found)
        if same:
            return Written(visit, same=revisit is not None)
        _keep_origin(item, stored)
        version = None
        if kind == "article":
            item.changed_at = visit.visited_at
            version = await self._versions.former(stored, visit.visited_at)
        return Written(visit, version, changed=found.changed)

    async def _before(
        self, url: str, revisit: Revisit | None
    ) -> tuple[VisitRecord | None, PageRecord | None]:
        """Return the record of the visits of *url*, and the page, as the store has them."""
        if not self._pages_before and revisit is None:
            return None, None
        known: VisitRecord | None = None
        try:
            known = await self._writer.store.visit(self._topic, url)
            pages = await self._writer.store.pages_at(self._topic, [url])
        except StoreUnavailable as error:
            if revisit is not None:
                raise PageLostError from error
            return known, None
        return known, next(iter(pages), None)

    async def same(self, item: PageItem, written: Written) -> None:
        """Write the visit of a page that the store has with this very text."""
        assert item.revisit is not None
        await self._put(written.visit)
        self._note(item.revisit, written.visit, changed=False)

    def recorded(self, item: PageItem, written: Written) -> None:
        """Take note that what :meth:`written` has returned is durable."""
        if (revisit := item.revisit) is not None:
            self._note(revisit, written.visit, changed=written.changed)
        elif not item.copy_of:
            self.on_visited(Visited(written.visit, changed=False))

    async def dropped(self, item: PageItem, reason: str) -> None:
        """Write the visit of a page that did not reach the store; what is stored of it stays.

        A page that has left the topic has changed; one of which nothing can be read now, or nothing was known
        before, has not.
        """
        revisit = item.revisit
        assert revisit is not None
        revisit.changed = revisit.changed and revisit.known is not None and not revisit.same_first
        if reason == SOFT_404:
            await self.missing(revisit.mark)
            return
        if revisit.mark.kind == "article" and reason not in OFF_TOPIC:
            revisit.digest, revisit.changed = "", False
            self._control.count("refresh/unreadable")
        elif revisit.mark.kind == "article" and revisit.changed:
            self._control.count("refresh/left_topic")
        await self._record(revisit, changed=revisit.changed)

    async def missing(self, mark: RevisitMark) -> None:
        """Write that the site does not have the page any longer."""
        known = await self._known(mark.url) or self._empty(mark)
        record = missed_visit(known, self._clock())
        await self._put(record)
        self._count("refresh/visited")
        self._count("refresh/missing")
        if record.gone_at is not None and known.gone_at is None:
            self._count("refresh/vanished")
        self.on_visited(Visited(record, changed=False, replanned=True))

    def moved(self, mark: RevisitMark, target: str) -> None:
        """Write, in the background, that the address of a page leads elsewhere now.

        Another address of the same page (https, www) is no other place.
        """
        if _plain(mark.url) == _plain(canonical_url(target)):
            self._soon(self._record(Revisit(mark, None), changed=False))
        else:
            self._control.count("refresh/moved")
            self._soon(self.missing(mark))

    def failed(self, mark: RevisitMark, reason: str) -> None:
        """Record a revisit without an answer, which is no evidence about the page."""
        self._count("refresh/failed")
        self._control.count(f"refresh/failed/{reason}")
        self.on_failed(mark.url)

    # -- inside --------------------------------------------------------------------------------

    async def _record(self, revisit: Revisit, *, changed: bool) -> None:
        mark = revisit.mark
        known = await self._known(mark.url) or revisit.known or self._empty(mark)
        found = Found(
            self._clock(),
            changed,
            revisit.new_links,
            revisit.etag,
            revisit.last_modified,
            revisit.digest,
            mark.signals,
        )
        record = next_visit(known, self._validators.trusted(mark.url, found))
        await self._put(record)
        self._note(revisit, record, changed=changed)

    def _note(self, revisit: Revisit, record: VisitRecord, *, changed: bool) -> None:
        self._count("refresh/visited")
        if revisit.mark.kind != "article":
            self._count("refresh/lists")
            self._count("refresh/new_links", revisit.new_links)
        else:
            self._count("refresh/changed" if changed else "refresh/unchanged")
        if revisit.known is not None and revisit.known.gone_at is not None:
            self._count("refresh/back")
        self.on_visited(Visited(record, changed, revisit.new_links, revisit.listed))

    def _count(self, name: VisitCount, count: int = 1) -> None:
        """Count for the summary of this run and in the statistics of the crawl."""
        field = name.rpartition("/")[2]
        setattr(self.counts, field, getattr(self.counts, field) + count)
        self._control.count(name, count)

    async def _put(self, record: VisitRecord) -> None:
        try:
            await self._writer.put(record)
        except StoreUnavailable as error:
            self._control.lose_store(error)
            raise PageLostError from error

    def _found(self, item: PageItem, revisit: Revisit | None) -> Found:
        at = self._clock() if not item.imported else item.fetched_at.timestamp()
        etag, last_modified = item.validators
        digest = page_digest(item.analysis) if revisit is None else revisit.digest
        digest = article_digest(digest, item.parts_digest)
        if item.parts_digest:
            # The validators are those of the first page: "not modified" would not cover the others.
            etag = last_modified = ""
        found = Found(at, changed=False, etag=etag, last_modified=last_modified, digest=digest)
        if revisit is not None:
            found = replace(
                found,
                changed=revisit.changed,
                new_links=revisit.new_links,
                signals=revisit.mark.signals,
            )
        return self._validators.trusted(item.url, found)

    def _empty(self, mark: RevisitMark) -> VisitRecord:
        return first_visit(self._topic, mark.url, mark.kind, Found(self._clock(), changed=False))


def _keep_origin(item: PageItem, stored: PageRecord) -> None:
    """Keep how the crawl found the page, which the link of a revisit does not show."""
    item.first_seen = stored.first_seen
    item.link, item.found_by = stored.link, stored.found_by
    item.attached_to = stored.attached_to or item.attached_to


def _lacks_parts(item: PageItem, stored: PageRecord) -> bool:
    """Whether parts that were stored could not be fetched now: that is not a change of the article."""
    return item.parts_missing > 0 and item.parts < stored.parts


def _plain(url: str) -> str:
    """Return *url* without scheme, ``www.`` and the slash at its end."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/")
