"""Answers no well-behaved server gives, drawn one by one and crawled in this process.

The demonstration web has bad pages that a real server sends (test_hostile_pages); here are those
that take a header, a status or a size which it does not serve.
"""

from __future__ import annotations

import gzip
from typing import NamedTuple

import pytest
from scrapy import Request
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from tests.support.crawl_runs import all_records
from tests.support.small_web import (
    ON_TOPIC,
    SmallCrawl,
    SmallWeb,
    crawl_small,
    link,
    page,
    response,
)
from tests.support.stored import from_store
from topiccrawl.page.walk import MAX_LINKS
from topiccrawl.store.contract import OutcomeRecord, PageRecord

HOME = "http://www.qiao.example/"
WIDE = "http://www.kuan.example/"
#: Big5 has no simplified characters.
TRADITIONAL = (
    "僑務部門走訪歸僑僑眷，了解華僑華人社團的需要。海外僑胞回到僑鄉尋根謁祖，"
    "參觀華文學校，與僑聯座談，商討引進僑資和保護華僑權益的辦法。"
)
MAX_SIZE = 1_000_000
#: Pages that a crawl into an endless site may fetch, and links of the page with most of them.
TRAP_PAGES = 20
LINKS = 50_000


def raw(name: str, body: bytes = b"", status: int = 200, **headers: str) -> Response:
    """A response with these headers and no others."""
    given = Headers({key.replace("_", "-"): value for key, value in headers.items()})
    kind = responsetypes.from_args(headers=given, url=HOME + name, body=body)
    return kind(HOME + name, status=status, headers=given, body=body)


def good(title: str, charset: str = "utf-8", head: str = "") -> bytes:
    """A page that is stored if it can be read: each with a text and a title of its own."""
    text = TRADITIONAL if charset == "big5" else ON_TOPIC
    return page(title, f"{title}。{text}{title}。{text}", head=head, charset=charset)


def lying(title: str, charset: str, meta: str) -> bytes:
    return good(title, charset).replace(f"charset={charset}".encode(), f"charset={meta}".encode())


def refresh(url: str) -> bytes:
    return f'<html><head><meta http-equiv="refresh" content="0; url={url}"></head></html>'.encode()


class Case(NamedTuple):
    """What the server answers, and what must become of the address."""

    answer: bytes | Response | None
    reason: str
    tells: str = ""
    """Title of a stored page, else a part of the outcome's detail."""


BAD_LINKS = "".join(
    link(url)
    for url in (
        "http://[::1/", "http://a b.example/", f"http://{'a' * 300}.example/", "http://..example/",
        "http://x.example:99999/", "\0", f"{HOME}%zz%", "javascript:void(0)", "http://", "//", "?",
    )
)  # fmt: skip

