"""Visits of pages and their former versions in MongoDB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from pymongo import DeleteOne, UpdateOne

from topiccrawl.store.fields import Document
from topiccrawl.store.mongo.connection import MongoConnection, Request
from topiccrawl.store.mongo.desk import touched
from topiccrawl.store.mongo.setup import VERSION_ORDER, VISIT_ORDER
from topiccrawl.store.records import VERSIONS, VISITS, VersionRecord, VisitRecord, record_id
from topiccrawl.store.values import storable
from topiccrawl.store.versions import surplus_versions
from topiccrawl.store.visits import VisitStore


class MongoVisits(MongoConnection, VisitStore):
    """The methods of the store for visits and former versions."""

    async def visits(self, topic: str) -> AsyncIterator[VisitRecord]:
        async for found in self._find("visits", {"topic": topic}, VISIT_ORDER):
            yield VISITS.record(found)

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        found = await self._one("visits", record_id(topic, url))
        return None if found is None else VISITS.record(found)

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        found = self._find("versions", {"topic": topic, "url": storable(url)}, VERSION_ORDER)
        return [VERSIONS.record(document) async for document in found]

    async def changes(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[tuple[str, datetime]]:
        wanted: Document = {"topic": topic}
        if since is not None:
            wanted["replaced_at"] = {"$gte": since}
        shown = {"url": True, "replaced_at": True}
        async for found in self._find("versions", wanted, VERSION_ORDER, shown):
            yield found["url"], found["replaced_at"]

    async def trim_versions(self, topic: str, url: str, most: int) -> int:
        self._check_writable()
        wanted = {"topic": topic, "url": storable(url)}
        shown = {"replaced_at": True}
        found = [it async for it in self._find("versions", wanted, VERSION_ORDER, shown)]
        surplus = surplus_versions([it["replaced_at"].timestamp() for it in found], most)
        await self._bulk("versions", [DeleteOne({"_id": found[it]["_id"]}) for it in surplus])
        return len(surplus)

    async def _write_visits(self, documents: Sequence[Document]) -> None:
        times = [{key: it[key] for key in ("changed_at", "gone_at")} for it in documents]
        pages: list[Request] = [
            UpdateOne({"_id": it["_id"]}, {"$set": {**them, **touched()}})
            for it, them in zip(documents, times, strict=True)
        ]
        await self._bulk("pages", pages)
        await self._write("visits", documents)
