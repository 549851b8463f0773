"""A MongoDB server as a user without write permission sees it: a proxy that answers writes as the server would."""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Container, Iterator
from contextlib import contextmanager
from socket import create_connection, socket
from typing import Any

import bson

#: Commands that need the role readWrite.
WRITES = frozenset(
    (
        "insert",
        "update",
        "delete",
        "findAndModify",
        "createIndexes",
        "create",
        "drop",
        "dropDatabase",
    )
)
_OP_MSG = 2013
#: Length of the header, the flags and the kind of the first section.
_BODY = 16 + 4 + 1


def _read(connection: socket) -> bytes:
    """Return a whole message; empty at the end."""
    head = _exactly(connection, 4)
    return head and head + _exactly(connection, struct.unpack("<i", head)[0] - 4)


def _exactly(connection: socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        piece = connection.recv(count - len(found))
        if not piece:
            return b""
        found += piece
    return found


def _refusal(message: bytes, name: str) -> bytes:
    """The answer of MongoDB 7 to a command that the user's roles do not allow."""
    request = struct.unpack("<i", message[4:8])[0]
    answer: dict[str, Any] = {
        "ok": 0.0,
        "errmsg": f"not authorized on topiccrawl to execute command {{ {name}: ... }}",
        "code": 13,
        "codeName": "Unauthorized",
    }
    body = b"\0" * 5 + bson.encode(answer)
    return struct.pack("<iiii", 16 + len(body), 1, request, _OP_MSG) + body


@contextmanager
def refusing_writes(
    uri: str, commands: Container[str] = WRITES, collection: str = ""
) -> Iterator[str]:
    """Yield the address of a proxy before the server at *uri*, which refuses all writes.

    Or some *commands* only, or those on one *collection*.
    """
    host, port = uri.removeprefix("mongodb://").split(":")

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with create_connection((host, int(port))) as server:
                while message := _read(self.request):
                    kind = struct.unpack("<i", message[12:16])[0]
                    size = struct.unpack("<i", message[_BODY : _BODY + 4])[0]
                    command, place = "", None
                    if kind == _OP_MSG:
                        command, place = next(
                            iter(bson.decode(message[_BODY : _BODY + size]).items()), ("", None)
                        )
                    if command in commands and collection in ("", place):
                        self.request.sendall(_refusal(message, command))
                    else:
                        server.sendall(message)
                        self.request.sendall(_read(server))

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield f"mongodb://127.0.0.1:{proxy.server_address[1]}"
        finally:
            proxy.shutdown()
