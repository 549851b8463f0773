"""An HTTP/1.1 forward proxy on loopback that answers every request itself.

Point a crawler at it with ``http_proxy=http://127.0.0.1:PORT``: the crawler sees the hosts of a
generated or stored web under their own names, without DNS and without any connection to the
network.  Statuses that do not come from a subclass: 502 for an unknown host (what a proxy returns
if it cannot resolve a name), 405 for methods other than ``GET`` and ``HEAD``, 400 for a malformed
request line, 431 for a request head over 64 KiB, 501 for ``CONNECT`` if the proxy has no TLS
context.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import ssl
import string
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import quote
from zlib import crc32

from topiccrawl.webserver.answers import Answer

#: Longest request head accepted, in bytes.
HEAD_LIMIT = 64 * 1024

#: Shorter bodies (in bytes) are not compressed: gzip would hardly shrink them (a guess).
_GZIP_FROM = 256


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request received by the proxy."""

    sequence: int
    """Counts from 1, in the order in which answers began."""
    seconds: float
    """Since the proxy started."""
    method: str
    status: int
    url: str
    """As requested."""
    length: int
    """Bytes of the body before compression; 0 for HEAD."""


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    target: str
    headers: Mapping[str, str]
    keep_alive: bool


class ForwardProxy(ABC):
    """Abstract proxy; an asynchronous context manager that listens while it is entered.

    :param latency_seconds: delay before every answer.
    :param gzip_share: share of pages in [0, 1] that are compressed for clients that accept gzip;
        chosen by URL, so that it is the same in every run.
    :param tls: returns the TLS context for ``https://``; called at the first ``CONNECT``.
    :param log_limit: how many of the latest requests ``requests`` keeps.
    :param port: port to listen on; 0 takes a free one.
    """

    def __init__(
        self,
        *,
        latency_seconds: float = 0.0,
        gzip_share: float = 0.0,
        log_limit: int = 100_000,
        port: int = 0,
        tls: Callable[[], ssl.SSLContext] | None = None,
    ) -> None:
        self.requests: deque[RequestRecord] = deque(maxlen=log_limit)
        self._latency_seconds = latency_seconds
        self._gzip_share = gzip_share
        self._port = port
        self._server: asyncio.Server | None = None
        self._started = 0.0
        self._count = 0
        self._make_tls = tls
        self._tls: ssl.SSLContext | None = None
        self._clients: set[asyncio.Task[None]] = set()

    @abstractmethod
    def respond(self, method: str, url: str) -> Answer | None:
        """Return the answer to ``GET`` or ``HEAD`` of an absolute URL, ``None`` for unknown hosts."""

    @property
    def port(self) -> int:
        """Port that the proxy listens on; raises ``RuntimeError`` outside the context."""
        if self._server is None:
            raise RuntimeError("the proxy is not running")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """The value for ``http_proxy``."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._client, "127.0.0.1", self._port, limit=HEAD_LIMIT
        )
        self._started = time.monotonic()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
            for task in self._clients:
                task.cancel()
            await asyncio.gather(*self._clients, return_exceptions=True)
            await self._server.wait_closed()
            self._server = None

    async def serve_forever(self) -> None:
        """Serve until canceled."""
        if self._server is None:
            raise RuntimeError("the proxy is not running")
        await self._server.serve_forever()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)
        try:
            # The proxy cancels clients when it stops; asyncio would log that as an error.
            with contextlib.suppress(
                ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError
            ):
                origin = ""
                while (next_origin := await self._exchange(reader, writer, origin)) is not None:
                    origin = next_origin
        finally:
            writer.close()

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, origin: str
    ) -> str | None:
        """Answer one request; *origin* is the host behind a tunnel, empty outside a tunnel.

        Returns the origin for the next request, ``None`` if the connection must be closed.
        """
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            await self._send(writer, None, _plain(431, "request head over 64 KiB"))
            return None
        request = _parse(head)
        if request is None:
            await self._send(writer, None, _plain(400, "not an HTTP request"))
            return None
        if request.method == "CONNECT" and self._make_tls is not None and not origin:
            return await self._tunnel(writer, request.target)
        if request.target.startswith("/") and origin:
            request = replace(request, target=origin + request.target)
        answer = self._answer(request)
        await asyncio.sleep(self._latency_seconds + answer.delay_seconds)
        await self._send(writer, request, answer)
        keep = request.keep_alive and answer.status not in (400, 405, 501)
        return origin if keep else None

    async def _tunnel(self, writer: asyncio.StreamWriter, target: str) -> str:
        """Accept a tunnel and take the place of the host that the client wants to reach."""
        if self._tls is None:
            assert self._make_tls is not None
            self._tls = self._make_tls()
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await writer.drain()
        await writer.start_tls(self._tls)
        return f"https://{target.removesuffix(':443')}"

    def _answer(self, request: _Request) -> Answer:
        target = request.target
        https = target.startswith("https://")
        if request.method == "CONNECT" or (https and self._make_tls is None):
            return _plain(501, "this proxy serves http:// pages only")
        if request.method not in ("GET", "HEAD"):
            return _plain(405, "only GET and HEAD")
        if not https and not target.startswith("http://"):
            return _plain(400, "this is a proxy: ask for an absolute http:// URL")
        answer = self.respond(request.method, target)
        return answer or _plain(502, "there is no such host")

    async def _send(
        self, writer: asyncio.StreamWriter, request: _Request | None, answer: Answer
    ) -> None:
        self._record(request, answer)
        body, encoding = answer.body, ""
        if request and self._compresses(request, answer):
            body, encoding = gzip.compress(body, compresslevel=1, mtime=0), "gzip"
        length = answer.streamed_bytes if answer.stream else len(body)
        keep = request is not None and request.keep_alive and answer.status not in (400, 405, 501)
        lines = [
            f"HTTP/1.1 {answer.status} {_phrase(answer.status)}",
            f"Content-Length: {length}",
            f"Connection: {'keep-alive' if keep else 'close'}",
        ]
        optional = {
            "Content-Type": answer.content_type,
            # Stored as the server sent it, which may be in UTF-8.
            "Location": quote(answer.location, safe=string.punctuation),
            "Content-Encoding": encoding,
            "Allow": "GET, HEAD" if answer.status == 405 else "",
        }
        lines += [f"{name}: {value}" for name, value in optional.items() if value]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        if request is not None and request.method == "HEAD":
            writer.write(head)
        elif answer.stream:
            writer.write(head)
            for piece in answer.stream():
                writer.write(piece)
                await writer.drain()
        else:
            writer.write(head + body)
        await writer.drain()

    def _compresses(self, request: _Request, answer: Answer) -> bool:
        return (
            len(answer.body) >= _GZIP_FROM
            and "gzip" in request.headers.get("accept-encoding", "").lower()
            and crc32(request.target.encode()) % 1000 < self._gzip_share * 1000
        )

    def _record(self, request: _Request | None, answer: Answer) -> None:
        self._count += 1
        method, target = (request.method, request.target) if request else ("", "")
        self.requests.append(
            RequestRecord(
                sequence=self._count,
                seconds=time.monotonic() - self._started,
                method=method,
                status=answer.status,
                url=target,
                length=0 if method == "HEAD" else answer.length,
            )
        )


def _phrase(status: int) -> str:
    """Return the reason phrase, empty for a status that no standard defines (521, 999), which webs have."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _plain(status: int, text: str) -> Answer:
    return Answer(status, "text/plain; charset=utf-8", f"{text}\n".encode())


def _parse(head: bytes) -> _Request | None:
    first, *rest = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return None
    headers: dict[str, str] = {}
    for line in rest:
        name, colon, value = line.partition(":")
        if colon:
            headers[name.strip().lower()] = value.strip()
    connection = (headers.get("connection") or headers.get("proxy-connection") or "").lower()
    keep = "keep-alive" in connection if parts[2] == "HTTP/1.0" else "close" not in connection
    if "content-length" in headers or "transfer-encoding" in headers:
        keep = False  # the body is not read, so the connection cannot be reused
    return _Request(parts[0], parts[1], headers, keep)
