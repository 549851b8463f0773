"""Crawls through proxies that fail, lie or die: no page is lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from benchmarks.proxies.dying import FAULTS, ProxyFarm
from tests.support.crawl_runs import CrawlResult, crawl_words, finished, scrapy
from tests.support.loopback_sites import Answer as SiteAnswer
from tests.support.loopback_sites import article, serving
from topiccrawl.demo import DemoWeb
from topiccrawl.evaluation.replay.certificate import server_context
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.webserver.answers import Answer
from topiccrawl.webserver.environment import environment
from topiccrawl.webserver.forward import ForwardProxy
from topiccrawl.webserver.server import ProxyServer

pytestmark = pytest.mark.slow

FAST = (
    "CONCURRENT_REQUESTS=8",
    "CONCURRENT_REQUESTS_PER_DOMAIN=4",
    "TOPICCRAWL_PROXY_TIMEOUT_SECONDS=1",
    "TOPICCRAWL_PROXY_REST_SECONDS=1",
    "STATS_DUMP=1",
)


def crawl_through(farm: ProxyFarm, out: Path, *settings: str, pages: int = 10_000) -> CrawlResult:
    """Crawl the farm's web through its proxies; nothing else can be reached."""
    assert isinstance(farm.web, DemoWeb)
    file = out / "proxies.txt"
    out.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(farm.urls), "utf-8")
    words = crawl_words(
        out, farm.web.seeds, pages, *FAST, f"TOPICCRAWL_PROXY_FILE={file}", *settings
    )
    return finished(scrapy(words, environment("http://127.0.0.1:9")), out, [])


@pytest.fixture(name="web", scope="module")
def small_web() -> DemoWeb:
    return DemoWeb(seed=11, size=100, hazards=False)


def test_no_page_is_lost_when_four_of_ten_proxies_die(web: DemoWeb, tmp_path: Path) -> None:
    with ProxyFarm(web, 10, faults=("hang", "reset", "502", "ad"), after=40) as farm:
        done = crawl_through(farm, tmp_path)
    assert done.code == 0
    assert farm.died_at is not None
    received = set(map(canonical_url, farm.genuine))
    failed = [it for it in done.outcomes if it.verdict == "failed" and it.reason != "trap"]
    assert failed == []
    stored = {page.url for page in done.pages}
    assert stored
    assert stored <= received
    never = {it.url for it in done.tried if it.reason not in ("trap", "redirected")} - received
    assert never == set()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_proxy_with_any_fault_is_left_alone(fault: str, web: DemoWeb, tmp_path: Path) -> None:
    with ProxyFarm(web, 2, faults=(fault,), after=10) as farm:
        done = crawl_through(farm, tmp_path, pages=40)
        bad = next(proxy for proxy in farm.proxies if proxy.fault)
    assert [it for it in done.outcomes if it.verdict == "failed" and it.reason != "trap"] == []
    # What was under way, and single tests.
    assert bad.asked <= farm.asked_before + 14
    assert not any("加速" in page.title for page in done.pages)


def test_without_a_working_proxy_the_crawl_waits_and_says_so(web: DemoWeb, tmp_path: Path) -> None:
    with ProxyFarm(web, 1, faults=("refuse",), after=12, back_after_seconds=2.0) as farm:
        done = crawl_through(farm, tmp_path, pages=30)
    assert done.code == 0
    assert len(done.tried) >= 20
    assert done.log.count("No proxy works; the crawl waits") >= 1
    assert [it.reason for it in done.outcomes if it.verdict == "failed"] == []


def test_proxies_come_from_a_pool_and_dead_ones_are_replaced(web: DemoWeb, tmp_path: Path) -> None:
    with ProxyFarm(web, 3) as farm:
        given = [url.removeprefix("http://") for url in farm.urls]

        def pool(path: str) -> SiteAnswer:
            if path.startswith("/get"):
                # The first is dead from the start.
                proxies = ["127.0.0.1:9", *given]
                proxy = proxies[len([p for p in site.asked if p.startswith("/get")]) % 4]
                return SiteAnswer(json.dumps({"proxy": proxy, "https": False}).encode())
            return SiteAnswer(b"{}")

        with serving(pool, "127.0.0.1") as site:
            words = crawl_words(
                tmp_path, web.seeds, 40, *FAST,
                f"TOPICCRAWL_PROXY_POOL={site.url}", "TOPICCRAWL_PROXY_POOL_SIZE=3",
            )  # fmt: skip
            done = finished(scrapy(words, environment("http://127.0.0.1:9")), tmp_path, [])
    assert done.code == 0
    assert len(done.tried) >= 25
    assert any(proxy.asked for proxy in farm.proxies)


