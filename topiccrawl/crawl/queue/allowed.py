"""Links that earlier runs must not contact, or found behind a login, and that this run can fetch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from topiccrawl.crawl.queue.links import topic_link
from topiccrawl.crawl.requests.refused import PrivateAddress
from topiccrawl.urls.addresses import AddressRules, literal_address
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.frontier.contract import QueuedLink
    from topiccrawl.store.contract import Store

#: Reason of a login page in place of a page; one that a login of the crawl did not open has another.
_LOGIN_PAGE: Final = "login"


@dataclass(slots=True)
class PossibleLinks:
    """Links of earlier runs that this run can fetch."""

    allowed: list[QueuedLink] = field(default_factory=list)
    """Refused for their addresses, which the rules may allow now; names are resolved only when fetched."""
    opened: list[QueuedLink] = field(default_factory=list)
    """Led to a login page, and there is a login for them now.  Of a link that was redirected to a login page, that
    page is not among them."""


async def links_possible_now(
    store: Store, topic: str, rules: AddressRules, has_login: Callable[[str], bool]
) -> PossibleLinks:
    """Read the outcomes of *topic* once; *has_login* returns whether there is a login for a URL."""
    found = PossibleLinks()
    login_pages: dict[str, QueuedLink] = {}
    redirected: list[tuple[str, QueuedLink]] = []
    async for outcome in store.outcomes(topic):
        if outcome.verdict == "failed":
            if outcome.reason == PrivateAddress.reason and _may_be_allowed(outcome.url, rules):
                found.allowed.append(topic_link(outcome.url, outcome.link))
        elif outcome.reason == _LOGIN_PAGE:
            # Also of another host: a login may serve several sites.
            login_pages[outcome.url] = topic_link(outcome.url, outcome.link)
        elif outcome.redirected_to and has_login(outcome.url):
            redirected.append(
                (canonical_url(outcome.redirected_to), topic_link(outcome.url, outcome.link))
            )
    targets = {target for target, __ in redirected}
    found.opened = [
        link for url, link in login_pages.items() if url not in targets and has_login(url)
    ]
    found.opened += [link for target, link in redirected if target in login_pages]
    return found


def _may_be_allowed(url: str, rules: AddressRules) -> bool:
    host = urlsplit(url).hostname or ""
    address = literal_address(host)
    return address is None or rules.allows(host, address)
