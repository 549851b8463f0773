"""True addresses behind the redirects of engines."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

#: Wrappings within each other that are followed (a choice; two were seen).
_MOST_LAYERS: Final = 3
#: A page that only leads on: a refresh, or a script that sets the location (sogou.com/link?url=…).
_LEADS_ON: Final = re.compile(
    r"""<meta[^>]{0,100}http-equiv\s*=\s*["']?refresh["']?[^>]{0,100}url\s*=\s*['"]?([^'">\s]+)"""
    r"""|location(?:\.href\s*=|\.replace\(|\s*=)\s*["']([^"']+)["']""",
    re.IGNORECASE,
)
#: Characters of a page in which it is looked for.
_HEAD: Final = 8_192


def unwrapped(link: str, base: str, parameters: Sequence[str]) -> str | None:
    """Return the address that a result leads to; ``None`` if it is none of the web's.

    Parameters
    ----------
    link
        The address in the answer, perhaps relative.
    base
        The address of the answer.
    parameters
        Parameters of links to the engine itself that hold the true address: plain, or in the
        URL-safe Base64 of Bing (``a1`` before it).

    Examples
    --------
    >>> unwrapped("/url?q=http%3A%2F%2Ftea.cn%2F&sa=U", "https://s.example/search?q=1", ["q"])
    'http://tea.cn/'
    >>> unwrapped("https://s.example/ck?u=a1aHR0cDovL3RlYS5jbi8", "https://s.example/", ["u"])
    'http://tea.cn/'
    """
    try:
        url = urljoin(base, link.strip())
        own = _site(base)
        for _ in range(_MOST_LAYERS):
            if _site(url) != own:
                break
            values = dict(parse_qsl(urlsplit(url).query))
            inner = (_address(values[name]) for name in parameters if name in values)
            target = next((address for address in inner if address), None)
            if target is None:
                break
            url = target
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        return None
    return url


def redirect_target(text: str, base: str) -> str | None:
    """Return where a page that only leads on leads to; ``None`` if it is not such a page."""
    found = _LEADS_ON.search(text[:_HEAD])
    if found is None:
        return None
    try:
        return urljoin(base, html.unescape(found[1] or found[2]))
    except ValueError:
        return None


def _site(url: str) -> str:
    return urlsplit(url).netloc.lower().removeprefix("www.")


def _address(value: str) -> str | None:
    """Return the address in a parameter's value."""
    for text in (value, unquote(value), _base64(value.removeprefix("a1")), _base64(value)):
        if text.startswith(("http://", "https://")):
            return text
        if text.startswith("//"):
            return f"http:{text}"
    return None


def _base64(value: str) -> str:
    try:
        return base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
