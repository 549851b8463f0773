"""Workers on one Redis, as ``scrapy crawl`` with the cluster settings starts them."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.crawl_runs import PATIENCE_SECONDS, TOPIC, all_records, crawl_words
from tests.support.forked import ForkedCommand
from tests.support.redis_support import needs_redis, running
from tests.support.small_web import ON_TOPIC, link, page
from tests.support.stored import from_store
from tests.support.waiting import wait_until
from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.server import WebServer

if TYPE_CHECKING:
    import redis

    from tests.support.redis_server import RedisServer

pytestmark = needs_redis

START_URLS = f"topiccrawl:{TOPIC}:start_urls"
SUMS = f"topiccrawl:{TOPIC}:stats"
NO_LIMIT = 0
#: What fails is not tried again, and many are fetched at once: these tests are not about either.
QUICK = ("RETRY_ENABLED=0", "TOPICCRAWL_RETRY_MAX_ATTEMPTS=1", "CONCURRENT_REQUESTS=8")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running(tmp_path_factory.mktemp("redis"), append_only=True) as server:
        yield server


@pytest.fixture
def client(server: RedisServer) -> redis.Redis:
    client = server.client()
    client.flushall()
    return client


@pytest.fixture(scope="module")
def web() -> DemoWeb:
    return DemoWeb(seed=7, size=100)


def start(
    redis_url: str, site: str, out: Path, seeds: Sequence[str], *settings: str
) -> ForkedCommand:
    """Start a worker."""
    words = crawl_words(out, seeds, NO_LIMIT, *QUICK, *settings)
    return ForkedCommand(
        words,
        {
            **environment(site),
            "SCRAPY_SETTINGS_MODULE": "topiccrawl.cluster.settings",
            "REDIS_URL": redis_url,
        },
    )


def end(worker: ForkedCommand, out: Path) -> str:
    """Wait for a worker; its log."""
    done = worker.result(PATIENCE_SECONDS)
    log = (out / "crawl.log").read_text("utf-8")
    assert done.returncode == 0, done.stderr + log
    assert "Deprecat" not in log + done.stderr
    return log


def pages(server: WebServer) -> Counter[str]:
    return Counter(r.url for r in server.requests if not r.url.endswith("/robots.txt"))


def counted(client: redis.Redis, name: str) -> float:
    return float(client.hget(SUMS, name) or 0)


def test_two_workers_share_a_crawl_end_with_it_and_add_up_their_stats(
    server: RedisServer, client: redis.Redis, web: DemoWeb, tmp_path: Path
) -> None:
    outs = [tmp_path / "one", tmp_path / "two"]
    with WebServer(web) as site:
        workers = [start(server.url, site.url, out, web.seeds, "DEPTH_LIMIT=1") for out in outs]
        for worker, out in zip(workers, outs, strict=True):
            assert "the frontier ran dry" in end(worker, out)
        fetched = pages(site)
    assert counted(client, "downloader/request_count") >= sum(fetched.values())
    assert counted(client, "topiccrawl/frontier/popped") == counted(
        client, "topiccrawl/politeness/landed"
    )
    own = [client.hgetall(key) for key in client.keys(f"{SUMS}:*")]
    assert len(own) == 2
    popped = [int(stats.get(b"topiccrawl/frontier/popped", 0)) for stats in own]
    assert sum(popped) == counted(client, "topiccrawl/frontier/popped")


def test_start_urls_are_crawled_and_what_is_none_is_dropped(
    server: RedisServer, client: redis.Redis, web: DemoWeb, tmp_path: Path
) -> None:
    first, second = sorted(web.seeds)[:2]
    client.rpush(START_URLS, "no url", '{"url": 1}', '{"url": "http://a/", "meta": {}}', first)
    settings = ([second], "DEPTH_LIMIT=1")
    with WebServer(web) as site:
        log = end(start(server.url, site.url, tmp_path / "1", *settings), tmp_path / "1")
        assert {first, second} <= set(pages(site))
    assert log.count("is no start URL and is dropped") == 3
    assert "unknown key 'meta'" in log
    assert client.llen(START_URLS) == 0

    # Both are done now: one is fetched again because its entry says so.
    client.rpush(START_URLS, first, json.dumps({"url": second, "again": True}))
    with WebServer(web) as site:
        # Seeds of a run that came to its end are fetched again as well, so another one is named.
        settings = (["http://nowhere.example/"], "DEPTH_LIMIT=1")
        end(start(server.url, site.url, tmp_path / "2", *settings), tmp_path / "2")
        assert (pages(site)[first], pages(site)[second]) == (0, 1)


def test_no_entry_keeps_those_behind_it_from_being_fetched(
    server: RedisServer, client: redis.Redis, web: DemoWeb, tmp_path: Path
) -> None:
    good, seed = sorted(web.seeds)[:2]
    bad = [
        "http://a:99999/",
        '{"url":' * 20_000,
        "http://" + "a" * 10_000_000 + "/",
        b"\xff\xfe\x00",
    ]
    bad += ["file:///etc/passwd", "http://a..cn/", *(f"no url {n}" for n in range(700))]
    client.rpush(START_URLS, *bad, good)
    with WebServer(web) as site:
        worker = start(server.url, site.url, tmp_path / "1", [seed], "DEPTH_LIMIT=1")
        log = end(worker, tmp_path / "1")
        assert good in pages(site)
    assert client.llen(START_URLS) == 0
    assert counted(client, "topiccrawl/start_urls/dropped") == len(bad)
    assert log.count("is no start URL and is dropped") == 20
    assert max(map(len, log.splitlines())) < 2000
    assert "Traceback" not in log

    client.set(START_URLS, "no list")
    with WebServer(web) as site:
        worker = start(server.url, site.url, tmp_path / "2", ["http://nowhere.example/"])
        log = end(worker, tmp_path / "2")
    assert log.count("cannot be read from the list") == 1
    assert "Traceback" not in log


class HubWeb:
    """A page that links to many others, each of them found nowhere else."""

    hub = "http://www.qiao.example/"

    def __init__(self) -> None:
        self.leaves = [f"http://www{n % 6}.qiao.example/{n}.html" for n in range(60)]

    def answer(self, url: str, attempt: int = 1) -> Answer | None:
        """Return the hub, or a page about the topic; no host has a robots.txt."""
        if url == self.hub:
            body = page("侨务", ON_TOPIC, "".join(link(leaf, "侨务新闻") for leaf in self.leaves))
        elif url in self.leaves:
            at = self.leaves.index(url)
            own = "".join(chr(0x4E00 + (at * 101 + n * 37) % 5000) for n in range(40))
            body = page(f"侨务新闻{own[:8]}", f"{own}。{ON_TOPIC}")
        else:
            return Answer(404)
        return Answer(200, "text/html; charset=utf-8", body)


def test_a_redis_that_comes_back_without_its_data_loses_no_page_and_doubles_none(
    tmp_path: Path,
) -> None:
    store = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    outs = [tmp_path / "1", tmp_path / "2"]
    settings = (
        "CONCURRENT_REQUESTS=2",
        "TOPICCRAWL_DUPLICATES=off",
        f"TOPICCRAWL_STORE_URI={store}",
    )
    with (
        running(tmp_path, append_only=False) as server,
        WebServer(HubWeb(), latency_seconds=0.2) as site,
    ):
        workers = [start(server.url, site.url, out, [HubWeb.hub], *settings) for out in outs]
        wait_until(lambda: len(pages(site)) > 20)
        server.restart()
        logs = [end(worker, out) for worker, out in zip(workers, outs, strict=True)]
        fetched, web = pages(site), site.web
    assert_all_is_fetched_and_stored(web, fetched, store)
    for log in logs:
        assert log.count("has lost the queue") == 1
        assert "Traceback" not in log
    assert (
        sum(log.count("The crawl goes on with a new queue, of the seeds (1)") for log in logs) == 1
    )


def test_what_redis_loses_in_a_crash_is_fetched_again(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    settings = ("TOPICCRAWL_DUPLICATES=off", f"TOPICCRAWL_STORE_URI={store}")
    settings += ("TOPICCRAWL_FRONTIER_WORKER_SECONDS=4",)
    with (
        running(tmp_path, append_only=True) as server,
        WebServer(HubWeb(), latency_seconds=0.5) as site,
    ):
        worker = start(server.url, site.url, tmp_path / "1", [HubWeb.hub], *settings)
        # The hub has been handed out, and its answer, with its links, is still to come.
        wait_until(lambda: bool(pages(site)))
        with server.losing_what_is_written():
            wait_until(lambda: len(pages(site)) > 6)
        log = end(worker, tmp_path / "1")
        fetched, web = pages(site), site.web
    assert "has lost its last moments in a crash" in log
    assert_all_is_fetched_and_stored(web, fetched, store)


def assert_all_is_fetched_and_stored(web: HubWeb, fetched: Counter[str], store: str) -> None:
    assert set(fetched) >= {web.hub, *web.leaves}
    stored, __, ___ = from_store(store, all_records)
    assert sorted(it.url for it in stored) == sorted({web.hub, *web.leaves})


def settings_of_a_worker(store: str) -> tuple[str, ...]:
    """Return the settings of one that is soon taken for dead."""
    return (
        "CONCURRENT_REQUESTS=2",
        "TOPICCRAWL_DUPLICATES=off",
        f"TOPICCRAWL_STORE_URI={store}",
        "TOPICCRAWL_FRONTIER_WORKER_SECONDS=4",
    )


def test_a_worker_that_stands_still_for_longer_than_its_leases_does_no_harm(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    outs = [tmp_path / str(n) for n in range(2)]
    settings = settings_of_a_worker(store)
    with (
        running(tmp_path, append_only=True) as server,
        WebServer(HubWeb(), latency_seconds=0.2) as site,
    ):
        first = start(server.url, site.url, outs[0], [HubWeb.hub], *settings)
        wait_until(lambda: bool(pages(site)))
        second = start(server.url, site.url, outs[1], [HubWeb.hub], *settings)
        wait_until(lambda: "Spider opened" in log_of(outs[1]) and len(pages(site)) > 10)

        def stopped_at_work() -> bool:
            first.send_signal(signal.SIGSTOP)
            if server.client().keys("*held:1"):
                return True
            first.send_signal(signal.SIGCONT)
            return False

        wait_until(stopped_at_work)
        try:
            wait_until(
                lambda: (
                    "came back from a lease" in log_of(outs[1])
                    or "came back from leases" in log_of(outs[1])
                )
            )
        finally:
            first.send_signal(signal.SIGCONT)
        logs = [end(worker, out) for worker, out in zip((first, second), outs, strict=True)]
        fetched, web = pages(site), site.web
    assert_all_is_fetched_and_stored(web, fetched, store)
    assert "Traceback" not in "".join(logs)


def test_a_worker_that_is_killed_and_one_that_differs_cost_a_crawl_no_page(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'pages.sqlite'}"
    outs = [tmp_path / str(n) for n in range(3)]
    settings = settings_of_a_worker(store)
    with (
        running(tmp_path, append_only=True) as server,
        WebServer(HubWeb(), latency_seconds=0.2) as site,
    ):
        first = start(server.url, site.url, outs[0], [HubWeb.hub], *settings)
        wait_until(lambda: bool(pages(site)))
        differs = (*settings, "TOPICCRAWL_BALANCE=recall")
        second = start(server.url, site.url, outs[1], [HubWeb.hub], *differs)
        victim = start(server.url, site.url, outs[2], [HubWeb.hub], *settings)
        wait_until(lambda: "Spider opened" in log_of(outs[2]) and "differ:" in log_of(outs[0]))
        victim.kill()
        log = end(first, outs[0]) + end(second, outs[1])
        fetched, web = pages(site), site.web
    assert "TOPICCRAWL_BALANCE is 'balanced' instead of 'recall'" in log
    assert "TOPICCRAWL_BALANCE is 'recall' instead of 'balanced'" in log
    assert_all_is_fetched_and_stored(web, fetched, store)
    assert "Traceback" not in log


def log_of(out: Path) -> str:
    path = out / "crawl.log"
    return path.read_text("utf-8") if path.exists() else ""
