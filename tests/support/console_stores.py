"""Stores for tests of the console: one of an honest web, and one of an attacker."""

from __future__ import annotations

import zlib
from datetime import timedelta
from typing import Final

from tests.support.reporting_store import START, make_outcome, make_page, make_run
from topiccrawl.scoring.evidence import LinkEvidence
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.store.desk import DeskRecord
from topiccrawl.store.versions import former_version

TOPIC: Final = "侨情"
URL: Final = "http://qw.example.cn/0"
STORY: Final = "story-0"

#: What an attacker writes wherever there is room for text.
PAYLOADS: Final = (
    "<script>window.ran=1;alert(1)</script>",
    "\"><img src=x onerror='window.ran=1;alert(2)'>",
    "'-alert(3)-'",
    "{{ 7*7 }}{% raw %}${7*7}",
    "</title></textarea></style><svg onload=window.ran=1>",
    "javascript:window.ran=1",
    "\u202egnp.exe\u2066\x1b[31m\x07\x00\ud800",
    '=HYPERLINK("http://evil.example","x")',
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "x' onmouseover='window.ran=1' autofocus onfocus='window.ran=1' hx-get='//evil.example' data-chart='{'",
    "侨" + "\u0301" * 200,
    "A" * 3_000,
)
EVIL_TOPIC: Final = "<img src=x onerror=alert(0)>/../\"'"
EVIL_URL: Final = "http://evil.example/\"><script>window.ran=1</script>?a='&b=\u202e"
#: Without a slash, which no path of a story has.
EVIL_STORY: Final = '"><img src=x onerror=window.ran=1>'


async def fill_honest(store: Store) -> None:
    """Write a topic with stories, versions, attachments and runs."""
    pages, outcomes = [], []
    for n in range(30):
        story = f"story-{n // 5}"
        first = f"http://qw.example.cn/{n // 5 * 5}"
        url = f"http://qw.example.cn/{n}"
        page = make_page(
            url,
            title=f"第{n}篇：海外华侨捐资助学，侨乡建起新学校",
            site=f"www.site{n % 4}.example.cn",
            body=f"新华社北京5月{n % 28 + 1}日电 海外华侨捐资建学校，当地侨联主席王小明{n}出席了仪式。\n"
            * 6,
            story=story,
            copy_of="" if url == first else first,
            relation="" if url == first else "copy",
            published_at=START + timedelta(hours=7 * n),
            fetched_at=START + timedelta(hours=8 * n),
            keywords=("华侨", "捐资助学", "侨联", f"学校{n % 3}"),
            probability=0.5 + n / 80,
            html=zlib.compress(
                "<html><body><h1>华侨</h1><p>捐资</p></body></html>".encode("gb18030")
            ),
        )
        pages.append(page)
        outcomes.append(make_outcome(url, title=page.title, link=page.link, sequence=n + 1))
    pages[0].changed_at = START + timedelta(days=20)
    pages.append(
        make_page(f"{URL}.pdf", attached_to=URL, media_type="application/pdf", title="附件")
    )
    former = make_page(URL, body="旧的正文。" * 20)
    await store.write(
        pages,
        outcomes,
        [make_run(stats={"topiccrawl/pages/analyzed": 120, "topiccrawl/harvest_rate": 0.25})],
        versions=[former_version(former, START + timedelta(days=20))],
        desk=[
            DeskRecord(
                topic=TOPIC,
                kind="note",
                key=URL,
                at=START,
                value={"text": "核对日期", "title": "第0篇"},
            ),
            DeskRecord(
                topic=TOPIC,
                kind="tags",
                key=URL,
                at=START,
                value={"tags": ["要闻"], "title": "第0篇"},
            ),
            DeskRecord(
                topic=TOPIC, kind="saved-search", key="q=%E4%BE%A8", at=START, value={"name": "侨"}
            ),
        ],
    )
    await store.write([make_page("http://other.example.cn/", topic="图书馆学", title="馆藏")])


async def fill_hostile(store: Store) -> None:
    """Write a topic whose every text is an attack."""
    pages, outcomes = [], []
    for n, payload in enumerate(PAYLOADS):
        pages.append(hostile_page(n, payload))
        outcomes.append(
            make_outcome(
                pages[-1].url,
                topic=EVIL_TOPIC,
                title=payload,
                site=payload,
                reason=payload,
                detail=payload,
                main_terms=((payload, 0.3),),
                judgment_parts={payload: 0.5},
                link=LinkEvidence(0.4, {payload: 0.2}, EVIL_URL, payload, 2),
            )
        )
    former = hostile_page(0, "".join(PAYLOADS[:9]))
    desk = [
        DeskRecord(
            topic=EVIL_TOPIC,
            kind="note",
            key=EVIL_URL,
            at=START,
            value={"text": payload, "title": payload},
        )
        for payload in PAYLOADS
    ]
    desk += [
        DeskRecord(topic=EVIL_TOPIC, kind="tags", key=EVIL_URL, at=START, value={"tags": list(PAYLOADS)}),
        DeskRecord(topic=EVIL_TOPIC, kind="saved-search", key="q=%22%3E", at=START, value={"name": PAYLOADS[1]}),
        DeskRecord(topic=EVIL_TOPIC, kind="judgment", key=EVIL_URL, at=START,
                   value={"verdict": "off", "title": PAYLOADS[0], "terms": list(PAYLOADS), "prior": 0.9}),
    ]  # fmt: skip
    run = make_run(PAYLOADS[0], topic=EVIL_TOPIC, stop_reason=PAYLOADS[1], strategy=PAYLOADS[4],
                   stats={PAYLOADS[0]: PAYLOADS[1], "topiccrawl/harvest_rate": PAYLOADS[1]})  # fmt: skip
    version = former_version(former, START + timedelta(days=1))
    await store.write(pages, outcomes, [run], versions=[version], desk=desk)


def hostile_page(number: int, payload: str) -> PageRecord:
    """A page whose every text is *payload*."""
    url = EVIL_URL if number == 0 else f"{EVIL_URL}{number}{payload[:40]}"
    return make_page(
        url,
        topic=EVIL_TOPIC,
        title=payload,
        body=f"{payload}\n侨{payload}",
        site=payload,
        author=payload,
        source=payload,
        editor=payload,
        kind=payload,
        language=payload,
        charset=payload,
        summary=payload,
        keywords=(payload, payload[:20]),
        main_terms=((payload, 0.3),),
        media_type=payload,
        attached_to=EVIL_URL if number == 1 else "",
        found_by=payload,
        comments=payload,
        story=EVIL_STORY,
        copy_of="" if number == 0 else EVIL_URL,
        relation=payload,
        relation_detail=(payload,),
        html=zlib.compress(payload.encode("utf-8", "replace")),
        published_at=START + timedelta(days=number),
        link=LinkEvidence(0.4, {payload: 0.2}, EVIL_URL, payload, 2),
        run_id=PAYLOADS[0],
    )
