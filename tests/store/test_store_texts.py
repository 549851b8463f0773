"""Texts of copies: small in the store, and always read back whole."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.store.contract import Membership, PageRecord, Store, record_id
from topiccrawl.store.mongo.store import MongoStore
from topiccrawl.store.sqlite.store import SQLiteStore
from topiccrawl.store.texts import difference, restored

#: Sentences that share no words.
SENTENCES = [
    "".join(chr(0x4E00 + (at * 37 + n * 611) % 20000) for at in range(60)) for n in range(30)
]
#: Three texts, each with an edited version, one of another text, and a short one.
TEXTS = [
    "".join(SENTENCES[:10]),
    "".join(SENTENCES[:4] + SENTENCES[20:21] + SENTENCES[5:10]),
    "".join(SENTENCES[10:20]),
    "前言 \x00𠮷" + "".join(SENTENCES[10:20]) + "（完）",
    "".join(SENTENCES[20:]),
    "短",
    "",
]
pieces = st.lists(st.sampled_from([*SENTENCES, "a", "𠮷", "\x00", "é"]), max_size=12).map("".join)


@given(pieces, pieces)
def test_a_difference_restores_the_text_or_is_none(text: str, base: str) -> None:
    found = difference(text, base)
    if found is not None:
        assert restored(found, base) == text
        assert len(found) <= len(text.encode()) / 2


@pytest.mark.parametrize("damage", ["other base", "no base", "cut", "changed", "too long"])
def test_a_damaged_difference_is_recognized(damage: str) -> None:
    base = TEXTS[0]
    found = difference(TEXTS[1], base)
    assert found
    given: tuple[bytes, str | None] = {
        "other base": (found, TEXTS[2]),
        "no base": (found, None),
        "cut": (found[:5], base),
        "changed": (found[:40] + bytes([found[40] ^ 255]) + found[41:], base),
        "too long": (b"\xff" * 8 + found[8:], base),
    }[damage]
    with pytest.raises(ValueError, match="text"):
        restored(*given)


def test_an_edited_text_costs_a_fraction_and_an_equal_one_nothing() -> None:
    assert difference(TEXTS[0], TEXTS[0]) == b""
    assert len(difference(TEXTS[1], TEXTS[0]) or TEXTS[1].encode()) < len(TEXTS[1].encode()) / 5
    assert difference(TEXTS[4], TEXTS[0]) is None


def page(number: int, text: int, **changes: Any) -> PageRecord:
    record = make.page(number, html=None, body=TEXTS[text], content_hash=str(text))
    return replace(record, **{"tokens": (text,), "story": "s", **changes})


def url(number: int) -> str:
    return make.page(number).url


numbers = st.integers(0, 4)
texts = st.integers(0, len(TEXTS) - 1)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), numbers, texts, st.none() | numbers),
        st.tuples(st.just("write back"), numbers, st.booleans(), st.none()),
        st.tuples(st.just("relate"), numbers, st.none() | numbers, st.none()),
        st.tuples(st.just("batch"), numbers, texts, numbers),
    ),
    min_size=4,
    max_size=14,
)


async def take(store: Store, steps: list[tuple[str, int, Any, Any]]) -> None:
    """Take the steps, and check after each that every page has its own text."""
    expected: dict[str, str] = {}
    for kind, number, value, original in steps:
        copy_of = "" if original is None else url(original)
        if kind == "write":
            await store.write([page(number, value, copy_of=copy_of)])
            expected[url(number)] = TEXTS[value]
        elif kind == "batch":
            pages = [page(original, value), page(number, value, copy_of=copy_of)]
            await store.write(pages)
            expected.update({it.url: it.body for it in pages})
        elif kind == "write back":
            known = await store.page(TOPIC, url(number))
            if known is not None:
                await store.write([replace(known, withdrawn_at=NOON if value else None)])
        else:
            of = "" if value is None else url(value)
            await store.set_relations(
                TOPIC, {url(number): Membership(story="s", copy_of=of, compared=1)}
            )
        kept = await listed(store.pages(TOPIC, copies=True))
        withdrawn = await listed(store.pages(TOPIC, withdrawn=True))
        assert {it.url: it.body for it in [*kept, *withdrawn]} == expected
    for address, text in expected.items():
        found = await store.page(TOPIC, address)
        assert found is not None
        assert found.body == text


@given(steps)
@settings(max_examples=20)
def test_whatever_is_written_every_page_has_its_own_text(
    steps: list[tuple[str, int, Any, Any]],
) -> None:
    async def run(folder: str) -> None:
        path = Path(folder) / "store.sqlite"
        async with opened(SQLiteStore(path)) as store:
            await take(store, steps)
        with closing(sqlite3.connect(path)) as file:
            assert (
                file.execute("SELECT key FROM texts EXCEPT SELECT base FROM packed").fetchall()
                == []
            )
            assert (
                file.execute("SELECT base FROM packed EXCEPT SELECT key FROM texts").fetchall()
                == []
            )

    with TemporaryDirectory() as folder:
        asyncio.run(run(folder))


#: Every way in which a text is packed, used and left behind.
LONG_WAY: list[tuple[str, int, Any, Any]] = [
    ("write", 0, 0, None),
    ("write", 1, 1, 0),
    ("write", 2, 0, 0),
    ("write", 3, 1, 1),
    ("write", 0, 2, None),
    ("batch", 4, 2, 0),
    ("relate", 3, 2, None),
    ("write back", 1, True, None),
    ("write back", 1, False, None),
    ("write", 2, 3, 4),
    ("write", 4, 5, 0),
    ("relate", 0, 4, None),
    ("write", 1, 6, 2),
]


@in_loop
async def test_every_page_has_its_own_text_in_each_store(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await take(store, LONG_WAY)


@in_loop
async def test_equal_and_edited_copies_take_little_room(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([page(0, 0)])
        await store.write([page(1, 0, copy_of=url(0)), page(2, 1, copy_of=url(0))])
        await store.write([page(3, 0), page(4, 1)])
        await store.set_relations(
            TOPIC,
            {
                url(3): Membership(story="s", copy_of=url(0), compared=1),
                # Of a page that is packed itself, the base is the same.
                url(4): Membership(story="s", copy_of=url(2), compared=1),
            },
        )
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT sum(length(body)) FROM pages").fetchone() == (0,)
        assert file.execute("SELECT text FROM texts").fetchall() == [(TEXTS[0],)]
        differences = [it for (it,) in file.execute("SELECT difference FROM packed ORDER BY rowid")]
    async with opened(SQLiteStore(path)) as store:
        await store.write([page(0, 0, topic="另一个"), page(1, 0, topic="另一个", copy_of=url(0))])
        await store.forget(TOPIC)
        assert {it.body async for it in store.pages("另一个", copies=True)} == {TEXTS[0]}
        await store.forget("另一个")
    with closing(sqlite3.connect(path)) as file:
        for table in ("texts", "packed", "numbers", "tokens_new"):
            assert file.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    edited = difference(TEXTS[1], TEXTS[0])
    assert sorted(differences) == sorted([b"", b"", edited, b"", edited])


SQLITE_DAMAGE = {
    "base missing": "DELETE FROM texts",
    "another base": f"UPDATE texts SET text = '{TEXTS[2]}'",
    "base of another type": "UPDATE texts SET text = x'00'",
    "difference cut": "UPDATE packed SET difference = x'0102' WHERE difference <> x''",
    "difference of another type": "UPDATE packed SET difference = 7",
}


@pytest.mark.parametrize("damage", SQLITE_DAMAGE.values(), ids=SQLITE_DAMAGE.keys())
@in_loop
async def test_a_page_whose_text_cannot_be_restored_is_read_without_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    path = tmp_path / "store.sqlite"
    async with opened(SQLiteStore(path)) as store:
        await store.write([page(0, 0), page(1, 1, copy_of=url(0)), page(2, 4)])
    with closing(sqlite3.connect(path)) as file:
        file.execute(damage)
        file.commit()
    async with opened(SQLiteStore(path)) as store:
        found = {it.url: it.body async for it in store.pages(TOPIC, copies=True)}
        assert found[url(1)] == ""
        assert found[url(2)] == TEXTS[4]
        assert "is damaged" in caplog.text
        # Written back, it stays as it is; fetched again, it is whole.
        known = await store.page(TOPIC, url(1))
        assert known is not None
        await store.write([replace(known, probability=0.5)])
        await store.write([page(1, 1, copy_of=url(0)), page(0, 0)])
        assert {it.body async for it in store.pages(TOPIC, copies=True)} == {
            TEXTS[0],
            TEXTS[1],
            TEXTS[4],
        }


@in_loop
async def test_a_page_of_mongodb_whose_base_is_missing_is_read_without_its_text(
    mongo_database_uri: str, caplog: pytest.LogCaptureFixture
) -> None:
    from pymongo import AsyncMongoClient

    name = mongo_database_uri.partition("?")[0].rpartition("/")[2]
    async with opened(MongoStore(mongo_database_uri, name)) as store:
        await store.write([page(0, 0), page(1, 1, copy_of=url(0)), page(2, 4)])
        async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
            stored = await client[name]["pages"].find_one({"_id": record_id(TOPIC, url(1))})
            assert stored is not None
            assert stored["body"] == ""
            assert len(stored["difference"]) < 1000
            assert await client[name]["texts"].count_documents({}) == 1
            await client[name]["texts"].delete_many({})
        found = {it.url: it.body async for it in store.pages(TOPIC, copies=True)}
        assert found == {url(0): "", url(1): "", url(2): TEXTS[4]}
        assert f"The text of {url(1)} cannot be read" in caplog.text
        await store.write([page(0, 0), page(1, 1, copy_of=url(0))])
        found = {it.url: it.body async for it in store.pages(TOPIC, copies=True)}
        assert found == {url(0): TEXTS[0], url(1): TEXTS[1], url(2): TEXTS[4]}
        await store.forget(TOPIC)
        async with AsyncMongoClient[dict[str, Any]](mongo_database_uri) as client:
            assert await client[name]["texts"].count_documents({}) == 0
