"""What of an answer is kept to recognize a change: its validators, and digests of what is compared."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from topiccrawl.crawl.requests.pages import header

if TYPE_CHECKING:
    from scrapy.http import Response

    from topiccrawl.analysis.page import PageAnalysis


def validators_of(response: Response) -> tuple[str, str]:
    """Return ETag and Last-Modified of *response*, empty without them."""
    return _shown(header(response, "ETag")), _shown(header(response, "Last-Modified"))


def page_digest(analysis: PageAnalysis) -> str:
    """Return the digest of what is compared of a page: its body, or its bytes if nothing can be read."""
    if analysis.page.looks_like_html:
        return analysis.body_digest
    return hashlib.blake2b(analysis.page.raw, digest_size=16).hexdigest()


def article_digest(first: str, parts: str) -> str:
    """Return the digest of an article from those of its first page and of its further ones.

    That of the first page can be derived from it (:func:`first_digest`).
    """
    return f"{first}+{parts}" if parts else first


def first_digest(digest: str) -> str:
    """Return the digest of the first page from that of an article."""
    return digest.partition("+")[0]


def file_digest(response: Response) -> str:
    """Return the digest of a feed or another file that lists pages."""
    return hashlib.blake2b(response.body, digest_size=16).hexdigest()


def _shown(value: str) -> str:
    value = value.strip()
    return value if len(value) <= 512 and value.isprintable() else ""
