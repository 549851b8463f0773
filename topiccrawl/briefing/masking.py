"""Personal data in briefings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from topiccrawl.text.personal import masked

if TYPE_CHECKING:
    from topiccrawl.briefing.model import Briefing, Entry, Source


def masked_briefing(briefing: Briefing) -> Briefing:
    """Return *briefing* with masks over personal data in the texts of pages; addresses stay."""
    return replace(
        briefing,
        sections=[
            replace(section, entries=[_entry(it) for it in section.entries])
            for section in briefing.sections
        ],
    )


def _entry(entry: Entry) -> Entry:
    return replace(
        entry,
        title=masked(entry.title),
        sentences=[replace(it, text=masked(it.text)) for it in entry.sentences],
        outlet=masked(entry.outlet),
        source=masked(entry.source),
        author=masked(entry.author),
        first=_source(entry.first) if entry.first else None,
        also=[_source(it) for it in entry.also],
    )


def _source(source: Source) -> Source:
    return replace(source, title=masked(source.title), outlet=masked(source.outlet))
