"""The overviews of the topics: read in the background, brought up to date by what changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Final, TypeVar, cast

from topiccrawl.console.desk import Desk, desk_and_topic
from topiccrawl.console.rendering import render
from topiccrawl.errors import StoreUnavailable
from topiccrawl.frontier.clock import CLOCK_STEP_SECONDS
from topiccrawl.insight.overview import Overview
from topiccrawl.insight.reading import read_changes, read_overview

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

logger = logging.getLogger(__name__)

T = TypeVar("T")

#: Seconds for which an overview is not brought up to date again: it costs about 0.1 s for 100,000 pages
#: (measured 2026-11).
_FRESH_SECONDS: Final = 10.0

#: Seconds that a request waits for the first reading: small topics are read in less.
_PATIENCE_SECONDS: Final = 1.0

#: Overviews kept at most; the one not used longest goes.  100,000 pages take about 150 MB.
MOST_KEPT: Final = 8

#: Results kept of each overview.
_KEPT_RESULTS: Final = 64


class _Entry:
    """One topic's overview and the task that reads it."""

    def __init__(self) -> None:
        self.overview: Overview | None = None
        self.read_at = datetime.min.replace(tzinfo=UTC)
        """Time at which the last reading began."""
        self.began = 0.0
        """The same on a clock that is never set."""
        self.checked = 0.0
        self.task: asyncio.Task[None] | None = None
        self.failure: Exception | None = None
        """Why the last reading failed."""
        self.changes = 0
        """Changes that this console has made to the topic's pages."""
        self.changes_read = 0
        """Those of them that the overview has."""

    @property
    def is_overtaken(self) -> bool:
        """Whether this console has changed pages since they were read."""
        return self.changes_read < self.changes


class Overviews:
    """The overviews of one console."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._entries: dict[str, _Entry] = {}

    async def get(self, topic: str) -> Overview | None:
        """Return the overview of *topic*, ``None`` while it is being read for the first time.

        One that is older than ten seconds is returned, and brought up to date in the background; after
        a change in this console, it is brought up to date first, if that takes less than a second or two.
        """
        entry = self.begin(topic)
        if entry.overview is None and entry.task is not None:
            await asyncio.wait((entry.task,), timeout=_PATIENCE_SECONDS)
            if entry.overview is None and entry.failure is not None:
                raise entry.failure
        # A reading that began before the change may be under way: another follows it.
        for _reading in range(2):
            # Other topics may have pushed the entry out meanwhile.
            if not entry.is_overtaken or self.begin(topic) is not entry or entry.task is None:
                break
            await asyncio.wait((entry.task,), timeout=_PATIENCE_SECONDS)
        return entry.overview

    def note_change(self, topic: str) -> None:
        """Note that this console has changed pages of *topic*."""
        if (entry := self._entries.get(topic)) is not None:
            entry.changes += 1

    def begin(self, topic: str) -> _Entry:
        """Begin to read the overview of *topic*, or to bring it up to date, where that is due."""
        entry = self._entry(topic)
        is_old = entry.is_overtaken or time.monotonic() - entry.checked > _FRESH_SECONDS
        if entry.task is None and (entry.overview is None or is_old):
            entry.task = asyncio.create_task(self._read(topic, entry))
        return entry

    async def current(self, topic: str) -> Overview:
        """Return the overview of *topic* as the store is now."""
        entry = self._entry(topic)
        # One reading at a time: two would add to the same codebooks from two threads.
        while entry.task is not None:
            await asyncio.wait((entry.task,))
        entry.task = reading = asyncio.create_task(self._read(topic, entry))
        await asyncio.wait((reading,))
        if entry.failure is not None:
            raise entry.failure
        assert entry.overview is not None
        return entry.overview

    def _entry(self, topic: str) -> _Entry:
        """Return the entry of *topic*, now the one used last; others that are not being read may go."""
        entry = self._entries.pop(topic, None) or _Entry()
        idle = [name for name, it in self._entries.items() if it.task is None]
        for name in idle[: max(0, len(self._entries) + 1 - MOST_KEPT)]:
            del self._entries[name]
        self._entries[topic] = entry
        return entry

    async def _read(self, topic: str, entry: _Entry) -> None:
        started, began, changes = datetime.now(UTC), time.monotonic(), entry.changes
        try:
            entry.failure = None
            passed = (started - entry.read_at).total_seconds()
            if entry.overview is None or began - entry.began - passed > CLOCK_STEP_SECONDS:
                # Or the clock was set back: what has changed since then seems to be older.
                entry.overview = await read_overview(self._desk.store, topic)
            else:
                entry.overview = await read_changes(
                    self._desk.store, topic, entry.overview, entry.read_at
                )
            entry.read_at, entry.began, entry.changes_read = started, began, changes
        except StoreUnavailable as error:
            logger.warning("%s", self._desk.store_problem(error))
            entry.failure = error
        except Exception as error:
            logger.exception("the overview of %r cannot be read", topic)
            entry.failure = error
        finally:
            entry.checked = time.monotonic()
            entry.task = None

    async def close(self) -> None:
        """End what is being read."""
        tasks = [entry.task for entry in self._entries.values() if entry.task is not None]
        for task in tasks:
            task.cancel()
        self._entries.clear()
        await asyncio.gather(*tasks, return_exceptions=True)


def overviews_of(desk: Desk) -> Overviews:
    """Return the overviews of a desk."""
    return desk.shared("overviews", lambda: Overviews(desk))


@asynccontextmanager
async def reading(desk: Desk) -> AsyncIterator[None]:
    """Begin to read the largest topic, and end all readings when the console ends.

    The lifespan of the section that needs overviews.
    """
    overviews = overviews_of(desk)
    topics = await desk.topics()
    if topics:
        largest = max(topics, key=lambda name: topics[name])
        overviews.begin(largest)
    try:
        yield
    finally:
        await overviews.close()


async def computed(overview: Overview, key: Hashable, work: Callable[[], T]) -> T:
    """Return ``work()``, computed once for an overview and *key*, in a thread."""
    results = overview.results
    if key in results:
        return cast("T", results[key])
    value = await asyncio.to_thread(work)
    while len(results) >= _KEPT_RESULTS:
        results.pop(next(iter(results)), None)
    results[key] = value
    return value


def with_overview(
    view: Callable[[Request, str, Overview], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that calls *view* with the topic of the path and its overview.

    While the overview is being read for the first time, it answers with a page that says so and asks
    again.
    """

    @wraps(view)
    async def endpoint(request: Request) -> Response:
        desk, topic = await desk_and_topic(request)
        overview = await overviews_of(desk).get(topic)
        if overview is None:
            count = (await desk.topics()).get(topic, 0)
            answer = render(request, "trends/loading.html", 503, topic=topic, count=count)
            answer.headers["Refresh"] = "2"
            answer.headers["Retry-After"] = "2"
            return answer
        return await view(request, topic, overview)

    return endpoint
