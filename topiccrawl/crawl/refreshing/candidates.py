"""Candidates for revisits, from the store and from the lists and feeds of the crawled sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from topiccrawl.crawl.refreshing.records import history_of, new_history
from topiccrawl.frontier.clock import CLOCK_STEP_SECONDS
from topiccrawl.urls.canonical import canonical_url

if TYPE_CHECKING:
    from topiccrawl.crawl.refreshing.marks import VisitKind
    from topiccrawl.freshness.history import PageHistory
    from topiccrawl.store.contract import Store, VisitRecord

#: Pages read from the store at once (a choice).
_BATCH: Final = 200
#: Kept pages to which a page must have led so that it is visited for new links (a guess: one is chance).
_LEAST_CHILDREN: Final = 2
#: Redirects from a seed that are followed (Scrapy's REDIRECT_MAX_TIMES).
_REDIRECTS: Final = 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that may be visited again."""

    url: str
    """Canonical URL."""
    kind: VisitKind
    history: PageHistory
    address: str = ""
    """What is requested, if it is another spelling of *url* and known by now."""
    gone: bool = False
    """Whether it is marked as gone."""
    site: str = ""
    """Of a file of a whole site: the host of the site."""
    recorded: float = 0.0
    """Time of the last visit as it is stored: later than in the history if the clock was set back since."""


async def candidates(
    store: Store,
    topic: str,
    *,
    now: float,
    least: float,
    seeds: Iterable[str],
    lists: Iterable[str],
    feeds: dict[str, str],
) -> AsyncIterator[Candidate]:
    """Yield what may be visited again of *topic*; no visit is later than *now*.

    What was visited later than that, before the clock was set back, may be visited at once: as if *least* seconds,
    the time between two visits, had passed.

    That is each kept page that is not a copy; each list page and feed that was visited before; the *seeds* that
    were tried before, or the pages that they redirect to; the *lists* and *feeds* (URL and site) of whole sites; and
    the pages that led to several kept pages and are none themselves.
    """
    kept = {url async for url, __ in store.titles(topic)}
    starts = {await _led_to(store, topic, canonical_url(seed)) for seed in seeds}
    known: set[str] = set()
    async for record in store.visits(topic):
        article = record.kind == "article"
        known.add(record.url)
        if article and record.url not in kept:
            continue
        found = _of_record(record, feeds.get(record.url, ""), seed=record.url in starts)
        recorded = found.history.last_visit
        ahead = recorded > now + CLOCK_STEP_SECONDS
        history = found.history.not_after(now - least if ahead else now)
        yield replace(found, history=history, recorded=recorded)
    unknown = iter(sorted(url for url in kept - known if url.startswith("http")))
    while batch := list(islice(unknown, _BATCH)):
        for page in await store.pages_at(topic, batch):
            first = page.first_seen or page.fetched_at
            kind: VisitKind = "list" if page.kind == "list" or page.url in starts else "article"
            history = new_history(page.url, min(first.timestamp(), now), kind)
            yield Candidate(page.url, kind, history)
    for url, sort, at in await _lists(store, topic, kept, starts, lists, feeds):
        if url not in known:
            known.add(url)
            yield Candidate(
                url, sort, new_history(url, min(at, now), sort), site=feeds.get(url, "")
            )


async def _led_to(store: Store, topic: str, seed: str) -> str:
    """Return the page to which the redirects of *seed* led, or *seed* itself."""
    url = seed
    for __ in range(_REDIRECTS):
        outcome = await store.outcome(topic, url)
        if outcome is None or not outcome.redirected_to:
            return url
        url = canonical_url(outcome.redirected_to)
    return seed


async def _lists(
    store: Store,
    topic: str,
    kept: set[str],
    starts: set[str],
    lists: Iterable[str],
    feeds: dict[str, str],
) -> list[tuple[str, VisitKind, float]]:
    """Return the list pages and feeds, with the time at which they were fetched last as far as it is known."""
    parents: Counter[str] = Counter()
    fetched: dict[str, float] = {}
    failed: set[str] = set()
    async for outcome in store.outcomes(topic):
        if outcome.kept and outcome.link.parent and outcome.link.parent not in kept:
            parents[outcome.link.parent] += 1
        if outcome.verdict == "dropped":
            fetched[outcome.url] = outcome.at.timestamp()
        elif outcome.verdict == "failed":
            failed.add(outcome.url)
    of_seeds = [url for url in sorted(starts) if url in fetched or url in failed]
    failed.difference_update(of_seeds)
    led = sorted(url for url, count in parents.items() if count >= _LEAST_CHILDREN)
    found: dict[str, VisitKind] = dict.fromkeys(feeds, "feed")
    for url in (*of_seeds, *lists, *led):
        if url not in kept and url not in failed and url.startswith("http"):
            found.setdefault(url, "list")
    return [(url, kind, fetched.get(url, 0.0)) for url, kind in found.items()]


def _of_record(record: VisitRecord, site: str, *, seed: bool) -> Candidate:
    kind: VisitKind = "list" if seed else "article"
    if record.kind == "feed":
        kind = "feed"
    elif record.kind == "list":
        kind = "list"
    history = history_of(record)
    if kind != "article" and history.kind == "article":
        history = replace(history, kind="list")
    return Candidate(record.url, kind, history, gone=record.gone_at is not None, site=site)
