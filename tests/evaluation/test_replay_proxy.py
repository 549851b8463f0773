"""Stored webs behind the proxy, and what pruning does to the links of their pages."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.chinese_web import GBK, HOME, MANY, OLD, WIDE, leaf, small_pages, small_topics
from topiccrawl.evaluation.replay.proxy import ReplayServer
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.prune import prune, pruner
from topiccrawl.evaluation.webs.web import StoredPage, Web
from topiccrawl.evaluation.webs.writer import write_web
from topiccrawl.page.page import Page

Got = tuple[int, str, bytes]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("web")
    failures = [StoredPage("http://a.example/busy", b"", status=503)]
    failures.append(StoredPage("http://a.example/robots.txt", b"Disallow: /", "text/plain"))
    pages = [*small_pages(leaves=400), *failures]
    web = open_web(str(write_web(folder, pages, small_topics(leaves=400))))
    yield web
    web.close()


@pytest.fixture
def server(web: Web) -> Iterator[ReplayServer]:
    with ReplayServer(web) as running:
        yield running


def get(server: ReplayServer, url: str) -> Got:
    """Fetch *url* through the proxy; https through a tunnel, as crawlers do."""
    proxy = urlsplit(server.url)
    target = urlsplit(url)
    if target.scheme == "https":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(
            str(proxy.hostname), proxy.port, timeout=20, context=context
        )
        connection.set_tunnel(str(target.hostname), 443)
        url = url.removeprefix(f"https://{target.netloc}")
    else:
        connection = http.client.HTTPConnection(proxy.netloc, timeout=20)
    try:
        connection.request("GET", url)
        response = connection.getresponse()
        return response.status, response.headers.get("Content-Type", ""), response.read()
    finally:
        connection.close()


def links(body: bytes, url: str = HOME, content_type: str = "text/html") -> list[str]:
    return [link.url for link in Page(url, body, content_type=content_type).links]


def test_pages_come_with_their_bytes_and_header_where_nothing_is_pruned(web: Web) -> None:
    with ReplayServer(web, pruned=False) as server:
        for page in small_pages():
            if page.status == 200:
                assert get(server, page.url) == (200, page.content_type, page.body)


@pytest.mark.parametrize("url", [HOME, "https://a.example/", "https://A.example:443/#top"])
def test_http_and_https_are_the_same_page(server: ReplayServer, url: str) -> None:
    status, content_type, body = get(server, url)
    assert (status, content_type) == (200, "text/html; charset=utf-8")
    assert "首页".encode() in body
    assert [page.url for page in server.proxy.served] == [HOME]


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/none",
        "http://nowhere.example/",
        "http://a.example/robots.txt",
        "http://a.example/busy",
    ],
)
def test_what_is_not_stored_robots_txt_and_failures_are_404(server: ReplayServer, url: str) -> None:
    assert get(server, url)[0] == 404
    assert not server.proxy.served


def test_redirects_lead_where_they_led(server: ReplayServer) -> None:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    connection.request("GET", OLD)
    response = connection.getresponse()
    assert (response.status, response.headers["Location"]) == (301, GBK)
    connection.close()


def test_requests_are_noted_in_their_order(server: ReplayServer) -> None:
    urls = [MANY, HOME, "http://a.example/none", GBK, HOME]
    for url in urls:
        get(server, url)
    assert [page.requested for page in server.proxy.served] == [MANY, HOME, GBK, HOME]
    assert [(r.status, r.url) for r in server.requests] == [
        (200, MANY), (200, HOME), (404, urls[2]), (200, GBK), (200, HOME),
    ]  # fmt: skip


def test_after_the_budget_nothing_is_served_and_an_event_is_set(web: Web) -> None:
    with ReplayServer(web, max_pages=2) as server:
        assert [get(server, url)[0] for url in (HOME, OLD, "http://a.example/none", GBK)] == [
            200, 301, 404, 200,
        ]  # fmt: skip
        assert get(server, "http://b.example/robots.txt")[0] == 404
        assert not server.proxy.over.is_set()
        assert get(server, WIDE)[0] == 404
        assert server.proxy.over.is_set()
        assert len(server.proxy.served) == 2


def test_sixteen_requests_wait_for_their_latency_together(web: Web) -> None:
    with ThreadPoolExecutor(16) as pool:
        with ReplayServer(web, latency_seconds=3600) as server:
            answers = [pool.submit(get, server, leaf(number)) for number in range(16)]
            while len(server.proxy.served) < 16:
                assert not any(answer.done() for answer in answers)
            assert not server.requests, "none is answered yet"
        assert all(isinstance(answer.exception(), OSError | HTTPException) for answer in answers)


def test_a_pruned_page_links_to_stored_pages_only_in_their_canonical_form(web: Web) -> None:
    serve = pruner(web)
    bodies = {page.url: serve(page) for page in small_pages()}
    assert links(bodies[HOME]) == [GBK, OLD, MANY, WIDE]
    assert links(bodies[GBK], GBK) == [HOME]
    assert links(bodies[WIDE], WIDE) == [HOME]
    assert links(bodies[MANY], MANY) == [leaf(i) for i in range(400)]
    assert bodies[OLD] == b"moved"


def test_pruning_changes_nothing_but_the_addresses_of_links(web: Web) -> None:
    for page in small_pages():
        served = pruner(web)(page)
        before, after = (
            Page(page.url, b, content_type=page.content_type) for b in (page.body, served)
        )
        assert after.stated_title == before.stated_title
        assert after.visible_text == before.visible_text
        assert after.encoding == before.encoding


@pytest.mark.parametrize(
    ("markup", "pruned"),
    [
        ('<A HREF="/y?a=1&amp;b=2#c">', '<A HREF="http://a.example/y?a=1&amp;b=2">'),
        ("<a class='x'href=y>", "<a class='x'href=\"http://a.example/y\">"),
        ("<a title='a > b' href='y'>", "<a title='a > b' href=\"http://a.example/y\">"),
        ("<a data-href='/y' href='/n'>", "<a data-href='/y' data-dead-href='/n'>"),
        ("<area href=/n><iframe src=y>", '<area data-dead-href=/n><iframe src="http://a.example/y">'),
        ("<frame src='n'><link rel=next href=n>", "<frame data-dead-src='n'><link rel=next data-dead-href=n>"),
        ("<a href='#top'><a href=javascript:x()><a href=''>",) * 2,
        ("<img src=n><abbr href=n><script src=n></script>",) * 2,
        ("<base href='/f/'><a href='z'>", "<base data-dead-href='/f/'><a href=\"http://a.example/f/z\">"),
        ("<!-- <base href='/g/'> --><a href=y>", "<!-- <base data-dead-href='/g/'> --><a href=\"http://a.example/y\">"),
        ("<a href='http://['>", "<a data-dead-href='http://['>"),
        ("<a href='侨'>", '<a href="http://a.example/%E4%BE%A8">'),
        ("<a href='y", "<a href='y"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_links_are_found_however_they_are_written(markup: str, pruned: str, encoding: str) -> None:
    stored = {
        "http://a.example/" + path: "http://a.example/" + path
        for path in ("y", "y?a=1&b=2", "f/z", "%E4%BE%A8")
    }
    text = "归国华侨在家乡投资办厂，侨胞与侨眷参加座谈会。" * 3
    body = f"<p>{text}</p>{markup}".encode(encoding)
    got = prune(body, HOME, "text/html", stored.get)
    assert got.decode(encoding) == f"<p>{text}</p>{pruned}"


def test_a_query_that_the_page_writes_in_its_own_charset_is_found_both_ways() -> None:
    text = "归国华侨在家乡投资办厂，侨胞与侨眷参加座谈会。" * 3
    body = f"<p>{text}</p><a href='/s?q=侨'>".encode("gbk")
    for key in ("http://a.example/s?q=%E4%BE%A8", "http://a.example/s?q=%C7%C8"):
        assert links(prune(body, HOME, "text/html", {key: key}.get)) == [key]


def test_a_file_that_cannot_be_html_is_served_as_it_is(web: Web, tmp_path: Path) -> None:
    body = b'{"a": "<a href=/none>"}'
    assert pruner(web)(StoredPage(HOME, body, "application/json")) == body


@pytest.mark.parametrize("piece", ["<!--", "<script ", "<base x", "x"])
def test_the_links_of_a_hostile_page_are_pruned_in_linear_time(piece: str) -> None:
    body = f"<base ><a {piece * (400_000 // len(piece))}".encode()
    begun = time.process_time()
    assert prune(body, HOME, "text/html", {}.get) == body
    assert time.process_time() - begun < 3


def test_statuses_without_a_name_and_addresses_in_chinese_are_served(tmp_path: Path) -> None:
    pages = [
        *small_pages(leaves=4),
        StoredPage("http://a.example/odd", b"no", status=444),
        StoredPage("http://a.example/moved", b"", status=302, location="http://a.example/\u65b0 x"),
    ]
    stored = open_web(str(write_web(tmp_path, pages, small_topics(leaves=4))))
    with ReplayServer(stored) as server:
        assert get(server, "http://a.example/odd")[0] == 444
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
        connection.request("GET", "http://a.example/moved")
        response = connection.getresponse()
        assert response.status == 302
        assert response.headers["Location"] == "http://a.example/%E6%96%B0%20x"
        connection.close()
    stored.close()
