"""Records for the tests of the stores, and strategies that make hostile ones."""

from __future__ import annotations

import asyncio
import functools
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from topiccrawl.page.comments import Comment
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import (
    NearMissRecord,
    OutcomeRecord,
    PageRecord,
    RunRecord,
    Store,
    VersionRecord,
    VisitRecord,
)
from topiccrawl.store.near_misses import pack_near_miss
from topiccrawl.store.versions import former_version

#: Makes one more store object on the same data; keywords as in ``open_store``.
MakeStore = Callable[..., Store]

NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
TOPIC = "侨情"
BEIJING = timezone(timedelta(hours=8))


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Let a test be a coroutine, in an event loop of its own."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """Open *store* and close it, whatever happens."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def page(number: int = 1, **changes: Any) -> PageRecord:
    """A whole page, every field set; *number* sets URL, time and relevance."""
    record = PageRecord(
        topic=TOPIC,
        url=f"http://www.qiaowang.example/news/{number}.html?编号=1",
        final_url=f"http://www.qiaowang.example/news/{number}.shtml",
        title=f"海外華僑回國投資創業 第{number}篇 😀",
        body="据中新社报道，“侨胞”返乡。\n\x00第二段：𠮷",
        site="www.qiaowang.example",
        charset="gb18030",
        language="zh-Hans",
        content_hash="9a0364b9e99bb480dd25e1f0284c8555",
        relevance=0.5 + number / 1000,
        probability=0.75,
        main_terms=(("华侨", 0.25), ("侨务", 0.125)),
        fetched_at=NOON + timedelta(seconds=number),
        published_at=datetime(2024, 12, 31, 23, 59, 58, 123000, tzinfo=BEIJING),
        link=LinkEvidence(
            score=1.5,
            parts={"rw": 0.5, "rwb": 1.0, "a.b": 0.0, "$x": -1.0, "": 2.0, "%2E": 3.0},
            parent="http://www.qiaowang.example/",
            anchor="侨务 要闻",
            depth=2,
        ),
        run_id="run-1",
        author="方敏 林\x00海",
        source="侨乡日报",
        editor="李小明",
        kind="article",
        summary="据中新社报道，“侨胞”返乡。😀",
        keywords=("侨胞", "返乡", "a.b $x", ""),
        comments="写得\x00好。\n第二行",
        comment_records=(
            Comment("方\x00敏", "2023-04-01T10:05:00", "写得\x00好。\n第二行"),
            Comment("", "", "😀"),
        ),
        markdown="## 返乡\n\n![侨胞](http://www.qiaowang.example/1.jpg)\n\n| a\\|b | 𠮷 |\n| --- | --- |",
        main_image="http://www.qiaowang.example/1.jpg",
        html=zlib.compress("<html>侨</html>".encode("gb18030")),
    )
    return replace(record, **changes)


def near_miss(number: int = 1, probability: float = 0.25, **changes: Any) -> NearMissRecord:
    """A near miss that contains the page of this number."""
    return pack_near_miss(page(number, **changes), probability)


def outcome(number: int = 1, **changes: Any) -> OutcomeRecord:
    """A whole outcome, every field set."""
    record = OutcomeRecord(
        topic=TOPIC,
        url=f"http://www.qiaowang.example/news/{number}.html?编号=1",
        verdict="dropped",
        reason="irrelevant",
        detail="relevance 0.031 < threshold 0.120",
        at=NOON + timedelta(seconds=number),
        run_id="run-1",
        sequence=number,
        title="天气预报",
        site="www.qiaowang.example",
        relevance=0.031,
        threshold=0.12,
        main_terms=(("天气", 0.031),),
        link=LinkEvidence(score=0.25, parts={"rw": 0.25}, parent=None, anchor="天气", depth=1),
    )
    return replace(record, **changes)


