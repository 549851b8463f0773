"""Compute the table of events from a store, and keep it there for the console."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from topiccrawl.insight.stories.events import (
    EventRow,
    EventStoryRef,
    decode,
    encode,
    event_row,
    in_order,
)
from topiccrawl.reporting.stories import event_stories
from topiccrawl.store.deletion.desk import EVENT_TABLE, EVENT_TABLE_PART
from topiccrawl.store.desk import JSON, DeskRecord, DeskStore
from topiccrawl.stories.events import EventStory, cluster_events

if TYPE_CHECKING:
    from topiccrawl.store.contract import Store

#: Kinds of the desk records: the state, and parts of the table.
STATE: Final = EVENT_TABLE
PART: Final = EVENT_TABLE_PART
#: Events that are kept, those of most stories first, and in one record (choices: 20,000 take 15 MB).
MOST_EVENTS: Final = 20_000
_PER_PART: Final = 200
#: Tables are numbered at random up to it, so that those that are written at once do not meet.
_NUMBERS: Final = 2**48
#: Age at which parts of a table that was not finished are deleted: a table is written in seconds, after its
#: pages were read in minutes.  A guess.
_ABANDONED: Final = timedelta(hours=6)
#: How much later the pages of a table were read that another process wrote meanwhile.  One from later still is of
#: before the clock was set back (a choice: 60,000 pages take 8 minutes).
_MEANWHILE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class EventTable:
    """The events of a topic at a time."""

    rows: Sequence[EventRow]
    """Those of most stories first."""
    at: datetime
    """When the pages were read."""
    pages: int
    """Kept pages at that time, without copies."""


async def compute_events(
    store: Store, topic: str, at: datetime, tick: Callable[[], None] = lambda: None
) -> EventTable:
    """Return the events of all kept pages of *topic*; some 3 ms a page."""
    stories: list[EventStory] = []
    refs: dict[str, EventStoryRef] = {}
    async for page, story in event_stories(store, topic, tick):
        refs[page.id] = EventStoryRef(
            id=page.id,
            url=page.url,
            title=story.title,
            at=story.at,
            copies=story.copies,
            story=page.story,
        )
        stories.append(story)
    rows = [event_row(event, refs) for event in cluster_events(stories)]
    return EventTable(in_order(rows, "size")[:MOST_EVENTS], at, len(stories))


async def save_events(store: DeskStore, topic: str, table: EventTable) -> None:
    """Keep *table* in the store; readers see the former one until all of it is there.

    Of several processes that do this at once, each writes parts of its own, and the table whose pages
    were read last stays.
    """
    number = secrets.randbelow(_NUMBERS)
    parts = [
        DeskRecord(
            topic=topic,
            kind=PART,
            key=f"{_beginning(number)}{start:06}",
            at=table.at,
            value={
                "rows": cast("JSON", [encode(row) for row in table.rows[start : start + _PER_PART]])
            },
        )
        for start in range(0, len(table.rows), _PER_PART)
    ]
    for start in range(0, len(parts), 10):
        await store.write(desk=parts[start : start + 10])
    former = await store.desk_entry(topic, STATE, "")
    if former is not None and timedelta(0) < former.at - table.at <= _MEANWHILE:
        await store.delete_desk(topic, PART, [it.key for it in parts])
        return
    state = {"number": number, "pages": table.pages, "events": len(table.rows)}
    await store.write(desk=[DeskRecord(topic=topic, kind=STATE, key="", at=table.at, value=state)])
    replaced = None if former is None else _beginning(_number(former))
    # Others may be parts of a table that another process is writing now.
    surplus = [
        it.key
        async for it in store.desk(topic, PART)
        if not it.key.startswith(_beginning(number))
        and ((replaced and it.key.startswith(replaced)) or it.at < table.at - _ABANDONED)
    ]
    if surplus:
        await store.delete_desk(topic, PART, surplus)


def _number(state: DeskRecord) -> int:
    """Return the number of the table that *state* names."""
    return int(cast("Any", state.value.get("number", 0)))


def _beginning(number: int) -> str:
    """Return how the keys of the parts of a table begin."""
    return f"{number:08}/"


async def load_events(store: DeskStore, topic: str) -> EventTable | None:
    """Return the table that the store keeps, ``None`` without one."""
    state = await store.desk_entry(topic, STATE, "")
    while state is not None:
        rows: list[EventRow] = []
        async for part in store.desk(topic, PART, prefix=_beginning(_number(state))):
            # In a thread: all parts together take a second, in which a console must answer.
            rows += await asyncio.to_thread(_decoded, part)
        before, state = state, await store.desk_entry(topic, STATE, "")
        if state is not None and state.value == before.value:
            return EventTable(rows, before.at, int(cast("Any", before.value.get("pages", 0))))
        # Another table has taken its place, and its parts are deleted.
    return None


def _decoded(part: DeskRecord) -> list[EventRow]:
    return [decode(cast("Any", row)) for row in cast("Any", part.value.get("rows", ()))]


async def saved_at(store: DeskStore, topic: str) -> datetime | None:
    """Return when the table in the store was computed."""
    state = await store.desk_entry(topic, STATE, "")
    return state.at if state else None


def dump(table: EventTable) -> str:
    """Return *table* as text, for another process."""
    rows = [encode(row) for row in table.rows]
    return json.dumps({"at": table.at.isoformat(), "pages": table.pages, "rows": rows})


def parse(text: str) -> EventTable:
    """Return the table of :func:`dump`."""
    value = json.loads(text)
    rows = [decode(row) for row in value["rows"]]
    at = datetime.fromisoformat(value["at"])
    return EventTable(rows, at if at.tzinfo else at.replace(tzinfo=UTC), value["pages"])
