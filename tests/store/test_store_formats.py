"""Steps between formats: today's stores upgraded by an artificial newer version, and refused if newer."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pymongo import AsyncMongoClient

import tests.support.store_records as make
from tests.support.store_records import TOPIC, in_loop, listed, opened
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import Membership, SearchQuery
from topiccrawl.store.fields import RecordType, Stored
from topiccrawl.store.mongo.setup import prepare
from topiccrawl.store.mongo.store import MongoStore
from topiccrawl.store.records import FORMAT, OUTCOMES, PAGES, RUNS, PageRecord
from topiccrawl.store.spool import Spool
from topiccrawl.store.spool_format import frame, unframe
from topiccrawl.store.sqlite import queries
from topiccrawl.store.sqlite.file import open_for_reading, open_for_writing
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.sqlite.tables import TOKENS, Schema, columns_of


@dataclass(slots=True, kw_only=True)
class NewerPage(PageRecord):
    """A page as two later versions might extend it."""

    words: Annotated[int, Stored(since=FORMAT + 1)] = 0
    mood: Annotated[str, Stored(since=FORMAT + 2)] = "it's calm"
    tags: Annotated[Sequence[str], Stored(since=FORMAT + 2)] = ("none",)
    score: Annotated[float | None, Stored(since=FORMAT + 2)] = None


NEWER_PAGES = RecordType("pages", NewerPage, key=lambda page: page.id)
NEWER = Schema(
    (NEWER_PAGES, OUTCOMES, RUNS),
    NEWER_PAGES.format,
    {FORMAT + 2: ["CREATE INDEX pages_site ON pages (topic, site)"]},
)
#: Values of fields of later formats.
ABSENT_IN_1: dict[str, Any] = {
    "probability": None, "comments": "", "comment_records": (), "markdown": "", "main_image": "",
}  # fmt: skip
STORED = [make.page(1, html=None), make.page(2, html=None)]


def newer(page: PageRecord, **values: Any) -> NewerPage:
    """The page as the newer version has it, with defaults for what today's one does not store."""
    return NewerPage(**{it.name: getattr(page, it.name) for it in fields(page)}, **values)


async def today(path: Path) -> None:
    """Make a file of today's format."""
    async with opened(SQLiteStore(path)) as store:
        await store.write(STORED, [make.outcome(1)], [make.run(1)])


def pages_in(connection: sqlite3.Connection) -> list[NewerPage]:
    columns = ["_id", *(field.key for field in columns_of(NEWER_PAGES))]
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM pages ORDER BY fetched_at")
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    return [NEWER_PAGES.record(queries.document(NEWER_PAGES, row)) for row in found]


def format_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        return int(version)


@in_loop
async def test_a_crawl_upgrades_an_older_file_step_by_step_and_loses_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    with closing(open_for_writing(path, NEWER)) as file:
        assert pages_in(file) == [newer(page) for page in STORED]
        page = newer(STORED[0], words=7, mood="", tags=(), score=0.5)
        row = queries.row(NEWER_PAGES, NEWER_PAGES.document(page))
        file.execute(queries.upsert(NEWER_PAGES), row)
        assert pages_in(file) == [page, newer(STORED[1])]
        assert file.execute("SELECT count(*) FROM outcomes").fetchone() == (1,)
        assert file.execute("SELECT 1 FROM sqlite_master WHERE name = 'pages_site'").fetchone()
    assert format_of(path) == FORMAT + 2


def test_each_format_in_between_is_a_step_of_its_own() -> None:
    statements = NEWER.upgrade_statements(FORMAT)
    marks = [it for it in statements if it.startswith("PRAGMA user_version")]
    assert marks == [f"PRAGMA user_version = {FORMAT + step}" for step in (1, 2)]
    assert NEWER.upgrade_statements(FORMAT + 1) == statements[statements.index(marks[0]) + 1 :]
    assert NEWER.upgrade_statements(FORMAT + 2) == []


