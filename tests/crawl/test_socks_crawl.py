"""Crawls through SOCKS5 proxies on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.crawl_runs import CrawlResult, crawl_words, finished, scrapy
from tests.support.loopback_sites import Answer, Site, article, serving
from tests.support.socks_server import Routes, socks_proxy
from topiccrawl.evaluation.replay.certificate import server_context
from topiccrawl.webserver.environment import environment

pytestmark = pytest.mark.slow

SITE = "www.qiao.example"
PAGES = 8
LOGIN = (b"crawler", b"Xk7:open")


def answers(path: str) -> Answer:
    if path == "/robots.txt":
        return Answer(status=404)
    links = [f"/{n}.html" for n in range(PAGES)] if path == "/" else ["/"]
    return article(f"侨情{path[-8:]}", *links)


@pytest.fixture(name="site")
def plain_site() -> Iterator[Site]:
    with serving(answers, "127.0.0.1") as site:
        yield site


def to(*sites: Site) -> Routes:
    """Lead every name to the sites, by the port that was asked for: 80, 443."""
    ports = dict(zip((80, 443), (site.port for site in sites), strict=False))
    return lambda host, port: ("127.0.0.1", ports[port])


def crawl(out: Path, seed: str, *proxies: str) -> CrawlResult:
    """Crawl through *proxies*; nothing else can be reached, and no name be resolved."""
    file = out.parent / "proxies.txt"
    file.write_text("\n".join(proxies), "utf-8")
    file.chmod(0o600)
    words = crawl_words(
        out, [seed], 100, "CONCURRENT_REQUESTS_PER_DOMAIN=4",
        f"TOPICCRAWL_PROXY_FILE={file}", "LOG_LEVEL=DEBUG",
    )  # fmt: skip
    return finished(scrapy(words, environment("http://127.0.0.1:9")), out, [])


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_pages_come_through_a_socks_proxy_that_resolves_their_names(
    scheme: str, site: Site, tmp_path: Path
) -> None:
    with (
        serving(answers, "127.0.0.1", tls=server_context()) as secure,
        socks_proxy(to(site, secure)) as proxy,
    ):
        done = crawl(tmp_path / "out", f"{scheme}://{SITE}/", f"socks5h://{proxy.address}")
    assert len(done.pages) == PAGES + 1
    assert [it.url for it in done.outcomes if it.verdict == "failed"] == []
    assert set(proxy.asked) == {(SITE, 80 if scheme == "http" else 443)}
    # Connections are used again.
    assert len(proxy.asked) <= 5


def test_a_login_is_sent_to_its_proxy_and_kept_nowhere(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with socks_proxy(to(site), LOGIN) as proxy:
        url = f"socks5://crawler:Xk7%3Aopen@{proxy.address}"
        done = crawl(out, f"http://{SITE}/", url)
    assert len(done.pages) == PAGES + 1
    for path in out.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert b"Xk7" not in data, path


def test_proxies_that_refuse_or_are_none_are_replaced(site: Site, tmp_path: Path) -> None:
    with (
        socks_proxy(to(site)) as good,
        socks_proxy(lambda host, port: 4) as unreachable,
        socks_proxy(to(site), LOGIN) as closed,
    ):
        bad = [unreachable.address, closed.address, f"127.0.0.1:{site.port}", "127.0.0.1:9"]
        done = crawl(
            tmp_path / "out",
            f"http://{SITE}/",
            *(f"socks5://{it}" for it in bad),
            f"socks5://{good.address}",
        )
    assert len(done.pages) == PAGES + 1
    assert [it.url for it in done.outcomes if it.verdict == "failed"] == []
