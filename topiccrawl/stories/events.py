"""Cluster stories into events: online, in the order of time, with splitting and merging.

A story is a vector of TF-IDF over its title, keywords and lead; names of places, persons and organizations
count more.  In one pass, each story joins the event with the highest similarity to its centroid, less a
decay by the days between them, if that is at least :data:`JOIN`; else it begins an event:

    s(d, e) = cos(d, c_e) · exp(−Δt / τ)

Document frequencies are those of the stories before it, and of the background table as if it were
:data:`BACKGROUND` stories more.  At the end, events
whose centroids are closer than :data:`MERGE` at an overlap in time are merged, and a story that is nearer
to another event than to its own moves there.  The result depends on the set of stories only: they are
sorted by time and id.

References
----------
[Allan 1998], the single pass with a threshold that grows with the distance in time; [doc001], the table.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.event_clusters import Vector, cluster, dot_product
from topiccrawl.stories.facts import Facts, find_facts
from topiccrawl.stories.gazetteer import place_key
from topiccrawl.stories.names import Names, merged
from topiccrawl.stories.time_spans import TimeSpan
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import make_segmenter

#: Least similarity at which a story joins an event, and at which two events are one.  The best of a grid on
#: planted events of one half of the real articles; B-cubed F1 .945 there and .942 ± .017 on the other half, with .25
#: and .25 .909 and .915 (``benchmarks/events.py --half``, six streams each, 2026-11-27).
JOIN: Final = 0.3
MERGE: Final = 0.35
#: Weight of a name, and of a word of the title, relative to another word.  A name has it twice, in its count and as a
#: factor.  On the half of the articles that it was not chosen on, six streams, thresholds of .25: B-cubed F1 .915 ±
#: .030 with both, .842 ± .164 without the factor, .895 with 1 in the count, .868 with the factor alone; with
#: thresholds of .3 .942, .937, .931 and .925 (2026-11-27).
NAME_WEIGHT: Final = 2.0
TITLE_WEIGHT: Final = 3.0
#: Stories that the background table of document frequencies counts for (a guess: then the topic's own
#: stories decide which of its words are common).
BACKGROUND: Final = 100
#: Characters of the body that are compared.
_LEAD: Final = 300
#: Sentences of an event that are kept for its time, and for its place.
_SAID: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStory:
    """What is clustered of a story: its representative."""

    id: str
    title: str
    body: str = ""
    keywords: Sequence[str] = ()
    at: datetime
    """When it was published first, aware."""
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A row of document 001's event table."""

    number: int
    """From 1, in the order of the first stories."""
    name: str
    """Title of the story that is nearest to all."""
    stories: tuple[str, ...]
    """Ids, oldest first."""
    first: datetime
    last: datetime
    when: TimeSpan | None
    """When it happened, as its stories say."""
    names: Names
    copies: int = 0
    """Copies of all its stories."""
    place: str = ""
    """Where it happened, as most of its stories say."""
    region: str = ""
    """Province or country of the place."""
    votes: Sequence[tuple[str, str, str]] = ()
    """``when`` or ``place``, the id of a story and its sentence that says it."""


def cluster_events(
    stories: Sequence[EventStory],
    *,
    join: float = JOIN,
    merge: float = MERGE,
) -> list[Event]:
    """Return the events of *stories*, oldest first; a story alone is an event of one."""
    ordered = sorted(stories, key=lambda story: (story.at, story.id))
    facts = [find_facts(story.title, story.body, story.at) for story in ordered]
    vectors = _vectors(ordered, [it.names for it in facts])
    days = [story.at.timestamp() / 86_400 for story in ordered]
    return [
        _event(number, members, ordered, facts, vectors)
        for number, members in enumerate(cluster(vectors, days, join, merge), 1)
    ]


def by_size(events: Iterable[Event]) -> list[Event]:
    """Return *events*, those with most stories first, then those with most copies."""
    return sorted(events, key=lambda event: (-len(event.stories), -event.copies, event.number))


