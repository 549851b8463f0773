"""Name resolution through the reactor, whose resolver is the setting ``TWISTED_DNS_RESOLVER``."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import TYPE_CHECKING

from scrapy.exceptions import CannotResolveHostError

from topiccrawl import details

if TYPE_CHECKING:
    from twisted.internet.interfaces import IAddress, IHostResolution

    from topiccrawl.urls.addresses import Address


class _Addresses:
    """Collects the addresses of one name: a receiver as Twisted's ``IResolutionReceiver`` describes it."""

    def __init__(self) -> None:
        self.found: list[Address] = []
        self.complete: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802
        """Do nothing: a resolution is not canceled."""

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        """Keep the address."""
        self.found.append(ip_address(address.host.partition("%")[0]))

    def resolutionComplete(self) -> None:  # noqa: N802
        """Wake the caller."""
        if not self.complete.done():
            self.complete.set_result(None)


async def resolve(host: str) -> list[Address]:
    """Return the addresses of *host*, a name or an address.

    They are those that a connection would use: Scrapy's resolver keeps them (``DNSCACHE_ENABLED``).

    Raises ``CannotResolveHostError`` if there are none.
    """
    from twisted.internet import reactor  # installed late, by Scrapy

    receiver = _Addresses()
    reactor.nameResolver.resolveHostName(receiver, host)
    await receiver.complete
    if not receiver.found:
        raise CannotResolveHostError(details.UNKNOWN_NAME(host=host))
    return receiver.found
