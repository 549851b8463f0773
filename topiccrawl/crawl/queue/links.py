"""Links that enter the queue without having been a request of the topic spider before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from topiccrawl.frontier.contract import QueuedLink
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.scoring.evidence import LinkEvidence


def topic_link(
    canonical: str,
    evidence: LinkEvidence,
    *,
    written: str = "",
    meta: Mapping[str, Any] | None = None,
) -> QueuedLink:
    """Return a link from which a request of the topic spider is built.

    *written* is the spelling of the URL that is requested, if it is another one; *meta* is the request's.
    """
    request: dict[str, Any] = {"errback": "failed"}  # TopicSpider.failed
    if written and written != canonical:
        request["url"] = written
    if meta:
        request["meta"] = dict(meta)
    return QueuedLink(canonical, host_of(canonical), evidence, request)
