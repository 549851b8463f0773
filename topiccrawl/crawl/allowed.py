"""Links that were given up because the crawl must not contact their addresses, and that it may contact now."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from topiccrawl.crawl.refused import PrivateAddress
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.urls.addresses import literal_address
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store
    from topiccrawl.urls.addresses import AddressRules

__all__ = ["links_allowed_now"]


async def links_allowed_now(store: Store, topic: str, rules: AddressRules) -> list[QueuedLink]:
    """Return the refused links of *topic* that the *rules* may allow; names are resolved only when fetched."""
    found = []
    async for outcome in store.outcomes(topic):
        if outcome.verdict != "failed" or outcome.reason != PrivateAddress.reason:
            continue
        host = urlsplit(outcome.url).hostname or ""
        address = literal_address(host)
        if address is None or rules.allows(host, address):
            request = {"errback": "failed"}
            found.append(QueuedLink(outcome.url, host_of(outcome.url), outcome.link, request))
    return found
