"""From the addresses that a whole site lists to links of the queue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.analysis.links import LinkReader, MergedLink
from topiccrawl.crawl.queue.links import topic_link
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.frontier.contract import PushResult, QueuedLink
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from topiccrawl.crawl.queue.queue import CrawlQueue
    from topiccrawl.urls.filter import UrlFilter

#: Share of its date in the place of an address between the usual and the best link of its site; the rest is
#: that of its words (a guess: between equal words the newer page goes first).
_DATE_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Address:
    """A page of a site that no link of a page leads to."""

    url: str
    title: str = ""
    recency: float = 0.0
    """1 for a page of today, toward 0 for old ones and those without a date."""


@dataclass(slots=True)
class _Scores:
    """Scores of the links on the pages of one site so far."""

    count: int = 0
    total: float = 0.0
    best: float = 0.0

    def between(self, share: float) -> float:
        """Return the score at *share* of the way from the usual link to the best one."""
        usual = self.total / self.count if self.count else 0.0
        return usual + max(self.best - usual, 0.0) * share


class SiteOffers:
    """Offers addresses to the frontier, ordered by their words in the scores' own scale.

    No page was analyzed that links to them, so the strategy has no evidence of them: an address without a word
    of the topic gets the mean score of the links on its site, and the best one gets the best score.

    *may_be_document* returns whether an address is that of a document that is fetched.
    """

    def __init__(
        self,
        queue: CrawlQueue,
        url_filter: UrlFilter,
        reader: LinkReader,
        may_be_document: Callable[[str], bool],
    ) -> None:
        self._frontier = queue.frontier
        self._pending = queue.pending
        self._filter = url_filter
        self._reader = reader
        self._may_be_document = may_be_document
        self._scores: dict[str, _Scores] = {}

    def observe(self, site: str, scores: Iterable[float]) -> None:
        """Learn from the scores of the links on a page of *site*."""
        known = self._scores.setdefault(site, _Scores())
        for score in scores:
            known.best = score if not known.count else max(known.best, score)
            known.count += 1
            known.total += score

    def pages(
        self,
        site: str,
        addresses: Sequence[Address],
        *,
        parent: str,
        found_by: str,
        part: str,
        depth: int = 1,
        meta: Mapping[str, Any] | None = None,
    ) -> list[PushResult | None]:
        """Offer pages; return a result for each, ``None`` for those that may not be fetched.

        *site* is a host without ``www.``; *addresses* are absolute URLs, not necessarily of the site.  *parent*,
        *found_by* and *depth* are for their evidence, where *part* is the name of the way: "sitemap", "feed",
        "pager", "archive"; *meta* is that of their requests.
        """
        links: list[QueuedLink | None] = [None] * len(addresses)
        allowed = [
            (at, address, url, canonical)
            for at, address in enumerate(addresses)
            if self._may_follow(url := self._filter.clean(address.url))
            and self._filter.allows(canonical := canonical_url(url))
        ]
        merged = [
            MergedLink(url, canonical, address.title, "", "", "", nofollow=False)
            for _, address, url, canonical in allowed
        ]
        words = self._reader.read(merged).batch.rw_relevance.tolist() if merged else []
        scores = self._scores.setdefault(site, _Scores())
        for (at, address, url, canonical), relevance in zip(allowed, words, strict=True):
            share = (1 - _DATE_SHARE) * relevance + _DATE_SHARE * address.recency
            evidence = LinkEvidence(
                scores.between(share),
                {part: round(share, 4)},
                parent,
                address.title[:200],
                depth,
                found_by=found_by,
            )
            links[at] = topic_link(canonical, evidence, written=url, meta=meta)
        return self._push(links)

    def file(
        self, url: str, meta: Mapping[str, Any], evidence: LinkEvidence, *, again: bool
    ) -> PushResult | None:
        """Offer a file that lists pages."""
        canonical = canonical_url(url)
        if not self._filter.allows(canonical):
            return None
        return self._push([topic_link(canonical, evidence, written=url, meta=meta)], again=again)[0]

    def failed(self, url: str) -> bool:
        """Whether *url* was tried and gave no page."""
        return (
            self._frontier.reason(QueuedLink(canonical_url(url), "", LinkEvidence()).id) is not None
        )

    def _may_follow(self, url: str) -> bool:
        return may_be_page(url) or self._may_be_document(url)

    def _push(
        self, links: Sequence[QueuedLink | None], *, again: bool = False
    ) -> list[PushResult | None]:
        # Links of an earlier page may still wait outside the frontier.
        self._pending.flush()
        offered = [link for link in links if link is not None]
        pushed = iter(self._frontier.push(offered, again=again) if offered else [])
        results = [None if link is None else next(pushed) for link in links]
        for result in results:
            if result is not None:
                self._pending.on_push(result)
        return results
