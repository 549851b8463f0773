"""A template of a report, and what a drawn report is annotated with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A report with slots in braces; see :mod:`benchmarks.event_reports.drawing` for their meaning."""

    name: str
    title: str
    text: str
    ago: tuple[int, int] = (0, 2)
    """Days from the event to the publication, least and most; negative: the event is still to come."""
    lasts: int = 1
    """Days that the event lasts."""
    where: str = "any"
    """``home``, ``abroad`` or ``any``."""
    dated: bool = True
    """Whether the report states the day."""
    placed: bool = True
    """Whether the report states the place."""
    persons: tuple[str, ...] = ()
    """Slots of the persons of the event."""
    organizations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report with its annotation."""

    template: str
    title: str
    text: str
    published: datetime
    day: str | None
    """First day of the event, as an ISO date; ``None`` if the report states none."""
    places: frozenset[str]
    """Accepted forms of the place; empty if the report states none."""
    persons: frozenset[str] = frozenset()
    organizations: frozenset[str] = frozenset()
