"""Keys of ``request.meta`` that the crawl uses, and the scale of ``request.priority``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: Identity of the lease under which the request was handed out.
LEASE: Final = "topic_lease"
#: Number of the attempt, from 1; grows with the failures of the link.
ATTEMPT: Final = "topic_attempt"
#: Score of the link, a float.
SCORE: Final = "topic_score"
#: The link's :class:`~topiccrawl.scoring.evidence.LinkEvidence`, or its ``as_dict()``.
EVIDENCE: Final = "topic_evidence"
#: URL of the request as it was handed out: distinguishes its redirects and retries from other
#: requests that copied its meta.
LEASED_URL: Final = "topic_leased_url"
#: The address as a page wrote it, of a request for the same page on a preferred mirror.
WRITTEN: Final = "topic_written"
#: Marks a request for the written address, after the preferred one had no page.
NOT_ELSEWHERE: Final = "topic_not_elsewhere"
#: Marks the request for a robots.txt, whose size is limited otherwise than that of pages.
ROBOTS: Final = "topic_robots"
#: Marks a request that only finds out whether there is a network.
PROBE: Final = "topic_probe"
#: Marks a request to a search engine (:class:`~topiccrawl.crawl.requests.search.SearchTicket`).
SEARCH: Final = "topic_search"
#: The queue's own copy of the request, from before any middleware wrote into it
#: (:class:`~topiccrawl.scheduling.leased.LeasedLink`).
LEASED_LINK: Final = "topic_leased_link"
#: The :class:`~topiccrawl.imports.entries.Entry` of a page that is imported: nothing is fetched for it.
IMPORTED: Final = "topic_import"
#: Marks a request of a login, which no recording, cache or queue keeps
#: (:class:`~topiccrawl.crawl.logins.requests.LoginTicket`).
LOGIN: Final = "topic_login"
#: The session with which a page is requested (:class:`~topiccrawl.crawl.logins.sites.SessionMark`).
SESSION: Final = "topic_session"
#: Marks a request that takes a proxy of the crawl (:mod:`topiccrawl.crawl.proxies.proxying`).
PROXIED: Final = "topic_proxied"
#: Marks a request of the scripts of a page that a browser shows.
BROWSED: Final = "topic_browsed"
#: Marks the request of a response of which the spider has yielded the page: its outcome is that of the item.
YIELDED: Final = "topic_yielded"
#: Scrapy's own keys.
DEPTH: Final = "depth"
DOWNLOAD_SLOT: Final = "download_slot"

#: Integer priority of a score of 1; the rest of Scrapy sees scores only as integer priorities.
PRIORITY_SCALE: Final = 1000


def lease_of(meta: Mapping[str, Any]) -> int | None:
    """Return the frontier lease in a request's meta; ``None`` if it did not come from the frontier."""
    lease = meta.get(LEASE)
    return lease if isinstance(lease, int) else None
