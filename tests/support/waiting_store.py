"""A store that waits for ever when it is opened, to catch a process at work."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Self


class WaitingStore:
    """Writes a line to the named pipe of its address when it is opened, and waits."""

    def __init__(self, pipe: Path) -> None:
        self._pipe = pipe

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(Path(uri.partition("://")[2]))

    async def open(self) -> None:
        with self._pipe.open("w") as stream:
            stream.write("open\n")
        await asyncio.Event().wait()
