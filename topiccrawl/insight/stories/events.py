"""The table of events: rows that can be stored, selected and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from topiccrawl.page.dates import CHINA_TIME
from topiccrawl.stories.gazetteer import place_key
from topiccrawl.text.normalize import normalize

if TYPE_CHECKING:
    from topiccrawl.stories.events import Event

#: Stories of an event that are listed, and characters of a sentence that is kept as evidence (choices: 20,000
#: rows of some 700 bytes fit in memory).
MOST_STORIES: Final = 60
_SENTENCE: Final = 120
#: Places, persons and organizations offered as filters at most (a choice).
_MOST_FACETS: Final = 12
#: Sentences that are kept for time and for place.
_SAID: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStoryRef:
    """A story of an event."""

    id: str
    url: str
    title: str
    at: datetime
    """Publish time."""
    copies: int = 0
    story: str = ""
    """Id of the story, empty for a page that was never compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """A row of the table of events."""

    id: str
    """That of its oldest story."""
    name: str = ""
    """Title of a story of it; empty if its pages have none."""
    when: str = ""
    """Day, time or days as ISO 8601 (``2026-11-02``, ``2026-11-02 09:30``, ``2026-11-02/2026-11-05``)."""
    when_text: str = ""
    """The expression in the text."""
    place: str = ""
    region: str = ""
    persons: Sequence[str] = ()
    organizations: Sequence[str] = ()
    places: Sequence[str] = ()
    first: datetime
    last: datetime
    count: int = 1
    """Stories."""
    copies: int = 0
    stories: Sequence[EventStoryRef] = ()
    when_said: Sequence[tuple[str, str]] = ()
    """URL and sentence that states the time."""
    place_said: Sequence[tuple[str, str]] = ()

    @property
    def day(self) -> str:
        """First day as an ISO date, that of the first publication (in China) if the event has none."""
        return self.when[:10] or self.first.astimezone(CHINA_TIME).date().isoformat()

    @property
    def last_day(self) -> str:
        """Last day as an ISO date: that of :attr:`day` unless the event lasts for several."""
        return self.when.partition("/")[2] or self.day

    @property
    def place_text(self) -> str:
        """Place with its region: 四川 泸定."""
        return (
            f"{self.region} {self.place}"
            if self.region and self.region != self.place
            else self.place
        )


def event_row(event: Event, stories: Mapping[str, EventStoryRef]) -> EventRow:
    """Return the row of *event*; *stories* by their ids."""

    def said(kind: str) -> tuple[tuple[str, str], ...]:
        texts = [
            (stories[story].url, text[:_SENTENCE])
            for one, story, text in event.votes
            if one == kind and story in stories
        ]
        return tuple(texts[:_SAID])

    return EventRow(
        id=event.stories[0],
        name=event.name,
        when=event.when.days_text if event.when else "",
        when_text=event.when.text if event.when else "",
        place=event.place,
        region=event.region,
        persons=event.names.persons,
        organizations=event.names.organizations,
        places=event.names.places,
        first=event.first,
        last=event.last,
        count=len(event.stories),
        copies=event.copies,
        stories=tuple(stories[it] for it in event.stories[:MOST_STORIES] if it in stories),
        when_said=said("when"),
        place_said=said("place"),
    )


def encode(row: EventRow) -> dict[str, Any]:
    """Return *row* as JSON values."""
    value = asdict(row)
    value["first"], value["last"] = row.first.isoformat(), row.last.isoformat()
    value["stories"] = [{**asdict(it), "at": it.at.isoformat()} for it in row.stories]
    return {key: it for key, it in value.items() if it not in ("", 0, [], ())}


def decode(value: Mapping[str, Any]) -> EventRow:
    """Return the row of JSON values."""
    read = dict(value)
    read["first"] = datetime.fromisoformat(value["first"])
    read["last"] = datetime.fromisoformat(value["last"])
    read["stories"] = tuple(
        EventStoryRef(**{**it, "at": datetime.fromisoformat(it["at"])})
        for it in value.get("stories", ())
    )
    for key in ("when_said", "place_said"):
        read[key] = tuple((url, text) for url, text in value.get(key, ()))
    for key in ("persons", "organizations", "places"):
        read[key] = tuple(value.get(key, ()))
    return EventRow(**read)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events are shown; empty fields do not restrict."""

    words: str = ""
    """Words that name, place, persons or organizations contain, all of them."""
    place: str = ""
    """Place or region."""
    name: str = ""
    """Person or organization."""
    since: date | None = None
    """An event is shown if one of its days is within *since* and *until*, both included."""
    until: date | None = None
    least: int = 1
    """Least number of stories."""


def folded_texts(rows: Iterable[EventRow]) -> list[str]:
    """Return the normalized text of each row in which words are searched."""
    return [
        normalize(" ".join((row.name, row.place, row.region, *row.persons, *row.organizations)))
        for row in rows
    ]


def select(
    rows: Sequence[EventRow], wanted: EventFilter, texts: Sequence[str] | None = None
) -> list[EventRow]:
    """Return the *rows* that are *wanted*, in their order; *texts* are their :func:`folded_texts`."""
    words = normalize(wanted.words).split()
    place, name = place_key(normalize(wanted.place)), normalize(wanted.name)
    since = wanted.since.isoformat() if wanted.since else ""
    until = wanted.until.isoformat() if wanted.until else "9999"
    if words:
        texts = folded_texts(rows) if texts is None else texts
        rows = [
            row
            for row, text in zip(rows, texts, strict=True)
            if all(word in text for word in words)
        ]
    return [
        row
        for row in rows
        if row.count >= wanted.least
        and since <= row.last_day
        and row.day <= until
        and (not place or place in _places(row))
        and (not name or name in row.persons or name in row.organizations)
    ]


def _places(row: EventRow) -> set[str]:
    return {place_key(row.place), place_key(row.region)}


#: Orders of the table: by size, by the day of the event, by the last story.
ORDERS: Final = ("size", "day", "newest")


def in_order(rows: Iterable[EventRow], order: str) -> list[EventRow]:
    """Return *rows* in one of :data:`ORDERS`: most stories, latest day, or latest story first."""
    if order == "day":
        return sorted(rows, key=lambda row: (row.day, row.count, row.id), reverse=True)
    if order == "newest":
        return sorted(rows, key=lambda row: (row.last, row.id), reverse=True)
    return sorted(rows, key=lambda row: (-row.count, -row.copies, -row.last.timestamp(), row.id))


def facets(rows: Iterable[EventRow]) -> dict[str, list[tuple[str, int]]]:
    """Return the most frequent places, persons and organizations of *rows* with their numbers of events."""
    places: Counter[str] = Counter()
    persons: Counter[str] = Counter()
    organizations: Counter[str] = Counter()
    for row in rows:
        if row.place:
            places[place_key(row.place)] += 1
        persons.update(row.persons)
        organizations.update(row.organizations)
    counts = {"places": places, "persons": persons, "organizations": organizations}
    return {
        key: sorted(count.items(), key=lambda it: (-it[1], it[0]))[:_MOST_FACETS]
        for key, count in counts.items()
    }
