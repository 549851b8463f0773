"""One fetched page, analyzed for one topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.analysis.features import PAGE_TERMS, page_term_ids, word_feature_ids
from topiccrawl.analysis.links import LinkReader, PageLinks, merge
from topiccrawl.analysis.places import Location, location_of
from topiccrawl.scoring.classifier.rows import TERMS as CLASSIFIER_TERMS
from topiccrawl.scoring.metadata import background

if TYPE_CHECKING:
    from topiccrawl.page.notcontent import NotContent
    from topiccrawl.page.page import Page
    from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
    from topiccrawl.scoring.vsm import TermVector
    from topiccrawl.topics.relevance import Relevance
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter

#: A page whose body has fewer characters is a list or a frame: all of its visible text is analyzed instead
#: ([doc001] takes 200 bytes of GBK, which is 100 Han characters).
MIN_BODY_CHARS = 100
#: Most channels of a page that count, the outermost ones (a choice).
CHANNELS = 6


class PageAnalysis:
    """Terms, vector, relevance and links of a page; each is computed at first use and kept.

    The link-scoring middleware, the pipelines and the store share one object per page.

    Parameters
    ----------
    page
        The page.
    topic
        The topic.
    reader
        Computes the features of links; it also decides which of :attr:`term_ids`, :attr:`semantic`
        are computed.
    canonical
        Returns the canonical form of a URL.
    follow_nofollow
        Whether to keep the links that the page asks not to follow.
    url_filter
        Cleans and rejects links; without one, all links pass.
    """

    def __init__(
        self,
        page: Page,
        topic: Topic,
        reader: LinkReader,
        canonical: Callable[[str], str],
        *,
        follow_nofollow: bool = False,
        url_filter: UrlFilter | None = None,
    ) -> None:
        self.page = page
        self.topic = topic
        self.not_content: NotContent | None = None
        """What the page is if it is not content, as the crawl has found out."""
        self._reader = reader
        self._canonical = canonical
        self._follow_nofollow = follow_nofollow
        self._url_filter = url_filter

    @cached_property
    def terms(self) -> list[str]:
        """Terms of title and body, or of title and visible text if the body is too short."""
        text = self.page.body if self.has_body else self.page.visible_text
        return self.title_terms + self.topic.analyzer.terms(text)

    @property
    def has_body(self) -> bool:
        """Whether the page has a body that is long enough to be analyzed."""
        return len(self.page.body) >= MIN_BODY_CHARS

    @property
    def trail(self) -> Sequence[str]:
        """Names of the channels of the page, see :mod:`topiccrawl.page.trail`."""
        return self.page.trail

    @property
    def stated_words(self) -> str:
        """Keywords and description of the page's metadata."""
        return self.page.stated_words

    @property
    def channels(self) -> FeatureIdArray:
        """Feature ids of :attr:`trail`, see ``PageView.channels``."""
        return np.array(word_feature_ids("channel", self.trail, CHANNELS), dtype=np.int32)

    @cached_property
    def title_terms(self) -> list[str]:
        """Terms of the title."""
        return self.topic.analyzer.terms(self.page.title)

    @cached_property
    def vector(self) -> TermVector:
        """Term weights of the page under the topic's idf."""
        return self.topic.weigh(self.terms)

    @cached_property
    def relevance(self) -> Relevance:
        """Relevance to the topic in [0, 1], with the terms that contribute most."""
        return self.topic.relevance_of(self.vector)

    @property
    def classified(self) -> bool:
        """Whether a page classifier learns from the page."""
        return self._reader.classified

    @property
    def relevant(self) -> bool:
        """Whether the page reaches the topic's threshold."""
        return self.relevance.score >= self.topic.threshold

    @cached_property
    def background(self) -> float:
        """B(url) of [thesis] 4.6 for the links of this page, in [0, 1]."""
        return background(value for _, value in self.topic.rel(self.terms))

    @cached_property
    def title_hit(self) -> bool:
        """Whether a keyword of the topic is in the title."""
        return self.topic.keyword_hits(self.title_terms).distinct > 0

    @cached_property
    def term_ids(self) -> tuple[FeatureIdArray, FloatArray]:
        """The heaviest terms, hashed, and their weights: as many as strategy and classifier want."""
        most = CLASSIFIER_TERMS if self._reader.classified else 0
        return page_term_ids(self.vector, PAGE_TERMS if self._reader.terms else most)

    @cached_property
    def location(self) -> Location:
        """Where the page lies, see :mod:`topiccrawl.analysis.places`."""
        return location_of(self.canonical)

    @cached_property
    def canonical(self) -> str:
        """Canonical form of the page's URL."""
        return self._canonical(self.page.url)

    @cached_property
    def semantic(self) -> FloatArray:
        """M_k of the title and of :attr:`terms`; empty unless the strategy wants them."""
        words = self._reader.words
        if words is None:
            return np.empty(0)
        return np.array([words.mean_top(self.title_terms), words.mean_top(self.terms)])

    @cached_property
    def links(self) -> PageLinks:
        """Unique link targets with their features, in page order.

        Without nofollow links, unless *follow_nofollow*, and without those that the URL filter rejects
        (traps): they are neither fetched nor votes in the link graph.
        """
        if self.page.nofollow and not self._follow_nofollow:
            return PageLinks()
        own = self.canonical
        url_filter = self._url_filter
        found = self.page.links
        if url_filter is not None:
            cleaned = [(link, url_filter.clean(link.url)) for link in found]
            found = [x if url == x.url else replace(x, url=url) for x, url in cleaned]
        written: dict[str, str] = {}
        if url_filter is not None:
            preferred = [(link, url_filter.preferred(link.url)) for link in found]
            written = {self._canonical(url): x.url for x, url in preferred if url != x.url}
            found = [x if url == x.url else replace(x, url=url) for x, url in preferred]
        pairs = [(self._canonical(link.url), link) for link in found]
        merged = merge([pair for pair in pairs if pair[0] != own])
        if written:
            for link in merged:
                link.written = written.get(link.canonical, "")
        return self._reader.read(
            [
                link
                for link in merged
                if (self._follow_nofollow or not link.nofollow)
                and (url_filter is None or url_filter.allows(link.canonical))
            ]
        )
