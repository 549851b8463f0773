"""Header lines and chunks without end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web._newclient import Request, ResponseFailed
from twisted.web.http import _DataLoss
from twisted.web.http_headers import Headers

from topiccrawl.network.framing import MAX_LINES, MAX_PIECES, BoundedParser, FramingError

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class Body(Protocol):
    def __init__(self) -> None:
        self.data = b""

    def dataReceived(self, data: bytes) -> None:
        self.data += data


def parser_of_response() -> Any:
    """Return the parser of a response that is about to arrive."""
    request = Request(b"GET", b"/", Headers({"Host": ["a.example"]}), None)  # type: ignore[no-untyped-call]
    parser = BoundedParser(request, lambda rest: None)  # type: ignore[no-untyped-call]
    parser.makeConnection(StringTransport())
    return parser


def read(parts: Iterable[bytes]) -> bytes:
    """Return the body of a response that arrives in *parts*."""
    parser = parser_of_response()
    body = Body()
    for part in parts:
        parser.dataReceived(part)
        if parser.state == "BODY" and body.transport is None:
            parser.response.deliverBody(body)
    return body.data


@pytest.mark.parametrize(
    "parts",
    [
        [b"HTTP/1.1 200 OK\r\n", b"X: 1\r\n" * MAX_LINES],
        [b"HTTP/1.1 200 OK\r\nX: 1\r\n", b" 1\r\n" * MAX_LINES],
        [b"HTTP/1.1 200 OK\r\n", *[b"X: " + b"x" * 15_000 + b"\r\n"] * 18],
        [b"HTTP/1.1 100 Continue\r\n\r\n"] * MAX_LINES,
        [CHUNKED, b"1\r\nx\r\n" * (MAX_PIECES + 1)],
        [CHUNKED, b"%x\r\n" % (2 * MAX_PIECES), *[b"x"] * (MAX_PIECES + 1)],
    ],
    ids=["headers", "folded", "long headers", "continue", "chunks", "parts of a chunk"],
)
def test_a_response_without_end_is_given_up(parts: list[bytes]) -> None:
    with pytest.raises(FramingError, match="more than"):
        read(parts)


def test_many_headers_and_small_chunks_are_read() -> None:
    headers = b"HTTP/1.1 200 OK\r\n" + b"X: 1\r\n" * 500 + b"Transfer-Encoding: chunked\r\n\r\n"
    body = read([headers, b"1\r\nx\r\n" * (MAX_PIECES // 2), b"0\r\n\r\n"])
    assert body == b"x" * (MAX_PIECES // 2)


FIXED = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


@pytest.mark.parametrize("after", [b"", b"\r\n", b"\n\n "])
def test_line_ends_after_a_body_are_ignored(after: bytes) -> None:
    assert read([FIXED, b"12", b"345" + after]) == b"12345"


def test_a_body_that_goes_on_after_its_length_has_lost_data() -> None:
    reasons: list[Failure] = []

    class Lost(Body):
        def connectionLost(self, reason: Failure = connectionDone) -> None:
            reasons.append(reason)

    parser = parser_of_response()
    parser.dataReceived(FIXED)
    parser.response.deliverBody(Lost())
    with pytest.raises(FramingError, match="more bytes"):
        parser.dataReceived(b"12345678")
    parser.connectionLost(Failure(ConnectionDone()))
    [reason] = reasons
    assert reason.check(ResponseFailed)
    assert any(it.check(_DataLoss) for it in reason.value.reasons)


#: Prints the classes of the parsers; in a process of its own, because a handler installs a reactor.
PARSERS = """
from scrapy.settings import Settings
from twisted.internet.testing import StringTransport
from twisted.web._newclient import Request
from twisted.web.http_headers import Headers
from topiccrawl.network.handler import PublicHTTPHandler
class Crawler:
    settings = Settings()
handler = PublicHTTPHandler(Crawler())
for pool in (handler._pool, handler._by_proxy._pool):
    protocol = pool._factory(lambda it: None, "").buildProtocol(None)
    protocol.makeConnection(StringTransport())
    protocol.request(Request(b"GET", b"/", Headers({"Host": ["a.example"]}), None))
    print(type(protocol._parser).__name__)
"""


def test_all_connections_are_bounded_those_to_proxies_too() -> None:
    done = subprocess.run([sys.executable, "-c", PARSERS], capture_output=True, check=True)
    assert done.stdout.split() == [BoundedParser.__name__.encode()] * 2
