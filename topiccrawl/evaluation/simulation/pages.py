"""Stored pages read once: what all topics and strategies need of a page, without its tree.

Reading a page costs some milliseconds, ten times what a strategy spends on it.  Text and links are
kept compressed: a page of 800 links takes some 30 KB.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapy.http import Headers, HtmlResponse, TextResponse
from scrapy.responsetypes import responsetypes
from scrapy.utils.response import get_meta_refresh
from w3lib.encoding import http_content_type_encoding
from w3lib.url import safe_url_string

from topiccrawl.analysis.page import MIN_BODY_CHARS
from topiccrawl.crawl.requests.pages import may_be_page
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR
from topiccrawl.page.links import Link
from topiccrawl.page.page import Page
from topiccrawl.urls.novelty import PageText, page_text
from topiccrawl.urls.redirects import REDIRECT_STATUSES

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import StoredPage, Web

#: Scrapy's REDIRECT_MAX_TIMES and URLLENGTH_LIMIT.
MAX_REDIRECTS = 20
MAX_URL = 2_083
#: Scrapy's METAREFRESH_MAXDELAY: pages that wait longer are pages, not redirects.
_REFRESH_MAX_DELAY = 100
#: Scrapy looks for a meta refresh in the first 4,096 characters, which are at most so many bytes.
_REFRESH_BYTES = 4 * 4_096

_safe_url = lru_cache(maxsize=262_144)(safe_url_string)


def request_url(url: str) -> str:
    """Return *url* as Scrapy requests it."""
    return _safe_url(url)


@dataclass(frozen=True, slots=True)
class StoredView:
    """The properties of :class:`~topiccrawl.page.page.Page` that an analysis by topic reads."""

    url: str
    title: str
    body: str
    visible_text: str
    """Empty where the body is long enough for the analysis of the page."""
    links: Sequence[Link]
    nofollow: bool
    trail: Sequence[str]
    stated_words: str
    is_single_item: bool
    """``False`` where the body is long enough for the analysis of the page."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the stored web to the request of one URL."""

    address: str
    """Under which the page is stored."""
    url: str
    """That was requested."""
    status: int
    size: int
    """Bytes of the body."""
    redirect: str = ""
    """Where Scrapy goes instead (Location or meta refresh); empty for a page."""
    is_page: bool = False
    """HTML whose links are scored."""
    text: PageText | None = None
    """Its visible text; ``None`` without any."""
    title: str = ""
    by_anchor: bool = False
    """Title and body depend on the anchor that led to the page: see :meth:`StoredPages.reached`."""
    packed: bytes = b""