@in_loop
async def test_an_older_file_is_read_with_defaults_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    before = path.read_bytes()
    with closing(open_for_reading(path, NEWER)) as file:
        assert pages_in(file) == [newer(page) for page in STORED]
        assert file.execute(queries.COUNT_PAGES, (TOPIC,)).fetchone() == (2,)
    assert path.read_bytes() == before


@in_loop
async def test_a_reader_of_an_older_file_reads_on_while_a_crawl_upgrades_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    with closing(open_for_reading(path, NEWER)) as reader:
        open_for_writing(path, NEWER).close()
        assert pages_in(reader) == [newer(page) for page in STORED]


@in_loop
async def test_crawls_that_start_at_once_on_an_older_file_all_open(tmp_path: Path) -> None:
    for attempt in range(10):
        path = tmp_path / f"{attempt}.sqlite"
        await today(path)
        opening = [asyncio.to_thread(open_for_writing, path, NEWER) for _ in range(6)]
        for file in await asyncio.gather(*opening):
            file.close()
        assert format_of(path) == FORMAT + 2


@in_loop
async def test_a_file_without_a_column_that_its_format_got_later_is_read_and_completed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("ALTER TABLE pages DROP COLUMN markdown")
        file.execute("ALTER TABLE pages DROP COLUMN comment_records")
    before = path.read_bytes()
    left = [replace(page, markdown="", comment_records=()) for page in STORED]
    async with opened(SQLiteStore(path, read_only=True)) as reader:
        assert await listed(reader.pages(TOPIC)) == left
    assert path.read_bytes() == before
    async with opened(SQLiteStore(path)) as store:
        await store.write([STORED[0]])
        assert await listed(store.pages(TOPIC)) == [STORED[0], left[1]]


@in_loop
async def test_a_file_without_a_column_of_the_first_format_is_refused_and_left_as_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    with closing(sqlite3.connect(path)) as file:
        file.execute("ALTER TABLE pages DROP COLUMN summary")
    before = path.read_bytes()
    with pytest.raises(ConfigurationError, match=rf"lacks pages\.summary, .* format {FORMAT} has"):
        await SQLiteStore(path).open()
    assert path.read_bytes() == before


@in_loop
async def test_a_file_that_a_newer_version_upgraded_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    open_for_writing(path, NEWER).close()
    for read_only in (False, True):
        with pytest.raises(
            ConfigurationError, match=rf"has format {FORMAT + 2}, .* formats up to {FORMAT};"
        ):
            await SQLiteStore(path, read_only=read_only).open()


@in_loop
async def test_an_older_database_is_upgraded_by_a_crawl_and_then_refused_by_older_versions(
    mongo_database_uri: str,
) -> None:
    name = mongo_database_uri.partition("?")[0].rpartition("/")[2]
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        await store.write(STORED)
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri, tz_aware=True) as client:
        database = client[name]
        await prepare(database, read_only=True, version=FORMAT + 2)
        async with opened(MongoStore(mongo_database_uri, name, read_only=True)) as store:
            assert await listed(store.pages(TOPIC)) == STORED
        found = await database["pages"].find_one(
            {"url": STORED[0].url}, {"search": False, "touched": False}
        )
        assert found is not None
        assert NEWER_PAGES.record(found).mood == "it's calm"
        await prepare(database, read_only=False, version=FORMAT + 2)
        assert await database["meta"].find_one() == {"_id": "format", "version": FORMAT + 2}
    with pytest.raises(ConfigurationError, match=rf"has format {FORMAT + 2}, .* up to {FORMAT};"):
        await MongoStore(mongo_database_uri, name).open()


