"""The contract, for every backend: what is written, in which order it is read, and who may write."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.store.contract import PageJudgment, RecordRejected, record_id


@in_loop
async def test_writing_twice_leaves_one_document_with_the_last_content(
    make_store: MakeStore,
) -> None:
    first, second = make.page(title="旧", html=b"x"), make.page(title="新", html=None)
    async with opened(make_store()) as store:
        await store.write([first], [make.outcome(reason="a")], [make.run(stop_reason="")])
        await store.write([second], [make.outcome(reason="b")], [make.run(stop_reason="finished")])
        assert await listed(store.pages(TOPIC, with_html=True)) == [second]
        assert [it.reason for it in await listed(store.outcomes(TOPIC))] == ["b"]
        assert [it.stop_reason for it in await store.runs(TOPIC)] == ["finished"]
        assert await store.count(TOPIC) == 1


@in_loop
async def test_of_the_same_url_twice_in_a_batch_the_last_stays(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(
            [make.page(title="旧"), make.page(title="新")],
            [make.outcome(reason="a"), make.outcome(reason="b")],
            [make.run(stop_reason=""), make.run(stop_reason="finished")],
        )
        assert [it.title for it in await listed(store.pages(TOPIC))] == ["新"]
        assert [it.reason for it in await listed(store.outcomes(TOPIC))] == ["b"]
        assert [it.stop_reason for it in await store.runs(TOPIC)] == ["finished"]


@in_loop
async def test_records_of_an_unknown_kind_are_refused_by_its_name(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        with pytest.raises(TypeError, match="visit_records"):
            await store.write(visit_records=[make.visit()])  # type: ignore[call-arg]
        assert await listed(store.visits(TOPIC)) == []


QUEUED_RULES = [
    ("queued after stored", ["stored", "queued"], 0),
    ("queued after failed", ["failed", "queued"], 0),
    ("stored after queued", ["queued", "stored"], 1),
    ("queued after queued", ["queued", "queued"], 1),
    ("dropped after stored", ["stored", "dropped"], 1),
    ("queued at last", ["queued", "failed", "queued"], 1),
]


@pytest.mark.parametrize("together", [False, True], ids=["one by one", "in one batch"])
@pytest.mark.parametrize(
    ("verdicts", "winner"), [rule[1:] for rule in QUEUED_RULES], ids=[i[0] for i in QUEUED_RULES]
)
@in_loop
async def test_queued_never_replaces_another_verdict(
    make_store: MakeStore, verdicts: list[str], winner: int, together: bool
) -> None:
    records = [
        make.outcome(1, verdict=verdict, detail=str(number), sequence=number)
        for number, verdict in enumerate(verdicts)
    ]
    async with opened(make_store()) as store:
        for batch in [records] if together else [[record] for record in records]:
            await store.write(outcomes=batch)
        assert await listed(store.outcomes(TOPIC)) == [records[winner]]


@in_loop
async def test_pages_come_in_the_order_asked_for(make_store: MakeStore) -> None:
    day = timedelta(days=1)
    table = [  # name, fetched, relevance, published
        ("a", 2, 0.5, NOON - 1 * day),
        ("b", 1, 0.5, None),
        ("c", 3, 0.9, NOON - 2 * day),
        ("d", 4, 0.1, NOON),
        ("e", 5, 0.5, None),
    ]
    records = [
        make.page(url=name, fetched_at=NOON + fetched * day, relevance=value, published_at=when)
        for name, fetched, value, when in table
    ]
    async with opened(make_store()) as store:
        await store.write(records)
        found = {
            order: "".join([it.url async for it in store.pages(TOPIC, order=order)])
            for order in ("fetched", "relevance", "published")
        }
        # Equals by time of fetching, undated ones last.
        assert found == {"fetched": "bacde", "relevance": "cbaed", "published": "dacbe"}
        assert [it.url async for it in store.pages(TOPIC, order="relevance", limit=2)] == ["c", "b"]
        assert [it[0] async for it in store.titles(TOPIC)] == ["b", "a", "c", "d", "e"]


@in_loop
async def test_pages_of_the_same_moment_come_by_id(make_store: MakeStore) -> None:
    records = [make.page(number, fetched_at=NOON, relevance=1.0) for number in range(8)]
    expected = sorted(record.id for record in records)
    async with opened(make_store()) as store:
        await store.write(records)
        for order in ("fetched", "relevance", "published"):
            assert [it.id for it in await listed(store.pages(TOPIC, order=order))] == expected


@in_loop
async def test_limits_of_nothing_and_of_more_than_there_is(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1), make.page(2)])
        assert await listed(store.pages(TOPIC, limit=0)) == []
        assert len(await listed(store.pages(TOPIC, limit=9))) == 2
        with pytest.raises(ValueError, match="limit must be >= 0 or None, got -1"):
            await listed(store.pages(TOPIC, limit=-1))
        with pytest.raises(ValueError, match="order must be one of fetched, relevance, published"):
            await listed(store.pages(TOPIC, order="newest"))  # type: ignore[arg-type]


@in_loop
async def test_lists_leave_the_html_out_unless_asked(make_store: MakeStore) -> None:
    record = make.page()
    async with opened(make_store()) as store:
        await store.write([record])
        assert await listed(store.pages(TOPIC)) == [replace(record, html=None)]
        assert await listed(store.pages(TOPIC, with_html=True)) == [record]


@in_loop
async def test_outcomes_come_by_time_then_sequence_and_by_run(make_store: MakeStore) -> None:
    records = [
        make.outcome(1, at=NOON, sequence=3, run_id="b"),
        make.outcome(2, at=NOON, sequence=1, run_id="a"),
        make.outcome(3, at=NOON - timedelta(seconds=1), sequence=9, run_id="b"),
    ]
    async with opened(make_store()) as store:
        await store.write(outcomes=records)
        assert [it.sequence async for it in store.outcomes(TOPIC)] == [9, 1, 3]
        assert [it.sequence async for it in store.outcomes(TOPIC, run_id="b")] == [9, 3]
        assert await listed(store.outcomes(TOPIC, run_id="c")) == []


@in_loop
async def test_runs_come_oldest_first(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(runs=[make.run(2), make.run(1), make.run(3)])
        assert [it.id for it in await store.runs(TOPIC)] == ["run-1", "run-2", "run-3"]


@in_loop
async def test_topics_never_see_each_other(make_store: MakeStore) -> None:
    names = ["侨情", "僑情", "侨", "侨情 ", "QIAO"]
    async with opened(make_store()) as store:
        await asyncio.gather(
            *(
                store.write(
                    [make.page(1, topic=name, title=name)],
                    [make.outcome(1, topic=name, detail=name)],
                    [make.run(1, topic=name, stop_reason=name)],
                )
                for name in names
            )
        )
        for name in names:
            url = make.page(1).url
            assert [it.title for it in await listed(store.pages(name))] == [name]
            assert [it.detail for it in await listed(store.outcomes(name))] == [name]
            assert [it.stop_reason for it in await store.runs(name)] == [name]
            assert [it[1] for it in await listed(store.titles(name))] == [name]
            found = await store.page(name, url)
            assert found is not None
            assert found.topic == name
        assert await store.topics() == dict.fromkeys(names, 1)
        assert await store.count("另一个") == 0
        assert await store.page("另一个", make.page(1).url) is None
        assert await store.outcome("另一个", make.page(1).url) is None


@in_loop
async def test_a_topic_with_runs_and_no_page_is_known_with_none(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1, topic="乙"), make.page(2, topic="乙")])
        await store.write(runs=[make.run(1, topic="甲"), make.run(1, topic="乙")])
        assert list((await store.topics()).items()) == [("乙", 2), ("甲", 0)]


@in_loop
async def test_what_was_written_is_there_after_reopening(make_store: MakeStore) -> None:
    records = [make.page(number) for number in range(3)]
    async with opened(make_store()) as store:
        await store.write(records)
    async with opened(make_store()) as store:
        assert await listed(store.pages(TOPIC, with_html=True)) == records
        await store.write([make.page(4)])
        assert await store.count(TOPIC) == 4


@in_loop
async def test_iteration_goes_on_while_more_is_written(make_store: MakeStore) -> None:
    records = [make.page(number) for number in range(250)]
    async with opened(make_store()) as store:
        await store.write(records)
        seen = []
        async for found in store.pages(TOPIC):
            if len(seen) % 50 == 0:
                await store.write([make.page(1000 + len(seen))])
            seen.append(found.url)
    # Later pages may or may not be seen; none of the first is missed or seen twice.
    assert seen[:250] == [record.url for record in records]
    assert len(seen) == len(set(seen))


@in_loop
async def test_a_second_reader_sees_what_the_writer_has_written(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1)])
        async with opened(make_store(read_only=True)) as reader:
            assert await reader.count(TOPIC) == 1
            await store.write([make.page(2)])
            assert await reader.count(TOPIC) == 2


@in_loop
async def test_an_iteration_may_be_left_early(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(number) for number in range(150)])
        async for _ in store.pages(TOPIC):
            break
        await store.write([make.page(200)])
        assert await store.count(TOPIC) == 151


@in_loop
async def test_other_calls_read_what_is_written_during_an_iteration(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(number) for number in range(250)])
        pages, outer = store.pages(TOPIC), store.pages(TOPIC)
        await anext(pages)
        await anext(outer)
        await store.write([make.page(1000)], [make.outcome(1000)])
        assert await store.count(TOPIC) == 251
        assert await store.page(TOPIC, make.page(1000).url) is not None
        assert (await store.size(TOPIC)).pages == 251
        assert len(await listed(store.titles(TOPIC))) == 251


@in_loop
async def test_a_store_for_reading_refuses_to_write(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1)])
    async with opened(make_store(read_only=True)) as store:
        with pytest.raises(RuntimeError, match="reading only"):
            await store.write([make.page(2)])
        with pytest.raises(RuntimeError, match="reading only"):
            await store.trim_near_misses(TOPIC, 0)
        with pytest.raises(RuntimeError, match="reading only"):
            await store.set_judgments(TOPIC, {make.page(1).url: PageJudgment(0.5)})
        assert await store.count(TOPIC) == 1


@in_loop
async def test_a_store_that_is_not_open_raises_a_clear_error(make_store: MakeStore) -> None:
    store = make_store()
    with pytest.raises(RuntimeError, match="not open"):
        await store.count(TOPIC)
    with pytest.raises(RuntimeError, match="not open"):
        await store.write([make.page()])
    await store.close()
    await store.open()
    await store.open()
    await store.close()
    await store.close()
    with pytest.raises(RuntimeError, match="not open"):
        await listed(store.pages(TOPIC))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@in_loop
async def test_a_relevance_that_is_no_number_is_refused_and_nothing_written(
    make_store: MakeStore, value: float
) -> None:
    async with opened(make_store()) as store:
        with pytest.raises(ValueError, match="relevance must be finite"):
            await store.write([make.page(1), make.page(2, relevance=value)])
        assert await store.count(TOPIC) == 0


@in_loop
async def test_a_number_that_no_backend_can_hold_is_rejected(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        with pytest.raises(RecordRejected):
            await store.write(outcomes=[make.outcome(1, sequence=2**64)])
        await store.write(outcomes=[make.outcome(2)])
        assert [it.sequence async for it in store.outcomes(TOPIC)] == [2]


def test_ids_keep_topic_and_url_apart_and_survive_surrogates() -> None:
    assert len({record_id("a", "bc"), record_id("ab", "c"), record_id("abc", "")}) == 3
    assert record_id("a", "x\ud83dy") == record_id("a", "x\ufffdy")
    assert len(record_id("侨情", "http://a.example/")) == 32
