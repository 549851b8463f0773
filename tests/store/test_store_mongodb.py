"""MongoDB alone: what its server adds, refuses, and how its absence shows."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from bson.errors import InvalidDocument
from pymongo import AsyncMongoClient, errors
from pymongo.asynchronous.database import AsyncDatabase

import tests.support.store_records as make
from tests.support.mongo_refusing import refusing_writes
from tests.support.mongo_server import MongoServer
from tests.support.store_records import TOPIC, in_loop, listed, opened, until
from topiccrawl.backoff import JitteredBackoff
from topiccrawl.errors import ConfigurationError
from topiccrawl.store.contract import RecordRejected, StoreUnavailable
from topiccrawl.store.delivery import WriteResult
from topiccrawl.store.mongo import store as mongo_store
from topiccrawl.store.mongo.documents import fitted
from topiccrawl.store.mongo.errors import translated
from topiccrawl.store.mongo.search import searchable
from topiccrawl.store.mongo.setup import client_options
from topiccrawl.store.mongo.store import MongoStore
from topiccrawl.store.records import FORMAT
from topiccrawl.store.spool import Spool
from topiccrawl.store.writer import StoreWriter


def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"


def database_of(uri: str) -> str:
    return uri.partition("?")[0].rpartition("/")[2]


@in_loop
async def test_a_server_that_is_not_there_at_start_is_a_wrong_address() -> None:
    address = nobody()
    store = MongoStore(f"mongodb://me:secret@{address}/pages", "pages", selection_seconds=0.05)
    with pytest.raises(ConfigurationError, match="no MongoDB server answers there") as caught:
        await store.open()
    assert f"TOPICCRAWL_STORE_URI names mongodb://me:***@{address}/pages" in str(caught.value)
    assert "secret" not in str(caught.value)
    await store.close()


@pytest.mark.parametrize(
    "uri",
    [
        "mongodb://127.0.0.1:99999/db",
        "mongodb://127.0.0.1:port/db",
        "mongodb://me:se@cret@127.0.0.1/db",
        "mongodb://127.0.0.1:se/cret@127.0.0.1/db",
        "mongodb://127.0.0.1/db?w=0",
    ],
)
@in_loop
async def test_an_address_that_pymongo_cannot_read_is_refused(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="TOPICCRAWL_STORE_URI") as caught:
        await MongoStore(uri, "db").open()
    assert "cret" not in str(caught.value)


def test_options_in_the_address_are_not_overruled() -> None:
    ours = client_options("mongodb://host/db", 5)
    assert (ours["w"], ours["journal"], ours["serverSelectionTimeoutMS"]) == (
        "majority",
        True,
        5000,
    )
    theirs = client_options("mongodb://host/db?W=1&journal=false&serverselectiontimeoutms=9", 5)
    assert not {"w", "journal", "serverSelectionTimeoutMS"} & theirs.keys()


@in_loop
async def test_pages_are_unique_by_topic_and_url(mongo_database_uri: str) -> None:
    name = database_of(mongo_database_uri)
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        await store.write([make.page(1)])
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
        indexes = await client[name]["pages"].index_information()
        (found,) = [document async for document in client[name]["pages"].find()]
    assert indexes["topic_url"]["unique"]
    assert list(indexes["topic_url"]["key"]) == [("topic", 1), ("url", 1)]
    assert found["_id"] == make.page(1).id
    # As people see it who look with other tools.
    assert found["main_terms"] == [
        {"term": "华侨", "weight": 0.25},
        {"term": "侨务", "weight": 0.125},
    ]


@in_loop
async def test_workers_that_begin_at_once_on_a_new_database_all_open(
    mongo_database_uri: str,
) -> None:
    stores = [MongoStore(mongo_database_uri, database_of(mongo_database_uri)) for _ in range(6)]
    try:
        await asyncio.gather(*(store.open() for store in stores))
        assert [await store.count(TOPIC) for store in stores] == [0] * 6
    finally:
        await asyncio.gather(*(store.close() for store in stores))


@in_loop
async def test_texts_are_folded_for_the_search_while_the_event_loop_goes_on(
    mongo_database_uri: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []
    fields = searchable

    def folding(title: str, body: str) -> Any:
        threads.append(threading.current_thread())
        return fields(title, body)

    monkeypatch.setattr(mongo_store, "searchable", folding)
    async with opened(MongoStore(mongo_database_uri, database_of(mongo_database_uri))) as store:
        await store.write([make.page(1), make.page(2)])
    assert len(threads) == 2
    assert threading.main_thread() not in threads


@in_loop
async def test_opening_for_reading_creates_nothing(mongo_database_uri: str) -> None:
    name = database_of(mongo_database_uri)
    async with opened(MongoStore(mongo_database_uri, name, read_only=True)) as store:
        assert await store.topics() == {}
        assert await listed(store.pages(TOPIC)) == []
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
        assert await client[name].list_collection_names() == []


@pytest.mark.parametrize("version", [0, FORMAT + 1, 999, "one", None])
@in_loop
async def test_another_format_is_refused_with_both_numbers(
    mongo_database_uri: str, version: object
) -> None:
    name = database_of(mongo_database_uri)
    async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
        await client[name]["meta"].insert_one({"_id": "format", "version": version})
    with pytest.raises(ConfigurationError, match=rf"has format {version}, .* up to {FORMAT};"):
        await MongoStore(mongo_database_uri, name).open()


@in_loop
async def test_a_page_too_large_with_its_html_is_stored_without_it(
    mongo_database_uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    large = b"\x00" * (16 * 1024 * 1024)
    async with opened(MongoStore(mongo_database_uri, database_of(mongo_database_uri))) as store:
        assert isinstance(store, MongoStore)
        await store.write([make.page(1, html=large), make.page(2), make.page(3, html=large)])
        found = await listed(store.pages(TOPIC, with_html=True))
        assert [it.html is None for it in found] == [True, False, True]
        assert found[0].body == make.page(1).body
        assert store.html_dropped == 2
    assert [it.levelname for it in caplog.records if "without its HTML" in it.message] == [
        "WARNING"
    ]


@in_loop
async def test_a_page_too_large_by_itself_is_rejected_and_the_others_kept(
    mongo_database_uri: str, tmp_path: Path
) -> None:
    store = MongoStore(mongo_database_uri, database_of(mongo_database_uri))
    async with StoreWriter(store, Spool(tmp_path, TOPIC), flush_seconds=0.001) as it:
        results = await asyncio.gather(
            it.put(make.page(1)),
            it.put(make.page(2, body="侨" * 6_000_000)),
            it.put(make.page(3)),
        )
        assert results == [WriteResult.STORED, WriteResult.REJECTED, WriteResult.STORED]
        assert await store.count(TOPIC) == 2
        assert "MongoDB takes 16777216" in it.spool.rejected_path.read_text("ascii")[:300]


def test_the_size_of_a_document_is_measured_in_bytes_and_not_in_characters() -> None:
    document = {"_id": "x", "url": "u", "body": "侨" * 400, "html": b"h" * 100}
    assert fitted(document, 2000) == (document, False)
    assert fitted(document, 1300) == (
        {"_id": "x", "url": "u", "body": "侨" * 400},
        True,
    )
    with pytest.raises(RecordRejected, match=r"has 12[0-9][0-9] bytes, MongoDB takes 1000"):
        fitted(document, 1000)


@in_loop
@pytest.mark.parametrize("named", [False, True])
async def test_a_user_who_may_be_one_of_another_database_is_told_how_to_name_it(
    monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise errors.OperationFailure("Authentication failed.", 18)

    # The server of the tests has no users.
    monkeypatch.setattr(AsyncDatabase, "command", refuse)
    uri = "mongodb://me:secret@127.0.0.1/pages" + ("?authSource=admin" if named else "")
    with pytest.raises(ConfigurationError, match=r"refuses \(Authentication failed") as caught:
        await MongoStore(uri, "pages").open()
    assert ("needs ?authSource=admin" in str(caught.value)) is not named


@in_loop
async def test_a_document_that_the_server_refuses_is_rejected(mongo_database_uri: str) -> None:
    """Here by the unique index, against somebody else's document under another key."""
    name = database_of(mongo_database_uri)
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
            await client[name]["pages"].insert_one(
                {"_id": "other", "topic": TOPIC, "url": make.page(1).url}
            )
        with pytest.raises(RecordRejected):
            await store.write([make.page(1)])
        await store.write([make.page(2)])
        assert await store.count(TOPIC) == 2


