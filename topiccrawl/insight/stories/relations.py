"""Relations of persons, organizations and places: who is named in the same events more often than by chance.

The strength of a relation is the log-likelihood ratio of the two names' events ([Dunning 1993]), with the sign
of the association; only names that occur together more often than expected are related.

References
----------
[Dunning 1993] T. Dunning: Accurate methods for the statistics of surprise and coincidence.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal

from topiccrawl.stories.gazetteer import place_key

if TYPE_CHECKING:
    from topiccrawl.insight.stories.events import EventRow

Kind = Literal["person", "organization", "place"]
KINDS: Final[tuple[Kind, ...]] = ("person", "organization", "place")

#: Least events in which two names occur together, in a table of many events and of few ones (guesses: one
#: event names everybody who was there).
_LEAST_TOGETHER: Final = 2
_FEW_EVENTS: Final = 60
#: Events that a relation keeps as its evidence.
_EVIDENCE: Final = 8
#: Strength at 1 degree of freedom that chance reaches in one of 100 pairs.
SIGNIFICANT: Final = 6.63


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """A person, an organization or a place."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Relation:
    """Two names that occur in the same events."""

    first: Name
    second: Name
    together: int
    """Events that name both."""
    strength: float
    """Log-likelihood ratio, >= 0."""
    events: Sequence[str]
    """Ids of events that name both, largest first."""


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of a table of events."""

    names: Mapping[Name, int]
    """Number of events of each name that has a relation."""
    relations: Sequence[Relation]
    """Strongest first."""

    def of(self, text: str) -> list[Relation]:
        """Return the relations of the names with this text."""
        return [it for it in self.relations if text in (it.first.text, it.second.text)]


def names_of(row: EventRow) -> list[Name]:
    """Return the names of an event, its own place but not all that its stories mention."""
    found = [Name("person", it) for it in row.persons]
    found += [Name("organization", it) for it in row.organizations]
    if row.place:
        found.append(Name("place", place_key(row.place)))
    return list(dict.fromkeys(found))


def find_relations(rows: Sequence[EventRow], kinds: Sequence[Kind] = KINDS) -> Relations:
    """Return the relations of the names in *rows*, events with most stories first."""
    named = [[it for it in names_of(row) if it.kind in kinds] for row in rows]
    counts = Counter(it for names in named for it in names)
    # Pairs of numbers in the order of the names: comparing and hashing names takes ten times as long.
    ordered = sorted(counts)
    number = {name: at for at, name in enumerate(ordered)}
    together: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for at, names in enumerate(named):
        for pair in combinations(sorted(map(number.__getitem__, names)), 2):
            together[pair].append(at)
    least = _LEAST_TOGETHER if len(rows) > _FEW_EVENTS else 1
    found = []
    for (one, other), events in together.items():
        both = len(events)
        if both < least:
            continue
        first, second = ordered[one], ordered[other]
        strength = log_likelihood(both, counts[first], counts[second], len(rows))
        if strength > 0 and both * len(rows) > counts[first] * counts[second]:
            evidence = tuple(rows[at].id for at in events[:_EVIDENCE])
            found.append(Relation(first, second, both, strength, evidence))
    found.sort(key=lambda it: (-it.strength, -it.together, number[it.first], number[it.second]))
    used = {name for it in found for name in (it.first, it.second)}
    return Relations({name: counts[name] for name in used}, found)


def log_likelihood(both: int, first: int, second: int, total: int) -> float:
    """Return Dunning's log-likelihood ratio of two names that occur in *first* and *second* of *total* events.

    >>> round(log_likelihood(10, 10, 10, 100), 1), round(log_likelihood(1, 10, 10, 100), 1)
    (65.0, 0.0)
    """
    cells = (both, first - both, second - both, total - first - second + both)
    return max(0.0, 2 * (_entropy(cells) - _entropy((first, total - first)) - _entropy((second, total - second))
                         + _xlogx(total)))  # fmt: skip


def _xlogx(count: float) -> float:
    return count * math.log(count) if count > 0 else 0.0


def _entropy(counts: Sequence[float]) -> float:
    """Return the sum of n·log n; see :func:`log_likelihood`."""
    return sum(map(_xlogx, counts))
