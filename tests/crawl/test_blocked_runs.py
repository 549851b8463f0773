"""``scrapy crawl`` on real servers that block: exit code, terminal, log, store and report."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.known_web import KnownWeb
from benchmarks.worker_processes import crawl_words, stored_pages
from tests.support.forked import start_logged
from tests.support.stored import from_store
from topiccrawl.store.contract import RunRecord, Store
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow

CAPTCHA = "<title>安全验证</title><p>您的访问过于频繁，请拖动滑块完成验证</p>".encode()
PAGES = 24


class BlockingWeb(KnownWeb):
    """A known web that answers *times* requests with a captcha after *after* pages."""

    def __init__(self, after: int, times: int, hosts: int = 1) -> None:
        super().__init__(PAGES, hosts)
        self._after, self._times = after, times
        self.good = self.blocked = 0

    def answer(self, target: str, attempt: int = 1) -> Answer | None:
        answer = super().answer(target, attempt)
        if answer is None or target.endswith("/robots.txt") or target.endswith("/favicon.ico"):
            return answer
        if self.good >= self._after and self.blocked < self._times:
            self.blocked += 1
            return Answer(200, "text/html; charset=utf-8", CAPTCHA)
        self.good += 1
        return answer


def crawl(web: BlockingWeb, folder: Path, *more: str) -> tuple[int, str, list[RunRecord]]:
    """Return exit code, log and terminal, and the records of the runs."""
    settings = {
        "TOPICCRAWL_STORE_URI": f"sqlite:///{folder / 'pages.sqlite'}",
        "TOPICCRAWL_STORE_SPOOL_DIR": folder / "spool",
        "TOPICCRAWL_FRONTIER_DIR": folder,
        "TOPICCRAWL_PAGE_CLASSIFIER": 0,
        "TOPICCRAWL_BACKOFF_SECONDS": 0.01,
        "TOPICCRAWL_BLOCKED_DELAY_SECONDS": 0,
        "TOPICCRAWL_BLOCKED_REST_SECONDS": 0.05,
        "TOPICCRAWL_RETRY_DELAY_SECONDS": 0.05,
        "TOPICCRAWL_RESEED": 0,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": 0,
        "CONCURRENT_REQUESTS": 4,
    }
    log = folder / "log"
    with WebServer(web) as server:
        words = crawl_words("侨情", web.seeds, settings, more)
        process = start_logged(words, environment(server.url), log)
        code = process.wait()

    async def runs(store: Store) -> list[RunRecord]:
        return list(await store.runs("侨情"))

    return code, log.read_text("utf-8"), from_store(str(settings["TOPICCRAWL_STORE_URI"]), runs)


def test_a_host_that_recovers_after_a_rest_gives_everything_and_the_run_is_a_success(
    tmp_path: Path,
) -> None:
    web = BlockingWeb(after=8, times=9)
    code, log, runs = crawl(web, tmp_path)
    pages = stored_pages(f"sqlite:///{tmp_path / 'pages.sqlite'}", "侨情")
    assert set(pages) == set(web.urls)
    assert (code, runs[-1].stop_reason) == (0, "finished")
    assert "it rests for" in log or "停歇" in log


def test_a_crawl_that_is_blocked_to_the_end_fails_and_says_which_host(tmp_path: Path) -> None:
    web = BlockingWeb(after=8, times=10_000)
    code, log, runs = crawl(
        web,
        tmp_path,
        "TOPICCRAWL_BLOCKED_REST_SECONDS=3600",
        "TOPICCRAWL_BLOCKED_WAIT_SECONDS=60",
    )
    pages = stored_pages(f"sqlite:///{tmp_path / 'pages.sqlite'}", "侨情")
    assert len(pages) == 8
    assert not any("验证" in page.title for page in pages.values())
    assert code == 1
    known = {link for url in pages for link in web.links_of(url)}
    assert "the crawl was blocked: 1 of 1 hosts" in log
    assert web.hosts[0] in log
    assert runs[-1].stop_reason == "blocked"
    assert runs[-1].stats["topiccrawl/blocked/waiting"] == len(known - set(pages))
