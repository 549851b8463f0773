"""A store of another project: documents in memory, opened by its dotted path."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self, Unpack

from tests.support.store_memory_desk import MemoryDesk
from topiccrawl.store.contract import (
    NearMissRecord,
    OutcomeRecord,
    PageJudgment,
    PageOrder,
    PageRecord,
    PageStanding,
    RecordRejected,
    RunRecord,
    TopicSize,
    VersionRecord,
    VisitRecord,
    record_id,
)
from topiccrawl.store.fields import Document, RecordType
from topiccrawl.store.records import (
    NEAR_MISSES,
    OUTCOMES,
    PAGES,
    RECORD_TYPES,
    RUNS,
    VERSIONS,
    VISITS,
    OtherRecords,
    judgment_fields,
    newest_documents,
)
from topiccrawl.store.stories import (
    LONGEST_RIGHT_SECONDS,
    Membership,
    StoredStory,
    StoryOrder,
    in_story_order,
    membership_fields,
    merged,
)
from topiccrawl.store.values import storable
from topiccrawl.store.versions import surplus_versions

Tables = dict[str, dict[str, "Document"]]

URI_OF_TESTS = f"{__name__}.MemoryStore://"


def _published(document: Document) -> tuple[bool, float, Any]:
    at = document["published_at"]
    return at is None, 0.0 if at is None else -at.timestamp(), document["fetched_at"]


#: Sort key of each order of pages; ids break ties.
ORDERS: Mapping[str, Callable[[Document], Any]] = {
    "fetched": lambda document: document["fetched_at"],
    "relevance": lambda document: (-document["relevance"], document["fetched_at"]),
    "published": _published,
}


def _withdrawn(document: Document) -> bool:
    return document["withdrawn_at"] is not None


class MemoryStore(MemoryDesk):
    """The contract over dictionaries that all stores at one address share."""

    _databases: ClassVar[dict[str, Tables]] = defaultdict(lambda: defaultdict(dict))

    def __init__(self, tables: Tables, *, read_only: bool) -> None:
        self._shared = tables
        self._read_only = read_only
        self._is_open = False

    @classmethod
    def from_uri(cls, uri: str, *, read_only: bool = False) -> Self:
        return cls(cls._databases[uri.partition("://")[2]], read_only=read_only)

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    async def write(
        self,
        pages: Sequence[PageRecord] = (),
        outcomes: Sequence[OutcomeRecord] = (),
        runs: Sequence[RunRecord] = (),
        near_misses: Sequence[NearMissRecord] = (),
        **others: Unpack[OtherRecords],
    ) -> None:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        if any(abs(outcome.sequence) >= 2**63 for outcome in outcomes):
            raise RecordRejected("a sequence has more than 64 bits")
        tables = self._tables()
        documents = newest_documents(
            pages=pages, outcomes=outcomes, runs=runs, near_misses=near_misses, **others
        )
        reconciled = [
            merged(document, tables["pages"].get(document["_id"]))
            for document in documents["pages"]
        ]
        for it in reconciled:
            if not it.new_tokens:
                old = tables["pages"].get(it.document["_id"], it.document)
                it.document["tokens"] = old["tokens"]
        documents["pages"] = [it.document for it in reconciled]
        for name, found in documents.items():
            for document in found:
                known = tables[name].get(document["_id"])
                verdicts = document.get("verdict"), (known or {}).get("verdict", "queued")
                if verdicts[0] != "queued" or verdicts[1] == "queued":
                    tables[name][document["_id"]] = document
        for document in documents["pages"]:
            tables["near_misses"].pop(document["_id"], None)
        for visit in documents["visits"]:
            if visit["_id"] in tables["pages"]:
                times = {key: visit[key] for key in ("changed_at", "gone_at")}
                tables["pages"][visit["_id"]].update(times)
        for it in reconciled:
            for other in self._kept(it.document["topic"]):
                if other["story"] == it.left != "" and other["_id"] != it.document["_id"]:
                    other["compared"] = 0
            self._reopen_orphans(it.document["topic"], {it.document["story"]})

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
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}; got {order!r}")
        if limit is not None and limit < 0:
            raise ValueError(f"limit must be >= 0 or None, got {limit}")
        documents = self._sorted(PAGES, topic, ORDERS[order])
        wanted = [it for it in documents if _withdrawn(it) is withdrawn]
        listed = [it for it in wanted if withdrawn or copies or not it["copy_of"]]
        if since is not None:
            moments = ("first_seen", "changed_at", "gone_at")
            listed = [it for it in listed if any(it[m] and it[m] >= since for m in moments)]
        for document in listed[:limit]:
            hidden = {"tokens": []} if with_html else {"tokens": [], "html": None}
            yield PAGES.record({**document, **hidden})

    async def page(self, topic: str, url: str) -> PageRecord | None:
        found = self._tables()["pages"].get(record_id(topic, url))
        return None if found is None else PAGES.record({**found, "tokens": []})

    async def pages_at(self, topic: str, urls: Sequence[str]) -> Sequence[PageRecord]:
        found = [it for it in self._kept(topic) if it["url"] in urls]
        return [PAGES.record({**it, "tokens": [], "html": None}) for it in found]

    async def outcome(self, topic: str, url: str) -> OutcomeRecord | None:
        found = self._tables()["outcomes"].get(record_id(topic, url))
        return None if found is None else OUTCOMES.record(found)

    async def outcomes(
        self, topic: str, *, run_id: str | None = None
    ) -> AsyncIterator[OutcomeRecord]:
        for document in self._sorted(OUTCOMES, topic, lambda it: (it["at"], it["sequence"])):
            if run_id in (None, document["run_id"]):
                yield OUTCOMES.record(document)

    async def runs(self, topic: str) -> Sequence[RunRecord]:
        return [RUNS.record(it) for it in self._sorted(RUNS, topic, lambda it: it["started_at"])]

    async def topics(self) -> Mapping[str, int]:
        tables = self._tables()
        counts = dict.fromkeys((it["topic"] for it in tables["runs"].values()), 0)
        for document in tables["pages"].values():
            counts.setdefault(document["topic"], 0)
            counts[document["topic"]] += not _withdrawn(document) and not document["copy_of"]
        return dict(sorted(counts.items()))

    async def count(self, topic: str) -> int:
        return len([url async for url, _ in self.titles(topic)])

    async def titles(self, topic: str) -> AsyncIterator[tuple[str, str]]:
        for document in self._sorted(PAGES, topic, ORDERS["fetched"]):
            if not _withdrawn(document) and not document["copy_of"]:
                yield document["url"], document["title"]

    async def sharing(
        self, topic: str, tokens: Sequence[int], *, most: int
    ) -> Mapping[int, Sequence[str]]:
        pages = self._kept(topic)
        found = {
            token: [it["url"] for it in pages if token in it["tokens"]][: most + 1]
            for token in tokens
        }
        return {token: urls for token, urls in found.items() if urls}

    async def attachments(self, topic: str, url: str) -> Sequence[PageRecord]:
        found = [it for it in self._kept(topic) if url and it["attached_to"] == url]
        found.sort(key=lambda it: str(it["url"]))
        return [PAGES.record({**it, "tokens": [], "html": None}) for it in found]

    async def members(self, topic: str, story: str) -> Sequence[PageRecord]:
        found = [it for it in self._kept(topic) if story and it["story"] == story]
        return [PAGES.record({**it, "tokens": [], "html": None}) for it in found]

    async def uncompared(
        self, topic: str, method: int, *, limit: int | None = None
    ) -> AsyncIterator[PageRecord]:
        found = [it for it in self._kept(topic) if it["compared"] != method]
        for document in sorted(found, key=lambda it: int(it["compared"]))[:limit]:
            yield PAGES.record({**document, "tokens": [], "html": None})

    async def count_uncompared(self, topic: str, method: int) -> int:
        return len([it async for it in self.uncompared(topic, method)])

    async def lease_settling(self, topic: str, owner: str, seconds: float) -> bool:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        found = self._tables()["settling"].get(topic)
        now = time.time()
        other = found if found is not None and found["owner"] != owner else None
        if other is not None and now < other["until"] <= now + LONGEST_RIGHT_SECONDS:
            return False
        self._tables()["settling"][topic] = {"topic": topic, "owner": owner, "until": now + seconds}
        return True

    async def set_relations(self, topic: str, relations: Mapping[str, Membership]) -> None:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        touched = set()
        for url, membership in relations.items():
            document = self._tables()["pages"].get(record_id(topic, url))
            if document is None:
                continue
            if membership.content_hash in (None, document["content_hash"]):
                touched.add(document["story"])
                document.update(membership_fields(membership))
                touched.add(document["story"])
                if membership.tokens is not None:
                    document["tokens"] = list(membership.tokens)
        self._reopen_orphans(topic, touched)

    async def copies(self, topic: str) -> Mapping[str, int]:
        kept = self._kept(topic)
        return Counter(it["story"] for it in kept if it["story"] and it["copy_of"])

    async def stories(
        self, topic: str, *, order: StoryOrder = "size", least: int = 2, limit: int | None = None
    ) -> AsyncIterator[StoredStory]:
        members = defaultdict(list)
        for document in self._kept(topic):
            if document["story"]:
                members[document["story"]].append(document)
        found = []
        for story, pages in members.items():
            first = next((it for it in pages if not it["copy_of"]), {"url": "", "title": ""})
            times = [it["fetched_at"] for it in pages]
            found.append(
                StoredStory(story, len(pages), first["url"], first["title"], min(times), max(times))
            )
        for it in [it for it in in_story_order(found, order) if it.members >= least][:limit]:
            yield it

    async def standings(self, topic: str) -> AsyncIterator[PageStanding]:
        for document in self._sorted(NEAR_MISSES, topic, lambda it: it["url"]):
            yield PageStanding(document["url"], "near-miss", document["probability"])
        for document in self._sorted(PAGES, topic, lambda it: it["url"]):
            standing = "withdrawn" if _withdrawn(document) else "kept"
            yield PageStanding(document["url"], standing, document["probability"])

    async def near_miss(self, topic: str, url: str) -> NearMissRecord | None:
        found = self._tables()["near_misses"].get(record_id(topic, url))
        return None if found is None else NEAR_MISSES.record(found)

    async def near_misses(self, topic: str) -> AsyncIterator[NearMissRecord]:
        for document in self._sorted(NEAR_MISSES, topic, lambda it: -it["probability"]):
            yield NEAR_MISSES.record(document)

    async def set_judgments(self, topic: str, judgments: Mapping[str, PageJudgment]) -> None:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        fields = {record_id(topic, url): judgment_fields(it) for url, it in judgments.items()}
        for name in ("near_misses", "pages", "outcomes"):
            for key in fields.keys() & self._tables()[name].keys():
                document = self._tables()[name][key]
                document.update({k: v for k, v in fields[key].items() if k in document})

    async def trim_near_misses(self, topic: str, most: int) -> int:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        surplus = self._sorted(NEAR_MISSES, topic, lambda it: -it["probability"])[most:]
        for document in surplus:
            del self._tables()["near_misses"][document["_id"]]
        return len(surplus)

    async def visits(self, topic: str) -> AsyncIterator[VisitRecord]:
        for document in self._sorted(VISITS, topic, lambda it: it["_id"]):
            yield VISITS.record(document)

    async def visit(self, topic: str, url: str) -> VisitRecord | None:
        found = self._tables()["visits"].get(record_id(topic, url))
        return None if found is None else VISITS.record(found)

    async def versions(self, topic: str, url: str) -> Sequence[VersionRecord]:
        return [VERSIONS.record(it) for it in self._versions(topic) if it["url"] == storable(url)]

    async def changes(
        self, topic: str, *, since: datetime | None = None
    ) -> AsyncIterator[tuple[str, datetime]]:
        for it in self._versions(topic):
            if since is None or it["replaced_at"] >= since:
                yield it["url"], it["replaced_at"]

    async def trim_versions(self, topic: str, url: str, most: int) -> int:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        found = [it for it in self._versions(topic) if it["url"] == storable(url)]
        surplus = surplus_versions([it["replaced_at"].timestamp() for it in found], most)
        for index in surplus:
            del self._tables()["versions"][found[index]["_id"]]
        return len(surplus)

    def _versions(self, topic: str) -> list[Document]:
        return self._sorted(VERSIONS, topic, lambda it: (it["replaced_at"], it["url"]))

    async def size(self, topic: str) -> TopicSize:
        numbers = {it.name: len(self._sorted(it, topic, lambda _: 0)) for it in RECORD_TYPES}
        found = self._sorted(PAGES, topic, lambda _: 0)
        copies = len([it for it in found if it["copy_of"]])
        pages = numbers.pop("pages") - copies
        return TopicSize(pages=pages, copies=copies, **numbers)

    async def forget(self, topic: str) -> None:
        if self._read_only:
            raise RuntimeError("the store is open for reading only")
        for table in self._tables().values():
            for key in [key for key, it in table.items() if it["topic"] == topic]:
                del table[key]

    def _kept(self, topic: str) -> list[Document]:
        return [it for it in self._sorted(PAGES, topic, ORDERS["fetched"]) if not _withdrawn(it)]

    def _reopen_orphans(self, topic: str, stories: set[str]) -> None:
        kept = self._kept(topic)
        heads = {it["url"] for it in kept if not it["copy_of"]}
        for it in kept:
            if it["story"] in stories - {""} and it["copy_of"] and it["copy_of"] not in heads:
                it["compared"] = 0

    def _sorted(
        self, type_: RecordType[Any], topic: str, key: Callable[[Document], Any]
    ) -> list[Document]:
        found = [it for it in self._tables()[type_.name].values() if it["topic"] == topic]
        return sorted(found, key=lambda it: (key(it), it["_id"]))

    def _tables(self) -> Tables:
        if not self._is_open:
            raise RuntimeError("the store is not open")
        return self._shared
