"""Remove the links of stored pages that lead to pages that are not stored.

Only the link attributes of a page are changed.  Links to stored pages become absolute and canonical,
the attribute of other links is renamed (``href`` to ``data-dead-href``).  A crawler then sees exactly
the stored link graph and requests no missing page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable
from urllib.parse import urljoin

from w3lib.encoding import http_content_type_encoding

from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.page.decoding import decode
from topiccrawl.page.decoding.encodings import SEVEN_BIT
from topiccrawl.page.hrefs import Resolver

if TYPE_CHECKING:
    from topiccrawl.evaluation.webs.web import StoredPage, Web

#: Elements with links to other pages, and the attribute that contains the URL.
_ATTRIBUTES = {
    "a": "href", "area": "href", "link": "href", "base": "href", "frame": "src", "iframe": "src",
}  # fmt: skip
#: A start tag.  Quoted values may contain ``>``; an unbalanced quote ends the match.
_TAG = re.compile(
    r"""<(a|area|link|base|frame|iframe)(?=[\s/"'])((?:"[^"]*"|'[^']*'|[^>"'])*+)""",
    re.IGNORECASE | re.ASCII,  # else some Latin-1 bytes of Chinese characters match as space
)
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'>/=])([^\s"'>/=]++)(\s*+=\s*+)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.ASCII
)
_HAS_BASE = re.compile(r"<base\s", re.IGNORECASE | re.ASCII)
_COMMENT_OR_SCRIPT = re.compile(
    r"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script|\Z)", re.IGNORECASE | re.DOTALL
)
#: Prefixes of references that are not links to other pages; they are left unchanged.
_INERT = ("#", "javascript:", "mailto:")


@runtime_checkable
class _HasAliases(Protocol):
    """A web whose pages have more URLs than they are stored under."""

    def find(self, url: str) -> str | None:
        """Return the key under which a URL is stored, ``None`` if it is not."""


def pruner(web: Web) -> Callable[[StoredPage], bytes]:
    """Return a function that returns the bytes of a page with links to stored pages only."""
    keys = {url: url for url in web.urls()}
    # A generated web has several URLs for a page; a recorded one has only those it was stored under.
    find = web.find if isinstance(web, _HasAliases) else keys.get

    def serve(page: StoredPage) -> bytes:
        kind = page.content_type.lower()
        if kind and "html" not in kind and "xml" not in kind:
            return page.body
        return prune(page.body, page.url, page.content_type, find)

    return serve


def prune(body: bytes, url: str, content_type: str, find: Callable[[str], str | None]) -> bytes:
    """Return the page *body* from *url* without links to pages that are not stored.

    *find* returns the key under which a URL's key is stored, ``None`` if it is not.  For all
    ASCII-compatible encodings the bytes are edited directly, so that nothing else changes; pages in
    other encodings (UTF-16, 7-bit) are decoded and encoded again.
    """
    decoded = decode(body, http_content_type_encoding(content_type))
    encoding = decoded.encoding
    if encoding.startswith(("utf-16", "utf-32")) or encoding in SEVEN_BIT:
        text = _Page(url, encoding, find).rewrite(decoded.text)
        mark = "\ufeff" if encoding.startswith("utf") else ""
        return (mark + text).encode(encoding, "replace")
    # Latin-1 maps each byte to one character and back; the patterns match ASCII only.
    text = _Page(url, encoding, find, raw=True).rewrite(body.decode("latin-1"))
    return text.encode("latin-1")


@dataclass(slots=True)
class _Page:
    url: str
    encoding: str
    find: Callable[[str], str | None]
    raw: bool = False
    """The text consists of bytes decoded as Latin-1."""

    def rewrite(self, text: str) -> str:
        base = self._base(text)
        resolver = Resolver(base, self.encoding)

        def tag(found: re.Match[str]) -> str:
            name = found[1].lower()
            wanted = _ATTRIBUTES[name]

            def attribute(each: re.Match[str]) -> str:
                if each[1].lower() != wanted:
                    return each[0]
                if name == "base":
                    return f"data-dead-{each[0]}"
                reference = self._reference(each[3])
                if not reference or reference.lower().startswith(_INERT):
                    return each[0]
                target = self._target(reference, base, resolver)
                if target is None:
                    return f"data-dead-{each[0]}"
                return f'{each[1]}="{html.escape(target)}"'

            return f"<{found[1]}{_ATTRIBUTE.sub(attribute, found[2])}"

        return _TAG.sub(tag, text)

    def _base(self, text: str) -> str:
        """Return the base URL of references, from the first ``base`` element if there is one."""
        if not _HAS_BASE.search(text):
            return self.url
        for found in _TAG.finditer(_COMMENT_OR_SCRIPT.sub("", text)):
            if found[1].lower() == "base":
                for each in _ATTRIBUTE.finditer(found[2]):
                    reference = self._reference(each[3])
                    if each[1].lower() == "href" and reference:
                        return _joined(self.url, reference) or self.url
        return self.url

    def _reference(self, value: str) -> str:
        inner = value[1:-1] if value[:1] in ("'", '"') else value
        if self.raw and not inner.isascii():
            inner = inner.encode("latin-1").decode(self.encoding, "replace")
        return html.unescape(inner).strip()

    def _target(self, reference: str, base: str, resolver: Resolver) -> str | None:
        """Return the key of the target page; two encodings of the query are tried."""
        for address in (_joined(base, reference), resolver.resolve(reference)):
            key = web_key(address) if address else None
            found = self.find(key) if key is not None else None
            if found is not None:
                return found
        return None


def _joined(base: str, reference: str) -> str | None:
    try:
        return urljoin(base, reference)
    except ValueError:
        return None
