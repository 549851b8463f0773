"""One crawl into SQLite and into MongoDB, with HTML and awkward text: whatever is read back is equal.

Times, the run's id and the numbers of outcomes may differ: a slow store lets the outcome of the next
link overtake the first page, which waits for the titles of earlier runs.  That the whole demonstration
crawl is equal in both is in test_same_twice.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

# The servers of the store's own tests; fixtures are used by name.
from tests.store.conftest import mongo_database_uri, mongo_uri  # noqa: F401
from tests.support.small_web import OFF_TOPIC, ON_TOPIC, SmallWeb, crawl_small, link, page, response
from topiccrawl.store.contract import OutcomeRecord, PageRecord, RunRecord, Store
from topiccrawl.store.factory import open_store

TOPIC = "侨情"
HOME = "http://a.example/"
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def awkward_web() -> SmallWeb:
    """Big5 in traditional characters, an emoji, a broken entity, a dated page, and every verdict."""
    names = ["big5", "emoji", "dated", "gone", "moved", "off", "late"]
    links = "<p>x</p>".join(link(f"/{name}", f"侨联 “{name}” $.%") for name in names)
    big5 = page(
        "僑務委員會訪問海外僑胞",
        "僑務委員會訪問海外僑胞，瞭解華僑華人社團的需要，與僑聯座談，商討保護華僑權益的辦法。" * 2,
        charset="big5",
    )
    return SmallWeb(
        {
            HOME: page("首页", OFF_TOPIC, links),
            HOME + "big5": big5,
            HOME + "emoji": page("归侨侨眷春节联欢🎉𠮷", ON_TOPIC + "🎉𠮷&#xD800;&#0;完。"),
            HOME + "dated": page(
                "华文学校开学典礼",
                ON_TOPIC + "2009年5月12日开学。",
                "<p>发布时间：2009-05-12 08:30 来源：侨乡日报 作者：方敏 责任编辑：李小明</p>",
            ),
            HOME + "off": page("足球比赛", OFF_TOPIC + "完。"),
            HOME + "moved": response(HOME + "moved", status=301, Location="/late"),
            HOME + "late": page("侨资企业座谈会", "侨商谈侨资与侨乡建设，归侨侨眷踊跃发言。" * 3),
        }
    )


async def _read(store: Store) -> dict[str, Any]:
    """Everything that the contract gives back, times and run ids evened out."""
    await store.open()
    try:
        runs = await store.runs(TOPIC)
        outcomes = [outcome async for outcome in store.outcomes(TOPIC)]
        pages = [p async for p in store.pages(TOPIC, with_html=True)]
        urls = sorted(p.url for p in pages)
        return {
            "pages": sorted(map(_page, pages), key=lambda p: p.url),
            # Not the URLs: equals are ordered by their time, and that is the machine's.
            "best": [p.relevance async for p in store.pages(TOPIC, order="relevance")],
            "newest": [p.published_at async for p in store.pages(TOPIC, order="published")],
            "single pages": [_page(await store.page(TOPIC, url)) for url in urls],
            "outcomes": sorted(map(_outcome, outcomes), key=lambda o: o.url),
            "single outcomes": [_outcome(await store.outcome(TOPIC, url)) for url in urls],
            "runs": [_run(run) for run in runs],
            "topics": dict(await store.topics()),
        }
    finally:
        await store.close()


def _page(record: PageRecord | None) -> PageRecord:
    assert record is not None
    assert record.fetched_at.tzinfo is not None
    return replace(record, run_id="", fetched_at=_NEVER, first_seen=_NEVER)


def _outcome(record: OutcomeRecord | None) -> OutcomeRecord:
    assert record is not None
    return replace(record, run_id="", at=_NEVER, sequence=0)


def _run(record: RunRecord) -> RunRecord:
    assert record.finished_at is not None
    # Scrapy's times, rates and memory are those of the machine.
    ours = {name: value for name, value in record.stats.items() if name.startswith("topiccrawl/")}
    return replace(record, id="", started_at=_NEVER, finished_at=_NEVER, stats=ours)


def crawled(uri: str, spool: Path) -> dict[str, Any]:
    crawl_small(
        awkward_web(),
        [HOME],
        TOPICCRAWL_STORE_URI=uri,
        TOPICCRAWL_STORE_SPOOL_DIR=str(spool),
        TOPICCRAWL_STORE_HTML=True,
        RETRY_ENABLED=False,
    )
    return asyncio.run(_read(open_store(uri, read_only=True)))


@pytest.fixture(scope="module")
def in_sqlite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("sqlite")
    return crawled(f"sqlite:///{folder}/资料.sqlite", folder / "spool")


def test_the_web_brings_what_the_stores_are_compared_on(in_sqlite: dict[str, Any]) -> None:
    pages = {p.url.removeprefix(HOME): p for p in in_sqlite["pages"]}
    assert pages["big5"].charset == "big5hkscs"
    assert pages["big5"].language == "zh-Hant"
    assert "🎉𠮷" in pages["emoji"].title
    assert pages["dated"].published_at == datetime(2009, 5, 12, 0, 30, tzinfo=UTC)
    assert all(re.search(b"<title>", zlib.decompress(p.html)) for p in pages.values())
    dated = pages["dated"]
    assert (dated.author, dated.source, dated.editor) == ("方敏", "侨乡日报", "李小明")
    assert all(p.summary and p.keywords for p in pages.values())
    assert "🎉" in pages["emoji"].title + pages["emoji"].summary
    verdicts = {o.verdict for o in in_sqlite["outcomes"]}
    assert {"stored", "dropped", "failed"} <= verdicts


def test_mongodb_keeps_what_sqlite_keeps(
    in_sqlite: dict[str, Any], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    in_mongodb = crawled(request.getfixturevalue("mongo_database_uri"), tmp_path / "spool")
    assert len(in_sqlite["runs"]) == 1
    for what, kept in in_sqlite.items():
        assert in_mongodb[what] == kept, what
