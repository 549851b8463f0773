"""What the views share: the store, the project's settings, the clock, and whether they may write."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from topiccrawl.commandline.errors import as_given
from topiccrawl.console.paths import topic_named
from topiccrawl.language import _
from topiccrawl.store.factory import open_store
from topiccrawl.store.sqlite.file import lock_patience
from topiccrawl.store.uri import shown
from topiccrawl.text.numerals import natural_key

if TYPE_CHECKING:
    from datetime import datetime

    from scrapy.settings import Settings
    from starlette.requests import HTTPConnection

    from topiccrawl.console.config import ConsoleConfig
    from topiccrawl.store.contract import Store

T = TypeVar("T")

#: Seconds for which the list of topics is not read again: every page shows it (a guess).
_TOPICS_SECONDS: Final = 2.0
#: Seconds that a form waits for the lock of the store (a choice: commits take milliseconds, and whoever
#: waits longer takes the console for dead).
PATIENCE_SECONDS: Final = 4.0


class UnknownTopic(LookupError):  # noqa: N818 - an answer, not a fault
    """The store has no topic of this name."""


class Desk:
    """The shared state of one console: ``request.app.state.desk``."""

    def __init__(self, config: ConsoleConfig, store: Store | None = None) -> None:
        self.config = config
        with lock_patience(PATIENCE_SECONDS):
            self.store: Store = store or open_store(
                config.store_uri, read_only=not config.is_writable
            )
        self._shared: dict[str, Any] = {}
        self._topics: tuple[float, Mapping[str, int]] | None = None
        self._reading = asyncio.Lock()

    @property
    def is_writable(self) -> bool:
        """Whether the views may change anything: ``scrapy console --write``."""
        return self.config.is_writable

    @property
    def settings(self) -> Settings:
        """The settings of the project."""
        if self.config.settings is not None:
            return self.config.settings
        from scrapy.settings import Settings

        return self.shared("settings", Settings)

    @property
    def store_name(self) -> str:
        """The store's address without its password."""
        return shown(self.config.store_uri)

    def reason(self, error: Exception | str) -> str:
        """Return what *error* says, with the store named by what the user gave."""
        return as_given(str(error), self.config.options)

    def store_problem(self, error: Exception) -> str:
        """Return what the log says of a store that does not answer."""
        return _("the store does not answer: {error}").format(error=self.reason(error))

    def now(self) -> datetime:
        """Return the time, aware."""
        return self.config.clock()

    async def topics(self) -> Mapping[str, int]:
        """Return the number of kept pages of each topic, by name, at most two seconds old."""
        async with self._reading:
            if self._topics is None or time.monotonic() - self._topics[0] > _TOPICS_SECONDS:
                found = await self.store.topics()
                ordered = {name: found[name] for name in sorted(found, key=natural_key)}
                self._topics = (time.monotonic(), ordered)
            return self._topics[1]

    async def topic(self, written: str) -> str:
        """Return the topic of a path's part; raise :class:`UnknownTopic` if the store has none."""
        found = topic_named(written, await self.topics())
        if found is None:
            raise UnknownTopic(written)
        return found

    def shared(self, key: str, make: Callable[[], T]) -> T:
        """Return what *make* made at the first call with *key*: state that a view keeps."""
        if key not in self._shared:
            self._shared[key] = make()
        return cast("T", self._shared[key])


def desk_of(request: HTTPConnection) -> Desk:
    """Return the desk of a request."""
    return cast("Desk", request.app.state.desk)


async def desk_and_topic(request: HTTPConnection) -> tuple[Desk, str]:
    """Return the desk of a request and the topic of its path; raise :class:`UnknownTopic` without one."""
    desk = desk_of(request)
    return desk, await desk.topic(request.path_params["topic"])
