"""Connections through SOCKS5 proxies (RFC 1928, with the user name and password of RFC 1929).

The proxy resolves the names of sites, as HTTP proxies do.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Generator
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import HostnameEndpoint
from twisted.internet.error import ConnectError, ConnectionDone, ConnectionRefusedError
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.web.client import HTTPConnectionPool

from topiccrawl.network.framing import BoundedFactory
from topiccrawl.urls.addresses import literal_address

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

SCHEME: Final = "socks5"
_VERSION: Final = 5
_NO_LOGIN, _PASSWORD = 0, 2
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
#: What a proxy replies to "connect" (RFC 1928, 6).
_REPLIES: Final = {
    1: "general failure", 2: "not allowed", 3: "network unreachable", 4: "host unreachable",
    5: "connection refused", 6: "TTL expired", 7: "command not supported", 8: "address type not supported",
}  # fmt: skip


class _Handshake(Protocol):
    """Asks a proxy for a connection, and passes what comes through it to another protocol."""

    transport: Any

    def __init__(self, host: str, port: int, user: bytes, password: bytes) -> None:
        self._target = _address(host) + port.to_bytes(2, "big")
        self._user, self._password = user, password
        self._received = b""
        self._talk = self._conversation()
        self._wanted = 0
        self._inner: Any = None
        self.connected_through: Deferred[None] = Deferred(lambda _: self._abort())

    def connectionMade(self) -> None:  # noqa: N802
        """Begin the conversation."""
        self._wanted = next(self._talk)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Read the proxy's answers; later pass everything on."""
        if self._inner is not None:
            self._inner.dataReceived(data)
            return
        self._received += data
        while self._wanted and len(self._received) >= self._wanted:
            answer, self._received = (
                self._received[: self._wanted],
                self._received[self._wanted :],
            )
            try:
                self._wanted = self._talk.send(answer)
            except StopIteration:
                self._wanted = 0
                self._end(None)
            except ConnectError as error:
                self._wanted = 0
                self._end(error)
                self._abort()

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802
        """Pass the end of the connection on."""
        if self._inner is not None:
            self._inner.connectionLost(reason)
        else:
            self._end(ConnectError(string="the SOCKS proxy closed the connection"))  # type: ignore[no-untyped-call]

    def pass_to(self, factory: Any) -> Any:
        """Return the protocol of *factory*, connected through the proxy."""
        inner: Any = factory.buildProtocol(self.transport.getPeer())
        if inner is None:
            self._abort()
            raise ConnectionDone
        self._inner = inner
        inner.makeConnection(self.transport)
        if self._received:
            inner.dataReceived(self._received)
        return inner

    def _conversation(self) -> Generator[int, bytes, None]:
        """Send what a client sends, and yield how many bytes of the answer are needed."""
        methods = bytes([_NO_LOGIN, _PASSWORD] if self._user or self._password else [_NO_LOGIN])
        self._send(bytes([_VERSION, len(methods)]) + methods)
        version, method = yield 2
        if version != _VERSION or method not in methods:
            # Whatever the reason: this proxy cannot be used.
            raise ConnectionRefusedError(string="the SOCKS proxy refuses the login, or is none")  # type: ignore[no-untyped-call]
        if method == _PASSWORD:
            user, password = self._user[:255], self._password[:255]
            self._send(bytes([1, len(user)]) + user + bytes([len(password)]) + password)
            if (yield 2)[1] != 0:
                raise ConnectionRefusedError(string="the SOCKS proxy refuses the login")  # type: ignore[no-untyped-call]
        self._send(bytes([_VERSION, _CONNECT, 0]) + self._target)
        _version, reply, _reserved, kind = yield 4
        if reply != 0:
            raise ConnectError(string=f"SOCKS: {_REPLIES.get(reply, str(reply))}")  # type: ignore[no-untyped-call]
        length = {_IPV4: 4, _IPV6: 16}.get(kind) or (yield 1)[0]
        yield length + 2

    def _send(self, data: bytes) -> None:
        self.transport.write(data)

    def _end(self, error: ConnectError | None) -> None:
        if not self.connected_through.called:
            if error is None:
                self.connected_through.callback(None)
            else:
                self.connected_through.errback(error)

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abortConnection()