def test_passwords_of_proxies_are_sent_to_them_and_kept_nowhere(
    web: DemoWeb, tmp_path: Path
) -> None:
    with ProxyFarm(web, 2, credentials="crawler:Xk7-open") as farm:
        file = tmp_path / "elsewhere" / "proxies.txt"
        file.parent.mkdir()
        file.write_text("\n".join(farm.urls_with_credentials), "utf-8")
        out = tmp_path / "out"
        words = crawl_words(
            out, web.seeds, 20, *FAST, f"TOPICCRAWL_PROXY_FILE={file}", "LOG_LEVEL=DEBUG"
        )
        refused = scrapy(words, environment("http://127.0.0.1:9"))
        assert refused.returncode == 1
        assert "chmod 600" in refused.stderr
        file.chmod(0o600)
        done = finished(scrapy(words, environment("http://127.0.0.1:9")), out, [])
    assert len(done.tried) >= 10
    for path in out.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert b"Xk7-open" not in data, path
        assert farm.basic.encode() not in data, path


class Tunnel(ForwardProxy):
    """A proxy that opens tunnels to one site, until it breaks them."""

    def __init__(self, breaks_after: int = 1_000_000) -> None:
        super().__init__(tls=server_context)
        self.tunnels = 0
        self._breaks_after = breaks_after

    def respond(self, method: str, url: str) -> Answer | None:
        if url.endswith("/robots.txt"):
            return Answer(404)
        links = [f"/{n}.html" for n in range(12)] if url.endswith("/") else ["/"]
        return Answer(200, "text/html; charset=utf-8", article(f"侨情{url[-8:]}", *links).body)

    async def _tunnel(self, writer: asyncio.StreamWriter, target: str) -> str:
        self.tunnels += 1
        if self.tunnels > self._breaks_after:
            writer.transport.abort()
            raise ConnectionResetError
        return await super()._tunnel(writer, target)


def test_https_pages_come_through_tunnels_and_broken_tunnels_are_replaced(tmp_path: Path) -> None:
    good, bad = Tunnel(), Tunnel(breaks_after=1)
    with ProxyServer(bad) as first, ProxyServer(good) as second:
        words = crawl_words(
            tmp_path, ["https://www.a.example/"], 100, *FAST, "TOPICCRAWL_PROXY_STICKY=0",
            f"TOPICCRAWL_PROXIES={first.url},{second.url}", "TOPICCRAWL_STRATEGY=breadth-first",
        )  # fmt: skip
        done = finished(scrapy(words, environment("http://127.0.0.1:9")), tmp_path, [])
    assert [it.url for it in done.outcomes if it.verdict == "failed"] == []
    assert len(done.tried) == 13
    assert bad.tunnels > 1
    assert good.tunnels > 1


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("TOPICCRAWL_PROXIES=socks4://u:secret@10.0.0.5:1080", "SOCKS4"),
        ("TOPICCRAWL_PROXIES=10.0.0.5:99999", "must be proxies"),
        ("TOPICCRAWL_PROXY_FILE=/nowhere/proxies.txt", "cannot be read"),
        ("TOPICCRAWL_PROXY_POOL=ftp://10.0.0.5/", "TOPICCRAWL_PROXY_POOL"),
        ("TOPICCRAWL_PROXY_SITES=http://a.cn/", "host names"),
    ],
)
def test_a_wrong_setting_stops_the_run_with_its_name(
    setting: str, message: str, tmp_path: Path
) -> None:
    words = crawl_words(tmp_path, ["http://a.example/"], 1, setting)
    done = scrapy(words, environment("http://127.0.0.1:9"))
    assert done.returncode == 1
    assert message in done.stderr
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr
