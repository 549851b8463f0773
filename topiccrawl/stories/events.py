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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.facts import Facts, find_facts
from topiccrawl.stories.gazetteer import place_key
from topiccrawl.stories.names import Names, merged
from topiccrawl.stories.postings import Postings
from topiccrawl.stories.times import TimeSpan
from topiccrawl.text.idf import IdfTable
from topiccrawl.text.normalize import normalize
from topiccrawl.text.segment import make_segmenter

#: Least similarity at which a story joins an event, and at which two events are one.  The best of a grid on
#: planted events of one half of the real articles; B-cubed F1 .986 there and .980 on the other half, by
#: ``benchmarks/events.py --half`` (2026-11-22).
JOIN: Final = 0.25
MERGE: Final = 0.25
#: Days after which the similarity has fallen to 1/e (a guess: an event is reported for a week or two).
DECAY_DAYS: Final = 14.0
#: Weight of a name, and of a word of the title, relative to another word.
NAME_WEIGHT: Final = 2.0
TITLE_WEIGHT: Final = 3.0
#: Events without a new story for so many days are closed: 1 % of the similarity is left at 65.
CLOSED_DAYS: Final = 45
#: Stories that the background table of document frequencies counts for (a guess: then the topic's own
#: stories decide which of its words are common).
BACKGROUND: Final = 100
#: Characters of the body that are compared.
_LEAD: Final = 300
#: Rounds in which stories may move to a nearer event.
_ROUNDS: Final = 3
#: Stories after which closed events are dropped from the index (a choice).
_TIDY: Final = 1_000
#: Sentences of an event that are kept for its time, and for its place.
_SAID: Final = 3
#: Squared norm that is only a rounding error.
_ZERO: Final = 1e-9
#: Advantage of another event at which a story moves.
_MOVE: Final = 1.25

Vector = dict[str, float]


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


@dataclass(slots=True)
class _Cluster:
    members: list[int] = field(default_factory=list)
    total: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    squared: float = 0.0
    """Squared norm of *total*."""
    last: float = 0.0
    first: float = math.inf

    def add(self, at: int, vector: Vector, day: float) -> None:
        self.members.append(at)
        self.squared += 2 * _dot(vector, self.total) + _dot(vector, vector)
        for term, weight in vector.items():
            self.total[term] += weight
        self.last, self.first = max(self.last, day), min(self.first, day)


def cluster_events(
    stories: Sequence[EventStory],
    *,
    join: float = JOIN,
    merge: float = MERGE,
    facts_of: Callable[[str, str, datetime], Facts] = find_facts,
) -> list[Event]:
    """Return the events of *stories*, oldest first; a story alone is an event of one."""
    ordered = sorted(stories, key=lambda story: (story.at, story.id))
    facts = [facts_of(story.title, story.body, story.at) for story in ordered]
    vectors = _vectors(ordered, [it.names for it in facts])
    days = [story.at.timestamp() / 86_400 for story in ordered]
    clusters = _single_pass(vectors, days, join)
    clusters = _moved(_merged(clusters, vectors, days, merge), vectors, days, join)
    clusters.sort(key=lambda cluster: min(cluster.members))
    return [
        _event(number, sorted(cluster.members), ordered, facts, vectors)
        for number, cluster in enumerate(clusters, 1)
    ]


def by_size(events: Iterable[Event]) -> list[Event]:
    """Return *events*, those with most stories first, then those with most copies."""
    return sorted(events, key=lambda event: (-len(event.stories), -event.copies, event.number))


def _vectors(stories: Sequence[EventStory], names: Sequence[Names]) -> list[Vector]:
    """Return unit vectors; a term counts by what the stories before it, and the language, know of it."""
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
        for name in found.all:
            counts[name] += NAME_WEIGHT
        named = found.all
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
        norm = math.sqrt(_dot(vector, vector)) or 1.0
        vectors.append({term: weight / norm for term, weight in vector.items()})
    return vectors