@in_loop
async def test_a_deletion_that_was_cut_short_is_completed_when_it_is_repeated(
    killable_mongo: MongoServer,
) -> None:
    page = make.page(1)
    async with opened(MongoStore(killable_mongo.uri, "db")) as store:
        await store.write([page], visits=[make.visit(1)], versions=[make.version(1)])
        for place in ("visits", "versions", "near_misses"):
            with refusing_writes(killable_mongo.uri, ("delete",), place) as address:
                async with opened(MongoStore(address, "db")) as refused:
                    with pytest.raises(StoreUnavailable):
                        await refused.delete_pages(TOPIC, [page.url])
        assert await store.delete_pages(TOPIC, [page.url]) == 1
        assert await store.visit(TOPIC, page.url) is None
        assert await store.versions(TOPIC, page.url) == []


REFUSED = {"code": 121, "errmsg": "Document failed validation", "index": 0}
STEPPED_DOWN = {"code": 189, "errmsg": "primary stepped down", "index": 1}
ERRORS = [
    ("no server", errors.ServerSelectionTimeoutError("nobody"), StoreUnavailable),
    ("connection lost", errors.AutoReconnect("closed"), StoreUnavailable),
    ("server silent", errors.NetworkTimeout("timed out"), StoreUnavailable),
    ("election", errors.NotPrimaryError("not primary"), StoreUnavailable),
    ("rights taken away", errors.OperationFailure("not authorized", 13), StoreUnavailable),
    ("disk full", errors.OperationFailure("out of disk", 14031), StoreUnavailable),
    ("majority not reached", errors.WTimeoutError("waiting", 64, {}), StoreUnavailable),
    ("other write concern failure", errors.WriteConcernError("x", 79, {}), StoreUnavailable),
    (
        "labeled as temporary",
        errors.OperationFailure("x", 4711, {"errorLabels": ["RetryableWriteError"]}),
        StoreUnavailable,
    ),
    ("validation", errors.WriteError("Document failed validation", 121, {}), RecordRejected),
    ("duplicate", errors.DuplicateKeyError("E11000", 11000, {}), RecordRejected),
    ("bulk refused", errors.BulkWriteError({"writeErrors": [REFUSED]}), RecordRejected),
    (
        "bulk refused and interrupted",
        errors.BulkWriteError({"writeErrors": [REFUSED, STEPPED_DOWN]}),
        StoreUnavailable,
    ),
    (
        "bulk not confirmed",
        errors.BulkWriteError({"writeErrors": [], "writeConcernErrors": [{"code": 64}]}),
        StoreUnavailable,
    ),
    ("not BSON", InvalidDocument("cannot encode object"), RecordRejected),
    ("number too large", OverflowError("8-byte ints"), RecordRejected),
    ("closed client, our mistake", errors.InvalidOperation("closed"), errors.InvalidOperation),
]