def make_format_1(path: Path) -> None:
    """Turn a file of today's format into one of format 1, before near misses and copies."""
    with closing(sqlite3.connect(path)) as file:
        for statement in (
            "DROP INDEX pages_first_seen",
            "DROP INDEX pages_changed",
            "DROP INDEX pages_gone",
            "DROP TABLE near_misses",
            "DROP TABLE visits",
            "DROP TABLE versions",
            "DROP INDEX pages_standing",
            "DROP INDEX pages_story",
            "DROP INDEX pages_compared",
            "DROP INDEX pages_attached",
            "DROP TRIGGER pages_listed",
            "DROP TRIGGER pages_relisted",
            "DROP TRIGGER pages_unlisted",
            "DROP TABLE headlines",
            "DROP TABLE search",
            "DROP TABLE desk",
            *(f"DROP TABLE {name}" for name in TOKENS),
            "DROP TABLE numbers",
            "DROP TABLE packed",
            "DROP TABLE settling",
            "DROP TABLE texts",
            *(
                f"ALTER TABLE pages DROP COLUMN {name}"
                for name in (it.key for it in columns_of(PAGES) if it.declaration.since >= 4)
            ),
            "ALTER TABLE outcomes DROP COLUMN judgment_parts",
            "ALTER TABLE outcomes DROP COLUMN probability_threshold",
            "ALTER TABLE outcomes DROP COLUMN probability",
            "ALTER TABLE pages DROP COLUMN probability",
            "ALTER TABLE pages DROP COLUMN withdrawn_at",
            "PRAGMA user_version = 1",
        ):
            file.execute(statement)


@in_loop
async def test_a_file_of_format_1_is_read_and_then_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    await today(path)
    make_format_1(path)
    before = [replace(page, **ABSENT_IN_1) for page in STORED]
    async with opened(SQLiteStore(path, read_only=True)) as store:
        assert await listed(store.pages(TOPIC)) == before
        assert await listed(store.near_misses(TOPIC)) == []
        assert [it.standing async for it in store.standings(TOPIC)] == ["kept", "kept"]
        assert await store.sharing(TOPIC, [1], most=5) == {}
        assert await listed(store.stories(TOPIC, least=1)) == []
        assert await listed(store.uncompared(TOPIC, 1)) == before
        assert await listed(store.pages(TOPIC, since=before[1].fetched_at)) == before[1:]
        assert await listed(store.visits(TOPIC)) == []
        assert await store.versions(TOPIC, before[0].url) == []
        assert await listed(store.changes(TOPIC)) == []
        assert [it.url async for it in store.headlines(TOPIC)] == [it.url for it in before]
        assert await listed(store.desk(TOPIC, "note")) == []
        unfiltered = await store.search([TOPIC], SearchQuery())
        assert (unfiltered.total, unfiltered.unindexed) == (2, 2)
        found = await store.search([TOPIC], SearchQuery.from_text("华侨"))
        assert (found.total, found.unindexed) == (0, 2)
    assert format_of(path) == 1
    async with opened(SQLiteStore(path)) as store:
        await store.write(
            [replace(before[0], withdrawn_at=make.NOON)], near_misses=[make.near_miss(5)]
        )
        assert await listed(store.pages(TOPIC)) == before[1:]
        assert await listed(store.near_misses(TOPIC)) == [make.near_miss(5)]
        relation = Membership(story="s", compared=1, tokens=(7,))
        await store.set_relations(TOPIC, {before[1].url: relation})
        assert await store.sharing(TOPIC, [7], most=5) == {7: [before[1].url]}
        assert await store.count_uncompared(TOPIC, 1) == 0
        await store.write(visits=[make.visit(2)], versions=[make.version(2)])
        assert await listed(store.visits(TOPIC)) == [make.visit(2)]
        assert await store.versions(TOPIC, before[1].url) == [make.version(2)]
        (page,) = await listed(store.pages(TOPIC))
        assert await listed(store.pages(TOPIC, since=before[1].fetched_at)) == [page]
        assert (page.first_seen, page.gone_at) == (before[1].fetched_at, make.visit(2).gone_at)
        (listed_now,) = await listed(store.headlines(TOPIC))
        assert (listed_now.url, listed_now.gone_at) == (page.url, page.gone_at)
        query = SearchQuery.from_text("华侨 第2篇")
        assert (await store.search([TOPIC], query)).unindexed == await store.unindexed() == 2
        assert [await store.index(1) for _ in range(3)] == [1, 0, 0]
        found = await store.search([TOPIC], query)
        assert [it.headline.url for it in found.hits] == [page.url]
        assert await store.delete_pages(TOPIC, [page.url]) == 1
        assert (await store.search([TOPIC], query)).total == 0
    assert format_of(path) == FORMAT


