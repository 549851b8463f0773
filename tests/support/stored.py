"""What a crawl or a command has left in a store, and what a test puts there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from topiccrawl.store.contract import Store
from topiccrawl.store.factory import opened_store

T = TypeVar("T")


def from_store(uri: str, read: Callable[[Store], Awaitable[T]]) -> T:
    """Return what *read* finds in the store, opened for reading."""
    return _with_store(uri, read, read_only=True)


def in_store(uri: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Return what *work* makes of the store, which is created if there is none."""
    return _with_store(uri, work, read_only=False)


def _with_store(uri: str, work: Callable[[Store], Awaitable[T]], *, read_only: bool) -> T:
    async def worked() -> T:
        async with opened_store(uri, read_only=read_only) as store:
            return await work(store)

    return asyncio.run(worked())
