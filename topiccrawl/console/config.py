"""What a console is started with."""

from __future__ import annotations

import argparse
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy.settings import Settings

#: Only this machine can reach it.
DEFAULT_HOST: Final = "127.0.0.1"
#: Free of well-known services, and next to scrapyd's 6800 (a choice).
DEFAULT_PORT: Final = 6880


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class ConsoleConfig:
    """The options of one console."""

    store_uri: str
    settings: Settings | None = None
    """The settings of the project; ``None``: those of topiccrawl."""
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    is_writable: bool = False
    token: str = field(default="", repr=False)
    """What a browser must present; empty: nothing, which is allowed on loopback only."""
    allowed_hosts: tuple[str, ...] = ()
    """Names by which the console may be addressed, besides those of its address."""
    folder: Path = field(default_factory=Path)
    """Working folder of the project: crawls that the console starts run in it."""
    clock: Callable[[], datetime] = _now
    options: argparse.Namespace = field(default_factory=argparse.Namespace)
    """Those of the command line: errors name the store by what the user gave."""


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches a server that binds to *host*."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
