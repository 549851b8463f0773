"""Facts of an event in a report: time, place, persons and organizations, each with the sentence that states it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from topiccrawl.stories.event_day import find_day
from topiccrawl.stories.event_place import find_place
from topiccrawl.stories.leads import Lead
from topiccrawl.stories.names import Names, find_names
from topiccrawl.stories.time_spans import TimeSpan


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of one report."""

    when: TimeSpan | None = None
    when_said: str = ""
    """The sentence with the time, normalized."""
    place: str | None = None
    region: str = ""
    """Province or country of the place."""
    place_said: str = ""
    names: Names = field(default_factory=Names)

    @property
    def persons(self) -> tuple[str, ...]:
        """Persons, most frequent first."""
        return self.names.persons

    @property
    def organizations(self) -> tuple[str, ...]:
        """Organizations, most frequent first."""
        return self.names.organizations


def find_facts(title: str, body: str, published: datetime) -> Facts:
    """Return the facts of a report; days are resolved against *published* (aware)."""
    lead = Lead.of(title, body)
    day = find_day(lead, published)
    place = find_place(lead, day.span.place if day else None)
    return Facts(
        when=day.span if day else None,
        when_said=lead.sentence_text(day.span.place) if day else "",
        place=place.name if place else None,
        region=place.mention.region if place else "",
        place_said=lead.sentence_text(place.mention.start) if place else "",
        names=find_names(title, body),
    )