@pytest.mark.parametrize(
    ("error", "meaning"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS]
)
def test_errors_mean_away_or_rejected(error: Exception, meaning: type[Exception]) -> None:
    with pytest.raises(meaning), translated("mongodb://host/db"):
        raise error


def test_a_refusal_to_read_is_never_a_rejected_record() -> None:
    with pytest.raises(StoreUnavailable, match="too large to sort"):  # noqa: SIM117
        with translated("mongodb://host/db", reading=True):
            raise errors.OperationFailure("too large to sort", 292)


@in_loop
async def test_a_server_killed_during_the_run_means_away(killable_mongo: MongoServer) -> None:
    store = MongoStore(f"{killable_mongo.uri}/pages", "pages", selection_seconds=0.2)
    async with opened(store):
        await store.write([make.page(1)])
        killable_mongo.kill()
        with pytest.raises(StoreUnavailable):
            await store.write([make.page(2)])
        with pytest.raises(StoreUnavailable):
            await store.count(TOPIC)
        killable_mongo.start()
        await store.write([make.page(2)])
        assert [it.url for it in await listed(store.pages(TOPIC))] == [
            make.page(1).url,
            make.page(2).url,
        ]


@in_loop
async def test_a_server_killed_and_restarted_during_writing_loses_nothing(
    killable_mongo: MongoServer, tmp_path: Path
) -> None:
    store = MongoStore(f"{killable_mongo.uri}/pages", "pages", selection_seconds=0.2)
    backoff = JitteredBackoff(initial_seconds=0.01, max_seconds=0.02)
    spool = Spool(tmp_path / "spool", TOPIC)
    async with StoreWriter(store, spool, batch_size=10, flush_seconds=0, backoff=backoff) as it:
        results: list[str] = []

        async def crawl(first: int, last: int) -> None:
            puts = (it.put(make.page(n), make.outcome(n)) for n in range(first, last))
            results.extend(await asyncio.gather(*puts))

        await crawl(0, 30)
        writing = asyncio.create_task(crawl(30, 90))
        await until(lambda: it.counts.written >= 70)
        killable_mongo.kill()
        await writing
        assert WriteResult.SPOOLED in results
        await asyncio.to_thread(killable_mongo.start)
        await until(lambda: not it.away)
        await crawl(90, 120)
        counts = it.counts
    assert WriteResult.REJECTED not in results
    assert counts.accepted == counts.written + counts.spooled == 240
    assert counts.spooled == counts.replayed
    async with opened(MongoStore(f"{killable_mongo.uri}/pages", "pages")) as again:
        assert await listed(again.pages(TOPIC, with_html=True)) == [
            make.page(n) for n in range(120)
        ]
        assert await listed(again.outcomes(TOPIC)) == [make.outcome(n) for n in range(120)]


@in_loop
async def test_with_the_server_away_until_the_end_the_next_run_completes_the_collection(
    killable_mongo: MongoServer, tmp_path: Path
) -> None:
    def writer() -> StoreWriter:
        store = MongoStore(f"{killable_mongo.uri}/pages", "pages", selection_seconds=0.1)
        return StoreWriter(store, Spool(tmp_path / "spool", TOPIC), flush_seconds=0)

    async with writer() as it:
        await it.put(make.page(1))
        killable_mongo.kill()
        await asyncio.gather(*(it.put(make.page(n)) for n in range(2, 10)))
    with pytest.raises(ConfigurationError):
        await writer().open()
    killable_mongo.start()
    async with writer() as it:
        assert it.counts.replayed == 8
        assert [page.url async for page in it.store.pages(TOPIC)] == [
            make.page(n).url for n in range(1, 10)
        ]
