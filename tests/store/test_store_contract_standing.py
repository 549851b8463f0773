"""The contract of stores: withdrawn pages, near misses and later judgments."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tests.support.store_records as make
from tests.support.store_records import NOON, TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.store.contract import PageJudgment, PageStanding, TopicSize
from topiccrawl.store.near_misses import unpack_near_miss


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
        odd = {"a.b": 0.1, "$c": 0.2, "50%25": 0.3}
        await store.set_judgments(TOPIC, {urls[0]: PageJudgment(0.1, None, odd)})
        known = await store.outcome(TOPIC, urls[0])
        assert known is not None
        assert known.judgment_parts == odd
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
async def test_all_of_one_topic_is_forgotten_and_nothing_of_another(make_store: MakeStore) -> None:
    async with opened(make_store()) as store:
        for topic in (TOPIC, "另一个"):
            await store.write(
                [make.page(1, topic=topic), make.page(2, topic=topic, withdrawn_at=NOON)],
                [make.outcome(number, topic=topic) for number in range(3)],
                [make.run(1, topic=topic)],
                [make.near_miss(4, topic=topic)],
            )
        assert await store.size(TOPIC) == TopicSize(2, 1, 3, 1)
        await store.forget(TOPIC)
        assert await store.size(TOPIC) == TopicSize(0, 0, 0, 0)
        assert await store.topics() == {"另一个": 1}
        assert await store.page(TOPIC, make.page(1).url) is None
        assert await store.size("另一个") == TopicSize(2, 1, 3, 1)
        kept = await store.page("另一个", make.page(1).url)
        assert kept is not None
        assert kept.html == make.page(1).html
        await store.forget(TOPIC)
    async with opened(make_store(read_only=True)) as store:
        with pytest.raises(RuntimeError, match="reading only"):
            await store.forget("另一个")
        assert (await store.size("另一个")).pages == 2
