"""A new queue from the store, and from what is intact in the old queue and its journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.queue.links import topic_link
from topiccrawl.crawl.requests.failures import RETRYABLE_REASONS
from topiccrawl.frontier.contract import Frontier, QueuedLink
from topiccrawl.frontier.salvage import Salvage, refill
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from topiccrawl.scoring.evidence import LinkEvidence
    from topiccrawl.store.contract import Store

#: Verdicts after which a link is not fetched again.
_DONE: Final = frozenset({"stored", "duplicate", "dropped"})


@dataclass(frozen=True, slots=True)
class Known:
    """The links of a topic in the store."""

    fetched: Salvage
    """Links with a page; certain, whatever the old queue says."""
    others: Salvage
    """Links that failed or were waiting; the old queue knows better."""


async def links_of_outcomes(store: Store, topic: str) -> Known:
    """Read the outcomes of *topic*."""
    fetched, others = Salvage(), Salvage()
    async for outcome in store.outcomes(topic):
        link = topic_link(outcome.url, outcome.link)
        if outcome.verdict in _DONE:
            fetched.done.append(_done(outcome.url, outcome.link))
        elif outcome.verdict == "failed" and outcome.reason not in RETRYABLE_REASONS:
            others.given_up.append(link)
        else:
            others.waiting.append(link)
    return Known(fetched, others)


async def known_links(store: Store, topic: str) -> Known:
    """Read the outcomes and the pages of *topic*."""
    known = await links_of_outcomes(store, topic)
    fetched = known.fetched
    async for page in store.pages(topic, copies=True):
        fetched.done.append(_done(page.url, page.link))
    return known


def fill(frontier: Frontier, known: Known, old: Salvage) -> None:
    """Fill an empty *frontier*."""
    refill(frontier, (known.fetched, old, known.others))


def _done(url: str, evidence: LinkEvidence) -> QueuedLink:
    """Return a link that is not requested again."""
    return QueuedLink(url, host_of(url), evidence)