def _address(host: str) -> bytes:
    """Return *host* as the request names it: an address, or a name for the proxy to resolve."""
    literal = literal_address(host)
    if literal is not None:
        kind = _IPV6 if isinstance(literal, IPv6Address) else _IPV4
        return bytes([kind]) + literal.packed
    name = host.encode("ascii")[:255]
    return bytes([_NAME, len(name)]) + name


class SocksEndpoint:
    """Connects to *host* and *port* through a SOCKS5 proxy.

    Parameters
    ----------
    proxy
        Endpoint of the proxy.
    host, port
        Where the proxy is to connect to.
    user, password
        Credentials for the proxy, empty without.
    """

    def __init__(
        self,
        proxy: Any,
        host: str,
        port: int,
        user: bytes = b"",
        password: bytes = b"",
    ) -> None:
        self._proxy = proxy
        self._target = (host, port, user, password)

    def connect(self, factory: Any) -> Deferred[Any]:
        """Return the protocol of *factory* once the proxy has connected."""
        handshake = _Handshake(*self._target)
        connecting: Deferred[Any] = self._proxy.connect(_Returning(handshake))
        connecting.addCallback(lambda _: handshake.connected_through)
        return connecting.addCallback(lambda _: handshake.pass_to(factory))


class _Returning(Factory):
    noisy = False

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol

    def buildProtocol(self, addr: Any) -> Protocol:  # noqa: N802
        return self._protocol


class _SocksPool(HTTPConnectionPool):
    """Connections through one proxy, with one login."""

    proxy: tuple[str, int, bytes, bytes]

    def getConnection(self, key: Any, endpoint: Any) -> Deferred[Any]:  # noqa: N802
        """Return a connection to the host of *key* (scheme, host, port) through the proxy."""
        proxy_host, proxy_port, user, password = self.proxy
        proxy = HostnameEndpoint(self._reactor, proxy_host, proxy_port)
        through = SocksEndpoint(proxy, key[1].decode("ascii"), key[2], user, password)
        if key[0] == b"https":
            # The endpoint adds TLS to another one.
            endpoint._wrappedEndpoint = through
        else:
            endpoint = through
        return super().getConnection(key, endpoint)


class SocksHandler:
    """Downloads through SOCKS5 proxies: a request names its own in ``meta``, as with HTTP proxies."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._handlers: dict[tuple[str, int, bytes, bytes], HTTP11DownloadHandler] = {}

    async def download_request(self, request: Request) -> Response:
        """Download *request* through ``request.meta["proxy"]``, with the login of ``Proxy-Authorization``."""
        parts = urlsplit(request.meta["proxy"])
        login = _login(request.headers.get(b"Proxy-Authorization"))
        handler = self._handler((parts.hostname or "", parts.port or 1080, *login))
        direct = request.copy()
        del direct.meta["proxy"]
        direct.headers.pop(b"Proxy-Authorization", None)
        try:
            return await handler.download_request(direct)
        finally:
            if "download_latency" in direct.meta:
                request.meta["download_latency"] = direct.meta["download_latency"]

    async def close(self) -> None:
        """Close the connections."""
        for handler in self._handlers.values():
            await handler.close()

    def _handler(self, proxy: tuple[str, int, bytes, bytes]) -> HTTP11DownloadHandler:
        if proxy not in self._handlers:
            handler = HTTP11DownloadHandler(self._crawler)
            pool = _SocksPool(handler._pool._reactor, persistent=handler._pool.persistent)  # type: ignore[no-untyped-call]
            pool.maxPersistentPerHost = handler._pool.maxPersistentPerHost
            pool._factory = BoundedFactory
            pool.proxy = proxy
            handler._pool = pool
            self._handlers[proxy] = handler
        return self._handlers[proxy]


def _login(header: bytes | None) -> tuple[bytes, bytes]:
    """Return user and password of a ``Proxy-Authorization`` header."""
    try:
        plain = base64.b64decode((header or b"").removeprefix(b"Basic "))
    except binascii.Error:
        return b"", b""
    user, _, password = plain.partition(b":")
    return user, password
