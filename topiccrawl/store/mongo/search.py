"""Search in MongoDB: folded texts in the documents of the pages, found by their characters.

The field ``search`` of a page has its folded title and text, and each of its characters once, in an
index.  A regular expression then looks for the phrase in the pages that have all of its characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymongo import UpdateOne

from topiccrawl.store.entries import VERSION
from topiccrawl.store.fields import Document
from topiccrawl.store.headlines import PageHeadline, headline
from topiccrawl.store.mongo.connection import NO_HTML, MongoConnection
from topiccrawl.store.mongo.desk import HEADLINE
from topiccrawl.store.mongo.errors import translated
from topiccrawl.store.mongo.setup import ORDERS
from topiccrawl.store.search import (
    FACETS,
    Hit,
    SearchQuery,
    SearchResult,
    SearchStore,
    facet_value,
    highlighted,
    marked,
    matches_fields,
    most_frequent,
    phrases_of,
    snippet,
)
from topiccrawl.store.values import storable
from topiccrawl.text.folding import fold, marks
from topiccrawl.text.searching import SearchTerm

#: Hits up to which they are ranked by their texts.  Of more, those come first that have it in the title,
#: and of them the newest.  A guess: their texts take some megabytes.
_MOST_RANKED: Final = 2_000

#: Weight of an occurrence in the title, as in SQLite.
_TITLE: Final = 10.0

#: Stands between title and text; no phrase has it.
_BETWEEN: Final = "\x1f"


def searchable(title: str, body: str) -> Document:
    """Return the field ``search`` of a page."""
    folded = fold(title)
    text = f"{folded}{_BETWEEN}{fold(body)}"
    return {
        "version": VERSION,
        "title": folded,
        "text": text,
        "marks": marks(title + body),
        "characters": sorted(set(text) - {_BETWEEN}),
    }


class MongoSearch(MongoConnection, SearchStore):
    """The part of the store that searches."""

    async def search(self, topics: Sequence[str], query: SearchQuery) -> SearchResult:
        waiting = await self.unindexed()
        wanted: Document = {"withdrawn_at": None}
        if topics:
            wanted["topic"] = {"$in": [storable(topic) for topic in topics]}
        if not query.copies:
            wanted["copy_of"] = {"$in": ["", None]}
        conditions = [_condition(term) for term in query.terms]
        if conditions:
            wanted["$and"] = conditions
        shown = {**HEADLINE, "search.title": True}
        found: list[tuple[str, PageHeadline, str]] = []
        async for it in self._find("pages", wanted, ORDERS["fetched"], shown):
            listed = headline(it)
            if matches_fields(query, listed):
                found.append((it["_id"], listed, it.get("search", {}).get("title", "")))
        facets: Mapping[str, Sequence[tuple[str, int]]] = {}
        if query.facets and found:
            facets = {
                name: most_frequent(Counter(facet_value(name, it) for _, it, _ in found))
                for name in FACETS
            }
        found.sort(key=lambda it: it[0])
        found.sort(key=lambda it: it[1].dated, reverse=query.order != "oldest")
        if query.order == "relevance":
            ranks = await self._ranks(found, highlighted(query))
            found.sort(key=lambda it: -ranks[it[0]])
        chosen = found[query.offset : query.offset + query.limit]
        return SearchResult(len(found), await self._hits(chosen, query), facets, waiting)

    async def index(self, most: int = 500) -> int:
        self._check_writable()
        found = self._find_pages(_WAITING, ORDERS["fetched"], NO_HTML, most)
        updates = [
            UpdateOne(
                {"_id": it["_id"], "content_hash": it["content_hash"], "title": it["title"]},
                {"$set": {"search": searchable(it["title"], it["body"])}},
            )
            async for it in found
        ]
        await self._bulk("pages", list(updates))
        return await self.unindexed()

    async def unindexed(self) -> int:
        with translated(self.address, reading=True):
            return await self._collection("pages").count_documents(_WAITING)

    async def _ranks(
        self, found: Sequence[tuple[str, PageHeadline, str]], phrases: Sequence[str]
    ) -> dict[str, float]:
        """Return the rank of each page, the best the greatest."""
        ranks = {
            key: _TITLE * sum(phrase in title for phrase in phrases) for key, _, title in found
        }
        if len(found) <= _MOST_RANKED and phrases:
            wanted = {"_id": {"$in": [key for key, _, _ in found]}}
            shown = {"search.text": True}
            async for it in self._find("pages", wanted, ORDERS["fetched"], shown):
                text = it.get("search", {}).get("text", "")
                ranks[it["_id"]] += sum(_weight(text, phrase) for phrase in phrases)
        return ranks

    async def _hits(
        self, chosen: Sequence[tuple[str, PageHeadline, str]], query: SearchQuery
    ) -> list[Hit]:
        phrases = highlighted(query)
        bodies: dict[str, str] = {}
        if query.texts and chosen:
            shown = {"body": True, "base": True, "difference": True}
            wanted = {"_id": {"$in": [key for key, _, _ in chosen]}}
            async for it in self._find_pages(wanted, ORDERS["fetched"], shown):
                bodies[it["_id"]] = it["body"]
        return [
            Hit(it, marked(it.title, phrases), snippet(bodies.get(key, ""), phrases))
            for key, it, _ in chosen
        ]


#: Pages that are not in the index, or by an older version of it.
_WAITING: Final = {"search.version": {"$ne": VERSION}}


def _condition(term: SearchTerm) -> Document:
    """Return the filter of the pages that have, or have not, what *term* names."""
    either: list[Document] = []
    for folded, punctuation in phrases_of(term):
        if folded:
            place = "search.title" if term.within == "title" else "search.text"
            either.append(
                {
                    "search.characters": {"$all": sorted(set(folded))},
                    place: {"$regex": re.escape(folded)},
                }
            )
        elif punctuation:
            every: list[Any] = [{"search.marks": {"$regex": re.escape(it)}} for it in punctuation]
            either.append({"$and": every})
    if not either:
        # Nothing can be found, or nothing be excluded.
        either = [{"_id": None}]
    return {"$nor": either} if term.negated else {"$or": either}


def _weight(text: str, phrase: str) -> float:
    """Return the weight of *phrase* in *text*: that of BM25 without the specificity."""
    count = text.count(phrase)
    # Usual values of k1 and b: Robertson and Zaragoza (2009); 800 characters are a usual length.
    return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(text) / 800))
