"""Patterns of hosts: which hosts a session belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from topiccrawl.urls.hosts import is_below

#: A pattern: a name, ``*.name`` or an address, with or without a port.
_PATTERN: Final = re.compile(r"(?:\*\.)?(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?", re.I)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class HostPatterns:
    """Hosts by name: ``example.cn`` (with ``www.``), ``*.example.cn`` or ``example.cn:8080``.

    A pattern without a port matches all ports, as cookies do.
    """

    patterns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``ValueError`` with the pattern that is none."""
        for pattern in self.patterns:
            if not _PATTERN.fullmatch(pattern):
                raise ValueError(pattern)

    def __bool__(self) -> bool:
        """Whether there is a pattern."""
        return bool(self.patterns)

    def match(self, url: str) -> bool:
        """Whether the host of *url* is one of them."""
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            return False
        port = port or _DEFAULT_PORTS.get(parts.scheme, 0)
        return bool(host) and any(_matches(pattern, host, port) for pattern in self.patterns)

    def may_get(self, domain: str) -> bool:
        """Whether a cookie of *domain* may be sent to one of the hosts, or to one below it."""
        own = domain.lower().strip(".").removesuffix(".local").strip("[]")
        names = (it.lower().removeprefix("*.") for it in self.patterns)
        return any(
            is_below(name, (own,)) or is_below(own, (name,))
            for name in (_split(it)[0].removesuffix(".local") for it in names)
        )


def has_port(url: str) -> bool:
    """Return whether the port of *url*, if it names one, is a possible one."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def site_of(url: str) -> str:
    """Return the pattern for the host of *url*, with its port if that is not the usual one."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    name = f"[{host}]" if ":" in host else host
    usual = parts.port is None or parts.port == _DEFAULT_PORTS.get(parts.scheme)
    return name if usual else f"{name}:{parts.port}"


def _matches(pattern: str, host: str, port: int) -> bool:
    name, wanted = _split(pattern.lower())
    if wanted and int(wanted) != port:
        return False
    if name.startswith("*."):
        return host == name[2:] or host.endswith(name[1:])
    return host == name or host == f"www.{name}"


def _split(pattern: str) -> tuple[str, str]:
    """Return name and port of a pattern; the port is empty without one."""
    name, _, port = pattern.rpartition(":")
    if not name or pattern.endswith("]"):
        name, port = pattern, ""
    return name.strip("[]"), port