def _dot(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    if len(first) > len(second):
        first, second = second, first
    return sum(weight * second.get(term, 0.0) for term, weight in first.items())


def _similarity(vector: Vector, day: float, cluster: _Cluster) -> float:
    """Return the similarity of a member to the rest of its event."""
    decay = math.exp(-max(day - cluster.last, cluster.first - day, 0.0) / DECAY_DAYS)
    dot, squared, own = _dot(vector, cluster.total), cluster.squared, _dot(vector, vector)
    squared -= 2 * dot - own
    return (dot - own) / math.sqrt(squared) * decay if squared > _ZERO else 0.0


def _reach(least: float) -> float:
    """Return the days after which the decay alone is below the *least* similarity."""
    return min(DECAY_DAYS * math.log(1 / least), CLOSED_DAYS) if least > 0 else CLOSED_DAYS


def _similarities(
    vector: Vector, first: float, last: float, index: Postings, spans: _Spans
) -> NDArray[np.float64]:
    """Return s(d, e) of what happened from day *first* to *last* and all events, 0 for closed ones."""
    dots = index.dots(vector)
    apart = np.maximum(
        np.maximum(first - spans.last[: len(dots)], spans.first[: len(dots)] - last), 0
    )
    norms = np.sqrt(np.maximum(spans.squared[: len(dots)], _ZERO))
    found: NDArray[np.float64] = dots / norms * np.exp(-apart / DECAY_DAYS)
    return found


class _Spans:
    """First day, last day and squared norm of each event, as arrays."""

    def __init__(self, most: int) -> None:
        self.first = np.full(most, np.inf)
        self.last = np.full(most, -np.inf)
        self.squared = np.zeros(most)

    def set(self, number: int, cluster: _Cluster) -> None:
        self.first[number], self.last[number] = cluster.first, cluster.last
        self.squared[number] = cluster.squared


def _grown(
    parts: Sequence[tuple[Vector, float, float, list[int]]],
    vectors: Sequence[Vector],
    days: Sequence[float],
    least: float,
) -> list[_Cluster]:
    """Return events: each part (vector, first and last day, members) joins the nearest one or begins one."""
    clusters: list[_Cluster] = []
    index, spans, reach = Postings(), _Spans(len(parts)), _reach(least)
    for done, (vector, first, last, members) in enumerate(parts):
        if done % _TIDY == _TIDY - 1:
            index.keep(spans.last[: len(clusters)] >= first - reach)
        near = _similarities(vector, first, last, index, spans)
        best = int(np.argmax(near)) if len(near) else -1
        if best < 0 or near[best] <= least:
            best = len(clusters)
            clusters.append(_Cluster())
        for at in members:
            clusters[best].add(at, vectors[at], days[at])
            index.add(best, vectors[at])
        spans.set(best, clusters[best])
    return clusters


def _single_pass(vectors: Sequence[Vector], days: Sequence[float], join: float) -> list[_Cluster]:
    parts = [
        (vector, day, day, [at]) for at, (vector, day) in enumerate(zip(vectors, days, strict=True))
    ]
    return _grown(parts, vectors, days, join)


def _merged(
    clusters: list[_Cluster], vectors: Sequence[Vector], days: Sequence[float], merge: float
) -> list[_Cluster]:
    """Merge events that turned out to be one: their first stories were too different."""
    order = sorted(clusters, key=lambda cluster: (cluster.first, min(cluster.members)))
    parts = []
    for cluster in order:
        norm = math.sqrt(cluster.squared) or 1.0
        mean = {term: weight / norm for term, weight in cluster.total.items()}
        parts.append((mean, cluster.first, cluster.first, cluster.members))
    return _grown(parts, vectors, days, merge)


def _moved(
    clusters: list[_Cluster], vectors: Sequence[Vector], days: Sequence[float], join: float
) -> list[_Cluster]:
    """Move stories to the event that they are nearest to, or out of one that they do not fit."""
    for _ in range(_ROUNDS):
        home = {at: number for number, cluster in enumerate(clusters) for at in cluster.members}
        alone = len(clusters)
        target: dict[int, int] = {}
        for at, near in _nearest(clusters, home, vectors, days, join):
            own = clusters[home[at]]
            here = _similarity(vectors[at], days[at], own)
            best, most = home[at], max(here * _MOVE, join)
            near[home[at]] = 0
            other = int(np.argmax(near))
            if near[other] > most:
                best = other
            elif here < join / 2:
                best, alone = alone, alone + 1
            if best != home[at]:
                target[at] = best
        if not target:
            break
        rebuilt = [_Cluster() for _ in range(alone)]
        for at in sorted(home):
            rebuilt[target.get(at, home[at])].add(at, vectors[at], days[at])
        clusters = [cluster for cluster in rebuilt if cluster.members]
    return clusters


def _nearest(
    clusters: Sequence[_Cluster],
    home: Mapping[int, int],
    vectors: Sequence[Vector],
    days: Sequence[float],
    join: float,
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the stories of events with several, by time, with their similarities to all events near in time."""
    spans, reach = _Spans(len(clusters)), _reach(join)
    for number, cluster in enumerate(clusters):
        spans.set(number, cluster)
    waiting = sorted(range(len(clusters)), key=lambda number: -clusters[number].first)
    index = Postings()
    several = [at for at in sorted(home) if len(clusters[home[at]].members) > 1]
    for done, at in enumerate(several):
        while waiting and clusters[waiting[-1]].first <= days[at] + reach:
            number = waiting.pop()
            index.add(number, clusters[number].total)
        if done % _TIDY == _TIDY - 1:
            index.keep(spans.last >= days[at] - reach)
        near = _similarities(vectors[at], days[at], days[at], index, spans)
        # The event of the story itself is always among them.
        yield at, np.pad(near, (0, max(0, home[at] + 1 - len(near))))


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
