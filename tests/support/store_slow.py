"""A store that is slow to write: what a crawl does must not depend on it."""

from __future__ import annotations

import asyncio
from typing import Any, Self

from topiccrawl.store.sqlite.store import SQLiteStore

#: Longer than a crawl of the tests takes for some pages.
SECONDS = 1.0


class SlowStore(SQLiteStore):
    """Every batch takes a second longer."""

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(uri.partition("://")[2], read_only=read_only)

    async def write(self, *records: Any, **named: Any) -> None:
        await asyncio.sleep(SECONDS)
        await super().write(*records, **named)
