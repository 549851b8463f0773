"""Desk records, headlines and the deletion of pages in MongoDB."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from pymongo import DeleteOne, UpdateOne
from pymongo.errors import DuplicateKeyError

from topiccrawl.store.desk import DeskRecord, DeskStore, desk_id
from topiccrawl.store.fields import Document
from topiccrawl.store.headlines import (
    HEADLINE_FIELDS,
    PageHeadline,
    deleted_headline,
    deletion_outcome,
    headline,
    with_margin,
)
from topiccrawl.store.mongo.connection import MongoConnection, replacement
from topiccrawl.store.mongo.documents import to_mongo
from topiccrawl.store.mongo.errors import translated
from topiccrawl.store.mongo.setup import DESK_ORDER, ORDERS, OUTCOME_ORDER
from topiccrawl.store.reasons import DELETED
from topiccrawl.store.records import DESK, OUTCOMES, record_id
from topiccrawl.store.values import storable

#: Fields of a headline.
HEADLINE: Final[Mapping[str, bool]] = {"_id": True, **dict.fromkeys(HEADLINE_FIELDS, True)}


class MongoDesk(MongoConnection, DeskStore):
    """The part of the store that the desk needs."""

    async def headlines(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[PageHeadline]:
        """Yield the headlines of *topic*; pages written meanwhile may be among them."""
        wanted: dict[str, Any] = {"topic": storable(topic)}
        if since is None:
            wanted["withdrawn_at"] = None
        else:
            moment = with_margin(since)
            gone = {**wanted, "reason": DELETED, "at": {"$gte": moment}}
            async for it in self._find("outcomes", gone, OUTCOME_ORDER, {"url": True, "at": True}):
                if await self._one("pages", it["_id"], {"_id": True}) is None:
                    yield deleted_headline(topic, it["url"], it["at"])
            wanted["touched"] = {"$gte": moment}
        async for found in self._find("pages", wanted, ORDERS["fetched"], HEADLINE):
            yield headline(found)

    async def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        wanted: dict[str, Any] = {"topic": storable(topic), "kind": storable(kind)}
        if prefix:
            wanted["key"] = {"$regex": f"^{re.escape(storable(prefix))}"}
        found = [it async for it in self._find("desk", wanted, DESK_ORDER)]
        for it in found:
            yield DESK.record(it)

    async def desk_entry(self, topic: str, kind: str, key: str) -> DeskRecord | None:
        found = await self._one("desk", desk_id(topic, kind, key))
        return None if found is None else DESK.record(found)

    async def claim_desk(self, record: DeskRecord) -> bool:
        self._check_writable()
        with translated(self.address):
            try:
                await self._collection("desk").insert_one(to_mongo(DESK.document(record)))
            except DuplicateKeyError:
                return False
        return True

    async def delete_desk(self, topic: str, kind: str, keys: Sequence[str]) -> int:
        self._check_writable()
        deleted = 0
        with translated(self.address):
            for key in dict.fromkeys(keys):
                found = await self._collection("desk").delete_one(
                    {"_id": desk_id(topic, kind, key)}
                )
                deleted += found.deleted_count
        return deleted

    async def delete_pages(self, topic: str, urls: Sequence[str]) -> int:
        """Delete pages with all that is stored of them, page by page.

        The outcome is written first, so that an interrupted call leaves no page without it, and the page
        itself is deleted last, so that the call can be repeated.
        """
        self._check_writable()
        return sum([await self._delete_page(topic, url) for url in dict.fromkeys(urls)])

    async def _delete_page(self, topic: str, url: str) -> bool:
        key = record_id(topic, url)
        page = await self._one("pages", key, {"story": True, "base": True})
        missed = await self._one("near_misses", key, {"_id": True})
        if page is None and missed is None:
            return False
        outcome = OUTCOMES.document(deletion_outcome(topic, url))
        await self._bulk("outcomes", [replacement(to_mongo(outcome))])
        await self._release_others(topic, page or {})
        with translated(self.address):
            await self._collection("versions").delete_many(
                {"topic": storable(topic), "url": storable(url)}
            )
        # Last that by which a repeated call finds the page.
        for name in ("visits", "near_misses", "pages"):
            await self._bulk(name, [DeleteOne({"_id": key})])
        # Once more, for what other workers did meanwhile.
        await self._release_others(topic, page or {})
        if page is not None and "base" in page:
            with translated(self.address):
                await self._collection("texts").delete_one({"_id": page["base"]})
        return True

    async def _release_others(self, topic: str, page: Document) -> None:
        """Make other pages independent of *page*: their texts whole, and members of its story to be compared."""
        if "base" in page:
            await self._restore_neighbors(page["base"], page["_id"])
        if page.get("story"):
            members = {"topic": storable(topic), "story": page["story"], "withdrawn_at": None}
            with translated(self.address):
                await self._collection("pages").update_many(members, {"$set": {"compared": 0}})

    async def _restore_neighbors(self, base: str, key: str) -> None:
        """Store the texts whole that are differences to *base*, but that of the page *key*."""
        others = {"base": base, "_id": {"$ne": key}}
        shown = {"body": True, "base": True, "difference": True}
        found = [it async for it in self._find("pages", others, ORDERS["fetched"], shown)]
        await self._restore(found)
        await self._bulk(
            "pages",
            [
                UpdateOne(
                    {"_id": it["_id"], "base": base},
                    {"$set": {"body": it["body"]}, "$unset": {"base": "", "difference": ""}},
                )
                for it in found
            ],
        )


def touched() -> dict[str, datetime]:
    """Return the field that marks a headline as changed now."""
    return {"touched": datetime.now(UTC)}
