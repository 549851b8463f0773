"""Addresses of proxies, with their credentials kept apart from what is shown."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from topiccrawl.language import _

#: What may be the host of a proxy: a name, an IPv4 address, or an IPv6 address in brackets.
_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
#: What is shown of text that is no proxy: an address at its beginning. What stands elsewhere may be a user's name
#: or a password; some vendors write ``host:port:user:password``.
_SHOWN: Final = re.compile(
    r"(?:[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})+|localhost|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::\d{1,5}(?!\d)|(?=$|[/\s,;|]))"
)


@dataclass(frozen=True, slots=True, order=True)
class ProxyAddress:
    """An HTTP or SOCKS5 proxy; equal addresses with other credentials are other proxies."""

    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    https: bool = field(default=True, compare=False)
    """Whether it opens tunnels (``CONNECT``) for https; a pool may state that it does not."""
    socks: bool = False
    """Whether it is a SOCKS5 proxy."""

    @property
    def name(self) -> str:
        """``host:port``: all that is ever shown of a proxy."""
        return f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        """``http://host:port`` or ``socks5://host:port``, without credentials."""
        return f"{'socks5' if self.socks else 'http'}://{self.name}"

    @property
    def authorization(self) -> bytes | None:
        """The value of ``Proxy-Authorization`` (RFC 7617), ``None`` without credentials."""
        if not (self.user or self.password):
            return None
        return b"Basic " + base64.b64encode(f"{self.user}:{self.password}".encode())


def parse_proxy(text: str) -> ProxyAddress:
    """Return the proxy of ``host:port``, ``http://user:password@host:port`` or ``socks5://…``.

    ``socks5h``, by which others mean that the proxy resolves names, is the same: it always does.

    Raises ``ValueError``, whose message never contains the credentials.
    """
    text = text.strip()
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "http", text
    behind = rest.rpartition("@")[2]
    shown = _shown(behind)
    socks = scheme.lower() in ("socks5", "socks5h")
    if scheme.lower() != "http" and not socks:
        raise ValueError(
            _(
                "must be HTTP or SOCKS5 proxies (http://host:port or socks5://host:port, also for https"
                " pages), got {scheme}://{shown}; SOCKS4 and TLS to the proxy are not supported"
            ).format(scheme=scheme[:20] if scheme.isalnum() else "…", shown=shown)
        )
    try:
        parts = urlsplit(f"http://{rest}")
        port = parts.port or 0
    except ValueError:
        port, parts = 0, urlsplit("http://")
    host = behind.rpartition(":")[0]
    more = parts.path.strip("/") or parts.query or parts.fragment
    if not port or more or not _HOST.fullmatch(host):
        raise ValueError(
            _("must be proxies such as 10.0.0.5:8080, got {shown!r}").format(shown=shown)
        )
    return ProxyAddress(
        host.lower(),
        port,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        socks=socks,
    )


def _shown(text: str) -> str:
    """Return what may be shown of *text*, an address with whatever else was written."""
    found = _SHOWN.match(text)
    if found is None:
        return "…" if text else ""
    return found[0] if found.end() == len(text) else f"{found[0]}…"
