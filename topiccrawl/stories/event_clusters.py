"""Cluster vectors over time: single pass, merging, and moving to the nearest cluster; see :mod:`.events`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from topiccrawl.stories.postings import Postings

#: Days after which the similarity has fallen to 1/e (a guess: an event is reported for a week or two).
DECAY_DAYS: Final = 14.0
#: Events without a new story for so many days are closed: 1 % of the similarity is left at 65.
CLOSED_DAYS: Final = 45
#: Rounds in which stories may move to a nearer event.
_ROUNDS: Final = 3
#: Stories after which closed events are dropped from the index (a choice).
_TIDY: Final = 1_000
#: Squared norm that is only a rounding error.
_ZERO: Final = 1e-9
#: Advantage of another event at which a story moves.
_MOVE: Final = 1.25

Vector = dict[str, float]


def cluster(
    vectors: Sequence[Vector], days: Sequence[float], join: float, merge: float
) -> list[list[int]]:
    """Return the members of each cluster, by place; *vectors* are in the order of their *days*."""
    clusters = _single_pass(vectors, days, join)
    clusters = _moved(_merged(clusters, vectors, days, merge), vectors, days, join)
    return sorted(sorted(one.members) for one in clusters)


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
        self.squared += 2 * dot_product(vector, self.total) + dot_product(vector, vector)
        for term, weight in vector.items():
            self.total[term] += weight
        self.last, self.first = max(self.last, day), min(self.first, day)


def dot_product(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """Return the scalar product of two sparse vectors."""
    if len(first) > len(second):
        first, second = second, first
    return sum(weight * second.get(term, 0.0) for term, weight in first.items())


def _similarity(vector: Vector, day: float, cluster: _Cluster) -> float:
    """Return the similarity of a member to the rest of its event."""
    decay = math.exp(-max(day - cluster.last, cluster.first - day, 0.0) / DECAY_DAYS)
    dot, squared, own = (
        dot_product(vector, cluster.total),
        cluster.squared,
        dot_product(vector, vector),
    )
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
