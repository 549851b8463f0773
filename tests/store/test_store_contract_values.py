"""The contract of stores: every value comes back as it was written."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

import tests.support.store_records as make
from tests.support.store_records import TOPIC, MakeStore, in_loop, listed, opened
from topiccrawl.scoring.evidence import LinkEvidence


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