def run(number: int = 1, **changes: Any) -> RunRecord:
    """A whole run, every field set."""
    record = RunRecord(
        id=f"run-{number}",
        topic=TOPIC,
        started_at=NOON + timedelta(hours=number),
        finished_at=NOON + timedelta(hours=number, minutes=30),
        stop_reason="closespider_pagecount",
        strategy="ipagerank-rwb",
        seed=2**100 + 7,
        stats={
            "downloader/exception_type_count/builtins.TimeoutError": 3,
            "elapsed": 1.5,
            "$odd %2E name": "值",
            "": 2**63 - 1,
        },
    )
    return replace(record, **changes)


def visit(number: int = 1, **changes: Any) -> VisitRecord:
    """A whole visit of the page of this number, every field set."""
    record = VisitRecord(
        topic=TOPIC,
        url=page(number).url,
        kind="article",
        history='{"visits": [[1740830400.0, true]]}',
        etag='W/"5e\u00e9"',
        last_modified="Sat, 01 Mar 2025 12:00:00 GMT",
        body_digest="9a0364b9e99bb480dd25e1f0284c8555",
        visited_at=NOON + timedelta(days=2, seconds=number),
        changed_at=NOON + timedelta(days=1, seconds=number),
        gone_at=NOON + timedelta(days=2, seconds=number),
    )
    return replace(record, **changes)


def version(number: int = 1, days: float = 1, **changes: Any) -> VersionRecord:
    """The version of the page of this number that was replaced after *days*."""
    return former_version(page(number, **changes), NOON + timedelta(days=days))


async def until(condition: Callable[[], bool]) -> None:
    """Let the other tasks run until *condition* holds."""
    # ASYNC110 asks for an event, which the code under test does not have.
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0)


async def listed(iterator: AsyncIterator[Any]) -> list[Any]:
    """Everything of an asynchronous iterator."""
    return [it async for it in iterator]


#: Any text, lone surrogates and NUL included.
any_text = st.text(st.characters(exclude_categories=()), max_size=20)
finite = st.floats(allow_nan=False, allow_infinity=False)
moments = st.datetimes(timezones=st.sampled_from([UTC, BEIJING, None]))
terms = st.lists(st.tuples(any_text, finite), max_size=3).map(tuple)
links = st.builds(
    LinkEvidence,
    score=finite,
    parts=st.dictionaries(any_text, finite, max_size=3),
    parent=st.none() | any_text,
    anchor=any_text,
    depth=st.integers(0, 2**31),
)
pages = st.builds(
    PageRecord,
    topic=any_text,
    url=any_text,
    final_url=any_text,
    title=any_text,
    body=any_text,
    site=any_text,
    charset=any_text,
    language=any_text,
    content_hash=any_text,
    relevance=finite,
    probability=st.none() | finite,
    withdrawn_at=st.none() | moments,
    story=any_text,
    relation=any_text,
    copy_of=any_text,
    relation_detail=st.lists(any_text, max_size=2).map(tuple),
    main_terms=terms,
    fetched_at=moments,
    published_at=st.none() | moments,
    link=links,
    run_id=any_text,
    author=any_text,
    source=any_text,
    editor=any_text,
    kind=any_text,
    summary=any_text,
    keywords=st.lists(any_text, max_size=3).map(tuple),
    html=st.none() | st.binary(max_size=50),
)
near_misses = st.builds(
    NearMissRecord, topic=any_text, url=any_text, probability=finite, packed=st.binary(max_size=50)
)
outcomes = st.builds(
    OutcomeRecord,
    topic=any_text,
    url=any_text,
    verdict=st.sampled_from(["stored", "dropped", "failed", "queued"]),
    reason=any_text,
    detail=any_text,
    at=moments,
    run_id=any_text,
    sequence=st.integers(0, 2**62),
    title=any_text,
    site=any_text,
    relevance=st.none() | finite,
    threshold=st.none() | finite,
    main_terms=terms,
    link=links,
)
runs = st.builds(
    RunRecord,
    id=any_text,
    topic=any_text,
    started_at=moments,
    finished_at=st.none() | moments,
    stop_reason=any_text,
    strategy=any_text,
    seed=st.integers(),
    stats=st.dictionaries(any_text, finite | st.integers() | any_text, max_size=3),
)
