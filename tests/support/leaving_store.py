"""A store that goes away when it is to write its first page, and does not come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from topiccrawl.store.contract import PageRecord, StoreUnavailable
from topiccrawl.store.sqlite.store import SQLiteStore


class LeavingStore(SQLiteStore):
    """``tests.support.leaving_store.LeavingStore://PATH``."""

    gone = False

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        store = cls(uri.partition("://")[2], read_only=read_only)
        store.gone = read_only
        return store

    async def open(self) -> None:
        if self.gone:
            raise StoreUnavailable("gone")
        await super().open()

    async def write(self, pages: Sequence[PageRecord] = (), *others: Any, **named: Any) -> None:
        self.gone = self.gone or bool(pages)
        if self.gone:
            raise StoreUnavailable("gone")
        await super().write(pages, *others, **named)


class ReadableStore(LeavingStore):
    """``tests.support.leaving_store.ReadableStore://PATH``: reading still works, as on a busy server."""

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(uri.partition("://")[2], read_only=read_only)
