"""One fetched page, analyzed for one topic."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from topiccrawl.analysis.borrowed import with_stated_words
from topiccrawl.analysis.features import PAGE_TERMS, page_term_ids, word_feature_ids
from topiccrawl.analysis.links import LinkReader, MergedLink, PageLinks, merge
from topiccrawl.analysis.places import Location, location_of
from topiccrawl.analysis.stuffing import stuffing
from topiccrawl.analysis.summarized import Summarized, SummaryLimits, summarized
from topiccrawl.dedup.titles import content_hash
from topiccrawl.freshness.texts import body_digest
from topiccrawl.page.notcontent import NotContent, recognize
from topiccrawl.page.paging import Paging, find_paging
from topiccrawl.page.shell import Content, content_of, may_be_shell, template_of
from topiccrawl.scoring.classifier.rows import TERMS as CLASSIFIER_TERMS
from topiccrawl.scoring.metadata import background
from topiccrawl.scoring.strategy import LEAD_CHARACTERS, PageView
from topiccrawl.steps import run_steps
from topiccrawl.text.normalize import simplified
from topiccrawl.urls.content import PageContent, page_content
from topiccrawl.urls.identity import link_id
from topiccrawl.urls.novelty import PageText, page_text

if TYPE_CHECKING:
    from topiccrawl.analysis.prepared import ReadyLinks
    from topiccrawl.page.links import Link
    from topiccrawl.page.page import Page
    from topiccrawl.scoring.arrays import FeatureIdArray, FloatArray
    from topiccrawl.scoring.vsm import TermVector
    from topiccrawl.topics.relevance import Relevance
    from topiccrawl.topics.topic import Topic
    from topiccrawl.urls.filter import UrlFilter

T = TypeVar("T")

#: A page whose body has fewer characters is a list or a frame: all of its visible text is analyzed instead
#: ([doc001] takes 200 bytes of GBK, which is 100 Han characters).
MIN_BODY_CHARS = 100
#: Characters of the title and of the text in :attr:`PageAnalysis.lead` (a choice; with 30 of the text a bare word
#: gained .01 to .02 of F1 on two webs instead of .05, 2026-11).
_LEAD_TITLE: Final = 60
_LEAD_WORDS: Final = 60
#: Links between two turns of the event loop (a choice: some 5 ms).
PIECE: Final = 500
NO_LINKS: Final = PageLinks()
#: Most channels of a page that count, the outermost ones (a choice).
CHANNELS = 6


class PageAnalysis:
    """Terms, vector, relevance and links of a page; each is computed at first use and kept.

    The link-scoring middleware, the pipelines and the store share one object per page.

    *reader* computes the features of links, and decides which of :attr:`term_ids`, :attr:`semantic` are
    computed. *canonical* returns the canonical form of a URL; *follow_nofollow* keeps the links that the page
    asks not to follow; without a *url_filter*, all links pass.
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
        self._ready: ReadyLinks | None = None
        self._recognized: tuple[int, NotContent | None] | None = None
        self._summarized: Summarized | None = None

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

    @property
    def lead(self) -> str:
        """Title and first words, see ``PageView.lead``."""
        words = self.page.body if self.has_body else self.page.visible_text or self.stated_words
        first = words[:_LEAD_WORDS].replace("\n", " ")
        return simplified(f"{self.page.title[:_LEAD_TITLE]}. {first}")[:LEAD_CHARACTERS]

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

    @property
    def channel_hit(self) -> bool:
        """Whether a channel of the page is named by a keyword of the topic."""
        return any(self.topic.names_channel(name) for name in self.trail)

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
    def view(self) -> PageView:
        """The strategy's view of the page, treated as a seed, without its links."""
        term_ids, weights = self.term_ids
        view = PageView(
            id=link_id(self.canonical),
            relevance=self.relevance.score,
            background=self.background,
            relevant=self.relevant,
            depth=0,
            order=0,
            inherited=0.0,
            links=NO_LINKS.batch,
            term_ids=term_ids,
            term_weights=weights,
            semantic=self.semantic,
            place=np.array(self.location.place, dtype=np.int32),
            no_body=not (self.has_body or self.page.is_single_item),
        )
        if not self.classified:
            return view
        judged = replace(
            view,
            title_hit=self.title_hit,
            channel_hit=self.channel_hit,
            folders=np.array(self.location.folders, dtype=np.int32),
            channels=self.channels,
            lead=self.lead if self._reader.leads else "",
        )
        return with_stated_words(judged, self)

    @cached_property
    def text(self) -> PageText | None:
        """What of the visible text shows whether a page is new."""
        return page_text(self.page.visible_text, self.canonical)

    @cached_property
    def content(self) -> PageContent | None:
        """What of the page is compared with other addresses.

        That is the whole body: what a host repeats is left out of some pages and not of earlier ones.
        """
        return page_content(self.page.whole_extraction.body, self.text)

    @cached_property
    def paging(self) -> Paging | None:
        """Which part of an article the page is, ``None`` if it is not one of several."""
        return find_paging(self.page, self._canonical)

    @cached_property
    def body_hash(self) -> str:
        """Hash of the body, see :func:`~topiccrawl.dedup.titles.content_hash`."""
        return content_hash(self.page.body)

    @cached_property
    def body_digest(self) -> str:
        """Digest of what of the whole body shows a change, see :mod:`topiccrawl.freshness.texts`."""
        return body_digest(self.page.whole_extraction.body)

    def summarized(self, title: str, body: str, limits: SummaryLimits) -> Summarized:
        """Return what a text is in short; that of the page itself is computed once."""
        if (title, body) != (self.page.title, self.page.body):
            return summarized(self.topic.analyzer, title, body, limits)
        if self._summarized is None:
            self._summarized = summarized(self.topic.analyzer, title, body, limits)
        return self._summarized

    @cached_property
    def shown(self) -> Content:
        """How much content the page shows without a browser."""
        return content_of(self.page)

    @cached_property
    def shell(self) -> bool:
        """Whether scripts may put the content into the page."""
        return may_be_shell(self.page, self.shown)

    @cached_property
    def template(self) -> str:
        """Signature of the template of a page that may be a shell."""
        return template_of(self.page)

    def recognized(self, status: int) -> NotContent | None:
        """Return what the page is if it is not content.

        See :func:`~topiccrawl.page.notcontent.recognize` and :func:`~topiccrawl.analysis.stuffing.stuffing`.
        """
        if self._recognized is None or self._recognized[0] != status:
            found = recognize(self.page, status)
            if found is None and 200 <= status < 300:
                found = self._stuffing()
            self._recognized = status, found
        return self._recognized[1]

    def _stuffing(self) -> NotContent | None:
        """Return that the body is stuffed with the topic's words; lists and documents are not judged."""
        page = self.page
        if not self.has_body or page.media_type:
            return None
        found = stuffing(self.topic, page.body, self.terms, self.relevance.score)
        return None if found is None or page.kind == "list" else found

    def take(
        self,
        links: ReadyLinks,
        recognized: tuple[int, NotContent | None],
        summarized: Summarized | None,
    ) -> None:
        """Take over what another process has computed."""
        self._ready, self._recognized, self._summarized = links, recognized, summarized

    @cached_property
    def links(self) -> PageLinks:
        """Unique link targets with their features, in page order.

        Without nofollow links, unless *follow_nofollow*, and without those that the URL filter rejects
        (traps): they are neither fetched nor votes in the link graph.
        """
        return run_steps(self._read_links())

    def read_links(self) -> Generator[None, None, None]:
        """Compute :attr:`links`; yield every few milliseconds if the page has many."""
        if "links" not in vars(self):
            vars(self)["links"] = yield from self._read_links()

    def _read_links(self) -> Generator[None, None, PageLinks]:
        if self.page.nofollow and not self._follow_nofollow:
            return PageLinks()
        own, url_filter, ready = self.canonical, self._url_filter, self._ready
        if url_filter is None:
            found = self.page.links
            return self._reader.read(self._followed(found, own))
        urls = [link.url for link in self.page.links] if ready is None else list(ready.urls)
        cleaned: list[str] = []
        for piece in _pieces(urls):
            cleaned += map(url_filter.clean, piece)
            if len(urls) > PIECE:
                yield
        preferred: list[str] = []
        for piece in _pieces(cleaned):
            preferred += map(url_filter.preferred, piece)
            if len(urls) > PIECE:
                yield
        if ready is not None and preferred == urls:
            merged = ready.links.links
        else:
            ready = None
            found = [
                link if url == link.url else link._replace(url=url)
                for link, url in zip(self.page.links, preferred, strict=True)
            ]
            merged = self._followed(found, own)
            written = {
                self._canonical(url): before
                for url, before in zip(preferred, cleaned, strict=True)
                if url != before
            }
            if written:
                for link in merged:
                    link.written = written.get(link.canonical, "")
        allowed: list[bool] = []
        for some in _pieces(merged):
            allowed += [url_filter.allows(link.canonical) for link in some]
            if len(merged) > PIECE:
                yield
        if ready is not None and any(allowed):
            return ready.links if all(allowed) else ready.links.select(allowed)
        return self._reader.read(list(compress(merged, allowed)))

    def _followed(self, found: Sequence[Link], own: str) -> list[MergedLink]:
        """Return the links merged, without the page itself and without links that are not followed."""
        pairs = [(self._canonical(link.url), link) for link in found]
        merged = merge([pair for pair in pairs if pair[0] != own])
        return [link for link in merged if self._follow_nofollow or not link.nofollow]


def _pieces(values: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), PIECE):
        yield values[start : start + PIECE]
