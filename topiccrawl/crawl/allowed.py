"""Links that earlier runs must not contact, or found behind a login, and that this run can fetch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.crawl.refused import PrivateAddress
from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.urls.addresses import literal_address
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.store.contract import OutcomeRecord, Store
    from topiccrawl.urls.addresses import AddressRules

__all__ = ["links_allowed_now", "links_opened_now"]

#: Reason of a login page in place of a page; one that a login of the crawl did not open has another.
_LOGIN_PAGE: Final = "login"
#: Address at the end of the detail of a redirect's outcome.
_TARGET: Final = re.compile(r"redirected to (\S+)$")


async def links_allowed_now(store: Store, topic: str, rules: AddressRules) -> list[QueuedLink]:
    """Return the refused links of *topic* that the *rules* may allow; names are resolved only when fetched."""
    found = []
    async for outcome in store.outcomes(topic):
        if outcome.verdict != "failed" or outcome.reason != PrivateAddress.reason:
            continue
        host = urlsplit(outcome.url).hostname or ""
        address = literal_address(host)
        if address is None or rules.allows(host, address):
            found.append(_link(outcome))
    return found


async def links_opened_now(
    store: Store, topic: str, has_login: Callable[[str], bool]
) -> list[QueuedLink]:
    """Return the links of *topic* that led to a login page, and for whose URL there is a login now.

    Of a link that was redirected to a login page, that page is not among them.
    """
    pages: dict[str, QueuedLink] = {}
    redirected: list[tuple[str, QueuedLink]] = []
    async for outcome in store.outcomes(topic):
        if outcome.verdict != "dropped" or not has_login(outcome.url):
            continue
        if outcome.reason == _LOGIN_PAGE:
            pages[outcome.url] = _link(outcome)
        elif outcome.reason == "redirected" and (target := _TARGET.search(outcome.detail)):
            redirected.append((canonical_url(target[1]), _link(outcome)))
    found = [link for target, link in redirected if target in pages]
    targets = {target for target, __ in redirected}
    return [*(link for url, link in pages.items() if url not in targets), *found]


def _link(outcome: OutcomeRecord) -> QueuedLink:
    request = {"errback": "failed"}
    return QueuedLink(outcome.url, host_of(outcome.url), outcome.link, request)