CASES = {
    # -- headers ---------------------------------------------------------------------------------
    "no-type": Case(raw("no-type", good("归侨代表大会")), "relevant", "归侨代表大会"),
    "empty-type": Case(
        raw("empty-type", good("华文教育论坛"), Content_Type=""), "relevant", "华文教育论坛"
    ),
    "wrong-type": Case(
        raw("wrong-type", good("侨商投资洽谈"), Content_Type="application/octet-stream"),
        "relevant", "侨商投资洽谈",
    ),
    # -- characters ------------------------------------------------------------------------------
    "gbk-called-utf8": Case(
        raw("gbk-called-utf8", lying("侨乡博物馆开馆", "gbk", "big5"),
            Content_Type="text/html; charset=utf-8"),
        "relevant", "侨乡博物馆开馆",
    ),
    "unknown-charset": Case(
        raw("unknown-charset", lying("海外侨领研习班㐂", "gb18030", "klingon"),
            Content_Type="text/html; charset=x-none"),
        "relevant", "海外侨领研习班㐂",
    ),
    "big5-called-utf8": Case(
        raw("big5-called-utf8", lying("僑務委員會訪問團", "big5", "utf-8"),
            Content_Type="text/html; charset=utf-8"),
        "relevant", "僑務委員會訪問團",
    ),
    "utf-16": Case(
        good("侨批档案修复").decode().replace("utf-8", "utf-16").encode("utf-16"),
        "relevant", "侨批档案修复",
    ),
    "nul-inside": Case(
        good("侨眷法律援助").replace(b"<p>", b"<p>\0\0"), "relevant", "侨眷法律援助"
    ),
    # -- no page at all --------------------------------------------------------------------------
    "empty": Case(b"", "no-body"),
    "spaces": Case(b" \r\n ", "no-body"),
    "no-content": Case(raw("no-content", status=204), "no-body"),
    "png": Case(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "not-html"),
    "nuls": Case(bytes(1000), "not-html"),
    # -- markup ----------------------------------------------------------------------------------
    "deep": Case(
        good("深处的侨联消息").replace(b"<p>", b"<div>" * 100_000), "relevant", "深处的侨联消息"
    ),
    "bad-links": Case(
        good("侨刊乡讯目录").replace(b"</body>", BAD_LINKS.encode()), "relevant", "侨刊乡讯目录"
    ),
    # -- redirects -------------------------------------------------------------------------------
    "meta": Case(refresh("/landed"), "redirected", f"redirected to {HOME}landed"),
    "meta-itself": Case(refresh("/meta-itself"), "redirects"),
    "meta-later": Case(
        good("每分钟更新的侨讯", head='<meta http-equiv="refresh" content="60">'),
        "relevant", "每分钟更新的侨讯",
    ),
    "ping": Case(raw("ping", status=302, Location="/pong"), "redirected", f"to {HOME}pong"),
    "hop": Case(raw("hop", status=301, Location="/hop-2"), "redirected", f"to {HOME}hop-2"),
    "to-mail": Case(raw("to-mail", status=302, Location="mailto:a@a.example"), "http-302", "302"),
    "to-no-url": Case(raw("to-no-url", status=302, Location="http://[::1/"), "http-302", "302"),
    "to-ftp": Case(
        response(HOME + "to-ftp", status=302, Location="ftp://a.example/"), "http-302", "302"
    ),
    "to-nowhere": Case(response(HOME + "to-nowhere", status=302), "http-302", "302"),
    # -- compression -----------------------------------------------------------------------------
    "bomb": Case(
        raw("bomb", gzip.compress(b"<p>" + b"0" * 10 * MAX_SIZE), Content_Encoding="gzip"),
        "too-large", "DOWNLOAD_MAXSIZE",
    ),
    "robots-redirections-bomb": Case(
        raw("robots-redirections-bomb", gzip.compress(bytes(2 * MAX_SIZE)), Content_Encoding="gzip"),
        "too-large", "DOWNLOAD_MAXSIZE",
    ),
    "cut-gzip": Case(
        raw("cut-gzip", gzip.compress(good("侨资企业协会"))[:-8], Content_Type="text/html",
            Content_Encoding="gzip"),
        "relevant", "侨资企业协会",
    ),
    "no-gzip": Case(
        raw("no-gzip", good("无"), Content_Type="text/html", Content_Encoding="gzip"),
        "bad-gzip-file", "Not a gzipped file",
    ),
    # -- statuses --------------------------------------------------------------------------------
    "missing": Case(None, "http-404", "404"),
    "gone": Case(response(HOME + "gone", b"x", status=410), "http-410", "410"),
    "invented": Case(response(HOME + "invented", b"x", status=999), "http-999", "999"),
}  # fmt: skip

#: Pages that others lead to.
BEHIND = {
    "landed": Case(good("寻根夏令营开营"), "relevant", "寻根夏令营开营"),
    "pong": Case(
        raw("pong", status=302, Location="/ping"), "redirects", f"it leads back to {HOME}ping"
    ),
    "hop-2": Case(raw("hop-2", status=302, Location="/end"), "redirected", f"to {HOME}end"),
    "end": Case(good("归侨口述历史"), "relevant", "归侨口述历史"),
}
ALL = CASES | BEHIND


class Crawled(NamedTuple):
    crawl: SmallCrawl
    web: SmallWeb
    pages: dict[str, PageRecord]
    outcomes: list[OutcomeRecord]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """All cases in one crawl without a page limit: it must end by itself."""
    folder = tmp_path_factory.mktemp("answers")
    uri = f"sqlite:///{folder}/x.sqlite"
    web = SmallWeb({HOME + name: it.answer for name, it in ALL.items() if it.answer is not None})
    crawl = crawl_small(
        web,
        [HOME + name for name in CASES],
        TOPICCRAWL_STORE_URI=uri,
        TOPICCRAWL_STORE_SPOOL_DIR=str(folder / "spool"),
        DOWNLOAD_MAXSIZE=MAX_SIZE,
    )
    pages, outcomes, _ = from_store(uri, all_records)
    return Crawled(crawl, web, {it.url: it for it in pages}, outcomes)


