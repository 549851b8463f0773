"""The right to change the stories of a topic: at most one process has it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self

from topiccrawl.store.contract import StoreUnavailable
from topiccrawl.store.stories import StoryStore

#: Seconds after which another process may settle if this one is killed (a choice: a piece takes a second).
TERM_SECONDS: Final = 15.0
#: Seconds between two questions whether it may settle now (a choice).
_ASK_SECONDS: Final = 0.5


class SettlingRight:
    """The right to change the stories of a topic, while it is needed."""

    def __init__(
        self, store: StoryStore, topic: str, patience: float, may_go_on: Callable[[], bool]
    ) -> None:
        self._store = store
        self._topic = topic
        self._owner = secrets.token_hex(8)
        self._until = time.monotonic() + patience
        self._may_go_on = may_go_on
        self.taken = False
        self.refused = False

    async def __aenter__(self) -> Self:
        return self

    async def take(self) -> bool:
        """Wait for the right; return whether this process has it now."""
        while not await self.kept():
            if time.monotonic() >= self._until or not self._may_go_on():
                return False
            await asyncio.sleep(_ASK_SECONDS)
        self.taken = True
        return True

    async def kept(self) -> bool:
        """Return whether this process has the right, from now on for :data:`TERM_SECONDS`."""
        kept = await self._store.lease_settling(self._topic, self._owner, TERM_SECONDS)
        self.refused = not kept
        return kept

    async def __aexit__(self, *error: object) -> None:
        if self.taken:
            # Else it ends by itself.
            with suppress(StoreUnavailable):
                await self._store.lease_settling(self._topic, self._owner, 0)
