"""Crawls refuse private addresses, however a page writes them and wherever they come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.loopback_sites import Answer, article, crawl, redirect, serving

#: Spellings of 127.0.0.3.
SPELLINGS = (
    "127.0.0.3",
    "127.3",
    "127.0.3",
    "2130706435",
    "0x7f000003",
    "0x7f.0.0.3",
    "0177.0.0.3",
    "017700000003",
    "127.0.0.3.",
    "１２７．０．０．３",
    "127。0。0。3",
    "①②⑦.0.0.③",
    "user:word@127.0.0.3",
    "www.example.cn@127.0.0.3",
    "[::ffff:127.0.0.3]",
    "%31%32%37.0.0.3",
)


def test_no_spelling_of_a_private_address_is_contacted(tmp_path: Path) -> None:
    with serving({}, "127.0.0.3") as secret:
        links = [f"http://{name}:{secret.port}/{i}" for i, name in enumerate(SPELLINGS)]
        pages = {
            "/": article("侨情首页", *links, "/to", "/chain", "/meta", "/good"),
            "/to": redirect(f"{secret.url}/redirected"),
            "/chain": redirect("/chain2"),
            "/chain2": redirect("/to"),
            "/meta": article(
                "归侨", head=f'<meta http-equiv="refresh" content="0;url={secret.url}/meta">'
            ),
            "/good": article("华侨农场的新侨务"),
            "/robots.txt": redirect(f"{secret.url}/robots.txt"),
        }
        with serving(pages, "127.0.0.2") as site:
            done = crawl(
                tmp_path, [f"{site.url}/"], TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="127.0.0.2"
            )
    assert done.code == 0, done.log
    assert secret.connections == []
    assert "华侨农场的新侨务" in done.titles
    refused = {url for url, outcome in done.outcomes.items() if outcome.reason == "private-address"}
    assert f"{secret.url}/redirected" in refused
    assert f"{secret.url}/0" in refused
    # Those that Scrapy takes for names of their own have an outcome, too.
    assert len(refused) >= 3
    assert not done.lines("Traceback")


def test_names_with_private_addresses_are_refused_also_by_redirects_and_new_answers(
    tmp_path: Path,
) -> None:
    with serving({}, "127.0.0.3") as secret:
        port = secret.port
        pages = {
            "/": article(
                "侨情首页", f"http://inside.test:{port}/", f"http://rebound.test:{port}/", "/to"
            ),
            "/to": redirect(f"http://inside.test:{port}/redirected"),
        }
        with serving(pages, "127.0.0.2") as site:
            done = crawl(
                tmp_path,
                [f"http://public.test:{site.port}/"],
                names={
                    "public.test": ["127.0.0.2"],
                    "inside.test": ["127.0.0.3"],
                    # The check sees the first answer, the connection the second.
                    "rebound.test": ["127.0.0.2", "127.0.0.3"],
                },
                TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="127.0.0.2",
                ROBOTSTXT_OBEY=True,
                DNSCACHE_ENABLED=False,
            )
    assert done.code == 0, done.log
    assert secret.asked == []
    reasons = {url: outcome.reason for url, outcome in done.outcomes.items()}
    assert reasons[f"http://inside.test:{port}/"] == "private-address"
    assert reasons[f"http://rebound.test:{port}/"] == "private-address"
    assert reasons[f"http://inside.test:{port}/redirected"] == "private-address"


@pytest.mark.parametrize("proxied", [False, True])
def test_a_private_seed_is_named_with_the_setting(tmp_path: Path, proxied: bool) -> None:
    with serving({"/": article("内部")}, "127.0.0.1") as site:
        environment = {"http_proxy": site.url} if proxied else {}
        done = crawl(tmp_path, [f"http://127.0.0.1:{site.port}/"], environment=environment)
    assert done.code == 1
    assert site.connections == []
    (line,) = done.lines("TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED")[:1]
    assert "127.0.0.1" in line
    assert len(done.lines("TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED")) == 1


def test_a_proxy_may_have_a_private_address(tmp_path: Path) -> None:
    def answer(path: str) -> Answer:
        return article("侨情首页") if path == "http://www.qiao.test/" else Answer(status=404)

    with serving(answer, "127.0.0.1") as proxy:
        done = crawl(tmp_path, ["http://www.qiao.test/"], environment={"http_proxy": proxy.url})
    assert done.code == 0
    assert done.titles == {"侨情首页"}


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "s3"])
def test_only_http_and_https_are_fetched(tmp_path: Path, scheme: str) -> None:
    (tmp_path / "page.html").write_bytes(article("秘密").body)
    urls = {
        "file": f"file://{tmp_path}/page.html",
        "ftp": "ftp://127.0.0.1/page.html",
        "data": "data:text/html,x",
        "s3": "s3://bucket/page.html",
    }
    with serving({"/": redirect(urls[scheme])}, "127.0.0.1") as site:
        done = crawl(tmp_path, [f"{site.url}/"], TOPICCRAWL_PRIVATE_ADDRESSES_ALLOWED="all")
    assert done.pages == []
    assert not done.lines("Traceback")
