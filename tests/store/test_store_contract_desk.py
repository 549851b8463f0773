"""The contract of stores: desk records, headlines and the deletion of pages."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.store.contract import DeskRecord, PageHeadline, SearchQuery


def note(key: str, **value: Any) -> DeskRecord:
    return DeskRecord(topic=TOPIC, kind="note", key=key, at=NOON, value=value)


@in_loop
async def test_desk_records_come_back_as_they_were_written(make_store: MakeStore) -> None:
    value = {"文": "a\x00b😀", "list": [1, 2.5, None, ["x", [True]]], "$a.b": {"": {"c": ""}}}
    record = note("http://a.example/?b=1", **value)
    async with opened(make_store()) as store:
        await store.write(desk=[note("k", old=1), record])
        await store.write(desk=[note("k", new=2), replace(record, topic="另一个")])
        assert await store.desk_entry(TOPIC, "note", record.key) == record
        assert await store.desk_entry(TOPIC, "tag", record.key) is None
        assert await listed(store.desk(TOPIC, "note")) == [record, note("k", new=2)]
        assert await listed(store.desk(TOPIC, "tag")) == []
        assert (await store.size(TOPIC)).desk == 2


@in_loop
async def test_desk_records_are_found_by_the_beginning_of_their_keys(make_store: MakeStore) -> None:
    keys = ["a%", "a%b", "a_", "aa", "A", "侨务", "侨务/一", "侨"]
    async with opened(make_store()) as store:
        await store.write(desk=[note(key) for key in keys])
        for prefix in ("", "a", "a%", "侨务", "x", "a_"):
            found = [it.key for it in await listed(store.desk(TOPIC, "note", prefix=prefix))]
            assert found == sorted(key for key in keys if key.startswith(prefix))


@in_loop
async def test_of_many_claims_of_one_record_exactly_one_succeeds(make_store: MakeStore) -> None:
    async with opened(make_store()) as one, opened(make_store()) as other:
        claims = [store.claim_desk(note("k", n=n)) for n in range(10) for store in (one, other)]
        assert sorted(await asyncio.gather(*claims)) == [False] * 19 + [True]
        assert await one.delete_desk(TOPIC, "note", ["k", "k", "nothing"]) == 1
        assert await one.claim_desk(note("k"))


@in_loop
async def test_a_desk_record_that_is_not_json_is_refused(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        for value in (float("nan"), object(), {1, 2}):
            with pytest.raises(ValueError, match="value"):
                await store.write(desk=[note("k", it=value)])


@in_loop
async def test_a_topic_that_is_forgotten_has_no_desk_records(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1)], desk=[note("k")])
        await store.forget(TOPIC)
        assert await listed(store.desk(TOPIC, "note")) == []
        assert await listed(store.headlines(TOPIC)) == []
        assert (await store.search([], SearchQuery.from_text("华侨"))).total == 0


@in_loop
async def test_a_headline_has_the_short_fields_of_its_page(make_store: MakeStore) -> None:
    page = make.page(1, story="s", copy_of="http://a.example/", relation="copy")
    page = replace(page, tokens=(1, 2), gone_at=NOON, changed_at=NOON)
    async with opened(make_store()) as store:
        await store.write([page, make.page(2, topic="另一个")])
        (found,) = await listed(store.headlines(TOPIC))
        for field in fields(PageHeadline):
            assert getattr(found, field.name) == getattr(page, field.name), field.name


@in_loop
async def test_headlines_follow_whatever_changes_their_pages(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(number) for number in range(1, 5)])
        long_ago = NOON - timedelta(days=400)
        assert len(await listed(store.headlines(TOPIC, since=long_ago))) == 4
        await store.write([make.page(1, title="另"), make.page(2, withdrawn_at=NOON)])
        await store.write(visits=[make.visit(3)])
        kept = {it.url: it for it in await listed(store.headlines(TOPIC))}
        assert sorted(kept) == sorted(make.page(number).url for number in (1, 3, 4))
        assert kept[make.page(1).url].title == "另"
        assert kept[make.page(3).url].gone_at == make.visit(3).gone_at
        since = datetime.now(UTC)
        changed = {it.url: it for it in await listed(store.headlines(TOPIC, since=since))}
        assert changed[make.page(2).url].withdrawn_at == NOON
        assert await listed(store.headlines("另一个", since=since)) == []


@in_loop
async def test_a_deleted_page_leaves_nothing_but_an_outcome(make_store: MakeStore) -> None:
    page, other = make.page(1, tokens=(7, 8)), make.page(2, tokens=(7,))
    async with opened(make_store()) as store:
        await store.write(
            [page, other], near_misses=[make.near_miss(3)],
            visits=[make.visit(1)], versions=[make.version(1)],
        )  # fmt: skip
        urls = [page.url, make.near_miss(3).url, "http://nowhere.example/", page.url]
        assert await store.delete_pages(TOPIC, urls) == 2
        assert await store.page(TOPIC, page.url) is None
        assert await store.near_miss(TOPIC, make.near_miss(3).url) is None
        assert await store.visit(TOPIC, page.url) is None
        assert await store.versions(TOPIC, page.url) == []
        assert await store.sharing(TOPIC, [7, 8], most=5) == {7: [other.url]}
        left = await store.outcome(TOPIC, page.url)
        assert left is not None
        assert (left.verdict, left.reason, left.title) == ("dropped", "deleted", "")
        assert await store.outcome(TOPIC, "http://nowhere.example/") is None
        assert [it.url for it in await listed(store.headlines(TOPIC))] == [other.url]
        changed = {it.url: it for it in await listed(store.headlines(TOPIC, since=left.at))}
        assert changed[page.url].withdrawn_at == left.at
        assert (await store.search([], SearchQuery.from_text("华侨"))).total == 1
        assert await store.delete_pages(TOPIC, urls) == 0
        await store.write([page])
        changed = {it.url: it for it in await listed(store.headlines(TOPIC, since=left.at))}
        assert changed[page.url].withdrawn_at is None


@in_loop
async def test_copies_of_a_deleted_page_keep_their_texts_and_must_be_compared(
    make_store: MakeStore,
) -> None:
    text = "".join(f"第{number}句话，关于侨务工作和回国投资。" for number in range(60))
    first = make.page(1, body=text, story="s", compared=1)
    copies = [
        make.page(
            n, body=text + "完" * n, story="s", copy_of=first.url, relation="copy", compared=1
        )
        for n in (2, 3)
    ]
    async with opened(make_store()) as store:
        await store.write([first, *copies])
        assert await store.delete_pages(TOPIC, [first.url]) == 1
        for copy in copies:
            found = await store.page(TOPIC, copy.url)
            assert found is not None
            assert (found.body, found.compared) == (copy.body, 0)
        query = SearchQuery.from_text("第59句话", copies=True)
        assert (await store.search([TOPIC], query)).total == 2


@in_loop
async def test_a_store_for_reading_refuses_to_change_the_desk(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1)])
    async with opened(make_store(read_only=True)) as store:
        for call in (
            store.claim_desk(note("k")),
            store.delete_desk(TOPIC, "note", ["k"]),
            store.delete_pages(TOPIC, [make.page(1).url]),
            store.index(),
        ):
            with pytest.raises(RuntimeError, match="reading only"):
                await call
