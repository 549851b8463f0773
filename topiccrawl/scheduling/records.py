"""Requests as links of the queue, and leases as requests again."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from topiccrawl.bounded import BoundedDict
from topiccrawl.crawl.requests.meta import (
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    LEASE,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.scheduling.leased import counters, leased_link, without_additions
from topiccrawl.scheduling.requests import continued, from_lease, link_key, to_mapping
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.identity import link_id

if TYPE_CHECKING:
    from scrapy import Request

    from topiccrawl.scheduling.rules import RecordRules

#: Suffix of the key of a link that is fetched once more while its first fetch is under way.
_AGAIN = "#again"
#: Retried links whose middlewares' counters are remembered, in this process only; beyond, the oldest are
#: forgotten.  A guess: far above the links that are retried at a time.
_COUNTED_LINKS = 10_000


class RequestRecords:
    """Makes links of requests and requests of leases, for one spider."""

    def __init__(
        self,
        rules: RecordRules,
        canonical: Callable[[str], str],
        slot_key: Callable[[Request], str] | None,
    ) -> None:
        """*canonical* returns the canonical form of a URL, *slot_key* the downloader's politeness key."""
        self.rules = rules
        """What records may name."""
        self._canonical = canonical
        self._slot_key = slot_key
        self._counters: BoundedDict[int, dict[str, int]] = BoundedDict(_COUNTED_LINKS)

    def link(self, request: Request, lease: int | None, *, redirected: bool) -> QueuedLink:
        """Return the link that *request* becomes; *lease* is that of the request it comes from.

        Raises ``ValueError`` for a request that cannot be kept.
        """
        key = link_key(request, self._canonical)
        if lease is not None and link_id(key + _AGAIN) == lease:
            key += _AGAIN
        host = sys.intern(self._host(request))
        kept = self._mapping(request, key, redirected=redirected)
        return QueuedLink(key, host, _evidence_of(request), kept)

    def request(self, lease: Lease) -> Request:
        """Return the request of a popped link; a damaged or foreign record may raise anything."""
        request = from_lease(lease, rules=self.rules)
        for name, value in self._counters.pop(lease.id, {}).items():
            request.meta.setdefault(name, value)
        return request

    def remember_counters(self, request: Request) -> None:
        """Remember, in this process only, how often middlewares have returned a request."""
        leased, lease = leased_link(request), request.meta[LEASE]
        if leased is not None and not leased.arrived and (found := counters(request, leased)):
            self._counters[lease] = found

    def _mapping(self, request: Request, key: str, *, redirected: bool) -> dict[str, Any]:
        """Return what is queued of *request*, without what middlewares have written into it."""
        leased = leased_link(request)
        if leased is None:
            return to_mapping(request, key=key, rules=self.rules)
        if leased.arrived and not redirected:
            return to_mapping(without_additions(request, leased), key=key, rules=self.rules)
        return continued(
            leased.link.request, request, key=key, rules=self.rules, redirected=redirected
        )

    def _host(self, request: Request) -> str:
        if self._slot_key is not None:
            return self._slot_key(request)
        slot = request.meta.get(DOWNLOAD_SLOT)
        return host_of(request.url) if slot is None else str(slot)


def once_more(link: QueuedLink) -> QueuedLink:
    """Return a further link that fetches the same as *link*, which is being fetched."""
    return QueuedLink(
        link.url + _AGAIN, link.host, link.evidence, {"url": link.url, **link.request}
    )


def _evidence_of(request: Request) -> LinkEvidence:
    """Return the request's evidence with its score, which its priority replaces if missing.

    Raises ``ValueError`` for a score that is not finite.
    """
    given = request.meta.get(EVIDENCE)
    if given is None:
        given = LinkEvidence(0.0, depth=request.meta.get(DEPTH, 0))
    elif not isinstance(given, LinkEvidence):
        given = LinkEvidence.from_dict(given)
    score = request.meta.get(SCORE)
    score = request.priority / PRIORITY_SCALE if score is None else float(score)
    if not math.isfinite(score):
        raise ValueError(f"meta[{SCORE!r}] must be finite, got {score!r}")
    return replace(given, score=score)
