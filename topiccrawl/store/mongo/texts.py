"""Texts of copies in MongoDB; see :mod:`topiccrawl.store.texts`.

A page whose text is packed has an empty ``body``, the key of a document of the collection ``texts`` in
``base``, and the ``difference`` to its text.  A base is written before what refers to it, and never
changed or deleted but with its topic: another worker may be about to refer to it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pymongo import UpdateOne

from topiccrawl.language import _
from topiccrawl.store.mongo.bulk import write_bulk
from topiccrawl.store.texts import difference, restored, text_key
from topiccrawl.store.values import DAMAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pymongo.asynchronous.database import AsyncDatabase

    from topiccrawl.store.fields import Document

    Database = AsyncDatabase[Document]

logger = logging.getLogger(__name__)


async def restore(database: Database, documents: Sequence[Document]) -> None:
    """Set the body of each of the *documents* to the whole text; one that is damaged stays empty."""
    packed = [it for it in documents if "base" in it]
    if not packed:
        return
    bases = await _bases(database, (it["base"] for it in packed))
    for document in packed:
        base, found = document.pop("base"), document.pop("difference", None)
        try:
            document["body"] = restored(found, bases.get(base))
        except DAMAGE as error:
            logger.warning(
                _("The text of %(url)s cannot be read: %(error)s"),
                {"url": document.get("url", document["_id"]), "error": error},
            )


async def pack(database: Database, topic: str, originals: Mapping[str, str]) -> None:
    """Store the texts of pages as their differences to those of their *originals*, ids by id.

    Nothing changes where that takes more room, where the text is packed already, or where the original
    is not stored.
    """
    wanted = {*originals, *originals.values()}
    shown = {"body": True, "base": True}
    found = {}
    if wanted:
        async with database["pages"].find({"_id": {"$in": list(wanted)}}, shown) as cursor:
            found = {it["_id"]: it async for it in cursor}
    bases = await _bases(database, (it["base"] for it in found.values() if "base" in it))
    new, pages = {}, []
    for key, original in originals.items():
        page, other = found.get(key), found.get(original)
        if page is None or other is None or key == original or not page["body"]:
            continue
        # No chains: the original's own base is the base of both.
        base = bases.get(other["base"]) if "base" in other else other["body"]
        packed = difference(page["body"], base) if base else None
        if packed is None or base is None:
            continue
        base_key = other["base"] if "base" in other else text_key(topic, base).hex()
        if "base" not in other:
            new[base_key] = base
            pages.append(_replacement(original, base, base_key, b""))
        pages.append(_replacement(key, page["body"], base_key, packed))
    added = [
        UpdateOne({"_id": key}, {"$setOnInsert": {"topic": topic, "text": text}}, upsert=True)
        for key, text in new.items()
    ]
    await write_bulk(database["texts"], added)
    await write_bulk(database["pages"], pages)


async def _bases(database: Database, keys: Iterable[str]) -> dict[str, str]:
    """Return the base texts by key, those that exist."""
    wanted = list(set(keys))
    if not wanted:
        return {}
    async with database["texts"].find({"_id": {"$in": wanted}}) as cursor:
        return {it["_id"]: it["text"] async for it in cursor}


def _replacement(key: str, text: str, base: str, found: bytes) -> UpdateOne:
    """Return the update of a page that still has this *text*: it may have been written in between."""
    packed = {"body": "", "base": base, "difference": found}
    return UpdateOne({"_id": key, "body": text}, {"$set": packed})
