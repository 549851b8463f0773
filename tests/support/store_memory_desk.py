"""The part of the store in memory that the desk needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from topiccrawl.store.desk import DeskRecord, desk_id
from topiccrawl.store.fields import Document
from topiccrawl.store.headlines import PageHeadline, deleted_headline, headline
from topiccrawl.store.records import DESK, OUTCOMES, OutcomeRecord, record_id
from topiccrawl.store.search import (
    FACETS,
    Hit,
    SearchQuery,
    SearchResult,
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

Tables = dict[str, dict[str, Document]]


class MemoryDesk:
    """Search, headlines and desk records over the dictionaries of a store in memory."""

    _read_only: bool

    def _tables(self) -> Tables:
        raise NotImplementedError

    def _writable(self) -> Tables:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        return self._tables()

    def _pages(self, topic: str) -> list[Document]:
        return [it for it in self._tables()["pages"].values() if it["topic"] == storable(topic)]

    async def headlines(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[PageHeadline]:
        for document in self._pages(topic):
            found = headline(document)
            if since is not None or found.withdrawn_at is None:
                yield found
        if since is not None:
            for outcome in list(self._tables()["outcomes"].values()):
                gone = outcome["reason"] == "deleted" and outcome["topic"] == storable(topic)
                if gone and outcome["_id"] not in self._tables()["pages"]:
                    yield deleted_headline(outcome["topic"], outcome["url"], outcome["at"])

    async def search(self, topics: Sequence[str], query: SearchQuery) -> SearchResult:
        names = [storable(it) for it in topics] or {
            it["topic"] for it in self._tables()["pages"].values()
        }
        pages = [page for name in names for page in self._pages(name)]
        found = [
            (headline(it), it)
            for it in pages
            if matches(query, headline(it), it["title"], it["body"])
        ]
        found.sort(key=lambda it: str(it[1]["_id"]))
        found.sort(key=lambda it: it[0].dated, reverse=query.order != "oldest")
        phrases = highlighted(query)
        hits = [
            Hit(
                it,
                marked(it.title, phrases),
                snippet(document["body"] if query.texts else "", phrases),
            )
            for it, document in found[query.offset : query.offset + query.limit]
        ]
        facets = {
            name: most_frequent(Counter(facet_value(name, it) for it, _ in found))
            for name in FACETS
        }
        return SearchResult(len(found), hits, facets if query.facets and found else {})

    async def index(self, most: int = 500) -> int:
        self._writable()
        return 0

    async def unindexed(self) -> int:
        return 0

    async def desk(self, topic: str, kind: str, *, prefix: str = "") -> AsyncIterator[DeskRecord]:
        found = [
            it
            for it in self._tables()["desk"].values()
            if (it["topic"], it["kind"]) == (storable(topic), storable(kind))
            and it["key"].startswith(storable(prefix))
        ]
        for it in sorted(found, key=lambda it: str(it["key"])):
            yield DESK.record(it)

    async def desk_entry(self, topic: str, kind: str, key: str) -> DeskRecord | None:
        found = self._tables()["desk"].get(desk_id(topic, kind, key))
        return None if found is None else DESK.record(found)

    async def claim_desk(self, record: DeskRecord) -> bool:
        document = DESK.document(record)
        return self._writable()["desk"].setdefault(document["_id"], document) is document

    async def delete_desk(self, topic: str, kind: str, keys: Sequence[str]) -> int:
        table = self._writable()["desk"]
        ids = {desk_id(topic, kind, key) for key in keys}
        return len([table.pop(key) for key in ids if key in table])

    async def delete_pages(self, topic: str, urls: Sequence[str]) -> int:
        tables = self._writable()
        deleted = 0
        for url in dict.fromkeys(urls):
            key = record_id(topic, url)
            page: dict[str, Any] | None = tables["pages"].pop(key, None)
            if tables["near_misses"].pop(key, None) is None and page is None:
                continue
            deleted += 1
            for other in self._pages(topic):
                if page is not None and other["story"] == page["story"] != "":
                    other["compared"] = 0
            tables["visits"].pop(key, None)
            for it in [it for it in tables["versions"].values() if it["url"] == storable(url)]:
                if it["topic"] == storable(topic):
                    del tables["versions"][it["_id"]]
            left = OutcomeRecord(
                topic=topic, url=url, verdict="dropped", reason="deleted", detail="",
                at=datetime.now(UTC), run_id="", sequence=0,
            )  # fmt: skip
            tables["outcomes"][key] = OUTCOMES.document(left)
        return deleted


def matches(query: SearchQuery, headline: PageHeadline, title: str, body: str) -> bool:
    """Return whether *query* finds a page: the definition that every store follows, each in its own way."""
    if not matches_fields(query, headline):
        return False
    folded = {"title": fold(title), "body": fold(body)}
    found = marks(title + body)
    for term in query.terms:
        places = [folded["title"]] if term.within == "title" else list(folded.values())
        has = any(
            any(phrase in place for place in places)
            if phrase
            else bool(punctuation) and set(punctuation) <= set(found)
            for phrase, punctuation in phrases_of(term)
        )
        if has is term.negated:
            return False
    return True
