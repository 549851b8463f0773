"""Briefings in the store, as records of the desk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from topiccrawl.briefing.codec import from_json, to_json
from topiccrawl.briefing.model import Briefing
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.store.desk import DeskRecord, DeskStore

#: Kind of the desk records.
KIND: Final = "briefing"


async def store_briefing(store: DeskStore, briefing: Briefing, now: datetime) -> None:
    """Write *briefing* in place of its former state."""
    record = DeskRecord(
        topic=briefing.topic, kind=KIND, key=briefing.id, at=now, value=to_json(briefing)
    )
    await store.write(desk=[record])


async def load_briefing(store: DeskStore, topic: str, id_: str) -> Briefing | None:
    """Return the briefing with this id.

    Raises :class:`~topiccrawl.errors.ConfigurationError` if it cannot be read.
    """
    record = await store.desk_entry(topic, KIND, id_)
    if record is None:
        return None
    value: dict[str, Any] = dict(record.value)
    return replace(from_json(value), id=id_, topic=topic)


async def saved_briefings(store: DeskStore, topic: str) -> AsyncIterator[Briefing]:
    """Yield the briefings of *topic*, oldest first; those that cannot be read are left out."""
    async for record in store.desk(topic, KIND):
        try:
            value: dict[str, Any] = dict(record.value)
            yield replace(from_json(value), id=record.key, topic=topic)
        except ConfigurationError:
            continue


async def needed_briefing(store: DeskStore, topic: str, id_: str) -> Briefing:
    """Return the briefing with this id; raise ConfigurationError with those that exist."""
    found = await load_briefing(store, topic, id_)
    if found is None:
        known = [it.id async for it in saved_briefings(store, topic)]
        raise ConfigurationError(
            _("there is no briefing {id!r}; there are: {known}").format(
                id=id_, known=listed(known[-10:]) or _("none")
            )
        )
    return found


async def delete_briefing(store: DeskStore, topic: str, id_: str) -> bool:
    """Delete a briefing; return whether there was one."""
    return await store.delete_desk(topic, KIND, [id_]) > 0
