"""Details of pages in whole crawls: kept pages have them, also in a store that an earlier run began."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import tests.support.store_records as make
from tests.support.small_web import OFF_TOPIC, ON_TOPIC, SmallWeb, crawl_small, link, page
from tests.support.store_records import listed, opened
from topiccrawl.page.page import Page
from topiccrawl.store.factory import open_store
from topiccrawl.store.spool import Spool

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from topiccrawl.store.contract import PageRecord

TOPIC = "侨情"
HOME = "http://a.example/"
OLD_TITLE = "归侨侨眷代表大会开幕"
OLD_URL = "http://b.example/old"


def web() -> SmallWeb:
    byline = "<div>2024-05-10 09:30 来源：侨乡日报 责任编辑：李小明</div>"
    links = "".join(link(f"/{name}") for name in ("new", "reprint", "off"))
    return SmallWeb(
        {
            HOME: page("侨务首页", ON_TOPIC * 2, links),
            HOME + "new": page("侨乡新闻", ON_TOPIC + "侨联召开会议，商讨侨务工作。", byline),
            HOME + "reprint": page(OLD_TITLE, ON_TOPIC + "代表们踊跃发言，讨论侨务工作。"),
            HOME + "off": page("足球", OFF_TOPIC * 2),
        }
    )


def stored(uri: str, *, copies: bool = False) -> dict[str, PageRecord]:
    async def read() -> dict[str, PageRecord]:
        async with opened(open_store(uri, read_only=True)) as store:
            return {page.url: page for page in await listed(store.pages(TOPIC, copies=copies))}

    return asyncio.run(read())


def test_kept_pages_are_stored_with_their_details_and_dropped_ones_cost_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    whole = Page.__dict__["byline"].func

    def byline(self: Page) -> object:
        asked.append(self.url)
        return whole(self)

    monkeypatch.setattr(Page, "byline", property(byline))
    uri = f"sqlite:///{tmp_path}/store.sqlite"
    crawl = crawl_small(
        web(),
        [HOME],
        TOPICCRAWL_STORE_URI=uri,
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path),
        TOPICCRAWL_NEAR_MISSES=0,  # they are stored, too
    )
    pages = stored(uri)
    assert HOME + "off" in crawl.dropped
    assert set(asked) == set(pages), "kept pages, never a dropped one"
    new = pages[HOME + "new"]
    assert (new.source, new.editor) == ("侨乡日报", "李小明")
    assert new.summary
    assert new.keywords
    (item,) = (item for item in crawl.items if item.url == HOME + "new")
    assert (item.summary, tuple(item.keywords)) == (new.summary, new.keywords)
    kinds = {k: v for k, v in crawl.stats.items() if k.startswith("topiccrawl/pages/kind/")}
    assert sum(kinds.values()) == sum(bool(page.kind) for page in pages.values())


def test_a_crawl_goes_on_in_the_store_and_the_spool_of_an_earlier_run(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    old = make.page(1, url=OLD_URL, title=OLD_TITLE, html=None)
    waiting = make.page(2, url="http://b.example/spooled", title="侨批展览", html=None)
    uri = f"sqlite:///{path}"

    async def earlier_run() -> None:
        async with opened(open_store(uri)) as store:
            await store.write([old])

    asyncio.run(earlier_run())
    spool = Spool(tmp_path / "spool", TOPIC, uri)
    spool.append([waiting])
    spool.close()
    crawl_small(
        web(),
        [HOME],
        TOPICCRAWL_STORE_URI=uri,
        TOPICCRAWL_STORE_SPOOL_DIR=str(tmp_path / "spool"),
    )
    copy = stored(uri, copies=True)[HOME + "reprint"]
    assert copy.copy_of == OLD_URL, "the page of the earlier run is known"
    pages = stored(uri)
    assert pages[OLD_URL] == old
    assert pages[waiting.url] == waiting
    assert pages[HOME + "new"].source == "侨乡日报"
    assert pages[HOME + "new"].keywords
