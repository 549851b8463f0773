"""Crawls whose pages are analyzed in other processes: the same result, whatever happens to a process."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings

from tests.support.small_web import ON_TOPIC, SmallCrawl, SmallWeb, crawl_small, link
from tests.support.small_web import page as article
from tests.support.small_web import response as answer
from topiccrawl.analysis.prepared import PreparedPage
from topiccrawl.crawl.session.current import session_of
from topiccrawl.crawl.settings import CrawlSettings
from topiccrawl.errors import ConfigurationError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")

HOME = "http://www.qiao.example/"
TITLES = ["侨联座谈会", "华校毕业礼", "侨捐项目表", "归侨联谊会", "侨批档案馆"]
EXTRACTORS = "tests.support.costly_extractors"
#: Fields that depend on the time, or on the object.
_OF_ITS_OWN = {"analysis", "fetched_at", "first_seen", "run_id", "decision", "revisit", "lease"}


def site(**more: bytes) -> dict[str, bytes]:
    """A front with links, articles that link to each other, and further pages by name."""
    pages = {
        f"{HOME}{i}.html": article(
            title,
            f"{title}。{ON_TOPIC}" * 2,
            link(f"{HOME}{i + 1}.html?from={i}", "侨务新闻") + link(HOME, "首页", 'rel="nofollow"'),
            head='<meta name="description" content="侨乡新闻">',
        )
        for i, title in enumerate(TITLES)
    }
    named = {f"{HOME}{name}": body for name, body in more.items()}
    links = "".join(link(url, f"侨乡{url[-6:]}") for url in [*pages, *named])
    return {HOME: article("侨网", "", links), **pages, **named}


def crawl(web: dict[str, Any], processes: str, **settings: Any) -> SmallCrawl:
    return crawl_small(SmallWeb(web), [HOME], TOPICCRAWL_ANALYSIS_PROCESSES=processes, **settings)


def articles(crawl: SmallCrawl) -> set[int]:
    """Numbers of the articles that were stored."""
    urls = [item.url for item in crawl.items]
    return {i for i in range(len(TITLES)) if any(f"{HOME}{i}.html" in url for url in urls)}


def stored(crawl: SmallCrawl) -> dict[str, dict[str, Any]]:
    return {
        item.url: {
            it.name: getattr(item, it.name) for it in fields(item) if it.name not in _OF_ITS_OWN
        }
        for item in crawl.items
    }


def test_a_crawl_with_processes_stores_the_same_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("analysis.page.PIECE", "analysis.prepared._PIECE", "crawl.queue.ordering._PIECE"):
        monkeypatch.setattr(f"topiccrawl.{name}", 20)
    many = "".join(link(f"{HOME}x/{i}.html", f"侨乡{i}") for i in range(50))
    web = site(
        blank=article("空"),
        image=b"\x89PNG\r\n\x1a\n" + bytes(100),
        noindex=article("侨务", ON_TOPIC * 2, head='<meta name="robots" content="noindex">'),
        many=article("侨乡名录", ON_TOPIC * 2, many),
        gone=article("404", "抱歉，您访问的页面不存在"),
    )
    here, there = crawl(web, "0"), crawl(web, "1")
    assert len(here.items) >= len(TITLES)
    assert stored(there) == stored(here)
    assert there.dropped == here.dropped
    assert [(it.url, it.priority) for it in there.scheduled] == [
        (it.url, it.priority) for it in here.scheduled
    ]
    ours = {name: value for name, value in here.stats.items() if name.startswith("topiccrawl/")}
    assert {name: there.stats.get(name) for name in ours} == ours


def test_pages_are_read_in_the_processes_only() -> None:
    found = crawl_small(
        SmallWeb(site()), [HOME], TOPICCRAWL_ANALYSIS_PROCESSES="1", CONCURRENT_REQUESTS=4
    )
    assert len(found.items) == len(TITLES)
    for item in found.items:
        page = item.analysis.page
        assert isinstance(page, PreparedPage)
        # What only an analysis in this process would have computed.
        assert not {"decoded", "outline", "lines"} & vars(page).keys()
        assert not {"terms", "vector"} & vars(item.analysis).keys()


def test_a_page_that_takes_too_long_is_dropped_however_small_it_is() -> None:
    web = site(costly=article("侨乡", f"endless {ON_TOPIC}"))
    found = crawl(
        web,
        "1",
        TOPICCRAWL_BODY_EXTRACTOR=f"{EXTRACTORS}.EndlessOrBlocks",
        TOPICCRAWL_PAGE_CPU_SECONDS=0.3,
    )
    assert found.stats["finish_reason"] == "finished"
    assert found.stats["topiccrawl/failed/analysis-timeout"] == 1
    assert len(found.items) == len(TITLES)
    assert found.stats["topiccrawl/frontier/size/leased"] == 0


def test_a_page_that_ends_two_processes_is_dropped() -> None:
    web = site(fatal=article("侨乡", f"crash {ON_TOPIC}"))
    found = crawl(web, "2", TOPICCRAWL_BODY_EXTRACTOR=f"{EXTRACTORS}.CrashOrBlocks")
    assert found.stats["topiccrawl/failed/analysis-crash"] == 1
    assert found.stats["topiccrawl/analysis/processes_replaced"] == 1
    assert len(found.items) == len(TITLES)


def test_the_kill_of_a_process_in_the_middle_of_a_page_loses_nothing(tmp_path: Path) -> None:
    web = site()
    for i in (1, 3):
        url = f"{HOME}{i}.html"
        web[url] = web[url].replace(b"<body>", f"<body><p>kill {tmp_path}/{i}.once</p>".encode())
    found = crawl(
        web, "1", CONCURRENT_REQUESTS=4, TOPICCRAWL_BODY_EXTRACTOR=f"{EXTRACTORS}.KilledOnce"
    )
    assert found.stats["topiccrawl/analysis/processes_replaced"] == 2
    assert articles(found) == set(range(len(TITLES)))
    assert len(list(tmp_path.glob("*.once"))) == 2


def test_processes_that_are_killed_between_two_pages_are_replaced() -> None:
    crawlers: list[Crawler] = []
    web: dict[str, Any] = dict(site())
    body = web[f"{HOME}2.html"]

    def kill(request: Request) -> Response:
        processes = session_of(crawlers[0]).processes
        assert processes is not None
        for pid in processes.pool.pids:
            os.kill(pid, signal.SIGKILL)
        return answer(request.url, body)

    web[f"{HOME}2.html"] = kill
    found = crawl_small(
        SmallWeb(web), [HOME], TOPICCRAWL_ANALYSIS_PROCESSES="2", probe=crawlers.append
    )
    assert articles(found) == set(range(len(TITLES)))
    processes = session_of(crawlers[0]).processes
    assert processes is not None
    assert not processes.pool.pids


def test_pages_are_analyzed_here_where_no_process_can_be_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(self: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("topiccrawl.analysis.workprocess.WorkProcess.start", refuse)
    found = crawl(site(), "1")
    assert len(found.items) == len(TITLES)
    assert "own process: no more processes" in caplog.text


@pytest.mark.parametrize("value", ["-1", "many", "1.5", "100000", "", -1, 1.5, True, []])
def test_a_wrong_number_of_processes_stops_at_once_and_names_the_setting(value: object) -> None:
    settings = Settings({"TOPICCRAWL_ANALYSIS_PROCESSES": value})
    with pytest.raises(ConfigurationError, match=r"TOPICCRAWL_ANALYSIS_PROCESSES.*must be auto or"):
        CrawlSettings.from_settings(settings)


@pytest.mark.parametrize("value", ["auto", "0", "2", 2, None])
def test_the_number_of_processes_may_be_a_number_or_a_text(value: object) -> None:
    settings = CrawlSettings.from_settings(Settings({"TOPICCRAWL_ANALYSIS_PROCESSES": value}))
    assert settings.analysis_processes == str(value or "auto")
