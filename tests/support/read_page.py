"""A page that the console shows: its text changed, it has a copy and an attachment."""

from __future__ import annotations

import zlib
from datetime import timedelta

from tests.support.reporting_store import START, make_outcome, make_page, make_run
from tests.support.stored import from_store
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.store.versions import former_version

URL = "http://qw.example.cn/1"
COPY = "http://copy.example.cn/9?a=1&b=2"
HTML = "<html><body><h1>华侨</h1><script>alert(1)</script><p onclick=x>捐资</p></body></html>"
READ = f"/t/侨情/page?url={URL}"


async def stored(store: Store) -> None:
    """Write the page, its former version, a copy and an attachment."""
    page = make_page(
        body="海外華僑捐资建学校。\n第二段 <b>没有标记</b>。",
        html=zlib.compress(HTML.encode("gb18030")),
        story="s1",
        probability=0.9,
        changed_at=START + timedelta(days=1),
    )
    former = make_page(body="海外華僑捐资建医院。\n第二段 <b>没有标记</b>。")
    copy = make_page(
        COPY, site="copy.example.cn", story="s1", copy_of=URL, relation="copy", title="转载"
    )
    document = make_page(f"{URL}.pdf", attached_to=URL, media_type="application/pdf", title="附件")
    version = former_version(former, START + timedelta(days=1))
    await store.write(
        [page, copy, document],
        [
            make_outcome(judgment_parts={"words": 0.8, "text": 1.5}, link=page.link),
            make_outcome(COPY, verdict="duplicate"),
        ],
        [make_run()],
        versions=[version],
    )


def page_in(uri: str, url: str = URL) -> PageRecord:
    """Return a page of the store at *uri*."""

    async def read(store: Store) -> PageRecord | None:
        return await store.page("侨情", url)

    found = from_store(uri, read)
    assert found is not None
    return found
