"""How a crawl ends before its time: signals, and a disk that is full."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.crawl_runs import (
    PATIENCE_SECONDS,
    TOPIC,
    CrawlResult,
    crawl,
    crawl_words,
    finished,
)
from tests.support.forked import ForkedCommand
from tests.support.redis_server import RedisServer
from tests.support.redis_support import needs_redis
from tests.support.stored import from_store, in_store
from topiccrawl.demo import DemoWeb
from topiccrawl.demo.crawl import store_uri
from topiccrawl.store.contract import PageRecord, Store
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

pytestmark = pytest.mark.slow


def crawl_until_stopped(web: DemoWeb, out: Path, *signals: signal.Signals) -> CrawlResult:
    """Start a crawl without an end, send *signals* once it has fetched some pages, and wait."""
    with WebServer(web) as server:
        words = crawl_words(out, web.seeds, 100_000)
        process = ForkedCommand(words, environment(server.url))
        try:
            process.wait_until(lambda: len(server.requests) >= 25, PATIENCE_SECONDS)
            for number in signals:
                process.send_signal(number)
                _wait_for_log(out / "crawl.log", process, f"Received {number.name}")
            done = process.result(PATIENCE_SECONDS)
        finally:
            process.kill()
        return finished(done, out, server.requests)


def _wait_for_log(log: Path, process: ForkedCommand, words: str) -> None:
    limit = time.monotonic() + PATIENCE_SECONDS
    while words not in log.read_text("utf-8") and process.poll() is None:
        assert time.monotonic() < limit, f"the log never says {words!r}"
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_crawl_orderly(
    web: DemoWeb, tmp_path: Path, number: signal.Signals
) -> None:
    done = crawl_until_stopped(web, tmp_path, number)
    assert done.code == 0
    assert "topiccrawl: " not in done.stderr
    assert "Traceback" not in done.log
    assert "Stopped because it was stopped by the user or by a signal." in done.log
    run = done.runs[0]
    assert run.stop_reason == "shutdown"
    assert run.finished_at is not None
    assert done.pages
    assert run.stats["topiccrawl/pages/stored"] == len(done.pages)
    assert any(o.verdict == "queued" for o in done.outcomes), "what was waiting is known"


def test_a_signal_while_the_crawl_opens_ends_it_orderly(web: DemoWeb, tmp_path: Path) -> None:
    with WebServer(web) as server:
        words = crawl_words(tmp_path, web.seeds, 100_000)
        process = ForkedCommand(words, environment(server.url))
        try:
            log = tmp_path / "crawl.log"
            process.wait_until(log.exists, PATIENCE_SECONDS)
            _wait_for_log(log, process, "Spider opened")
            process.send_signal(signal.SIGINT)
            done = finished(process.result(PATIENCE_SECONDS), tmp_path, server.requests)
        finally:
            process.kill()
    assert "Received SIGINT" in done.log
    assert "cut short" not in done.stderr
    (run,) = done.runs
    assert run.stop_reason == "shutdown"
    assert run.finished_at is not None


@needs_redis
def test_a_crawl_whose_queue_does_not_answer_at_its_end_is_no_success(
    web: DemoWeb, tmp_path: Path
) -> None:
    """As when the server of the queue is gone for a whole night."""
    server_of_queue = RedisServer(tmp_path)
    server_of_queue.start()
    settings = ("TOPICCRAWL_FRONTIER_BACKEND=redis", f"REDIS_URL={server_of_queue.url}")
    with WebServer(web) as server:
        words = crawl_words(tmp_path, web.seeds, 100_000, *settings)
        process = ForkedCommand(words, environment(server.url))
        try:
            process.wait_until(lambda: len(server.requests) >= 25, PATIENCE_SECONDS)
            server_of_queue.kill()
            _wait_for_log(tmp_path / "crawl.log", process, "Redis is away")
            process.send_signal(signal.SIGTERM)
            done = finished(process.result(PATIENCE_SECONDS), tmp_path, server.requests)
        finally:
            process.kill()
            server_of_queue.kill()
    assert done.code == 1
    assert "topiccrawl: the server of the queue does not answer; what was fetched" in done.stderr
    assert len(done.pages) == done.stats["topiccrawl/pages/stored"] > 0


def _signaled_while_it_closes(
    web: DemoWeb, folder: Path, then: Callable[[ForkedCommand, Path], object]
) -> CrawlResult:
    """Send a signal to a crawl that closes, and then do what *then* does with it and the file that lets it go on."""
    log, go_on = folder / "crawl.log", folder / "go-on"
    held = 'EXTENSIONS={"tests.support.holding.HoldEnd": 1}', f"GO_ON_FILE={go_on}"
    with WebServer(web) as server:
        process = ForkedCommand(crawl_words(folder, web.seeds, 5, *held), environment(server.url))
        try:
            process.wait_until(log.exists, PATIENCE_SECONDS)
            _wait_for_log(log, process, "Closing spider (max_pages)")
            process.send_signal(signal.SIGTERM)
            _wait_for_log(log, process, "Received SIGTERM")
            then(process, go_on)
            return finished(process.result(PATIENCE_SECONDS), folder, server.requests)
        finally:
            process.kill()


def test_a_signal_while_the_crawl_closes_waits_for_its_end(web: DemoWeb, tmp_path: Path) -> None:
    done = _signaled_while_it_closes(web, tmp_path, lambda _process, go_on: go_on.touch())
    assert (done.code, done.stderr) == (0, "")
    (run,) = done.runs
    assert run.stop_reason == "max_pages"
    assert run.stats["topiccrawl/pages/stored"] == len(done.pages)


def test_a_second_signal_cuts_short_a_crawl_that_closes(web: DemoWeb, tmp_path: Path) -> None:
    done = _signaled_while_it_closes(
        web, tmp_path, lambda process, _go_on: process.send_signal(signal.SIGTERM)
    )
    assert done.code == 1
    assert "cut short" in done.stderr


def test_after_a_second_signal_only_a_finished_run_has_exit_code_0(
    web: DemoWeb, tmp_path: Path
) -> None:
    """Whichever comes first, the orderly end or the second signal: never 0 without a run's end."""
    done = crawl_until_stopped(web, tmp_path, signal.SIGINT, signal.SIGINT)
    if done.runs[0].finished_at is None:
        assert done.code == 1
        assert done.stderr == (
            "topiccrawl: the crawl was cut short; pages that were being worked on are not stored\n"
        )
    else:
        assert done.code == 0


