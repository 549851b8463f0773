"""Briefings as JSON, as the store keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from topiccrawl.briefing.model import SECTION_KINDS, Briefing, Entry, Section, Sentence, Source
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _


def to_json(briefing: Briefing) -> dict[str, Any]:
    """Return *briefing* as values that JSON can represent."""
    return {
        "id": briefing.id,
        "topic": briefing.topic,
        "created_at": _time(briefing.created_at),
        "since": _time(briefing.since),
        "until": _time(briefing.until),
        "title": briefing.title,
        "organization": briefing.organization,
        "stories": briefing.stories,
        "sections": [
            {
                "kind": section.kind,
                "heading": section.heading,
                "entries": [_entry_json(entry) for entry in section.entries],
            }
            for section in briefing.sections
        ],
    }


def from_json(value: Mapping[str, Any]) -> Briefing:
    """Return the briefing that :func:`to_json` has made *value* of.

    Raises ``ConfigurationError`` if a field is missing or has another type, as when a newer version has
    written it.
    """
    try:
        return Briefing(
            id=str(value["id"]),
            topic=str(value["topic"]),
            created_at=_needed(value["created_at"]),
            since=_moment(value.get("since")),
            until=_moment(value.get("until")),
            title=str(value.get("title", "")),
            organization=str(value.get("organization", "")),
            stories=int(value.get("stories", 0)),
            sections=tuple(_section(it) for it in value["sections"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(
            _("the stored briefing cannot be read: {error}").format(
                error=f"{type(error).__name__}: {error}"
            )
        ) from error


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {
        "story": entry.story,
        "url": entry.url,
        "title": entry.title,
        "sentences": [[it.text, it.url, it.edited] for it in entry.sentences],
        "outlet": entry.outlet,
        "source": entry.source,
        "author": entry.author,
        "published_at": _time(entry.published_at),
        "first": _source_json(entry.first) if entry.first else None,
        "first_confidence": entry.first_confidence,
        "sites": entry.sites,
        "also": [_source_json(it) for it in entry.also],
        "evidence": dict(entry.evidence),
    }


def _source_json(source: Source) -> dict[str, Any]:
    return {
        "url": source.url,
        "title": source.title,
        "outlet": source.outlet,
        "published_at": _time(source.published_at),
    }


def _section(value: Mapping[str, Any]) -> Section:
    kind = value["kind"]
    if kind not in SECTION_KINDS:
        raise ValueError(f"kind {kind!r}")
    return Section(
        kind, str(value.get("heading", "")), tuple(_entry(it) for it in value["entries"])
    )


def _entry(value: Mapping[str, Any]) -> Entry:
    confidence = value.get("first_confidence")
    return Entry(
        story=str(value["story"]),
        url=str(value["url"]),
        title=str(value["title"]),
        sentences=tuple(
            Sentence(str(text), str(url), bool(edited)) for text, url, edited in value["sentences"]
        ),
        outlet=str(value.get("outlet", "")),
        source=str(value.get("source", "")),
        author=str(value.get("author", "")),
        published_at=_moment(value.get("published_at")),
        first=_source(value["first"]) if value.get("first") else None,
        first_confidence=None if confidence is None else float(confidence),
        sites=int(value.get("sites", 1)),
        also=tuple(_source(it) for it in value.get("also", ())),
        evidence={str(name): float(it) for name, it in value.get("evidence", {}).items()},
    )


def _source(value: Mapping[str, Any]) -> Source:
    return Source(
        url=str(value["url"]),
        title=str(value["title"]),
        outlet=str(value.get("outlet", "")),
        published_at=_moment(value.get("published_at")),
    )


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _needed(text: str) -> datetime:
    moment = _moment(text)
    if moment is None:
        raise ValueError("created_at is missing")
    return moment
