"""Whether a URL that a person or a queue gives can be fetched at all."""

from __future__ import annotations

import unicodedata
from typing import Final
from urllib.parse import urlsplit

from w3lib.url import safe_url_string

from topiccrawl import details
from topiccrawl.urls.addresses import literal_address

#: Longest URL that is accepted: browsers and servers of today take 8,000 bytes (RFC 9110, section 4.1,
#: recommends to support that many).
MAX_URL_CHARS: Final = 8000
#: Longest host name (RFC 1035, section 2.3.4).
_MAX_HOST_CHARS: Final = 253


def fetchable_url(text: str) -> str:
    """Return *text* without surrounding white space if it is an http(s) URL that can be requested.

    Raises ``ValueError`` with the rule that it breaks.
    """
    url = text.strip()
    if len(url) > MAX_URL_CHARS:
        raise ValueError(details.TOO_LONG_URL(n=MAX_URL_CHARS))
    if any(
        character == " " or unicodedata.category(character) in ("Cc", "Cs") for character in url
    ):
        raise ValueError(details.BLANKS())
    try:
        # As Scrapy requests it.
        parts = urlsplit(safe_url_string(url))
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise ValueError(details.INVALID_URL(error=error)) from None
    if parts.scheme not in ("http", "https"):
        raise ValueError(details.SCHEME())
    if not host:
        raise ValueError(details.NO_HOST())
    if literal_address(host) is None:
        try:
            name = host.rstrip(".").encode("idna")
        except UnicodeError:
            name = b""
        if not 0 < len(name) <= _MAX_HOST_CHARS or ":" in host:
            raise ValueError(details.INVALID_HOST())
    return url
