"""Judgments of pages, and near misses, in MongoDB."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from pymongo import DeleteOne, UpdateOne

from topiccrawl.store.contract import PageStanding, Standing
from topiccrawl.store.mongo.connection import MongoConnection, Request
from topiccrawl.store.mongo.desk import touched
from topiccrawl.store.mongo.documents import to_mongo
from topiccrawl.store.mongo.errors import translated
from topiccrawl.store.mongo.setup import NEAR_MISS_ORDER, ORDERS
from topiccrawl.store.near_misses import NearMissStore
from topiccrawl.store.records import (
    NEAR_MISSES,
    NearMissRecord,
    PageJudgment,
    judgment_fields,
    record_id,
)


class MongoJudgments(MongoConnection, NearMissStore):
    """The methods of the store for judgments and near misses."""

    async def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        shown = {"url": True, "probability": True, "withdrawn_at": True}
        async for found in self._find("near_misses", {"topic": topic}, NEAR_MISS_ORDER, shown):
            yield PageStanding(found["url"], "near-miss", found["probability"])
        async for found in self._find("pages", {"topic": topic}, ORDERS["fetched"], shown):
            standing: Standing = "kept" if found.get("withdrawn_at") is None else "withdrawn"
            yield PageStanding(found["url"], standing, found.get("probability"))

    async def near_miss(self, topic: str, url: str) -> NearMissRecord | None:
        found = await self._one("near_misses", record_id(topic, url))
        return None if found is None else NEAR_MISSES.record(found)

    async def near_misses(self, topic: str) -> AsyncIterator[NearMissRecord]:
        async for found in self._find("near_misses", {"topic": topic}, NEAR_MISS_ORDER):
            yield NEAR_MISSES.record(found)

    async def set_judgments(self, topic: str, judgments: Mapping[str, PageJudgment]) -> None:
        self._check_writable()
        documents = {record_id(topic, url): judgment_fields(it) for url, it in judgments.items()}
        if not documents:
            return
        outcomes: list[Request] = [
            UpdateOne({"_id": id_}, {"$set": to_mongo(document)})
            for id_, document in documents.items()
        ]
        pages: list[Request] = [
            UpdateOne({"_id": id_}, {"$set": {"probability": document["probability"], **touched()}})
            for id_, document in documents.items()
        ]
        missed: list[Request] = [
            UpdateOne({"_id": id_}, {"$set": {"probability": document["probability"]}})
            for id_, document in documents.items()
        ]
        for name, requests in (("near_misses", missed), ("pages", pages), ("outcomes", outcomes)):
            await self._bulk(name, requests)

    async def trim_near_misses(self, topic: str, most: int) -> int:
        self._check_writable()
        collection = self._collection("near_misses")
        with translated(self.address):
            found = collection.find(
                {"topic": topic}, {"_id": True}, sort=NEAR_MISS_ORDER, skip=most
            )
            async with found:
                surplus = [document["_id"] async for document in found]
        await self._bulk("near_misses", [DeleteOne({"_id": key}) for key in surplus])
        return len(surplus)
