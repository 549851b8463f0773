"""A page as it is written: decoded, parsed and walked once; the only reader of its HTML."""

from __future__ import annotations

from functools import cached_property

from topiccrawl.page.body.blocks import Blocks, blocks_of
from topiccrawl.page.decoding import Decoded, decode
from topiccrawl.page.decoding.content_sniffing import looks_like_html
from topiccrawl.page.hrefs import Resolver
from topiccrawl.page.links import robots_directives
from topiccrawl.page.outline import Outline, visible_text
from topiccrawl.page.stated_urls import canonical_url, version_urls
from topiccrawl.page.walk import walk

#: Only the first bytes of a body are read, which bounds the time of one page (a guess: the largest
#: articles have some 100 KB).
MAX_PAGE_BYTES = 2 * 1024 * 1024


class ParsedPage:
    """Text, boxes and metadata of a response, without any judgment on its content.

    Parameters
    ----------
    url : str
        URL of the page, empty if unknown.
    body : bytes
        The response body.
    declared_charset : str, optional
        Charset of the Content-Type header.
    content_type : str
        The Content-Type header, empty if there is none.
    """

    def __init__(
        self, url: str, body: bytes, declared_charset: str | None = None, content_type: str = ""
    ) -> None:
        self.url = url
        self.raw = body
        self.declared_charset = declared_charset
        self.content_type = content_type

    @cached_property
    def looks_like_html(self) -> bool:
        """Whether the body can be a page; see :mod:`topiccrawl.page.decoding.content_sniffing`."""
        return looks_like_html(self.raw, self.content_type)

    @cached_property
    def decoded(self) -> Decoded:
        """Text, encoding and what determined it."""
        if not self.looks_like_html:
            return Decoded("", "utf-8", "default")
        return decode(self.raw[:MAX_PAGE_BYTES], self.declared_charset)

    @property
    def text(self) -> str:
        """The decoded HTML."""
        return self.decoded.text

    @property
    def encoding(self) -> str:
        """Name of the page's encoding, a Python codec."""
        return self.decoded.encoding

    @cached_property
    def outline(self) -> Outline:
        """Text, links, boxes and metadata, gathered in one walk over the page."""
        return walk(self.text)

    @cached_property
    def blocks(self) -> Blocks:
        """The blocks of the text, in document order."""
        return blocks_of(self.outline)

    @cached_property
    def base_url(self) -> str:
        """URL that relative links refer to: the page's own or its ``<base href>``."""
        stated = self.outline.base_href
        if not stated:
            return self.url
        return Resolver(self.url, self.encoding).resolve(stated) or self.url

    def _resolver(self) -> Resolver:
        return Resolver(self.base_url, self.encoding)

    @property
    def meta(self) -> dict[str, str]:
        """Content of the meta tags by name or property in lower case; the first one counts."""
        return self.outline.meta

    @property
    def stated_heading(self) -> str:
        """Content of ``<title>``."""
        return self.outline.title

    @property
    def nofollow(self) -> bool:
        """Whether the meta robots tag forbids following the links."""
        return "nofollow" in robots_directives(self.meta)

    @property
    def noindex(self) -> bool:
        """Whether the meta robots tag forbids keeping the page."""
        return "noindex" in robots_directives(self.meta)

    @cached_property
    def canonical_url(self) -> str | None:
        """Canonical URL of the page, None if it states none that is credible."""
        return canonical_url(self.outline, self._resolver(), self.url)

    @property
    def feeds(self) -> list[str]:
        """Addresses of the feeds that the page states."""
        urls = map(self._resolver().resolve, self.outline.feed_hrefs)
        return [url for url in urls if url is not None]

    @cached_property
    def versions(self) -> list[str]:
        """Addresses on the same registered host that the page states for versions of it."""
        return version_urls(self.outline, self._resolver(), self.url)

    @cached_property
    def visible_text(self) -> str:
        """Text a reader sees, one line per block: no scripts, styles, noscript, hidden elements."""
        return visible_text(self.outline)

    @cached_property
    def lines(self) -> list[str]:
        """Lines of the visible text."""
        return self.visible_text.split("\n")
