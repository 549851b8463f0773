"""Warnings and messages as they are kept in the store, in records of the desk.

A *warning* (``Alert``) is what a rule has found: facts, no text, so that it can be shown in any language.  Its
key is a hash of its subject (a story, a host, an interval, an episode of a problem), so that there is one
warning of each subject however often it is found, and by however many processes.

A *message* carries one or several warnings to one channel; how it is made and sent is in ``outbox``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, cast

from topiccrawl.store.desk import DeskRecord, DeskStore
from topiccrawl.text.personal import masked

#: Kinds of desk records.
ALERT: Final = "alert"
MESSAGE: Final = "alert-message"
#: That a warning is part of a message of a channel.
SLOT: Final = "alert-slot"
#: How far the pages were read, and signs of life of runs.
STATE: Final = "alert-state"
#: That a process sends a message.
ATTEMPT: Final = "alert-attempt"

#: Time for which warnings and their messages are kept.  What is older is neither found again nor sent; a story
#: that has new pages after it is warned of again (a choice: each round reads all of them).
KEPT: Final = timedelta(days=180)

AlertKind = Literal["story", "host", "volume", "health", "test"]

#: Pages that a warning lists at most (a choice: a screen of a telephone).
MOST_PAGES: Final = 5
#: Longest text of a page's field in a warning (a choice).
_MOST_CHARS: Final = 300


def value_of(record: DeskRecord) -> dict[str, Any]:
    """Return the value of a desk record."""
    return cast("dict[str, Any]", dict(record.value))


def subject_key(*parts: str) -> str:
    """Return the key of a subject: 128 bits as 32 hex digits."""
    return hashlib.blake2b("\x00".join(parts).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class AlertPage:
    """A page that a warning is about."""

    url: str
    title: str
    site: str
    published_at: datetime | None = None

    def value(self) -> dict[str, Any]:
        """Return the page as JSON; personal data in its title are masked, because it leaves the machine."""
        when = self.published_at.isoformat() if self.published_at else None
        return {
            "url": self.url,
            "title": masked(self.title[:_MOST_CHARS]),
            "site": self.site,
            "published": when,
        }

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> AlertPage:
        """Return the page that *value* describes."""
        when = value.get("published")
        moment = datetime.fromisoformat(when) if when else None
        return cls(str(value["url"]), str(value["title"]), str(value["site"]), moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One warning."""

    key: str
    kind: AlertKind
    rules: Sequence[str]
    """Names of the rules that have found it."""
    channels: Sequence[str]
    """Names of the channels that it is sent to."""
    subject: str
    """The story's id, the host, the interval, or the run and the problem."""
    at: datetime
    facts: Mapping[str, Any]
    """Numbers and words that the text is made of: JSON."""
    pages: Sequence[AlertPage] = ()

    def value(self) -> dict[str, Any]:
        """Return the warning as the value of a desk record."""
        return {
            "kind": self.kind,
            "rules": list(self.rules),
            "channels": list(self.channels),
            "subject": self.subject,
            "facts": dict(self.facts),
            "pages": [it.value() for it in self.pages[:MOST_PAGES]],
        }

    def without_channels(self) -> Alert:
        """Return the warning as one that is sent to no channel."""
        return replace(self, channels=())

    @classmethod
    def of(cls, record: DeskRecord) -> Alert:
        """Return the warning of a desk record."""
        value = value_of(record)
        return cls(
            key=record.key,
            kind=value["kind"],
            rules=tuple(value["rules"]),
            channels=tuple(value["channels"]),
            subject=str(value["subject"]),
            at=record.at.astimezone(UTC),
            facts=value["facts"],
            pages=tuple(AlertPage.of(it) for it in value["pages"]),
        )


class TopicDesk:
    """Reads and writes the desk records of one topic."""

    def __init__(self, store: DeskStore, topic: str) -> None:
        self.topic = topic
        self._store = store

    def use(self, store: DeskStore) -> None:
        """Go on with another connection."""
        self._store = store

    def record(self, kind: str, key: str, at: datetime, value: Mapping[str, Any]) -> DeskRecord:
        """Return a record, which is not written yet."""
        return DeskRecord(topic=self.topic, kind=kind, key=key, at=at, value=value)

    async def all(self, kind: str) -> dict[str, DeskRecord]:
        """Return the records of *kind* by their keys."""
        return {it.key: it async for it in self._store.desk(self.topic, kind)}

    async def older(self, kind: str, prefix: str, than: datetime) -> list[str]:
        """Return the keys of the records of *kind* that were made before *than*."""
        found = self._store.desk(self.topic, kind, prefix=prefix)
        return [it.key async for it in found if it.at < than]

    async def entry(self, kind: str, key: str) -> DeskRecord | None:
        """Return a record as it is now."""
        return await self._store.desk_entry(self.topic, kind, key)

    async def claim(self, kind: str, key: str, at: datetime, value: Mapping[str, Any]) -> bool:
        """Insert a record; return False if there is one with this key already.  Atomic."""
        return await self._store.claim_desk(self.record(kind, key, at, value))

    async def write(self, record: DeskRecord) -> None:
        """Insert or replace *record*."""
        await self._store.write(desk=[record])

    async def delete(self, kind: str, keys: Sequence[str]) -> None:
        """Delete records."""
        await self._store.delete_desk(self.topic, kind, keys)