def test_the_crawl_of_all_of_them_ends_by_itself_without_an_error(crawled: Crawled) -> None:
    stats = crawled.crawl.stats
    assert stats["finish_reason"] == "finished"
    assert stats["topiccrawl/frontier/size/queued"] == 0
    assert stats["topiccrawl/frontier/size/leased"] == 0
    assert not [name for name in stats if name.startswith("spider_exceptions")]
    assert "topiccrawl/failed/pipeline-error" not in stats


@pytest.mark.parametrize("name", ALL)
def test_each_answer_leaves_one_outcome_with_its_reason(crawled: Crawled, name: str) -> None:
    (outcome,) = [it for it in crawled.outcomes if it.url == HOME + name]
    case = ALL[name]
    assert outcome.reason == case.reason, outcome.detail
    if case.reason == "relevant":
        stored = crawled.pages[HOME + name]
        assert stored.title == case.tells
        assert stored.body.startswith(case.tells)
    else:
        assert HOME + name not in crawled.pages
        assert case.tells in outcome.detail


def test_stored_pages_hold_no_character_that_a_database_refuses(crawled: Crawled) -> None:
    for stored in crawled.pages.values():
        text = stored.title + stored.body
        assert "\0" not in text
        assert text.encode("utf-8").decode("utf-8") == text


def test_addresses_that_lead_to_each_other_are_asked_for_a_few_times_only(crawled: Crawled) -> None:
    """REDIRECT_MAX_TIMES is 20."""
    for name in ("ping", "pong", "meta-itself"):
        assert 1 <= crawled.web.asked.count(HOME + name) <= 21


def small_site() -> dict[str, bytes]:
    """Four pages on the topic, each with a link to the next; the last one's is dead."""
    titles = ["侨联座谈会", "华校毕业礼", "侨捐项目表", "归侨联谊会"]
    return {
        f"{HOME}{i}": page(title, f"{title}。{ON_TOPIC}" * 2, link(f"{HOME}{i + 1}", "侨务新闻"))
        for i, title in enumerate(titles)
    }


def test_of_very_many_links_a_bounded_number_is_taken_and_other_hosts_go_on() -> None:
    """50,000 links to one host, and a seed elsewhere: the page limit ends the crawl."""
    trap = {f"{WIDE}{i}": page(f"第{i}页", "列表") for i in range(LINKS)}
    wide = page("目录", "", "".join(link(url, "下一页") for url in trap))
    site = small_site()
    web = SmallWeb({**trap, WIDE: wide, **site})
    crawl = crawl_small(web, [WIDE, f"{HOME}0"], CLOSESPIDER_PAGECOUNT=TRAP_PAGES)
    assert crawl.stats["finish_reason"] == "closespider_pagecount"
    assert crawl.stats["topiccrawl/links/scored"] == MAX_LINKS + len(site)
    assert set(site) <= set(web.asked)
    assert {item.url for item in crawl.items} == set(site)


def test_a_calendar_without_an_end_is_bounded_by_the_page_limit() -> None:
    """Each month links to the next; the topic's pages elsewhere are all fetched meanwhile."""

    def month(request: Request) -> Response:
        number = int(request.url.rpartition("=")[2])
        return response(request.url, page("日历", "日历", link(f"{WIDE}?m={number + 1}", "下月")))

    site = small_site()
    web = SmallWeb({**{f"{WIDE}?m={i}": month for i in range(10 * TRAP_PAGES)}, **site})
    crawl = crawl_small(web, [f"{WIDE}?m=0", f"{HOME}0"], CLOSESPIDER_PAGECOUNT=TRAP_PAGES)
    assert crawl.stats["finish_reason"] == "closespider_pagecount"
    assert len(web.asked) <= TRAP_PAGES + 2
    assert {item.url for item in crawl.items} == set(site)
    # Links that nothing speaks for come after all of the topic's.
    assert max(web.asked.index(url) for url in site) == len(site)


@pytest.mark.parametrize("attempts", [1, 2, 3, 4])
def test_a_page_whose_checksum_is_always_wrong_is_taken_at_the_last_attempt(attempts: int) -> None:
    def wrong(request: Request) -> Response:
        packed = gzip.compress(page("侨务首页", ON_TOPIC))
        body = packed[:-8] + b"\1\2\3\4" + packed[-4:]
        return response(request.url, body, **{"Content-Encoding": "gzip"})

    crawl = crawl_small(
        SmallWeb({HOME: wrong}),
        [HOME],
        TOPICCRAWL_RETRY_MAX_ATTEMPTS=attempts,
        TOPICCRAWL_RETRY_DELAY_SECONDS=0,
    )
    assert crawl.stats["topiccrawl/pages/analyzed"] == 1
