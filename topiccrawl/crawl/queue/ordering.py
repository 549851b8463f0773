"""The order of a crawl: how fetched pages change the scores of links, independent of Scrapy.

``LinkScoreMiddleware`` and the simulation share :class:`LinkOrder`, so both produce the same crawl
order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.analysis.links import MergedLink
from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.journal.kinds import ANSWERS, CONTACT, DEAD, LESSON
from topiccrawl.crawl.queue.fallen import FallenLinks, source_of
from topiccrawl.crawl.queue.rounds import RankingRounds
from topiccrawl.crawl.requests.meta import PRIORITY_SCALE
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.scoring.credit import DomainCredit
from topiccrawl.scoring.evidence import SEED_SCORE, LinkEvidence
from topiccrawl.scoring.strategy import LinkScores, PageView, Strategy
from topiccrawl.steps import run_steps
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.filter import NOTHING_STATED, Stated
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from topiccrawl.analysis.links import PageLinks
    from topiccrawl.analysis.page import PageAnalysis
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.crawl.settings import CrawlSettings
    from topiccrawl.page.body.host_learning import BodyEdges
    from topiccrawl.scoring.classifier import PageClassifier
    from topiccrawl.urls.filter import UrlFilter
    from topiccrawl.urls.novelty import PageText

#: Maximum number of links whose evidence waits for their request.  A spider that filters links
#: leaves some behind; the oldest are dropped.
_UNREQUESTED_LINKS = 20_000
#: Links of an empty shell that are followed, frames first of all (a guess: framesets have two to six).
_SHELL_LINKS = 20
#: Links of a page that are handed to the frontier between two turns of the event loop: 5 to 20 ms (2,000 links
#: to one host and to 2,000, SQLite, 2026-11).
_PIECE = 250


@dataclass(frozen=True, slots=True)
class ScoredLink:
    """A link of a page with its evidence, from which the spider builds a request."""

    link: MergedLink
    evidence: LinkEvidence


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """The properties of a fetched page that the order of links depends on."""

    url: str
    """Canonical URL."""
    view: PageView
    """Without what depends on the crawl: depth, order and inherited relevance are filled in here."""
    links: PageLinks
    evidence: LinkEvidence
    """Evidence of the link by which the page was fetched."""
    host: str
    """Politeness key of the host."""
    text: PageText | None
    """Its visible text; ``None`` without any."""
    stated: Stated = NOTHING_STATED
    """Its content, and the addresses that it states."""
    edges: BodyEdges | None = None
    """What was learned from it about the lines that its host repeats."""


class LinkOrder:
    """Scores links page by page and re-scores the queue in ranking rounds.

    One object for each crawl.  Several workers on one frontier have one link graph through the
    journal; all of them rank, and the elected one re-scores the queue.
    """

    def __init__(
        self,
        strategy: Strategy,
        queue: CrawlQueue,
        url_filter: UrlFilter,
        classifier: PageClassifier,
        settings: CrawlSettings,
        borrow: Callable[[PageView, LinkEvidence], PageView] = lambda view, link: view,
        count: Callable[[str, int], object] = lambda name, number: None,
        fallen: FallenLinks | None = None,
    ) -> None:
        """Store the components that the order depends on.

        *borrow* adds the words of the link that led to a page of little text; *count* receives statistics,
        e.g. ``links/scored``; *fallen* receives dead links of the journal, default: its own.
        """
        self._strategy = strategy
        self._queue = queue
        self._frontier = queue.frontier
        self._journal = queue.journal
        self._url_filter = url_filter
        self._classifier = classifier
        self._settings = settings
        self._borrow = borrow
        self._count = count
        if classifier.meaning:
            strategy.compare_meaning(classifier.meaning)
        #: Evidence by canonical URL; several pages may have the same new link before its request is queued.
        self._unrequested: BoundedDict[str, list[LinkEvidence]] = BoundedDict(_UNREQUESTED_LINKS)
        self._fallen = FallenLinks() if fallen is None else fallen
        self._rounds = RankingRounds(
            strategy, queue, url_filter, classifier, settings, self._fallen, count
        )
        #: For the budgets of hosts, whatever the strategy; that of the adaptive one also judges who links to whom.
        self._credit = DomainCredit()
        self._domains: dict[int, int] = {}

    # -- pages ---------------------------------------------------------------------------------

    def page_fetched(self, page: FetchedPage) -> list[ScoredLink]:
        """Score the links of *page*; return those that are new to the frontier, in page order.

        Known links go to the frontier at once, as evidence.
        """
        return run_steps(self.page_in_pieces(page))

    def page_in_pieces(self, page: FetchedPage) -> Generator[None, None, list[ScoredLink]]:
        """Do the work of :meth:`page_fetched`; yield every few milliseconds if the page has many links."""
        large = len(page.links.links) > _PIECE
        self._journal.replay()
        source = source_of(page.evidence)
        if self._fallen.answered(page.url, source):
            self._journal.publish(ANSWERS, source)
        asked = link_id(page.stated.asked) if page.stated.asked not in ("", page.url) else 0
        own = replace(page.view, links=page.links.batch, asked=asked)
        own = self._borrow(own, page.evidence)
        judgment = self._classifier.add(own)
        view = replace(
            own,
            probability=judgment.probability,
            relevant=judgment.kept,
            depth=page.evidence.depth,
            order=self._journal.pages + 1,
            inherited=page.evidence.parts.get("inherited", 0.0),
        )
        # The page's own links were read: what is learned applies from the next page on.
        named = page.evidence.named and not page.evidence.depth
        lesson = self._url_filter.learn(page.url, page.text, named=named, stated=page.stated)
        # A new page on the topic earns its host more pages; endless duplicates earn nothing, nor do lists that lead
        # to other lists.  A repost is new to its host, once, but the same reposts may be under any number of names
        # of one domain.
        counts = self.find(view) > 0
        new = judgment.kept and counts and (lesson is None or lesson.new)
        earned = new and (lesson is None or not lesson.copied)
        self._journal.publish_page(view, lesson and replace(lesson, earned=earned), page.edges)
        # Every worker scores the pages of all in one order, that of the journal: who introduces a new domain,
        # say, is the same for all when two workers name it at the same moment.
        self._journal.read_before_own()
        scores = self._strategy.score(view)
        if large:
            yield
        # Links of an earlier page may still wait outside the frontier.
        self._queue.pending.flush()
        links: list[ScoredLink] = []
        for first in range(0, len(page.links.links), _PIECE):
            if large:
                yield
            scored = _scored(page, scores, slice(first, first + _PIECE))
            links += self._merge_known([self._behind(it) for it in scored])
        if new:
            self._frontier.extend_budget(page.host, self._settings.host_budget_growth)
        if earned:
            self._url_filter.earn(page.url)
        self._count("links/scored", len(page.links.links))
        if known := len(page.links.links) - len(links):
            self._count("links/known", known)
        return links + self._returned(page, links)

    def find(self, page: PageView) -> float:
        """Add a scored page, of this worker or another, to its domain; return what it counts as a find, in [0, 1]."""
        place = page.place[:1].tolist()
        domain = self._domains.setdefault(place[0], len(self._domains)) if place else -1
        return self._credit.add(domain, page)

    def passed_on(self, page: FetchedPage) -> list[ScoredLink]:
        """Return the new links of a page without text, which is not judged: frames, a script's target.

        They stand for the page, hence come before others of its score.
        """
        score = min(page.evidence.score, SEED_SCORE - 1)
        parts = {"inherited": page.evidence.parts.get("inherited", 0.0)}
        depth = page.evidence.depth + 1
        links = [
            ScoredLink(link, LinkEvidence(score, parts, page.url, link.anchor[:200], depth).ahead())
            for link in page.links.links[:_SHELL_LINKS]
        ]
        self._queue.pending.flush()
        return self._merge_known(links)

    def _returned(self, page: FetchedPage, new: Sequence[ScoredLink]) -> list[ScoredLink]:
        """Return links that were led to mirrors that turned out to be none, as links of *page*."""
        score = max((it.evidence.score for it in new), default=0.0)
        evidence = LinkEvidence(score, parent=page.url, depth=page.evidence.depth + 1)
        return [
            ScoredLink(
                MergedLink(url, canonical_url(url), "", "", "", "", False, again=True), evidence
            )
            for url in self._url_filter.returned()
        ]

    def refusal(self, canonical: str) -> str | None:
        """Return why a link must not be fetched although it was queued; ``None`` if it may be.

        Its host's name counts as contacted then, for all workers.
        """
        reason = self._url_filter.trap(canonical)
        if reason is not None:
            return reason
        host = host_of(canonical)
        # Both count; the limit of names may be off.
        if self._url_filter.contact(host) | self._fallen.contact(host):
            self._journal.publish(CONTACT, host)
            if self._fallen.crowded(self._journal.pages) and not self._fallen.is_behind(canonical):
                self._rounds.let_fall()
        return None

    def is_crowd(self, link: QueuedLink) -> bool:
        """Return whether *link* leads to a new domain while too many are contacted for the fetched pages."""
        return self._fallen.is_crowd(link.url, source_of(link.evidence))

    def fetched_elsewhere(self, canonical: str) -> str | None:
        """Return the address at which a queued page was fetched, on a mirror or as another version."""
        return self._url_filter.fetched_elsewhere(canonical)

    def gone(self, canonical: str) -> None:
        """Record, for all workers, that the preferred address of a link has no page."""
        self._journal.publish(LESSON, self._url_filter.gone(canonical))

    def dead(self, canonical: str, evidence: LinkEvidence | None) -> None:
        """Record, for all workers, that a link has led to no page; links like it fall behind if many have."""
        source = "" if evidence is None else source_of(evidence)
        self._journal.publish(DEAD, (canonical, source))
        if self._fallen.dead(canonical, source):
            self._rounds.let_fall()

    def _behind(self, scored: ScoredLink) -> ScoredLink:
        evidence = self._fallen.lowered(scored.link.canonical, scored.evidence)
        return scored if evidence is scored.evidence else replace(scored, evidence=evidence)

    def expect(self, links: Sequence[ScoredLink]) -> None:
        """Keep the evidence of *links* until their requests are built."""
        for scored in links:
            self._unrequested.use(scored.link.canonical, list).append(scored.evidence)

    def _merge_known(self, links: Sequence[ScoredLink]) -> list[ScoredLink]:
        """Push known links as evidence: a request each would cost more than the scoring."""
        known = self._frontier.known([link_id(s.link.canonical) for s in links])
        merged = [
            QueuedLink(s.link.canonical, host_of(s.link.canonical), s.evidence)
            for s, seen in zip(links, known, strict=True)
            if seen
        ]
        if merged:
            self._frontier.push(merged)
        return [s for s, seen in zip(links, known, strict=True) if not seen]

    # -- requests ------------------------------------------------------------------------------

    def request_evidence(
        self, canonical: str, *, depth: int = 0, priority: int = 0
    ) -> LinkEvidence:
        """Return the evidence for a request of *canonical*: that of a scored link, each once, or a default."""
        waiting = self._unrequested.get(canonical)
        if waiting is None:
            return self._default_evidence(canonical, depth, priority)
        evidence = waiting.pop()
        if not waiting:
            del self._unrequested[canonical]
        return evidence

    def _default_evidence(self, canonical: str, depth: int, priority: int) -> LinkEvidence:
        """Evidence for a request that did not come from a scored link (usually a seed).

        Spiders of other projects also request known links, which must not overtake all others, and
        links that the page's analysis did not see (scripts, forms).
        """
        if not depth:
            return LinkEvidence(SEED_SCORE + priority, {"seed": 1.0})
        scores, parts = self._strategy.rescore(np.array([link_id(canonical)], dtype=np.int64))
        if not np.isfinite(scores[0]):
            return LinkEvidence(priority / PRIORITY_SCALE, depth=depth)
        return LinkEvidence(
            float(scores[0]), {k: float(v[0]) for k, v in parts.items()}, depth=depth
        )

    def with_current_parts(self, lease: int, evidence: LinkEvidence) -> LinkEvidence:
        """Return *evidence* with the parts of its score as they are when the link is fetched."""
        if evidence.parent is None:
            return evidence
        _, parts = self._strategy.rescore(np.array([lease], dtype=np.int64))
        now = {name: float(v[0]) for name, v in parts.items() if np.isfinite(v[0])}
        return replace(evidence, parts={**evidence.parts, **now})

    @property
    def most_in_flight(self) -> int:
        """Most requests that may wait for their answers at a time, >= 1."""
        return self._strategy.most_in_flight

    def handed_out(self, lease: int) -> None:
        """Notify the strategy that a queued link is requested now."""
        self._strategy.handed_out(lease)

    # -- rounds --------------------------------------------------------------------------------

    @property
    def round_due(self) -> bool:
        """Whether enough pages were fetched since the last ranking round, or the strategy wants one."""
        return self._rounds.due

    def ranking_round(self) -> Iterator[int]:
        """Learn, recompute the ranking and re-score what is queued; see :meth:`RankingRounds.run`."""
        return self._rounds.run()


def page_view(canonical: str, analysis: PageAnalysis) -> PageView:
    """Return the strategy's view of the page *canonical*, treated as a seed."""
    return replace(analysis.view, id=link_id(canonical), links=analysis.links.batch)


def _scored(page: FetchedPage, scores: LinkScores, piece: slice) -> list[ScoredLink]:
    """Return a *piece* of the links of *page* with their evidence."""
    parts = [(name, values[piece].tolist()) for name, values in scores.parts.items()]
    links = page.links.links[piece]
    return [
        ScoredLink(
            link,
            LinkEvidence(
                score=score,
                parts={name: values[i] for name, values in parts},
                parent=page.url,
                anchor=link.anchor[:200],
                depth=page.evidence.depth + 1,
                context=link.context,
            ),
        )
        for i, (link, score) in enumerate(zip(links, scores.score[piece].tolist(), strict=True))
    ]
