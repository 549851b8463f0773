"""The servers of an :class:`~benchmarks.errors.web.ErrorWeb`, in one thread."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from functools import partial

from benchmarks.errors.web import ErrorWeb
from benchmarks.hostile.answers import head
from topiccrawl.evaluation.replay.certificate import server_context
from topiccrawl.webserver.threaded import ThreadedServer

#: Failures after which the connection cannot be used any more.
_ENDS = frozenset({"truncated", "too-long-length", "too-short-length"})


def free_port() -> int:
    """Return a port that is free now on all loopback addresses that are used."""
    with socket.socket() as found:
        found.bind(("127.68.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class ErrorServer(ThreadedServer):
    """Serves *web* on *port*, its pages behind bad TLS on *tls_port*."""

    def __init__(self, web: ErrorWeb, port: int, tls_port: int) -> None:
        super().__init__("error-server")
        self._web = web
        self._port = port
        self._tls_port = tls_port

    async def _serve(self) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for address in self._web.addresses:
                server = await asyncio.start_server(self._plain, address, self._port, backlog=256)
                stack.callback(server.close)
            for address, number in self._web.tls.items():
                handle = partial(self._secure, number)
                server = await asyncio.start_server(handle, address, self._tls_port)
                stack.callback(server.close)
            await self._until_stopped()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _plain(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        writer.close()

    async def _secure(
        self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        kind = self._web.fails(number)
        with contextlib.suppress(OSError, EOFError, asyncio.CancelledError):
            if kind == "tls-closed":
                await reader.read(100)
            elif kind:
                await reader.read(100)
                writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20)
                await writer.drain()
            else:
                await writer.start_tls(server_context())
                while await self._one(reader, writer):
                    pass
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection stays open."""
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode("latin-1")
        name = path.rpartition("/")[2].removesuffix(".html")
        if not name.isdigit():
            writer.write(head("404 Not Found", "Content-Length: 0"))
            await writer.drain()
            return True
        number, web = int(name), self._web
        kind = "" if number in web.tls.values() else web.fails(number)
        if kind == "timeout":
            await reader.read(65536)  # until the crawler closes the connection
            return False
        if kind in ("reset", "reset-midway"):
            if kind == "reset-midway":
                writer.write(web.whole(number)[:600])
                await writer.drain()
            _reset(writer)
            return False
        writer.write(web.failure(number, kind) if kind else web.whole(number))
        await writer.drain()
        return kind not in _ENDS


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close the connection with a TCP reset."""
    sock = writer.get_extra_info("socket")
    if sock is not None:
        # SO_LINGER with 0 seconds: close() sends RST instead of FIN (socket(7)).
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
