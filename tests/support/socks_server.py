"""A SOCKS5 proxy on loopback, after RFC 1928 and RFC 1929."""

from __future__ import annotations

import contextlib
import ipaddress
import selectors
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from socketserver import BaseRequestHandler, ThreadingTCPServer

#: Where a name and port lead to; a number is the reply of a refusal.
Routes = Callable[[str, int], tuple[str, int] | int]


@dataclass
class SocksProxy:
    """A running proxy."""

    address: str = ""
    asked: list[tuple[str, int]] = field(default_factory=list)
    """Names or addresses, with ports, to which connections were asked for."""


@contextmanager
def socks_proxy(routes: Routes, login: tuple[bytes, bytes] | None = None) -> Iterator[SocksProxy]:
    """Serve connections to what *routes* returns, with *login* only if it is given."""
    proxy = SocksProxy()

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(ConnectionError, ValueError):
                self._handle()

        def _handle(self) -> None:
            version, count = self._read(2)
            assert version == 5
            wanted = 0 if login is None else 2
            if wanted not in self._read(count):
                self.request.sendall(b"\x05\xff")
                return
            self.request.sendall(bytes([5, wanted]))
            if login is not None:
                _version, size = self._read(2)
                user = self._read(size)
                right = (user, self._read(self._read(1)[0])) == login
                self.request.sendall(b"\x01\x00" if right else b"\x01\x01")
                if not right:
                    return
            _version, command, _reserved, kind = self._read(4)
            assert command == 1
            if kind == 3:
                host = self._read(self._read(1)[0]).decode()
            else:
                host = str(ipaddress.ip_address(self._read({1: 4, 4: 16}[kind])))
            (port,) = struct.unpack(">H", self._read(2))
            proxy.asked.append((host, port))
            route = routes(host, port)
            if isinstance(route, int):
                self.request.sendall(bytes([5, route, 0, 1]) + bytes(6))
                return
            with socket.create_connection(route) as site:
                # In two pieces, with a name as the bound address.
                self.request.sendall(b"\x05\x00\x00\x03\x05")
                self.request.sendall(b"proxy\x00\x50")
                self._relay(site)

        def _relay(self, site: socket.socket) -> None:
            with selectors.DefaultSelector() as selector:
                selector.register(self.request, selectors.EVENT_READ, site)
                selector.register(site, selectors.EVENT_READ, self.request)
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(65_536)  # type: ignore[union-attr]
                        if not data:
                            return
                        key.data.sendall(data)

        def _read(self, size: int) -> bytes:
            data = b""
            while len(data) < size:
                piece = self.request.recv(size - len(data))
                if not piece:
                    raise ConnectionResetError
                data += piece
            return data

    class Server(ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Handler) as server:
        proxy.address = f"127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield proxy
        finally:
            server.shutdown()