def _vectors(stories: Sequence[EventStory], names: Sequence[Names]) -> list[Vector]:
    """Return unit vectors, weighted by the terms' frequency in the stories before and in the language."""
    cut = make_segmenter().cut
    idf = IdfTable().idf
    seen: Counter[str] = Counter()
    vectors = []
    for number, (story, found) in enumerate(zip(stories, names, strict=True)):
        counts: defaultdict[str, float] = defaultdict(float)
        for term in cut(normalize(story.title)):
            counts[term] += TITLE_WEIGHT
        for term in (*cut(normalize(story.body[:_LEAD])), *map(normalize, story.keywords)):
            counts[term] += 1.0
        named = found.all
        for name in named:
            counts[name] += NAME_WEIGHT
        seen.update(counts.keys())
        vector = {}
        for term, count in counts.items():
            if len(term) < 2 and not term.isdigit():
                continue
            expected = BACKGROUND * math.exp(-idf(term))
            rarity = math.log((BACKGROUND + number + 1) / (expected + seen[term]))
            weight = (1 + math.log(count)) if count > 1 else count
            weight *= max(rarity, 0.05)
            vector[term] = weight * (NAME_WEIGHT if term in named else 1.0)
        norm = math.sqrt(dot_product(vector, vector)) or 1.0
        vectors.append({term: weight / norm for term, weight in vector.items()})
    return vectors


def _event(
    number: int,
    members: Sequence[int],
    stories: Sequence[EventStory],
    facts: Sequence[Facts],
    vectors: Sequence[Vector],
) -> Event:
    total: defaultdict[str, float] = defaultdict(float)
    for at in members:
        for term, weight in vectors[at].items():
            total[term] += weight
    central = max(
        members,
        key=lambda at: (sum(w * total[t] for t, w in vectors[at].items()), stories[at].copies, -at),
    )
    when, said_when = _when([(stories[at].id, facts[at]) for at in members])
    place, region, said_where = _where([(stories[at].id, facts[at]) for at in members])
    return Event(
        number=number,
        name=stories[central].title,
        stories=tuple(stories[at].id for at in members),
        first=stories[members[0]].at,
        last=stories[members[-1]].at,
        when=when,
        names=_with_place(merged([facts[at].names for at in members]), place),
        copies=sum(stories[at].copies for at in members),
        place=place,
        region=region,
        votes=(*said_when, *said_where),
    )


def _with_place(names: Names, place: str) -> Names:
    """Return *names* with the event's place before the others."""
    if not place:
        return names
    others = (it for it in names.places if place_key(it) != place_key(place))
    return replace(names, places=(place, *others))


def _when(
    facts: Sequence[tuple[str, Facts]],
) -> tuple[TimeSpan | None, list[tuple[str, str, str]]]:
    """Return the time of the event, the day that most stories name, and the sentences that do."""
    days: defaultdict[datetime, list[tuple[str, Facts]]] = defaultdict(list)
    for story, fact in facts:
        if fact.when is not None:
            days[_midnight(fact.when)].append((story, fact))
    if not days:
        return None, []
    best = days[min(days, key=lambda day: (-len(days[day]), day))]
    spans = [fact.when for _, fact in best if fact.when is not None]
    said = [("when", story, fact.when_said) for story, fact in best[:_SAID]]
    return max(spans, key=lambda span: len(span.text)), said


def _midnight(span: TimeSpan) -> datetime:
    return span.first.astimezone(CHINA_TIME).replace(hour=0, minute=0, second=0, microsecond=0)


def _where(facts: Sequence[tuple[str, Facts]]) -> tuple[str, str, list[tuple[str, str, str]]]:
    """Return the place of the event and its region, those of most stories, and the sentences."""
    places: defaultdict[str, list[tuple[str, Facts]]] = defaultdict(list)
    for story, fact in facts:
        if fact.place:
            places[place_key(fact.place)].append((story, fact))
    if not places:
        return "", "", []
    best = places[min(places, key=lambda place: (-len(places[place]), place))]
    said = [("place", story, fact.place_said) for story, fact in best[:_SAID]]
    region = next((fact.region for _, fact in best if fact.region), "")
    return best[0][1].place or "", region, said