@in_loop
async def test_documents_of_format_1_count_as_kept(mongo_database_uri: str) -> None:
    name = mongo_database_uri.partition("?")[0].rpartition("/")[2]
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        await store.write(STORED)
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri, tz_aware=True) as client:
        newer = (it.key for it in PAGES.fields if it.declaration.since > 1)
        absent = {"$unset": dict.fromkeys(newer, "")}
        await client[name]["pages"].update_many({}, absent)
        await client[name]["meta"].update_one({"_id": "format"}, {"$set": {"version": 1}})
    before = [replace(page, **ABSENT_IN_1) for page in STORED]
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        assert await listed(store.pages(TOPIC)) == before
        assert await listed(store.pages(TOPIC, withdrawn=True)) == []
        assert await listed(store.pages(TOPIC, since=before[1].fetched_at)) == before[1:]
        assert (await store.count(TOPIC), await store.topics()) == (2, {TOPIC: 2})
        assert [it.standing async for it in store.standings(TOPIC)] == ["kept", "kept"]
        assert len(await listed(store.titles(TOPIC))) == 2
        assert await listed(store.uncompared(TOPIC, 1)) == before
        relation = Membership(story="s", copy_of=before[0].url, compared=1, tokens=(7,))
        await store.set_relations(TOPIC, {before[1].url: relation})
        assert await store.sharing(TOPIC, [7], most=5) == {7: [before[1].url]}
        assert (await store.count(TOPIC), await store.copies(TOPIC)) == (1, {"s": 1})
        assert await listed(store.uncompared(TOPIC, 1)) == before[:1]


def line_of(document: dict[str, Any]) -> bytes:
    """A line of the spool with the page in *document*."""
    payload = json.dumps(["page", document]).encode()
    return b"%08x %s\n" % (zlib.crc32(payload), payload)


def spooled(page: PageRecord) -> dict[str, Any]:
    """The document of *page* as the spool holds it."""
    _, document = json.loads(frame(page).partition(b" ")[2])
    assert isinstance(document, dict)
    return document


def test_a_line_of_the_spool_from_an_older_version_is_read_with_defaults() -> None:
    document = spooled(STORED[0])
    del document["author"], document["keywords"]
    assert unframe(line_of(document)) == replace(STORED[0], author="", keywords=())


def test_a_line_of_the_spool_has_the_comparison_and_the_tokens_of_its_page() -> None:
    page = replace(
        STORED[0],
        story="s",
        copy_of="http://a.example/",
        relation="edited",
        relation_detail=("9 of 10 sentences",),
        compared=7,
        tokens=(-(2**63), 2**63 - 1),
    )
    assert unframe(frame(page)) == page
    document = spooled(page)
    for name in ("story", "copy_of", "relation", "relation_detail", "compared", "tokens"):
        del document[name]
    assert unframe(line_of(document)) == STORED[0]


def test_visits_and_versions_come_back_from_the_spool() -> None:
    for record in (make.visit(1), make.version(1)):
        assert unframe(frame(record)) == record


def test_a_line_of_the_spool_from_a_newer_version_is_kept_for_it(tmp_path: Path) -> None:
    """Reading it without the field that is not known here would lose the field."""
    lines = [line_of({**spooled(STORED[0]), "mood": "calm"}), frame(STORED[1])]
    spool = Spool(tmp_path, TOPIC)
    spool.folder.mkdir(parents=True)
    path = spool.folder / "00000000000000000001-000001-00000000.spool"
    path.write_bytes(b"".join(lines))
    spool.open()
    assert list(spool.read(path, 10)) == [[STORED[1]]]
    spool.close()
    assert path.with_suffix(".damaged").read_bytes() == b"".join(lines)
