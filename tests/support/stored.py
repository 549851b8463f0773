"""What a crawl or a command has left in a store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from topiccrawl.store.contract import Store
from topiccrawl.store.factory import open_store

Found = TypeVar("Found")


def from_store(uri: str, read: Callable[[Store], Awaitable[Found]]) -> Found:
    """Return what *read* finds in the store, opened for reading."""

    async def opened() -> Found:
        store = open_store(uri, read_only=True)
        await store.open()
        try:
            return await read(store)
        finally:
            await store.close()

    return asyncio.run(opened())
