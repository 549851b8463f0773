"""The scheduler in real crawls: order, politeness, waking, retries, redirects, the end."""

from __future__ import annotations

import heapq
import random
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from scrapy import signals
from scrapy.core.engine import ExecutionEngine

from tests.support.crawl_support import Web, crawl, failing, redirect
from topiccrawl.frontier.memory.frontier import MemoryFrontier
from topiccrawl.frontier.options import FrontierLimits


@pytest.fixture(autouse=True)
def no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl that waits for the heartbeat waits an hour, which is for ever here."""
    monkeypatch.setattr(ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", 3600.0)


def drawn_web(seed: int, pages: int) -> dict[str, dict[str, float]]:
    """A random web over five hosts; scores are distinct for each link."""
    draw = random.Random(seed)
    urls = [f"http://h{i % 5}.cn/{i}" for i in range(pages)]
    return {url: {u: draw.random() for u in draw.sample(urls, 4) if u != url} for url in urls}


def best_first(web: dict[str, dict[str, float]], seed: str) -> list[str]:
    """The order of a crawl that always takes the best link known so far."""
    order, best = [], {seed: 100.0}
    done: set[str] = set()
    while best:
        url = heapq.nlargest(1, best, key=best.__getitem__)[0]
        del best[url]
        done.add(url)
        order.append(url)
        for target, score in web[url].items():
            if target not in done:
                best[target] = max(score, best.get(target, score))
    return order


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_at_concurrency_one_the_order_is_exactly_best_first(seed: int) -> None:
    pages = drawn_web(seed, 60)
    web = Web(pages)
    frontier, stats = crawl(web, ["http://h0.cn/0"])
    expected = best_first(pages, "http://h0.cn/0")
    assert web.fetched == expected
    assert len(expected) > 40
    size = frontier.size()
    assert (size.done, size.queued, size.leased) == (len(expected), 0, 0)
    offered = stats["enqueued"] + stats["merged"] + stats["seen"]
    assert offered == 1 + sum(len(pages[url]) for url in expected)
    assert stats["merged"] > 0
    assert stats["seen"] > 0
    assert stats["finish_reason"] == "finished"


SLOW, FAST = "http://slow.cn", "http://fast.cn"


def test_a_host_in_its_delay_stops_neither_the_others_nor_the_crawl() -> None:
    web = Web(
        {
            f"{SLOW}/0": {f"{SLOW}/{i}": 9.0 - i for i in range(1, 4)}
            | {f"{FAST}/{i}": 1.0 - i / 100 for i in range(8)}
        }
    )
    # Longer than a busy machine takes for the eight pages of the other host.
    crawl(web, [f"{SLOW}/0"], {"DOWNLOAD_SLOTS": {"slow.cn": {"concurrency": 1, "delay": 1.0}}})
    slow = [url for url in web.fetched if url.startswith(SLOW)]
    assert slow == [f"{SLOW}/{i}" for i in range(4)]
    # All that is ready is fetched before the better links of the host that must wait.
    assert web.fetched[1:9] == [f"{FAST}/{i}" for i in range(8)]
    assert len(web.fetched) == 12


def test_a_better_link_found_during_the_delay_goes_before_those_found_earlier() -> None:
    web = Web(
        {
            f"{SLOW}/0": {f"{SLOW}/1": 0.1, f"{FAST}/0": 0.5},
            f"{FAST}/0": {f"{SLOW}/2": 0.9},
        }
    )
    crawl(web, [f"{SLOW}/0"], {"DOWNLOAD_SLOTS": {"slow.cn": {"delay": 0.3}}})
    assert web.fetched == [f"{SLOW}/0", f"{FAST}/0", f"{SLOW}/2", f"{SLOW}/1"]


def test_nothing_is_popped_for_a_host_whose_connections_are_in_use() -> None:
    # Robots.txt included: a popped request waits for it before its slot exists.
    web = Web({"http://h0.cn/0": {f"http://h{i % 3}.cn/{i}": 1 / (i + 1) for i in range(1, 40)}})
    crowds: list[tuple[int, int]] = []

    def probe(crawler) -> None:
        def watch(request) -> None:
            downloader = crawler.engine.downloader
            pages = [r for r in downloader.active if not r.url.endswith("robots.txt")]
            busiest = Counter(downloader.get_slot_key(r) for r in pages).most_common(1)
            crowds.append((busiest[0][1] if busiest else 0, len(pages)))

        crawler.signals.connect(watch, signals.request_reached_downloader, weak=False)

    settings = {
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
        "ROBOTSTXT_OBEY": True,
    }
    crawl(web, ["http://h0.cn/0"], settings, probe=probe)
    assert len(web.fetched) == 40
    assert max(per_host for per_host, _ in crowds) == 2
    assert max(total for _, total in crowds) > 2  # several hosts at a time


def test_quick_retries_keep_their_score_and_place() -> None:
    web = Web(
        {
            "http://a.cn/0": {"http://a.cn/1": 0.9, "http://b.cn/2": 0.5},
            "http://a.cn/1": failing(2),
        }
    )
    frontier, stats = crawl(web, ["http://a.cn/0"], {"RETRY_ENABLED": True, "RETRY_TIMES": 2})
    assert [url[-1] for url in web.fetched] == ["0", "1", "1", "1", "2"]
    assert stats["requeued"] == 2
    assert frontier.size().done == 3


def test_a_failed_page_comes_back_later_and_lets_others_go_first() -> None:
    web = Web(
        {
            "http://a.cn/0": {"http://a.cn/1": 0.9, "http://b.cn/2": 0.5},
            "http://a.cn/1": failing(1),
        }
    )
    frontier, stats = crawl(web, ["http://a.cn/0"])
    assert [url[-1] for url in web.fetched] == ["0", "1", "2", "1"]
    assert frontier.size().done == 3
    assert stats["finish_reason"] == "finished"


def test_a_page_that_always_fails_is_given_up_and_the_crawl_ends() -> None:
    web = Web({"http://a.cn/0": failing(99)})
    frontier = MemoryFrontier(FrontierLimits(max_attempts=3))
    crawl(web, ["http://a.cn/0"], frontier=frontier)
    assert len(web.fetched) == 3
    assert frontier.size().given_up == 1


def test_redirects_are_settled_and_their_targets_fetched_once() -> None:
    web = Web(
        {
            "http://a.cn/0": {"http://a.cn/1": 0.9, "http://a.cn/2": 0.8, "http://a.cn/3": 0.7},
            "http://a.cn/1": redirect("http://b.cn/target"),
            "http://a.cn/2": redirect("http://b.cn/target"),  # known by then
            "http://a.cn/3": redirect("http://a.cn/1"),  # back to one that redirects
        }
    )
    frontier, stats = crawl(web, ["http://a.cn/0"])
    assert web.fetched.count("http://b.cn/target") == 1
    assert stats["redirected"] == 3
    size = frontier.size()
    assert (size.done, size.leased, size.queued) == (5, 0, 0)


def test_a_redirect_to_itself_with_a_cookie_arrives() -> None:
    def once(request):
        asked.append(request.url)
        return (redirect("http://a.cn/0") if len(asked) == 1 else failing(0))(request)

    asked: list[str] = []
    frontier, _ = crawl(Web({"http://a.cn/0": once}), ["http://a.cn/0"])
    assert len(asked) == 2
    assert frontier.size().done == 1


def test_links_left_from_before_are_crawled_without_seeds() -> None:
    frontier = MemoryFrontier()
    crawl(Web({}), ["http://a.cn/0"], {"CLOSESPIDER_PAGECOUNT": 1}, frontier=frontier)
    web = Web({})
    crawl(web, ["http://a.cn/0", "http://a.cn/1"], frontier=frontier)
    assert web.fetched == ["http://a.cn/1"]  # 0 is done


class _Site(BaseHTTPRequestHandler):
    """Each page links to the next ones on all hosts; the links come from the test's web."""

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.server.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write("<html>侨情</html>".encode("gb18030"))

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def __init__(self, address: str) -> None:
        super().__init__((address, 0), _Site)
        self.asked: list[str] = []


def test_real_servers_on_several_hosts_are_crawled_once_each_page() -> None:
    servers = [_Server(f"127.0.0.{i}") for i in (1, 2, 3)]
    try:
        for server in servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        bases = ["http://{}:{}".format(*server.server_address) for server in servers]
        urls = [f"{base}/{i}" for base in bases for i in range(5)]
        web = Web({url: {u: 1.0 / (i + 1) for i, u in enumerate(urls)} for url in urls})
        frontier, stats = crawl(
            web,
            urls[:1],
            {"CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0.02},
            network=True,
        )
        for server in servers:
            assert sorted(server.asked) == [f"/{i}" for i in range(5)]
        assert frontier.size().done == stats["popped"] == 15
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
