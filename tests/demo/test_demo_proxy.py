"""The proxy speaks HTTP/1.1 as a forward proxy does, and never asks anyone else."""

from __future__ import annotations

import gzip
import http.client
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from topiccrawl.demo import DemoWeb
from topiccrawl.webserver.server import WebServer

HOME = "http://www.qiaowang.example/"


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with WebServer(DemoWeb(slow_seconds=0.01, huge_bytes=300_000)) as running:
        yield running


@pytest.fixture
def client(server: WebServer) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    yield connection
    connection.close()


def fetch(
    client: http.client.HTTPConnection, url: str, method: str = "GET", **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    client.request(method, url, headers=headers)
    response = client.getresponse()
    return response, response.read()


def body_of(server: WebServer, url: str) -> bytes:
    answer = server.web.answer(url, 2)
    assert answer is not None
    return answer.body


def test_a_page_comes_with_its_status_type_and_length(
    client: http.client.HTTPConnection, server: WebServer
) -> None:
    response, body = fetch(client, HOME)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert int(response.headers["Content-Length"]) == len(body)
    assert body == body_of(server, HOME)


def test_one_connection_carries_many_requests_even_to_different_hosts(
    client: http.client.HTTPConnection,
) -> None:
    fetch(client, HOME)
    first = client.sock
    for url in (HOME + "404", "http://bbs.linjiang.example/", "http://nowhere.example/"):
        response, _ = fetch(client, url)
        assert response.headers["Connection"] == "keep-alive"
    assert client.sock is first


def test_the_connection_closes_when_the_client_asks(client: http.client.HTTPConnection) -> None:
    response, _ = fetch(client, HOME, Connection="close")
    assert response.headers["Connection"] == "close"
    assert client.sock is None


def test_head_gives_the_headers_of_get_without_a_body(
    client: http.client.HTTPConnection, server: WebServer
) -> None:
    response, body = fetch(client, HOME, "HEAD")
    assert (response.status, body) == (200, b"")
    assert int(response.headers["Content-Length"]) == len(body_of(server, HOME))
    assert fetch(client, HOME)[1] == body_of(server, HOME)  # the connection is still in step


def test_some_pages_are_compressed_for_clients_that_accept_it(
    client: http.client.HTTPConnection, server: WebServer
) -> None:
    encodings = set()
    for url in list(server.web.pages(("article",)))[:12]:
        fetch(client, url)  # some fail at the first try
        response, body = fetch(client, url, **{"Accept-Encoding": "gzip, deflate"})
        encoding = response.headers.get("Content-Encoding")
        encodings.add(encoding)
        assert int(response.headers["Content-Length"]) == len(body)
        assert (gzip.decompress(body) if encoding else body) == body_of(server, url)
        assert fetch(client, url)[0].headers.get("Content-Encoding") is None
    assert encodings == {"gzip", None}


@pytest.mark.parametrize(
    ("method", "target", "status", "why"),
    [
        ("GET", "http://www.unknown.example/", 502, "a name that cannot be resolved"),
        ("GET", "http://127.0.0.1/", 502, "no other address is contacted either"),
        ("GET", HOME + "no-such-page", 404, "a page that is not there"),
        ("GET", "https://www.qiaowang.example/", 501, "https has no pages"),
        ("CONNECT", "www.qiaowang.example:443", 501, "nor has a tunnel"),
        ("POST", HOME, 405, "only reading"),
        ("GET", "/", 400, "not asked as a proxy"),
    ],
)
def test_what_it_does_not_serve_it_refuses_with_a_reason(
    client: http.client.HTTPConnection, method: str, target: str, status: int, why: str
) -> None:
    response, body = fetch(client, target, method)
    assert response.status == status, why
    assert body.strip(), why
    assert (response.headers.get("Allow") == "GET, HEAD") is (status == 405)


def test_a_request_with_a_body_cannot_smuggle_a_second_one(
    client: http.client.HTTPConnection, server: WebServer
) -> None:
    before = len(server.requests)
    client.request("GET", HOME, body=b"GET http://news.haibin.example/ HTTP/1.1\r\n\r\n")
    response = client.getresponse()
    response.read()
    assert response.headers["Connection"] == "close"
    assert len(server.requests) == before + 1


def test_a_line_that_is_no_request_is_a_400(client: http.client.HTTPConnection) -> None:
    client.connect()
    assert client.sock is not None
    client.sock.sendall("侨情\r\n\r\n".encode())
    assert client.sock.recv(100).startswith(b"HTTP/1.1 400 ")


def test_an_endless_head_is_a_431(client: http.client.HTTPConnection) -> None:
    client.connect()
    assert client.sock is not None
    client.sock.sendall(b"GET http://www.qiaowang.example/ HTTP/1.1\r\nX: " + b"x" * 70_000)
    client.sock.sendall(b"\r\n\r\n")
    assert client.sock.recv(100).startswith(b"HTTP/1.1 431 ")


def test_failing_pages_recover_at_the_second_request(
    client: http.client.HTTPConnection, server: WebServer
) -> None:
    pages = server.web.pages(("article",))
    failing = [url for url in pages if server.web.answer(url).status in (500, 503)]  # type: ignore[union-attr]
    url = failing[-1]
    assert [fetch(client, url)[0].status for _ in range(3)] == [
        server.web.answer(url).status,  # type: ignore[union-attr]
        200,
        200,
    ]


def test_the_huge_page_arrives_whole(client: http.client.HTTPConnection, server: WebServer) -> None:
    response, body = fetch(client, server.web.huge_url)
    assert len(body) == int(response.headers["Content-Length"]) == 300_000


def test_redirects_carry_their_location(client: http.client.HTTPConnection) -> None:
    response, _ = fetch(client, "http://tech.xinzhi.example/goto/loop?n=8")
    assert response.status == 302
    assert response.headers["Location"] == "http://tech.xinzhi.example/goto/loop?n=9"


def test_many_clients_at_once_each_get_their_own_page(server: WebServer) -> None:
    urls = list(server.web.pages(("list",)))[:40]
    together = threading.Barrier(8)

    def one_client(part: int) -> bool:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
        together.wait()
        right = all(fetch(connection, url)[1] == body_of(server, url) for url in urls[part::8])
        connection.close()
        return right

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one_client, range(8)))


def test_requests_are_recorded_in_order(server: WebServer) -> None:
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=20)
    before = len(server.requests)
    fetch(connection, HOME)
    fetch(connection, HOME, "HEAD")
    fetch(connection, HOME + "nothing")
    connection.close()
    latest = server.requests[before:]
    assert [(r.method, r.status, r.url) for r in latest] == [
        ("GET", 200, HOME),
        ("HEAD", 200, HOME),
        ("GET", 404, HOME + "nothing"),
    ]
    assert [r.sequence for r in latest] == [before + 1, before + 2, before + 3]
    assert latest[0].length == len(body_of(server, HOME))
    assert latest[1].length == 0


def test_a_taken_port_is_an_error_in_the_callers_thread(server: WebServer) -> None:
    port = urlsplit(server.url).port
    assert port is not None
    with pytest.raises(OSError, match=str(port)), WebServer(server.web, port=port):
        pass


def test_the_process_prints_its_address_first_and_ends_on_sigterm() -> None:
    command = [sys.executable, "-m", "topiccrawl.demo.serve", "--size", "150", "--seed", "3"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=20)
        _, body = fetch(connection, HOME)
        process.terminate()  # while a client is still connected
        assert process.stderr is not None
        rest, errors = process.stdout.read(), process.stderr.read()
        connection.close()
    assert (process.returncode, errors) == (0, "")
    expected = DemoWeb(seed=3, size=150).answer(HOME)
    assert expected is not None
    assert body == expected.body
    assert "scrapy crawl topic -a topic=侨情" in rest
