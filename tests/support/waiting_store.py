"""A store that waits for ever when it is opened, to catch a process at work."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Self

from tests.support.store_memory import MemoryStore


class WaitingStore(MemoryStore):
    """Writes a line to the named pipe of its address when it is opened, and waits."""

    def __init__(self, pipe: Path) -> None:
        super().__init__(defaultdict(dict), read_only=True)
        self._pipe = pipe

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(Path(uri.partition("://")[2]))

    async def open(self) -> None:
        with self._pipe.open("w") as stream:
            stream.write("open\n")
        await asyncio.Event().wait()