#: The queue has a file of its own, which is another matter.
IN_MEMORY = "TOPICCRAWL_FRONTIER_BACKEND=memory"


def _empty_store_bytes(folder: Path) -> int:
    """How large a store without pages is: the least that a crawl needs to begin."""
    path = folder / "empty.sqlite"

    async def create(store: Store) -> None:
        pass

    in_store(f"sqlite:///{path}", create)
    return path.stat().st_size


def test_a_queue_that_cannot_be_written_stops_the_crawl_and_is_gone_on_with_later(
    web: DemoWeb, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/store/pages.sqlite"
    limit = _empty_store_bytes(tmp_path) + 5_000
    done = crawl(web, tmp_path, 90, file_limit=limit, store=store)
    assert done.code == 1
    (queue,) = (tmp_path / "store").glob("*.frontier")
    assert done.stderr == (
        "topiccrawl: the crawl stopped, its queue cannot be used: "
        f"OperationalError: disk I/O error ({queue})\n"
    )
    assert done.log.count("ERROR: The crawl stops, its queue cannot be used") == 1
    assert "Traceback" not in done.log
    again = crawl(web, tmp_path, 90, store=store)
    assert again.code == 0
    assert "Continuing with the queue of this topic" in again.log
    assert not {page.url for page in done.pages} & set(again.fetched())


def test_a_full_disk_stops_the_crawl_and_loses_nothing_silently(
    web: DemoWeb, tmp_path: Path
) -> None:
    limit = _empty_store_bytes(tmp_path) + 5_000
    html = "TOPICCRAWL_STORE_HTML=True"  # so that the spool soon has no room either
    done = crawl(web, tmp_path, 250, IN_MEMORY, html, file_limit=limit)
    assert done.code == 1
    assert done.stderr == (
        "topiccrawl: the crawl stopped: neither the store nor the spool could be written;"
        " see the log\n"
    )
    assert "ERROR: The crawl stops, its pages cannot be kept" in done.log
    assert done.stats["topiccrawl/failed/store-lost"] > 0
    assert "Traceback" not in done.log
    # The second one is about the run's own record.
    assert done.log.count(" ERROR: ") <= 2
    assert done.stats["topiccrawl/store/accepted"] > done.stats["topiccrawl/store/spooled"] > 0

    # With room again, the next run finds in the spool all that the first one called stored.
    again = crawl(web, tmp_path, 1, IN_MEMORY)
    assert again.code == 0
    # A copy whose original was lost counts as an original there.
    kept = from_store(store_uri(tmp_path), _pages_and_copies)
    ours = [page for page in kept if page.run_id != again.runs[-1].id]
    # Whether copies come before the disk is full depends on the order of the answers.
    called_stored = done.stats["topiccrawl/pages/stored"] + done.stats.get(
        "topiccrawl/pages/copies", 0
    )
    assert len(ours) == called_stored > 0


async def _pages_and_copies(store: Store) -> list[PageRecord]:
    return [page async for page in store.pages(TOPIC, copies=True)]


def test_a_store_that_fails_goes_on_into_the_spool(web: DemoWeb, tmp_path: Path) -> None:
    """Room for the spool's files but not for a database: nothing is lost, but a timer must not call it done."""
    limit = _empty_store_bytes(tmp_path) + 5_000
    done = crawl(web, tmp_path, 40, IN_MEMORY, file_limit=limit)
    assert done.code == 1
    assert "The store does not answer" in done.stderr
    assert done.stats["topiccrawl/store/spooled"] > 0
    assert done.log.count("WARNING: The store is unavailable") == 2
    again = crawl(web, tmp_path, 1, IN_MEMORY)
    assert again.stats["topiccrawl/store/replayed"] == done.stats["topiccrawl/store/spooled"]
    ours = [page for page in again.pages if page.run_id != again.runs[-1].id]
    assert len(ours) == done.stats["topiccrawl/pages/stored"]
