"""Plans the revisits of a crawl and offers them to the frontier; of several workers, the leading one does."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from topiccrawl.crawl.queue.links import topic_link
from topiccrawl.crawl.refreshing.candidates import Candidate, candidates
from topiccrawl.crawl.refreshing.due import look_again, planner_of, rests
from topiccrawl.crawl.refreshing.links import ARTICLE_SCORE, LIST_SCORE
from topiccrawl.crawl.refreshing.marks import MOST_SIGNALS, RevisitMark
from topiccrawl.crawl.refreshing.records import history_of, was_visited
from topiccrawl.crawl.refreshing.signals import claimed_at
from topiccrawl.crawl.sites.marks import FileMark
from topiccrawl.freshness.restoring import restore
from topiccrawl.frontier.contract import PushResult, QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.steps import run_steps_in_turns
from topiccrawl.store.contract import StoreUnavailable, VisitRecord
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.domains import registered_domain
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.crawl.refreshing.visit import Visited
    from topiccrawl.crawl.refreshing.visits import Visits
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.crawl.sites.whole import WholeSites
    from topiccrawl.freshness.history import PageHistory
    from topiccrawl.store.writer import StoreWriter


_HOUR: Final = 3600.0
_DAY: Final = 24 * _HOUR
#: Seconds after which a revisit that was offered and not recorded is looked up: another worker made it, or it
#: was given up (a guess: longer than the first retries take).
_LOST_SECONDS: Final = 1800.0
#: Seconds between two looks for due lists while no article may be visited.
_LOOK_SECONDS: Final = 60.0
#: Seconds by which the time of a stored visit may differ from that of its history, which is more exact.
_CLOCK_SECONDS: Final = 1.0
#: Revisits of one registered domain that wait in the queue, at most, in a run of revisits and in another crawl: a
#: quarter of those that wait there (a guess).  A site with any number of due pages that asks for a pause would
#: otherwise hold up the revisits of all others.
_MOST_OF_DOMAIN: Final = (50, 5)
#: Candidates between two turns of the event loop while the planner is filled.
_PIECE: Final = 500


class Refresher:
    """The revisits of one crawl.

    The planner is filled from the store at the start.  A revisit is a link of the frontier with a mark in its
    request; whichever worker fetches it records the visit.  Nothing is lost with this object: its whole state is in
    the store and the frontier.

    *writer* is open; *seeds* are visited for new links.
    """

    def __init__(
        self,
        writer: StoreWriter,
        queue: CrawlQueue,
        settings: CrawlSettings,
        visits: Visits,
        sites: WholeSites,
        *,
        seeds: Sequence[str],
        count: Callable[[str, int], object] = lambda name, number: None,
    ) -> None:
        self._topic = writer.topic
        self._writer = writer
        self._queue = queue
        self._frontier = queue.frontier
        self._clock = queue.clock
        self._sites = sites
        self._seeds = seeds
        self._count = count
        self._per_day = settings.refresh_per_day
        self._least_seconds = settings.refresh_least_hours * _HOUR
        self.share = settings.refresh_share
        self._planner = planner_of(settings, settings.seed)
        self._known: dict[str, Candidate] = {}
        self._signals: dict[str, dict[str, tuple[float, str]]] = {}
        """Times that were stated since a page's last visit, and by what, by the text that states them."""
        self._offered: dict[str, float] = {}
        self._resting: list[tuple[float, str]] = []
        """Heap of pages that the planner does not have: missing ones, and those that just failed."""
        self._articles: deque[float] = deque()
        """Times of the visits of articles within the last day, and of those that were offered."""
        self._offering = asyncio.Lock()
        self.leads = True
        """Whether this worker was the leading one when it was last asked to offer something."""
        visits.on_visited = self.visited
        visits.on_failed = self.failed
        sites.on_signal = self.signaled

    def __len__(self) -> int:
        return len(self._known)

    @property
    def only(self) -> bool:
        """Whether the run makes revisits only, with what they lead to."""
        return self.share >= 1

    @property
    def _most_of_domain(self) -> int:
        return _MOST_OF_DOMAIN[0] if self.only else _MOST_OF_DOMAIN[1]

    @property
    def under_way(self) -> int:
        """Revisits that were offered here and are not recorded yet."""
        return len(self._offered)

    # -- what is known -------------------------------------------------------------------------

    async def load(self) -> None:
        """Read what may be visited again, and how often it has changed."""
        now, number = self._clock(), 0
        found = candidates(
            self._writer.store,
            self._topic,
            now=now,
            least=self._least_seconds,
            seeds=self._seeds,
            lists=list(self._sites.lists),
            feeds=self._feeds(),
        )
        batch: list[tuple[str, PageHistory]] = []
        async with aclosing(found) as all_of_them:  # type: ignore[type-var]
            async for candidate in all_of_them:
                self._known[candidate.url] = candidate
                history = candidate.history
                if candidate.kind == "article" and history.visits:
                    self._articles.extend(it.at for it in history.visits if it.at > now - _DAY)
                if rests(candidate):
                    at = look_again(candidate, self._least_seconds)
                    heapq.heappush(self._resting, (at, candidate.url))
                else:
                    batch.append((candidate.url, history))
                number += 1
                if number % _PIECE == 0:
                    await asyncio.sleep(0)
        await run_steps_in_turns(restore(self._planner, batch))
        self._articles = deque(sorted(self._articles))
        self._count("refresh/known", len(self._known))

    def _feeds(self) -> dict[str, str]:
        """Return the sites of the files that list pages, by their canonical URLs."""
        return {canonical_url(url): site for url, site in self._sites.feeds.items()}

    def signaled(self, url: str, modified: str, source: str) -> None:
        """Record the time at which a page was changed according to a sitemap or feed."""
        now = self._clock()
        at, key = claimed_at(modified, now), canonical_url(url)
        if at is None or key not in self._known:
            return
        stated = self._signals.setdefault(key, {})
        if modified in stated:
            # Sitemaps repeat what they state whenever they are read; that of this day has another time each time.
            return
        stated[modified] = at, source
        if len(stated) > MOST_SIGNALS:
            del stated[next(iter(stated))]
        self._planner.signaled(key, at)

    def visited(self, visited: Visited) -> None:
        """Take note of a visit of this worker, or of a page that it has stored for the first time."""
        record = visited.record
        if visited.replanned or record.url not in self._planner:
            self._take(record)
            return
        known = self._noted(record)
        if rests(known):
            self._rest(known)
        else:
            self._planner.visited(
                record.url, self._clock(), visited.changed, visited.new_links, visited.listed
            )

    def _take(self, record: VisitRecord) -> None:
        """Plan a page anew by its stored record."""
        known = self._noted(record)
        if rests(known):
            self._rest(known)
        else:
            self._planner.add(known.url, known.history)

    def _noted(self, record: VisitRecord) -> Candidate:
        """Take note of the record of a page, whose visit is over."""
        self._offered.pop(record.url, None)
        self._signals.pop(record.url, None)
        kind = self._known[record.url].kind if record.url in self._known else record.kind
        known = Candidate(
            record.url,
            "article" if kind == "article" else "feed" if kind == "feed" else "list",
            history_of(record),
            gone=record.gone_at is not None,
            site=self._feeds().get(record.url, "") if kind == "feed" else "",
        )
        self._known[record.url] = known
        return known

    def _rest(self, known: Candidate) -> None:
        self._planner.remove(known.url)
        heapq.heappush(self._resting, (look_again(known, self._least_seconds), known.url))

    def failed(self, url: str) -> None:
        """Leave a page alone for a while whose visit failed; the frontier tries some of them again."""
        self._offered.pop(url, None)
        # A page that is gone is looked at again, too, and is not in the planner.
        if url in self._known:
            self._planner.remove(url)
            heapq.heappush(self._resting, (self._clock() + self._least_seconds, url))

    # -- what is due ---------------------------------------------------------------------------

    def allowance(self) -> int | None:
        """Return how many articles may be visited now; ``None`` without a limit."""
        if not self._per_day:
            return None
        since = self._clock() - _DAY
        while self._articles and self._articles[0] <= since:
            self._articles.popleft()
        return max(0, self._per_day - len(self._articles))

    def next_due(self) -> float | None:
        """Return when something may become due, on the frontier's clock; ``None``: never."""
        times = [it for it in (self._planner.next_due(self._clock()),) if it is not None]
        if self._resting:
            times.append(self._resting[0][0])
        if times and self.allowance() == 0:
            # Lists may be due all the same: they are looked for once a minute.
            return max(min(times), self._clock() + _LOOK_SECONDS)
        return min(times, default=None)

    async def offer(self, most: int) -> int:
        """Offer at most *most* due revisits to the frontier; return how many are queued now."""
        async with self._offering:
            if most <= 0:
                return 0
            self.leads = self._queue.leads()
            if not self.leads:
                return 0
            await self._look_up_lost()
            links: list[QueuedLink] = []
            while not links and (due := self._due(most)):
                links = [self._link(it) for it in await self._not_made(due)]
            if links:
                self._push(links)
            return len(links)

    def _push(self, links: Sequence[QueuedLink]) -> None:
        self._queue.pending.flush()
        results = self._frontier.push(links, again=True)
        refused = [it for it, r in zip(links, results, strict=True) if r is PushResult.REFUSED]
        if refused:
            # The budgets of hosts are for new pages.
            for link in refused:
                self._frontier.extend_budget(link.host, 1)
            self._frontier.push(refused, again=True)
        self._count("refresh/offered", len(links))

    def _due(self, most: int) -> list[Candidate]:
        """Return at most *most* revisits that are due, and note that they are offered."""
        now, allowance = self._clock(), self.allowance()
        left = math.inf if allowance is None else allowance
        due: list[Candidate] = []
        resting: list[tuple[float, str]] = []
        waiting = Counter(map(_domain, self._offered))

        def take(candidate: Candidate) -> bool:
            nonlocal left
            if candidate.kind == "article":
                if left <= 0:
                    return False
                left -= 1
                self._articles.append(now)
            self._offered[candidate.url] = now
            waiting[_domain(candidate.url)] += 1
            due.append(candidate)
            return True

        while self._resting and self._resting[0][0] <= now and len(due) < most:
            at, url = heapq.heappop(self._resting)
            candidate = self._known.get(url)
            if candidate is None or url in self._offered or url in self._planner:
                continue
            if not candidate.history.gone:
                self._planner.add(url, candidate.history)
            elif waiting[_domain(url)] >= self._most_of_domain:
                resting.append((now + _LOOK_SECONDS, url))
            elif not take(candidate):
                resting.append((at, url))
        for entry in resting:
            heapq.heappush(self._resting, entry)
        others = Counter(_domain(url) for url in self._offered if url not in self._planner)
        for url in self._planner.due(now, most - len(due), self._most_of_domain, others):
            if not take(self._known[url]):
                self._planner.release(url)
        return due

    async def _not_made(self, due: list[Candidate]) -> list[Candidate]:
        """Return those of *due* that no other worker has visited since they were planned here.

        A worker that takes over the lead learns only so what was visited before.
        """
        left = []
        for candidate in due:
            try:
                record = await self._writer.store.visit(self._topic, candidate.url)
            except StoreUnavailable:
                record = None  # a visit too many does no harm
            last = max(candidate.history.last_visit, candidate.recorded)
            if record is None or record.visited_at.timestamp() <= last + _CLOCK_SECONDS:
                left.append(candidate)
            else:
                self._take(record)
        written = await self._written(left)
        # While the store was asked, this worker may have recorded visits that another one had planned.
        return [
            replace(it, address=written.get(it.url, "")) for it in left if it.url in self._offered
        ]

    async def _written(self, due: Sequence[Candidate]) -> dict[str, str]:
        """Return the addresses of seeds, feeds and kept pages: the canonical form is no page of some sites."""
        found = [(canonical_url(it), it) for it in (*self._seeds, *self._sites.feeds)]
        with suppress(StoreUnavailable):
            pages = await self._writer.store.pages_at(self._topic, [it.url for it in due])
            found += [(it.url, it.final_url) for it in pages]
        return {key: written for key, written in found if _is_spelling(written, key)}

    async def _look_up_lost(self) -> None:
        """Take note of visits by other workers, and give back what was offered in vain."""
        before = self._clock() - _LOST_SECONDS
        for url in [url for url, at in self._offered.items() if at < before]:
            try:
                record = await self._writer.store.visit(self._topic, url)
            except StoreUnavailable:
                return
            if self._offered.pop(url, None) is None:
                continue  # this worker has recorded the visit while the store was asked
            if record is not None and was_visited(record, before, self._clock()):
                self._take(record)
            elif url in self._planner:
                self._planner.release(url)
            else:
                self.failed(url)

    def _link(self, candidate: Candidate) -> QueuedLink:
        signals = tuple(self._signals.get(candidate.url, {}).values())
        meta: dict[str, Any] = RevisitMark(
            candidate.url, candidate.kind, signals, self._offered[candidate.url]
        ).meta()
        if candidate.kind == "feed" and candidate.site:
            meta.update(FileMark(candidate.site, again=True).meta())
        score = ARTICLE_SCORE if candidate.kind == "article" else LIST_SCORE
        evidence = LinkEvidence(score, {"revisit": 1.0})
        return topic_link(candidate.url, evidence, written=candidate.address, meta=meta)


def _domain(url: str) -> str:
    return registered_domain(host_of(url))


def _is_spelling(written: str, key: str) -> bool:
    """Whether *written* is *key* in another spelling, without a session of its own, which would be an old one."""
    if canonical_url(written) != key:
        return False
    one, other = urlsplit(written), urlsplit(key)
    rest = one.path.removeprefix(other.path)
    # The name of an index, and the order of parameters.
    is_index = other.path.endswith("/") and not set(rest) & {"/", ";"}
    return (not rest or is_index) and len(one.query) == len(other.query)
