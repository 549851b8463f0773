"""A briefing: sections of entries, each a story in sentences that link to the page they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

#: Sections of a proposal; ``own`` is one that the user made.
SectionKind = Literal["important", "newest", "category", "own"]
SECTION_KINDS: Final[tuple[SectionKind, ...]] = get_args(SectionKind)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a summary."""

    text: str
    url: str
    """Canonical URL of the stored page that it comes from."""
    edited: bool = False
    """Whether the user wrote it or changed it: then the page is the one that it is nearest to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page that an entry names."""

    url: str
    title: str
    outlet: str = ""
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One story of a briefing."""

    story: str
    """Id of the story in the store; of a page that was never compared, the id of the page."""
    url: str
    """Canonical URL of the story's page."""
    title: str
    sentences: Sequence[Sentence] = ()
    outlet: str = ""
    """Site of the page, by name if the page states one."""
    source: str = ""
    """Medium that the page names as its origin."""
    author: str = ""
    published_at: datetime | None = None
    first: Source | None = None
    """Page of the first publisher, if another one than this."""
    first_confidence: float | None = None
    sites: int = 1
    """Sites that have the story."""
    also: Sequence[Source] = ()
    """Other stories of the same event."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    """What the importance consists of: see :mod:`topiccrawl.briefing.proposal`."""


@dataclass(frozen=True, slots=True)
class Section:
    """Entries under one heading."""

    kind: SectionKind
    heading: str = ""
    """Name of the category, or the user's own heading; empty: the words of the kind."""
    entries: Sequence[Entry] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """A whole briefing; times are aware."""

    id: str
    topic: str
    created_at: datetime
    since: datetime | None = None
    until: datetime | None = None
    title: str = ""
    """Empty: the topic and the word for a briefing, in the language of the file."""
    organization: str = ""
    """Who issues it; shown below the title."""
    sections: Sequence[Section] = ()
    stories: int = 0
    """Stories of the period, from which the entries were chosen."""

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of all sections, in their order."""
        for section in self.sections:
            yield from section.entries
