"""One fetched page: the only reader of its HTML.

Everything is worked out at its first use and kept, from one decoding, one parse and one walk over
the tree.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from topiccrawl.page.body.classify import PageParts, parts_of
from topiccrawl.page.body.extractors import DEFAULT_EXTRACTOR, get_extractor
from topiccrawl.page.body.kind import Kind
from topiccrawl.page.byline.roles import Byline, byline_of
from topiccrawl.page.dates.published import CHINA_TIME, find_published
from topiccrawl.page.decoding.content_sniffing import looks_like_html
from topiccrawl.page.decoding.decode import Decoded, decode
from topiccrawl.page.hrefs import Resolver, registered_host
from topiccrawl.page.links import Link, build_links, directives
from topiccrawl.page.outline import Outline, visible
from topiccrawl.page.title.choice import title_of
from topiccrawl.page.tree import parse
from topiccrawl.page.walk import walk
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from lxml import etree

MAX_PAGE_BYTES = 8 * 1024 * 1024
"""Bytes of a body that are read; the rest is left out, which bounds the time of one page (a guess:
the largest articles have some 100 KB)."""


class Page:
    """A page made from the bytes of one response. Nothing here raises on a bad page.

    ``declared_charset`` is the charset of the Content-Type header and ``content_type`` the header
    itself; ``extractor`` names the body extractor (ValueError if unknown); ``now`` is the time of
    the fetch, to which 昨天 refers (default: the time of use); ``anchor_hint`` the anchor text that
    led here, a last resort for the title. Data that is no page (an image called HTML) is an empty
    page with ``looks_like_html`` False.
    """

    def __init__(
        self,
        url: str,
        body: bytes,
        declared_charset: str | None = None,
        content_type: str = "",
        *,
        extractor: str = DEFAULT_EXTRACTOR,
        now: datetime | None = None,
        anchor_hint: str = "",
    ) -> None:
        self.url = url
        self.raw = body
        self.declared_charset = declared_charset
        self.content_type = content_type
        self.now = now
        self.anchor_hint = anchor_hint
        self._extractor = get_extractor(extractor)

    def __repr__(self) -> str:
        return f"Page({self.url!r}, {len(self.raw)} bytes)"

    @cached_property
    def looks_like_html(self) -> bool:
        """Whether the body can be a page at all; see :func:`sniff.looks_like_html`."""
        return looks_like_html(self.raw, self.content_type)

    @cached_property
    def decoded(self) -> Decoded:
        """Text, encoding and what decided for it."""
        if not self.looks_like_html:
            return Decoded("", "utf-8", "default")
        return decode(self.raw[:MAX_PAGE_BYTES], self.declared_charset)

    @property
    def text(self) -> str:
        """The decoded HTML."""
        return self.decoded.text

    @property
    def encoding(self) -> str:
        """Name of the page's encoding, as Python knows it."""
        return self.decoded.encoding

    @cached_property
    def tree(self) -> etree._Element:
        """Root of the element tree; comments are left out."""
        return parse(self.text)

    @cached_property
    def outline(self) -> Outline:
        """What one walk over the tree found; the other properties are made from it."""
        return walk(self.tree)

    @cached_property
    def base_url(self) -> str:
        """URL that relative links refer to: the page's own or its ``<base href>``."""
        stated = self.outline.base_href
        if not stated:
            return self.url
        return Resolver(self.url, self.encoding).resolve(stated) or self.url

    @cached_property
    def links(self) -> list[Link]:
        """All links as absolute http(s) URLs without fragment, in document order."""
        return build_links(self.outline, Resolver(self.base_url, self.encoding))

    @property
    def meta(self) -> dict[str, str]:
        """Content of the meta tags by name or property in lower case; the first one counts."""
        return self.outline.meta

    @property
    def nofollow(self) -> bool:
        """Whether meta robots forbids following the links."""
        return "nofollow" in directives(self.meta)

    @property
    def noindex(self) -> bool:
        """Whether meta robots forbids keeping the page."""
        return "noindex" in directives(self.meta)

    @cached_property
    def canonical_url(self) -> str | None:
        """The page's canonical URL if it states a believable one, else None.

        It must be on the same registered host, and not the site's front page unless this is it (a
        common fault of templates).
        """
        stated = self.outline.canonical_href
        if not stated:
            return None
        url = Resolver(self.base_url, self.encoding).resolve(stated)
        if url is None or registered_host(host_of(url)) != registered_host(host_of(self.url)):
            return None
        own = self.url.partition("://")[2].partition("#")[0].partition("/")[2]
        return None if own and not url.partition("://")[2].partition("/")[2] else url

    @cached_property
    def visible_text(self) -> str:
        """Text a reader sees, a line a block: no scripts, styles, noscript or hidden elements."""
        return visible(self.outline)

    @cached_property
    def body(self) -> str:
        """Main text, a line a paragraph; empty if there is none."""
        return self._extractor.extract(self).text

    @cached_property
    def parts(self) -> PageParts:
        """Body, comments and kind by the blocks of the page, whichever extractor is chosen."""
        return parts_of(self.outline, self.stated_title, self.url)

    @property
    def kind(self) -> Kind:
        """What kind of page it is; see :mod:`topiccrawl.page.body.kind`."""
        return self.parts.kind

    @property
    def comments(self) -> str:
        """What readers wrote under an article, a line a paragraph; a thread's posts are its body."""
        return self.parts.comments

    @cached_property
    def lines(self) -> list[str]:
        """Lines of the visible text."""
        return self.visible_text.split("\n")

    @cached_property
    def title(self) -> str:
        """Title without site names; see :mod:`topiccrawl.page.title.choice`."""
        return self.stated_title or self.body.partition("\n")[0][:100]

    @cached_property
    def stated_title(self) -> str:
        """The title as the page states it, empty if it does not."""
        return title_of(self.outline, self.lines, self.url, self.anchor_hint)

    @cached_property
    def byline(self) -> Byline:
        """Author, source and editor as far as the page names them plainly."""
        return byline_of(self.outline, self.lines, self.title)

    @cached_property
    def published(self) -> datetime | None:
        """When the page was published, in China's time zone; midnight if only the day is known."""
        found = self.outline
        return find_published(
            now=self.now or datetime.now(CHINA_TIME),
            lines=self.lines,
            title=self.title,
            meta=found.meta,
            times=found.times,
            json_ld=found.json_ld,
            url=self.url,
        )
