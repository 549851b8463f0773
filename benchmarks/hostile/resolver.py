"""Names of the hostile web, resolved inside the process of the crawl."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import Counter
from typing import Any

from benchmarks.hostile.behavior import INNER, INNER_ADDRESS, address, all_behaviors
from benchmarks.hostile.good import GoodSite
from benchmarks.hostile.names import NAMES, SLOW, SLOW_SECONDS


class Names:
    """Addresses by name; every name under a behavior's own exists."""

    def __init__(self) -> None:
        good = GoodSite()
        self._fixed = {INNER: INNER_ADDRESS} | dict(zip(good.hosts, good.addresses, strict=True))
        self._behaviors = all_behaviors()
        self._looked_up: Counter[str] = Counter()

    def addresses(self, name: str) -> list[str]:
        """Return the loopback addresses of *name*, none if it does not exist."""
        host = name.lower().rstrip(".")
        if host.endswith(SLOW) and host != f"www{SLOW}":
            time.sleep(SLOW_SECONDS)
            return []
        if host in NAMES:
            answers = NAMES[host]
            self._looked_up[host] += 1
            return answers[min(self._looked_up[host], len(answers)) - 1]
        if host in self._fixed:
            return [self._fixed[host]]
        labels = host.split(".")
        if len(labels) > 2 and labels[-1] == "example" and labels[-2] in self._behaviors:
            return [address(labels[-2])]
        try:
            # Also decimal, octal and short spellings, as the system's resolver does.
            numeric = str(ipaddress.ip_address(socket.inet_aton(host)))
        except (OSError, UnicodeEncodeError):
            return []
        return [numeric] if ipaddress.ip_address(numeric).is_loopback else []


def install() -> None:
    """Let this process resolve names in no other way: nothing leaves the machine."""
    names = Names()

    def getaddrinfo(
        host: str | bytes | None,
        port: Any,
        family: int = 0,
        type: int = 0,
        *more: Any,
        **named: Any,
    ) -> list[Any]:
        given = host.decode("latin-1") if isinstance(host, bytes) else host or "127.0.0.1"
        found = names.addresses(given) if family in (0, socket.AF_INET) else []
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        kinds = [type] if type else [socket.SOCK_STREAM, socket.SOCK_DGRAM]
        number = int(port or 0)
        return [(socket.AF_INET, kind, 0, "", (it, number)) for it in found for kind in kinds]

    def gethostbyname(host: str) -> str:
        return str(getaddrinfo(host, 0)[0][4][0])

    socket.getaddrinfo = getaddrinfo
    socket.gethostbyname = gethostbyname