class StoredPages:
    """Pages of one web by the address that is requested; each is read at its first request."""

    def __init__(
        self,
        web: Web,
        *,
        extractor: str = DEFAULT_EXTRACTOR,
        serve: Callable[[StoredPage], bytes] | None = None,
    ) -> None:
        """*serve* gives the bytes that a crawler gets: what the replay proxy makes of the stored
        page.
        """
        self.web = web
        self._extractor = extractor
        self._serve = serve or (lambda page: page.body)
        self._answers: dict[str, Answer | None] = {}
        self._reached: dict[tuple[str, str], Answer] = {}
        self._html_urls: list[str] | None = None

    def get(self, url: str) -> Answer | None:
        """Return the answer to a request of *url*, ``None`` if nothing is stored there (404)."""
        if url not in self._answers:
            stored = self.web.get(web_key(url) or "")
            self._answers[url] = None if stored is None else self._read(url, stored)
        return self._answers[url]

    def links(self, address: str) -> tuple[int, Sequence[Link]] | None:
        """Return status and links of a stored address without reading the page's text.

        A redirect, be it by Location or meta refresh, has status 302 and one link; anything but HTML has none.
        """
        known = self._answers.get(address)
        stored = self.web.get(address) if known is None else None
        if known is None and stored is not None and stored.status == 200 and not _refreshes(stored):
            page = self._page(address, stored, self._serve(stored), "")
            followed = page.looks_like_html and _is_text(stored) and not page.nofollow
            return 200, page.links if followed else ()
        known = known or self.get(address)
        if known is None:
            return None
        if known.redirect:
            return 302, (Link(urljoin(known.url, known.redirect)),)
        if not known.is_page:
            return known.status, ()
        view = self.view(known)
        return known.status, () if view.nofollow else view.links

    def reached(self, answer: Answer, anchor: str) -> Answer:
        """Return the answer for a crawler that followed a link with the text *anchor*.

        A page without a usable title takes the anchor text as its title, and the title guides the
        extraction of the body.
        """
        if not answer.by_anchor or not anchor:
            return answer
        key = answer.url, anchor
        if key not in self._reached:
            stored = self.web.get(answer.address)
            assert stored is not None
            page = self._page(answer.url, stored, self._serve(stored), anchor)
            self._reached[key] = replace(answer, title=page.title, packed=_packed(page))
        return self._reached[key]

    def view(self, answer: Answer) -> StoredView:
        """Return the text and links of a page."""
        return StoredView(answer.url, answer.title, *pickle.loads(zlib.decompress(answer.packed)))

    def response(self, answer: Answer) -> HtmlResponse | None:
        """Return a page as Scrapy passes it to a spider; ``None`` if it is not HTML."""
        stored = self.web.get(answer.address)
        if stored is None or stored.status != 200 or answer.redirect:
            return None
        headers, body = _headers(stored), self._serve(stored)
        kind = responsetypes.from_args(headers=headers, url=answer.url, body=body)
        if not issubclass(kind, HtmlResponse):
            return None
        return kind(answer.url, headers=headers, body=body)

    def html_urls(self) -> list[str]:
        """Return the stored URLs of all HTML pages with status 200, in the web's order; reads all."""
        if self._html_urls is None:
            answers = ((url, self.get(url)) for url in self.web.urls())
            self._html_urls = [
                url for url, answer in answers if answer and answer.is_page and answer.status == 200
            ]
        return self._html_urls

    def _page(self, url: str, stored: StoredPage, body: bytes, anchor: str) -> Page:
        return Page(
            url,
            body,
            declared_charset=http_content_type_encoding(stored.content_type),
            content_type=stored.content_type,
            anchor_hint=anchor,
            extractor=self._extractor,
        )

    def _read(self, url: str, stored: StoredPage) -> Answer:
        body = self._serve(stored) if stored.status == 200 else stored.body
        answer = Answer(stored.url, url, stored.status, len(body))
        if stored.status in REDIRECT_STATUSES and _leads_on(url, stored.location):
            return Answer(stored.url, url, stored.status, len(body), redirect=stored.location)
        if not 200 <= stored.status < 300:
            return answer
        headers = _headers(stored)
        kind = responsetypes.from_args(headers=headers, url=url, body=body)
        if not issubclass(kind, TextResponse):
            return answer
        if issubclass(kind, HtmlResponse) and _refreshes(stored):
            interval, target = _meta_refresh(kind(url, headers=headers, body=body))
            if target and interval is not None and interval < _REFRESH_MAX_DELAY:
                return Answer(stored.url, url, stored.status, len(body), redirect=target)
        page = self._page(url, stored, body, "")
        if not page.looks_like_html:
            return answer
        title, packed = page.title, _packed(page)
        return Answer(
            stored.url,
            url,
            stored.status,
            len(body),
            is_page=True,
            text=page_text(page.visible_text, url),
            title=title,
            by_anchor=page.used_anchor_hint,
            packed=packed,
        )


def read_links(pages: StoredPages, urls: Iterable[str]) -> dict[str, tuple[int, list[str]]]:
    """Return status and link targets, as the crawler follows them, by stored URL; a redirect has one target."""
    found: dict[str, tuple[int, list[str]]] = {}
    for url in urls:
        links = pages.links(url)
        if links is None:
            continue
        status, targets = links
        wanted = (
            web_key(request_url(link.url))
            for link in targets
            if not link.nofollow and may_be_page(link.url)
        )
        found[url] = status, list(dict.fromkeys(target for target in wanted if target))
    return found


def _packed(page: Page) -> bytes:
    text = page.body
    short = len(text) < MIN_BODY_CHARS
    kept = text, page.visible_text if short else ""
    stated = page.trail, page.stated_words, short and page.is_single_item
    return zlib.compress(pickle.dumps((*kept, page.links, page.nofollow, *stated), protocol=5), 1)


def _leads_on(url: str, location: str) -> bool:
    """Whether the Location of a redirect from *url* is an address; a crawler fails at ``http://[x``."""
    try:
        return bool(location and urljoin(url, location))
    except ValueError:
        return False


def _meta_refresh(response: HtmlResponse) -> tuple[float | None, str | None]:
    """Return delay and target of a meta refresh; two ``None`` without one to an address."""
    try:
        interval, target = get_meta_refresh(response)
    except ValueError:
        return None, None
    return interval, target


def _headers(stored: StoredPage) -> Headers:
    return Headers({"Content-Type": stored.content_type} if stored.content_type else {})


def _is_text(stored: StoredPage) -> bool:
    kind = responsetypes.from_args(headers=_headers(stored), url=stored.url, body=stored.body)
    return issubclass(kind, TextResponse)


def _refreshes(stored: StoredPage) -> bool:
    return b"refresh" in stored.body[:_REFRESH_BYTES].lower()
