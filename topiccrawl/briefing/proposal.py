"""Propose a briefing: the most important stories of a period, the newest, and those of each category.

Stories of one event become one entry, represented by the story that most sites have.  The importance of an event
is

    I = log2(1 + s) + 2·p + log2(n)

with *s* the number of sites (registered domains) that have its story, *p* the probability that the story is on
topic (its relevance where it was never judged), and *n* the number of sites whose stories the event has: each
doubling of the sites counts as much as half of the certainty to be on topic.  The weights are a guess; the
parts are kept in the entry, so that the reason is shown beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from topiccrawl.briefing.model import Entry, Section, Sentence, Source
from topiccrawl.stories.events import EventStory, cluster_events
from topiccrawl.text.sentences import split_sentences
from topiccrawl.urls.domains import registered_domain

#: Weight of the probability, in doublings of the number of sites (a guess).
PROBABILITY_WEIGHT: Final = 2.0
#: Candidates that are grouped into events, of the most important and of the newest ones: 120 headlines take
#: 0.3 s, 400 take 3 s (generated store, 2026-11-23), and a section has 8 entries.
MOST_CLUSTERED: Final = 60
#: Other stories of its event that an entry names at most (a choice).
MOST_ALSO: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A story that can enter a briefing: its representative, and how far it spread."""

    story: str
    url: str
    title: str
    summary: str = ""
    at: datetime
    """When it was published, else first fetched; aware."""
    published_at: datetime | None = None
    outlet: str = ""
    source: str = ""
    author: str = ""
    keywords: Sequence[str] = ()
    probability: float = 0.0
    """That it is on topic, in [0, 1]; the relevance of a page that was never judged."""
    sites: int = 1
    """Registered domains that have the story."""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many entries each section has at most."""

    important: int = 8
    newest: int = 8
    category: int = 5


#: Entries of each section without other limits: two pages of print (a choice).
DEFAULT_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class _Group:
    """The stories of one event; the most important one leads."""

    lead: Candidate
    others: Sequence[Candidate]
    importance: float


def importance(candidate: Candidate, others: Sequence[Candidate] = ()) -> dict[str, float]:
    """Return the parts of the importance of a story whose event has the *others*, too, by name.

    The stories of one site count as one: a site can write about one thing as often as it likes.
    """
    sites = {registered_domain(it.outlet) or it.url for it in (candidate, *others)}
    return {
        "sites": math.log2(1 + max(1, candidate.sites)),
        "probability": PROBABILITY_WEIGHT * min(1.0, max(0.0, candidate.probability)),
        "stories": math.log2(len(sites)),
    }


def propose(
    candidates: Iterable[Candidate],
    limits: Limits = DEFAULT_LIMITS,
    *,
    with_events: bool = True,
) -> list[Section]:
    """Return the sections of a proposal; no story is in two of them.

    The result depends on the set of candidates only.  Categories are in the order of their most
    important entries; stories without a category are in none.  Empty sections are left out.  Without
    *with_events* each story is an event of its own.
    """
    groups = _groups(list(candidates), with_events=with_events)
    important = groups[: limits.important]
    rest = groups[limits.important :]
    newest = sorted(rest, key=lambda it: it.lead.at, reverse=True)[: limits.newest]
    taken = {it.lead.story for it in newest}
    categories: dict[str, list[_Group]] = {}
    for group in rest:
        if group.lead.category and group.lead.story not in taken:
            categories.setdefault(group.lead.category, []).append(group)
    sections = [
        Section("important", "", [_entry(it) for it in important]),
        Section("newest", "", [_entry(it) for it in newest]),
    ]
    sections += [
        Section("category", name, [_entry(it) for it in found[: limits.category]])
        for name, found in categories.items()
    ]
    return [section for section in sections if section.entries]


def entry_of(candidate: Candidate, others: Sequence[Candidate] = ()) -> Entry:
    """Return the entry of a story, with the *others* of its event."""
    return Entry(
        story=candidate.story,
        url=candidate.url,
        title=candidate.title,
        sentences=[Sentence(it, candidate.url) for it in split_sentences(candidate.summary)],
        outlet=candidate.outlet,
        source=candidate.source,
        author=candidate.author,
        published_at=candidate.published_at,
        sites=candidate.sites,
        also=[source_of(it) for it in others[:MOST_ALSO]],
        evidence=importance(candidate, others),
    )


def source_of(candidate: Candidate) -> Source:
    """Return the page of *candidate* as an entry names it."""
    return Source(
        url=candidate.url,
        title=candidate.title,
        outlet=candidate.outlet,
        published_at=candidate.published_at,
    )


def _entry(group: _Group) -> Entry:
    return entry_of(group.lead, group.others)


def _groups(candidates: list[Candidate], *, with_events: bool) -> list[_Group]:
    """Return the events of *candidates*, most important first."""
    ranked = sorted(candidates, key=_rank)
    head = ranked[:MOST_CLUSTERED] if with_events else []
    newest = sorted(ranked[len(head) :], key=lambda it: (-it.at.timestamp(), it.story))
    if with_events:
        head += newest[:MOST_CLUSTERED]
        newest = newest[MOST_CLUSTERED:]
    groups = [_group([it]) for it in newest]
    by_story: Mapping[str, Candidate] = {it.story: it for it in head}
    groups += [_group([by_story[it] for it in members]) for members in _events(head)]
    return sorted(groups, key=lambda it: (-it.importance, -it.lead.at.timestamp(), it.lead.story))


def _events(candidates: Sequence[Candidate]) -> list[Sequence[str]]:
    stories = [
        EventStory(
            id=it.story, title=it.title, body=it.summary, keywords=tuple(it.keywords), at=it.at
        )
        for it in candidates
    ]
    return [event.stories for event in cluster_events(stories)] if stories else []


def _group(members: Sequence[Candidate]) -> _Group:
    ranked = sorted(members, key=_rank)
    total = sum(importance(ranked[0], ranked[1:]).values())
    return _Group(ranked[0], ranked[1:], total)


def _rank(candidate: Candidate) -> tuple[float, float, str]:
    """Return the sort key that puts the most important story first."""
    value = sum(importance(candidate).values())
    return (-value, -candidate.at.timestamp(), candidate.story)
