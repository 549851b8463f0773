"""Stories, tokens and what is to be compared in MongoDB.

Every update is of one document, so that an interrupted call leaves documents that are each as they
were or as they should be.  What depends on several documents is repaired by ``compared`` = 0.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from pymongo import UpdateMany, UpdateOne
from pymongo.errors import DuplicateKeyError

from topiccrawl.steps import pieces
from topiccrawl.store.mongo import texts
from topiccrawl.store.mongo.bulk import write_bulk
from topiccrawl.store.mongo.documents import from_mongo
from topiccrawl.store.mongo.setup import ORDERS
from topiccrawl.store.records import PAGES, record_id
from topiccrawl.store.stories import (
    COMPARISON,
    LONGEST_RIGHT_SECONDS,
    Membership,
    Merged,
    StoredStory,
    membership_fields,
    merged,
    topic_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pymongo.asynchronous.collection import AsyncCollection
    from pymongo.asynchronous.database import AsyncDatabase

    from topiccrawl.store.fields import Document

    Database = AsyncDatabase[Document]
    Pages = AsyncCollection[Document]

_KNOWN: Final = (
    "title",
    "body",
    "withdrawn_at",
    "fetched_at",
    "first_seen",
    "changed_at",
    "tokens",
    "base",
    "difference",
    *COMPARISON,
)
#: Stored forms of the fields that documents of older formats lack.
_DEFAULTS: Final = {field.key: field.stored_default for field in PAGES.fields if not field.required}

#: Hits of one query for all tokens, as a multiple of those wanted of one token.  A page has few tokens in
#: common with others, so that one query nearly always finds everything.  A guess.
_HITS: Final = 4

_REOPENED: Final = {"$set": {"compared": 0}}

#: Stories whose members are read at a time.
_STORIES_AT_ONCE: Final = 500


async def merge(database: Database, documents: Sequence[Document]) -> list[Merged]:
    """Return what is to be written of the pages in *documents*, with tokens and texts as stored."""
    keys = [it["_id"] for it in documents]
    shown = dict.fromkeys(_KNOWN, True)
    known: dict[str, Document] = {}
    if keys:
        async with database["pages"].find({"_id": {"$in": keys}}, shown) as cursor:
            async for found in cursor:
                known[found["_id"]] = {**_DEFAULTS, **from_mongo(found)}
    packed = {
        key: {"body": "", "base": it["base"], "difference": it["difference"]}
        for key, it in known.items()
        if "base" in it
    }
    await texts.restore(database, list(known.values()))
    results = []
    for document in documents:
        key = document["_id"]
        old = known.get(key)
        result = merged(document, old)
        tokens = topic_tokens(document["topic"], document["tokens"])
        if old is not None and not result.new_tokens:
            tokens = old["tokens"]
        text = packed.get(key, {}) if result.same else {}
        results.append(replace(result, document={**result.document, "tokens": tokens, **text}))
    return results


async def reopen_left(pages: Pages, merged: Iterable[Merged]) -> None:
    """Have the other members compared again of the stories that pages to be written leave."""
    updates = []
    for it in merged:
        if it.left:
            topic, key = it.document["topic"], it.document["_id"]
            others = {**_members(topic, it.left), "_id": {"$ne": key}, "compared": {"$ne": 0}}
            updates.append(UpdateMany(others, _REOPENED))
    await write_bulk(pages, updates)


async def with_originals(pages: Pages, copies: Sequence[Document]) -> list[Document]:
    """Return the documents of *copies*; those that must be compared because they lack their original."""
    found = []
    for topic in dict.fromkeys(it["topic"] for it in copies):
        of_topic = [it for it in copies if it["topic"] == topic]
        heads = await _heads(pages, topic, {it["copy_of"] for it in of_topic})
        found += [it if it["copy_of"] in heads else {**it, "compared": 0} for it in of_topic]
    return found


async def reopen_orphans(pages: Pages, stories: Iterable[tuple[str, str]]) -> None:
    """Have the members compared again whose ``copy_of`` is not a kept page, or is a copy itself.

    *stories* are pairs of topic and story.  Repeating it does no harm.
    """
    shown = {"url": True, "copy_of": True}
    updates = []
    for topic, story in stories:
        wanted = {**_members(topic, story), "copy_of": {"$gt": ""}, "compared": {"$ne": 0}}
        async with pages.find(wanted, shown) as cursor:
            copies = await cursor.to_list() if story else []
        heads = await _heads(pages, topic, {it["copy_of"] for it in copies})
        updates += [
            UpdateOne({"_id": it["_id"], "copy_of": it["copy_of"]}, _REOPENED)
            for it in copies
            if it["copy_of"] not in heads
        ]
    await write_bulk(pages, updates)


async def lease_settling(
    collection: AsyncCollection[Document], topic: str, owner: str, until: float, now: float
) -> bool:
    """Take or keep the right to change the stories of *topic*; return whether *owner* has it."""
    over = [{"until": {"$lte": now}}, {"until": {"$gt": now + LONGEST_RIGHT_SECONDS}}]
    free = {"_id": topic, "$or": [{"owner": owner}, *over]}
    changed = await collection.update_one(free, {"$set": {"owner": owner, "until": until}})
    if changed.matched_count:
        return True
    try:
        await collection.insert_one({"_id": topic, "owner": owner, "until": until})
    except DuplicateKeyError:
        return False
    return True


async def set_relations(
    database: Database, topic: str, relations: Mapping[str, Membership]
) -> None:
    """Set what a comparison found of pages: first the representatives, last the copies of others.

    In between, who named one of the new copies as the original is reopened, so that an interrupted call
    leaves no copy without its original.
    """
    pages = database["pages"]
    keys = {record_id(topic, url): it for url, it in relations.items()}
    shown = {"content_hash": True, "story": True, "url": True}
    heads: list[Document] = []
    copies: list[Document] = []
    stories: dict[tuple[str, str], bool] = {}
    async with pages.find({"_id": {"$in": list(keys)}}, shown) as cursor:
        async for found in cursor:
            membership = keys[found["_id"]]
            if membership.content_hash not in (None, found["content_hash"]):
                continue
            fields = {**found, "topic": topic, **membership_fields(membership)}
            if membership.tokens is not None:
                fields["tokens"] = topic_tokens(topic, membership.tokens)
            (copies if membership.copy_of else heads).append(fields)
            stories[topic, found.get("story", "")] = stories[topic, fields["story"]] = True
    await _set(pages, heads)
    if copies:
        named = {
            "topic": topic,
            "story": {"$in": [story for _, story in stories]},
            "copy_of": {"$in": [it["url"] for it in copies]},
        }
        await pages.update_many(named, _REOPENED)
        await _set(pages, await with_originals(pages, copies))
    await reopen_orphans(pages, stories)
    copies_of = {it["_id"]: record_id(topic, it["copy_of"]) for it in copies}
    await texts.pack(database, topic, copies_of)


async def _set(pages: Pages, documents: Sequence[Document]) -> None:
    """Set the fields in *documents*, where the body is still the one that was compared."""
    updates = []
    for it in documents:
        wanted = {"_id": it["_id"], "content_hash": it["content_hash"]}
        fields = {name: it[name] for name in (*COMPARISON, "tokens") if name in it}
        updates.append(UpdateOne(wanted, {"$set": {**fields, "touched": datetime.now(UTC)}}))
    await write_bulk(pages, updates)


async def _heads(pages: Pages, topic: str, urls: Iterable[str]) -> set[str]:
    """Return those of *urls* that are kept pages and no copies."""
    keys = [record_id(topic, url) for url in urls]
    if not keys:
        return set()
    wanted = {"_id": {"$in": keys}, "withdrawn_at": None, "copy_of": {"$in": ["", None]}}
    async with pages.find(wanted, {"url": True}) as cursor:
        return {it["url"] async for it in cursor}


async def sharing(
    pages: Pages, topic: str, tokens: Sequence[int], most: int
) -> dict[int, list[str]]:
    """Return the URLs of kept pages by token, at most ``most + 1`` each."""
    given = list(dict.fromkeys(tokens))
    stored = topic_tokens(topic, given)
    names = dict(zip(stored, given, strict=True))
    found: dict[int, list[str]] = {}
    hits = await _having(pages, topic, {"$in": stored}, _HITS * (most + 1), with_tokens=True)
    if len(hits) < _HITS * (most + 1):
        for hit in hits:
            for token in names.keys() & set(hit["tokens"]):
                found.setdefault(names[token], []).append(hit["url"])
        return {token: urls[: most + 1] for token, urls in found.items()}
    answers = await asyncio.gather(*(_having(pages, topic, it, most + 1) for it in stored))
    return {
        token: [hit["url"] for hit in answer]
        for token, answer in zip(given, answers, strict=True)
        if answer
    }


async def stories(pages: Pages, topic: str, least: int) -> list[StoredStory]:
    """Return the stories of *topic* with at least *least* members, in no order."""
    kept = {"topic": topic, "withdrawn_at": None, "story": {"$gt": ""}}
    # FerretDB has no other accumulator than a sum: the members of larger stories are read.
    count: list[Mapping[str, Any]] = [
        {"$match": kept},
        {"$group": {"_id": "$story", "members": {"$sum": 1}}},
        {"$match": {"members": {"$gte": least}}},
    ]
    async with await pages.aggregate(count) as cursor:
        wanted = [it["_id"] async for it in cursor]
    shown = dict.fromkeys(("story", "copy_of", "fetched_at", "url", "title"), True)
    found = []
    for piece in pieces(wanted, _STORIES_AT_ONCE):
        chosen = {**kept, "story": {"$in": piece}}
        members: dict[str, list[Document]] = {}
        async with pages.find(chosen, shown, sort=ORDERS["fetched"]) as cursor:
            async for it in cursor:
                members.setdefault(it["story"], []).append(it)
        found += [_stored_story(story, them) for story, them in members.items()]
    return found


def _stored_story(story: str, members: Sequence[Document]) -> StoredStory:
    """Return the story with these *members*, which are in order of their fetching."""
    led = next((it for it in members if not it["copy_of"]), {"url": "", "title": ""})
    first, last = members[0]["fetched_at"], members[-1]["fetched_at"]
    return StoredStory(story, len(members), led["url"], led["title"], first, last)


def _members(topic: str, story: str) -> Document:
    return {"topic": topic, "story": story, "withdrawn_at": None}


async def _having(
    pages: Pages, topic: str, wanted: object, limit: int, *, with_tokens: bool = False
) -> list[Document]:
    """Return at most *limit* kept pages with *wanted* tokens."""
    conditions = {"tokens": wanted, "topic": topic, "withdrawn_at": None}
    shown = {"url": True, "tokens": True} if with_tokens else {"url": True}
    async with pages.find(conditions, shown, limit=limit) as cursor:
        return await cursor.to_list()
