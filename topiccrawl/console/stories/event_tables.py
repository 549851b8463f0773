"""The tables of events of the topics: read from the store, and computed anew in the background.

A view never waits for the computation: it shows the last table, and that a new one is on its way.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeVar, cast

from topiccrawl.children import import_path
from topiccrawl.console.stories.event_worker import BUSY, UNREADABLE
from topiccrawl.errors import StoreUnavailable
from topiccrawl.reporting.event_table import EventTable, load_events, parse, save_events, saved_at
from topiccrawl.store.headlines import MARGIN

if TYPE_CHECKING:
    from topiccrawl.console.desk import Desk
    from topiccrawl.insight.stories.events import EventRow

T = TypeVar("T")

logger = logging.getLogger(__name__)

#: Seconds between two checks whether the store has newer pages or a newer table (a guess).
_LOOK_SECONDS: Final = 5.0
#: A table is computed again after this many times the seconds that it took, and at the earliest after the
#: second value (guesses: a sixth of one processor, as long as pages come).
_REST_FACTOR: Final = 5.0
_LEAST_REST: Final = 20.0
#: Topics, the largest ones, whose tables are read when the console starts (a guess).
_LOADED: Final = 3


@dataclass(slots=True)
class _Known:
    table: EventTable | None = None
    looked: float = float("-inf")
    """Clock of the last look at the store."""
    ended: float = float("-inf")
    took: float = 0.0
    task: asyncio.Task[None] | None = None
    is_kept: bool = False
    """Whether the store has had a table."""
    derived: dict[str, object] = field(default_factory=dict)
    """What views have computed from the table."""


@dataclass(frozen=True, slots=True)
class Current:
    """The events of a topic, as far as they are there."""

    table: EventTable | None
    computing: bool
    _derived: dict[str, object]

    @property
    def rows(self) -> Sequence[EventRow]:
        """The events."""
        return self.table.rows if self.table else []

    def derive(self, key: str, make: Callable[[], T]) -> T:
        """Return what *make* computes from the events; kept under *key* as long as the table."""
        if key not in self._derived:
            self._derived[key] = make()
        return cast("T", self._derived[key])


class EventTables:
    """The tables of one console."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._known: dict[str, _Known] = {}
        self._lock = asyncio.Lock()
        """Held while the store is looked at."""
        self._worker = asyncio.Lock()
        """Held while a process computes: one topic after the other."""

    async def current(self, topic: str) -> Current:
        """Return the table of *topic*; begin to compute it if the store has other pages by now."""
        known = self._known.setdefault(topic, _Known())
        now = time.monotonic()
        if now - known.looked > _LOOK_SECONDS:
            known.looked = now
            async with self._lock:
                await self._look(topic, known)
        running = known.task is not None and not known.task.done()
        return Current(known.table, running, known.derived)

    async def load(self, topic: str) -> None:
        """Read the table that the store has of *topic*; nothing is computed."""
        known = self._known.setdefault(topic, _Known())
        async with self._lock:
            if known.table is None:
                self._set(known, await load_events(self._desk.store, topic))

    async def _look(self, topic: str, known: _Known) -> None:
        store = self._desk.store
        at = await saved_at(store, topic)
        if at is not None and at > datetime.now(UTC) + MARGIN:
            at = None  # of before the clock was set back: no change would be later
        if at is None and known.is_kept:
            # It was deleted with a page that it quotes.
            self._set(known, None)
        known.is_kept = at is not None
        if at is not None and (known.table is None or at > known.table.at):
            self._set(known, await load_events(store, topic))
        rest = max(_LEAST_REST, _REST_FACTOR * known.took)
        running = known.task is not None and not known.task.done()
        if running or time.monotonic() - known.ended <= rest:
            return
        if known.table is None or await self._is_overtaken(topic, known.table):
            known.task = asyncio.create_task(self._compute(topic, known))

    async def _is_overtaken(self, topic: str, table: EventTable) -> bool:
        """Return whether the store has other pages than *table*, or has changed some since.

        The number alone says nothing of a title that changed, of new copies, and of one page that
        came while another left.
        """
        if table.pages != (await self._desk.topics()).get(topic, 0):
            return True
        # The store reads from MARGIN before the time that it is given.
        changed = self._desk.store.headlines(topic, since=table.at + MARGIN)
        async with contextlib.aclosing(changed) as changes:  # type: ignore[type-var]
            async for _change in changes:
                return True
        return False

    @staticmethod
    def _set(known: _Known, table: EventTable | None) -> None:
        known.table = table
        known.derived = {}

    async def _compute(self, topic: str, known: _Known) -> None:
        async with self._worker:
            started = time.monotonic()
            try:
                code, answer = await ask_worker(self._desk.config.store_uri, topic)
            finally:
                known.ended = time.monotonic()
                known.took = known.ended - started
        if code == BUSY:
            logger.info("events of %r: another process computes events of this store", topic)
            return
        if code:
            reason = answer.decode() if code == UNREADABLE else f"exit code {code}"
            logger.warning("events of %r were not computed: %s", topic, self._desk.reason(reason))
            return
        table = await asyncio.to_thread(parse, answer.decode())
        self._set(known, table)
        if self._desk.is_writable:
            try:
                await save_events(self._desk.store, topic, table)
            except StoreUnavailable as error:
                logger.warning("events of %r were not saved: %s", topic, self._desk.reason(error))

    async def computed(self, topic: str) -> None:
        """Wait until what is being computed for *topic* is there."""
        known = self._known.get(topic)
        if known is not None and known.task is not None:
            await known.task

    async def close(self) -> None:
        """End the processes."""
        tasks = [known.task for known in self._known.values() if known.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ask_worker(uri: str, topic: str) -> tuple[int, bytes]:
    """Start a process that computes the events of *topic*; return its exit code and what it wrote.

    It ends when this process does: the other end of its standard input stays open until then.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "topiccrawl.console.stories.event_worker",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": import_path()},
        # Ctrl-C is for the console.
        start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(json.dumps({"uri": uri, "topic": topic}).encode() + b"\n")
        with contextlib.suppress(ConnectionError):
            await process.stdin.drain()
        answer = await process.stdout.read()
        return await process.wait(), answer
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        process.stdin.close()


def tables_of(desk: Desk) -> EventTables:
    """Return the tables of *desk*."""
    return desk.shared("event-tables", lambda: EventTables(desk))


@contextlib.asynccontextmanager
async def event_tables(desk: Desk) -> AsyncIterator[None]:
    """Keep the tables of *desk* while it serves."""
    tables = tables_of(desk)
    topics = await desk.topics()
    loading = [
        asyncio.create_task(tables.load(topic))
        for topic in sorted(topics, key=lambda name: -topics[name])[:_LOADED]
    ]
    try:
        yield
    finally:
        for task in loading:
            task.cancel()
        await asyncio.gather(*loading, return_exceptions=True)
        await tables.close()
