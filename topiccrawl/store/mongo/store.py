"""The MongoDB store: one database, a collection for each kind of record.

Documents are keyed by ``_id`` = :func:`~topiccrawl.store.contract.record_id`, so that every upsert
is a lookup by primary key.  A page's HTML is part of its document and left out of lists.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Final, Self, Unpack

from pymongo import DeleteOne, UpdateOne

from topiccrawl.language import _
from topiccrawl.store.contract import PageOrder, Store, TopicSize
from topiccrawl.store.fields import Document
from topiccrawl.store.mongo import stories, texts
from topiccrawl.store.mongo.connection import NO_HTML, NO_TOKENS, Request, replacement
from topiccrawl.store.mongo.desk import MongoDesk, touched
from topiccrawl.store.mongo.documents import fitted, to_mongo
from topiccrawl.store.mongo.errors import translated
from topiccrawl.store.mongo.judgments import MongoJudgments
from topiccrawl.store.mongo.search import MongoSearch, searchable
from topiccrawl.store.mongo.setup import COMPARED_ORDER, ORDERS, OUTCOME_ORDER, RUN_ORDER
from topiccrawl.store.mongo.visits import MongoVisits
from topiccrawl.store.records import (
    OUTCOMES,
    PAGES,
    RECORD_TYPES,
    RUNS,
    VISITS,
    NearMissRecord,
    OtherRecords,
    OutcomeRecord,
    PageRecord,
    RunRecord,
    newest_documents,
    record_id,
)
from topiccrawl.store.stories import Membership, Merged, StoredStory, StoryOrder, in_story_order
from topiccrawl.store.uri import mongo_database

logger = logging.getLogger(__name__)

#: Collections of the records of a topic; the runs, which make the topic known, last.
_KINDS: Final = (*(it.name for it in reversed(RECORD_TYPES) if it is not RUNS), RUNS.name)
#: Collections that are written before pages, so that nothing is missing at any time: all that have no later place.
_BEFORE_PAGES: Final = tuple(
    it.name for it in RECORD_TYPES if it not in (PAGES, OUTCOMES, RUNS, VISITS)
)


class MongoStore(MongoSearch, MongoDesk, MongoVisits, MongoJudgments, Store):
    """A store in the database *database* of the server at *uri*.

    With *read_only* no database, collection or index is created.  ``html_dropped`` counts the pages
    whose HTML was left out because the document would have exceeded MongoDB's limit.
    """

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(uri, mongo_database(uri), read_only=read_only)

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        **others: Unpack[OtherRecords],
    ) -> None:
        """Upsert all records, acknowledged by the majority and its journal when this returns.

        Pages are written before outcomes, so that there is no outcome ``stored`` without its page,
        and before their near misses are deleted, so that neither is missing at any time.  Copies are
        written after other pages, versions before pages and visits last.
        """
        self._check_writable()
        collection = self._collection("pages")
        with translated(self.address):
            found = newest_documents(
                pages=pages, outcomes=outcomes, runs=runs, near_misses=near_misses, **others
            )
            given = found["pages"]
            merged = await stories.merge(collection.database, given)
            # Of the texts as they were given: those of copies are packed.
            search = await asyncio.to_thread(_searchable, given) if given else []
            documents = [
                self._fitted({**to_mongo(it.document), "search": fields, **touched()})
                for it, fields in zip(merged, search, strict=True)
            ]
            copies = [it for it in documents if it["copy_of"]]
            written = await self._outcomes([to_mongo(it) for it in found["outcomes"]])
            await stories.reopen_left(collection, merged)
            for name in _BEFORE_PAGES:
                await self._write(name, map(to_mongo, found[name]))
            await self._write("pages", (it for it in documents if not it["copy_of"]))
            await self._write("pages", await stories.with_originals(collection, copies))
            # Once more, for what other workers did meanwhile.
            await stories.reopen_left(collection, merged)
            await stories.reopen_orphans(
                collection, dict.fromkeys((it["topic"], it["story"]) for it in copies)
            )
            await self._bulk("near_misses", [DeleteOne({"_id": it["_id"]}) for it in documents])
            await self._bulk("outcomes", written)
            await self._write("runs", map(to_mongo, found["runs"]))
            await self._pack(merged)
            await self._write_visits([to_mongo(it) for it in found["visits"]])

    async def pages(
        self,
        topic: str,
        *,
        order: PageOrder = "fetched",
        limit: int | None = None,
        with_html: bool = False,
        withdrawn: bool = False,
        copies: bool = False,
        since: datetime | None = None,
    ) -> AsyncIterator[PageRecord]:
        """Yield the kept or the *withdrawn* pages; pages written meanwhile may be among them."""
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}; got {order!r}")
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be >= 0 or None, got {limit}")
        if limit == 0:
            # For MongoDB 0 means no limit.
            return
        hidden = NO_TOKENS if with_html else NO_HTML
        keys = ORDERS[order]
        wanted: Document = {"topic": topic, "withdrawn_at": {"$ne": None} if withdrawn else None}
        if not withdrawn and not copies:
            wanted = _listed(topic)
        if since is not None:
            wanted = {**wanted, "$or": _since(since)}
        async for found in self._find_pages(wanted, keys, hidden, limit or 0):
            yield PAGES.record(found)

    async def page(self, topic: str, url: str) -> PageRecord | None:
        found = await self._one("pages", record_id(topic, url), NO_TOKENS)
        if found is None:
            return None
        await self._restore([found])
        return PAGES.record(found)

    async def pages_at(self, topic: str, urls: Sequence[str]) -> Sequence[PageRecord]:
        keys = [record_id(topic, url) for url in dict.fromkeys(urls)]
        wanted = {"_id": {"$in": keys}, "withdrawn_at": None}
        found = self._find_pages(wanted, ORDERS["fetched"], NO_HTML)
        return [PAGES.record(document) async for document in found]

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        found = await self._one("outcomes", record_id(topic, url))
        return None if found is None else OUTCOMES.record(found)

    async def outcomes(
        self, topic: str, *, run_id: str | None = None
    ) -> AsyncIterator[OutcomeRecord]:
        wanted = {"topic": topic} if run_id is None else {"topic": topic, "run_id": run_id}
        async for found in self._find("outcomes", wanted, OUTCOME_ORDER):
            yield OUTCOMES.record(found)

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        found = self._find("runs", {"topic": topic}, RUN_ORDER)
        return [RUNS.record(document) async for document in found]

    async def topics(self) -> Mapping[str, int]:
        pages = self._collection("pages")
        with translated(self.address, reading=True):
            known = dict.fromkeys(await self._collection("runs").distinct("topic"), 0)
            known.update(dict.fromkeys(await pages.distinct("topic"), 0))
            counts = await pages.aggregate(
                [
                    {"$match": _LISTED},
                    {"$group": {"_id": "$topic", "pages": {"$sum": 1}}},
                ]
            )
            known.update({found["_id"]: found["pages"] async for found in counts})
        return dict(sorted(known.items()))

    async def count(self, topic: str) -> int:
        with translated(self.address, reading=True):
            return await self._collection("pages").count_documents(_listed(topic))

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        shown = {"url": True, "title": True}
        async for found in self._find("pages", _listed(topic), ORDERS["fetched"], shown):
            yield found["url"], found["title"]

    async def sharing(
        self, topic: str, tokens: Sequence[int], *, most: int
    ) -> Mapping[int, Sequence[str]]:
        with translated(self.address, reading=True):
            return await stories.sharing(self._collection("pages"), topic, tokens, most)

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        if not url:
            return []
        wanted = {"topic": topic, "attached_to": url, "withdrawn_at": None}
        found = self._find_pages(wanted, [("url", 1)], NO_HTML)
        return [PAGES.record(document) async for document in found]

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        if not story:
            return []
        wanted = {"topic": topic, "story": story, "withdrawn_at": None}
        found = self._find_pages(wanted, ORDERS["fetched"], NO_HTML)
        return [PAGES.record(document) async for document in found]

    async def uncompared(
        self, topic: str, method: int, *, limit: int | None = None
    ) -> AsyncIterator[PageRecord]:
        if limit == 0:
            return
        wanted = _uncompared(topic, method)
        async for found in self._find_pages(wanted, COMPARED_ORDER, NO_HTML, limit or 0):
            yield PAGES.record(found)

    async def count_uncompared(self, topic: str, method: int) -> int:
        with translated(self.address, reading=True):
            return await self._collection("pages").count_documents(_uncompared(topic, method))

    async def set_relations(self, topic: str, relations: Mapping[str, Membership]) -> None:
        self._check_writable()
        with translated(self.address):
            await stories.set_relations(self._collection("pages").database, topic, relations)

    async def lease_settling(self, topic: str, owner: str, seconds: float) -> bool:
        self._check_writable()
        now = time.time()
        with translated(self.address):
            return await stories.lease_settling(
                self._collection("settling"), topic, owner, now + seconds, now
            )

    async def copies(self, topic: str) -> Mapping[str, int]:
        wanted = {
            "topic": topic,
            "withdrawn_at": None,
            "story": {"$gt": ""},
            "copy_of": {"$gt": ""},
        }
        with translated(self.address, reading=True):
            found = await self._collection("pages").aggregate(
                [{"$match": wanted}, {"$group": {"_id": "$story", "copies": {"$sum": 1}}}]
            )
            return {it["_id"]: it["copies"] async for it in found}

    async def stories(
        self, topic: str, *, order: StoryOrder = "size", least: int = 2, limit: int | None = None
    ) -> AsyncIterator[StoredStory]:
        with translated(self.address, reading=True):
            found = await stories.stories(self._collection("pages"), topic, least)
        for story in in_story_order(found, order)[:limit]:
            yield story

    async def size(self, topic: str) -> TopicSize:
        with translated(self.address, reading=True):
            found = {
                name: await self._collection(name).count_documents({"topic": topic})
                for name in _KINDS
            }
            copies = await self._collection("pages").count_documents(
                {"topic": topic, "copy_of": {"$gt": ""}}
            )
        found["pages"] -= copies
        return TopicSize(**found, copies=copies)

    async def forget(self, topic: str) -> None:
        """Delete all records of *topic*; the runs last, because they make the topic known."""
        self._check_writable()
        with translated(self.address):
            for name in ("texts", *_KINDS):
                await self._collection(name).delete_many({"topic": topic})
            await self._collection("settling").delete_one({"_id": topic})

    def _fitted(self, document: Document) -> Document:
        document, dropped = fitted(document, self._limit)
        if dropped:
            self.html_dropped += 1
            logger.log(
                logging.WARNING if self.html_dropped == 1 else logging.DEBUG,
                _(
                    "%(url)s is stored without its HTML: the document would exceed MongoDB's %(limit)d"
                    " bytes (further ones are only counted)"
                ),
                {"url": document["url"], "limit": self._limit},
            )
        return document

    async def _outcomes(self, documents: Sequence[Document]) -> list[Request]:
        """Return the requests that write outcomes; ``queued`` replaces only another ``queued``.

        Known outcomes are looked up once for all of them, since nearly all queued links are new.
        The requests contain the condition themselves, so that a verdict that another worker writes
        in between is not replaced.
        """
        queued = [it["_id"] for it in documents if it["verdict"] == "queued"]
        known: set[str] = set()
        if queued:
            with translated(self.address):
                cursor = self._collection("outcomes").find({"_id": {"$in": queued}}, {"_id": True})
                async with cursor:
                    known = {found["_id"] async for found in cursor}
        return [_outcome(it, known=it["_id"] in known) for it in documents]

    async def _pack(self, written: Sequence[Merged]) -> None:
        """Pack the texts of the copies among the pages that were *written*."""
        topics: dict[str, dict[str, str]] = {}
        for document in (it.document for it in written):
            if document["copy_of"] and document["body"]:
                originals = topics.setdefault(document["topic"], {})
                originals[document["_id"]] = record_id(document["topic"], document["copy_of"])
        for topic, originals in topics.items():
            await texts.pack(self._collection("pages").database, topic, originals)


#: Condition of the pages in lists; documents of older formats lack the fields.
_LISTED: Final = {"withdrawn_at": None, "copy_of": {"$in": ["", None]}}


def _listed(topic: str) -> Document:
    """Return the filter of the kept pages of *topic* that are not copies."""
    return {"topic": topic, **_LISTED}


def _since(moment: datetime) -> list[Document]:
    """Return the conditions of which one holds for a page that is new, changed or gone since then."""
    later = {"$gte": moment}
    return [
        {"first_seen": later},
        # Pages of older formats have no first_seen.
        {"first_seen": None, "fetched_at": later},
        {"changed_at": later},
        {"gone_at": later},
    ]


def _searchable(documents: Sequence[Document]) -> list[Document]:
    """Return the field ``search`` of each page: 0.3 ms for 1,000 characters (2026-11)."""
    return [searchable(it["title"], it["body"]) for it in documents]


def _uncompared(topic: str, method: int) -> Document:
    """Return the filter of the kept pages of *topic* that were not compared by *method*."""
    return {"topic": topic, "withdrawn_at": None, "compared": {"$ne": method}}


def _outcome(document: Document, *, known: bool) -> Request:
    if document["verdict"] != "queued":
        return replacement(document)
    fields = {name: value for name, value in document.items() if name != "_id"}
    if known:
        return UpdateOne({"_id": document["_id"], "verdict": "queued"}, {"$set": fields})
    return UpdateOne({"_id": document["_id"]}, {"$setOnInsert": fields}, upsert=True)
