"""Stores that fail on demand, and keep what they are given in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from topiccrawl.store.contract import (
    NearMissRecord,
    OutcomeRecord,
    PageRecord,
    PageStanding,
    RecordRejected,
    RunRecord,
    StoreUnavailable,
    VersionRecord,
    VisitRecord,
)
from topiccrawl.store.desk import DeskRecord


class FlakyStore:
    """The writing half of a store.  *away* makes it unreachable, *poison* refuses titles."""

    def __init__(self, *, away: bool = False, poison: frozenset[str] = frozenset()) -> None:
        self.away = away
        self.poison = poison
        self.pages: dict[str, PageRecord] = {}
        self.outcomes: list[OutcomeRecord] = []
        self.run_records: list[RunRecord] = []
        self.near_misses: list[NearMissRecord] = []
        self.visit_records: list[VisitRecord] = []
        self.version_records: list[VersionRecord] = []
        self.batches: list[int] = []
        self.attempts = 0
        self.back_at_attempt: int | None = None
        self.gate: asyncio.Event | None = None
        self.is_open = False

    async def open(self) -> None:
        self.is_open = True

    async def close(self) -> None:
        self.is_open = False

    async def topics(self) -> dict[str, int]:
        return {}

    async def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        for record in ():
            yield record

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        visits: Sequence[VisitRecord] = (),
        versions: Sequence[VersionRecord] = (),
    ) -> None:
        assert self.is_open
        self.attempts += 1
        if self.gate is not None:
            await self.gate.wait()
        if self.back_at_attempt is not None and self.attempts >= self.back_at_attempt:
            self.away = False
        if self.away:
            raise StoreUnavailable("gone")
        bad = [page.url for page in pages if page.title in self.poison]
        if bad:
            raise RecordRejected(f"poison: {bad}")
        kinds: list[Sequence[object]] = [pages, outcomes, runs, near_misses, visits, versions]
        self.batches.append(sum(map(len, kinds)))
        self.pages.update({page.id: page for page in pages})
        self.outcomes.extend(outcomes)
        self.run_records.extend(runs)
        self.near_misses.extend(near_misses)
        self.visit_records.extend(visits)
        self.version_records.extend(versions)

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        """No titles of earlier runs."""
        for page in ():
            yield page

    async def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        """Nothing of earlier runs."""
        for standing in ():
            yield standing

    async def runs(self, topic: str) -> list[RunRecord]:
        """Nothing of earlier runs."""
        return []

    async def trim_near_misses(self, topic: str, most: int) -> int:
        """Keep all of them."""
        return 0

    def urls(self) -> list[str]:
        """URLs of the pages in the order they first arrived."""
        return [page.url for page in self.pages.values()]

    async def uncompared(
        self, topic: str, method: int, *, limit: int | None = None
    ) -> AsyncIterator[PageRecord]:
        """No pages to compare."""
        for page in ():
            yield page

    async def count_uncompared(self, topic: str, method: int) -> int:
        """No pages to compare."""
        return 0

    async def sharing(
        self, topic: str, tokens: Sequence[int], *, most: int
    ) -> Mapping[int, Sequence[str]]:
        """No pages with these tokens."""
        return {}
