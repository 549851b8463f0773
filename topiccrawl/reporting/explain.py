"""Collection of everything in the store that explains what became of a URL."""

from __future__ import annotations

import re
from contextlib import aclosing
from dataclasses import dataclass
from difflib import SequenceMatcher
from heapq import nlargest
from typing import TYPE_CHECKING
from urllib.parse import unquote

from topiccrawl.imports.folder import quoted_path
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.hosts import host_of
from topiccrawl.urls.scope import Exclusion, Scope, split_patterns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from topiccrawl.freshness.outlook import NextVisit
    from topiccrawl.store.contract import OutcomeRecord, PageRecord, Store, VisitRecord

#: Steps of the parent chain shown; longer chains are traps, which is obvious by then.
MAX_CHAIN = 50

#: Copies and similar URLs shown.
SHOWN = 10

#: Beginning of the names of the statistics with the scope of a run, and their ends.
SCOPE_STATISTIC = "topiccrawl/scope/"
_KEYS = ("allow", "deny")

_URL = re.compile(r"https?://[^\s<>\"']+")


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One page on the path from a URL back to its seed."""

    url: str
    outcome: OutcomeRecord | None
    """``None`` if the store has no outcome of it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything in the store about one URL of one topic."""

    outcome: OutcomeRecord
    page: PageRecord | None
    chain: tuple[Ancestor, ...]
    """Parents, nearest first, down to the seed."""
    circular: bool
    """Whether the chain returns to an earlier page, because evidence was merged later."""
    original: Ancestor | None
    """The page that represents the story of this one, which is a copy."""
    near_miss: bool = False
    """Whether the page is stored beside the collection, as a near miss."""
    attachments: tuple[PageRecord, ...] = ()
    """Documents that the page links, some of them."""
    more_attachments: int = 0
    """Documents that are not among them."""
    attached_to: Ancestor | None = None
    """The page that links this document."""
    copies: tuple[PageRecord, ...] = ()
    """Other copies of its story, some of them."""
    more_copies: int = 0
    """Copies of its story that are not among them."""
    gathered: tuple[str, ...] = ()
    """Pages of other stories whose texts it contains."""
    visit: VisitRecord | None = None
    """The visits after the first one, if there were any."""
    next_visit: NextVisit | None = None
    """``None`` for a page that is not visited again."""
    excerpt_of: tuple[str, ...] = ()
    """Pages of other stories that contain its text."""


@dataclass(slots=True)
class HostCounts:
    """What a topic has of one host."""

    tried: int = 0
    """Links that were tried."""
    kept: int = 0
    """Pages that were kept."""


@dataclass(frozen=True, slots=True)
class Neighbors:
    """What is known of the host of a URL that is not in the store."""

    outcomes: tuple[OutcomeRecord, ...]
    """Those of the most similar URLs."""
    hosts: Mapping[str, HostCounts]
    """What each topic has of the host."""


def spellings(url: str) -> list[str]:
    """Return the keys under which *url* may be stored, the likeliest first.

    The URL may lack its scheme and have any form with the same canonical URL.
    """
    url = url.strip()
    if url.startswith("file:"):
        # As a person types it, and as it is stored.
        return list(dict.fromkeys([url, f"file://{quoted_path(unquote(url[7:]))}"]))
    forms = [url] if "://" in url else [f"http://{url}", f"https://{url}"]
    for form in list(forms):
        other = form.removesuffix("/") if form.endswith("/") else f"{form}/"
        forms.append(other)
        scheme, _, rest = form.partition("://")
        if scheme.lower() in ("http", "https"):
            forms.append(f"{'http' if scheme.lower() == 'https' else 'https'}://{rest}")
    canonical = [_canonical(form) for form in forms]
    return list(dict.fromkeys([canonical[0], forms[0], *canonical, *forms]))


def _canonical(url: str) -> str:
    try:
        return canonical_url(url)
    except ValueError:
        return url


async def find(store: Store, topic: str, url: str) -> OutcomeRecord | None:
    """Return the outcome of *url* in any of its spellings."""
    for form in spellings(url):
        if (outcome := await store.outcome(topic, form)) is not None:
            return outcome
    return None


async def explain(store: Store, outcome: OutcomeRecord) -> Explanation:
    """Collect everything about the URL of *outcome*."""
    topic = outcome.topic
    chain, circular = await _chain(store, outcome)
    page = await store.page(topic, outcome.url)
    original, copies = None, []
    if page is not None and page.withdrawn_at is None:
        if page.copy_of:
            original = Ancestor(page.copy_of, await store.outcome(topic, page.copy_of))
        members = await store.members(topic, page.story)
        copies = [it for it in members if it.copy_of and it.url != page.url]
    elif outcome.reason.startswith("duplicate") and (match := _URL.search(outcome.detail)):
        # Of a crawl that did not keep them yet.
        original = Ancestor(match[0], await store.outcome(topic, match[0]))
    attachments = await store.attachments(topic, outcome.url)
    attached_to = None
    if page is not None and page.attached_to:
        attached_to = Ancestor(page.attached_to, await store.outcome(topic, page.attached_to))
    return Explanation(
        attachments=tuple(attachments[:SHOWN]),
        more_attachments=max(0, len(attachments) - SHOWN),
        attached_to=attached_to,
        outcome=outcome,
        page=page,
        chain=tuple(chain),
        circular=circular,
        original=original,
        near_miss=await store.near_miss(topic, outcome.url) is not None,
        copies=tuple(copies[:SHOWN]),
        more_copies=max(0, len(copies) - SHOWN),
        visit=await store.visit(topic, outcome.url),
    )


async def _chain(store: Store, outcome: OutcomeRecord) -> tuple[list[Ancestor], bool]:
    """Follow the parents to the seed, to a page met before, or for MAX_CHAIN steps."""
    chain: list[Ancestor] = []
    passed = {outcome.url}
    current: OutcomeRecord | None = outcome
    while current is not None and current.link.parent and len(chain) < MAX_CHAIN:
        parent = current.link.parent
        current = await store.outcome(current.topic, parent)
        if current is None and (other := _canonical(parent)) != parent:
            current = await store.outcome(outcome.topic, other)
        key = current.url if current else parent
        if key in passed:
            return chain, True
        passed.add(key)
        chain.append(Ancestor(key, current))
    return chain, False


async def outside(store: Store, topic: str, url: str) -> Exclusion | None:
    """Return why *url* is outside the scope of the topic's last run; ``None`` if it is inside."""
    runs = await store.runs(topic)
    if not runs:
        return None
    stats = runs[-1].stats
    allow, deny = (split_patterns(str(stats.get(SCOPE_STATISTIC + key, ""))) for key in _KEYS)
    try:
        return Scope(allow, deny).exclusion(spellings(url)[0])
    except ValueError:
        return None  # A record of another version.


async def nearest(store: Store, topics: list[str], url: str, tick: Callable[[], None]) -> Neighbors:
    """Return what is known of the host of *url*, most similar URLs first."""
    wanted = spellings(url)[0]
    host = host_of(wanted)
    matcher = SequenceMatcher(b=wanted, autojunk=False)
    best: list[tuple[float, int, OutcomeRecord]] = []
    seen = 0
    hosts = {topic: HostCounts() for topic in topics}
    for topic, counts in hosts.items():
        async with aclosing(store.outcomes(topic)) as outcomes:  # type: ignore[type-var]
            async for outcome in outcomes:
                tick()
                if host_of(outcome.url) != host:
                    continue
                seen += 1
                counts.tried += outcome.verdict != "queued"
                counts.kept += outcome.kept
                matcher.set_seq1(outcome.url)
                best.append((matcher.quick_ratio(), -seen, outcome))
                if len(best) >= 100 * SHOWN:
                    best = nlargest(SHOWN, best, key=lambda entry: entry[:2])
    near = [outcome for _, _, outcome in nlargest(SHOWN, best, key=lambda entry: entry[:2])]
    return Neighbors(tuple(near), hosts)
