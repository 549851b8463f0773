"""The contract of stores: visits, former versions, and what they mean for pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.store.contract import PageRecord, TopicSize, VisitRecord
from topiccrawl.store.versions import former_version, unpack_versions

DAY = timedelta(days=1)


@in_loop
async def test_visits_come_back_as_they_were_written_each_url_once(make_store: MakeStore) -> None:
    bare = VisitRecord(topic=TOPIC, url="http://list.example/", kind="list", visited_at=NOON)
    other = make.visit(1, topic="另一个")
    async with opened(make_store()) as store:
        await store.write(visits=[make.visit(1, etag="old"), bare, other])
        await store.write(visits=[make.visit(1)])
        assert await store.visit(TOPIC, make.page(1).url) == make.visit(1)
        assert await store.visit(TOPIC, bare.url) == bare
        assert await store.visit(TOPIC, "http://nowhere.example/") is None
        found = await listed(store.visits(TOPIC))
        assert found == sorted([make.visit(1), bare], key=lambda it: it.id)


@in_loop
async def test_a_visit_sets_the_times_of_its_page_also_in_one_call(make_store: MakeStore) -> None:
    visits = [make.visit(1), make.visit(2, gone_at=None), make.visit(3)]
    async with opened(make_store()) as store:
        await store.write([make.page(1), make.page(2)], visits=visits[:1])
        await store.write(visits=visits[1:])
        found = {it.url: it for it in await listed(store.pages(TOPIC))}
        assert len(found) == 2
        for visit in visits[:2]:
            page = found[visit.url]
            assert (page.changed_at, page.gone_at) == (visit.changed_at, visit.gone_at)
        await store.write(visits=[replace(visits[0], gone_at=None)])
        back = await store.page(TOPIC, visits[0].url)
        assert back is not None
        assert (back.gone_at, back.body) == (None, make.page(1).body)


@in_loop
async def test_a_backlog_of_visits_is_written_in_one_call(make_store: MakeStore) -> None:
    visits = [make.visit(number) for number in range(120)]
    async with opened(make_store()) as store:
        await store.write([make.page(number) for number in range(120)])
        await store.write(visits=visits)
        found = {it.url: it.changed_at for it in await listed(store.pages(TOPIC))}
        assert found == {it.url: it.changed_at for it in visits}
        assert len(await listed(store.visits(TOPIC))) == len(visits)


@in_loop
async def test_a_page_that_is_written_again_keeps_when_it_was_first_seen_and_changed(
    make_store: MakeStore,
) -> None:
    first = make.page(1)
    later = make.page(1, fetched_at=NOON + 3 * DAY, first_seen=NOON + 3 * DAY, body="新的正文")
    async with opened(make_store()) as store:
        await store.write([first])
        await store.write([later], visits=[make.visit(1, changed_at=NOON + 3 * DAY)])
        await store.write([replace(later, title="又一次")])
        found = await store.page(TOPIC, first.url)
        assert found is not None
        assert (found.first_seen, found.fetched_at) == (first.fetched_at, NOON + 3 * DAY)
        assert found.changed_at == NOON + 3 * DAY
        # It was fetched, and thus is there again.
        assert found.gone_at is None
        await store.write([replace(later, body="第三版", changed_at=NOON + 5 * DAY)])
        found = await store.page(TOPIC, first.url)
        assert found is not None
        assert (found.first_seen, found.changed_at) == (first.fetched_at, NOON + 5 * DAY)


@in_loop
async def test_a_page_without_visits_was_first_seen_when_it_was_fetched(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1)])
        found = await store.page(TOPIC, make.page(1).url)
    assert found is not None
    assert (found.first_seen, found.changed_at, found.gone_at) == (found.fetched_at, None, None)


@in_loop
async def test_pages_since_a_moment_are_the_new_the_changed_and_the_gone(
    make_store: MakeStore,
) -> None:
    def at(number: int, days: float, **changes: Any) -> PageRecord:
        when = NOON + days * DAY
        return make.page(number, fetched_at=when, first_seen=when, **changes)

    records = [
        at(1, 1),
        at(2, 2),
        at(3, 0, changed_at=NOON + 2 * DAY),
        at(4, 0, gone_at=NOON + 3 * DAY),
        at(5, 0, changed_at=NOON + DAY, gone_at=NOON + DAY),
        at(6, 3, withdrawn_at=NOON + 3 * DAY),
        at(7, 3, copy_of=make.page(2).url, story="s"),
        at(8, 3, topic="另一个"),
    ]
    async with opened(make_store()) as store:
        await store.write(records)

        async def urls(**options: Any) -> list[int]:
            found = await listed(store.pages(TOPIC, since=NOON + 2 * DAY, **options))
            return [int(it.url.rpartition("/")[2].partition(".")[0]) for it in found]

        assert sorted(await urls()) == [2, 3, 4]
        assert (await urls())[-1] == 2
        assert len(await urls(limit=2)) == 2
        assert await urls(withdrawn=True) == [6]
        assert sorted(await urls(copies=True)) == [2, 3, 4, 7]


@in_loop
async def test_versions_come_back_in_order_with_their_texts(make_store: MakeStore) -> None:
    bodies = ["第一版。" * 200, "第一版。" * 199 + "改。", "", "第四版\ud83d。"]
    async with opened(make_store()) as store:
        first = None
        for number, body in enumerate(bodies):
            version = former_version(
                make.page(1, title=f"第{number}题", body=body), NOON + number * DAY, first
            )
            first = first or version
            await store.write(versions=[version])
        await store.write(versions=[make.version(2), make.version(1, topic="另一个")])
        found = await store.versions(TOPIC, make.page(1).url)
        assert len(await store.versions(TOPIC, make.page(2).url)) == 1
        assert await store.versions(TOPIC, "http://nowhere.example/") == []
    assert [it.body for it in unpack_versions(found)] == [*bodies[:3], "第四版\ufffd。"]
    assert [it.title for it in found] == ["第0题", "第1题", "第2题", "第3题"]
    assert [it.replaced_at for it in found] == [NOON + number * DAY for number in range(4)]
    # The second one is a difference to the first.
    assert len(found[1].text) < 60
    assert found[1].base == found[0].id


@in_loop
async def test_a_version_that_is_written_again_occurs_once(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        for _ in range(2):
            await store.write(versions=[make.version(1), make.version(1, days=2)])
        assert await store.versions(TOPIC, make.page(1).url) == [
            make.version(1),
            make.version(1, days=2),
        ]


@in_loop
async def test_changes_are_listed_by_time_from_a_moment_on(make_store: MakeStore) -> None:
    versions = [make.version(1, 3), make.version(2, 1), make.version(1, 2), make.version(3, 2)]
    async with opened(make_store()) as store:
        await store.write(versions=[*versions, make.version(4, topic="另一个")])
        every = await listed(store.changes(TOPIC))
        late = await listed(store.changes(TOPIC, since=NOON + 2 * DAY))
    urls = [make.page(number).url for number in (2, 1, 3, 1)]
    days = [1, 2, 2, 3]
    assert every == [(url, NOON + day * DAY) for url, day in zip(urls, days, strict=True)]
    assert late == every[1:]


@in_loop
async def test_of_many_versions_the_first_and_the_last_are_never_trimmed(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        versions = [make.version(1, days) for days in range(10)]
        await store.write(versions=[*versions, make.version(2)])
        url = make.page(1).url
        assert await store.trim_versions(TOPIC, url, 4) == 6
        left = await store.versions(TOPIC, url)
        assert len(left) == 4
        assert (left[0], left[-1]) == (versions[0], versions[-1])
        assert await store.trim_versions(TOPIC, url, 4) == 0
        assert await store.trim_versions(TOPIC, url, 0) == 2
        assert await store.versions(TOPIC, url) == [versions[0], versions[-1]]
        assert len(await store.versions(TOPIC, make.page(2).url)) == 1


@in_loop
async def test_visits_and_versions_count_in_the_size_and_are_forgotten(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        for topic in (TOPIC, "另一个"):
            await store.write(
                [make.page(1, topic=topic)],
                runs=[make.run(topic=topic)],
                visits=[make.visit(1, topic=topic), make.visit(2, topic=topic)],
                versions=[make.version(1, days, topic=topic) for days in range(3)],
            )
        assert await store.size(TOPIC) == TopicSize(1, 0, 0, 1, visits=2, versions=3)
        await store.forget(TOPIC)
        assert await store.size(TOPIC) == TopicSize(0, 0, 0, 0)
        assert await listed(store.visits(TOPIC)) == []
        assert await listed(store.changes(TOPIC)) == []
        assert await store.size("另一个") == TopicSize(1, 0, 0, 1, visits=2, versions=3)


@in_loop
async def test_versions_cannot_be_trimmed_by_a_reader(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(versions=[make.version(1)])
    async with opened(make_store(read_only=True)) as store:
        assert len(await store.versions(TOPIC, make.page(1).url)) == 1
        with pytest.raises(RuntimeError, match="read"):
            await store.trim_versions(TOPIC, make.page(1).url, 1)
