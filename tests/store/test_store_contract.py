"""The contract, for every backend: the same records in, the same records out."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, in_loop, listed, opened
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import PageJudgment, PageStanding, RecordRejected, record_id
from topiccrawl.store.near_misses import unpack_near_miss

if TYPE_CHECKING:
    from collections.abc import Callable

    from topiccrawl.store.contract import Store

    MakeStore = Callable[..., Store]


@in_loop
async def test_every_field_of_every_record_comes_back(make_store: MakeStore) -> None:
    page, outcome, run = make.page(), make.outcome(), make.run()
    async with opened(make_store()) as store:
        await store.write([page], [outcome], [run])
        assert await store.page(TOPIC, page.url) == page
        assert await store.outcome(TOPIC, outcome.url) == outcome
        assert await store.runs(TOPIC) == [run]


@in_loop
async def test_the_least_that_a_record_may_hold_comes_back(make_store: MakeStore) -> None:
    page = make.page(title="", body="", main_terms=(), published_at=None, html=None)
    page = replace(page, link=LinkEvidence())
    outcome = make.outcome(main_terms=(), relevance=None, threshold=None, title="")
    run = replace(make.run(), finished_at=None, stats={}, seed=0)
    async with opened(make_store()) as store:
        await store.write([page], [outcome], [run])
        assert await store.page(TOPIC, page.url) == page
        assert await store.outcome(TOPIC, outcome.url) == outcome
        assert await store.runs(TOPIC) == [run]


HOSTILE_TEXT = [
    ("NUL inside", "前\x00后", "前\x00后"),
    ("half of a surrogate pair, from a broken entity", "前\ud83d后", "前\ufffd后"),
    ("beyond the BMP", "𠮷野家 😀", "𠮷野家 😀"),
    ("combining and bidirectional marks", "e\u0301 \u202eabc", "e\u0301 \u202eabc"),
    ("what could end a statement", "'); DROP TABLE pages; --", "'); DROP TABLE pages; --"),
    ("line ends", "a\r\nb\u2028c", "a\r\nb\u2028c"),
]


@pytest.mark.parametrize(
    ("text", "kept"),
    [(text, kept) for _, text, kept in HOSTILE_TEXT],
    ids=[i[0] for i in HOSTILE_TEXT],
)
@in_loop
async def test_any_text_can_be_kept(make_store: MakeStore, text: str, kept: str) -> None:
    url = f"http://a.example/{text}"
    page = make.page(url=url, title=text, body=text, main_terms=((text, 1.0),))
    outcome = make.outcome(url=url, detail=text, link=LinkEvidence(anchor=text, parts={text: 1.0}))
    async with opened(make_store()) as store:
        await store.write([page], [outcome])
        found = await store.page(TOPIC, url)
        written = await store.outcome(TOPIC, url)
    assert found is not None
    assert written is not None
    assert found.url == f"http://a.example/{kept}"
    assert (found.title, found.body, found.main_terms) == (kept, kept, ((kept, 1.0),))
    assert (written.detail, written.link.anchor, dict(written.link.parts)) == (
        kept,
        kept,
        {kept: 1.0},
    )
    assert found.id == page.id


TIMES = [
    (
        "naive is taken as UTC",
        datetime(2024, 5, 1, 8),
        datetime(2024, 5, 1, 8, tzinfo=UTC),
    ),
    (
        "another zone is the same moment",
        datetime(2024, 5, 1, 8, tzinfo=make.BEIJING),
        datetime(2024, 5, 1, 0, tzinfo=UTC),
    ),
    (
        "microseconds are cut to milliseconds",
        datetime(2024, 5, 1, 8, 0, 0, 123999, tzinfo=UTC),
        datetime(2024, 5, 1, 8, 0, 0, 123000, tzinfo=UTC),
    ),
    (
        "before 1970, cut toward the past",
        datetime(1911, 10, 10, 0, 0, 0, 1, tzinfo=UTC),
        datetime(1911, 10, 10, tzinfo=UTC),
    ),
    (
        "the first moment of Beijing, which UTC dates to the year 0",
        datetime(1, 1, 1, tzinfo=make.BEIJING),
        datetime(1, 1, 1, tzinfo=UTC),
    ),
]


@pytest.mark.parametrize(
    ("given", "kept"), [(given, kept) for _, given, kept in TIMES], ids=[i[0] for i in TIMES]
)
@in_loop
async def test_times_come_back_aware_in_utc(
    make_store: MakeStore, given: datetime, kept: datetime
) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(published_at=given)])
        (found,) = await listed(store.pages(TOPIC))
    assert found.published_at == kept
    assert found.published_at.utcoffset() == timedelta(0)


STATS = [
    ("beyond 64 bits", 2**64, float(2**64)),
    ("the largest whole number", 2**63 - 1, 2**63 - 1),
    ("a whole number beyond floats", 10**400, str(10**400)),
    ("not a number", float("nan"), "nan"),
    ("infinite", float("-inf"), "-inf"),
    ("a time, as Scrapy's own statistics hold", datetime(2025, 1, 1), "2025-01-01 00:00:00"),
]


@pytest.mark.parametrize(
    ("value", "kept"), [(value, kept) for _, value, kept in STATS], ids=[i[0] for i in STATS]
)
@in_loop
async def test_any_statistic_can_be_kept(
    make_store: MakeStore, value: float, kept: float | str
) -> None:
    async with opened(make_store()) as store:
        await store.write(runs=[make.run(stats={"x": value})])
        (found,) = await store.runs(TOPIC)
    assert found.stats == {"x": kept}


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
async def test_a_withdrawn_page_stays_and_counts_nowhere(make_store: MakeStore) -> None:
    gone = make.page(2, withdrawn_at=NOON, probability=0.125)
    async with opened(make_store()) as store:
        await store.write([make.page(1), make.page(2), make.page(3)])
        await store.write([gone])
        assert [it.url async for it in store.pages(TOPIC)] == [make.page(1).url, make.page(3).url]
        assert await listed(store.pages(TOPIC, withdrawn=True, with_html=True)) == [gone]
        assert [it.url async for it in store.pages(TOPIC, order="relevance", limit=1)] == [
            make.page(3).url
        ]
        assert await store.page(TOPIC, gone.url) == gone
        assert await store.count(TOPIC) == 2
        assert await store.topics() == {TOPIC: 2}
        assert [url async for url, _ in store.titles(TOPIC)] == [
            make.page(1).url,
            make.page(3).url,
        ]


@in_loop
async def test_a_withdrawn_page_written_without_the_mark_is_kept_again(
    make_store: MakeStore,
) -> None:
    async with opened(make_store()) as store:
        await store.write([make.page(1, withdrawn_at=NOON)])
        assert await store.topics() == {TOPIC: 0}
        await store.write([make.page(1)])
        assert await listed(store.pages(TOPIC, with_html=True)) == [make.page(1)]
        assert await listed(store.pages(TOPIC, withdrawn=True)) == []


@in_loop
async def test_a_near_miss_comes_back_whole_and_is_no_page(make_store: MakeStore) -> None:
    near = make.near_miss(1)
    async with opened(make_store()) as store:
        await store.write(near_misses=[near])
        assert await store.near_miss(TOPIC, near.url) == near
        assert await store.near_miss("另一个", near.url) is None
        assert await store.page(TOPIC, near.url) is None
        assert (await store.count(TOPIC), await store.topics()) == (0, {})
    assert unpack_near_miss(near) == replace(make.page(1), html=None, probability=0.25)


@in_loop
async def test_a_page_removes_its_near_miss_also_in_one_batch(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(near_misses=[make.near_miss(1), make.near_miss(2), make.near_miss(3)])
        await store.write([make.page(1)])
        await store.write([make.page(2)], near_misses=[make.near_miss(2)])
        assert [it.url async for it in store.near_misses(TOPIC)] == [make.page(3).url]
        assert await store.count(TOPIC) == 2


@in_loop
async def test_the_least_probable_near_misses_are_trimmed(make_store: MakeStore) -> None:
    chances = [0.3, 0.1, 0.5, 0.2, 0.4]
    async with opened(make_store()) as store:
        await store.write(
            near_misses=[make.near_miss(number, chance) for number, chance in enumerate(chances)]
        )
        await store.write(near_misses=[make.near_miss(1, 0.6), make.near_miss(9, topic="另一个")])
        assert await store.trim_near_misses(TOPIC, 3) == 2
        assert [it.probability async for it in store.near_misses(TOPIC)] == [0.6, 0.5, 0.4]
        assert await store.trim_near_misses(TOPIC, 3) == 0
        assert await store.trim_near_misses(TOPIC, 0) == 3
        assert len(await listed(store.near_misses("另一个"))) == 1


@in_loop
async def test_standings_list_every_page_and_near_miss(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(
            [
                make.page(1, probability=None),
                make.page(2, withdrawn_at=NOON),
                make.page(8, topic="乙"),
            ],
            near_misses=[make.near_miss(3)],
        )
        found = await listed(store.standings(TOPIC))
    assert found[0] == PageStanding(make.page(3).url, "near-miss", 0.25)
    assert sorted(found[1:], key=lambda it: it.url) == [
        PageStanding(make.page(1).url, "kept", None),
        PageStanding(make.page(2).url, "withdrawn", 0.75),
    ]


@in_loop
async def test_judgments_are_set_without_writing_the_pages_again(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        await store.write(
            [make.page(1), make.page(2, withdrawn_at=NOON), make.page(4, topic="乙")],
            near_misses=[make.near_miss(3)],
        )
        urls = [make.page(number).url for number in (1, 2, 3, 4, 9)]
        await store.write(outcomes=[make.outcome(url=url, threshold=0.2) for url in urls[:2]])
        judgments = [PageJudgment(p, 0.4, {"text": -p}) for p in (0.1, 0.2, 0.3, 0.4, 0.9)]
        await store.set_judgments(TOPIC, dict(zip(urls, judgments, strict=True)))
        await store.set_judgments(TOPIC, {})
        found = {it.url: it.probability async for it in store.standings(TOPIC)}
        assert found == dict(zip(urls[:3], [0.1, 0.2, 0.3], strict=True))
        assert await store.page(TOPIC, urls[0]) == make.page(1, probability=0.1)
        near = await store.near_miss(TOPIC, urls[2])
        assert near is not None
        assert unpack_near_miss(near) == replace(make.page(3), html=None, probability=0.3)
        assert [it.probability async for it in store.pages("乙")] == [0.75]
        assert await store.outcome(TOPIC, urls[0]) == make.outcome(
            url=urls[0],
            threshold=0.2,
            probability=0.1,
            probability_threshold=0.4,
            judgment_parts={"text": -0.1},
        )
        assert await store.outcome(TOPIC, urls[4]) is None
        await store.set_judgments(TOPIC, {urls[1]: PageJudgment(0.25)})
        known = await store.outcome(TOPIC, urls[1])
        assert known is not None
        assert (known.probability, known.probability_threshold, known.judgment_parts) == (
            0.25,
            None,
            {},
        )
        for wrong in (PageJudgment(float("nan")), PageJudgment(0.5, 0.5, {"text": float("inf")})):
            with pytest.raises(ValueError, match="must be finite"):
                await store.set_judgments(TOPIC, {urls[0]: wrong})


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
