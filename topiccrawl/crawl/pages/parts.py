"""Fetch the further parts of an article, and join them to its first page.

The parts are fetched while the first page waits for its store: both are one page, whose lease ends when all
of it is durable.  A crawl that is killed in between fetches all of it again.  A part that cannot be fetched
stays in the queue as a page of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scrapy import Request
from scrapy.http import Response, TextResponse

from topiccrawl.errors import described
from topiccrawl.freshness.texts import body_digest
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.page.paging import Paging, assemble, assemble_markdown, find_paging, same_article
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.page.page import Page

logger = logging.getLogger(__name__)

#: Share of the time of a lease that fetching parts may take: others get the link when it ends (a choice).
SHARE_OF_LEASE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Joined:
    """An article with the parts that were fetched."""

    body: str
    parts: tuple[str, ...]
    """Canonical URLs of the further parts, in order."""
    missing: int
    """Parts that its pages link to and that were not fetched, or are something else."""
    markdown: str
    """The whole article as Markdown, if that is wanted."""
    digest: str
    """Digest of the further parts, with the lines that the host repeats."""


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a further part, without its page."""

    body: str
    whole: str
    """With the lines that the host repeats."""
    markdown: str


class ArticleParts:
    """Joins the parts of articles.

    *download* downloads a request past the queue, with all middlewares, and may raise anything.  *page_of* returns
    the page of a response, ``None`` for one that must not be analyzed at once; *allows*, whether a canonical URL may
    be fetched.  An article has *most* parts at most, the first one included; after *seconds* no further one is
    fetched.  *markdown*: the Markdown of the parts is joined, too.
    """

    def __init__(
        self,
        download: Callable[[Request], Awaitable[Response]],
        page_of: Callable[[TextResponse], Page | None],
        allows: Callable[[str], bool],
        *,
        most: int,
        seconds: float,
        clock: Callable[[], float],
        markdown: bool,
    ) -> None:
        self._download = download
        self._page_of = page_of
        self._allows = allows
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._markdown = markdown

    async def first(self, page: Page, paging: Paging) -> tuple[TextResponse, Paging] | None:
        """Return the first part of the article of which *page* is a later one, if it can be fetched."""
        part = await self._part(paging.first, paging.key, 1, page.title)
        return None if part is None else (part[0], part[2])

    async def join(self, page: Page, paging: Paging, known: Mapping[str, Page]) -> Joined:
        """Return the article of which *page* is the first part.

        *known* are later parts that were fetched before, by canonical URL.
        """
        urls = dict(paging.parts)
        for url, known_part in known.items():
            if (its := find_paging(known_part, canonical_url)) is not None:
                urls = its.parts | {its.number: url} | urls
        texts = {n: self._text(known[url]) for n, url in urls.items() if url in known}
        tried = {1, *texts}
        until = self._clock() + self._seconds
        while self._clock() < until:
            number = min(urls.keys() - tried, default=self._most + 1)
            if number > self._most:
                break
            tried.add(number)
            part = await self._part(urls[number], paging.key, number, page.title)
            if part is not None:
                __, later, its = part
                texts[number] = self._text(later)
                # Long articles link to some of their parts only.
                urls = its.parts | urls
        texts = dict(sorted(texts.items()))
        markdowns = {1: page.markdown if self._markdown else ""}
        return Joined(
            assemble({1: page.body} | {n: it.body for n, it in texts.items()}, page.title),
            tuple(urls[n] for n in texts),
            len(urls.keys() - texts.keys() - {1}),
            assemble_markdown(markdowns | {n: it.markdown for n, it in texts.items()}),
            body_digest("\n".join(it.whole for it in texts.values())) if texts else "",
        )

    def _text(self, page: Page) -> _Text:
        markdown = page.markdown if self._markdown else ""
        return _Text(page.body, page.whole_extraction.body, markdown)

    async def _part(
        self, url: str, key: str, number: int, title: str
    ) -> tuple[TextResponse, Page, Paging] | None:
        """Return a part of the article *key*, ``None`` if it is not at *url*."""
        if not self._allows(url):
            return None
        try:
            response = await self._download(Request(url))
        except Exception as error:
            # Whatever a middleware raises: the part stays in the queue, and fails there if it must.
            logger.debug("No part at %s: %s", url, described(error))
            return None
        if response.status != 200 or not isinstance(response, TextResponse):
            return None
        page = self._page_of(response)
        paging = None if page is None else find_paging(page, canonical_url)
        if page is None or paging is None or (paging.key, paging.number) != (key, number):
            return None
        return (response, page, paging) if same_article(page.title, title) else None


def end_links(frontier: Frontier, urls: Iterable[str]) -> tuple[int, int]:
    """Record that *urls* were fetched; return how many left the queue for it, and how many were recorded."""
    links = [QueuedLink(url, host_of(url), LinkEvidence()) for url in urls]
    return frontier.forget([link.id for link in links]), frontier.mark_ended(links)


def queue_again(frontier: Frontier, urls: Iterable[str], evidence: LinkEvidence) -> None:
    """Queue *urls* that :func:`end_links` has ended: what was made of their texts is lost."""
    links = [QueuedLink(url, host_of(url), evidence) for url in urls]
    frontier.push(links, again=True)
