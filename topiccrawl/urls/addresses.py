"""Which internet addresses a crawl may contact.

A page decides where its links lead, so without a rule anybody who can get a page crawled can make the
crawler read what only its machine can reach: a router's pages, the metadata service of a cloud, a
database with an HTTP port (server-side request forgery, CWE-918).  The rule is therefore the reverse of
a list of known bad addresses: only addresses of the public internet are contacted, and exceptions are
named in a setting.
"""

from __future__ import annotations

import re
import socket
import unicodedata
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Final
from urllib.parse import unquote

from topiccrawl.language import _

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

#: Networks that are not public although Python's ``is_global`` is true, or was in some 3.11.x.
_NOT_PUBLIC: Final[tuple[Network, ...]] = tuple(
    map(
        ip_network,
        (
            "192.0.0.0/24",  # protocol assignments (RFC 6890); the metadata service of Oracle's cloud
            "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
            "240.0.0.0/4",  # reserved (RFC 1112)
            "168.63.129.16/32",  # the platform address of Microsoft's cloud, reachable from within only
            "64:ff9b:1::/48",  # translation to IPv4 within a network (RFC 8215)
            "100::/64",  # discarded (RFC 6666)
            "2001::/23",  # protocol assignments, Teredo among them (RFC 2928, RFC 4380)
            "fec0::/10",  # site-local (RFC 3879)
        ),
    )
)
#: Prefix of the addresses that a translator turns into IPv4 (RFC 6052).
_NAT64: Final = ip_network("64:ff9b::/96")
#: IPv4 addresses within IPv6 without a prefix (RFC 4291, deprecated).
_COMPATIBLE: Final = ip_network("::/96")
#: The lower half of an ISATAP address before its IPv4 address (RFC 5214).
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)

#: What ``inet_aton`` accepts: one to four numbers, each decimal, octal or hexadecimal.
_NUMBERS: Final = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}", re.I)
#: Longest text that can be an address; longer ones are not decoded.
_MAX_CHARS: Final = 255
_HOST_NAME: Final = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
#: Accepts every address.
ALL: Final = "all"


def literal_address(host: str) -> Address | None:
    """Return the address that *host* spells, ``None`` for a name.

    All spellings that a resolver or a browser accepts: ``127.1``, ``2130706433``, ``0x7f.1``,
    ``0177.0.0.1``, full-width digits and dots, percent-escapes, a dot at the end, brackets and zones.

    >>> literal_address("0x7f.1"), literal_address("１２７。０。０。１"), literal_address("example.cn")
    (IPv4Address('127.0.0.1'), IPv4Address('127.0.0.1'), None)
    """
    if len(host) > _MAX_CHARS:
        return None
    text = unicodedata.normalize("NFKC", unquote(host)).replace("。", ".")
    text = text.strip().strip("[]").partition("%")[0].rstrip(".")
    try:
        if ":" in text:
            return IPv6Address(text)
        # Octal numbers would be decimal for IPv4Address.
        return IPv4Address(socket.inet_aton(text)) if _NUMBERS.fullmatch(text) else None
    except (ValueError, OSError):
        return None


def is_public(address: Address) -> bool:
    """Return whether *address* belongs to the public internet.

    Loopback, private (RFC 1918, RFC 4193), link-local, shared (RFC 6598), multicast, documentation,
    benchmarking (RFC 2544) and reserved addresses do not, nor do IPv6 addresses that contain one of
    them: IPv4-mapped and -compatible, NAT64, 6to4, ISATAP.
    """
    if isinstance(address, IPv6Address):
        if (inner := _embedded(address)) is not None and not is_public(inner):
            return False
        if address.ipv4_mapped is not None or address.sixtofour is not None:
            return True  # of a public one; all of 6to4 is not ``is_global`` since Python 3.13
    if address.is_multicast or address.is_unspecified or not address.is_global:
        return False
    return not any(
        address.version == network.version and address in network for network in _NOT_PUBLIC
    )


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that packets to *address* may be delivered to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    low = int(address) & 0xFFFF_FFFF
    if address in _NAT64 or address in _COMPATIBLE or (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
        return IPv4Address(low)
    return None


class AddressRules:
    """The addresses that a crawl may contact: the public ones and exceptions."""

    def __init__(self, exceptions: Iterable[str] = ()) -> None:
        """*exceptions* are networks (``10.0.0.0/8``), addresses, names (``wiki.corp.cn``), domains
        (``*.corp.cn``: all names below it) or ``all``.

        Raises ``ValueError`` with the rule and the exception that breaks it.
        """
        self._all = False
        self._networks: list[Network] = []
        self._names: set[str] = set()
        for each in exceptions:
            self._add(each.strip().lower().rstrip("."))

    def _add(self, text: str) -> None:
        if text == ALL:
            self._all = True
            return
        try:
            self._networks.append(ip_network(text, strict=False))
            return
        except ValueError:
            pass
        star, name = ("*.", text[2:]) if text.startswith("*.") else ("", text)
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            name = ""
        if not _HOST_NAME.fullmatch(star + name) or _NUMBERS.fullmatch(name):
            raise ValueError(
                _(
                    'must hold networks like "10.0.0.0/8", names like "wiki.corp.cn" or "*.corp.cn",'
                    ' or "all", got {text!r}'
                ).format(text=text)
            )
        self._names.add(star + name)

    def allows(self, host: str, address: Address) -> bool:
        """Return whether the crawl may contact *address*, to which the URL's *host* resolved."""
        if self._all or is_public(address) or self._in_networks(address):
            return True
        return bool(self._names) and self._named(host)

    def _in_networks(self, address: Address) -> bool:
        inner = _embedded(address) if isinstance(address, IPv6Address) else None
        return any(
            each.version == network.version and each in network
            for network in self._networks
            for each in (address, inner)
            if each is not None
        )

    def _named(self, host: str) -> bool:
        name = host.lower().rstrip(".")
        try:
            name = name.encode("idna").decode("ascii")
        except UnicodeError:
            return False
        if name in self._names:
            return True
        while name:
            _, _, name = name.partition(".")
            if f"*.{name}" in self._names:
                return True
        return False
