"""Analyses of stored pages for one topic, computed once for all strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from topiccrawl.analysis.links import LinkReader, MergedLink, PageLinks
from topiccrawl.analysis.page import PageAnalysis
from topiccrawl.crawl.queue.ordering import page_view
from topiccrawl.scoring.strategy import PageView
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from topiccrawl.evaluation.simulation.pages import Answer, StoredPages
    from topiccrawl.page.page import Page
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter


@dataclass(frozen=True, slots=True)
class AnalyzedPage:
    """Analysis of a page for a topic, before any URL filter is applied to its links."""

    own: str
    """Canonical URL."""
    view: PageView
    """Page view with the depth, order and inherited score of a seed."""
    links: PageLinks
    queries: Sequence[str]
    """URLs of its links that have a query; a URL filter may change them."""


class Analyses:
    """Analyses of the pages of one web for one topic, by the crawler's own components."""

    def __init__(
        self,
        pages: StoredPages,
        topic: Topic,
        *,
        follow_nofollow: bool = False,
        reader: LinkReader | None = None,
    ) -> None:
        """*reader* must compute the link features that the strategies need; default: hashed ones."""
        self.pages = pages
        self.topic = topic
        self._follow_nofollow = follow_nofollow
        self._reader = reader or LinkReader(topic, features=True)
        self._analyzed: dict[tuple[str, str], AnalyzedPage] = {}
        self._links: dict[tuple[str, str, str, str], MergedLink] = {}

    def get(self, answer: Answer, anchor: str) -> AnalyzedPage:
        """Return the analysis of a page to which *anchor* led."""
        key = answer.url, anchor if answer.by_anchor else ""
        if key not in self._analyzed:
            self._analyzed[key] = self._analyze(self.pages.reached(answer, anchor))
        return self._analyzed[key]

    def links(self, page: AnalyzedPage, answer: Answer, url_filter: UrlFilter) -> PageLinks:
        """Return the links that *url_filter* allows, as in the analysis of the page during a crawl."""
        if any(url_filter.clean(url) != url for url in page.queries):
            return self._analysis(answer, url_filter).links
        allowed = [url_filter.allows(link.canonical) for link in page.links.links]
        return page.links if all(allowed) else page.links.select(allowed)

    def _analysis(self, answer: Answer, gate: UrlFilter | None) -> PageAnalysis:
        return PageAnalysis(
            # A StoredView has all attributes that an analysis reads.
            cast("Page", self.pages.view(answer)),
            self.topic,
            self._reader,
            canonical_url,
            follow_nofollow=self._follow_nofollow,
            url_filter=gate,
        )

    def _analyze(self, answer: Answer) -> AnalyzedPage:
        analysis = self._analysis(answer, None)
        own = canonical_url(answer.url)
        found = analysis.links
        followed = analysis.page.links if found.links else []
        return AnalyzedPage(
            own=own,
            view=page_view(own, analysis),
            links=PageLinks([self._slim(link) for link in found.links], found.batch),
            queries=tuple(dict.fromkeys(link.url for link in followed if "?" in link.url)),
        )

    def _slim(self, link: MergedLink) -> MergedLink:
        """Return the link without texts that only its features need; equal links share one object."""
        key = link.url, link.canonical, link.anchor[:200], link.context
        if key not in self._links:
            self._links[key] = replace(link, anchor=key[2], title="", hover="")
        return self._links[key]
